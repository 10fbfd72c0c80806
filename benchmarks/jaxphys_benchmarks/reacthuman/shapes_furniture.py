"""Composed shapes of furniture, ladders and doors; for the arguments see `shapes_kitchen`. Fronts look towards -y."""

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import (
    ALONG_X,
    ALONG_Y,
    BLACK,
    BRASS,
    CREAM,
    DARK,
    STEEL,
    WHITE,
    Shape,
    tinted,
)  # fmt: skip

SPINES = ("#c0392b", "#2f62b5", "#3f8f3a", "#e0a52a", "#7d3c98", "#1f8a86", "#d9d3c3", "#a04000")
"""Colours of books."""
HARDWARE = 0.05
"""By how much the handles of a door stand out from its collider (m): nothing else of a shape does."""


def bookshelf(shape: Shape, half: Vector) -> None:
    """Boards, a back, and rows of books."""
    a, b, c = half
    board, rows = 0.018, 5
    pitch = 2 * (c - board) / rows
    shape.add("box", (a, 0.05 * b, c), (0, 0.95 * b, 0), tinted(shape.colour, -0.3))
    for side in (1, -1):
        shape.add("box", (board, b, c), (side * (a - board), 0, 0))
    for k in range(rows + 1):
        shape.add("box", (a - board, b, board), (0, 0, -c + board + k * pitch), casts=k in (0, rows))
    wide = a - 2 * board
    for k in range(rows):
        low = -c + 2 * board + k * pitch
        for j, (start, end, share) in enumerate(((-1.0, -0.55, 0.72), (-0.53, 0.05, 0.85), (0.07, 0.55, 0.62))):
            if k == 2 and j == 1:
                continue
            height = share * (pitch - 2 * board) / 2
            place = ((start + end) / 2 * wide, -0.05 * b, low + height)
            colour = SPINES[(3 * k + j) % len(SPINES)]
            shape.detail("box", ((end - start) / 2 * wide, 0.7 * b, height), place, colour)
            band = ((end - start) / 2 * wide, 0.02 * b, 0.08 * height)
            shape.detail("box", band, (place[0], -0.75 * b, low + 1.5 * height), CREAM)


def cabinet(shape: Shape, half: Vector) -> None:
    """Four drawers with handles and labels."""
    a, b, c = half
    shape.add("box", (a, 0.97 * b, c), (0, 0.03 * b, 0))
    height = c / 4
    for k in range(4):
        z = -c + (2 * k + 1) * height
        shape.detail("box", (0.92 * a, 0.02 * b, 0.9 * height), (0, -0.96 * b, z), tinted(shape.colour, 0.25))
        shape.detail("box", (0.3 * a, 0.02 * b, 0.1 * height), (0, -0.985 * b, z + 0.1 * height), BLACK)
        shape.detail(
            "box", (0.18 * a, 0.015 * b, 0.16 * height), (0, -0.98 * b, z + 0.5 * height), WHITE, finish="rubber"
        )
        shape.detail("box", (a, 0.01 * b, 0.03 * height), (0, -0.945 * b, z - height), DARK)


def floor_lamp(shape: Shape, half: Vector) -> None:
    """A slim shade on a pole with a foot."""
    r, _, h = half
    shape.add("cylinder", (r, r, 0.02 * h), (0, 0, -0.98 * h))
    shape.detail("taper", (0.7 * r, 0.7 * r, 0.04 * h), (0, 0, -0.92 * h))
    shape.add("cylinder", (0.3 * r, 0.3 * r, 0.85 * h), (0, 0, -0.1 * h), BRASS, finish="metal")
    shape.add("taper", (r, r, 0.2 * h), (0, 0, 0.78 * h), "#f3d27a", finish="rubber")
    shape.detail("tube", (r, r, 0.02 * h), (0, 0, 0.6 * h), "#b8862b")
    shape.detail("sphere", (0.3 * r,) * 3, (0, 0, 0.98 * h - 0.3 * r), BRASS)


def _ladder(shape: Shape, half: Vector, rung: str, flat: bool) -> None:
    """Two rails, rungs every 28 cm, and feet."""
    a, b, c = half
    rail = 0.13 * a
    for side in (1, -1):
        shape.add("box", (rail, b, c), (side * (a - rail), 0, 0))
        shape.detail("box", (rail, b, 0.03), (side * (a - rail), 0, -c + 0.03), BLACK, finish="rubber")
        shape.detail("box", (rail, b, 0.02), (side * (a - rail), 0, c - 0.02), DARK, finish="rubber")
    count = max(3, round(2 * c / 0.28))
    for k in range(count):
        z = -c + (k + 0.6) * 2 * c / count
        if flat:
            shape.detail("box", (a - rail, 0.95 * b, 0.014), (0, 0, z), rung)
        else:
            shape.detail("cylinder", (0.016, 0.016, a - rail), (0, 0, z), rung, ALONG_X)


def wooden_ladder(shape: Shape, half: Vector) -> None:
    """A ladder with round wooden rungs."""
    _ladder(shape, half, tinted(shape.colour, 0.3), False)


def metal_ladder(shape: Shape, half: Vector) -> None:
    """A ladder with round metal rungs."""
    _ladder(shape, half, tinted(shape.colour, -0.2), False)


def step_ladder(shape: Shape, half: Vector) -> None:
    """A ladder with flat treads."""
    _ladder(shape, half, tinted(shape.colour, 0.3), True)


def _handles(shape: Shape, half: Vector, colour: str) -> None:
    """A lever with its plate on either side, far from the hinge."""
    a, b, _ = half
    x = 0.86 * a
    for side in (1, -1):
        shape.detail("box", (0.025, 0.004, 0.09), (x, side * (b + 0.003), 0), colour, finish="metal")
        out = b + HARDWARE - 0.012
        shape.detail(
            "cylinder", (0.01, 0.01, (out - b) / 2 + 0.004), (x, side * (b + out) / 2, 0.02), colour, ALONG_Y, "metal"
        )
        shape.detail("capsule", (0.011, 0.011, 0.065), (x - 0.05, side * out, 0.02), colour, ALONG_X, "metal")


def door(shape: Shape, half: Vector) -> None:
    """A panelled door."""
    a, b, c = half
    shape.add("box", (a, 0.8 * b, c))
    for z, height in ((0.5, 0.4), (-0.5, 0.38)):
        for x in (-0.45, 0.45):
            dark, light = tinted(shape.colour, -0.3), tinted(shape.colour, 0.12)
            shape.detail("box", (0.34 * a, 0.88 * b, height * c), (x * a, 0, z * c), dark)
            shape.detail("box", (0.28 * a, b, height * c - 0.06 * a), (x * a, 0, z * c), light)
    _handles(shape, half, BRASS)


def glass_door(shape: Shape, half: Vector) -> None:
    """A pane between rails, with a bar to grip and a sticker so that nobody walks into it."""
    a, b, c = half
    shape.add("box", (0.98 * a, 0.7 * b, 0.98 * c), finish="metal")
    for side in (1, -1):
        shape.detail("box", (a, b, 0.06), (0, 0, side * (c - 0.06)), STEEL, finish="metal")
        shape.detail("box", (0.03, b, c), (side * (a - 0.03), 0, 0), STEEL, finish="metal")
        shape.detail("cylinder", (0.1, 0.1, 0.001), (0, side * b, 0.3 * c), "#e0542a", ALONG_Y)
        shape.detail("box", (0.86 * a, 0.001, 0.02), (0, side * b, 0.1 * c), WHITE)
        shape.detail("box", (0.86 * a, 0.001, 0.012), (0, side * b, 0.13 * c), "#e0542a")
    _handles(shape, half, DARK)


def steel_door(shape: Shape, half: Vector) -> None:
    """A fire door: a window, a kick plate, a push bar's warning stripe and rivets."""
    a, b, c = half
    shape.add("box", (a, 0.88 * b, c))
    shape.detail("box", (0.3 * a, 0.94 * b, 0.2 * c), (0.1 * a, 0, 0.55 * c), DARK)
    shape.detail("box", (0.24 * a, b, 0.16 * c), (0.1 * a, 0, 0.55 * c), "#a8d4ea")
    shape.detail("box", (0.95 * a, b, 0.1 * c), (0, 0, -0.86 * c), tinted(shape.colour, 0.35))
    shape.detail("box", (0.95 * a, 0.95 * b, 0.03 * c), (0, 0, 0.12 * c), "#c9302c", finish="rubber")
    for k in range(5):
        for side in (1, -1):
            place = (side * 0.93 * a, 0, (k - 2) * 0.42 * c)
            shape.detail("cylinder", (0.02, 0.02, b), place, tinted(shape.colour, -0.35), ALONG_Y)
    _handles(shape, half, BLACK)
