"""The strongest CPU peer: an event loop in numba, one scene per `prange` iteration.

Written as one would write this design well, and independent of the library but for the rare joint impact: equal
balls, all of them advanced at every event, a matrix of pair times with the rows of the balls involved refreshed
per event, closed forms for walls and for a moving ball against a resting one, the quadratic-minorant search for
two moving balls (culled at the earliest wall or stop of either), resting pairs skipped, scratch memory per
thread, label bits kept in the loop, strict IEEE arithmetic (performance specification, sections 3.3 and 4).
"""

from math import inf, sqrt
from typing import Any

import numba
import numpy as np

from jaxphys_kernels.billiards import compiled_impact as impact

SERIAL_BELOW = 64
TIE, SNAP = 1e-9, 1e-12
TOP, BOTTOM, LEFT, RIGHT = range(4)
X, Y, VX, VY, S, STOP, WALL, ONE = range(8)
"""Rows of a scene's table: position, velocity, speed, times of its stop and next wall, and unit masses."""

ROWS = 8
OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False, "cache": True}
jit = numba.njit(**OPTIONS)


def simulate(
    pos: np.ndarray, vel: np.ndarray, radius: float, a: float, size: tuple[float, float], horizon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Run b scenes of n equal balls to time `horizon`.

    Args:
        pos, vel: (b, n, 2) m, m/s. radius: m. a: deceleration (m/s²). size: table (m). horizon: s.

    Returns:
        pos, vel (b, n, 2); hit_mask (b,), bit i for the balls the cue ball hit; wall_mask (b,), bit w for its
        walls in the order TOP, BOTTOM, LEFT, RIGHT; count (b,) of events.
    """
    b, n = pos.shape[:2]
    out = np.ascontiguousarray(pos, np.float64).copy(), np.ascontiguousarray(vel, np.float64).copy()
    masks, walls, count = np.zeros(b, np.int64), np.zeros(b, np.int64), np.zeros(b, np.int64)
    threads = numba.get_num_threads()
    contacts = n * (n - 1) // 2 + 4 * n
    scratch = (
        np.ones((threads, ROWS, n + 8)),
        np.full((threads, n, n + 8), inf),
        np.zeros((threads, n + 8), np.int64),
        np.empty((threads, impact.FLOATS, contacts)),
        np.empty((threads, impact.INTEGERS, contacts), np.int64),
        np.empty((threads, 2, contacts, contacts)),
    )
    run: Any = _serial if b < SERIAL_BELOW else _parallel
    run(*out, radius, a, float(size[0]), float(size[1]), float(horizon), masks, walls, count, *scratch)
    return *out, masks, walls, count


@jit
def _serial(pos, vel, radius, a, width, height, end, masks, walls, count, w, pair, wall_of, c, b, gram):  # type: ignore[no-untyped-def]
    for s in range(pos.shape[0]):
        masks[s], walls[s], count[s] = _scene(
            pos[s], vel[s], radius, a, width, height, end, w[0], pair[0], wall_of[0], c[0], b[0], gram[0]
        )


@numba.njit(parallel=True, **OPTIONS)
def _parallel(pos, vel, radius, a, width, height, end, masks, walls, count, w, pair, wall_of, c, b, gram):  # type: ignore[no-untyped-def]
    for s in numba.prange(pos.shape[0]):
        q = numba.get_thread_id()
        masks[s], walls[s], count[s] = _scene(
            pos[s], vel[s], radius, a, width, height, end, w[q], pair[q], wall_of[q], c[q], b[q], gram[q]
        )


@jit
def _scene(pos, vel, radius, a, width, height, end, w, pair, wall_of, c, b, gram):  # type: ignore[no-untyped-def]
    """One scene in place; returns the two masks and the number of events."""
    n = pos.shape[0]
    t, hits, walls, count = 0.0, 0, 0, 0
    for i in range(n):
        w[X, i], w[Y, i], w[VX, i], w[VY, i] = pos[i, 0], pos[i, 1], vel[i, 0], vel[i, 1]
        w[S, i] = sqrt(w[VX, i] * w[VX, i] + w[VY, i] * w[VY, i])
        _refresh_own(w, wall_of, i, radius, a, width, height, t)
    for i in range(n):
        for j in range(i + 1, n):
            pair[i, j] = _pair_time(w, i, j, radius, a, t, end)
    while True:
        soonest, kind, i, j = end, -1, -1, -1
        for q in range(n):
            if w[STOP, q] < soonest:
                soonest, kind, i = w[STOP, q], 0, q
            if w[WALL, q] < soonest:
                soonest, kind, i = w[WALL, q], 1, q
            for p in range(q + 1, n):
                if pair[q, p] < soonest:
                    soonest, kind, i, j = pair[q, p], 2, q, p
        _advance(w, n, a, soonest - t)
        t = soonest
        if kind < 0:
            break
        due = 0
        for q in range(n):
            due += (w[STOP, q] <= t + TIE) + (w[WALL, q] <= t + TIE)
            for p in range(q + 1, n):
                due += pair[q, p] <= t + TIE
        if due > 1 or (kind == 1 and _corner(w, i, radius, width, height)):
            hits, walls, count = _together(
                w, pair, wall_of, n, radius, width, height, t, c, b, gram, hits, walls, count
            )
            for q in range(n):
                _refresh_own(w, wall_of, q, radius, a, width, height, t)
            for q in range(n):
                for p in range(q + 1, n):
                    pair[q, p] = _pair_time(w, q, p, radius, a, t, end)
            continue
        count += 1
        if kind == 0:
            w[VX, i] = w[VY, i] = w[S, i] = 0.0
        elif kind == 1:
            wall = wall_of[i]
            _put_on_wall(w, i, wall, radius, width, height)
            if wall >= LEFT:
                w[VX, i] = -w[VX, i]
            else:
                w[VY, i] = -w[VY, i]
            if i == 0:
                walls |= 1 << wall
        else:
            nx, ny = w[X, j] - w[X, i], w[Y, j] - w[Y, i]
            r = sqrt(nx * nx + ny * ny)
            nx, ny = nx / r, ny / r
            q = (w[VX, i] - w[VX, j]) * nx + (w[VY, i] - w[VY, j]) * ny
            w[VX, i] -= q * nx
            w[VY, i] -= q * ny
            w[VX, j] += q * nx
            w[VY, j] += q * ny
            _measure(w, i)
            _measure(w, j)
            if i == 0:
                hits |= 1 << j
            _refresh_own(w, wall_of, j, radius, a, width, height, t)
        _refresh_own(w, wall_of, i, radius, a, width, height, t)
        for p in range(n):
            if p != i:
                pair[min(i, p), max(i, p)] = _pair_time(w, min(i, p), max(i, p), radius, a, t, end)
        if kind == 2:
            for p in range(n):
                if p != i and p != j:
                    pair[min(j, p), max(j, p)] = _pair_time(w, min(j, p), max(j, p), radius, a, t, end)
    for i in range(n):
        pos[i, 0], pos[i, 1], vel[i, 0], vel[i, 1] = w[X, i], w[Y, i], w[VX, i], w[VY, i]
    return hits, walls, count


@jit
def _measure(w, i):  # type: ignore[no-untyped-def]
    s = sqrt(w[VX, i] * w[VX, i] + w[VY, i] * w[VY, i])
    if s < SNAP:
        w[VX, i] = w[VY, i] = s = 0.0
    w[S, i] = s


@jit
def _advance(w, n, a, dt):  # type: ignore[no-untyped-def]
    """Move every ball for a time in which none stops."""
    for i in range(n):
        s = w[S, i]
        if s > 0.0:
            go, left = (s - 0.5 * a * dt) * dt / s, (s - a * dt) / s
            left = left if left > 0.0 else 0.0
            w[X, i] += w[VX, i] * go
            w[Y, i] += w[VY, i] * go
            w[VX, i] *= left
            w[VY, i] *= left
            w[S, i] = s * left


@jit
def _refresh_own(w, wall_of, i, radius, a, width, height, t):  # type: ignore[no-untyped-def]
    """Times of ball i's stop and of its next wall."""
    s, vx, vy = w[S, i], w[VX, i], w[VY, i]
    w[STOP, i] = w[WALL, i] = inf
    if s <= 0.0:
        return
    # Fractions of the path per unit speed: gap / |v_k| is the arc length over the speed.
    gx = gy = inf
    if abs(vx) > SNAP:
        gx = (width - radius - w[X, i]) / vx if vx > 0.0 else (radius - w[X, i]) / vx
    if abs(vy) > SNAP:
        gy = (height - radius - w[Y, i]) / vy if vy > 0.0 else (radius - w[Y, i]) / vy
    if gx < gy:
        arc, wall = gx * s, (RIGHT if vx > 0.0 else LEFT)
    else:
        arc, wall = gy * s, (TOP if vy > 0.0 else BOTTOM)
    arc = arc if arc > 0.0 else 0.0
    left = s * s - 2.0 * a * arc
    if left > 0.0:
        w[WALL, i] = t + 2.0 * arc / (s + sqrt(left))
        wall_of[i] = wall
    else:
        w[STOP, i] = t + s / a


@jit
def _pair_time(w, i, j, radius, a, t, end):  # type: ignore[no-untyped-def]
    """Time of contact of two balls, inf if none before either meets a wall or stops."""
    si, sj = w[S, i], w[S, j]
    if si == 0.0 and sj == 0.0:
        return inf
    dx, dy = w[X, j] - w[X, i], w[Y, j] - w[Y, i]
    square = 4.0 * radius * radius
    if si == 0.0 or sj == 0.0:
        s = si + sj
        vx, vy = w[VX, i] - w[VX, j], w[VY, i] - w[VY, j]
        along = dx * vx + dy * vy
        if along <= 0.0:
            return inf
        across = dx * vy - dy * vx
        room = square * s * s - across * across
        if room <= 0.0:
            return inf
        arc = (along - sqrt(room)) / s
        if arc <= 0.0:
            if along <= SNAP * 2.0 * radius:
                return inf
            arc = 0.0
        left = s * s - 2.0 * a * arc
        return t + 2.0 * arc / (s + sqrt(left)) if left > 0.0 else inf
    limit = min(min(min(w[STOP, i], w[WALL, i]), min(w[STOP, j], w[WALL, j])), end) - t
    bx, by = w[VX, j] - w[VX, i], w[VY, j] - w[VY, i]
    c0, c1 = dx * dx + dy * dy - square, 2.0 * (dx * bx + dy * by)
    tolerance = 1e-12 * square
    ki, kj = 0.5 * a / si, 0.5 * a / sj
    wx, wy = ki * w[VX, i] - kj * w[VX, j], ki * w[VY, i] - kj * w[VY, j]
    c2, c3 = bx * bx + by * by + 2.0 * (dx * wx + dy * wy), 2.0 * (bx * wx + by * wy)
    low = 6.0 * c3 * limit
    m = 2.0 * c2 + (low if low < 0.0 else 0.0)
    m -= 1e-12 * abs(m)
    h, f, g = 0.0, c0, c1
    for _ in range(64):
        if f <= tolerance:
            if g < -2.0 * SNAP * sqrt(square):
                return t + h
            if m >= 0.0:
                return inf
            h += max(-2.0 * g / m, 1e-9)
        else:
            room = g * g - 2.0 * m * f
            if room < 0.0:
                return inf
            below = sqrt(room) - g
            if below <= 0.0:
                return inf
            h += 2.0 * f / below
        if h > limit:
            return inf
        ex, ey = dx + h * (bx + h * wx), dy + h * (by + h * wy)
        f = ex * ex + ey * ey - square
        g = 2.0 * (ex * (bx + 2.0 * h * wx) + ey * (by + 2.0 * h * wy))
    return t + h


@jit
def _put_on_wall(w, i, wall, radius, width, height):  # type: ignore[no-untyped-def]
    if wall == TOP:
        w[Y, i] = height - radius
    elif wall == BOTTOM:
        w[Y, i] = radius
    elif wall == LEFT:
        w[X, i] = radius
    else:
        w[X, i] = width - radius


@jit
def _gap(w, i, wall, radius, width, height):  # type: ignore[no-untyped-def]
    if wall == TOP:
        return height - radius - w[Y, i]
    if wall == BOTTOM:
        return w[Y, i] - radius
    return w[X, i] - radius if wall == LEFT else width - radius - w[X, i]


@jit
def _corner(w, i, radius, width, height):  # type: ignore[no-untyped-def]
    """Whether ball i, at a wall, touches another wall, or could within the tie window."""
    near = 0
    for wall in range(4):
        near += _gap(w, i, wall, radius, width, height) <= TIE * (1.0 + w[S, i])
    return near > 1


@jit
def _together(w, pair, wall_of, n, radius, width, height, t, c, b, gram, hits, walls, count):  # type: ignore[no-untyped-def]
    """Resolve a group of simultaneous events by the joint impact rule."""
    for i in range(n):
        if w[STOP, i] <= t + TIE:
            w[VX, i] = w[VY, i] = w[S, i] = 0.0
            count += 1
        if w[WALL, i] <= t + TIE:
            _put_on_wall(w, i, wall_of[i], radius, width, height)
    contacts = 0
    for i in range(n):
        for wall in range(4):
            if _gap(w, i, wall, radius, width, height) <= TIE * (1.0 + w[S, i]):
                b[impact.FIRST, contacts], b[impact.SECOND, contacts] = i, -1 - wall
                c[impact.NX, contacts] = (wall == RIGHT) - (wall == LEFT)
                c[impact.NY, contacts] = (wall == TOP) - (wall == BOTTOM)
                contacts += 1
        for j in range(i + 1, n):
            dx, dy = w[X, j] - w[X, i], w[Y, j] - w[Y, i]
            r = sqrt(dx * dx + dy * dy)
            if pair[i, j] <= t + TIE or r - 2.0 * radius <= 1e-9:
                b[impact.FIRST, contacts], b[impact.SECOND, contacts] = i, j
                c[impact.NX, contacts], c[impact.NY, contacts] = dx / r, dy / r
                contacts += 1
    impact.resolve(c, b, gram, contacts, w[VX], w[VY], w[ONE], SNAP)
    for q in range(contacts):
        if c[impact.IMPULSE, q] > 0.0:
            i, j = b[impact.FIRST, q], b[impact.SECOND, q]
            count += 1
            if i == 0 and j < 0:
                walls |= 1 << (-1 - j)
            elif i == 0:
                hits |= 1 << j
    for i in range(n):
        _measure(w, i)
    return hits, walls, count
