"""The room around a scene as it is drawn, and what hangs bodies on it: walls, windows, a doorway, ropes (assumed).

Of walls and ceiling only those whose inner side a camera sees are there, with what is on them. Names begin with "room";
nothing here casts a shadow or is touched by anything.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman.blocks import Block, Piece, block
from jaxphys_benchmarks.reacthuman.decor import decor
from jaxphys_benchmarks.reacthuman.scene import Hinge, Quaternion, Thing, Vector
from jaxphys_benchmarks.reacthuman.shapes import extents
from jaxphys_benchmarks.reacthuman.shapes_parts import UPRIGHT
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec, Room
from jaxphys_benchmarks.stage import Camera, Form, Look, Solid

WALL, ROPE, POST = 0.06, 0.012, 0.04
"""Half thickness of walls, radius of ropes, half width of door posts (m)."""
SOUTH = 2.0
"""Side walls go on this far to the south of the room, where the robot may stand (m)."""
BEHIND = 0.01
"""Of the room's north wall behind one that is part of the scene and drawn already (m)."""
TRIM, SKIRTING, PANE, GAP = "#f4f5f3", "#d3d9da", "#e3f4ff", "#8f989e"
"""Colours of frames, of skirting, of the sky in a window, and of what lies behind a doorway."""


def room(spec: ReactHumanSpec, eye: Camera, *, around: bool = False) -> Block:
    """The walls whose inner side the camera sees, and the ceiling for who stands below it.

    Args:
        spec: the scene. eye: the camera. around: side walls and ceiling go on until behind the camera.
    """
    width, depth, high = spec.room.width / 2, spec.room.depth / 2, spec.room.height / 2
    x, y, z = eye.position
    south = max(SOUTH, float(np.ceil(-y - depth)) + 1.0) if around else SOUTH
    return _room(spec.room, y < depth, x < width, -x < width, z < 2 * high, south)


@lru_cache(maxsize=64)
def _room(of: Room, north: bool, east: bool, west: bool, ceiling: bool, south: float) -> Block:
    return block(_pieces(of, north, {"east": east, "west": west}, ceiling, south))


def _pieces(of: Room, seen: bool, beside: Mapping[str, bool], below: bool, south: float) -> Iterator[Piece]:
    """A room, of whose walls and ceiling these are seen; side walls go on so far to its south (m)."""
    width, depth, high = of.width / 2, of.depth / 2, of.height / 2
    north = depth + BEHIND
    middle, length = (north - south - depth) / 2, (north + south + depth) / 2
    walls, ceiling = looks.walls(of.type)
    if seen:
        yield _piece("room north", (width, WALL, high), (0.0, north + WALL, high), walls)
        yield _piece("room north skirting", (width, 0.006, 0.05), (0.0, depth - 0.001, 0.05), Look(SKIRTING))
    for name, side in (("east", 1.0), ("west", -1.0)):
        if beside[name]:
            place = (side * (width + WALL), middle, high)
            yield _piece(f"room {name}", (WALL, length, high), place, walls)
            yield _piece(f"room {name} skirting", (0.006, length, 0.05), (side * width, middle, 0.05), Look(SKIRTING))
            on_wall = _window if side > 0 else _doorway
            yield from on_wall(f"room {name}", side * width, 0.15 * of.depth)
            if side > 0:
                for k, (pos, half, colour) in enumerate(decor(of.type, side, width, 0.15 * of.depth)):
                    yield _piece(f"room {name} furniture {k}", half, pos, Look(colour))
    if below:
        yield _piece("room ceiling", (width, length, WALL), (0.0, middle, 2 * high + WALL), ceiling)


def _window(wall: str, x: float, y: float) -> Iterator[Piece]:
    """A window in a side wall, with its frame, a cross and a sill."""
    half, z, wide = 0.55, 1.5, 0.5
    yield _piece(f"{wall} window", (0.01, half, wide), (x, y, z), Look(PANE))
    bars = [(0.03, half, 0.03, 0.0, side * wide) for side in (1.0, -1.0)]
    bars += [(0.03, 0.03, wide + 0.03, side * half, 0.0) for side in (1.0, -1.0)]
    bars += [
        (0.022, 0.015, wide, 0.0, 0.0),
        (0.022, half, 0.015, 0.0, 0.0),
        (0.07, half + 0.06, 0.02, 0.0, -wide - 0.03),
    ]
    for k, (a, b, c, along, up) in enumerate(bars):
        yield _piece(f"{wall} window bar {k}", (a, b, c), (x, y + along, z + up), Look(TRIM))


def _doorway(wall: str, x: float, y: float) -> Iterator[Piece]:
    """An open doorway in a side wall, and its frame."""
    half, high = 0.42, 1.0
    yield _piece(f"{wall} doorway", (0.014, half, high), (x, y, high), Look(GAP))
    for k, side in enumerate((1.0, -1.0)):
        yield _piece(f"{wall} doorway post {k}", (0.03, 0.04, high), (x, y + side * (half + 0.04), high), Look(TRIM))
    yield _piece(f"{wall} doorway lintel", (0.03, half + 0.08, 0.04), (x, y, 2 * high + 0.04), Look(TRIM))


def held(thing: Thing, pos: np.ndarray) -> Block | None:
    """What holds a body on a hinge: a rope to the ceiling, or the frame of a door; None for a free body.

    Args:
        thing: the body. pos: (f, 3) its centres (m).
    """
    if thing.hinge is None:
        return None
    return block(_rope(thing, thing.hinge, pos) if hangs(thing.hinge) else _frame(thing, thing.hinge))


def hangs(hinge: Hinge) -> bool:
    """Whether a hinge holds a body from afar, as a pendulum, rather than by its side, as a door."""
    return abs(hinge.axis[2]) < 0.5


def _rope(thing: Thing, hinge: Hinge, pos: np.ndarray) -> Iterator[Piece]:
    """A rope from the top of a body to its hinge, and the plate that it is fixed to."""
    anchor = np.array(hinge.anchor)
    arm = pos - anchor
    length = float(np.linalg.norm(arm[0]))
    unit = arm / length
    # The half turn about the axis midway between the vertical and the arm takes one to the other.
    middle = unit + np.array([0.0, 0.0, -1.0])
    middle /= np.maximum(np.linalg.norm(middle, axis=-1, keepdims=True), 1e-9)
    quat = np.concatenate([np.zeros((len(pos), 1)), middle], axis=1)
    long = max(length - 0.9 * extents(thing)[2], ROPE)
    look = looks.of_rope(thing)
    yield Solid(f"{thing.name} rope", "cylinder", (ROPE, ROPE, long / 2)), look, anchor + unit * long / 2, quat
    plate = (hinge.anchor[0], hinge.anchor[1], hinge.anchor[2] + 0.02)
    yield _piece(f"{thing.name} mount", (0.05, 0.05, 0.02), plate, looks.ROD, "cylinder")


def _frame(thing: Thing, hinge: Hinge) -> Iterator[Piece]:
    """Posts and lintel of the doorway that a door closes."""
    half, high = thing.size[0], hinge.com[2] + thing.size[2]
    x, y, _ = hinge.anchor
    across = float(np.hypot(hinge.com[0], hinge.com[1])) * 2
    deep = max(thing.size[1], 0.03) + 0.02
    for k, place in enumerate((x - POST - 0.005, x + across + POST + 0.005)):
        yield _piece(f"{thing.name} post {k}", (POST, deep, high / 2), (place, y, high / 2), Look(TRIM))
    wide = half + 2 * POST + 0.005
    yield _piece(f"{thing.name} lintel", (wide, deep, POST), (x + across / 2, y, high + POST + 0.01), Look(TRIM))


def _piece(name: str, half: Vector, pos: Vector, look: Look, form: Form = "box", quat: Quaternion = UPRIGHT) -> Piece:
    return Solid(name, form, half, False), look, np.array([pos]), np.array([quat])
