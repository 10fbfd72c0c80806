"""Lanes on MuJoCo in JAX, for accelerators: the physics of all of them in one program, the watching on C MuJoCo.

A recorded step (1/240 s) is one call; its states are looked at by the same watches as on the C back end, in a model of
the same scene, so distances and contacts are read at recorded steps, and what the controller senses is current. Scenes
of a batch must have models of one form; drag and the bounce law are left to the C back end. Public: `MjxLanes`.
"""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from jaxphys._rigid_device import lenient, warn_once
from jaxphys.humanoid.robot import NU, NV
from jaxphys_benchmarks.reacthuman.execution.config import STEPS_PER_TICK, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.lanes import CLanes
from jaxphys_benchmarks.reacthuman.execution.start import Hazard
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.joints import ARM

Floats = NDArray[np.float64]


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
            models = [mjx.put_model(model) for model in self.models]
            # Statistics scale the solver's tolerance alone.
            models = [model.tree_replace({"stat": models[0].stat}) for model in models]
            forms = [(jax.tree.structure(m), [np.shape(leaf) for leaf in jax.tree.leaves(m)]) for m in models]
            for spec, form in zip(specs, forms, strict=True):
                if form != forms[0]:
                    raise ValueError(
                        f"backend: mjx takes scenes of one form; {spec.id} has other bodies or furniture than"
                        f" {specs[0].id}; execute them apart, or take backend = c"
                    )
            self._model = jax.tree.map(lambda *leaves: np.stack([np.asarray(leaf) for leaf in leaves]), *models)
            blank = mjx.make_data(self.models[0])
            self._state = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (len(specs), *np.shape(leaf))), blank)
        substeps = specs[0].physics.substeps

        def one(model: Any, data: Any) -> Any:
            def inner(data: Any, _: None) -> tuple[Any, None]:
                return mjx.step(model, data), None

            return jax.lax.scan(inner, data, None, length=substeps)[0]

        self._step = jax.jit(jax.vmap(one))

    def advance(self, target: Floats, use: Floats) -> None:
        """See `Lanes`."""
        datas = self.datas
        control = target.copy()
        bias = np.stack([data.qfrc_bias[NV - NU : NV][ARM] for data in datas])
        control[:, ARM] += use[:, None] * bias / self.robot.arm_kp
        for data, row in zip(datas, control, strict=True):
            data.ctrl[:NU] = row
        for _ in range(STEPS_PER_TICK):
            fields = {name: _stacked(datas, name) for name in ("qpos", "qvel", "ctrl")}
            with lenient():
                self._state = self._step(self._model, self._state.replace(**fields))
            qpos, qvel = np.asarray(self._state.qpos), np.asarray(self._state.qvel)
            for k, data in enumerate(datas):
                data.qpos[:], data.qvel[:] = qpos[k], qvel[k]
                self._mujoco.mj_forward(self.models[k], data)
                self.watches[k](data)


def _stacked(datas: Sequence[Any], name: str) -> NDArray[np.float32]:
    return np.stack([getattr(data, name) for data in datas]).astype(np.float32)
