"""The arms: forward kinematics, Jacobian, and inverse kinematics by damped least squares (section 6.3, step 11).

The two arms are an axis, left then right. Position only: the orientation of the hands is free. The seven links are
unrolled and every vector is kept as three arrays, so that XLA makes one fused loop of it; there is no LAPACK call.
"""

from collections.abc import Sequence
from types import ModuleType

import numpy as np
from flax import struct

from jaxphys_kernels.humanoid.arrays import Array, lift

LINKS, AXES = 7, 3


class Chain(struct.PyTreeNode):
    """Constants of both arms.

    Per joint: pos (2, 7, 3) and rot (2, 7, 3, 3) of the link in its parent, the first parent being the torso; axis
    (2, 7, 3) of the joint, through the link's origin; lower and upper (2, 7) of its range (rad); rest (2, 7), the
    posture that is pulled to (rad). palm (2, 3) is the palm in the last link.
    """

    pos: Array
    rot: Array
    axis: Array
    lower: Array
    upper: Array
    palm: Array
    rest: Array


Vector = Sequence[Array]
"""Three arrays (…, 2): the entries of one vector per arm."""


def forward(xp: ModuleType, chain: Chain, q: Array) -> tuple[Array, Array]:
    """Palms (…, 2, 3) in the torso's frame (m) and their Jacobian (…, 2, 3, 7) at joint angles `q` (…, 2, 7)."""
    palm, columns = _reach(xp, chain, q)
    jacobian = xp.stack([xp.stack([column[row] for column in columns], -1) for row in range(3)], -2)
    return xp.stack(palm, -1), jacobian


def solve(
    xp: ModuleType,
    chain: Chain,
    q: Array,
    target: Array,
    *,
    iterations: int = 2,
    damping: float = 0.05,
    posture: float = 0.05,
    step: float = 0.3,
    margin: float = 0.02,
) -> Array:
    """Joint angles (…, 2, 7) closer to the targets, from those given, inside the joint ranges for any target.

    Args:
        xp: numpy or jax.numpy.
        chain: of the arms.
        q: joint angles to start with (…, 2, 7) (rad).
        target: where the palms should be (…, 2, 3), in the torso's frame (m).
        iterations: number of steps.
        damping: of the least squares (m/rad).
        posture: pull to the rest posture in the null space, as a share per step.
        step: largest change of a joint in a step (rad).
        margin: distance kept from the ends of the joint ranges (rad).
    """
    low, high, rest = (lift(xp, bound, q) for bound in (chain.lower, chain.upper, chain.rest))
    for _ in range(iterations):
        palm, columns = _reach(xp, chain, q)
        pull = posture * (rest - q)
        error = [
            target[..., r] - palm[r] - sum(columns[i][r] * pull[..., i] for i in range(LINKS)) for r in range(AXES)
        ]
        weight = _damped(columns, error, damping * damping)
        change = xp.stack([_dot(column, weight) for column in columns], -1) + pull
        q = xp.clip(q + xp.clip(change, -step, step), low + margin, high - margin)
    return q


def _reach(xp: ModuleType, chain: Chain, q: Array) -> tuple[Vector, list[Vector]]:
    """The palm, and per joint its velocity per joint velocity: the columns of the Jacobian."""
    sines, cosines = xp.sin(q), xp.cos(q)
    rows: list[Vector] = [[lift(xp, np.eye(AXES)[r, k], q[..., 0]) for k in range(AXES)] for r in range(AXES)]
    place: Vector = [xp.zeros_like(q[..., 0])] * AXES
    places, axes = [], []
    for i in range(LINKS):
        offset, axis = ([lift(xp, table[:, i, k], q[..., 0]) for k in range(AXES)] for table in (chain.pos, chain.axis))
        link = [[lift(xp, chain.rot[:, i, r, k], q[..., 0]) for k in range(AXES)] for r in range(AXES)]
        place = [place[r] + _dot(rows[r], offset) for r in range(AXES)]
        rows = _times(rows, link)
        along = [_dot(row, axis) for row in rows]
        rows = _times(rows, _turned(axis, sines[..., i], cosines[..., i]))
        places.append(place)
        axes.append(along)
    tip = [lift(xp, chain.palm[:, k], q[..., 0]) for k in range(AXES)]
    palm = [place[r] + _dot(rows[r], tip) for r in range(AXES)]
    columns = [
        _cross(along, [palm[r] - start[r] for r in range(AXES)]) for start, along in zip(places, axes, strict=True)
    ]
    return palm, columns


def _turned(axis: Vector, s: Array, c: Array) -> list[Vector]:
    """Matrix of a turn with sine `s` and cosine `c` about a unit axis (Rodrigues)."""
    x, y, z = axis
    rest = 1.0 - c
    return [
        [c + rest * x * x, rest * x * y - s * z, rest * x * z + s * y],
        [rest * x * y + s * z, c + rest * y * y, rest * y * z - s * x],
        [rest * x * z - s * y, rest * y * z + s * x, c + rest * z * z],
    ]


def _damped(columns: list[Vector], error: Vector, damping: float) -> Vector:
    """Solution w of (J Jᵀ + damping·I) w = error, by cofactors of the symmetric matrix."""

    def entry(r: int, k: int) -> Array:
        return sum(column[r] * column[k] for column in columns) + (damping if r == k else 0.0)

    a, b, c, d, e, f = (entry(r, k) for r, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    s, t, u = a * f - c * c, b * c - a * e, a * d - b * b
    scale = 1.0 / (a * p + b * q + c * r)
    return [scale * _dot(row, error) for row in ((p, q, r), (q, s, t), (r, t, u))]


def _dot(a: Vector, b: Vector) -> Array:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _times(a: Sequence[Vector], b: Sequence[Vector]) -> list[Vector]:
    return [[_dot(row, [b[m][k] for m in range(AXES)]) for k in range(AXES)] for row in a]
