"""Slides and rolls: down a ramp, along a table, from table to stool to floor (ReactHuman specification, 7.2 and 7.4).

Public: `SLIDING_OBJECT`, `ROLLING_BALL`, `SURFACE_CASCADE`.
"""

import math

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.draw import Range, Ranges, by_variant, drawing, early, within
from jaxphys_benchmarks.reacthuman.families.fall import EXIT_SPEED, FLOOR
from jaxphys_benchmarks.reacthuman.families.launch import pair_friction
from jaxphys_benchmarks.reacthuman.families.pose import number, quaternion, turn, vector
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family, Path
from jaxphys_benchmarks.reacthuman.scene import Box
from jaxphys_benchmarks.reacthuman.spec import Room

RAMP_HALF_THICKNESS = 0.025
UP_THE_RAMP = 0.8
"""Where the object starts, as a share of the ramp's length."""

STEEPEST = math.radians(70.0)
"""Angle that the bands of the early generator do not exceed."""


def _on_ramp(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": Range(0.3, 0.8),
        "above_friction_deg": Range(4.0, 14.0),
        "x": within(0.2 * room.width),
        "y": early(-0.2, 0.3),
        "length": early(0.7, 1.1),
        "width": early(0.28, 0.42),
        "yaw_deg": within(12.0),
    }


def _early_on_ramp(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "angle_deg": early(20.0, 35.0),
        "x": within(0.2 * room.width),
        "y": early(-0.2, 0.3),
        "length": early(0.7, 1.1),
        "width": early(0.28, 0.42),
        "yaw_deg": within(12.0),
    }


def _launched(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """Steeper than the friction of the pair, so that even the slow band arrives."""
    friction = pair_friction(config.friction_ramp, drawn.object.friction)
    angle = math.atan(friction) + math.radians(drawn.leaves["above_friction_deg"])
    return _down_ramp(drawn, angle, drawn.leaves["speed"] * s, config)


def _let_go(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _down_ramp(drawn, min(math.radians(drawn.leaves["angle_deg"]) * s, STEEPEST), 0.0, config)


def _down_ramp(drawn: Drawn, angle: float, speed: float, config: ReactHumanConfig) -> Draft:
    thing, leaves = drawn.object, drawn.leaves
    yaw, length = math.radians(leaves["yaw_deg"]), leaves["length"]
    foot, turned = np.array([leaves["x"], leaves["y"], 0.0]), turn(yaw, angle)
    ramp = Box(
        name="ramp",
        pos=vector(foot + turned @ np.array([0.0, length / 2, 0.0])),
        half=vector((leaves["width"] / 2, length / 2, RAMP_HALF_THICKNESS)),
        quat=quaternion(yaw, angle),
        friction=config.friction_ramp,
    )
    above = RAMP_HALF_THICKNESS + thing.half_height + parts.GAP
    pos = foot + turned @ np.array([0.0, UP_THE_RAMP * length, above])
    moving = parts.body(thing, pos, yaw=yaw, tilt=angle, vel=turned @ np.array([0.0, -speed, 0.0]))
    derived = {"angle_deg": number(math.degrees(angle)), "launch_speed": number(speed)}
    return Draft(parts.scene([moving], [ramp], config), FLOOR, derived=derived)


SLIDING_OBJECT = Family(
    name="sliding_object",
    archetype="slide_roll",
    summary="an object slides down a ramp",
    rooms=rooms.rooms_of("sliding_object"),
    banded="speed",
    timed=True,
    event="low_end",
    track="com",
    order="",
    draw=by_variant(drawing("sliding_object", _on_ramp), drawing("sliding_object", _early_on_ramp)),
    build=by_variant(_launched, _let_go),
)


def _rolled(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": early(0.6, 1.2),
        "distance": early(0.25, 0.55),
        "sideways": within(0.10),
        "table_x": within(0.12),
        "table_y": within(0.12),
        "offset_x": within(0.12),
    }


def _along_table(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    thing, leaves = drawn.object, drawn.leaves
    speed, sideways = leaves["speed"] * s, leaves["sideways"]
    pos = np.array(
        [
            leaves["table_x"] + leaves["offset_x"],
            parts.table_edge(leaves["table_y"]) + leaves["distance"],
            rooms.TABLE_HEIGHT + thing.half_height + parts.GAP,
        ]
    )
    omega = np.array([speed, sideways, 0.0]) / thing.radius
    moving = parts.body(thing, pos, vel=np.array([sideways, -speed, 0.0]), omega=omega)
    return Draft(parts.scene([moving], [parts.table(leaves["table_x"], leaves["table_y"], config)], config), FLOOR)


ROLLING_BALL = Family(
    name="rolling_ball",
    archetype="slide_roll",
    summary="a ball rolls off a table and across the floor",
    rooms=rooms.rooms_of("rolling_ball"),
    banded="speed",
    timed=True,
    event="floor",
    early_event="early_roll",
    track="com",
    order="support_floor",
    draw=drawing("rolling_ball", _rolled),
    build=_along_table,
)

INSIDE = 0.3
"""How far inside the stool's edge the centre arrives, as a share of the object's half depth (section 7.4)."""


def _above_stool(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "v_exit": EXIT_SPEED,
        "distance": Range(0.04, 0.12),
        "stool_height": Range(0.40, 0.50),
        "table_x": within(0.12),
        "table_y": within(0.12),
        "offset_x": within(0.12),
        "yaw_deg": within(30.0),
    }


def _early_above_stool(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    """Not public: a first guess in the manner of the early generator."""
    return {
        "speed": Range(0.8, 1.4),
        "distance": Range(0.02, 0.10),
        "stool_height": Range(0.40, 0.50),
        "table_x": Range(-0.15, 0.15),
        "table_y": Range(-0.10, 0.10),
    }


def _before_stool(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """First pass: the stool is still missing."""
    thing, leaves = drawn.object, drawn.leaves
    yaw = math.radians(leaves["yaw_deg"])
    speed, vel, omega = parts.leaving(
        thing, leaves["v_exit"] * s, config.friction_table, leaves["distance"], yaw, config.g
    )
    pos = np.array(
        [
            leaves["table_x"] + leaves["offset_x"],
            parts.table_edge(leaves["table_y"]) + leaves["distance"],
            rooms.TABLE_HEIGHT + thing.half_height + parts.GAP,
        ]
    )
    moving = parts.body(thing, pos, yaw=yaw, vel=vel, omega=omega)
    scene = parts.scene([moving], [parts.table(leaves["table_x"], leaves["table_y"], config)], config)
    return Draft(scene, FLOOR, derived={"launch_speed": number(speed)})


def _with_stool(draft: Draft, path: Path, drawn: Drawn, config: ReactHumanConfig) -> Draft:
    """Second pass: the stool stands where the object passed its height, close to the edge.

    The object pitches while it leaves the table, so the landing point has no closed form.
    """
    if config.variant == "early":
        return draft
    height = drawn.leaves["stool_height"]
    passed = np.flatnonzero(path.lowest <= height)
    k = int(passed[0]) if len(passed) else len(path.times) - 1
    edge = float(path.pos[k, 1]) - INSIDE * drawn.object.half_depth
    return _furnished(draft, parts.stool(float(path.pos[k, 0]), edge, height, config.friction_stool, config))


def _furnished(draft: Draft, stool: Box) -> Draft:
    scene = draft.scene.model_copy(update={"boxes": (*draft.scene.boxes, stool)})
    derived = {**draft.derived, "stool_x": stool.pos[0], "stool_y": stool.pos[1]}
    return Draft(scene, draft.placement, draft.tracked, derived)


def _early_with_stool(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    thing, leaves = drawn.object, drawn.leaves
    speed, edge = leaves["speed"] * s, parts.table_edge(leaves["table_y"])
    drop = rooms.TABLE_HEIGHT - leaves["stool_height"]
    pos = np.array([leaves["table_x"], edge + leaves["distance"], rooms.TABLE_HEIGHT + thing.half_height + parts.GAP])
    moving = parts.body(thing, pos, vel=np.array([0.0, -speed, 0.0]))
    scene = parts.scene([moving], [parts.table(leaves["table_x"], leaves["table_y"], config)], config)
    # Most of the way of a body that leaves at full speed, as friction takes some of it.
    middle = edge - thing.half_depth - 0.75 * speed * math.sqrt(2 * drop / config.g)
    draft = Draft(scene, FLOOR, derived={"launch_speed": number(speed)})
    stool_edge = middle - config.stool_half[1]
    stool = parts.stool(leaves["table_x"], stool_edge, leaves["stool_height"], config.friction_table, config)
    return _furnished(draft, stool)


SURFACE_CASCADE = Family(
    name="surface_cascade",
    archetype="slide_roll",
    summary="an object hops from table to stool to floor",
    rooms=rooms.rooms_of("surface_cascade"),
    banded="v_exit",
    timed=False,
    event="floor",
    track="com",
    order="table_stool_floor",
    after="last_support",
    draw=by_variant(drawing("surface_cascade", _above_stool), drawing("surface_cascade", _early_above_stool)),
    build=by_variant(_before_stool, _early_with_stool),
    refine=_with_stool,
)
