"""Bystanders: objects at rest that nothing meets, beside those that a sample is about (`n_distractors`).

Each takes the first of a fixed number of places that is clear of all others, of the wall, and of the paths of what
moves, by `min_gap` and whichever way a cube is turned.

Public: `Bystanders`, `stand`, `columns`.
"""

import math
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.draft import MATERIALS, SHAPES, Draft
from jaxphys_benchmarks.inphyre.numbers import Bools, Floats, Ints, Numbers
from jaxphys_benchmarks.inphyre.place import Placed, seen

PLACES = 16
"""Places that are tried for each bystander before the whole sample is drawn again."""


@dataclass
class Bystanders:
    """d bystanders of m samples: (m, d) indices, sizes (m), places (m, d, 2), and whether all found one (m,)."""

    shape: Ints
    material: Ints
    size: Floats
    pos: Floats
    ok: Bools


def columns(config: InPhyReConfig) -> int:
    """Numbers that `stand` takes."""
    return config.n_distractors * (3 + 2 * PLACES)


def stand(config: InPhyReConfig, numbers: Numbers, drawn: Draft, placed: Placed) -> Bystanders:
    """Bystanders of placed samples."""
    m, d = len(numbers), config.n_distractors
    found = Bystanders(
        shape=np.zeros((m, d), dtype=np.int64),
        material=np.zeros((m, d), dtype=np.int64),
        size=np.zeros((m, d)),
        pos=np.zeros((m, d, 2)),
        ok=np.ones(m, dtype=bool),
    )
    allowed_shapes = np.array([SHAPES.index(name) for name in config.shapes])
    allowed_materials = np.array([MATERIALS.index(name) for name in config.materials])
    both = np.array([config.size_small, config.size_large])
    for k in range(d):
        found.shape[:, k] = allowed_shapes[numbers.index(len(allowed_shapes))]
        found.material[:, k] = allowed_materials[numbers.index(len(allowed_materials))]
        found.size[:, k] = both[numbers.index(2)]
        room = found.size[:, k] * math.sqrt(2) + config.min_gap
        free = np.zeros(m, dtype=bool)
        for _ in range(PLACES):
            low, high = -config.region, config.region
            spot = np.stack([numbers.uniform(low, high), numbers.uniform(low, high)], axis=1)
            clear = _clear(spot, room, drawn, placed, found, k)
            clear &= seen(
                config,
                np.concatenate([placed.pos, found.pos[:, :k], spot[:, None]], axis=1),
                np.concatenate([drawn.size, found.size[:, : k + 1]], axis=1),
            )
            found.pos[:, k] = np.where((clear & ~free)[:, None], spot, found.pos[:, k])
            free |= clear
        found.ok &= free
    return found


def _clear(spot: Floats, room: Floats, drawn: Draft, placed: Placed, found: Bystanders, k: int) -> Bools:
    """(m,) a place (m, 2) has room (m,) to everything before bystander k."""
    others = np.concatenate([placed.pos, found.pos[:, :k]], axis=1)
    sizes = np.concatenate([drawn.size, found.size[:, :k]], axis=1) * math.sqrt(2)
    distance = np.sqrt(np.sum((others - spot[:, None]) ** 2, axis=-1))
    clear = np.all(distance >= room[:, None] + sizes, axis=1)
    for start, end in ((0, 1), (1, 2)):
        clear &= _to_segment(spot, placed.paths[:, start], placed.paths[:, end]) >= room + placed.width
    # Without a wall `side` and `face` are zero, and every place is in front of it.
    behind = (placed.side != 0) & (placed.side * (placed.face - spot[:, 0]) < room)
    return np.asarray(clear & ~behind)


def _to_segment(spot: Floats, start: Floats, end: Floats) -> Floats:
    """(m,) distance of places from segments."""
    along = end - start
    length = np.sum(along**2, axis=1)
    share = np.sum((spot - start) * along, axis=1) / np.where(length > 0, length, 1.0)
    nearest = start + np.clip(share, 0.0, 1.0)[:, None] * along
    return np.asarray(np.sqrt(np.sum((spot - nearest) ** 2, axis=1)))
