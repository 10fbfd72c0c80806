"""What disturbs robots while they run: kicks, with which policies are trained, and shoves, by which they are judged.

A kick is a jump of the base's velocity, a shove a force on the torso for some ticks (humanoid specification, section
11.2). Both are drawn for a whole run and applied tick by tick in the pool of the C back end.
"""

from typing import NamedTuple

import numpy as np

from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.scenarios import Array

KICK = 0.3
"""Standard deviation (m/s) per axis of a kick, a jump of the base's velocity."""


class Pushes(NamedTuple):
    """What disturbs b robots, tick by tick."""

    velocity: Array
    """(ticks, b, 2) jump of the base's velocity before the tick (m/s, world)."""
    force: Array
    """(ticks, b, 3) force on the torso during the tick (N, world)."""


def no_pushes(ticks: int, count: int) -> Pushes:
    """Nothing disturbs the robots."""
    return Pushes(np.zeros((ticks, count, 2)), np.zeros((ticks, count, 3)))


def kicks(rng: np.random.Generator, ticks: int, count: int) -> Pushes:
    """Two kicks per robot at random ticks; policies are trained with these."""
    pushes = no_pushes(ticks, count)
    robots = np.arange(count)
    for _ in range(2):
        pushes.velocity[rng.integers(0, ticks, count), robots] += rng.normal(0, KICK, (count, 2))
    return pushes


def shoves(rng: np.random.Generator, ticks: int, count: int, settled: int) -> Pushes:
    """One horizontal force of 40 to 120 N on the torso for 0.1 to 0.4 s, from any side; never used in training.

    Args:
        rng: random numbers.
        ticks: control ticks of the run.
        count: robots.
        settled: ticks before the plan starts; no shove begins before that.
    """
    pushes = no_pushes(ticks, count)
    size, side = rng.uniform(40, 120, count), rng.uniform(-np.pi, np.pi, count)
    begin = rng.integers(settled, max(settled + 1, ticks - 48), count)
    length = rng.integers(5, 20, count)
    during = (np.arange(ticks)[:, None] >= begin) & (np.arange(ticks)[:, None] < begin + length)
    force = np.stack([size * np.cos(side), size * np.sin(side), np.zeros(count)], -1)
    pushes.force[:] = during[..., None] * force
    return pushes


def push(pushes: Pushes, tick: int, pool: Pool) -> None:
    """Apply the pushes of a tick; to be called before every tick, since a force stays until it is set anew.

    Args:
        pushes: of the run.
        tick: about to begin.
        pool: the robots.
    """
    for i in np.flatnonzero(pushes.velocity[tick].any(-1)):
        pool.data[i].qvel[:2] += pushes.velocity[tick, i]
    before = pushes.force[tick - 1] if tick else np.zeros_like(pushes.force[0])
    for i in np.flatnonzero((pushes.force[tick] != before).any(-1)):
        pool.data[i].xfrc_applied[pool.robot.torso, :3] = pushes.force[tick, i]
