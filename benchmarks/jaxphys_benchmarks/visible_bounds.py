"""Where solids are in the pictures of cameras, compiled: the frames of `visible_rays`, before any ray is cast.

Of every solid and frame: the camera in the solid's own axes, and what part of the picture, at which depths, the box
around it takes up. Everything is in one module, because what is kept on disk is made anew only when its own module
changes. Nothing here allocates. Public: `bound`, `PLACED`, `BOUNDS`.
"""

import math

import numpy as np

from jaxphys_kernels.compiled_runtime import jit, jit_entry, jit_inline

PLACED, BOUNDS = 12, 6
"""Numbers of a solid in a frame: the camera in its axes (3 coordinates in m, then one row of the camera's axes for each
of its own), and its least and greatest x and y (px), and depth (m)."""

DEPTH_SLACK = 1e-6
"""What the depths of corners may be off by, so that solids can be compared by them (m)."""
FAR = math.inf


@jit
def _bounds(
    k: int, i: int, half: np.ndarray, local: np.ndarray, lens: np.ndarray, near: float, bounds: np.ndarray
) -> None:
    """Where the box around solid i is seen: least and greatest x and y (px), none behind the camera, and depth (m)."""
    left, right, top, bottom, front, back = FAR, -FAR, FAR, -FAR, FAR, -FAR
    for corner in range(8):
        signs = (2 * (corner & 1) - 1, (corner & 2) - 1, ((corner & 4) >> 1) - 1)
        # Of the camera's frame: o are the camera's coordinates in the solid's frame, columns its axes.
        x, y, z = _seen(k, i, half, local, signs[0], signs[1], signs[2])
        front, back = min(front, z), max(back, z)
        if z >= near:
            px, py = lens[0] + lens[2] * x / z, lens[1] + lens[2] * y / z
            left, right, top, bottom = min(left, px), max(right, px), min(top, py), max(bottom, py)
            continue
        for axis in range(3):
            flipped = (
                -signs[0] if axis == 0 else signs[0],
                -signs[1] if axis == 1 else signs[1],
                -signs[2] if axis == 2 else signs[2],
            )
            ox, oy, oz = _seen(k, i, half, local, flipped[0], flipped[1], flipped[2])
            if oz > near:
                share = (near - z) / (oz - z)
                px = lens[0] + lens[2] * (x + share * (ox - x)) / near
                py = lens[1] + lens[2] * (y + share * (oy - y)) / near
                left, right, top, bottom = min(left, px), max(right, px), min(top, py), max(bottom, py)
    bounds[k, i, 0], bounds[k, i, 1], bounds[k, i, 2], bounds[k, i, 3] = left, right, top, bottom
    bounds[k, i, 4], bounds[k, i, 5] = front - DEPTH_SLACK, back + DEPTH_SLACK


@jit_inline
def _seen(
    k: int, i: int, half: np.ndarray, local: np.ndarray, sx: float, sy: float, sz: float
) -> tuple[float, float, float]:
    """A corner of the box around solid i in the camera's frame: right, down, forward (m)."""
    x = half[i, 0] * sx - local[k, i, 0]
    y = half[i, 1] * sy - local[k, i, 1]
    z = half[i, 2] * sz - local[k, i, 2]
    return (
        x * local[k, i, 3] + y * local[k, i, 6] + z * local[k, i, 9],
        x * local[k, i, 4] + y * local[k, i, 7] + z * local[k, i, 10],
        x * local[k, i, 5] + y * local[k, i, 8] + z * local[k, i, 11],
    )


@jit
def _place(
    k: int, i: int, pos: np.ndarray, quat: np.ndarray, eye: np.ndarray, turned: np.ndarray, local: np.ndarray
) -> None:
    """The camera in the frame of solid i: 3 coordinates (m), then its axes, one row for each axis of the solid."""
    w, x, y, z = quat[k, i, 0], quat[k, i, 1], quat[k, i, 2], quat[k, i, 3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    rows = (
        (1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
        (s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
        (s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)),
    )
    away = (eye[k, 0] - pos[k, i, 0], eye[k, 1] - pos[k, i, 1], eye[k, 2] - pos[k, i, 2])
    for axis in range(3):
        row = rows[axis]
        local[k, i, axis] = row[0] * away[0] + row[1] * away[1] + row[2] * away[2]
        for column in range(3):
            local[k, i, 3 + 3 * axis + column] = (
                row[0] * turned[k, 0, column] + row[1] * turned[k, 1, column] + row[2] * turned[k, 2, column]
            )


@jit
def _same(k: int, i: int, pos: np.ndarray, quat: np.ndarray, eye: np.ndarray, turned: np.ndarray) -> bool:
    """Whether solid i and the camera are in frame k where they were in the frame before."""
    for axis in range(3):
        if pos[k, i, axis] != pos[k - 1, i, axis] or eye[k, axis] != eye[k - 1, axis]:
            return False
        for column in range(3):
            if turned[k, axis, column] != turned[k - 1, axis, column]:
                return False
    same = True
    for part in range(4):
        same = same and quat[k, i, part] == quat[k - 1, i, part]
    return same


@jit_entry
def bound(
    half: np.ndarray, pos: np.ndarray, quat: np.ndarray, eye: np.ndarray, turned: np.ndarray, lens: np.ndarray,
    near: float, local: np.ndarray, bounds: np.ndarray,
) -> None:  # fmt: skip
    """Place solids in frames.

    Args:
        half: (n, 3) m. pos: (f, n, 3) m. quat: (f, n, 4).
        eye: (f, 3) m. turned: (f, 3, 3), columns are the camera's right, down and forward. lens: (3,) middle of the
            picture in x and y, and focal length (px). near: where the part that is seen begins (m).
        local: (f, n, `PLACED`) and bounds: (f, n, `BOUNDS`) receive the numbers.
    """
    for k in range(pos.shape[0]):
        for i in range(pos.shape[1]):
            if k > 0 and _same(k, i, pos, quat, eye, turned):
                for number in range(local.shape[2]):
                    local[k, i, number] = local[k - 1, i, number]
                for number in range(bounds.shape[2]):
                    bounds[k, i, number] = bounds[k - 1, i, number]
                continue
            _place(k, i, pos, quat, eye, turned, local)
            _bounds(k, i, half, local, lens, near, bounds)
