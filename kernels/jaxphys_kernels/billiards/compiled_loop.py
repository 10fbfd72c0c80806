"""The event loop of one scene in scalar compiled code, lean where nothing is simultaneous.

Every ball keeps the time of its earliest candidate; the loop takes the earliest of all. After an event only the
balls that took part are looked at again. A candidate whose partner has changed since is noticed when its time
comes, and the ball is looked at then. A single contact follows the ordinary law; whatever else is due within
the tie window, or touches a ball that takes part, sends the whole scene to `compiled_group`.
"""

from math import inf, isfinite

import numpy as np

from jaxphys_kernels.billiards.compiled_contact import earliest, look, own_event
from jaxphys_kernels.billiards.compiled_group import OVERLAP, SOLVER, resolve_together
from jaxphys_kernels.billiards.compiled_single import alone, company, strike
from jaxphys_kernels.billiards.compiled_table import (
    ALIVE,
    BALL,
    BLOCK,
    KIND,
    LOOK_AGAIN,
    NEXT,
    OWN,
    OWN_KIND,
    PARTNER,
    PARTNER_VERSION,
    PX,
    PY,
    STRUCK,
    T0,
    TOGETHER,
    TOUCH,
    UX,
    UY,
    VERSION,
    VX,
    VY,
    Log,
    M,
    R,
    Rule,
    S,
    X,
    Y,
    arc_length,
)
from jaxphys_kernels.compiled_runtime import jit, jit_inline
from jaxphys_kernels.status import Status

EVENT_CAP, NONFINITE = int(Status.EVENT_CAP), int(Status.NONFINITE)

LOADED = 8
"""Bit of the row STRUCK for a ball of a scene that has just been loaded; the others are those of a group."""

PASSES_PER_EVENT = 64
"""Looks per event of the capacity after which a scene counts as stuck."""


@jit
def run_scene(
    w: np.ndarray,
    k: np.ndarray,
    c: np.ndarray,
    b: np.ndarray,
    gram: np.ndarray,
    n: int,
    a: float,
    size: np.ndarray,
    pockets: np.ndarray,
    start: float,
    end: float,
    rule: Rule,
    log: Log,
    scene: int,
    first_hit: np.ndarray,
    first_wall: np.ndarray,
) -> tuple[float, int, int]:
    """Run a loaded scene from `start` to `end`: the time reached, the number of events and the status.

    Leaves positions and velocities at that time in the rows PX, PY, VX, VY. A problem ends the scene early.
    """
    lanes = w.shape[1]
    status = _check(w, k, n, a, size, start, end)
    t, count = start, 0
    if status == 0:
        t, count, status = _loop(
            w, k, c, b, gram, n, lanes, a, size, pockets, start, end, rule, log, scene, first_hit, first_wall
        )
    finite = True
    for i in range(n):
        if k[ALIVE, i] != 0:
            dt = t - w[T0, i]
            s, speed = arc_length(w[S, i], a, dt), w[S, i] - a * dt
            speed = speed if speed > 0.0 else 0.0
            w[PX, i] = w[X, i] + w[UX, i] * s
            w[PY, i] = w[Y, i] + w[UY, i] * s
            w[VX, i] = w[UX, i] * speed
            w[VY, i] = w[UY, i] * speed
            finite &= isfinite(w[PX, i] + w[PY, i]) and isfinite(w[VX, i] + w[VY, i])
        else:
            w[VX, i] = 0.0
            w[VY, i] = 0.0
    return t, count, status if finite else status | NONFINITE


@jit
def _check(w: np.ndarray, k: np.ndarray, n: int, a: float, size: np.ndarray, start: float, end: float) -> int:
    """Status bits of a scene as it stands."""
    sane = isfinite(a + start + end) and size[0] > 0.0 and size[1] > 0.0
    outside = False
    for i in range(n):
        sane &= isfinite(w[X, i] + w[Y, i] + w[S, i] + w[R, i] + w[M, i])
        if k[ALIVE, i] == 0:
            continue
        for side in range(2):
            x, r = w[X + side, i], w[R, i]
            outside |= size[side] < inf and (x - r < -TOUCH or size[side] - r - x < -TOUCH)
    if not sane:
        return NONFINITE
    overlaps = 0
    for i in range(n):
        x, y, r = w[X, i], w[Y, i], w[R, i] - TOUCH
        for lane in range(w.shape[1] & -BLOCK):
            q = np.uint64(lane)
            ex, ey, reach = w[X, q] - x, w[Y, q] - y, w[R, q] + r
            # Captured balls and padded lanes lie in one far place, without a radius.
            overlaps += int((ex * ex + ey * ey < reach * reach) & (reach > 0.0) & (lane > i))
    return OVERLAP if outside or overlaps > 0 else 0


@jit_inline
def _loop(
    w: np.ndarray,
    k: np.ndarray,
    c: np.ndarray,
    b: np.ndarray,
    gram: np.ndarray,
    n: int,
    lanes: int,
    a: float,
    size: np.ndarray,
    pockets: np.ndarray,
    start: float,
    end: float,
    rule: Rule,
    log: Log,
    scene: int,
    first_hit: np.ndarray,
    first_wall: np.ndarray,
) -> tuple[float, int, int]:
    """The event loop proper; returns as `run_scene`."""
    for i in range(n):
        k[STRUCK, i] = LOADED
    count, t, kind, i, j = 0, start, TOGETHER, 0, 0
    for _ in range(PASSES_PER_EVENT * (rule.max_events + n)):
        _renew(w, k, n, lanes, i, j, kind, a, size, pockets, t, end, rule)
        t, due, i = earliest(w, lanes, rule.tie)
        if not t <= end:
            return end, count, 0
        if due > 1:
            i = 0
            while w[NEXT, i] > t:
                i += 1
        kind, j = k[KIND, i], k[PARTNER, i]
        if kind == BALL and k[VERSION, j] != k[PARTNER_VERSION, i]:
            kind = LOOK_AGAIN
        if kind == LOOK_AGAIN:
            continue
        if kind == TOGETHER or due > 1 or company(w, k, lanes, i, j, kind, a, size, t, rule.tie):
            kind = TOGETHER
            count, status = resolve_together(
                w, k, c, b, gram, n, a, size, pockets, t, rule, log, scene, count, first_hit, first_wall
            )
            if status != 0:
                return t, count, status
        elif kind == BALL:
            count = strike(w, k, i, j, a, t, rule, log, scene, count, first_hit)
        else:
            count = alone(w, k, i, kind, a, size, pockets, t, rule, log, scene, count, first_wall)
        if count > rule.max_events:
            return t, count, EVENT_CAP
    return t, count, SOLVER


@jit_inline
def _renew(
    w: np.ndarray,
    k: np.ndarray,
    n: int,
    lanes: int,
    i: int,
    j: int,
    kind: int,
    a: float,
    size: np.ndarray,
    pockets: np.ndarray,
    t: float,
    end: float,
    rule: Rule,
) -> None:
    """Find the next candidates after an event of `kind` of ball i (with ball j), or after none (`LOOK_AGAIN`).

    A ball that has come to rest is looked at as well: the moving ones looked only as far as its stop.
    """
    turns = n if kind == TOGETHER else (2 if kind == BALL else 1)
    if kind != LOOK_AGAIN:
        for turn in range(turns):
            q = turn if kind == TOGETHER else (j if turn == 1 else i)
            if kind != TOGETHER or k[STRUCK, q] != 0:
                own_event(w, k, q, a, size, pockets, rule.tie, rule.snap)
            w[NEXT, q] = w[OWN, q]
            k[KIND, q], k[PARTNER, q] = k[OWN_KIND, q], -1
    for turn in range(turns):
        q = turn if kind == TOGETHER else (j if turn == 1 else i)
        if kind != TOGETHER or w[S, q] > 0.0 or k[STRUCK, q] & ~LOADED:
            look(w, k, lanes, q, a, t, end, rule.snap)
