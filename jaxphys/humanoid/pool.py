"""The C back end of the humanoid: one `MjData` per robot, kept for the whole run, stepped in a pool of threads.

A lane's motion depends on the lane alone: neither on the number of threads nor on its neighbours. Lanes may share one
model or have one each, as long as every model starts with the robot (`robot.robot_spec` comes first), so that
`qpos[:36]`, `qvel[:35]` and `ctrl[:29]` are the robot's. A lane whose state is no longer finite is frozen, told by
`alive`, and disturbs nobody (humanoid specification, sections 6.4 and 9.1).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from jaxphys._mujoco_quiet import silent
from jaxphys.humanoid.robot import HUGE, NQ, NU, NV, Robot, load_mujoco, stand
from jaxphys_kernels.humanoid.joints import ARM, DEFAULT
from jaxphys_kernels.humanoid.sensed import Sensed

Between = Callable[[int, Any], None]
"""Called with the lane and its `MjData` after every physics step of the lane, in the thread that steps it."""

ARM_DOFS = slice(NV - NU + ARM.start, NV)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """b robots in C MuJoCo.

    Attributes:
        robot: what they are.
        data: one `MjData` per lane; contacts are read here, and velocities or forces may be changed between ticks.
        alive: (b,) whether a lane is still stepped.
    """

    def __init__(
        self, robot: Robot, lanes: int, models: Sequence[Any] | None = None, threads: int | None = None
    ) -> None:
        """Make room, and let all robots stand.

        Args:
            robot: ids, chain and gains; its model serves all lanes if `models` is None.
            lanes: number of robots b.
            models: one `MjModel` per lane, the robot first in each.
            threads: that step at once; None for the configuration's, or all cores.

        Raises:
            ValueError: no lanes, or another number of models than of lanes.
        """
        if lanes < 1:
            raise ValueError(f"lanes is {lanes}; a pool has at least one")
        if models is not None and len(models) != lanes:
            raise ValueError(f"models has {len(models)} models for {lanes} lanes")
        self.robot = robot
        self._models = [robot.model] * lanes if models is None else list(models)
        self._mujoco = mujoco = load_mujoco()
        self.data = [mujoco.MjData(model) for model in self._models]
        self.alive = np.ones(lanes, bool)
        self._executor: ThreadPoolExecutor | None = None
        self._threads = max(1, min(threads or robot.config.threads or cores(), lanes))
        # Views stay valid as long as their `MjData`; taking them anew costs as much as a physics step.
        self._qpos = [data.qpos[:NQ] for data in self.data]
        self._qvel = [data.qvel[:NV] for data in self.data]
        self._ctrl = [data.ctrl[:NU] for data in self.data]
        self._bias = [data.qfrc_bias[ARM_DOFS] for data in self.data]
        self._torso_pos = [data.xpos[robot.torso] for data in self.data]
        self._torso_mat = [data.xmat[robot.torso] for data in self.data]
        self._palms = [[data.site_xpos[site] for data in self.data] for site in robot.palms]
        self._com = [data.subtree_com[robot.pelvis] for data in self.data]
        self.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the threads; the pool may be used again and starts new ones."""
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None

    def reset(self, qpos: ArrayLike | None = None, qvel: ArrayLike | None = None) -> None:
        """Start again, the robots in given states and everything else as its model says.

        Args:
            qpos: (b, 36) m and quaternions; None for standing at the origin, heading along x.
            qvel: (b, 35) m/s and rad/s; None for rest.
        """
        b = len(self.data)
        where = stand(b) if qpos is None else np.broadcast_to(np.asarray(qpos, float), (b, NQ))
        how = np.zeros((b, NV)) if qvel is None else np.broadcast_to(np.asarray(qvel, float), (b, NV))
        with silent():
            for i, data in enumerate(self.data):
                self._mujoco.mj_resetData(self._models[i], data)
                self._qpos[i][:], self._qvel[i][:], self._ctrl[i][:] = where[i], how[i], DEFAULT
                self._mujoco.mj_forward(self._models[i], data)
        self.alive = np.isfinite(where).all(1) & np.isfinite(how).all(1)

    def qpos(self) -> np.ndarray:
        """(b, 36) float64 positions of the robots."""
        return np.stack(self._qpos)

    def qvel(self) -> np.ndarray:
        """(b, 35) float64 velocities of the robots."""
        return np.stack(self._qvel)

    def palms(self) -> np.ndarray:
        """(b, 2, 3) palms, left and right, as of the last physics step's position stage (m)."""
        return np.stack([np.stack(side) for side in self._palms], axis=1)

    def sense(self) -> Sensed:
        """What the controller sees, float32 with leading b.

        `qpos` and `qvel` are current; the poses of torso, palms and centre of mass are one physics step older.
        """
        b = len(self.data)
        return Sensed(
            qpos=_single(self._qpos),
            qvel=_single(self._qvel),
            torso_pos=_single(self._torso_pos),
            torso_mat=_single(self._torso_mat).reshape(b, 3, 3),
            palms=np.stack([_single(side) for side in self._palms], axis=1),
            com=_single(self._com),
        )

    def advance(
        self, target: ArrayLike, use: ArrayLike, steps: int = 5, substeps: int = 1, between: Between | None = None
    ) -> None:
        """Hold joint targets for one tick; the arms' gravity is compensated where the plan drives them.

        Args:
            target: (b, 29) joint targets (rad).
            use: (b,) 1 where the plan drives the arms, else 0.
            steps: recorded steps of the tick.
            substeps: physics steps of each; the models' time step is the caller's.
            between: called after every physics step.
        """
        control, lanes = self._begin(target, use)
        count = steps * substeps
        chunks = np.array_split(lanes, self._threads)
        with silent():
            if self._threads == 1:
                self._march(chunks[0], control, count, between)
            else:
                if self._executor is None:
                    self._executor = ThreadPoolExecutor(self._threads, thread_name_prefix="humanoid")
                # The list raises what a thread raised.
                list(self._executor.map(lambda chunk: self._march(chunk, control, count, between), chunks))
        self._notice()

    def _begin(self, target: ArrayLike, use: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """(b, 29) what the servos are told, and the lanes to step; one that is told nonsense is frozen."""
        self._notice()
        control = np.array(target, float)
        control[:, ARM] += np.asarray(use, float)[:, None] * np.stack(self._bias) / self.robot.arm_kp
        self.alive &= np.isfinite(control).all(1)
        return control, np.flatnonzero(self.alive)

    def _march(self, lanes: np.ndarray, control: np.ndarray, count: int, between: Between | None) -> None:
        step = self._mujoco.mj_step
        for i in lanes.tolist():
            model, data = self._models[i], self.data[i]
            self._ctrl[i][:] = control[i]
            if between is None:
                step(model, data, count)
                continue
            for _ in range(count):
                step(model, data)
                between(i, data)

    def _notice(self) -> None:
        """Freeze the lanes whose numbers have gone, or that somebody has spoilt."""
        qpos, qvel = self.qpos(), self.qvel()
        self.alive &= (np.abs(qpos) < HUGE).all(1) & (np.abs(qvel) < HUGE).all(1)


def _single(rows: list[np.ndarray]) -> np.ndarray:
    """Rows of float64 numbers as one float32 array; those of a lane that is gone may be infinite."""
    out = np.empty((len(rows), len(rows[0])), np.float32)
    with np.errstate(over="ignore"):
        np.stack(rows, out=out, casting="same_kind")
    return out
