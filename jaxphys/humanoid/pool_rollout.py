"""The C back end by `mujoco.rollout`: the same face as `Pool`, for comparison and for open-loop batches.

`rollout` returns states only, so that everything else needs one `mj_forward` per robot and tick, which the controller
then sees without delay; and it starts each call without the solver's warm start. Both make it slower in closed loop and
let it part from the pool (humanoid specification, section 9.1).
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout as mujoco_rollout
from numpy.typing import ArrayLike

from jaxphys.humanoid.pool import Between, Pool
from jaxphys.humanoid.robot import Robot


class RolloutPool(Pool):
    """b robots in C MuJoCo, stepped by MuJoCo's own threads."""

    def __init__(
        self, robot: Robot, lanes: int, models: Sequence[Any] | None = None, threads: int | None = None
    ) -> None:
        """As `Pool`; the models of all lanes must have the same sizes."""
        super().__init__(robot, lanes, models, threads)
        self._room = [mujoco.MjData(self._models[0]) for _ in range(self._threads)]
        self._rollout: mujoco_rollout.Rollout | None = None

    def close(self) -> None:
        """End the threads."""
        super().close()
        if self._rollout is not None:
            self._rollout.close()
            self._rollout = None

    def advance(
        self, target: ArrayLike, use: ArrayLike, steps: int = 5, substeps: int = 1, between: Between | None = None
    ) -> None:
        """As `Pool.advance`.

        Raises:
            ValueError: something is to happen between the steps.
        """
        if between is not None:
            raise ValueError("between: nothing can happen between the steps of mujoco.rollout; take Pool")
        control, lanes = self._begin(target, use)
        if not len(lanes):
            return
        if self._rollout is None:
            self._rollout = mujoco_rollout.Rollout(nthread=self._threads)
        own = [self.data[i] for i in lanes]
        count = steps * substeps
        states, _ = self._rollout.rollout(
            [self._models[i] for i in lanes],
            self._room,
            np.stack([np.concatenate([[data.time], data.qpos, data.qvel]) for data in own]),
            np.repeat(control[lanes, None], count, axis=1),
            nstep=count,
        )
        nq = self._models[0].nq
        for i, data, state in zip(lanes, own, states[:, -1], strict=True):
            data.time, data.qpos[:], data.qvel[:] = state[0], state[1 : 1 + nq], state[1 + nq :]
            data.ctrl[: control.shape[1]] = control[i]
            mujoco.mj_forward(self._models[i], data)
        self._notice()
