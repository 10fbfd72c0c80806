"""What tells one kind of room from another: low furniture along a side wall, away from all that moves (assumed).

A piece is given by the wall that it stands at: `out` from the wall into the room, `along` it to the north, and up. It
is pale, no higher than `TALLEST`, and does not reach farther than `DEEPEST` into the room.
"""

from collections.abc import Callable, Iterator

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import DARK, STEEL, WHITE, tinted

TALLEST, DEEPEST = 0.95, 0.5
"""Limits (m)."""

Slab = tuple[float, float, float, float, float, float, str]
"""A box: its middle out of the wall, along it and up, its half extents in that order (m), and its colour."""

OAK, CLOTH = "#c4b08f", "#8b97a8"


def _counter() -> Iterator[Slab]:
    """Kitchen: cupboards below a worktop, a sink and a tap."""
    yield 0.23, 0.0, 0.04, 0.2, 0.88, 0.04, DARK
    yield 0.24, 0.0, 0.48, 0.24, 0.9, 0.4, "#dfe3e2"
    yield 0.25, 0.0, 0.9, 0.25, 0.92, 0.02, "#6f757a"
    for k in range(4):
        along = (k - 1.5) * 0.45
        yield 0.482, along, 0.47, 0.006, 0.21, 0.36, WHITE
        yield 0.49, along + 0.15, 0.72, 0.008, 0.05, 0.01, STEEL
    yield 0.25, 0.35, 0.915, 0.16, 0.24, 0.008, STEEL


def _sideboard() -> Iterator[Slab]:
    """Dining room: a sideboard on short legs."""
    yield 0.22, 0.0, 0.47, 0.2, 0.75, 0.3, OAK
    yield 0.22, 0.0, 0.785, 0.22, 0.78, 0.015, tinted(OAK, -0.2)
    for k in range(3):
        along = (k - 1) * 0.5
        yield 0.422, along, 0.47, 0.006, 0.235, 0.27, tinted(OAK, 0.2)
        yield 0.43, along, 0.66, 0.008, 0.06, 0.01, DARK
    for along in (-0.65, 0.65):
        yield 0.22, along, 0.09, 0.17, 0.03, 0.09, tinted(OAK, -0.35)


def _sofa() -> Iterator[Slab]:
    """Living room: a sofa with cushions."""
    yield 0.25, 0.0, 0.22, 0.24, 0.85, 0.16, CLOTH
    yield 0.08, 0.0, 0.5, 0.08, 0.85, 0.3, tinted(CLOTH, -0.12)
    for side in (-1.0, 1.0):
        yield 0.25, side * 0.92, 0.34, 0.24, 0.09, 0.28, tinted(CLOTH, -0.12)
        yield 0.3, side * 0.41, 0.42, 0.19, 0.39, 0.06, tinted(CLOTH, 0.2)
        yield 0.25, side * 0.85, 0.03, 0.2, 0.03, 0.03, DARK


def _desk() -> Iterator[Slab]:
    """Office: a desk with drawers, a screen and a keyboard."""
    yield 0.25, 0.0, 0.73, 0.25, 0.7, 0.02, OAK
    yield 0.24, 0.48, 0.36, 0.22, 0.2, 0.35, "#d3d7da"
    for k in range(3):
        yield 0.462, 0.48, 0.14 + 0.22 * k, 0.006, 0.18, 0.1, WHITE
        yield 0.47, 0.48, 0.18 + 0.22 * k, 0.006, 0.06, 0.008, DARK
    yield 0.24, -0.65, 0.36, 0.22, 0.02, 0.35, tinted(OAK, -0.2)
    yield 0.12, -0.1, 0.87, 0.012, 0.02, 0.06, DARK
    yield 0.12, -0.1, 0.76, 0.08, 0.12, 0.008, DARK
    yield 0.36, -0.1, 0.76, 0.07, 0.2, 0.01, "#50565c"


DECOR: dict[str, Callable[[], Iterator[Slab]]] = {
    "kitchen": _counter,
    "dining": _sideboard,
    "living": _sofa,
    "office": _desk,
}
"""By kind of room; a stair landing has none."""


def decor(room: str, side: float, x: float, y: float) -> Iterator[tuple[Vector, Vector, str]]:
    """Centres, half extents (m) and colours of the boxes along a side wall.

    Args:
        room: its kind.
        side: 1 for the east wall, -1 for the west.
        x: of the wall (m).
        y: of the middle of the furniture (m).
    """
    for out, along, up, a, b, c, colour in DECOR.get(room, lambda: iter(()))():
        yield (x - side * out, y + along, up), (a, b, c), colour
