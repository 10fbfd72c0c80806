"""The event loop of one scene in scalar compiled code, lean where nothing is simultaneous.

Every ball keeps the time of its earliest candidate; the loop takes the earliest of all. After an event only the
balls that took part are looked at again. A candidate whose partner has changed since is noticed when its time
comes, and the ball is looked at then. A single contact follows the ordinary law; whatever else is due within
the tie window, or touches a ball that takes part, sends the whole scene to `compiled_group`.
"""

from math import inf, isfinite, sqrt

import numpy as np

from jaxphys_kernels.billiards.compiled_contact import crowded, earliest, look, own_event
from jaxphys_kernels.billiards.compiled_group import OVERLAP, SOLVER, resolve_together
from jaxphys_kernels.billiards.compiled_runtime import jit, jit_inline
from jaxphys_kernels.billiards.compiled_table import (
    ALIVE,
    BALL,
    BLOCK,
    KIND,
    LEFT,
    LOOK_AGAIN,
    NEXT,
    OWN,
    OWN_INDEX,
    OWN_KIND,
    PARTNER,
    PARTNER_VERSION,
    POCKET,
    PX,
    PY,
    RIGHT,
    STOP,
    STRUCK,
    T0,
    TOGETHER,
    TOP,
    TOUCH,
    UX,
    UY,
    VERSION,
    VX,
    VY,
    WALL,
    Log,
    M,
    R,
    Rule,
    S,
    X,
    Y,
    arc_length,
    record,
    record_wall,
    remove,
    settle,
)
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
        if kind == TOGETHER or due > 1 or _company(w, k, lanes, i, j, kind, a, size, t, rule.tie):
            kind = TOGETHER
            count, status = resolve_together(
                w, k, c, b, gram, n, a, size, pockets, t, rule, log, scene, count, first_hit, first_wall
            )
            if status != 0:
                return t, count, status
        elif kind == BALL:
            count = _strike(w, k, i, j, a, t, rule, log, scene, count, first_hit)
        else:
            count = _alone(w, k, i, kind, a, size, pockets, t, rule, log, scene, count, first_wall)
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


@jit_inline
def _company(
    w: np.ndarray,
    k: np.ndarray,
    lanes: int,
    i: int,
    j: int,
    kind: int,
    a: float,
    size: np.ndarray,
    t: float,
    tie: float,
) -> bool:
    """Whether something else touches a ball that takes part in the event of ball i at time t, or could by t + tie."""
    if crowded(w, lanes, i, j if kind == BALL else i, a, t, TOUCH, tie):
        return True
    for turn in range(2 if kind == BALL else 1):
        q = i if turn == 0 else j
        s = arc_length(w[S, q], a, t - w[T0, q])
        slack = w[R, q] + TOUCH + w[S, q] * tie
        for axis in range(2):
            x, length = w[X + axis, q] + w[UX + axis, q] * s, size[axis]
            met = kind == WALL and axis == int(k[OWN_INDEX, q] < LEFT)
            if length < inf and not met and (x <= slack or length - x <= slack):
                return True
    return kind == BALL and (w[OWN, i] <= t + tie or w[OWN, j] <= t + tie)


@jit_inline
def _strike(
    w: np.ndarray,
    k: np.ndarray,
    i: int,
    j: int,
    a: float,
    t: float,
    rule: Rule,
    log: Log,
    scene: int,
    count: int,
    first_hit: np.ndarray,
) -> int:
    """Impact of balls i and j alone at time t; returns the event count."""
    i, j = (i, j) if i < j else (j, i)
    di, dj = t - w[T0, i], t - w[T0, j]
    si, sj = arc_length(w[S, i], a, di), arc_length(w[S, j], a, dj)
    xi, yi = w[X, i] + w[UX, i] * si, w[Y, i] + w[UY, i] * si
    xj, yj = w[X, j] + w[UX, j] * sj, w[Y, j] + w[UY, j] * sj
    vi, vj = w[S, i] - a * di, w[S, j] - a * dj
    vi, vj = (vi if vi > 0.0 else 0.0), (vj if vj > 0.0 else 0.0)
    vxi, vyi, vxj, vyj = w[UX, i] * vi, w[UY, i] * vi, w[UX, j] * vj, w[UY, j] * vj
    nx, ny = xj - xi, yj - yi
    distance = sqrt(nx * nx + ny * ny)
    nx, ny = nx / distance, ny / distance
    approach = (vxi - vxj) * nx + (vyi - vyj) * ny
    if approach > rule.snap:
        ki, kj = 1.0 / w[M, i], 1.0 / w[M, j]
        impulse = 2.0 * approach / (ki + kj)
        vxi, vyi = vxi - impulse * ki * nx, vyi - impulse * ki * ny
        vxj, vyj = vxj + impulse * kj * nx, vyj + impulse * kj * ny
        settle(w, k, i, xi, yi, vxi, vyi, t, rule.snap)
        settle(w, k, j, xj, yj, vxj, vyj, t, rule.snap)
        if log.on:
            record(
                log,
                scene,
                count,
                t,
                BALL,
                i,
                j,
                xi,
                yi,
                xj,
                yj,
                w[S, i] * w[UX, i],
                w[S, i] * w[UY, i],
                w[S, j] * w[UX, j],
                w[S, j] * w[UY, j],
                impulse,
                0,
            )
        if i == 0 and t < first_hit[j]:
            first_hit[j] = t
        return count + 1
    settle(w, k, i, xi, yi, vxi, vyi, t, 0.0)
    settle(w, k, j, xj, yj, vxj, vyj, t, 0.0)
    return count


@jit_inline
def _alone(
    w: np.ndarray,
    k: np.ndarray,
    i: int,
    kind: int,
    a: float,
    size: np.ndarray,
    pockets: np.ndarray,
    t: float,
    rule: Rule,
    log: Log,
    scene: int,
    count: int,
    first_wall: np.ndarray,
) -> int:
    """Wall, stop or pocket of ball i alone at time t; returns the event count."""
    s = arc_length(w[S, i], a, t - w[T0, i])
    x, y = w[X, i] + w[UX, i] * s, w[Y, i] + w[UY, i] * s
    if kind == STOP:
        settle(w, k, i, x, y, 0.0, 0.0, t, 0.0)
        if log.on:
            record(log, scene, count, t, STOP, i, -1, x, y, x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
        return count + 1
    index = k[OWN_INDEX, i]
    if kind == POCKET:
        speed = w[S, i] - a * (t - w[T0, i])
        vx, vy = w[UX, i] * speed, w[UY, i] * speed
        remove(w, k, i, x, y, t)
        if log.on:
            record(
                log,
                scene,
                count,
                t,
                POCKET,
                i,
                index,
                x,
                y,
                pockets[index, 0],
                pockets[index, 1],
                0.0,
                0.0,
                vx,
                vy,
                0.0,
                0,
            )
        return count + 1
    speed = w[S, i] - a * (t - w[T0, i])
    axis = int(index < LEFT)
    w[X, i] = x
    w[Y, i] = y
    w[X + axis, i] = size[axis] - w[R, i] if index in (TOP, RIGHT) else w[R, i]
    w[S, i] = speed
    w[T0, i] = t
    k[VERSION, i] += 1
    approach = abs(w[UX + axis, i]) * speed
    if approach <= rule.snap:
        return count
    w[UX + axis, i] = -w[UX + axis, i]
    if log.on:
        x, y, vx, vy = w[X, i], w[Y, i], speed * w[UX, i], speed * w[UY, i]
        record_wall(w, log, scene, count, t, i, index, x, y, vx, vy, 2.0 * w[M, i] * approach, 0)
    if i == 0 and t < first_wall[index]:
        first_wall[index] = t
    return count + 1
