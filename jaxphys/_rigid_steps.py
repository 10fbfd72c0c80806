"""What a back end returns, recorded step by recorded step, and the trajectory that is made of it."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from jaxphys_kernels.rigid.model import Rules, Trajectory
from jaxphys_kernels.status import Status

HUGE = 1e10
"""MuJoCo gives up beyond."""


@dataclass
class Steps:
    """b scenes at k recorded steps; n bodies, c pairs.

    Attributes:
        qpos, qvel: (b, k, n, 7), (b, k, n, 6) after each step.
        touching, impulse: (b, k, c) during each step.
        first: (b, c) the inner step, counted from 1, at whose end a pair first touches (0: at the start); -1 for never.
        depth: (b, k, c) deepest overlap during each step (m). contacts: (b, k) most contacts at once during it.
        start_depth: (b,) deepest overlap at the start (m).
    """

    qpos: np.ndarray
    qvel: np.ndarray
    touching: np.ndarray
    impulse: np.ndarray
    first: np.ndarray
    depth: np.ndarray
    contacts: np.ndarray
    start_depth: np.ndarray

    def of(self, rows: slice) -> "Steps":
        """Some of the scenes."""
        return Steps(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


def trajectory(steps: Steps, start: np.ndarray, counts: np.ndarray, rules: Rules) -> Trajectory:
    """The scenes at their saved times.

    Args:
        steps: of all recorded steps.
        start: (b,) times at which the scenes start (s).
        counts: (b, t) recorded steps until each saved time, ascending, 0 for the start itself.
        rules: of the simulation.
    """
    rows = np.arange(len(counts))[:, None]
    index = counts - 1
    before = np.concatenate([np.zeros_like(counts[:, :1]), counts[:, :-1]], axis=1)
    every = bool((counts - before == 1).all())

    def until(values: np.ndarray) -> np.ndarray:
        if every:
            return np.asarray(values[rows, index])
        total = np.cumsum(values, axis=1)
        total = np.concatenate([np.zeros_like(total[:, :1]), total], axis=1)
        return np.asarray(total[rows, counts] - total[rows, before])

    last = counts[:, -1]
    lived = np.arange(steps.qpos.shape[1]) < last[:, None]
    seen = steps.qpos[np.arange(len(last)), last - 1]
    moving = steps.qvel[np.arange(len(last)), last - 1]
    sound = _finite(seen) & _finite(moving)
    status = np.where(sound, 0, int(Status.NONFINITE))
    status |= np.where(steps.start_depth > rules.penetration, int(Status.OVERLAP), 0)
    if rules.capacity is not None:
        status |= np.where((steps.contacts * lived).max(axis=1) > rules.capacity, int(Status.CAPACITY), 0)
    # Not by `first`: what touches at the last saved time is felt after it, if others in the batch go on.
    reached = (steps.touching & lived[..., None]).any(axis=1)
    first = np.where(reached, start[:, None] + steps.first * rules.step, np.inf)
    leaves: dict[str, Any] = {
        "times": start[:, None] + counts * rules.dt,
        "qpos": steps.qpos[rows, index],
        "qvel": steps.qvel[rows, index],
        "touching": until(steps.touching.astype(np.int64)) > 0,
        "impulse": until(steps.impulse),
        "first_touch": first,
        "depth": (steps.depth * lived[..., None]).max(axis=1),
        "status": status.astype(np.int32),
    }
    return Trajectory(**leaves)


def _finite(values: np.ndarray) -> np.ndarray:
    """(b,) whether all numbers of a scene are finite and of a size that MuJoCo goes on with."""
    flat = values.reshape(len(values), -1)
    return np.asarray((np.abs(flat) < HUGE).all(axis=1))
