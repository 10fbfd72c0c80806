"""Composed shapes of what hangs on walls and ceilings; for the arguments see `shapes_kitchen`.

Fronts look towards -y.
"""

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import (
    ALONG_Y,
    BLACK,
    BRASS,
    CREAM,
    DARK,
    FLIPPED,
    GLOW,
    LEAF,
    RED,
    STEEL,
    WHITE,
    WOOD,
    Shape,
    about,
    around,
    corner,
    joined,
    tinted,
)  # fmt: skip


def _border(shape: Shape, half: Vector, wide: float) -> None:
    """Four bars around a pane."""
    a, b, c = half
    for side in (1, -1):
        shape.detail("box", (a, b, wide / 2), (0, 0, side * (c - wide / 2)))
        shape.detail("box", (wide / 2, b, c), (side * (a - wide / 2), 0, 0))


def frame(shape: Shape, half: Vector) -> None:
    """A painting of a sunny meadow in a frame."""
    a, b, c = half
    shape.add("box", (0.97 * a, 0.6 * b, 0.97 * c), (0, 0.2 * b, 0), CREAM)
    x, z, y = 0.76 * a, 0.68 * c, -0.55 * b
    shape.detail("box", (x, 0.25 * b, z), (0, y, 0), "#8cc8ee")
    shape.detail("box", (x, 0.3 * b, 0.36 * z), (0, y, -0.64 * z), LEAF)
    shape.detail("ellipsoid", (0.45 * x, 0.33 * b, 0.4 * z), (-0.45 * x, y, -0.3 * z), tinted(LEAF, 0.2))
    shape.detail("cylinder", (0.22 * z, 0.22 * z, 0.32 * b), (0.5 * x, y, 0.55 * z), "#ffd23a", ALONG_Y)
    for side in (1, -1):
        half_peak = (0.34 * b, 0.22 * x, 0.5 * z)
        peak = corner((side, 0, 0), (0, 0, 1))
        shape.detail("wedge", half_peak, ((0.3 + 0.22 * side) * x, y, 0.15 * z), "#5d6f8c", peak)
    _border(shape, half, 0.16 * a)


def clock(shape: Shape, half: Vector) -> None:
    """A round dial with twelve marks and three hands."""
    a, b, _ = half
    shape.add("cylinder", (0.96 * a, 0.96 * a, 0.7 * b), (0, 0.3 * b, 0), quat=ALONG_Y)
    shape.detail("tube", (a, a, b), (0, 0, 0), BLACK, ALONG_Y)
    y = -0.45 * b
    for k in range(12):
        x, z = around(k, 12, 0.68 * a)
        long, wide = (0.09, 0.03) if k % 3 == 0 else (0.05, 0.018)
        shape.detail("box", (wide * a, 0.06 * b, long * a), (x, y, z), BLACK, about(1, 90 - 30 * k))
    for turn, long, wide, colour in ((-60, 0.42, 0.045, BLACK), (60, 0.62, 0.03, BLACK), (170, 0.6, 0.012, RED)):
        along, z = around(turn, 360, 0.5 * long * a)[::-1]
        shape.detail("box", (wide * a, 0.06 * b, 0.5 * long * a), (along, y - 0.1 * b, z), colour, about(1, turn))
    shape.detail("cylinder", (0.06 * a, 0.06 * a, 0.2 * b), (0, y - 0.1 * b, 0), BRASS, ALONG_Y)


def mirror(shape: Shape, half: Vector) -> None:
    """A pane with glints in a gilded frame."""
    a, b, c = half
    shape.add("box", (0.95 * a, 0.6 * b, 0.95 * c), (0, 0.3 * b, 0), WOOD, finish="rubber")
    shape.detail("box", (0.84 * a, 0.3 * b, 0.9 * c), (0, -0.35 * b, 0), "#b9d8ea")
    for x, z, wide in ((-0.3, 0.35, 0.06), (-0.1, 0.25, 0.025), (0.35, -0.45, 0.05)):
        shape.detail("box", (wide * a, 0.05 * b, 0.3 * c), (x * a, -0.68 * b, z * c), WHITE, about(1, 32), "rubber")
    gilded = Shape(BRASS, "metal", shape.components)
    _border(gilded, half, 0.2 * a)


def lamp(shape: Shape, half: Vector) -> None:
    """A shade with a bulb below and the end of its cord above."""
    r, _, h = half
    shape.add("taper", (0.97 * r, 0.97 * r, 0.6 * h), (0, 0, -0.38 * h))
    shape.detail("tube", (r, r, 0.06 * h), (0, 0, -0.92 * h), BRASS)
    shape.detail("cylinder", (0.8 * r, 0.8 * r, 0.02 * h), (0, 0, -0.98 * h), "#fff3c4")
    shape.detail("cylinder", (0.2 * r, 0.2 * r, 0.14 * h), (0, 0, 0.34 * h), BRASS)
    shape.detail("cylinder", (0.06 * r, 0.06 * r, 0.28 * h), (0, 0, 0.72 * h), BLACK)


def chandelier(shape: Shape, half: Vector) -> None:
    """A column, six arms with candles, a hoop and drops of glass."""
    a, _, c = half
    n, out = 6, 0.84 * a
    shape.detail("cylinder", (0.05 * a, 0.05 * a, 0.85 * c), (0, 0, 0.15 * c))
    shape.add("ellipsoid", (0.2 * a, 0.2 * a, 0.24 * c), (0, 0, -0.4 * c))
    shape.detail("taper", (0.16 * a, 0.16 * a, 0.12 * c), (0, 0, 0.88 * c))
    shape.add("tube", (0.72 * a, 0.72 * a, 0.05 * c), (0, 0, -0.3 * c))
    shape.detail("ellipsoid", (0.08 * a, 0.08 * a, 0.2 * c), (0, 0, -0.79 * c), "#dff2fb", finish="metal")
    for k in range(n):
        x, y = around(k, n, out)
        shape.rod((0.1 * x, 0.1 * y, -0.3 * c), (0.6 * x, 0.6 * y, -0.5 * c), 0.03 * a)
        shape.rod((0.6 * x, 0.6 * y, -0.5 * c), (x, y, -0.1 * c), 0.03 * a)
        shape.add("taper", (0.12 * a, 0.12 * a, 0.07 * c), (x, y, -0.04 * c), quat=FLIPPED)
        shape.detail("cylinder", (0.05 * a, 0.05 * a, 0.22 * c), (x, y, 0.24 * c), CREAM, finish="rubber")
        shape.detail("ellipsoid", (0.045 * a, 0.045 * a, 0.14 * c), (x, y, 0.58 * c), GLOW, finish="rubber")
        shape.rod((x, y, 0.0), (0.1 * x, 0.1 * y, 0.86 * c), 0.012 * a)
        drop = (0.045 * a, 0.045 * a, 0.13 * c)
        shape.detail("ellipsoid", drop, (0.8 * x, 0.8 * y, -0.52 * c), "#dff2fb", finish="metal")


def fan(shape: Shape, half: Vector) -> None:
    """Four wooden blades on a hub with a light below."""
    a, _, c = half
    shape.add("cylinder", (0.17 * a, 0.17 * a, 0.7 * c), (0, 0, 0.25 * c))
    shape.detail("cylinder", (0.1 * a, 0.1 * a, 0.1 * c), (0, 0, 0.9 * c), DARK)
    shape.detail("ellipsoid", (0.15 * a, 0.15 * a, 0.5 * c), (0, 0, -0.48 * c), "#fff3c4")
    for k in range(4):
        x, y = around(k, 4, 1.0)
        turn = joined(about(2, 90.0 * k), about(0, 12.0))
        shape.add("box", (0.36 * a, 0.12 * a, 0.06 * c), (0.62 * a * x, 0.62 * a * y, 0.1 * c), "#7a4a24", turn)
        shape.detail("box", (0.06 * a, 0.1 * a, 0.07 * c), (0.9 * a * x, 0.9 * a * y, 0.1 * c), BRASS, turn)
        shape.detail("box", (0.09 * a, 0.05 * a, 0.1 * c), (0.22 * a * x, 0.22 * a * y, 0.1 * c), DARK, turn)


def panel(shape: Shape, half: Vector) -> None:
    """An acoustic tile: a pale sheet with holes and a metal edge."""
    a, b, c = half
    shape.add("box", (0.97 * a, 0.97 * b, 0.8 * c))
    rail = Shape(STEEL, "metal", shape.components)
    for side in (1, -1):
        rail.detail("box", (a, 0.04 * a, c), (0, side * (b - 0.04 * a), 0), "#6d757c")
        rail.detail("box", (0.04 * a, b, c), (side * (a - 0.04 * a), 0, 0), "#6d757c")
    for i in range(5):
        for j in range(5):
            place = ((i - 2) * 0.36 * a, (j - 2) * 0.36 * b, 0.0)
            shape.detail("cylinder", (0.05 * a, 0.05 * a, 0.9 * c), place, "#8c8f92")
