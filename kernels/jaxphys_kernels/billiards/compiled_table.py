"""The tables of the compiled loop: what a scene looks like in memory, and how an event is written down.

A scene is a table `w` of float64 rows and a table `k` of int64 rows by lane: one lane per ball, padded to a
multiple of `BLOCK`. A ball is described by its state at its own last event (position X, Y, heading UX, UY, speed S,
time T0) and moves in closed form from there, so that nothing is touched when other balls meet.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from jaxphys_kernels.compiled_runtime import jit, jit_inline

X, Y, UX, UY, S, T0, R, M, NEXT, OWN, PX, PY, VX, VY = range(14)
"""Rows of `w`: state at the last event; radius and mass; time of the ball's earliest candidate and of the earliest
that involves no other ball; position and velocity at a group of simultaneous events, or at the end."""

FLOATS = 14
KIND, PARTNER, PARTNER_VERSION, VERSION, OWN_KIND, OWN_INDEX, ALIVE, STRUCK = range(8)
"""Rows of `k`: what the candidate at NEXT is, with whom, and which state of the partner it was computed for; how
often the ball's state changed; what the event at OWN is, with which wall or pocket; on the table; changed by the
present group."""

INTEGERS = 8
STOP, POCKET, WALL, BALL, LOOK_AGAIN, TOGETHER = range(6)
"""Kinds of candidate: those of `model.Kind`, a search to be continued, and several events of one ball at once."""

TOP, BOTTOM, LEFT, RIGHT = range(4)
"""Indices into `model.WALLS`."""

BLOCK = 8
"""Lanes tested by one pass of vector code; a compile-time constant, so that the pass has no remainder."""

FAR = 1e18
"""Where captured balls and padded lanes are put: too far to meet anything, and its square is finite."""

TOUCH = 1e-9
"""Gap (m) below which bodies touch, and depth beyond which they overlap."""


class Log(NamedTuple):
    """The event lists of a batch, as in `model.Events` without the count; `on` is false when nothing is kept."""

    on: bool
    time: np.ndarray
    kind: np.ndarray
    bodies: np.ndarray
    pos: np.ndarray
    vel: np.ndarray
    impulse: np.ndarray
    rounds: np.ndarray


class Rule(NamedTuple):
    """`model.Rules`, as the compiled code takes them."""

    max_events: int
    tie: float
    snap: float


@jit_inline
def arc_length(speed: float, a: float, dt: float) -> float:
    """Path travelled in `dt`, at most up to the stop."""
    if a * dt >= speed:
        return 0.5 * speed * speed / a if speed > 0.0 else 0.0
    return (speed - 0.5 * a * dt) * dt


@jit_inline
def settle(
    w: np.ndarray, k: np.ndarray, i: int, x: float, y: float, vx: float, vy: float, t: float, snap: float
) -> None:
    """Give ball i a new state at time t; a ball slower than `snap` is put to rest."""
    square = vx * vx + vy * vy
    w[X, i] = x
    w[Y, i] = y
    w[T0, i] = t
    if square < snap * snap or square == 0.0:
        w[S, i] = 0.0
        w[UX, i] = 0.0
        w[UY, i] = 0.0
    else:  # also NaN, which must stay visible
        s = sqrt(square)
        w[S, i] = s
        w[UX, i] = vx / s
        w[UY, i] = vy / s
    k[VERSION, i] += 1


@jit
def remove(w: np.ndarray, k: np.ndarray, i: int, x: float, y: float, t: float) -> None:
    """Take ball i off the table, captured at (x, y)."""
    settle(w, k, i, FAR, FAR, 0.0, 0.0, t, 0.0)
    k[ALIVE, i] = 0
    w[PX, i] = x
    w[PY, i] = y


@jit
def plane(w: np.ndarray, i: int, wall: int, size: np.ndarray) -> float:
    """Coordinate of ball i's centre when it touches a wall."""
    if wall == TOP:
        return float(size[1] - w[R, i])
    if wall == RIGHT:
        return float(size[0] - w[R, i])
    return float(w[R, i])


@jit
def record(
    log: Log,
    scene: int,
    slot: int,
    t: float,
    kind: int,
    i: int,
    j: int,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    vx0: float,
    vy0: float,
    vx1: float,
    vy1: float,
    impulse: float,
    turn: int,
) -> None:
    """Write one event, unless no log is kept or its list is full."""
    if not log.on or slot >= log.time.shape[1]:
        return
    log.time[scene, slot] = t
    log.kind[scene, slot] = kind
    log.bodies[scene, slot, 0] = i
    log.bodies[scene, slot, 1] = j
    log.pos[scene, slot, 0, 0] = x0
    log.pos[scene, slot, 0, 1] = y0
    log.pos[scene, slot, 1, 0] = x1
    log.pos[scene, slot, 1, 1] = y1
    log.vel[scene, slot, 0, 0] = vx0
    log.vel[scene, slot, 0, 1] = vy0
    log.vel[scene, slot, 1, 0] = vx1
    log.vel[scene, slot, 1, 1] = vy1
    log.impulse[scene, slot] = impulse
    log.rounds[scene, slot] = turn


@jit
def record_wall(
    w: np.ndarray,
    log: Log,
    scene: int,
    slot: int,
    t: float,
    i: int,
    wall: int,
    x: float,
    y: float,
    vx: float,
    vy: float,
    impulse: float,
    turn: int,
) -> None:
    """Write a wall event; the second place is the contact point."""
    rx, ry, r = x, y, w[R, i]
    if wall == TOP:
        ry += r
    elif wall == BOTTOM:
        ry -= r
    elif wall == LEFT:
        rx -= r
    else:
        rx += r
    record(log, scene, slot, t, WALL, i, wall, x, y, rx, ry, vx, vy, 0.0, 0.0, impulse, turn)
