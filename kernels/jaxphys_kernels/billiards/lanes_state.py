"""What the lanes hold between passes. The last axis of every array is the lanes."""

from typing import NamedTuple

import jax

from jaxphys_kernels.billiards import lanes_math as lm
from jaxphys_kernels.billiards.lanes_math import Balls, Table


class Lanes(NamedTuple):
    """What changes in the lanes; l lanes, n balls. Few arrays, because a loop copies each of them.

    Attributes:
        motion: (5, n, l) x, y, heading x, heading y, speed of the balls.
        alive: (n, l) bool.
        clock: (2n + 6, l) s: time now; start of the present group of simultaneous events; n times: start of the group
            in which a ball last had an impact, -inf if none; n + 4 times: the cue ball's first impact with each ball
            and each of `WALLS`, inf if none.
        counters: (3, l) int32: events, passes since the last event, status bits.
    """

    motion: jax.Array
    alive: jax.Array
    clock: jax.Array
    counters: jax.Array

    @property
    def balls(self) -> Balls:
        """The balls, as views."""
        return lm.balls_of(self.motion, self.alive)

    @property
    def time(self) -> jax.Array:
        """(l,) s."""
        return self.clock[0]

    @property
    def first(self) -> jax.Array:
        """(n + 4, l) times of the cue ball's first impacts."""
        return self.clock[2 + self.alive.shape[0] :]

    @property
    def events(self) -> jax.Array:
        """(l,) events so far."""
        return self.counters[0]

    @property
    def status(self) -> jax.Array:
        """(l,) status bits."""
        return self.counters[2]


def running(lanes: Lanes, table: Table) -> jax.Array:
    """(l,) bool: the lane has not reached its end and has no status bit."""
    return (lanes.time < table.horizon) & (lanes.status == 0)
