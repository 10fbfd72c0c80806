"""Lanes on MuJoCo in JAX, for accelerators: the physics of all of them in one program, the watching on C MuJoCo.

A recorded step (1/240 s) is a call for `width()` scenes at a time, the last one repeated, so that nothing is compiled
anew for another number of scenes or another execution, and a scene's bits do not depend on its batch. The states are
looked at by the same watches as on the C back end, in a model of the same scene, so distances and contacts are read at
recorded steps, and what the controller senses is current. Scenes of a batch must have models of one form; drag and the
bounce law are left to the C back end. Public:
`MjxLanes`, `program`, `put`, `width`.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from jaxphys._rigid_device import lenient, warn_once
from jaxphys._rigid_programs import pad_lanes
from jaxphys.humanoid.mjx import LANES
from jaxphys.humanoid.robot import NU, NV
from jaxphys_benchmarks.reacthuman.execution.config import STEPS_PER_TICK, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.lanes import CLanes
from jaxphys_benchmarks.reacthuman.execution.start import Hazard
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.joints import ARM

Floats = NDArray[np.float64]

WIDE = 64
"""Scenes in a call on an accelerator: as many as an execution has at once by default."""


def width() -> int:
    """Scenes in a call on the present device."""
    return LANES.get(jax.default_backend(), WIDE)


@functools.lru_cache(maxsize=16)
def program(substeps: int) -> Any:
    """The compiled physics of a recorded step: (models, states) -> states, all leading with the lane.

    All of a scene is an argument: a form of models is compiled once in a process.

    Args:
        substeps: physics steps.
    """
    from mujoco import mjx

    def one(model: Any, data: Any) -> Any:
        def inner(data: Any, _: None) -> tuple[Any, None]:
            return mjx.step(model, data), None

        return jax.lax.scan(inner, data, None, length=substeps)[0]

    return jax.jit(jax.vmap(one))


class MjxLanes(CLanes):
    """Lanes on MJX; see `Lanes`."""

    def __init__(
        self,
        specs: Sequence[ReactHumanSpec],
        hazards: Sequence[Hazard],
        targets: Sequence[int],
        qpos: Floats,
        qvel: Floats,
        config: ExecutionConfig,
    ) -> None:
        """Lanes at the freeze; arguments as of `CLanes`.

        Raises:
            ValueError: scenes of several forms, or with drag or the bounce law.
        """
        import mujoco
        from mujoco import mjx

        if any(spec.physics.drag != "off" or spec.physics.bounce == "contact" for spec in specs):
            raise ValueError("backend: mjx knows neither drag nor the bounce law; take backend = c")
        super().__init__(specs, hazards, targets, qpos, qvel, config, looked_at=1)
        self._mujoco = mujoco
        warn_once()
        with lenient():
            models = [put(model) for model in self.models]
            forms = [(jax.tree.structure(m), [np.shape(leaf) for leaf in jax.tree.leaves(m)]) for m in models]
            for spec, form in zip(specs, forms, strict=True):
                if form != forms[0]:
                    raise ValueError(
                        f"backend: mjx takes scenes of one form; {spec.id} has other bodies or furniture than"
                        f" {specs[0].id}; execute them apart, or take backend = c"
                    )
            whole = jax.tree.map(lambda *leaves: np.stack([np.asarray(leaf) for leaf in leaves]), *models)
            blank = mjx.make_data(self.models[0])
        self._width, self._program = width(), program(self._substeps)
        self._starts = range(0, len(specs), self._width)
        self._own = [jax.device_put(pad_lanes(whole, first, self._width)) for first in self._starts]
        empty = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (self._width, *np.shape(leaf))), blank)
        self._states = [jax.device_put(empty) for _ in self._starts]

    def advance(self, target: Floats, use: Floats) -> None:
        """See `Lanes`."""
        datas = self.datas
        control = target.copy()
        bias = np.stack([data.qfrc_bias[NV - NU : NV][ARM] for data in datas])
        control[:, ARM] += use[:, None] * bias / self.robot.arm_kp
        for data, row in zip(datas, control, strict=True):
            data.ctrl[:NU] = row
        for _ in range(STEPS_PER_TICK):
            qpos, qvel = self._stepped({name: _stacked(datas, name) for name in ("qpos", "qvel", "ctrl")})
            for k, data in enumerate(datas):
                data.qpos[:], data.qvel[:] = qpos[k], qvel[k]
                self._mujoco.mj_forward(self.models[k], data)
                self.watches[k](data)

    def _stepped(self, fields: dict[str, NDArray[np.float32]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """qpos and qvel of all scenes after a recorded step that begins with these fields."""
        for k, first in enumerate(self._starts):
            given = jax.device_put(pad_lanes(fields, first, self._width))
            with lenient():
                self._states[k] = self._program(self._own[k], self._states[k].replace(**given))
        b = len(fields["qpos"])
        return (
            np.concatenate([np.asarray(state.qpos) for state in self._states])[:b],
            np.concatenate([np.asarray(state.qvel) for state in self._states])[:b],
        )


def put(model: Any) -> Any:
    """A model on the device, in the form that all scenes with such bodies share."""
    from mujoco import mjx

    found = mjx.put_model(model)
    # A size that only height fields need is part of the form, though nothing here has one.
    return found.tree_replace({"_impl.geom_rbound_hfield": np.zeros_like(found._impl.geom_rbound_hfield)})


def _stacked(datas: Sequence[Any], name: str) -> NDArray[np.float32]:
    return np.stack([getattr(data, name) for data in datas]).astype(np.float32)
