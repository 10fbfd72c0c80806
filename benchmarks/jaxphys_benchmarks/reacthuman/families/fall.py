"""Falls: over the edge of a table or shelf, off a wall, from the ceiling (ReactHuman specification, sections 7.2, 7.4).

Public: `OBJECT_DROP`, `SHELF_SLIDE`, `HANGING_FALL`, `CEILING_DROP`, and `EXIT_SPEED`, `on_table` for their like.
"""

import math

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.draw import Range, Ranges, by_variant, drawing, early, within
from jaxphys_benchmarks.reacthuman.families.pose import number, reach, turn
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family, Placement
from jaxphys_benchmarks.reacthuman.spec import Room

EXIT_SPEED = Range(0.35, 0.65)
"""Over the edge of a support, in the normal band (m/s)."""

FLOOR = Placement("floor")

PUSHED = 0.35
"""Share of the early generator's object_drop that are pushed; the rest tip at rest."""

CEILING_GAP = 0.05
"""Between a ceiling and what falls from it (m)."""

WALL_GAP = 0.01
"""Between a wall and what hangs on it (m)."""


def on_table(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    """Leaves of an object that leaves a table: where the table and the object are, and how fast it leaves."""
    return {
        "v_exit": EXIT_SPEED,
        "distance": Range(0.04, 0.12),
        "overhang": early(0.5, 0.8),
        "table_x": within(0.12),
        "table_y": within(0.12),
        "offset_x": within(0.12),
        "yaw_deg": within(30.0),
    }


def over_edge(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """An object that leaves a table at a speed, or from an overhang at rest."""
    thing, leaves = drawn.object, drawn.leaves
    yaw = math.radians(leaves["yaw_deg"])
    distance, exit_speed = leaves["distance"], leaves["v_exit"] * s
    speed, vel, omega = parts.leaving(thing, exit_speed, config.friction_table, distance, yaw, config.g)
    if config.object_drop_mode == "tip":
        distance = thing.half_depth * (1 - 2 * leaves["overhang"])
        speed, vel, omega = 0.0, parts.NOTHING, parts.NOTHING
    pos = np.array(
        [
            leaves["table_x"] + leaves["offset_x"],
            parts.table_edge(leaves["table_y"]) + distance,
            rooms.TABLE_HEIGHT + parts.height_over(thing, distance) + parts.GAP,
        ]
    )
    moving = parts.body(thing, pos, yaw=yaw, vel=vel, omega=omega)
    scene = parts.scene([moving], [parts.table(leaves["table_x"], leaves["table_y"], config)], config)
    return Draft(scene, FLOOR, derived={"launch_speed": number(speed)})


def _early_on_table(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "kind": early(0.0, 1.0),
        "push_overhang": early(0.05, 0.30),
        "push_speed": early(0.35, 0.90),
        "overhang": early(0.5, 0.8),
        "table_x": Range(-0.15, 0.15),
        "table_y": Range(-0.10, 0.10),
        "offset_x": within(0.12),
        "yaw_deg": within(30.0),
    }


def _early_over_edge(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """A push that the friction of the table may stop, or an overhang at rest."""
    thing, leaves = drawn.object, drawn.leaves
    pushed = leaves["kind"] < PUSHED
    overhang, speed = (leaves["push_overhang"], leaves["push_speed"] * s) if pushed else (leaves["overhang"], 0.0)
    distance = thing.half_depth * (1 - 2 * overhang)
    pos = np.array(
        [
            leaves["table_x"] + leaves["offset_x"],
            parts.table_edge(leaves["table_y"]) + distance,
            rooms.TABLE_HEIGHT + parts.height_over(thing, distance) + parts.GAP,
        ]
    )
    moving = parts.body(thing, pos, yaw=math.radians(leaves["yaw_deg"]), vel=np.array([0.0, -speed, 0.0]))
    return Draft(parts.scene([moving], [parts.table(leaves["table_x"], leaves["table_y"], config)], config), FLOOR)


OBJECT_DROP = Family(
    name="object_drop",
    archetype="fall",
    summary="an object tips off the edge of a table",
    rooms=rooms.rooms_of("object_drop"),
    banded="v_exit",
    timed=True,
    event="floor",
    early_event="early_low",
    track="com",
    order="support_floor",
    draw=by_variant(drawing("object_drop", on_table), drawing("object_drop", _early_on_table)),
    build=by_variant(over_edge, _early_over_edge),
)


def _on_shelf(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "v_exit": EXIT_SPEED,
        "height": early(1.4, 1.9, tall=True),
        "depth": Range(0.16, 0.26),
        "width": early(0.45, 0.80),
        "x": within(0.25 * room.width),
    }


def _early_on_shelf(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "push_speed": early(0.25, 0.55),
        "height": early(1.4, 1.9, tall=True),
        "depth": early(0.14, 0.22),
        "width": early(0.45, 0.80),
        "x": within(0.25 * room.width),
    }


FROM_FRONT = 0.3
"""Where the object stands, from the front edge of its shelf, as a share of the depth."""


def _off_shelf(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    way = FROM_FRONT * drawn.leaves["depth"]
    speed, vel, omega = parts.leaving(
        drawn.object, drawn.leaves["v_exit"] * s, config.friction_shelf, way, 0.0, config.g
    )
    return _shelved(drawn, speed, vel, omega, config)


def _early_off_shelf(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    speed = drawn.leaves["push_speed"] * s
    return _shelved(drawn, speed, np.array([0.0, -speed, 0.0]), parts.NOTHING, config)


def _shelved(drawn: Drawn, speed: float, vel: np.ndarray, omega: np.ndarray, config: ReactHumanConfig) -> Draft:
    thing, leaves, room = drawn.object, drawn.leaves, drawn.room
    board = parts.shelf(room, leaves["x"], leaves["height"], leaves["depth"], leaves["width"], config)
    y = room.depth / 2 - (1 - FROM_FRONT) * leaves["depth"]
    pos = np.array([leaves["x"], y, leaves["height"] + thing.half_height + parts.GAP])
    scene = parts.scene([parts.body(thing, pos, vel=vel, omega=omega)], [board], config)
    return Draft(scene, FLOOR, derived={"launch_speed": number(speed)})


SHELF_SLIDE = Family(
    name="shelf_slide",
    archetype="fall",
    summary="an object slides off a high shelf",
    rooms=rooms.rooms_of("shelf_slide"),
    banded="v_exit",
    timed=True,
    event="floor",
    early_event="early_shelf",
    track="com",
    order="support_floor",
    draw=by_variant(drawing("shelf_slide", _on_shelf), drawing("shelf_slide", _early_on_shelf)),
    build=by_variant(_off_shelf, _early_off_shelf),
)


def _hung(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    """Leaves of both mounts; a wall uses the first tilt and spin, a ceiling the second ones and the depth."""
    return {
        "kick": Range(0.1, 0.4),
        "x": within(room.width / 4),
        "height": early(1.4, 2.0, tall=True),
        "tilt_deg": early(3.0, 8.0),
        "omega": early(0.2, 0.5),
        "yaw_deg": within(20.0),
        "below_ceiling": early(0.25, 0.70),
        "y": within(room.depth / 4),
        "ceiling_tilt_deg": early(0.0, 4.0),
        "ceiling_omega": early(0.0, 0.15),
    }


def _mount(thing: Object, config: ReactHumanConfig) -> str:
    """What a row hangs on; one that does not say so, such as an own object, hangs on the wall."""
    return config.hanging_mount if config.hanging_mount != "by_object" else thing.mount or "wall"


def _detached(drawn: Drawn, kick: float, s: float, config: ReactHumanConfig) -> Draft:
    """A thing that comes off with a kick towards -Y."""
    thing, leaves, room = drawn.object, drawn.leaves, drawn.room
    if _mount(thing, config) == "wall":
        yaw, tilt = math.radians(leaves["yaw_deg"]), math.radians(leaves["tilt_deg"])
        behind = reach(thing.collider, thing.size, turn(yaw, tilt), (0.0, 1.0, 0.0))
        pos = np.array([leaves["x"], room.depth / 2 - behind - WALL_GAP, leaves["height"]])
        omega = np.array([leaves["omega"] * s, 0.0, 0.0])
        boxes = [parts.wall(room, config.friction_wall)]
    else:
        yaw, tilt = 0.0, math.radians(leaves["ceiling_tilt_deg"])
        pos = np.array([leaves["x"], leaves["y"], room.height - thing.half_height - leaves["below_ceiling"]])
        omega = np.array([leaves["ceiling_omega"] * s / 2, leaves["ceiling_omega"] * s / 2, 0.0])
        boxes = []
    moving = parts.body(thing, pos, yaw=yaw, tilt=tilt, vel=np.array([0.0, -kick, 0.0]), omega=omega)
    return Draft(parts.scene([moving], boxes, config), FLOOR)


def _kicked(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _detached(drawn, drawn.leaves["kick"] * s, s, config)


def _early_detached(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _detached(drawn, 0.0, s, config)


HANGING_FALL = Family(
    name="hanging_fall",
    archetype="fall",
    summary="a wall or ceiling fixture comes off",
    rooms=rooms.rooms_of("hanging_fall"),
    banded="kick",
    timed=False,
    event="floor",
    early_event="early_floor",
    track="com",
    order="",
    draw=drawing("hanging_fall", _hung),
    build=by_variant(_kicked, _early_detached),
)


def _overhead(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": Range(0.0, 0.8),
        "x": within(room.width / 4),
        "y": early(0.15, room.depth / 3),
        "yaw_deg": within(30.0),
        "robot_x": Range(-0.2, 0.2),
        "robot_y": Range(0.1, 0.6),
    }


def _dropped(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _from_ceiling(drawn, drawn.leaves["speed"] * s, config)


def _early_dropped(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _from_ceiling(drawn, 0.0, config)


def _from_ceiling(drawn: Drawn, speed: float, config: ReactHumanConfig) -> Draft:
    thing, leaves = drawn.object, drawn.leaves
    pos = np.array([leaves["x"], leaves["y"], drawn.room.height - thing.half_height - CEILING_GAP])
    moving = parts.body(thing, pos, yaw=math.radians(leaves["yaw_deg"]), vel=np.array([0.0, 0.0, -speed]))
    placement = Placement("under", moving.pos, offset=(leaves["robot_x"], -leaves["robot_y"]))
    return Draft(parts.scene([moving], [], config), placement)


CEILING_DROP = Family(
    name="ceiling_drop",
    archetype="fall",
    summary="an object falls from the ceiling",
    rooms=rooms.rooms_of("ceiling_drop"),
    banded="speed",
    timed=True,
    event="floor",
    early_event="early_floor",
    track="com",
    order="",
    impact="head_plane",
    draw=drawing("ceiling_drop", _overhead),
    build=by_variant(_dropped, _early_dropped),
)
