"""Rotations on the host, in NumPy: matrices of quaternions, and turns about the vertical.

Quaternions are w, x, y, z of length 1; arrays lead with any shape. Kernels that are traced have their own in
`rigid.frames`. Public: `entries`, `matrices`, `yawed`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Entries = tuple[tuple[Floats, ...], ...]


def entries(quat: ArrayLike) -> Entries:
    """Rows of the rotation matrices of quaternions (..., 4), as nine arrays (...)."""
    w, x, y, z = np.moveaxis(np.asarray(quat), -1, 0)
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def matrices(quat: ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4)."""
    return np.stack([np.stack(row, axis=-1) for row in entries(quat)], axis=-2)


def yawed(quat: ArrayLike, angle: float) -> Floats:
    """Quaternions (..., 4) turned by an angle (rad) about the world's vertical."""
    w, x, y, z = np.moveaxis(np.asarray(quat), -1, 0)
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    return np.stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w], axis=-1)
