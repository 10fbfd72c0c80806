"""Pictures and films of a scene as a `Stage` (ReactHuman specification, sections 3.3 and 9).

`picture(spec, labels, view)` shows the bodies as they were at the observed frames, nothing later. A still is the middle
one of these frames, in which the bands of a group differ (they begin alike); a film has all of them, or fewer, spread
evenly from the first to the last, which is the freeze. Bodies are drawn as their colliders, prisms as cylinders;
furniture gets legs, pendulums their rods, and rooms the walls that do not hide the scene. Frames show where things are,
never what they weigh or how it ends.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman.cameras import ROBOT_HEIGHT, camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.scene import Box, Quaternion, Thing, Vector
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stage import Camera, Form, Look, Solid, Stage

VIEWS = ("egocentric", "observer", "overhead")
"""Kinds of still picture."""
FILM_MARK = "_film"
FILMS = {f"{view}{FILM_MARK}": 5 for view in VIEWS}
"""Kinds of moving picture, and how many frames they have unless configured otherwise."""

FORMS: dict[str, Form] = {"sphere": "sphere", "box": "box", "prism": "cylinder", "capsule": "capsule"}

WALL, LEG, ROD = 0.06, 0.025, 0.012
"""Half thickness of walls, half width of legs, radius of rods (m)."""
SOUTH = 2.0
"""Side walls go on this far to the south of the room, where the robot may stand (m)."""
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)

Piece = tuple[Solid, Look, np.ndarray, np.ndarray]
"""A solid, its look, and where it is: (f or 1, 3) m, (f or 1, 4)."""


def picture(
    spec: ReactHumanSpec,
    labels: Labels | None,
    view: View,
    config: ReactHumanConfig | None = None,
) -> Stage:
    """A picture or film of a scene.

    Args:
        spec: the scene. labels: only the observed frames are taken from them, if they are there.
        view: one of `VIEWS`, "closeup", or the film of one, with a number of frames.
        config: for the size of frames and own objects; None: the default.

    Raises:
        ValueError: an unknown kind of view, more frames than were observed, or a scale that leaves no pixel.
    """
    config = config or ReactHumanConfig()
    width_px, height_px = (round(side * view.scale) for side in config.size_px)
    if min(width_px, height_px) < 1:
        raise ValueError(f"view: scale {view.scale:g} leaves no pixel; give a larger one")
    kind = view.kind.removesuffix(FILM_MARK)
    eye = camera(spec, kind, width_px / height_px)
    track = track_of(spec, labels)
    shown = frames_of(spec, view, len(track.times))
    pieces = [*_things(spec, track, shown, config), *_boxes(spec), *_room(spec, eye)]
    if kind != "egocentric":
        pieces += list(_figure(spec))
    f = len(shown)
    times = np.array(track.times)[shown]
    span = float(times[-1] - times[0])
    return Stage(
        width_px=width_px,
        height_px=height_px,
        camera=eye,
        solids=tuple(solid for solid, *_ in pieces),
        times=times - track.times[0],
        pos=np.stack([np.broadcast_to(pos, (f, 3)) for *_, pos, _ in pieces], axis=1),
        quat=np.stack([np.broadcast_to(quat, (f, 4)) for *_, quat in pieces], axis=1),
        looks=tuple(look for _, look, *_ in pieces),
        look=np.tile(np.arange(len(pieces)), (f, 1)),
        fps=(f - 1) / span if span > 0 else 1.0,
        floor=looks.FLOORS.get(spec.room.type, looks.FLOOR),
    )


def track_of(spec: ReactHumanSpec, labels: Labels | None) -> Track:
    """The observed frames, from the labels where they have them, else simulated."""
    return labels.track if labels is not None and labels.track is not None else observed(spec)


def frames_of(spec: ReactHumanSpec, view: View, there: int) -> list[int]:
    """Which of the observed frames a view shows.

    Raises:
        ValueError: more frames than there are, or several of a still.
    """
    if not view.kind.endswith(FILM_MARK):
        return [(there - 1) // 2]
    if not 1 <= view.frames <= there:
        raise ValueError(f"view: {view.frames} frames; {there} of {spec.id} are observed")
    return spread(there, view.frames)


def spread(there: int, frames: int) -> list[int]:
    """Indices of some of `there` frames, spread evenly from the first to the last."""
    return [round(at) for at in np.linspace(0, there - 1, frames)]


def _things(spec: ReactHumanSpec, track: Track, shown: Sequence[int], config: ReactHumanConfig) -> Iterator[Piece]:
    pos, quat = np.array(track.pos)[shown], np.array(track.quat)[shown]
    for k, thing in enumerate(spec.scene.things):
        solid = Solid(thing.name, FORMS[thing.shape], _half(thing))
        yield solid, looks.of_thing(thing, spec.family, config.catalogue), pos[:, k], quat[:, k]
        if thing.hinge is not None and _hangs(thing):
            yield from _rod(thing.name, np.array(thing.hinge.anchor), pos[:, k])


def _half(thing: Thing) -> Vector:
    """Half extents along the body's own axes (m)."""
    x, y, z = thing.size
    return (x, y, z + x) if thing.shape == "capsule" else (x, y, z)


def _hangs(thing: Thing) -> bool:
    """Whether a hinge holds a body from afar, as a pendulum, rather than by its side, as a door."""
    return thing.hinge is not None and abs(thing.hinge.axis[2]) < 0.5


def _rod(name: str, anchor: np.ndarray, pos: np.ndarray) -> Iterator[Piece]:
    """A rod from an anchor (3,) to the places of a body (f, 3)."""
    arm = pos - anchor
    length = float(np.linalg.norm(arm[0]))
    # The half turn about the axis midway between the vertical and the arm takes one to the other.
    middle = arm / length + np.array([0.0, 0.0, -1.0])
    middle /= np.maximum(np.linalg.norm(middle, axis=-1, keepdims=True), 1e-9)
    quat = np.concatenate([np.zeros((len(pos), 1)), middle], axis=1)
    yield Solid(f"{name} rod", "cylinder", (ROD, ROD, length / 2)), looks.ROD, anchor + arm / 2, quat


def _boxes(spec: ReactHumanSpec) -> Iterator[Piece]:
    for box in spec.scene.boxes:
        yield Solid(box.name, "box", box.half, box.name != "wall"), looks.of_box(box), *_still(box.pos, box.quat)
        if box.name in ("table", "stool"):
            yield from _legs(box)


def _legs(box: Box) -> Iterator[Piece]:
    """Four legs under a level top."""
    x, y, z = box.pos
    height = z - box.half[2]
    for k, (i, j) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        foot = (x + i * (box.half[0] - 2 * LEG), y + j * (box.half[1] - 2 * LEG), height / 2)
        yield Solid(f"{box.name} leg {k}", "box", (LEG, LEG, height / 2)), looks.of_box(box), *_still(foot)


def _room(spec: ReactHumanSpec, eye: Camera) -> Iterator[Piece]:
    """The walls whose inner side the camera sees, and the ceiling for who stands below it."""
    width, depth, high = spec.room.width / 2, spec.room.depth / 2, spec.room.height / 2
    x, y, z = eye.position
    # A hair behind walls that are part of the scene, which are drawn already.
    north = depth + 0.01
    middle, length = (north - SOUTH - depth) / 2, (north + SOUTH + depth) / 2
    if y < depth:
        yield Solid("north", "box", (width, WALL, high), False), looks.WALL, *_still((0.0, north + WALL, high))
    for name, side in (("east", 1.0), ("west", -1.0)):
        if side * x < width:
            place = (side * (width + WALL), middle, high)
            yield Solid(name, "box", (WALL, length, high), False), looks.SIDE, *_still(place)
    if z < 2 * high:
        place = (0.0, middle, 2 * high + WALL)
        yield Solid("ceiling", "box", (width, length, WALL), False), looks.CEILING, *_still(place)


def _figure(spec: ReactHumanSpec) -> Iterator[Piece]:
    """Where the robot stands: legs, trunk, head, and arms that point ahead."""
    x, y, _ = spec.robot_root
    head = ROBOT_HEIGHT - 0.10
    parts: list[tuple[str, Form, Vector, Vector]] = [
        ("head", "sphere", (0.10, 0.10, 0.10), (x, y + 0.02, head)),
        ("trunk", "capsule", (0.13, 0.13, 0.27), (x, y, 0.86)),
    ]
    for side, name in ((-1.0, "left"), (1.0, "right")):
        parts.append((f"{name} leg", "capsule", (0.06, 0.06, 0.34), (x + side * 0.09, y, 0.34)))
        parts.append((f"{name} arm", "box", (0.035, 0.14, 0.035), (x + side * 0.19, y + 0.10, 0.90)))
    for name, form, half, place in parts:
        yield Solid(f"robot {name}", form, half), looks.FIGURE, *_still(place)


def _still(pos: Vector, quat: Quaternion = UPRIGHT) -> tuple[np.ndarray, np.ndarray]:
    return np.array([pos]), np.array([quat])
