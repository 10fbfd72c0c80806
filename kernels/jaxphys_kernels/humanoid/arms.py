"""The arms: forward kinematics, Jacobian, and inverse kinematics by damped least squares (section 6.3, step 11).

The two arms are an axis, left then right. Position only: the orientation of the hands is free. Small matrices are
multiplied entry by entry and inverted in closed form: no call of BLAS or LAPACK inside a compiled loop.
"""

from types import ModuleType
from typing import NamedTuple

import numpy as np
from flax import struct

from jaxphys_kernels.humanoid.arrays import Array, apply, cross, lift, product

LINKS = 7


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


class _Links(NamedTuple):
    """Constants of a chain as the kinematics need them.

    step (2, 7, 3) from each joint to the next, the last one to the palm, and axis (2, 7, 3), both in the joint's link;
    and the three parts of the rotation (2, 7, 3, 3) of each link in its parent: still + sin(q)·sine + cos(q)·cosine.
    """

    step: Array
    axis: Array
    still: Array
    sine: Array
    cosine: Array


def forward(xp: ModuleType, chain: Chain, q: Array) -> tuple[Array, Array]:
    """Palms (…, 2, 3) in the torso's frame (m) and their Jacobian (…, 2, 3, 7) at joint angles `q` (…, 2, 7)."""
    palm, columns = _forward(xp, chain, _links(xp, chain, q), q)
    return palm, xp.swapaxes(columns, -1, -2)


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
    stride: float | None = None,
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
        stride: how far the palm is asked to go in a step, at most (m); None for all the way.
    """
    links = _links(xp, chain, q)
    low, high, rest = (lift(xp, bound, q) for bound in (chain.lower, chain.upper, chain.rest))
    for _ in range(iterations):
        palm, columns = _forward(xp, chain, links, q)
        pull = posture * (rest - q)
        way = target - palm
        if stride is not None:
            far = xp.sqrt((way * way).sum(-1, keepdims=True))
            way = way * (stride / xp.maximum(far, stride))
        weight = _damped(xp, columns, way - (columns * pull[..., None]).sum(-2), damping * damping)
        change = apply(columns, weight) + pull
        q = xp.clip(q + xp.clip(change, -step, step), low + margin, high - margin)
    return q


def _forward(xp: ModuleType, chain: Chain, links: _Links, q: Array) -> tuple[Array, Array]:
    """Palms (…, 2, 3) and the columns of their Jacobian as rows (…, 2, 7, 3)."""
    s, c = xp.sin(q)[..., None, None], xp.cos(q)[..., None, None]
    rotation = links.still + s * links.sine + c * links.cosine
    # Orientations of the links in the torso: all products from the first link on, in three rounds instead of seven.
    for reach in (1, 2, 4):
        further = product(rotation[..., :-reach, :, :], rotation[..., reach:, :, :])
        rotation = xp.concatenate([rotation[..., :reach, :, :], further], -3)
    steps = apply(rotation, links.step)
    to_palm = product(lift(xp, np.triu(np.ones((LINKS, LINKS))), steps), steps)
    columns = cross(xp, apply(rotation, links.axis), to_palm)
    return to_palm[..., 0, :] + lift(xp, chain.pos[:, 0], q), columns


def _links(xp: ModuleType, chain: Chain, q: Array) -> _Links:
    """Constants in the type of `q` and a rank that broadcasts against it (Rodrigues' formula)."""
    rot, axis, pos, palm = (xp.asarray(table, q.dtype) for table in (chain.rot, chain.axis, chain.pos, chain.palm))
    x, y, z = (axis[..., k] for k in range(3))
    zero = xp.zeros_like(x)
    skew = xp.stack([xp.stack(row, -1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))], -2)
    sine = product(rot, skew)
    twice = product(sine, skew)
    vector, matrix = q[..., None], q[..., None, None]
    return _Links(
        step=lift(xp, xp.concatenate([pos[:, 1:], palm[:, None]], 1), vector),
        axis=lift(xp, axis, vector),
        still=lift(xp, rot + twice, matrix),
        sine=lift(xp, sine, matrix),
        cosine=lift(xp, -twice, matrix),
    )


def _damped(xp: ModuleType, columns: Array, error: Array, damping: float) -> Array:
    """Solution w (…, 3) of (J Jᵀ + damping·I) w = error by the closed-form inverse."""
    square = (columns[..., :, :, None] * columns[..., :, None, :]).sum(-3)
    square = square + damping * lift(xp, np.eye(3), square)
    a, b, c = (square[..., k, :] for k in range(3))
    cofactors = xp.stack([cross(xp, b, c), cross(xp, c, a), cross(xp, a, b)], -1)
    return apply(cofactors, error) / (a * cofactors[..., 0]).sum(-1)[..., None]
