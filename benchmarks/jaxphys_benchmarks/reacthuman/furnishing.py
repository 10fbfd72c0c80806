"""The furniture of a scene as it is drawn: what nothing moves, with legs, brackets, treads and supports (assumed).

The boxes that bodies touch are drawn in their place and size; all else only stands below or beside them.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman.blocks import Block, Piece, block
from jaxphys_benchmarks.reacthuman.rooms import STAIR_RISE
from jaxphys_benchmarks.reacthuman.scene import Box, Quaternion, Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import ALONG_Y, STEEL, UPRIGHT, about, corner, joined, tinted, turned
from jaxphys_benchmarks.stage import Form, Look, Solid

LEG = 0.025
"""Half width of legs (m)."""
RAIL = 0.85
"""Height of a banister above its step (m)."""


KEPT = 256
"""Furniture that is remembered: scenes of a group have the same."""


@lru_cache(maxsize=KEPT)
def furnished(boxes: tuple[Box, ...], room: str) -> Block:
    """The boxes of a scene in a kind of room, and what belongs to each."""
    return block(_furnished(boxes, room))


def _furnished(boxes: tuple[Box, ...], room: str) -> Iterator[Piece]:
    for box in boxes:
        yield _piece(box.name, "box", box.half, box.pos, looks.of_box(box, room).colour, box.quat, box.name != "wall")
        kind = box.name.split("_")[0]
        if kind in KINDS:
            yield from KINDS[kind](box)


def _piece(
    name: str, form: Form, half: Vector, pos: Vector, colour: str, quat: Quaternion = UPRIGHT, casts: bool = True
) -> Piece:
    return Solid(name, form, half, casts), Look(colour), np.array([pos]), np.array([quat])


def _table(box: Box) -> Iterator[Piece]:
    """An apron and four legs below a top; a dark edge around it."""
    (x, y, z), (a, b, c) = box.pos, box.half
    colour = looks.of_box(box).colour
    under = z - c
    yield _piece(f"{box.name} edge", "box", (a + 0.004, b + 0.004, 0.3 * c), (x, y, z - 0.3 * c), tinted(colour, -0.3))
    apron = min(0.04, under / 4)
    for k, side in enumerate((-1, 1)):
        along = (a - 3 * LEG, 0.01, apron)
        across = (0.01, b - 3 * LEG, apron)
        dark = tinted(colour, -0.18)
        yield _piece(
            f"{box.name} apron {k}", "box", along, (x, y + side * (b - 2 * LEG), under - apron), dark, casts=False
        )
        yield _piece(
            f"{box.name} apron {k + 2}", "box", across, (x + side * (a - 2 * LEG), y, under - apron), dark, casts=False
        )
    yield from _legs(box, tinted(colour, -0.1))


def _stool(box: Box) -> Iterator[Piece]:
    """Four legs and two rungs below a seat."""
    (x, y, _), (a, b, _) = box.pos, box.half
    colour = looks.of_box(box).colour
    for k, side in enumerate((-1, 1)):
        place = (x + side * (a - 2 * LEG), y, 0.15)
        yield _piece(
            f"{box.name} rung {k}", "box", (0.012, b - 2 * LEG, 0.012), place, tinted(colour, -0.2), casts=False
        )
    yield from _legs(box, tinted(colour, -0.1))


def _legs(box: Box, colour: str) -> Iterator[Piece]:
    x, y, z = box.pos
    height = z - box.half[2]
    for k, (i, j) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        foot = (x + i * (box.half[0] - 2 * LEG), y + j * (box.half[1] - 2 * LEG), height / 2)
        yield _piece(f"{box.name} leg {k}", "box", (LEG, LEG, height / 2), foot, colour)


def _shelf(box: Box) -> Iterator[Piece]:
    """Two brackets below a board, and a rail at the wall."""
    (x, y, z), (a, b, c) = box.pos, box.half
    for k, side in enumerate((-1, 1)):
        half = (0.012, 0.8 * b, 0.07)
        place = (x + side * 0.7 * a, y + 0.2 * b, z - c - 0.07)
        yield _piece(f"{box.name} bracket {k}", "wedge", half, place, "#4a4f55", corner((0, -1, 0), (0, 0, -1)), False)
    edge = (a, 0.004, c)
    yield _piece(f"{box.name} edge", "box", edge, (x, y - b, z), tinted(looks.of_box(box).colour, -0.25), casts=False)


def _ramp(box: Box) -> Iterator[Piece]:
    """A solid support below a slope, and painted edges on it."""
    quat = np.array(box.quat)
    up = turned(quat, np.array([0.0, 1.0, 0.0]))
    over = turned(quat, np.array([0.0, 0.0, 1.0]))
    a, b, c = box.half
    level = float(np.hypot(up[0], up[1]))
    yaw = float(np.degrees(np.arctan2(-up[0], up[1])))
    half = (0.94 * a, b * level, b * float(up[2]))
    middle = (box.pos[0], box.pos[1], half[2])
    colour = looks.of_box(box).colour
    if half[2] > 0.01:
        side_on = joined(about(2, yaw), corner((0, -1, 0), (0, 0, 1)))
        yield _piece(f"{box.name} support", "wedge", half, middle, tinted(colour, -0.35), side_on)
    for k, side in enumerate((-1, 1)):
        out = turned(quat, np.array([side * (a - 0.012), 0.0, 0.0])) + c * over * 0.02
        x, y, z = (float(p + o) for p, o in zip(box.pos, out, strict=True))
        yield _piece(f"{box.name} edge {k}", "box", (0.012, b, 1.02 * c), (x, y, z), "#5c656c", box.quat, False)


def _step(box: Box) -> Iterator[Piece]:
    """A tread of another colour, and a baluster with its piece of the banister on either side."""
    (x, y, z), (a, b, c) = box.pos, box.half
    top = z + c
    colour = tinted(looks.of_box(box).colour, -0.45)
    yield _piece(f"{box.name} nosing", "box", (a, 0.018, 0.012), (x, y - b + 0.014, top - 0.0119), colour, casts=False)
    yield _piece(f"{box.name} riser", "box", (a, 0.003, 0.09), (x, y - b, top - 0.09), "#ded8cc", casts=False)
    slope = float(np.degrees(np.arctan2(STAIR_RISE, 2 * b)))
    rail = (0.02, 0.02, float(np.hypot(b, STAIR_RISE / 2)) + 0.01)
    for k, side in enumerate((-1, 1)):
        place = x + side * (a + 0.03)
        yield _piece(
            f"{box.name} baluster {k}",
            "box",
            (0.012, 0.012, (top + RAIL) / 2),
            (place, y, (top + RAIL) / 2),
            STEEL,
            casts=False,
        )
        turn = joined(about(0, slope), ALONG_Y)
        yield _piece(f"{box.name} rail {k}", "cylinder", rail, (place, y, top + RAIL), "#6b4a2b", turn, False)


KINDS: dict[str, Callable[[Box], Iterator[Piece]]] = {
    "table": _table,
    "stool": _stool,
    "shelf": _shelf,
    "ramp": _ramp,
    "step": _step,
}
"""What belongs to a box, by the first word of its name."""
