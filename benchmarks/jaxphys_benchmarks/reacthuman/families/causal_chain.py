"""Causal chains: a trigger strikes one object or a row (ReactHuman specification, sections 7.2 and 7.4).

The launch of the trigger is solved backwards from the speed at which the front object is to leave the table: friction
of the row, inelastic strike, friction of the trigger. Public: `CHAIN_REACTION`, `MULTI_OBJECT`.
"""

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.draw import Range, Ranges, by_variant, drawing, early
from jaxphys_benchmarks.reacthuman.families.fall import EXIT_SPEED, FLOOR
from jaxphys_benchmarks.reacthuman.families.launch import pair_friction, slid, struck
from jaxphys_benchmarks.reacthuman.families.pose import number, vector
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family
from jaxphys_benchmarks.reacthuman.scene import Thing, Vector
from jaxphys_benchmarks.reacthuman.spec import Room

TRIGGER_HALF = (0.075, 0.05)
"""Half width and half depth of a trigger (m, assumed)."""

TRIGGER_HEIGHT = (0.02, 0.06)
"""Limits of its half height, else 0.8 times that of the object (m)."""

TRIGGER_FRICTION = 0.5
BEYOND = 0.03
"""Way with friction that a struck object has beyond its distance from the edge (m)."""

ROW_GAP = 0.004
"""Between the objects of a row (m)."""

CLEAR = 0.15
"""Table behind the trigger (m)."""

SINGLE, MOST = 1, 5


def _chain(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "v_exit": EXIT_SPEED,
        "distance": Range(0.02, 0.05),
        "gap": Range(0.06, 0.12),
        "mass_ratio": Range(1.0, 1.6),
        "table_x": Range(-0.12, 0.12),
        "table_y": Range(-0.12, 0.12),
        "offset_x": Range(-0.24, 0.24),
        "n": Range(3.0, 6.0),
    }


def _count(drawn: Drawn) -> int:
    return min(int(drawn.leaves["n"]), MOST)


def _row(thing: Object, n: int, x: float, y: float) -> tuple[list[Thing], float]:
    """Objects in a row, the front one, centred at x, y (m), called "object"; and the y of their rear face."""
    pitch = 2 * thing.half_depth + ROW_GAP
    names = ["object", *(f"object_{k}" for k in range(1, n))]
    z = rooms.TABLE_HEIGHT + thing.half_height + parts.GAP
    bodies = [parts.body(thing, np.array([x, y + i * pitch, z]), name=name) for i, name in enumerate(names)]
    return bodies, y + (n - 1) * pitch + thing.half_depth


def _trigger(x: float, face: float, half: Vector, mass: float, speed: float) -> Thing:
    """A box whose front face is at y = `face` (m), launched towards -Y at `speed` (m/s)."""
    pos = vector((x, face + half[1], rooms.TABLE_HEIGHT + half[2] + parts.GAP))
    return Thing(
        name="trigger",
        shape="box",
        size=vector(half),
        mass=number(mass),
        friction=TRIGGER_FRICTION,
        pos=pos,
        vel=vector((0.0, -speed, 0.0)),
    )


def _struck_row(drawn: Drawn, n: int, s: float, config: ReactHumanConfig) -> Draft:
    thing, leaves, g = drawn.object, drawn.leaves, config.g
    x, edge = leaves["table_x"] + leaves["offset_x"], parts.table_edge(leaves["table_y"])
    row, rear = _row(thing, n, x, edge + leaves["distance"])
    # A sphere rolls away, so it pays for less than its friction.
    friction = config.rolling_friction if parts.rolls(thing) else pair_friction(config.friction_table, thing.friction)
    row_mass = n * thing.mass
    mass = leaves["mass_ratio"] * row_mass
    row_speed = slid(leaves["v_exit"] * s, friction, leaves["distance"] + BEYOND, g)
    strike = struck(row_speed, mass, row_mass)
    speed = slid(strike, pair_friction(config.friction_table, TRIGGER_FRICTION), leaves["gap"], g)
    height = min(max(0.8 * thing.half_height, TRIGGER_HEIGHT[0]), TRIGGER_HEIGHT[1])
    trigger = _trigger(x, rear + leaves["gap"], (*TRIGGER_HALF, height), mass, speed)
    return _on_table(drawn, [*row, trigger], {"launch_speed": speed, "strike_speed": strike}, config)


def _on_table(drawn: Drawn, things: list[Thing], derived: dict[str, float], config: ReactHumanConfig) -> Draft:
    """The table is lengthened to the row; everything settles before the launch."""
    x, y = drawn.leaves["table_x"], drawn.leaves["table_y"]
    trigger = things[-1]
    needed = trigger.pos[1] + trigger.size[1] + CLEAR - parts.table_edge(y)
    table = parts.table(x, y, config, depth=max(2 * rooms.TABLE_HALF[1], needed))
    scene = parts.scene(things, [table], config, hold=config.hold)
    return Draft(scene, FLOOR, derived={name: number(value) for name, value in derived.items()})


def _strikes_one(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _struck_row(drawn, SINGLE, s, config)


def _strikes_row(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _struck_row(drawn, _count(drawn), s, config)


def _early_chain(thing: Object, room: Room, config: ReactHumanConfig) -> Ranges:
    return {
        "speed": early(1.2, 2.0),
        "edge_gap": early(0.02, 0.08),
        "gap": early(0.18, 0.32),
        "half_x": early(0.06, 0.09),
        "half_y": early(0.04, 0.07),
        "half_z": early(0.01, 0.02),
        "density": early(500.0, 850.0),
        "table_x": Range(-0.15, 0.15),
        "table_y": Range(-0.10, 0.10),
        "offset_x": early(-0.24, 0.24),
        "n": Range(3.0, 6.0),
    }


def _early_struck(drawn: Drawn, n: int, s: float, config: ReactHumanConfig) -> Draft:
    """Whatever the trigger brings along, which friction may stop."""
    thing, leaves = drawn.object, drawn.leaves
    x, edge = leaves["table_x"] + leaves["offset_x"], parts.table_edge(leaves["table_y"])
    row, rear = _row(thing, n, x, edge + 2 * thing.half_height + leaves["edge_gap"])
    half = (leaves["half_x"], leaves["half_y"], leaves["half_z"])
    mass = 8 * half[0] * half[1] * half[2] * leaves["density"]
    trigger = _trigger(x, rear + leaves["gap"], half, mass, leaves["speed"] * s)
    return _on_table(drawn, [*row, trigger], {"launch_speed": leaves["speed"] * s}, config)


def _early_strikes_one(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _early_struck(drawn, SINGLE, s, config)


def _early_strikes_row(drawn: Drawn, s: float, config: ReactHumanConfig) -> Draft:
    return _early_struck(drawn, _count(drawn), s, config)


CHAIN_REACTION = Family(
    name="chain_reaction",
    archetype="causal_chain",
    summary="a strike sends a second object off a table",
    rooms=rooms.rooms_of("chain_reaction"),
    banded="v_exit",
    timed=True,
    event="floor",
    early_event="early_target",
    track="com",
    order="trigger_target_floor",
    draw=by_variant(drawing("chain_reaction", _chain), drawing("chain_reaction", _early_chain)),
    build=by_variant(_strikes_one, _early_strikes_one),
)

MULTI_OBJECT = Family(
    name="multi_object",
    archetype="causal_chain",
    summary="momentum runs down a row of objects and off a table",
    rooms=rooms.rooms_of("multi_object"),
    banded="v_exit",
    timed=True,
    event="floor",
    early_event="early_target",
    track="com",
    order="row_floor",
    draw=by_variant(drawing("multi_object", _chain), drawing("multi_object", _early_chain)),
    build=by_variant(_strikes_row, _early_strikes_row),
)
