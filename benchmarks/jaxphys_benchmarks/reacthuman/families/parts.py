"""Bodies made of catalogue rows, and the furniture around them: tables, shelves, ramps, walls, stools and stairs.

Every number of a part is rounded as specs store it. Edges are those towards -Y, where hazards leave.
"""

import math
from collections.abc import Sequence

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families.launch import pair_friction, slid
from jaxphys_benchmarks.reacthuman.families.pose import Array, quaternion, turn, vector
from jaxphys_benchmarks.reacthuman.scene import Box, Scene, Thing
from jaxphys_benchmarks.reacthuman.spec import Room

GAP = 1e-4
"""Between a body and what it stands on at the start (m): no penetration, and no fall that is seen."""

SHELF_THICKNESS, STOOL_THICKNESS = 0.03, 0.04
"""Of the boards (m, assumed)."""

NOTHING = np.zeros(3)


def body(
    thing: Object,
    pos: Array,
    *,
    name: str = "object",
    yaw: float = 0.0,
    tilt: float = 0.0,
    vel: Array = NOTHING,
    omega: Array = NOTHING,
) -> Thing:
    """A free body of a catalogue row, turned from its rest by `tilt` about x, then by `yaw` (rad).

    Args:
        thing: the row.
        pos: (3,) centre (m).
        name: in the scene.
        yaw: about the vertical.
        tilt: about x.
        vel: (3,) m/s.
        omega: (3,) rad/s, world frame.
    """
    return Thing(
        name=name,
        object=thing.name,
        shape=thing.collider,
        size=vector(thing.size),
        mass=thing.mass,
        friction=thing.friction,
        restitution=thing.restitution,
        drag_area=thing.drag_area,
        pos=vector(pos),
        quat=quaternion(yaw, tilt, thing.rest_quat),
        vel=vector(vel),
        omega=vector(omega),
    )


def scene(
    things: Sequence[Thing],
    boxes: Sequence[Box],
    config: ReactHumanConfig,
    *,
    floor: float | None = None,
    hold: float = 0.0,
    horizon: float | None = None,
) -> Scene:
    """A scene; friction of the floor and horizon (s) are those of the configuration unless given."""
    return Scene(
        things=tuple(things),
        boxes=tuple(boxes),
        floor_friction=config.friction_floor if floor is None else floor,
        hold=hold,
        horizon=config.horizon if horizon is None else horizon,
        g=config.g,
    )


def rolls(thing: Object) -> bool:
    """Whether a row rolls towards -Y: a sphere, or a capsule, which lies along x."""
    return thing.collider in ("sphere", "capsule")


def rolling(speed: float, radius: float, yaw: float = 0.0) -> tuple[Array, Array]:
    """Velocity (m/s) and spin (rad/s) of a body that rolls towards -Y turned by `yaw` (rad)."""
    turned = turn(yaw)
    return turned @ np.array([0.0, -speed, 0.0]), turned @ np.array([speed / radius, 0.0, 0.0])


def leaving(
    thing: Object, exit_speed: float, friction: float, distance: float, yaw: float, g: float
) -> tuple[float, Array, Array]:
    """Launch speed (m/s), velocity and spin with which a row leaves a support towards -Y at `exit_speed`.

    A slider pays for the friction of its way, `distance` (m); what rolls pays nothing, and rolls across its own axis.

    Args:
        thing: the row.
        exit_speed: over the edge (m/s).
        friction: of the support.
        distance: of the centre from the edge (m).
        yaw: of the body (rad).
        g: m/s².
    """
    if rolls(thing):
        return exit_speed, *rolling(exit_speed, thing.radius, yaw if thing.collider == "capsule" else 0.0)
    speed = slid(exit_speed, pair_friction(friction, thing.friction), distance, g)
    return speed, np.array([0.0, -speed, 0.0]), NOTHING


def table(x: float, y: float, config: ReactHumanConfig, depth: float = 2 * rooms.TABLE_HALF[1]) -> Box:
    """The default table with its centre over x, y (m); one that is deeper keeps its edge towards -Y."""
    half = (rooms.TABLE_HALF[0], depth / 2, rooms.TABLE_HALF[2])
    centre = (x, table_edge(y) + depth / 2, rooms.TABLE_HEIGHT - half[2])
    return Box(name="table", pos=vector(centre), half=vector(half), friction=config.friction_table)


def height_over(thing: Object, distance: float) -> float:
    """Height (m) of the centre of a row above a table whose edge is `distance` before it (m), less than 0 if beyond.

    A sphere that is beyond the edge touches it lower down.
    """
    beyond = max(-distance, 0.0)
    return math.sqrt(thing.half_height**2 - beyond**2) if thing.collider == "sphere" else thing.half_height


def table_edge(y: float) -> float:
    """y of the edge towards -Y of a table centred at y (m)."""
    return y - rooms.TABLE_HALF[1]


def wall(room: Room, friction: float) -> Box:
    """The north wall."""
    half = (room.width / 2, rooms.WALL_THICKNESS / 2, room.height / 2)
    return Box(name="wall", pos=vector((0, room.depth / 2 + half[1], half[2])), half=vector(half), friction=friction)


def shelf(room: Room, x: float, height: float, depth: float, width: float, config: ReactHumanConfig) -> Box:
    """A board at the north wall whose upper surface is at `height` (m)."""
    half = (width / 2, depth / 2, SHELF_THICKNESS / 2)
    pos = vector((x, room.depth / 2 - half[1], height - half[2]))
    return Box(name="shelf", pos=pos, half=vector(half), friction=config.friction_shelf)


def stool(x: float, edge: float, height: float, friction: float, config: ReactHumanConfig) -> Box:
    """A stool whose edge towards -Y is at `edge` and whose upper surface is at `height` (m)."""
    half = (*config.stool_half, STOOL_THICKNESS / 2)
    pos = vector((x, edge + half[1], height - half[2]))
    return Box(name="stool", pos=pos, half=vector(half), friction=friction)


def stairs(room: Room, config: ReactHumanConfig) -> tuple[Box, ...]:
    """Steps that rise towards the north wall, the lowest one first."""
    foot = stair_foot(room)
    boxes = []
    for i in range(rooms.STAIRS):
        half = (rooms.STAIR_WIDTH / 2, rooms.STAIR_RUN / 2, (i + 1) * rooms.STAIR_RISE / 2)
        pos = vector((0, foot + (i + 0.5) * rooms.STAIR_RUN, half[2]))
        boxes.append(Box(name=f"step_{i + 1}", pos=pos, half=vector(half), friction=config.friction_stairs))
    return tuple(boxes)


def stair_foot(room: Room) -> float:
    """y at which the stairs begin (m)."""
    return room.depth / 2 - rooms.STAIRS * rooms.STAIR_RUN
