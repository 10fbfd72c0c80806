"""Simultaneous events of one scene: stops first, then captures, then all impacts together.

Called when something else is due within the tie window, or touches a ball that takes part. It is rare, so it
looks at every ball, wall and pair (BilliardPhys-Bench specification, sections 4.5 to 4.7).
"""

from math import sqrt

import numpy as np

from jaxphys_kernels.billiards import compiled_impact as impact
from jaxphys_kernels.billiards.compiled_contact import arc_time, disc_arc
from jaxphys_kernels.billiards.compiled_table import (
    ALIVE,
    BALL,
    BOTTOM,
    LEFT,
    OWN_INDEX,
    POCKET,
    PX,
    PY,
    RIGHT,
    STOP,
    STRUCK,
    T0,
    TOP,
    TOUCH,
    UX,
    UY,
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
    plane,
    record,
    record_wall,
    remove,
    settle,
)
from jaxphys_kernels.compiled_runtime import jit
from jaxphys_kernels.status import Status

STOPPED, CAPTURED, HIT = 1, 2, 4
"""Bits of the row STRUCK: what happens to a ball."""

OVERLAP, SOLVER = int(Status.OVERLAP), int(Status.SOLVER)


@jit
def resolve_together(
    w: np.ndarray,
    k: np.ndarray,
    c: np.ndarray,
    b: np.ndarray,
    gram: np.ndarray,
    n: int,
    a: float,
    size: np.ndarray,
    pockets: np.ndarray,
    t: float,
    rule: Rule,
    log: Log,
    scene: int,
    count: int,
    first_hit: np.ndarray,
    first_wall: np.ndarray,
) -> tuple[int, int]:
    """Resolve everything due at time t; the caller renews the candidates. Returns the event count and status bits."""
    _advance(w, k, n, a, pockets, t, rule.tie)
    contacts, status = _contacts(w, k, c, b, n, size, rule.tie)
    for i in range(n):
        if k[STRUCK, i] & STOPPED:
            w[VX, i] = 0.0
            w[VY, i] = 0.0
    if contacts > c.shape[1] or impact.resolve(c, b, gram, contacts, w[VX], w[VY], w[M], rule.snap):
        return count, status | SOLVER
    for q in range(contacts):
        if c[impact.IMPULSE, q] > 0.0:
            i, j = b[impact.FIRST, q], b[impact.SECOND, q]
            k[STRUCK, i] |= HIT
            if j >= 0:
                k[STRUCK, j] |= HIT
    for i in range(n):
        if k[STRUCK, i] & HIT and w[VX, i] * w[VX, i] + w[VY, i] * w[VY, i] < rule.snap * rule.snap:
            w[VX, i] = 0.0
            w[VY, i] = 0.0
    count = _write(w, k, c, b, n, contacts, pockets, t, log, scene, count, first_hit, first_wall)
    for i in range(n):
        if k[STRUCK, i] & CAPTURED:
            remove(w, k, i, w[PX, i], w[PY, i], t)
        elif k[STRUCK, i] != 0:
            settle(w, k, i, w[PX, i], w[PY, i], w[VX, i], w[VY, i], t, 0.0)
    return count, status


@jit
def _advance(w: np.ndarray, k: np.ndarray, n: int, a: float, pockets: np.ndarray, t: float, tie: float) -> None:
    """Set positions and velocities at time t, and STRUCK for the balls that stop or are captured."""
    for i in range(n):
        k[STRUCK, i] = 0
        if k[ALIVE, i] == 0:
            continue
        dt = t - w[T0, i]
        s, speed = arc_length(w[S, i], a, dt), w[S, i] - a * dt
        speed = speed if speed > 0.0 else 0.0
        w[PX, i] = w[X, i] + w[UX, i] * s
        w[PY, i] = w[Y, i] + w[UY, i] * s
        w[VX, i] = w[UX, i] * speed
        w[VY, i] = w[UY, i] * speed
        if w[S, i] > 0.0 and speed <= a * tie:
            k[STRUCK, i] |= STOPPED
        pocket = _pocket_of(w, i, speed, a, pockets, tie)
        if pocket >= 0:
            k[STRUCK, i] |= CAPTURED
            k[OWN_INDEX, i] = pocket
            k[ALIVE, i] = 0


@jit
def _pocket_of(w: np.ndarray, i: int, speed: float, a: float, pockets: np.ndarray, tie: float) -> int:
    """Index of the pocket that captures ball i within the tie window, -1 if none."""
    for p in range(pockets.shape[0]):
        dx, dy, square = pockets[p, 0] - w[PX, i], pockets[p, 1] - w[PY, i], pockets[p, 2] * pockets[p, 2]
        if dx * dx + dy * dy <= square:
            return p
        if speed > 0.0 and arc_time(disc_arc(dx, dy, w[UX, i], w[UY, i], square), speed, a) <= tie:
            return p
    return -1


@jit
def _contacts(
    w: np.ndarray, k: np.ndarray, c: np.ndarray, b: np.ndarray, n: int, size: np.ndarray, tie: float
) -> tuple[int, int]:
    """List every contact that is due or touching, walls by ball first, then pairs; also the status bits."""
    count, status = 0, 0
    for i in range(n):
        if k[ALIVE, i] == 0:
            continue
        for wall in range(4):
            nx = 1.0 if wall == RIGHT else (-1.0 if wall == LEFT else 0.0)
            ny = 1.0 if wall == TOP else (-1.0 if wall == BOTTOM else 0.0)
            at = plane(w, i, wall, size)
            gap = (at - w[PX, i]) * nx if nx != 0.0 else (at - w[PY, i]) * ny
            if (wall == LEFT and size[0] == np.inf) or (wall == BOTTOM and size[1] == np.inf):
                continue
            toward = w[VX, i] * nx + w[VY, i] * ny
            due = toward > 0.0 and gap <= toward * tie
            if gap < -TOUCH:
                status |= OVERLAP
            if due or gap <= TOUCH:
                if due:
                    w[PX, i] = at if nx != 0.0 else w[PX, i]
                    w[PY, i] = at if ny != 0.0 else w[PY, i]
                count = _add(c, b, count, i, -1 - wall, nx, ny)
    for i in range(n):
        for j in range(i + 1, n):
            if k[ALIVE, i] == 0 or k[ALIVE, j] == 0:
                continue
            dx, dy = w[PX, j] - w[PX, i], w[PY, j] - w[PY, i]
            distance = sqrt(dx * dx + dy * dy)
            gap = distance - w[R, i] - w[R, j]
            closing = (w[VX, i] - w[VX, j]) * dx + (w[VY, i] - w[VY, j]) * dy
            if gap < -TOUCH:
                status |= OVERLAP
            if distance > 0.0 and (gap <= TOUCH or gap * distance <= closing * tie):
                count = _add(c, b, count, i, j, dx / distance, dy / distance)
    return count, status


@jit
def _add(c: np.ndarray, b: np.ndarray, count: int, i: int, j: int, nx: float, ny: float) -> int:
    """Append a contact if there is room; the count goes on, so that the caller notices."""
    if count < c.shape[1]:
        b[impact.FIRST, count] = i
        b[impact.SECOND, count] = j
        c[impact.NX, count] = nx
        c[impact.NY, count] = ny
    return count + 1


@jit
def _write(
    w: np.ndarray,
    k: np.ndarray,
    c: np.ndarray,
    b: np.ndarray,
    n: int,
    contacts: int,
    pockets: np.ndarray,
    t: float,
    log: Log,
    scene: int,
    count: int,
    first_hit: np.ndarray,
    first_wall: np.ndarray,
) -> int:
    """Log the group in its listing order and note the cue ball's first contacts; returns the event count."""
    for i in range(n):
        if k[STRUCK, i] & STOPPED:
            x, y = w[PX, i], w[PY, i]
            record(log, scene, count, t, STOP, i, -1, x, y, x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
            count += 1
    for i in range(n):
        if k[STRUCK, i] & CAPTURED:
            p = k[OWN_INDEX, i]
            record(
                log,
                scene,
                count,
                t,
                POCKET,
                i,
                p,
                w[PX, i],
                w[PY, i],
                pockets[p, 0],
                pockets[p, 1],
                0.0,
                0.0,
                w[VX, i],
                w[VY, i],
                0.0,
                0,
            )
            count += 1
    for q in range(contacts):
        size = c[impact.IMPULSE, q]
        if size <= 0.0:
            continue
        i, j, turn = b[impact.FIRST, q], b[impact.SECOND, q], b[impact.ROUND, q]
        if j < 0:
            record_wall(w, log, scene, count, t, i, -1 - j, w[PX, i], w[PY, i], w[VX, i], w[VY, i], size, turn)
            if i == 0 and t < first_wall[-1 - j]:
                first_wall[-1 - j] = t
        else:
            record(
                log,
                scene,
                count,
                t,
                BALL,
                i,
                j,
                w[PX, i],
                w[PY, i],
                w[PX, j],
                w[PY, j],
                w[VX, i],
                w[VY, i],
                w[VX, j],
                w[VY, j],
                size,
                turn,
            )
            if i == 0 and t < first_hit[j]:
                first_hit[j] = t
        count += 1
    return count
