"""What the robot's head sees of a house, as a stage: every frame with a camera of its own.

ENACT specification, sections 12 and 13. Solids belong to the node of the graph that they show (`Solid.of`): things,
particle systems and the robot; walls and furniture without a part in the activity belong to none. What does not exist
is put far below the floor. Things that are on have a green button and glow or flow, cooked ones are
brown.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from jaxphys_benchmarks.enact.config_world import Camera as Head
from jaxphys_benchmarks.enact.episodes.states import States
from jaxphys_benchmarks.enact.pictures.lens import FACE_FOV_DEG, FACES, fov_deg
from jaxphys_benchmarks.enact.pictures.looks import Appearance, painted, texture
from jaxphys_benchmarks.enact.world.house import ROBOT, House
from jaxphys_benchmarks.enact.world.robot import LINKS, camera_pose, link_poses
from jaxphys_benchmarks.enact.world.things import Part, Thing, product
from jaxphys_benchmarks.stage import Camera, Finish, Look, Solid, Stage, Vector
from jaxphys_kernels.household.layout import NONE, Layout
from jaxphys_kernels.household.poses import applied, linked, turns

AWAY = (0.0, 0.0, -60.0)
"""Where what does not exist is drawn (m)."""
ON, BROWN = "#2ecc40", "#7a4a22"
"""Colours of the button of what is on, and of what is cooked unless its thing says another."""
BOUNCE = 0.6
"""Light that the floor throws back, as in other rooms."""


HEAD = Head()


@dataclass(frozen=True)
class Seen:
    """How pictures are taken.

    Attributes:
        size_px: width and height. head: the camera. shadows: things cast them.
        arms: appearance of the robot. gloss: metal shines. texture: floor and walls have boards and tiles.
    """

    size_px: int = 512
    head: Head = HEAD
    shadows: bool = True
    arms: Appearance = "own"
    gloss: bool = True
    texture: bool = False


def stage_of(house: House, layout: Layout, states: States, seen: Seen | None = None) -> Stage:
    """The frames as a stage.

    Args:
        house: what it is about. layout: of the house. states: f frames of it.
        seen: how pictures are taken; None for the defaults.
    """
    seen = seen or Seen()
    frames = len(states)
    looks: dict[Look, int] = {}

    def look(colour: str, finish: Finish = "rubber") -> int:
        return looks.setdefault(Look(colour, finish if seen.gloss else "rubber"), len(looks))

    solids: list[Solid] = []
    pos: list[np.ndarray] = []
    quat: list[np.ndarray] = []
    shown: list[np.ndarray] = []

    def add(part: Part, of: str, place: np.ndarray, turn: np.ndarray, looked: np.ndarray, casts: bool = True) -> None:
        solids.append(Solid(f"{len(solids)}", part.form, part.half, casts, of))
        pos.append(np.broadcast_to(place, (frames, 3)))
        quat.append(np.broadcast_to(turn, (frames, 4)))
        shown.append(np.broadcast_to(looked, frames))

    floor = house.placed[0].thing.box[1] if house.placed else np.zeros(3)
    still = texture(house, (float(floor[0]), float(floor[1]))) if seen.texture else ()
    for part in (*house.backdrop, *still):
        add(part, "", np.array(part.pos), np.array(part.quat), np.array(look(part.colour, part.finish)), casts=False)
    joints = {key: j for j, key in enumerate(house.joints)}
    for k, placed in enumerate(house.placed):
        body, there = turns(np, states.quat[:, k]), states.exists[:, k, None]
        for number, part in enumerate(placed.thing.parts):
            which = np.array([joints[k, part.link] if part.link else NONE])
            shift, turn = linked(np, layout, states.joint, which)
            own = shift[:, 0] + applied(turn[:, 0], np.broadcast_to(part.pos, (frames, 3)))
            shown_there = there & (states.toggled[:, k, None] | (not part.flows))
            spot = np.where(shown_there, states.pos[:, k] + applied(body, own), AWAY)
            attitude = _turned(states.quat[:, k], _quats(turn[:, 0]), np.asarray(part.quat))
            colours = _colours(placed.thing, number, part, states, k)
            looked = np.array([look(colour, part.finish) for colour in colours])
            # Shadows fall on the floor only: what stands on furniture would throw one through it.
            add(part, placed.name, spot, attitude, looked, casts=placed.thing.fixed and k > 0)
    first = 0
    for system in house.systems:
        grain = Part("ellipsoid", (system.size, system.size, 0.8 * system.size), (0.0, 0.0, 0.0), system.colour)
        for p in range(first, first + system.count):
            spot = np.where(states.alive[:, p, None], states.particle[:, p], AWAY)
            add(grain, system.name, spot, np.array([1.0, 0, 0, 0]), np.array(look(system.colour)), casts=False)
        first += system.count
    _add_robot(states, seen, add, look)
    cameras = [_camera(states, frame, seen) for frame in range(frames)]
    return Stage(
        seen.size_px,
        seen.size_px,
        cameras[0],
        tuple(solids),
        states.ids / 30.0,
        np.stack(pos, axis=1),
        np.stack(quat, axis=1),
        tuple(looks),
        np.stack(shown, axis=1),
        floor=house.floor,
        shadows=seen.shadows,
        bounce=BOUNCE,
        cameras=tuple(cameras),
    )


def _add_robot(states: States, seen: Seen, add: Callable[..., None], look: Callable[..., int]) -> None:
    frames = [link_poses(states.robot(f), states.hands[f]) for f in range(len(states))]
    places, attitudes = (np.stack([one[k] for one in frames]) for k in range(2))
    for link, (_, parts) in enumerate(LINKS):
        body = turns(np, attitudes[:, link])
        for number, part in enumerate(parts):
            spot = places[:, link] + applied(body, np.broadcast_to(part.pos, places[:, link].shape))
            colours = [painted(seen.arms, int(frame), 10 * link + number, part.colour) for frame in states.ids]
            looked = np.array([look(colour) for colour in colours])
            add(part, ROBOT, spot, _turned(attitudes[:, link], None, np.asarray(part.quat)), looked)


def _colours(thing: Thing, number: int, part: Part, states: States, k: int) -> list[str]:
    """Colour of a part of a thing in each frame."""
    button = any(button.part == number for button in thing.buttons)
    brown = thing.browned or BROWN
    lit = ON if button else part.lit or part.colour
    return [
        lit if on else brown if cooked and thing.cooks else part.colour
        for on, cooked in zip(states.toggled[:, k], states.cooked[:, k], strict=True)
    ]


def _turned(body: np.ndarray, link: np.ndarray | None, own: np.ndarray) -> np.ndarray:
    """(f, 4): own turn, then that of the link, then that of the body."""
    first = own if link is None else _times(link, own)
    return _times(body, first)


def _times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions (..., 4)."""
    rows = product(tuple(np.moveaxis(a, -1, 0)), tuple(np.moveaxis(b, -1, 0)))
    return np.stack(np.broadcast_arrays(*rows), axis=-1)


def _quats(turn: np.ndarray) -> np.ndarray:
    """(f, 4): quaternions of matrices (f, 3, 3) that turn by less than half a turn."""
    trace = np.trace(turn, axis1=-2, axis2=-1)
    w = 0.5 * np.sqrt(np.maximum(1 + trace, 1e-12))
    axis = np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], -1)
    return np.concatenate([w[:, None], axis / (4 * w[:, None])], -1)


def _camera(states: States, frame: int, seen: Seen, turn: np.ndarray | None = None) -> Camera:
    spot, axes = camera_pose(states.robot(frame), seen.head)
    facing = axes if turn is None else axes @ turn
    fov = fov_deg(seen.head) if turn is None else FACE_FOV_DEG
    return Camera(_vector(spot), _vector(spot + facing[:, 0]), fov, _vector(facing[:, 2]))


def _vector(values: np.ndarray) -> Vector:
    x, y, z = (float(value) for value in values)
    return (x, y, z)


def faces(stage: Stage, states: States, seen: Seen) -> tuple[Stage, ...]:
    """The stage seen through each of the five faces of a cube about the camera, in the order of `lens.FACES`."""
    return tuple(
        replace(stage, camera=cameras[0], cameras=cameras)
        for cameras in (tuple(_camera(states, frame, seen, turn) for frame in range(len(states))) for _, turn in FACES)
    )
