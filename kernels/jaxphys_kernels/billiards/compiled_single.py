"""Events of one ball or of two alone, in scalar compiled code: the lean cases of `compiled_loop`."""

from math import inf, sqrt

import numpy as np

from jaxphys_kernels.billiards.compiled_contact import crowded
from jaxphys_kernels.billiards.compiled_table import (
    BALL,
    LEFT,
    OWN,
    OWN_INDEX,
    POCKET,
    RIGHT,
    STOP,
    T0,
    TOP,
    TOUCH,
    UX,
    UY,
    VERSION,
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
from jaxphys_kernels.compiled_runtime import jit_inline


@jit_inline
def company(
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
def strike(
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
def alone(
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
