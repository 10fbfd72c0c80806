"""The 17 families of hazards, in the order of the ReactHuman specification, section 6.

Each draws and builds its scenes in both parametrisations and picks by `ReactHumanConfig.variant`. An own family is
added by `register`, its objects by `catalogue.register`.
"""

from typing import get_args, get_type_hints

from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.events import EVENTS
from jaxphys_benchmarks.reacthuman.families.articulated import DOOR_SWING, PENDULUM_SWING
from jaxphys_benchmarks.reacthuman.families.ballistic import BOUNCING_OBJECT, STAIR_TUMBLE, THROWN_OBJECT
from jaxphys_benchmarks.reacthuman.families.causal_chain import CHAIN_REACTION, MULTI_OBJECT
from jaxphys_benchmarks.reacthuman.families.fall import CEILING_DROP, HANGING_FALL, OBJECT_DROP, SHELF_SLIDE
from jaxphys_benchmarks.reacthuman.families.slide_roll import ROLLING_BALL, SLIDING_OBJECT, SURFACE_CASCADE
from jaxphys_benchmarks.reacthuman.families.topple import FURNITURE_TIP, LADDER_SLIP, STACK_COLLAPSE
from jaxphys_benchmarks.reacthuman.family import Family
from jaxphys_benchmarks.reacthuman.validate import ORDERS

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        OBJECT_DROP,
        SHELF_SLIDE,
        HANGING_FALL,
        CEILING_DROP,
        SLIDING_OBJECT,
        ROLLING_BALL,
        SURFACE_CASCADE,
        FURNITURE_TIP,
        STACK_COLLAPSE,
        LADDER_SLIP,
        DOOR_SWING,
        PENDULUM_SWING,
        THROWN_OBJECT,
        BOUNCING_OBJECT,
        STAIR_TUMBLE,
        CHAIN_REACTION,
        MULTI_OBJECT,
    )
}
"""By name."""


def register(family: Family) -> Family:
    """Makes an own family known to configurations, objects and planners; returns it.

    Raises:
        ValueError: one of its rooms, its event, order, impact, track or after is unknown; names the field.
    """
    for room in family.rooms:
        rooms.get(room)
    hints = get_type_hints(Family)
    known = {"event": tuple(EVENTS), "early_event": ("", *EVENTS), "order": tuple(ORDERS)}
    known |= {name: get_args(hints[name]) for name in ("archetype", "track", "impact", "after")}
    for field, names in known.items():
        if getattr(family, field) not in names:
            raise ValueError(f"{field}: {getattr(family, field)!r} of {family.name} is unknown; choose from {names}")
    rooms.ROOMS_OF[catalogue.register_family(family.name)] = family.rooms
    FAMILIES[family.name] = family
    return family
