"""Flights: a throw, a bounce, a tumble down the stairs (ReactHuman specification, sections 7.2 and 7.4).

The reach plane of throws and bounces is y = 0, as in the early generator. Public: `THROWN_OBJECT`, `BOUNCING_OBJECT`,
`STAIR_TUMBLE`.
"""

import math

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.draw import Range, Ranges, by_variant, drawing, early, within
from jaxphys_benchmarks.reacthuman.families.fall import FLOOR
from jaxphys_benchmarks.reacthuman.families.launch import fallen, lifted, longest_flight
from jaxphys_benchmarks.reacthuman.families.pose import Array, number, turn, vector
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family, Placement
from jaxphys_benchmarks.reacthuman.spec import BANDS, Room

WALL_MARGIN = 0.4
"""Least distance of a start from the north wall (m)."""

CEILING_MARGIN = 0.1
"""Least distance of a flight from the ceiling (m)."""


def _thrown(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": early(2.5, 5.0),
        "impact_x": within(0.25 * room.width),
        "impact_z": Range(0.8, 1.5),
        "height": early(1.2, 1.8),
        "sideways": within(0.6),
    }


def _aimed(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """The point on the reach plane first; the start is the same in all bands, as far off as the slow one can fly."""
    thing, leaves, room, g = drawn.object, drawn.leaves, drawn.room, config.g
    start, target, speed = leaves["height"], leaves["impact_z"], leaves["speed"]
    longest = longest_flight(start, target, room.height - CEILING_MARGIN - max(thing.size), g)
    distance = min(room.depth / 2 - WALL_MARGIN, BANDS["slow"] * speed * longest)
    aside = leaves["sideways"] * distance / speed
    time = distance / (speed * s)
    vel = np.array([aside / time, -speed * s, lifted(target - start, time, g)])
    pos = np.array([leaves["impact_x"] - aside, distance, start])
    point = vector((leaves["impact_x"], 0.0, target))
    derived = {"flight_time": number(time), "launch_speed_z": number(vel[2])}
    scene = parts.scene([parts.body(thing, pos, vel=vel)], [], config)
    return Draft(scene, Placement("on_plane", point, lateral=THROWN_LATERAL), derived=derived)


THROWN_LATERAL = 0.3
"""Half width of the range of the robot's offset from a throw (m)."""


def _early_thrown(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": early(2.5, 5.0),
        "x": within(0.25 * room.width),
        "y": early(0.4, min(1.6, room.depth / 2 - WALL_MARGIN)),
        "height": early(1.2, 1.8),
        "sideways": within(0.6),
        "upwards": early(-0.3, 0.5),
    }


def _early_throw(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    leaves = drawn.leaves
    pos = np.array([leaves["x"], leaves["y"], leaves["height"]])
    vel = np.array([leaves["sideways"], -leaves["speed"] * s, leaves["upwards"]])
    return _flight(drawn, pos, vel, config)


def _flight(drawn: Drawn, pos: Array, vel: Array, config: ReactHumanConfig) -> Draft:
    """A free flight, with the robot where it crosses y = 0, or above the floor there if it does not get so far."""
    time = pos[1] / -vel[1]
    low = drawn.object.half_height
    height = max(pos[2] + vel[2] * time - 0.5 * config.g * time**2, low)
    point = vector((pos[0] + vel[0] * time, 0.0, height))
    scene = parts.scene([parts.body(drawn.object, pos, vel=vel)], [], config)
    return Draft(scene, Placement("on_plane", point), derived={"flight_time": number(time)})


THROWN_OBJECT = Family(
    name="thrown_object",
    archetype="ballistic",
    summary="an object is thrown at the observer",
    rooms=rooms.rooms_of("thrown_object"),
    banded="speed",
    timed=True,
    event="reach_plane",
    early_event="early_south",
    track="com",
    order="",
    draw=by_variant(drawing("thrown_object", _thrown), drawing("thrown_object", _early_thrown)),
    build=by_variant(_aimed, _early_throw),
)

LEAST_REBOUND = 2.5
"""Vertical speed of a baked bounce (m/s, early generator)."""

FIRST_FLIGHT = 0.9
"""A baked bounce starts at most this share of the slow band's flight away from the reach plane."""


def _bounced(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": early(0.8, 2.5),
        "drop": early(0.6, 1.5),
        "x": within(0.22 * room.width),
        "y": early(0.3, min(1.2, room.depth / 2 - WALL_MARGIN)),
        "sideways": within(0.3),
        "phase": Range(0.3, 0.9),
    }


def _rebounding(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return (_bounces if config.bounce == "contact" else _bakes)(drawn, s, config)


def _bakes(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """Starts at the floor with the speed of a rebound; every band crosses the plane in this flight."""
    thing, leaves = drawn.object, drawn.leaves
    up = max(LEAST_REBOUND, thing.restitution * fallen(leaves["drop"], config.g))
    y = min(leaves["y"], FIRST_FLIGHT * BANDS["slow"] * leaves["speed"] * 2 * up / config.g)
    pos = np.array([leaves["x"], y, thing.half_height])
    return _flight(drawn, pos, np.array([leaves["sideways"], -leaves["speed"] * s, up]), config)


def _bounces(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """Falls, bounces by the law of section 15.4 and crosses the plane at a given phase of the next flight.

    That takes the same time in all bands, which start the further off the faster they are.
    Where the room is too short for that, both flights are shortened alike, and the ball is thrown down from lower so
    that it still hits the floor as fast as after the drop. It spins as if it rolled, so that the floor does not brake
    it.
    """
    thing, leaves, g, speed = drawn.object, drawn.leaves, config.g, drawn.leaves["speed"] * s
    impact = fallen(leaves["drop"], g)
    down, up = impact / g, leaves["phase"] * 2 * thing.restitution * impact / g
    share = min(1.0, (drawn.room.depth / 2 - WALL_MARGIN) / (speed * (down + up)))
    down, up = share * down, share * up
    first, rebound = impact - g * down, thing.restitution * impact
    sideways = leaves["sideways"]
    x, y = leaves["x"], speed * (down + up)
    pos = np.array([x, y, thing.half_height + impact * down - 0.5 * g * down**2])
    spin = np.array([speed, sideways, 0.0]) / thing.radius
    height = thing.half_height + rebound * up - 0.5 * g * up**2
    point = vector((x + sideways * (down + up), 0.0, height))
    ball = parts.body(thing, pos, vel=np.array([sideways, -speed, -first]), omega=spin)
    derived = {"start_y": number(y), "bounce_time": number(down), "flight_time": number(down + up)}
    return Draft(parts.scene([ball], [], config), Placement("on_plane", point), derived=derived)


def _early_bounced(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """The band scales the drop as well."""
    thing, leaves = drawn.object, drawn.leaves
    up = max(LEAST_REBOUND, thing.restitution * fallen(leaves["drop"] * s, config.g))
    pos = np.array([leaves["x"], leaves["y"], thing.half_height])
    return _flight(drawn, pos, np.array([leaves["sideways"], -leaves["speed"] * s, up]), config)


BOUNCING_OBJECT = Family(
    name="bouncing_object",
    archetype="ballistic",
    summary="an object bounces towards the observer",
    rooms=rooms.rooms_of("bouncing_object"),
    banded="speed",
    timed=True,
    event="plane_after_bounce",
    early_event="early_bounce",
    track="com",
    order="",
    after="bounce",
    draw=drawing("bouncing_object", _bounced),
    build=by_variant(_rebounding, _early_bounced),
)

STEP_RANGE = early(3.0, 7.0, tall=True)
"""Steps above the lowest one, in whole numbers."""


def _tumbled(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    """What does not roll needs more speed, and still sticks in the slower bands."""
    return {
        "speed": Range(0.5, 0.9) if parts.rolls(thing) else Range(0.8, 1.4),
        "step": STEP_RANGE,
        "x": within(0.25 * rooms.STAIR_WIDTH),
        "yaw_deg": within(20.0),
    }


def _early_tumbled(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": early(0.30, 0.55),
        "step": STEP_RANGE,
        "x": within(0.25 * rooms.STAIR_WIDTH),
        "yaw_deg": within(20.0),
    }


def _down_stairs(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _nudged(drawn, drawn.leaves["speed"] * s, parts.rolls(drawn.object), config)


def _early_down_stairs(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _nudged(drawn, drawn.leaves["speed"] * s, False, config)


def _nudged(drawn: Drawn, speed: float, spinning: bool, config: ReactHumanConfig) -> Draft:
    """Starts in the middle of a step towards -Y; what is turned does not roll straight."""
    thing, leaves, room = drawn.object, drawn.leaves, drawn.room
    yaw = math.radians(leaves["yaw_deg"])
    step = min(max(int(leaves["step"]), 0), rooms.STAIRS - 1)
    y = parts.stair_foot(room) + (step + 0.5) * rooms.STAIR_RUN
    pos = np.array([leaves["x"], y, (step + 1) * rooms.STAIR_RISE + thing.half_height + parts.GAP])
    omega = turn(yaw) @ np.array([speed * math.cos(yaw) / thing.radius, 0.0, 0.0]) if spinning else parts.NOTHING
    moving = parts.body(thing, pos, yaw=yaw, vel=np.array([0.0, -speed, 0.0]), omega=omega)
    scene = parts.scene([moving], parts.stairs(room, config), config, horizon=config.horizon_stairs)
    return Draft(scene, FLOOR)


STAIR_TUMBLE = Family(
    name="stair_tumble",
    archetype="ballistic",
    summary="an object tumbles down the stairs",
    rooms=rooms.rooms_of("stair_tumble"),
    banded="speed",
    timed=True,
    event="floor",
    early_event="early_stair",
    track="com",
    order="support_floor",
    draw=by_variant(drawing("stair_tumble", _tumbled), drawing("stair_tumble", _early_tumbled)),
    build=by_variant(_down_stairs, _early_down_stairs),
)
