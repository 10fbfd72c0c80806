"""The environment on C MuJoCo: a tick of all lanes is one call from the compiled program into a pool of threads.

State in, state out: nothing is kept between calls but the models and one `MjData` per thread and size of model, so
`vmap`, `scan` and `jit` over it are sound. Under `vmap` the call comes once, with all lanes. It computes in float64 on
states that arrive in float32. Public: `PhysicsC`.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys._mujoco_quiet import silent
from jaxphys_benchmarks.reacthuman.env.bank import ROBOT_NQ, ROBOT_NV, Bank
from jaxphys_benchmarks.reacthuman.env.body import SENSED, Body, Touch, packed, unpacked
from jaxphys_benchmarks.reacthuman.execution.config import STEPS_PER_TICK
from jaxphys_benchmarks.reacthuman.execution.model import PARTS, Shared
from jaxphys_kernels.humanoid.arrays import Array

NU = 29
ARMS = slice(21, 35)
"""Degrees of freedom of the arms."""

NOTHING, HAZARD, HAND, OTHER = 0, 1, 2, 4
"""What a geom is, as bits: of a pair of geoms the sum tells who touches whom."""

FAR = 1e6
"""A lane with a larger number is no longer stepped (m, m/s)."""


class PhysicsC:
    """See the module.

    Attributes:
        name: "c".
    """

    name = "c"

    def __init__(self, bank: Bank, robot: Any, threads: int) -> None:
        """Get ready to step the scenes of a bank.

        Args:
            bank: scenes and models. robot: `jaxphys.humanoid.robot.Robot`, for its ids. threads: that step at once.
        """
        self._scenes = [_Scene(one, wait, qpos, qvel) for one, wait, qpos, qvel in _rows(bank)]
        self._robot, self._threads = robot, threads
        self._nq, self._nv = bank.nq, bank.nv
        self._rooms = threading.local()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="env")

    def advance(self, scene: Array, body: Body, control: Array) -> tuple[Body, Touch]:
        """One tick of all lanes; see `Physics`."""
        nq, nv = self._nq, self._nv
        index = packed(scene[..., None], body.step[..., None])
        rows = packed(index, body.qpos, body.qvel, body.warm, body.late, control)
        shape = jax.ShapeDtypeStruct((*rows.shape[:-1], nq + 2 * nv + SENSED + 2), jnp.float32)
        out = jax.pure_callback(self._host, shape, rows, vmap_method="broadcast_all")
        qpos, qvel, warm, late, touch = unpacked(out, nq, nv, nv, SENSED, 2)
        moved = Body(qpos=qpos, qvel=qvel, warm=warm, late=late, step=body.step + STEPS_PER_TICK)
        return moved, Touch(hand=touch[..., 0] > 0.5, other=touch[..., 1] > 0.5)

    def _host(self, rows: Any) -> np.ndarray:
        given = np.asarray(rows, np.float64)
        flat = given.reshape(-1, given.shape[-1])
        out = np.zeros((len(flat), self._nq + 2 * self._nv + SENSED + 2), np.float32)
        chunks = np.array_split(np.arange(len(flat)), min(self._threads, len(flat)))
        # MuJoCo overflows the stack of XLA's own threads, so that even one chunk goes to the pool. The list raises what
        # a thread raised.
        with silent():
            list(self._pool.map(lambda chunk: self._march(chunk, flat, out), chunks))
        return out.reshape(*given.shape[:-1], -1)

    def _march(self, lanes: np.ndarray, given: np.ndarray, out: np.ndarray) -> None:
        for k in lanes.tolist():
            row = given[k]
            if not np.isfinite(row).all() or np.abs(row).max() > FAR:
                out[k] = np.nan
                continue
            scene = self._scenes[int(row[0])]
            # What a broken lane leaves may be too large for single precision: it is infinite then, which ends it.
            with np.errstate(over="ignore", invalid="ignore"):
                self._room(scene).tick(scene, int(row[1]), row[2:], out[k], self._nq, self._nv)

    def _room(self, scene: "_Scene") -> "_Room":
        """The calling thread's `MjData` for models of this size."""
        rooms: dict[Any, _Room] = self._rooms.__dict__
        if scene.size not in rooms:
            rooms[scene.size] = _Room(scene, self._robot)
        return rooms[scene.size]


class _Scene:
    """What the host keeps of a scene: its model, what its geoms are, and its hazard while it is held."""

    def __init__(self, one: Shared, wait: int, qpos: np.ndarray, qvel: np.ndarray) -> None:
        model = one.model
        self.model, self.wait, self.substeps = model, wait, one.rules.substeps
        self.qpos, self.qvel = qpos[: model.nq - ROBOT_NQ], qvel[: model.nv - ROBOT_NV]
        self.size = str((model.nq, model.nv, model.nbody, model.ngeom, model.npair, model.nsite, model.njnt))
        self.kind = np.zeros(model.ngeom, int)
        self.kind[list(one.things)] = HAZARD
        for part, geom in zip(PARTS, one.parts, strict=True):
            self.kind[geom] = HAND if part.endswith("hand") else OTHER


class _Room:
    """An `MjData` and views of it; taking them anew costs as much as a physics step."""

    def __init__(self, scene: _Scene, robot: Any) -> None:
        import mujoco

        self._step = mujoco.mj_step
        self._data = data = mujoco.MjData(scene.model)
        self._qpos, self._qvel, self._warm, self._ctrl = data.qpos, data.qvel, data.qacc_warmstart, data.ctrl
        self._hazard_qpos, self._hazard_qvel = data.qpos[ROBOT_NQ:], data.qvel[ROBOT_NV:]
        self._late = (
            data.xpos[robot.torso],
            data.xmat[robot.torso],
            *(data.site_xpos[site] for site in robot.palms),
            data.subtree_com[robot.pelvis],
            data.qfrc_bias[ARMS],
        )

    def tick(self, scene: _Scene, step: int, row: np.ndarray, out: np.ndarray, nq: int, nv: int) -> None:
        """Five recorded steps of one lane.

        Args:
            scene: of the lane. step: recorded steps since the freeze. row: its qpos, qvel, warm, late and control,
                filled up to the bank's sizes. out: its numbers after the tick, and whether a hand or another part was
                touched. nq, nv: sizes of the bank.
        """
        model, data, kind = scene.model, self._data, scene.kind
        own_q, own_v, at = model.nq, model.nv, nq + nv
        self._qpos[:], self._qvel[:] = row[:own_q], row[nq : nq + own_v]
        self._warm[:], self._ctrl[:] = row[at : at + own_v], row[-NU:]
        seen = 0
        for k in range(step, step + STEPS_PER_TICK):
            if k <= scene.wait:
                # Held until its time has come; then it starts as it was launched.
                self._hazard_qpos[:] = scene.qpos
                self._hazard_qvel[:] = scene.qvel if k == scene.wait else 0.0
            for _ in range(scene.substeps):
                self._step(model, data)
                if data.ncon:
                    touching = kind[data.contact.geom].sum(axis=1)
                    seen |= int(np.bitwise_or.reduce(touching * (touching & HAZARD > 0)))
        out[:own_q], out[nq : nq + own_v], out[at : at + own_v] = self._qpos, self._qvel, self._warm
        end = at + nv
        for part in self._late:
            out[end : end + len(part)] = part
            end += len(part)
        out[end], out[end + 1] = bool(seen & HAND), bool(seen & OTHER)


def _rows(bank: Bank) -> list[tuple[Shared, int, np.ndarray, np.ndarray]]:
    facts: Sequence[np.ndarray] = (bank.facts.qpos, bank.facts.qvel)
    return [
        (one, int(bank.facts.wait[k]), np.asarray(facts[0][k], float), np.asarray(facts[1][k], float))
        for k, one in enumerate(bank.shared)
    ]
