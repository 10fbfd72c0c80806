"""Topples: furniture and stacks about a bottom edge, a ladder off its wall (ReactHuman specification, 7.2 and 7.4).

Public: `FURNITURE_TIP`, `STACK_COLLAPSE`, `LADDER_SLIP`.
"""

import math

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.draw import Range, Ranges, by_variant, drawing, early, within
from jaxphys_benchmarks.reacthuman.families.fall import FLOOR
from jaxphys_benchmarks.reacthuman.families.pose import Array, leading, number, reach, turn
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family
from jaxphys_benchmarks.reacthuman.scene import Thing
from jaxphys_benchmarks.reacthuman.spec import Room


def tipping(
    thing: Object, pivot: Array, rise: float, yaw: float, tilt: float, spin: float, name: str = "object"
) -> Thing:
    """A body that turns rigidly about a leading bottom edge.

    Args:
        thing: its row.
        pivot: (3,) middle of the edge (m).
        rise: of its centre above the edge when upright (m).
        yaw: of the edge (rad).
        tilt: about the edge (rad).
        spin: about the edge (rad/s).
        name: in the scene.
    """
    arm = turn(yaw, tilt) @ np.array([0.0, leading(thing.collider, thing.size), rise])
    omega = turn(yaw) @ np.array([spin, 0.0, 0.0])
    return parts.body(thing, pivot + arm, name=name, yaw=yaw, tilt=tilt, vel=np.cross(omega, arm), omega=omega)


def balance(thing: Object, n: int = 1) -> float:
    """Tilt (rad) at which n of a row on top of each other stand on their edge."""
    return math.atan2(leading(thing.collider, thing.size), n * thing.half_height)


def _furniture(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "omega": early(0.2, 0.6),
        "beyond_deg": early(2.0, 12.0),
        "x": within(0.3),
        "y": early(0.5, 1.2),
        "yaw_deg": within(15.0),
    }


def _tipped(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    thing, leaves = drawn.object, drawn.leaves
    tilt = balance(thing) + math.radians(leaves["beyond_deg"])
    pivot = np.array([leaves["x"], leaves["y"], parts.GAP])
    yaw = math.radians(leaves["yaw_deg"])
    falling = tipping(thing, pivot, thing.half_height, yaw, tilt, leaves["omega"] * s)
    return Draft(parts.scene([falling], [], config), FLOOR, derived={"tilt_deg": number(math.degrees(tilt))})


def _early_tipped(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """The critical angle is that of the width, whatever the depth."""
    thing, leaves = drawn.object, drawn.leaves
    critical = math.atan2(thing.half_width, thing.half_height)
    tilt = critical + math.radians(leaves["beyond_deg"])
    pivot = np.array([leaves["x"], leaves["y"], parts.GAP])
    yaw = math.radians(leaves["yaw_deg"])
    falling = tipping(thing, pivot, thing.half_height, yaw, tilt, leaves["omega"] * s)
    return Draft(parts.scene([falling], [], config), FLOOR, derived={"tilt_deg": number(math.degrees(tilt))})


FURNITURE_TIP = Family(
    name="furniture_tip",
    archetype="topple",
    summary="tall furniture tips over",
    rooms=rooms.rooms_of("furniture_tip"),
    banded="omega",
    timed=True,
    event="top_edge_floor",
    early_event="early_tip",
    track="top_edge",
    order="",
    draw=drawing("furniture_tip", _furniture),
    build=by_variant(_tipped, _early_tipped),
)


def _stack(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "omega": early(0.3, 0.7),
        "n": early(2.0, 5.0),
        "tilt_share": early(0.0, 1.0),
        "edge_share": Range(0.0, 0.5),
        "offset_x": within(0.25 * 2 * rooms.TABLE_HALF[0]),
        "offset_y": within(0.20 * 2 * rooms.TABLE_HALF[1]),
        "table_x": within(0.12),
        "table_y": within(0.12),
        "yaw_deg": within(20.0),
    }


MOST_ITEMS = 4
EARLY_SLOWEST = 0.3
"""Spin of the lowest item in the early generator, as a share of the top one's."""


def _stack_tilt(critical: float, share: float) -> float:
    """Tilt (rad) from the range of the early generator, which depends on the critical angle (rad) of the stack."""
    critical = math.degrees(critical)
    low, high = max(5.0, critical + 2.0), max(12.0, critical + 10.0)
    return math.radians(low + share * (high - low))


def _stacked(drawn: Drawn, y: float, critical: float, spins: list[float], config: ReactHumanConfig) -> Draft:
    """Items on top of each other, the top one called "object", tilted rigidly over an edge at y (m)."""
    thing, leaves, n = drawn.object, drawn.leaves, len(spins)
    tilt = _stack_tilt(critical, leaves["tilt_share"])
    pivot = np.array([leaves["table_x"] + leaves["offset_x"], y, rooms.TABLE_HEIGHT + parts.GAP])
    yaw = math.radians(leaves["yaw_deg"])
    names = [f"object_{k}" for k in range(1, n)] + ["object"]
    items = [tipping(thing, pivot, (2 * i + 1) * thing.half_height, yaw, tilt, spins[i], names[i]) for i in range(n)]
    scene = parts.scene(items, [parts.table(leaves["table_x"], leaves["table_y"], config)], config)
    return Draft(scene, FLOOR, derived={"tilt_deg": number(math.degrees(tilt))})


def _count(drawn: Drawn) -> int:
    return min(int(drawn.leaves["n"]), MOST_ITEMS)


def _rigid_stack(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """Its leading edge stands just behind the edge of the table."""
    behind = drawn.leaves["edge_share"] * drawn.object.half_depth
    edge, n = parts.table_edge(drawn.leaves["table_y"]), _count(drawn)
    return _stacked(drawn, edge + behind, balance(drawn.object, n), [drawn.leaves["omega"] * s] * n, config)


def _early_stack(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """Anywhere on the table, and spinning faster towards the top."""
    n = _count(drawn)
    spins = [drawn.leaves["omega"] * s * (EARLY_SLOWEST + (1 - EARLY_SLOWEST) * i / (n - 1)) for i in range(n)]
    foot = drawn.leaves["table_y"] + drawn.leaves["offset_y"] - drawn.object.half_depth
    critical = math.atan2(drawn.object.half_width, n * drawn.object.half_height)
    return _stacked(drawn, foot, critical, spins, config)


STACK_COLLAPSE = Family(
    name="stack_collapse",
    archetype="topple",
    summary="stacked items collapse over the edge of a table",
    rooms=rooms.rooms_of("stack_collapse"),
    banded="omega",
    timed=True,
    event="top_item_floor",
    early_event="early_floor",
    track="com",
    order="top_item",
    each=True,
    draw=drawing("stack_collapse", _stack),
    build=by_variant(_rigid_stack, _early_stack),
)


def _ladder(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "base_speed": Range(0.1, 0.4),
        "lean_deg": early(25.0, 45.0),
        "x": within(0.25 * room.width),
        "yaw_deg": within(8.0),
        "omega": early(0.10, 0.25),
    }


def leaning(
    thing: Object, room: Room, x: float, lean: float, yaw: float, base_speed: float, config: ReactHumanConfig
) -> Draft:
    """A ladder between floor and north wall that slips rigidly.

    Its foot leaves at `base_speed` (m/s) and its top goes down the wall, both kept in contact.

    Args:
        thing: its row.
        room: with the wall.
        x: of its centre (m).
        lean: from the vertical (rad).
        yaw: about the vertical (rad).
        base_speed: of the foot, towards -Y (m/s).
        config: with the frictions.
    """
    turned = turn(yaw, -lean)
    rise = reach(thing.collider, thing.size, turned, (0.0, 0.0, -1.0)) + parts.GAP
    back = reach(thing.collider, thing.size, turned, (0.0, 1.0, 0.0)) + parts.GAP
    rate = base_speed / (2 * thing.half_height * math.cos(lean))
    # The face towards the wall carries both contacts; its middle moves on a circle about the corner of the room.
    half, depth = thing.half_height, thing.half_depth
    down = -half * math.sin(lean) + depth * math.cos(lean)
    away = -half * math.cos(lean) + depth * math.sin(lean)
    level = turn(yaw)
    ladder = parts.body(
        thing.model_copy(update={"friction": min(thing.friction, config.friction_ladder_feet)}),
        np.array([x, room.depth / 2 - back, rise]),
        yaw=yaw,
        tilt=-lean,
        vel=level @ np.array([0.0, away * rate, down * rate]),
        omega=level @ np.array([-rate, 0.0, 0.0]),
    )
    boxes = [parts.wall(room, config.friction_ladder_wall)]
    scene = parts.scene([ladder], boxes, config, floor=config.friction_ladder_floor)
    return Draft(scene, FLOOR, derived={"rate": number(-rate)})


def _slipping(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    leaves = drawn.leaves
    lean, yaw = math.radians(leaves["lean_deg"]), math.radians(leaves["yaw_deg"])
    return leaning(drawn.object, drawn.room, leaves["x"], lean, yaw, leaves["base_speed"] * s, config)


def _early_slipping(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    """A spin that the first contact takes away, so that the band does nothing."""
    leaves = drawn.leaves
    lean, yaw = math.radians(leaves["lean_deg"]), math.radians(leaves["yaw_deg"])
    draft = leaning(drawn.object, drawn.room, leaves["x"], lean, yaw, 0.0, config)
    spinning = draft.scene.things[0].model_copy(update={"omega": (number(leaves["omega"] * s), 0.0, 0.0)})
    return Draft(draft.scene.model_copy(update={"things": (spinning,)}), FLOOR)


LADDER_SLIP = Family(
    name="ladder_slip",
    archetype="topple",
    summary="a leaning ladder slips off its wall",
    rooms=rooms.rooms_of("ladder_slip"),
    banded="base_speed",
    timed=True,
    event="ladder_down",
    early_event="early_ladder",
    track="top_edge",
    order="",
    draw=drawing("ladder_slip", _ladder),
    build=by_variant(_slipping, _early_slipping),
)
