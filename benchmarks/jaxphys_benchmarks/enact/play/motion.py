"""Paths of robot and hands: minimum-jerk profiles, poses composed, and the time that a move takes.

Poses are (..., 7): place (m) and quaternion, w first. The frame of the base lies on the floor, x ahead, y to the left.
Hand motions have straight paths with a bell-shaped speed (Flash and Hogan 1985). Public: `profile`, `compose`,
`relative`, `between`, `base_frame`, `duration`, `toward`, `facing`.
"""

import numpy as np

from jaxphys_kernels.quaternions import Floats, matrices

PEAK = 1.875
"""Greatest speed of a minimum-jerk move over its mean one."""

HAND_SPEED, BASE_SPEED, TURN_SPEED = 0.75, 0.9, 1.4
"""Greatest speeds (m/s, m/s, rad/s)."""

SHORTEST = 0.4
"""Time of the shortest move (s)."""


def profile(count: int) -> Floats:
    """(count,) shares of the way after each of as many equal steps; the last is 1."""
    s = np.arange(1, count + 1) / count
    found: Floats = s**3 * (10 + s * (6 * s - 15))
    return found


def duration(way: float, speed: float = HAND_SPEED) -> float:
    """Time of a move over a way, whose greatest speed is `speed` (s)."""
    return max(SHORTEST, PEAK * way / speed)


def turned(quat: Floats, vector: Floats) -> Floats:
    """(..., 3): vectors turned by quaternions."""
    found: Floats = (matrices(quat) * np.asarray(vector)[..., None, :]).sum(-1)
    return found


def product(first: Floats, second: Floats) -> Floats:
    """(..., 4): `second` followed by `first`."""
    a, b, c, d = np.moveaxis(np.asarray(first), -1, 0)
    w, x, y, z = np.moveaxis(np.asarray(second), -1, 0)
    rows = (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )
    found: Floats = np.stack(np.broadcast_arrays(*rows), -1)
    return found


def inverse(quat: Floats) -> Floats:
    """Of unit quaternions."""
    found: Floats = np.asarray(quat) * np.array([1.0, -1.0, -1.0, -1.0])
    return found


def compose(outer: Floats, inner: Floats) -> Floats:
    """(..., 7): poses given in frames that have poses themselves."""
    outer, inner = np.asarray(outer), np.asarray(inner)
    place = outer[..., :3] + turned(outer[..., 3:], inner[..., :3])
    return np.concatenate([place, product(outer[..., 3:], inner[..., 3:])], -1)


def relative(outer: Floats, pose: Floats) -> Floats:
    """(..., 7): `compose(outer, relative(outer, pose))` is `pose`."""
    outer, pose = np.asarray(outer), np.asarray(pose)
    back = inverse(outer[..., 3:])
    return np.concatenate([turned(back, pose[..., :3] - outer[..., :3]), product(back, pose[..., 3:])], -1)


def between(start: Floats, end: Floats, share: Floats) -> Floats:
    """(k, 7): poses from one to another along a straight line and the shortest turn, at shares (k,) of the way."""
    one, two = np.asarray(start[3:]), np.asarray(end[3:])
    dot = float(one @ two)
    two, dot = (-two, -dot) if dot < 0 else (two, dot)
    angle = float(np.arccos(min(dot, 1.0)))
    if angle < 1e-6:
        weights = 1 - share, share
    else:
        weights = np.sin((1 - share) * angle) / np.sin(angle), np.sin(share * angle) / np.sin(angle)
    quat = weights[0][:, None] * one + weights[1][:, None] * two
    quat /= np.linalg.norm(quat, axis=-1, keepdims=True)
    place = np.asarray(start[:3]) + share[:, None] * (np.asarray(end[:3]) - np.asarray(start[:3]))
    return np.concatenate([place, quat], -1)


def base_frame(robot: Floats) -> Floats:
    """(..., 7): pose of the base of robots (..., 7) that are x, y, heading, lift, pitch, pan, tilt."""
    half = robot[..., 2] / 2
    zero = np.zeros_like(half)
    return np.stack([robot[..., 0], robot[..., 1], zero, np.cos(half), zero, zero, np.sin(half)], -1)


def toward(angle: float, origin: float) -> float:
    """The angle that is the same as `angle` and nearest to `origin` (rad)."""
    return origin + float((angle - origin + np.pi) % (2 * np.pi) - np.pi)


def facing(away: Floats, left: Floats) -> Floats:
    """(4,): attitude of a hand whose fingers point against `away`, with its y as near to `left` as may be."""
    z = np.asarray(away) / np.linalg.norm(away)
    y = left - (left @ z) * z
    y = y / np.linalg.norm(y)
    x = np.cross(y, z)
    return quaternion(np.stack([x, y, z], 1))


def quaternion(matrix: Floats) -> Floats:
    """(..., 4) of rotation matrices (..., 3, 3), w positive or zero."""
    m = np.asarray(matrix)
    trace = np.stack(
        [
            1 + m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2],
            1 + m[..., 0, 0] - m[..., 1, 1] - m[..., 2, 2],
            1 - m[..., 0, 0] + m[..., 1, 1] - m[..., 2, 2],
            1 - m[..., 0, 0] - m[..., 1, 1] + m[..., 2, 2],
        ],
        -1,
    )
    x = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    s = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    rows = np.stack(
        [
            np.stack([trace[..., 0], x[0], x[1], x[2]], -1),
            np.stack([x[0], trace[..., 1], s[0], s[1]], -1),
            np.stack([x[1], s[0], trace[..., 2], s[2]], -1),
            np.stack([x[2], s[1], s[2], trace[..., 3]], -1),
        ],
        -2,
    )
    # Of four proportional rows, the one with the greatest diagonal loses least to rounding.
    best = np.take_along_axis(rows, trace.argmax(-1)[..., None, None], -2)[..., 0, :]
    best = best / np.linalg.norm(best, axis=-1, keepdims=True)
    found: Floats = np.where(best[..., :1] < 0, -best, best)
    return found
