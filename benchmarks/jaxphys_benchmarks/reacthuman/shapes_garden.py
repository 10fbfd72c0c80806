"""Composed shapes of fruit, plants and vases; for the arguments see `shapes_kitchen`."""

from itertools import pairwise

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import (
    BLACK,
    BRASS,
    CREAM,
    FLIPPED,
    LEAF,
    SOIL,
    TERRACOTTA,
    Shape,
    about,
    around,
    joined,
    tinted,
    towards,
)  # fmt: skip


def apple(shape: Shape, half: Vector) -> None:
    """An apple: a dimple with a stalk, and a leaf."""
    r = half[0]
    shape.add("ellipsoid", (0.98 * r, 0.98 * r, 0.86 * r), (0, 0, -0.1 * r))
    shape.detail("ellipsoid", (0.2 * r, 0.2 * r, 0.06 * r), (0, 0, 0.74 * r), tinted(shape.colour, -0.5))
    shape.rod((0, 0, 0.68 * r), (0.12 * r, 0, 0.92 * r), 0.06 * r, SOIL)
    tilt = joined(about(2, 20), about(1, -25))
    shape.detail("ellipsoid", (0.24 * r, 0.11 * r, 0.04 * r), (0.27 * r, 0.08 * r, 0.82 * r), LEAF, tilt)


def banana(shape: Shape, half: Vector) -> None:
    """A bent banana with dark ends, the hollow of its bend towards +x."""
    r, _, h = half
    slim, bend = 0.7 * r, 0.3 * r
    points = [(bend * (2 * (z / 0.8) ** 2 - 1), 0.0, z * h) for z in (-0.8, -0.4, 0.0, 0.4, 0.8)]
    for start, end in pairwise(points):
        shape.rod(start, end, slim, casts=True)
    shape.rod(points[-1], (0.5 * r, 0, 0.98 * h), 0.3 * r, SOIL, "cylinder")
    shape.rod(points[0], (0.4 * r, 0, -0.95 * h), 0.42 * r, "#8a6a1e", "cylinder")


def plant(shape: Shape, half: Vector) -> None:
    """A plant in a pot."""
    r, _, h = half
    _pot(shape, 0.85 * r, 0.42 * h, -0.58 * h)
    for k in range(6):
        lean = joined(about(2, 60.0 * k), about(1, 35.0))
        far = 0.4 * r
        x, y = around(k, 6, far)
        shape.add("ellipsoid", (0.2 * r, 0.3 * r, 0.45 * h), (x, y, 0.3 * h), _green(shape, k), lean, casts=k % 2 == 0)
    shape.add("ellipsoid", (0.35 * r, 0.35 * r, 0.5 * h), (0, 0, 0.48 * h))


def hanging_plant(shape: Shape, half: Vector) -> None:
    """A pot with trailing leaves on three cords, within a ball."""
    r = half[0]
    _pot(shape, 0.62 * r, 0.3 * r, -0.42 * r)
    shape.add("ellipsoid", (0.6 * r, 0.6 * r, 0.34 * r), (0, 0, 0.08 * r))
    for k in range(8):
        x, y = around(k, 8, 0.62 * r)
        down = towards((0.8 * x / r, 0.8 * y / r, -0.868))
        low = -0.12 * r if k % 2 else -0.3 * r
        shape.detail("ellipsoid", (0.15 * r, 0.15 * r, 0.36 * r), (x, y, low), _green(shape, k), down)
    for k in range(3):
        x, y = around(k, 3, 0.5 * r)
        shape.rod((x, y, -0.1 * r), (0, 0, 0.95 * r), 0.03 * r, CREAM)


def vase(shape: Shape, half: Vector) -> None:
    """A foot, a belly, a neck and a lip, with a painted band."""
    r, _, h = half
    shape.add("cylinder", (0.5 * r, 0.5 * r, 0.04 * h), (0, 0, -0.96 * h), tinted(shape.colour, -0.3))
    shape.add("taper", (0.9 * r, 0.9 * r, 0.3 * h), (0, 0, -0.66 * h), quat=FLIPPED)
    shape.add("ellipsoid", (0.99 * r, 0.99 * r, 0.5 * h), (0, 0, -0.2 * h))
    shape.add("taper", (0.82 * r, 0.82 * r, 0.26 * h), (0, 0, 0.4 * h))
    shape.add("cylinder", (0.42 * r, 0.42 * r, 0.16 * h), (0, 0, 0.76 * h))
    shape.detail("tube", (0.62 * r, 0.62 * r, 0.05 * h), (0, 0, 0.95 * h), CREAM)
    shape.detail("cylinder", (0.44 * r, 0.44 * r, 0.02 * h), (0, 0, 0.94 * h), BLACK)
    shape.detail("cylinder", (r, r, 0.06 * h), (0, 0, -0.2 * h), CREAM)
    shape.detail("cylinder", (0.98 * r, 0.98 * r, 0.025 * h), (0, 0, -0.06 * h), BRASS)
    shape.detail("cylinder", (0.98 * r, 0.98 * r, 0.025 * h), (0, 0, -0.34 * h), BRASS)


def _pot(shape: Shape, radius: float, half: float, z: float) -> None:
    shape.add("taper", (radius, radius, half), (0, 0, z), TERRACOTTA, FLIPPED, finish="rubber")
    shape.detail(
        "tube", (1.08 * radius, 1.08 * radius, 0.25 * half), (0, 0, z + 0.78 * half), tinted(TERRACOTTA, -0.15)
    )
    shape.detail("cylinder", (0.9 * radius, 0.9 * radius, 0.05 * half), (0, 0, z + half), SOIL)


def _green(shape: Shape, k: int) -> str:
    return tinted(shape.colour, (0.18, -0.12, 0.0)[k % 3])
