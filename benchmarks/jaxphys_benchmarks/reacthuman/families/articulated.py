"""Hinged hazards: a door that swings shut, a pendulum that swings in (ReactHuman specification, sections 7.2 and 7.4).

Neither touches anything; both have closed forms. Public: `DOOR_SWING`, `PENDULUM_SWING`.
"""

import math

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.draw import Range, Ranges, by_variant, drawing, early, within
from jaxphys_benchmarks.reacthuman.families.pose import number, reach, turn, vector
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family, Placement
from jaxphys_benchmarks.reacthuman.scene import Hinge, Thing
from jaxphys_benchmarks.reacthuman.spec import BANDS, Room

DOOR_CLEARANCE = 0.02
"""Between a door and the floor (m)."""

IMPACT_HEIGHT = 1.10
"""At which a door meets the robot (m, section 7.4)."""

DOOR_MARGIN = math.radians(5.0)
"""Angle that is left between the open panel and the robot at the start."""


def _door(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    low, high = config.door_bearing_deg
    return {
        "omega": early(1.0, 2.0),
        "open_deg": early(80.0, 88.0),
        "width": early(0.80, 1.05),
        "height": early(1.9, 2.2),
        "hinge_x": Range(-0.3, 0.3),
        "radius_share": Range(0.6, 0.9),
        "bearing_deg": Range(low, high),
    }


def _swung(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """A panel hinged at the south wall that closes; the robot stands in the sector that it sweeps.

    A robot close to the hinge is wide as seen from there: its bearing is then less than drawn, so that the open panel
    does not touch it at the start.
    """
    leaves, room = drawn.leaves, drawn.room
    width, height, angle = leaves["width"], leaves["height"], math.radians(leaves["open_deg"])
    panel = drawn.object.resized(vector((width / 2, drawn.object.half_depth, height / 2)))
    anchor = np.array([leaves["hinge_x"], -room.depth / 2 + rooms.WALL_THICKNESS + panel.half_depth, 0.0])
    arm = np.array([width / 2, 0.0, DOOR_CLEARANCE + height / 2])
    hinge = Hinge(
        anchor=vector(anchor),
        axis=(0.0, 0.0, 1.0),
        com=vector(arm),
        angle=number(angle),
        rate=number(-leaves["omega"] * s),
    )
    door = _held(panel, hinge, anchor + turn(angle) @ arm, yaw=angle)
    radius = leaves["radius_share"] * width
    shadow = math.asin(min((config.robot_radius + panel.half_depth) / radius, 1.0))
    bearing = min(math.radians(leaves["bearing_deg"]), angle - shadow - DOOR_MARGIN)
    point = anchor + turn(bearing) @ np.array([radius, 0.0, 0.0]) + np.array([0.0, 0.0, IMPACT_HEIGHT])
    placement = Placement("sector", vector(point))
    return Draft(parts.scene([door], [], config), placement, derived={"bearing_deg": number(math.degrees(bearing))})


def _held(thing: Object, hinge: Hinge, centre: np.ndarray, *, yaw: float = 0.0, tilt: float = 0.0) -> Thing:
    return parts.body(thing, centre, yaw=yaw, tilt=tilt).model_copy(update={"hinge": hinge})


DOOR_SWING = Family(
    name="door_swing",
    archetype="articulated",
    summary="a door swings violently",
    rooms=rooms.rooms_of("door_swing"),
    banded="omega",
    timed=True,
    event="door_closed",
    track="nearest",
    order="",
    impact="panel",
    draw=drawing("door_swing", _door),
    build=_swung,
)

BELOW_CEILING = 0.06
"""Height of a pivot below the ceiling (m)."""

ABOVE_FLOOR = 0.1
"""Least height of the bottom of a bob (m)."""

WALL_GAP = 0.05
"""Least distance of a bob from the north wall (m)."""

LONGEST_SWING = math.radians(85.0)
"""Angle that the bands of the early generator do not exceed."""


def _pendulum(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    longest = min(1.6, room.height - BELOW_CEILING - thing.half_height - ABOVE_FLOOR)
    return {
        "omega": Range(0.3, 0.8),
        "angle_deg": early(30.0, 55.0),
        "length": early(0.8, longest),
        "x": within(0.2 * room.width),
        "y": early(0.0, min(0.5, room.depth / 2 - 0.5)),
    }


def _swinging(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """The band scales the first rate; or the length, so that the slowest band has the length that was drawn."""
    leaves, bob = drawn.leaves, drawn.object
    angle = math.radians(leaves["angle_deg"])
    # In a small room the pivot is further south than drawn, so that the bob starts off the wall.
    behind = leaves["length"] * math.sin(angle) + reach(bob.collider, bob.size, turn(0.0, angle), (0.0, 1.0, 0.0))
    y = min(leaves["y"], drawn.room.depth / 2 - WALL_GAP - behind)
    if config.pendulum_band == "length":
        length = leaves["length"] * math.sqrt(BANDS["slow"] / s)
        return _pendulous(drawn, length, y, angle, leaves["omega"], config)
    return _pendulous(drawn, leaves["length"], y, angle, leaves["omega"] * s, config)


def _early_swinging(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """The band scales the first angle, which hardly changes the time."""
    angle = min(math.radians(drawn.leaves["angle_deg"]) * s, LONGEST_SWING)
    return _pendulous(drawn, drawn.leaves["length"], drawn.leaves["y"], angle, 0.0, config)


def _pendulous(drawn: Drawn, length: float, y: float, angle: float, omega: float, config: ReactHumanConfig) -> Draft:
    """A bob on a rod without mass; the robot is placed so that it meets its leading surface at the bottom."""
    bob = drawn.object
    pivot = np.array([drawn.leaves["x"], y, drawn.room.height - BELOW_CEILING])
    arm = np.array([0.0, 0.0, -length])
    hinge = Hinge(anchor=vector(pivot), axis=(1.0, 0.0, 0.0), com=vector(arm), angle=number(angle), rate=number(-omega))
    hanging = _held(bob, hinge, pivot + turn(0.0, angle) @ arm, tilt=angle)
    point = vector(pivot + arm - np.array([0.0, bob.half_depth, 0.0]))
    derived = {"length": number(length)}
    return Draft(parts.scene([hanging], [], config), Placement("on_plane", point), derived=derived)


PENDULUM_SWING = Family(
    name="pendulum_swing",
    archetype="articulated",
    summary="a suspended mass swings in",
    rooms=rooms.rooms_of("pendulum_swing"),
    banded="omega",
    timed=True,
    event="bottom",
    track="nearest",
    order="",
    draw=drawing("pendulum_swing", _pendulum),
    build=by_variant(_swinging, _early_swinging),
)
