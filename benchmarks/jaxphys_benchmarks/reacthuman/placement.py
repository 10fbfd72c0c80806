"""Where the robot stands, from the motion of the normal band (ReactHuman specification, section 8.3).

The reference point is the first contact with the floor, or a point that the family gives. The robot stands south of it
by a drawn stand-off, which the wall behind it may shorten, or so that the point lies on the reach plane, or where the
family says. It never stands in the hazard as that starts: then it is moved south.

Public: `Place`, `placed`.
"""

import math
from dataclasses import dataclass

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.family import Placement
from jaxphys_benchmarks.reacthuman.spec import Robot, Room

DECIMALS = 6
"""Of derived numbers in a spec."""

START_GAP = 0.1
"""Least distance between the robot and the hazard as it starts (m, assumed)."""


@dataclass(frozen=True)
class Place:
    """What a group has drawn for its robot.

    Attributes:
        stand_off, lateral, decoy: uniform numbers in [0, 1).
    """

    stand_off: float
    lateral: float
    decoy: float


def placed(
    rule: Placement,
    drawn: Place,
    floor: tuple[float, float],
    south: float,
    room: Room,
    config: ReactHumanConfig,
) -> Robot:
    """The robot of a group, for all its bands.

    Args:
        rule: of the family. drawn: of the group. floor: x and y of the first contact with the floor in the normal band
            (m). south: least y of the tracked body as it starts (m). room: of the group. config: ranges.
    """
    low, high = config.stand_off
    stand_off = low + drawn.stand_off * (high - low)
    left, right = config.lateral if rule.lateral is None else (-rule.lateral, rule.lateral)
    lateral = left + drawn.lateral * (right - left)
    if rule.rule == "floor":
        ahead = math.sqrt(max(stand_off**2 - lateral**2, 0.0))
        clear = south - config.robot_radius - START_GAP
        inside = config.robot_radius - room.depth / 2
        return _robot(floor[0] + lateral, min(max(floor[1] - ahead, inside), clear), stand_off, lateral, config)
    if rule.point is None:
        raise ValueError(f"placement: rule {rule.rule!r} needs a point; give one")
    x, y, _ = rule.point
    if rule.rule == "on_plane":
        return _robot(x + lateral, y - config.reach_offset, math.hypot(lateral, config.reach_offset), lateral, config)
    root = (x + rule.offset[0], y + rule.offset[1])
    return _robot(*root, math.hypot(*rule.offset), rule.offset[0], config)


def _robot(x: float, y: float, stand_off: float, lateral: float, config: ReactHumanConfig) -> Robot:
    return Robot(
        x=round(x, DECIMALS) + 0.0,
        y=round(y, DECIMALS) + 0.0,
        stand_off=round(stand_off, DECIMALS) + 0.0,
        lateral_offset=round(lateral, DECIMALS) + 0.0,
        reach_offset=config.reach_offset,
    )
