"""Poses of the solids of a stage as a viewer needs them: rounded, and parts of a body as seen from it.

A part that moves as one with the first part of its body hangs on it: then one pose moves all of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_adapters.stage_floor import rotation
from jaxphys_benchmarks.stage import Stage

DIGITS = 5
"""Decimals of places (m) and orientations."""
TOGETHER = 1e-4
"""By how much a part may move (m) or turn (sine of half the angle) against its body and still hang on it."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses of n solids in f frames.

    Attributes:
        head: (n,) the solid that each hangs on, itself if on none.
        pos: (f, n, 3) m. quat: (f, n, 4), unit, w first; against the head where there is one.
    """

    head: tuple[int, ...]
    pos: Floats
    quat: Floats


def poses(stage: Stage) -> Poses:
    """The poses of a stage."""
    pos = np.array(stage.pos, np.float64)
    quat = np.array(stage.quat / np.linalg.norm(stage.quat, axis=-1, keepdims=True), np.float64)
    first: dict[str, int] = {}
    head = list(range(len(stage.solids)))
    for k, solid in enumerate(stage.solids):
        body = first.setdefault(solid.of, k) if solid.of else k
        if body == k:
            continue
        place = np.einsum("fji,fj->fi", rotation(quat[:, body]), pos[:, k] - pos[:, body])
        turn = product(conjugate(quat[:, body]), quat[:, k])
        turn *= np.where(turn @ turn[0] < 0, -1.0, 1.0)[:, None]
        if max(np.ptp(place, axis=0).max(), np.ptp(turn, axis=0).max()) <= TOGETHER:
            head[k], pos[:, k], quat[:, k] = body, place[0], turn[0]
    # + 0.0 turns -0.0 into 0.0.
    return Poses(tuple(head), np.round(pos, DIGITS) + 0.0, np.round(quat, DIGITS) + 0.0)


def conjugate(quat: Floats) -> Floats:
    """The opposite rotations of (..., 4) unit quaternions, w first."""
    turned: Floats = quat * np.array([1.0, -1.0, -1.0, -1.0])
    return turned


def product(a: Floats, b: Floats) -> Floats:
    """Hamilton product of (..., 4) quaternions, w first."""
    scalar = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    vector = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    both: Floats = np.concatenate([scalar, vector], axis=-1)
    return both
