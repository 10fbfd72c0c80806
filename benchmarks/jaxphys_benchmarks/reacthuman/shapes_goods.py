"""Composed shapes of books, boxes, tools and toys; for the arguments see `shapes_kitchen`."""

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import (
    ALONG_X,
    ALONG_Y,
    BLACK,
    BRASS,
    CREAM,
    DARK,
    FLIPPED,
    RED,
    STEEL,
    WHITE,
    Shape,
    corner,
    tinted,
)  # fmt: skip


def book(shape: Shape, half: Vector) -> None:
    """Covers, pages and a spine towards -x, with a title."""
    a, b, c = half
    thin = 0.16 * c
    for side in (1, -1):
        shape.add("box", (a, b, thin), (0, 0, side * (c - thin)), casts=side > 0)
    shape.detail("box", (0.94 * a, 0.95 * b, c - 2 * thin), (0.02 * a, 0, 0), CREAM)
    shape.detail("box", (0.06 * a, b, c), (-0.94 * a, 0, 0), tinted(shape.colour, -0.25))
    for side in (1, -1):
        z = side * c
        shape.detail("box", (0.62 * a, 0.1 * b, 0.03 * c), (0.05 * a, 0.5 * b, z), WHITE)
        shape.detail("box", (0.45 * a, 0.05 * b, 0.03 * c), (0.05 * a, 0.25 * b, z), WHITE)
        shape.detail("cylinder", (0.3 * a, 0.3 * a, 0.03 * c), (0.05 * a, -0.35 * b, z), BRASS)


def shard(shape: Shape, half: Vector) -> None:
    """A splinter of glass: a slanted triangle with bright edges and a crack."""
    a, b, c = half
    bright, deep = tinted(shape.colour, 0.6), "#4fb9c6"
    left, right = (0.65 * a, b), (0.35 * a, b)
    shape.add("wedge", (c, *left), (-0.35 * a, 0, 0), deep, quat=corner((-1, 0, 0), (0, -1, 0)), finish="metal")
    shape.add("wedge", (c, *right), (0.65 * a, 0, 0), deep, quat=corner((1, 0, 0), (0, -1, 0)), finish="metal")
    shape.detail("box", (a, 0.04 * b, 1.02 * c), (0, 0.95 * b, 0), bright)
    shape.detail("box", (0.03 * a, 0.5 * b, 1.02 * c), (0.2 * a, 0.4 * b, 0), bright)


def bat(shape: Shape, half: Vector) -> None:
    """Knob, wrapped grip, taper and barrel, along z."""
    r, _, h = half
    shape.detail("cylinder", (0.75 * r, 0.75 * r, 0.02 * h), (0, 0, -0.975 * h), "#5b3a1c")
    shape.add("cylinder", (0.42 * r, 0.42 * r, 0.22 * h), (0, 0, -0.74 * h), BLACK)
    shape.add("taper", (0.86 * r, 0.86 * r, 0.34 * h), (0, 0, -0.2 * h), quat=FLIPPED)
    shape.add("capsule", (0.98 * r, 0.98 * r, 0.45 * h), (0, 0, 0.54 * h))
    shape.detail("cylinder", (r, r, 0.015 * h), (0, 0, 0.3 * h), RED)
    shape.detail("cylinder", (r, r, 0.09 * h), (0, 0, 0.5 * h), tinted(shape.colour, -0.35))


def anvil(shape: Shape, half: Vector) -> None:
    """Foot, waist, face and horn; the horn points towards +x."""
    a, b, c = half
    light = tinted(shape.colour, 0.3)
    shape.add("box", (0.75 * a, 0.85 * b, 0.16 * c), (-0.1 * a, 0, -0.84 * c))
    shape.detail("box", (0.85 * a, b, 0.06 * c), (-0.1 * a, 0, -0.94 * c), light)
    shape.add("taper", (0.6 * a, 0.7 * b, 0.3 * c), (-0.1 * a, 0, -0.4 * c))
    shape.add("box", (0.4 * a, 0.5 * b, 0.25 * c), (-0.1 * a, 0, 0.1 * c))
    shape.add("box", (0.7 * a, 0.8 * b, 0.3 * c), (-0.3 * a, 0, 0.6 * c))
    shape.detail("box", (0.7 * a, 0.8 * b, 0.05 * c), (-0.3 * a, 0, 0.95 * c), light, finish="metal")
    shape.add("taper", (0.28 * c, 0.6 * b, 0.32 * a), (0.68 * a, 0, 0.66 * c), light, ALONG_X)
    shape.detail("box", (0.08 * a, 0.12 * b, 0.02 * c), (-0.8 * a, 0, 0.985 * c), BLACK)


def crate(shape: Shape, half: Vector) -> None:
    """Slats on a dark inside, posts at the corners and a brace."""
    a, b, c = half
    shape.add("box", (0.9 * a, 0.9 * b, 0.9 * c), colour=tinted(shape.colour, -0.65))
    for k in (-1, 0, 1):
        z = 0.66 * k * c
        shape.detail("box", (a, 0.97 * b, 0.26 * c), (0, 0, z), tinted(shape.colour, 0.08 * (k + 1)))
        shape.detail("box", (0.97 * a, 0.26 * b, 0.97 * c), (0, 0.66 * k * b, 0), tinted(shape.colour, 0.06 * (k + 1)))
    dark = tinted(shape.colour, -0.25)
    for i in (1, -1):
        for j in (1, -1):
            shape.detail("box", (0.1 * a, 0.1 * b, c), (0.9 * i * a, 0.9 * j * b, 0), dark)
            shape.detail("box", (a, 0.1 * b, 0.1 * c), (0, 0.9 * i * b, 0.9 * j * c), dark)
            shape.detail("box", (0.1 * a, b, 0.1 * c), (0.9 * i * a, 0, 0.9 * j * c), dark)


def toolbox(shape: Shape, half: Vector) -> None:
    """A box with a lid, latches and an arched handle."""
    a, b, c = half
    shape.add("box", (a, b, 0.5 * c), (0, 0, -0.5 * c))
    shape.add("box", (0.98 * a, 0.96 * b, 0.2 * c), (0, 0, 0.22 * c), tinted(shape.colour, -0.35))
    shape.detail("box", (a, b, 0.04 * c), (0, 0, 0.0), BLACK)
    for side in (1, -1):
        shape.detail("box", (0.09 * a, b, 0.22 * c), (side * 0.55 * a, 0, 0.02 * c), STEEL, finish="metal")
        shape.add("box", (0.05 * a, 0.12 * b, 0.26 * c), (side * 0.5 * a, 0, 0.6 * c), DARK)
    shape.add("capsule", (0.13 * c, 0.13 * c, 0.56 * a), (0, 0, 0.86 * c), DARK, ALONG_X)
    shape.detail("box", (0.3 * a, 1.0 * b, 0.14 * c), (0, 0, -0.55 * c), WHITE)


def throwing_knife(shape: Shape, half: Vector) -> None:
    """A blade that points up along z, and a wrapped grip."""
    a, b, c = half
    shape.add("box", (0.75 * a, b, 0.4 * c), (0, 0, -0.6 * c), RED, finish="rubber")
    for k in range(4):
        shape.detail("box", (0.85 * a, b, 0.03 * c), (0, 0, (-0.9 + 0.2 * k) * c), BLACK, finish="rubber")
    shape.detail("box", (a, b, 0.04 * c), (0, 0, -0.18 * c), BLACK, finish="rubber")
    shape.add("box", (0.9 * a, 0.7 * b, 0.36 * c), (0, 0, 0.2 * c))
    for side in (1, -1):
        place = (0.45 * side * a, 0, 0.78 * c)
        shape.add("wedge", (0.7 * b, 0.45 * a, 0.22 * c), place, quat=corner((side, 0, 0), (0, 0, 1)))
    shape.detail("box", (0.12 * a, 0.8 * b, 0.34 * c), (0, 0, 0.2 * c), tinted(shape.colour, -0.4))


def sandbag(shape: Shape, half: Vector) -> None:
    """A filled sack, tied with rope."""
    a, b, c = half
    rope = "#6b4a2b"
    shape.add("ellipsoid", (a, b, 0.62 * c), (0, 0, -0.38 * c))
    shape.add("taper", (0.8 * a, 0.8 * b, 0.4 * c), (0, 0, 0.3 * c))
    shape.detail("tube", (0.42 * a, 0.42 * b, 0.06 * c), (0, 0, 0.66 * c), rope)
    shape.detail("tube", (0.46 * a, 0.46 * b, 0.03 * c), (0, 0, 0.6 * c), rope)
    shape.add("taper", (0.55 * a, 0.55 * b, 0.13 * c), (0, 0, 0.85 * c), quat=FLIPPED)
    shape.detail("box", (0.4 * a, 0.97 * b, 0.16 * c), (0, 0, -0.38 * c), "#3f6ea5")
    shape.detail("box", (0.34 * a, 0.98 * b, 0.05 * c), (0, 0, -0.38 * c), WHITE)


def block(shape: Shape, half: Vector) -> None:
    """A toy block: framed faces, each with a coloured disc."""
    a, b, c = half
    shape.add("box", (0.97 * a, 0.97 * b, 0.97 * c))
    dark = tinted(shape.colour, -0.4)
    for i in (1, -1):
        for j in (1, -1):
            shape.detail("box", (0.1 * a, 0.1 * b, c), (0.9 * i * a, 0.9 * j * b, 0), dark)
            shape.detail("box", (a, 0.1 * b, 0.1 * c), (0, 0.9 * i * b, 0.9 * j * c), dark)
            shape.detail("box", (0.1 * a, b, 0.1 * c), (0.9 * i * a, 0, 0.9 * j * c), dark)
    shape.detail("cylinder", (0.45 * a, 0.45 * a, c), colour=RED)
    shape.detail("cylinder", (0.45 * a, 0.45 * a, b), colour="#2f62b5", quat=ALONG_Y)
    shape.detail("cylinder", (0.45 * a, 0.45 * a, a), colour="#3f8f3a", quat=ALONG_X)


def concrete(shape: Shape, half: Vector) -> None:
    """What looks like a block of concrete: two hollows and a rough, speckled face."""
    a, b, c = half
    dark = tinted(shape.colour, -0.6)
    shape.add("box", half)
    for side in (1, -1):
        shape.detail("box", (0.34 * a, 0.6 * b, 1.004 * c), (side * 0.46 * a, 0, 0), dark)
    for k in range(14):
        x, y, z = ((k * p % 17) / 8.5 - 1 for p in (3, 5, 7))
        face = k % 2 * 2 - 1
        speck = (0.06 * a, 0.004 * b, 0.06 * c) if k % 3 else (0.004 * a, 0.06 * b, 0.06 * c)
        place = (0.85 * x * a, face * b, 0.85 * z * c) if k % 3 else (face * a, 0.85 * y * b, 0.85 * z * c)
        shape.detail("box", speck, place, tinted(shape.colour, -0.3 if k % 4 else 0.4))


def pusher(shape: Shape, half: Vector) -> None:
    """What strikes others: a block with a bumper towards -y, stripes and an arrow on top."""
    a, b, c = half
    shape.add("box", (a, 0.9 * b, c), (0, 0.1 * b, 0))
    shape.detail("box", (0.96 * a, 0.1 * b, 0.9 * c), (0, -0.9 * b, 0), BLACK)
    for side in (1, -1):
        shape.detail("box", (0.08 * a, 0.85 * b, 1.01 * c), (0.8 * side * a, 0.1 * b, 0), "#f2c230")
        head = corner((side, 0, 0), (0, -1, 0))
        shape.detail("wedge", (0.02 * c, 0.2 * a, 0.3 * b), (0.2 * side * a, -0.35 * b, c), WHITE, head)
    shape.detail("box", (0.12 * a, 0.4 * b, 0.02 * c), (0, 0.35 * b, c), WHITE)
