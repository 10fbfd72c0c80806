"""Composed shapes of what is used in a kitchen: crockery, cutlery, tins, bottles, a pan and an iron.

Each function takes the half extents of the collider (m), a capsule's round ends included, and fills the shape. Prisms
stand along z, capsules lie along their own z.
"""

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import (
    ALONG_Y,
    BLACK,
    BLUE,
    BRASS,
    CREAM,
    DARK,
    FLIPPED,
    RED,
    STEEL,
    WHITE,
    Shape,
    about,
    corner,
    tinted,
)  # fmt: skip


def plate(shape: Shape, half: Vector) -> None:
    """A dish on a foot, its rim coloured."""
    r, _, h = half
    shape.add("taper", (r, r, 0.85 * h), (0, 0, -0.15 * h), quat=FLIPPED)
    shape.detail("tube", (r, r, 0.3 * h), (0, 0, 0.7 * h), BLUE)
    shape.detail("cylinder", (0.55 * r, 0.55 * r, 0.1 * h), (0, 0, 0.72 * h), tinted(shape.colour, -0.12))


def mug(shape: Shape, half: Vector) -> None:
    """A mug of coffee with a handle."""
    r, _, h = half
    body, at = 0.78 * r, -0.22 * r
    shape.add("tube", (body, body, h), (at, 0, 0))
    shape.add("cylinder", (0.9 * body, 0.9 * body, 0.8 * h), (at, 0, -0.2 * h))
    shape.detail("cylinder", (0.82 * body, 0.82 * body, 0.06 * h), (at, 0, 0.62 * h), "#4b2c1a")
    shape.detail("tube", (0.42 * r, 0.62 * h, 0.13 * r), (0.57 * r, 0, 0), quat=ALONG_Y)
    for z in (0.55, -0.55):
        shape.detail("cylinder", (1.005 * body, 1.005 * body, 0.08 * h), (at, 0, z * h), WHITE)


def bottle(shape: Shape, half: Vector) -> None:
    """A water bottle: body, label, shoulder, neck and cap."""
    r, _, h = half
    shape.add("cylinder", (0.97 * r, 0.97 * r, 0.62 * h), (0, 0, -0.38 * h))
    shape.add("taper", (0.97 * r, 0.97 * r, 0.17 * h), (0, 0, 0.41 * h))
    shape.detail("cylinder", (0.42 * r, 0.42 * r, 0.12 * h), (0, 0, 0.68 * h))
    shape.detail("cylinder", (0.5 * r, 0.5 * r, 0.11 * h), (0, 0, 0.89 * h), BLUE)
    shape.detail("cylinder", (r, r, 0.24 * h), (0, 0, -0.25 * h), WHITE)
    shape.detail("cylinder", (1.01 * r, 1.01 * r, 0.06 * h), (0, 0, -0.25 * h), RED)


def spice(shape: Shape, half: Vector) -> None:
    """A jar of spice with a label and a lid."""
    r, _, h = half
    shape.add("cylinder", (0.95 * r, 0.95 * r, 0.72 * h), (0, 0, -0.28 * h))
    shape.detail("cylinder", (r, r, 0.32 * h), (0, 0, -0.35 * h), CREAM)
    shape.detail("cylinder", (0.75 * r, 0.75 * r, 0.08 * h), (0, 0, 0.5 * h), STEEL)
    shape.add("cylinder", (0.9 * r, 0.9 * r, 0.22 * h), (0, 0, 0.78 * h), DARK)


def can(shape: Shape, half: Vector) -> None:
    """A tin with rims, and a label around it."""
    r, _, h = half
    shape.add("cylinder", (0.95 * r, 0.95 * r, 0.95 * h))
    shape.detail("cylinder", (0.97 * r, 0.97 * r, 0.68 * h), colour=RED, finish="rubber")
    shape.detail("cylinder", (0.98 * r, 0.98 * r, 0.2 * h), colour=CREAM, finish="rubber")
    for side in (1.0, -1.0):
        shape.detail("tube", (r, r, 0.07 * h), (0, 0, 0.93 * side * h))
        shape.detail("tube", (0.6 * r, 0.6 * r, 0.02 * h), (0, 0, 0.95 * side * h), DARK)


def canister(shape: Shape, half: Vector) -> None:
    """A pressure bottle: round ends, bands and a valve."""
    r, _, h = half
    shape.add("capsule", (0.96 * r, 0.96 * r, 0.93 * h), (0, 0, -0.06 * h))
    for z, colour in ((0.3, "#e8b21c"), (-0.3, "#e8b21c"), (0.0, WHITE)):
        shape.detail("cylinder", (r, r, 0.06 * h), (0, 0, z * h), colour)
    shape.detail("cylinder", (0.22 * r, 0.22 * r, 0.1 * h), (0, 0, 0.9 * h), BRASS)
    shape.detail("tube", (0.45 * r, 0.45 * r, 0.03 * h), (0, 0, 0.88 * h), DARK)


def pan(shape: Shape, half: Vector) -> None:
    """A round pan whose handle points to a corner."""
    a, _, h = half
    r, at = 0.72 * a, -0.27 * a
    shape.add("cylinder", (r, r, 0.5 * h), (at, at, -0.5 * h))
    shape.detail("tube", (r, r, h), (at, at, 0), tinted(shape.colour, -0.25))
    shape.detail("cylinder", (0.78 * r, 0.78 * r, 0.1 * h), (at, at, 0.02 * h), "#2a2c2e")
    reach = 0.93 * a
    start = at + 0.68 * r
    middle, length = (start + reach) / 2, (reach - start) / 2**0.5
    shape.add("box", (length, 0.13 * a, 0.55 * h), (middle, middle, 0.2 * h), BLACK, about(2, 45))
    shape.detail("cylinder", (0.06 * a, 0.06 * a, 0.6 * h), (0.82 * a, 0.82 * a, 0.2 * h), STEEL)


def knife(shape: Shape, half: Vector) -> None:
    """A kitchen knife that lies along x: handle, rivets, blade and point."""
    a, b, c = half
    z = -0.3 * c
    shape.add("box", (0.42 * a, 0.75 * b, 0.7 * c), (-0.58 * a, 0.1 * b, z), "#20150f", finish="rubber")
    shape.detail("box", (0.05 * a, 0.9 * b, 0.6 * c), (-0.13 * a, 0, z), STEEL)
    for x in (-0.85, -0.6, -0.35):
        shape.detail("cylinder", (0.2 * b, 0.2 * b, 0.05 * c), (x * a, 0.1 * b, z + 0.7 * c), STEEL)
    shape.add("box", (0.36 * a, b, 0.15 * c), (0.28 * a, 0, z))
    shape.add("wedge", (0.15 * c, 0.18 * a, b), (0.82 * a, 0, z), quat=corner((1, 0, 0), (0, -1, 0)))


def iron(shape: Shape, half: Vector) -> None:
    """A flat iron, its point towards -y: sole, body, handle and a red light."""
    a, b, c = half
    for z, thick, wide, colour in ((-0.88, 0.12, 1.0, STEEL), (-0.45, 0.32, 0.86, shape.colour)):
        shape.add("box", (wide * a, 0.45 * b, thick * c), (0, 0.5 * b, z * c), colour)
        for side in (1, -1):
            place = (0.5 * wide * side * a, -0.45 * b, z * c)
            tip = corner((0, -1, 0), (side, 0, 0))
            shape.add("wedge", (thick * c, 0.5 * b, 0.5 * wide * a), place, colour, tip)
    shape.add("box", (0.3 * a, 0.1 * b, 0.4 * c), (0, 0.62 * b, 0.2 * c), DARK)
    shape.add("box", (0.22 * a, 0.1 * b, 0.4 * c), (0, -0.3 * b, 0.2 * c), DARK)
    shape.add("capsule", (0.24 * a, 0.24 * a, 0.72 * b), (0, 0.14 * b, 0.7 * c), DARK, ALONG_Y)
    shape.detail("sphere", (0.16 * a,) * 3, (0, -0.55 * b, -0.08 * c), RED)
    shape.detail("cylinder", (0.3 * a, 0.3 * a, 0.05 * c), (0, 0.25 * b, -0.12 * c), WHITE)
