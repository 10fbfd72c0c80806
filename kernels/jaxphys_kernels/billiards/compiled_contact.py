"""Scalar contact times for the compiled loop: a ball's own next event, and its row of partners.

Rows of the tables `w` and `k` are those of `compiled_table`. Formulas: BilliardPhys-Bench specification, sections
4.1 to 4.5, with the quadratic-minorant search for two moving balls.
"""

from math import inf, sqrt

import numpy as np

from jaxphys_kernels.billiards.compiled_table import (
    BALL,
    BLOCK,
    BOTTOM,
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
    STOP,
    T0,
    TOGETHER,
    UX,
    UY,
    VERSION,
    WALL,
    R,
    S,
    X,
    Y,
    arc_length,
)
from jaxphys_kernels.compiled_runtime import jit, jit_inline

CLOSE = 1e-12
"""Contact is |d|² - reach² <= CLOSE reach²: 3e-14 m for balls of 0.03 m."""

SEARCH = 48
"""Steps of one search; it then hands over a time that is safe to continue from."""


@jit_inline
def disc_arc(dx: float, dy: float, ux: float, uy: float, square: float) -> float:
    """Path along the heading to the circle of squared radius `square` around (dx, dy); inf if it passes by."""
    along = dx * ux + dy * uy
    across = dx * uy - dy * ux
    room = square - across * across
    if room <= 0.0 or along <= 0.0:
        return inf
    arc = along - sqrt(room)
    return arc if arc > 0.0 else 0.0


@jit_inline
def arc_time(arc: float, speed: float, a: float) -> float:
    """Time to travel `arc`; inf if the ball does not get there moving."""
    square = speed * speed - 2.0 * a * arc
    return 2.0 * arc / (speed + sqrt(square)) if square > 0.0 else inf


@jit_inline
def own_event(
    w: np.ndarray, k: np.ndarray, i: int, a: float, size: np.ndarray, pockets: np.ndarray, tie: float, snap: float
) -> None:
    """Set OWN, OWN_KIND and OWN_INDEX: the first wall, stop or pocket of ball i after its last event."""
    x, y, ux, uy, s, r = w[X, i], w[Y, i], w[UX, i], w[UY, i], w[S, i], w[R, i]
    kind, index, after = STOP, -1, inf
    if s > 0.0:
        # Selections, not branches: which way a ball goes is anybody's guess, the processor's too.
        right, up = ux > 0.0, uy > 0.0
        gap_x = (size[0] - r if right else (r if size[0] < inf else -inf)) - x
        gap_y = (size[1] - r if up else (r if size[1] < inf else -inf)) - y
        arc_x = gap_x / ux if abs(ux) * s > snap else inf
        arc_y = gap_y / uy if abs(uy) * s > snap else inf
        arc = arc_x if arc_x < arc_y else arc_y
        arc = arc if arc > 0.0 else 0.0
        at_wall = s * s - 2.0 * a * arc if arc < inf else -1.0
        # A ball that would stop within the tie window of its arrival stops first, and has no impact.
        if at_wall > (a * tie) * (a * tie):
            kind, after = WALL, 2.0 * arc / (s + sqrt(at_wall))
            index = LEFT + int(right) if arc_x < arc_y else BOTTOM - int(up)
        else:
            after = s / a
    for p in range(pockets.shape[0]):
        dx, dy, square = pockets[p, 0] - x, pockets[p, 1] - y, pockets[p, 2] * pockets[p, 2]
        fall = inf
        if dx * dx + dy * dy <= square:
            fall = 0.0
        elif s > 0.0:
            arc = disc_arc(dx, dy, ux, uy, square)
            if arc < inf:
                fall = arc_time(arc, s, a)
        if fall < inf and fall <= after + tie:
            near = after - fall <= tie
            kind, index, after = (TOGETHER if near else POCKET), p, (fall if fall < after else after)
    w[OWN, i] = w[T0, i] + after
    k[OWN_KIND, i] = kind
    k[OWN_INDEX, i] = index


@jit
def meeting(
    dx: float, dy: float, bx: float, by: float, wx: float, wy: float, square: float, span: float, slow: float
) -> tuple[float, bool]:
    """Time, at most `span`, at which |d + b h + w h²|² falls to `square` while approaching faster than `slow`.

    From a point with value f and slope g, the parabola with the smallest second derivative m of the interval stays
    below the function; its root never passes the contact, and its having none proves a miss. Where m > 0 the
    function is convex, and a point with a negative slope that is not past the first root stays on its side; from
    the second step on the parabola of the present curvature is used then, which converges faster. Should it land
    beyond the minimum, or find no root, the search goes back to the last point and to the safe parabola.

    Returns:
        the time (inf if none), and whether it is a contact or only safe to continue from.
    """
    cubic = 12.0 * (bx * wx + by * wy) * span
    m = 2.0 * (bx * bx + by * by + 2.0 * (dx * wx + dy * wy)) + (cubic if cubic < 0.0 else 0.0)
    m -= 1e-12 * abs(m)
    tolerance, floor = CLOSE * square, -2.0 * sqrt(square) * slow
    h, safe, convex, quick = 0.0, 0.0, m > 0.0, False
    for _ in range(SEARCH):
        ex, ey = dx + h * (bx + h * wx), dy + h * (by + h * wy)
        rx, ry = bx + 2.0 * h * wx, by + 2.0 * h * wy
        f = ex * ex + ey * ey - square
        g = 2.0 * (ex * rx + ey * ry)
        if quick and (g >= floor or h > span):
            h, quick, convex = safe, False, False
            continue
        if f <= tolerance:
            if quick and f < -tolerance:
                h -= f / g
                continue
            room = g * g - 2.0 * m * f
            if g < floor:
                h += 2.0 * f / (sqrt(room) - g) if room > 0.0 else 0.0
                return (h if h > 0.0 else 0.0), True
            if m >= 0.0:
                return inf, False
            step = -2.0 * g / m
            h += step if step > 1e-9 else 1e-9
        else:
            bend = 2.0 * (rx * rx + ry * ry) + 4.0 * (ex * wx + ey * wy) if quick else m
            room = g * g - 2.0 * bend * f
            if room < 0.0:
                if not quick:
                    return inf, False
                h, quick, convex = safe, False, False
                continue
            below = sqrt(room) - g
            if below <= 0.0:
                return inf, False
            safe, quick = h, convex
            step = 2.0 * f / below
            h += step
            if step < 1e-15 and g < floor:
                return h, True
        if h > span and not quick:
            return inf, False
    return safe if quick else h, False


@jit
def crowded(w: np.ndarray, lanes: int, i: int, j: int, a: float, t: float, slack: float, tie: float) -> bool:
    """Whether the rim of ball i or ball j is within `slack` of a third ball's at time t, or could be in `tie`."""
    di, dj = t - w[T0, i], t - w[T0, j]
    si, sj = arc_length(w[S, i], a, di), arc_length(w[S, j], a, dj)
    xi, yi, xj, yj = w[X, i] + w[UX, i] * si, w[Y, i] + w[UY, i] * si, w[X, j] + w[UX, j] * sj, w[Y, j] + w[UY, j] * sj
    ri, rj = w[R, i] + slack + w[S, i] * tie, w[R, j] + slack + w[S, j] * tie
    near = 0
    for lane in range(lanes & -BLOCK):
        q = np.uint64(lane)
        dt = t - w[T0, q]
        s = (w[S, q] - 0.5 * a * dt) * dt
        x, y, r = w[X, q] + w[UX, q] * s, w[Y, q] + w[UY, q] * s, w[R, q] + w[S, q] * tie
        at_i = (x - xi) * (x - xi) + (y - yi) * (y - yi) <= (r + ri) * (r + ri)
        at_j = (x - xj) * (x - xj) + (y - yj) * (y - yj) <= (r + rj) * (r + rj)
        near += int((at_i | at_j) & (lane != i) & (lane != j))
    return near > 0


@jit_inline
def least(a: float, b: float) -> float:
    """The smaller of two numbers, in one instruction."""
    return a if a < b else b


@jit_inline
def earliest(w: np.ndarray, lanes: int, tie: float) -> tuple[float, int, int]:
    """The earliest NEXT, how many are within `tie` of it, and the ball, if it is one."""
    t = inf
    for base in range(0, lanes, BLOCK):
        q = np.uint64(base)
        one, two, four = np.uint64(1), np.uint64(2), np.uint64(4)
        left = least(least(w[NEXT, q], w[NEXT, q + one]), least(w[NEXT, q + two], w[NEXT, q + two + one]))
        q += four
        right = least(least(w[NEXT, q], w[NEXT, q + one]), least(w[NEXT, q + two], w[NEXT, q + two + one]))
        t = least(t, least(left, right))
    due, count, ball = t + tie, 0, 0
    for base in range(0, lanes, BLOCK):
        for lane in range(BLOCK):
            soon = int(w[NEXT, np.uint64(base + lane)] <= due)
            count += soon
            ball += soon * (base + lane)
    return t, count, ball


@jit_inline
def look(w: np.ndarray, k: np.ndarray, lanes: int, i: int, a: float, t: float, end: float, snap: float) -> None:
    """Set NEXT, KIND and PARTNER of ball i at time t: its own event, or an earlier meeting with another ball.

    A meeting after the partner's NEXT is left out: the partner's row will be looked at then. So at any time the
    earlier NEXT of two balls is not later than their meeting, which is all the loop needs.
    """
    limit = w[OWN, i]
    k[KIND, i], k[PARTNER, i] = k[OWN_KIND, i], -1
    limit = end if end < limit else limit
    dt = t - w[T0, i]
    speed = w[S, i] - a * dt
    s = arc_length(w[S, i], a, dt)
    ux, uy = w[UX, i], w[UY, i]
    x, y, vx, vy, r = w[X, i] + ux * s, w[Y, i] + uy * s, ux * speed, uy * speed, w[R, i]
    best = w[OWN, i]
    for base in range(0, lanes, BLOCK):
        bits = 0
        for lane in range(BLOCK):
            q = np.uint64(base + lane)
            dt = t - w[T0, q]
            s = (w[S, q] - 0.5 * a * dt) * dt
            sq = w[S, q] - a * dt
            qx, qy = w[UX, q], w[UY, q]
            dx, dy = w[X, q] + qx * s - x, w[Y, q] + qy * s - y
            bx, by = qx * sq - vx, qy * sq - vy
            wx, wy = 0.5 * a * (ux - qx), 0.5 * a * (uy - qy)
            span = (w[NEXT, q] if w[NEXT, q] < limit else limit) - t
            reach = r + w[R, q]
            square = reach * reach
            f = dx * dx + dy * dy - square * (1.0 + CLOSE)
            g = 2.0 * (dx * bx + dy * by)
            cubic = 12.0 * (bx * wx + by * wy) * span
            m = 2.0 * (bx * bx + by * by + 2.0 * (dx * wx + dy * wy)) + (cubic if cubic < 0.0 else 0.0)
            # The parabola f + g h + m h²/2, with a hair taken off for rounding: does it reach zero by `span`?
            ends_below = f + span * (g + 0.5 * m * span) <= 0.0
            dips = (g < 0.0) & (-g < m * span) & (g * g >= 1.999999 * m * f)
            bits += int((ends_below | dips) & (lane != i - base)) << lane
        p = base
        while bits != 0:
            if bits & 1:
                until = w[NEXT, p] if w[NEXT, p] < limit else limit
                sure = k[KIND, p] == BALL and k[PARTNER, p] == i and k[PARTNER_VERSION, p] == k[VERSION, i]
                if not sure:
                    h, contact = meet(w, i, p, a, t, x, y, speed, until - t, snap)
                    if t + h < best and t + h <= limit:
                        best = t + h
                        limit = best
                        k[KIND, i] = BALL if contact else LOOK_AGAIN
                        k[PARTNER, i] = p
                        k[PARTNER_VERSION, i] = k[VERSION, p]
            bits >>= 1
            p += 1
    w[NEXT, i] = best


@jit_inline
def meet(
    w: np.ndarray, i: int, q: int, a: float, t: float, x: float, y: float, speed: float, span: float, snap: float
) -> tuple[float, bool]:
    """`meeting` of ball i, now at (x, y) with `speed`, with ball q; in closed form if one of them is at rest."""
    dt = t - w[T0, q]
    s, other = arc_length(w[S, q], a, dt), w[S, q] - a * dt
    ux, uy, qx, qy = w[UX, i], w[UY, i], w[UX, q], w[UY, q]
    dx, dy, reach = w[X, q] + qx * s - x, w[Y, q] + qy * s - y, w[R, i] + w[R, q]
    if w[S, i] > 0.0 and w[S, q] > 0.0:
        return meeting(
            dx,
            dy,
            qx * other - ux * speed,
            qy * other - uy * speed,
            0.5 * a * (ux - qx),
            0.5 * a * (uy - qy),
            reach * reach,
            span if span > 0.0 else 0.0,
            snap,
        )
    if w[S, q] > 0.0:
        dx, dy, ux, uy, speed = -dx, -dy, qx, qy, other
    elif w[S, i] == 0.0:
        return inf, False
    arc = disc_arc(dx, dy, ux, uy, reach * reach)
    if arc == inf or (arc == 0.0 and speed * (dx * ux + dy * uy) <= snap * reach):
        return inf, False
    return arc_time(arc, speed, a), True
