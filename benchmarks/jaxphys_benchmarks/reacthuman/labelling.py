"""What should be done about a hazard: both label sets (ReactHuman specification, section 8.4).

What happens, where and when, comes from the simulation; what would be wise is a property of the object in the
catalogue. Public: `three_way`, `released`, `reachable`.
"""

import math

from jaxphys_benchmarks.reacthuman.catalogue import NEVER_CAUGHT, Object, property_action
from jaxphys_benchmarks.reacthuman.labels import Action
from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.spec import Judging, Robot

NEVER_CAUGHT_RELEASED = (*NEVER_CAUGHT, "stair_tumble")
"""Families that the early rule never catches in; the last one by choice only."""

THROWN = ("thrown_object", "bouncing_object")
"""Families in which the released set has no BRACE_FOR_IMPACT."""

SHOULDER_FORWARD, SHOULDER_LEFT, SHOULDER_UP = 0.0, 0.12, 0.29
"""Centre of a shoulder in the robot's frame (m, assumed)."""

ARM = 0.45
"""Farthest place of a palm from the shoulder (m; measured on the robot's model)."""


def three_way(
    thing: Object,
    family: str,
    *,
    clearance: float,
    meets: bool,
    enters: bool,
    speed: float | None,
    judging: Judging,
) -> Action:
    """EXECUTE_CATCH, TRIGGER_DODGE or NO_ACTION.

    Args:
        thing: catalogue row of what meets the robot. family: name.
        clearance: least distance to the robot (m). meets: there is an impact point. enters: it crosses the reach
            window. speed: at the impact (m/s).
        judging: limits.
    """
    if not meets or (clearance > judging.c_na and not enters):
        return "NO_ACTION"
    action = property_action(thing, family)
    if judging.speed_limit is not None and speed is not None and speed > judging.speed_limit:
        return "TRIGGER_DODGE"
    return action


def released(thing: Object, family: str, judging: Judging) -> Action:
    """The action of the released set, which looks at the object alone."""
    heavy = thing.mass_hint == "heavy"
    if family == "stack_collapse" and heavy:
        return "BRACE_FOR_IMPACT"
    never = NEVER_CAUGHT_RELEASED if judging.stair_never_catch else NEVER_CAUGHT
    if thing.catch_safe and family not in never:
        return "EXECUTE_CATCH"
    if family in THROWN:
        return "TRIGGER_DODGE"
    return "BRACE_FOR_IMPACT" if heavy else "TRIGGER_DODGE"


def reachable(point: Vector | None, robot: Robot) -> bool:
    """Whether a palm gets to a place from the start root, bending nothing but an arm."""
    if point is None:
        return False
    ahead, up = point[1] - robot.y - SHOULDER_FORWARD, point[2] - robot.z - SHOULDER_UP
    left = robot.x - point[0]
    return min(math.dist((ahead, left, up), (0.0, side, 0.0)) for side in (SHOULDER_LEFT, -SHOULDER_LEFT)) <= ARM
