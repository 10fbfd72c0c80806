"""Where a scene is seen from (ReactHuman specification, section 3.3): cameras from the spec alone.

`egocentric` is the head of the standing robot, `HEAD` from its pelvis, so 1.25 m above the floor. It faces +Y, and is
turned aside only by what the hazard starts beyond `ASIDE_DEG` of that. It is pitched so that the picture holds the
hazard as it starts, and the floor a step ahead of the robot (`FLOOR_DEG` below the horizon); its vertical field of view
is no wider than that takes, within `HEAD_FOV_DEG`. Where even the widest does not hold both, the hazard counts. The
others are aimed between the hazard and the robot, from as far as it takes to keep both within `MARGIN` of their field
of view: `observer` from behind to one side, `closeup` from the other side, `overhead` from above. A camera does not
move during a scene, and is not told what will happen in it: bands of a group that start alike have the same, which is
all of them but for decoys, bounces with `bounce=contact`, and ramps and pendulums of the early parametrisation. What
flies is past the robot long before a published window ends; there `observer` looks from the side, and has in the
picture how far the fastest band gets (`FLIGHTS`). Assumed, except that they exist.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from jaxphys_benchmarks.reacthuman.scene import Hinge, Thing, Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import cross
from jaxphys_benchmarks.reacthuman.spec import BANDS, ReactHumanSpec
from jaxphys_benchmarks.stage import Camera

HEAD: Vector = (0.10, 0.0, 0.46)
"""The head camera, (forward, left, up) from the pelvis (m)."""
HEAD_FOV_DEG = (62.0, 100.0)
"""Vertical fields of view of the head camera, least and largest."""
PITCH_DEG = (-40.0, 60.0)
"""Least and largest pitch of the head camera, upwards."""
FLOOR_DEG = -50.0
"""Elevation of the floor a step ahead: 1.05 m from the eye."""
ASIDE_DEG, TURN_DEG = 25.0, 60.0
"""A hazard may be this far from straight ahead before the head turns, and the head turns no farther than this."""
STEEP = 2.0
"""Height over distance, seen from the head, of what is overhead: the head does not turn for it."""
FOV_DEG = (40.0, 55.0)
"""Vertical fields of view of the other cameras, least and largest."""
MARGIN = 0.88
"""Share of the field of view that is used."""
BEHIND, BESIDE = (0.75, -0.60, 0.28), (1.0, -0.25, 0.22)
"""Directions of the observer from what it looks at, on the east side."""
FLIGHTS: Mapping[str, int] = {"thrown_object": 1, "bouncing_object": 0}
"""Families whose objects fly past the robot with the speed that is drawn, and how many of the last frames `observer`
need not show: a throw is so far away by then that it would be too small in all of them."""
OFF_WALL = 0.4
"""How near to a wall a camera gets that stays in the room (m): a wall beside it would fill half the picture."""
OFF_CEILING = 0.15
"""How near to the ceiling: more than the distance from which things are seen (m)."""
SOUTHWARDS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""By how much a camera that would leave the room is turned to the south, as shares are tried."""
LOWER = 0.5
"""And by how much it is lowered where it would be above the ceiling even so."""
ROBOT_HEIGHT = 1.32
KEPT = 1024
"""Cameras that are remembered: bands of a group that start alike have the same."""

Array = np.ndarray


def camera(spec: ReactHumanSpec, kind: str, aspect: float, also: Sequence[Array] = ()) -> Camera:
    """A camera of a scene.

    Args:
        spec: the scene. kind: one of `KINDS`. aspect: width over height of the picture.
        also: (3,) further places (m) that all cameras but that of the head keep in the picture, for films of what a
            robot does.

    Raises:
        ValueError: unknown kind.
    """
    if kind not in KINDS:
        raise ValueError(f"view: no camera {kind!r}; give one of {', '.join(KINDS)}")
    return KINDS[kind](spec, aspect, also) if len(also) else _remembered(_Asked(_key(spec), kind, aspect, spec))


@dataclass(frozen=True)
class _Asked:
    """A camera that is asked for.

    Attributes:
        key: all of its scene that it depends on. kind, aspect: of `camera`. spec: a scene with that key.
    """

    key: tuple[Any, ...]
    kind: str
    aspect: float
    spec: ReactHumanSpec = field(compare=False)


@lru_cache(maxsize=KEPT)
def _remembered(asked: _Asked) -> Camera:
    return KINDS[asked.kind](asked.spec, asked.aspect, ())


def _key(spec: ReactHumanSpec) -> tuple[Any, ...]:
    starts = tuple((t.name, t.shape, t.size, t.pos, t.quat, t.hinge and _hung(t.hinge)) for t in spec.scene.things)
    flight = tuple(tuple(point.tolist()) for point in way_beyond(spec))
    return (spec.robot_root, spec.room.height, spec.tracked, flight, starts)


def _hung(hinge: Hinge) -> tuple[Any, ...]:
    return (hinge.anchor, hinge.axis, hinge.com, hinge.angle)


def published(spec: ReactHumanSpec, kinds: Sequence[str], size_px: tuple[int, int]) -> dict[str, Any]:
    """Cameras under their published names (sections 10.1 and 10.2), intrinsics and extrinsics those of the first.

    A point p (m) of the world is seen at (fx x / z + cx, fy y / z + cy) px with (x, y, z) = R p + t.

    Args:
        spec: the scene. kinds: of the cameras, see `KINDS`. size_px: width and height of their pictures.
    """
    width, height = size_px
    shots = {kind: camera(spec, kind, width / height) for kind in kinds}
    rows = [
        {"name": kind, "pos": list(shot.position), "lookat": list(shot.target), "fov": shot.fov_deg}
        for kind, shot in shots.items()
    ]
    if not rows:
        return {"cameras": rows}
    first = shots[kinds[0]]
    eye = np.array(first.position)
    forward = (np.array(first.target) - eye) / np.linalg.norm(np.array(first.target) - eye)
    right = np.cross(forward, (0.0, 0.0, 1.0)) / np.hypot(forward[0], forward[1])
    turned = np.stack([right, np.cross(forward, right), forward])
    focal = round(0.5 * height / float(np.tan(np.radians(first.fov_deg) / 2)), 6)
    return {
        "cameras": rows,
        "camera_intrinsics": {"fx": focal, "fy": focal, "cx": width / 2, "cy": height / 2},
        "camera_extrinsics": {"R": [list(_vector(row)) for row in turned], "t": list(_vector(-turned @ eye))},
    }


def _egocentric(spec: ReactHumanSpec, aspect: float, also: Sequence[Array]) -> Camera:
    x, y, z = spec.robot_root
    eye = np.array([x - HEAD[1], y + HEAD[0], z + HEAD[2]])
    hazard = next(thing for thing in spec.scene.things if thing.name == spec.tracked)
    ahead = start(hazard) - eye
    bearing = float(np.degrees(np.arctan2(-ahead[0], ahead[1])))
    # What is all but overhead has no bearing to speak of.
    overhead = ahead[2] > STEEP * float(np.hypot(ahead[0], ahead[1]))
    turn = 0.0 if overhead else np.radians(np.sign(bearing) * min(max(abs(bearing) - ASIDE_DEG, 0.0), TURN_DEG))
    away = extent(hazard) - eye
    level = np.hypot(away[:, 0], away[:, 1])
    ahead_of = away[:, 1] * np.cos(turn) - away[:, 0] * np.sin(turn)
    # What is overhead may reach beyond the zenith.
    heights = np.degrees(np.arctan2(away[:, 2], np.where(away[:, 2] > STEEP * level, ahead_of, level)))
    low, high = min(float(heights.min()), FLOOR_DEG), float(heights.max())
    span = min((high - low) / MARGIN, HEAD_FOV_DEG[1])
    # Where both do not fit the upper edge is kept: hazards come from there.
    middle = float(np.clip(max((low + high) / 2, high - MARGIN * span / 2), *PITCH_DEG))
    # A head that cannot be pitched that far sees the hazard with a wider lens.
    fov = float(np.clip(max(span, 2 * np.abs(heights - middle).max() / MARGIN), *HEAD_FOV_DEG))
    pitch = np.radians(middle)
    gaze = np.array([-np.sin(turn) * np.cos(pitch), np.cos(turn) * np.cos(pitch), np.sin(pitch)])
    return Camera(_vector(eye), _vector(eye + gaze), round(fov, 3))


def _observer(spec: ReactHumanSpec, aspect: float, also: Sequence[Array]) -> Camera:
    beyond = way_beyond(spec)
    towards = np.array(BESIDE if len(beyond) else BEHIND) * (_free_side(spec), 1.0, 1.0)
    if len(also):
        return _indoors(spec, towards, aspect, [*beyond, *also])
    return _aimed(spec, towards, aspect, beyond=beyond)


def _closeup(spec: ReactHumanSpec, aspect: float, also: Sequence[Array]) -> Camera:
    towards = np.array([-0.70 * _free_side(spec), -0.70, 0.15])
    return _indoors(spec, towards, aspect, also) if len(also) else _aimed(spec, towards, aspect)


def _overhead(spec: ReactHumanSpec, aspect: float, also: Sequence[Array]) -> Camera:
    # Not straight down, so that up in the picture is ahead of the robot.
    return _aimed(spec, np.array([0.0, -0.12, 1.0]), aspect, least=spec.room.height, beyond=also)


def _free_side(spec: ReactHumanSpec) -> float:
    """The side with more room: 1 east, -1 west."""
    return -1.0 if spec.robot.x > 0 else 1.0


def _aimed(
    spec: ReactHumanSpec, towards: Array, aspect: float, least: float = 2.2, beyond: Sequence[Array] = ()
) -> Camera:
    """A camera in a direction from the middle of what matters, as far away as it takes to have it in the picture."""
    points = np.concatenate([what_matters(spec), *(point[None] for point in beyond)])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    unit = towards / np.linalg.norm(towards)
    distance = least
    while True:
        eye = middle + distance * unit
        fov = _fitting(points, eye, middle, aspect)
        if fov <= FOV_DEG[1] or distance > 4 * least:
            return Camera(_vector(eye), _vector(middle), round(float(np.clip(fov, *FOV_DEG)), 3))
        distance += 0.1


def _indoors(spec: ReactHumanSpec, towards: Array, aspect: float, beyond: Sequence[Array]) -> Camera:
    """As `_aimed`, but not from beyond a wall: as much nearer to due south, where the room is open, as that takes."""
    south = np.array([0.0, -np.hypot(towards[0], towards[1]), towards[2]])
    ways = [*((1 - share) * towards + share * south for share in SOUTHWARDS), south * (1.0, 1.0, LOWER)]
    shots = (_aimed(spec, way, aspect, beyond=beyond) for way in ways)
    return next((shot for shot in shots if within(spec, shot.position)), _aimed(spec, ways[-1], aspect, beyond=beyond))


def within(spec: ReactHumanSpec, place: Array | Vector) -> bool:
    """Whether a place (m) is below the ceiling and between the walls; the room has none in the south."""
    x, y, z = place
    wide, deep = spec.room.width / 2 - OFF_WALL, spec.room.depth / 2 - OFF_WALL
    return bool(abs(x) <= wide and y <= deep and z <= spec.room.height - OFF_CEILING)


def _fitting(points: Array, eye: Array, target: Array, aspect: float) -> float:
    """Vertical field of view that holds all points within its margin (degrees); 180 with one behind the camera."""
    unit = 1000
    seen = Camera(_vector(eye), _vector(target), 90.0).project(points, unit, unit)
    if (seen[:, 2] <= 0.05).any():
        return 180.0
    x, y = np.abs(seen[:, :2] - unit / 2).max(axis=0) / (unit / 2)
    return float(2 * np.degrees(np.arctan(max(y, x / aspect) / MARGIN)))


def what_matters(spec: ReactHumanSpec) -> Array:
    """(k, 3) points (m): bodies as they start, with their extents, the robot from foot to head, and its toes."""
    x, y, _ = spec.robot_root
    points = [np.array([x, y, 0.0]), np.array([x, y, ROBOT_HEIGHT]), np.array([x, y + 0.3, 0.0])]
    for thing in spec.scene.things:
        points += list(extent(thing))
    return np.array(points)


def way_beyond(spec: ReactHumanSpec) -> list[Array]:
    """(3,) places (m) behind the robot that what flies reaches in a published window, in the fastest band; or none."""
    if spec.family not in FLIGHTS or spec.timing.mode != "published":
        return []
    step = (spec.timing.freeze_step - spec.timing.t0_step) * spec.physics.dt / (spec.timing.frames - 1)
    time = step * (spec.timing.frames - 1 - FLIGHTS[spec.family])
    x, y, z = start(next(thing for thing in spec.scene.things if thing.name == spec.tracked))
    y -= max(BANDS.values()) * time * spec.sampled.get("speed", 0.0)
    # The band scales the sideways speed of throws, not that of bounces.
    aside = [x + factor * time * spec.sampled.get("sideways", 0.0) for factor in (1.0, max(BANDS.values()))]
    return [np.array([east, y, height]) for east in aside for height in (0.0, z)] if y < spec.robot.y else []


def extent(thing: Thing) -> Array:
    """(8, 3) corners of the box around a body as it starts (m)."""
    x, y, z = thing.size
    half = np.array([x, y, z + x if thing.shape == "capsule" else z])
    w, v = thing.quat[0], np.array(thing.quat[1:])
    if thing.hinge is not None:
        axis = np.array(thing.hinge.axis) / np.linalg.norm(thing.hinge.axis)
        w, v = float(np.cos(thing.hinge.angle / 2)), np.sin(thing.hinge.angle / 2) * axis
    signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    corners = signs * half
    turned = corners + 2 * cross(v, cross(v, corners) + w * corners)
    return np.asarray(start(thing) + turned)


def start(thing: Thing) -> Array:
    """(3,) centre of a body at the start (m)."""
    return np.array(thing.pos) if thing.hinge is None else hinged(thing.hinge, thing.hinge.angle)


def hinged(hinge: Hinge, angle: float) -> Array:
    """(3,) centre of a body on a hinge at an angle (m)."""
    axis, arm = np.array(hinge.axis) / np.linalg.norm(hinge.axis), np.array(hinge.com)
    along = axis * (axis @ arm)
    turned = along + np.cos(angle) * (arm - along) + np.sin(angle) * np.cross(axis, arm)
    centre: Array = np.array(hinge.anchor) + turned
    return centre


def _vector(values: Array) -> Vector:
    x, y, z = (round(float(value), 6) for value in values)
    return (x, y, z)


KINDS: dict[str, Callable[[ReactHumanSpec, float, Sequence[Array]], Camera]] = {
    "egocentric": _egocentric,
    "observer": _observer,
    "closeup": _closeup,
    "overhead": _overhead,
}
"""By name."""
