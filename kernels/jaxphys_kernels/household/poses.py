"""Where the forms and fill sites of a world are in each frame, joints included, and the boxes around things."""

from typing import Any

import numpy as np

from jaxphys_kernels.household.layout import CAPSULE, HINGE, NONE, SPHERE, Layout, Sensed


def turns(xp: Any, quat: Any) -> Any:
    """(..., 3, 3) rotation matrices of unit quaternions (..., 4), w first."""
    w, x, y, z = quat[..., 0], quat[..., 1], quat[..., 2], quat[..., 3]
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return xp.stack([xp.stack(row, -1) for row in rows], -2)


def applied(turn: Any, vector: Any) -> Any:
    """(..., 3): matrices (..., 3, 3) on vectors (..., 3)."""
    return (turn * vector[..., None, :]).sum(-1)


def linked(xp: Any, layout: Layout, joint: Any, which: np.ndarray) -> tuple[Any, Any]:
    """Pose, in its thing's frame, of what each of some joints moves; at rest for `NONE`.

    Args:
        xp: array module. layout: of the joints. joint: (f, j) values. which: (k,) numbers of joints, or `NONE`.

    Returns:
        (f, k, 3) shift and (f, k, 3, 3) turn.
    """
    frames = joint.shape[0]
    known = np.asarray(which) != NONE
    if not known.any():
        still = xp.zeros((frames, len(which), 3), joint.dtype)
        return still, xp.broadcast_to(xp.eye(3, dtype=joint.dtype), (frames, len(which), 3, 3))
    picked = np.where(known, which, 0)
    value = xp.where(xp.asarray(known)[None], joint[:, picked], 0)
    hinge = xp.asarray(np.asarray(layout.joint_kind)[picked] == HINGE)[None]
    axis, pivot = (
        xp.asarray(np.asarray(a)[picked], dtype=joint.dtype)[None] for a in (layout.joint_axis, layout.joint_pos)
    )
    angle = xp.where(hinge, value, 0) / 2
    quat = xp.concatenate([xp.cos(angle)[..., None], xp.sin(angle)[..., None] * axis], -1)
    turn = turns(xp, quat)
    swung = pivot - applied(turn, xp.broadcast_to(pivot, (*value.shape, 3)))
    return xp.where(hinge[..., None], swung, value[..., None] * axis), turn


def placed(xp: Any, sensed: Sensed, things: np.ndarray, pos: Any, shift: Any, turn: Any) -> tuple[Any, Any]:
    """Pose in the world of points fixed to things or their links.

    Args:
        xp: array module. sensed: poses of the things. things: (k,) whose they are. pos: (1, k, 3) in the thing's frame.
        shift, turn: (f, k, 3), (f, k, 3, 3) of `linked`.

    Returns:
        (f, k, 3) m and (f, k, 3, 3).
    """
    body = turns(xp, sensed.quat)[:, things]
    own = shift + applied(turn, xp.broadcast_to(pos, shift.shape))
    return sensed.pos[:, things] + applied(body, own), body @ turn


def forms(xp: Any, layout: Layout, sensed: Sensed) -> tuple[Any, Any]:
    """Centres (f, g, 3) and turns (f, g, 3, 3) of all forms in the world."""
    dtype = sensed.pos.dtype
    shift, turn = linked(xp, layout, sensed.joint, layout.form_joint)
    pos, body = placed(xp, sensed, layout.form_thing, xp.asarray(layout.form_pos, dtype=dtype)[None], shift, turn)
    return pos, body @ xp.broadcast_to(xp.asarray(layout.form_turn, dtype=dtype), body.shape)


def reaches(xp: Any, layout: Layout, turn: Any) -> Any:
    """(f, g, 3): half extents of the axis-aligned boxes around the forms, whose turns are (f, g, 3, 3)."""
    half = xp.asarray(layout.form_half, dtype=turn.dtype)[None]
    kind = xp.asarray(layout.form_kind)[None, :, None]
    boxed = (xp.abs(turn) * half[:, :, None, :]).sum(-1)
    radius = half[..., :1]
    rod = xp.abs(turn[..., 2]) * (half[..., 2:] - radius) + radius
    return xp.where(kind == SPHERE, xp.broadcast_to(radius, boxed.shape), xp.where(kind == CAPSULE, rod, boxed))


def boxes(xp: Any, layout: Layout, pos: Any, reach: Any) -> tuple[Any, Any]:
    """Least and greatest corners (f, n, 3) of the boxes around things; what a joint moves is not part of them."""
    own = xp.asarray(np.asarray(layout.form_joint) == NONE)[None, :, None]
    low = least(xp, layout, xp.where(own, pos - reach, xp.inf), axis=1)
    return low, -least(xp, layout, xp.where(own, -pos - reach, xp.inf), axis=1)


def least(xp: Any, layout: Layout, values: Any, axis: int) -> Any:
    """Least value over the forms of each thing; infinite for a thing without forms.

    Args:
        xp: array module. layout: whose forms. values: g along `axis`, which becomes n.
        axis: number of the axis, from the front.
    """
    things = np.asarray(layout.form_thing)
    moved = xp.moveaxis(values, axis, -1)
    starts = np.searchsorted(things, np.arange(layout.things))
    count = np.bincount(things, minlength=layout.things)
    if xp is np:
        padded = np.concatenate([moved, np.full((*moved.shape[:-1], 1), np.inf, moved.dtype)], -1)
        found = np.minimum.reduceat(padded, np.minimum(starts, moved.shape[-1]), axis=-1)
        return np.moveaxis(np.where(count > 0, found, np.inf), -1, axis)
    found = xp.full((*moved.shape[:-1], layout.things), xp.inf, moved.dtype)
    return xp.moveaxis(found.at[..., things].min(moved), -1, axis)
