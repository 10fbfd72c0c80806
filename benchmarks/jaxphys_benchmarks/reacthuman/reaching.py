"""Where a hand meets what arrives, by somebody who knows the robot (humanoid specification, sections 7 and 8).

A palm gets `ARM` from its shoulder. What is to be met beyond that is walked towards, as far as the robot gets in the
time that there is (`walking`), and what is low is met with bent knees; where even that does not do, a hand waits for
it earlier on its way, on the parabola that ends in the point of impact. Places are (forward, left, up) from the pelvis,
in m. Public: `Meeting`, `meeting`.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.walking import displaced, forward_for

Floats = NDArray[np.float64]

SHOULDERS: tuple[Vector, Vector] = ((0.0, 0.14, 0.26), (0.0, -0.14, 0.26))
"""Left and right shoulder (m)."""
ARM = 0.42
"""How far from its shoulder a palm is sure to get (m)."""
BEND = 0.45
"""Deepest bend of the knees: a deeper one counts as a crouch."""
SINK = 0.2
"""How much lower the shoulders are at a bend of 1, standing (m); half of it while walking."""
NEAR = 1e-3
"""A miss that is none (m)."""
EARLIER = 0.4
"""How long before the impact it may be met (s)."""
INSTANTS = 21
"""Times before the impact that are tried."""
GRAVITY = 9.81
TOP, LEVEL = 0.56, 0.2
"""A palm gets no higher than this (m), and there only close to the shoulder; from 0.15 m below, 2 m less far ahead for
every metre higher than where it gets `LEVEL` (m): arms that reach up are short of what the distance alone says."""


@dataclass(frozen=True)
class Meeting:
    """Where and when a hand meets something.

    Attributes:
        time: s. place: from the pelvis as it is then (m). hand: 0 left, 1 right. forward: command to walk with (m/s).
        bend: of the knees. miss: by how much the palm stays short (m).
    """

    time: float
    place: Vector
    hand: int
    forward: float
    bend: float
    miss: float


def meeting(goal: Vector, time: float, velocity: Vector | None, most: float) -> Meeting:
    """The latest meeting that the robot can be at, or else the one that it misses least.

    Args:
        goal: point of impact. time: of it (s), above 0. velocity: there, (forward, left, up) m/s, falling freely until
            then; None: it is met at the goal or not at all. most: fastest command ahead (m/s).
    """
    before = np.linspace(0.0, min(EARLIER, 0.8 * time), INSTANTS) if velocity is not None else np.zeros(1)
    tried = [_tried(_place(goal, velocity, float(s)), time - float(s), most) for s in before]
    return next((one for one in tried if one.miss <= 0.0), min(tried, key=lambda one: one.miss))


def _place(goal: Vector, velocity: Vector | None, before: float) -> Vector:
    """Where something that falls freely is some time before it is at the goal."""
    if velocity is None:
        return goal
    x, y, z = (g - v * before for g, v in zip(goal, velocity, strict=True))
    return (x, y, z - 0.5 * GRAVITY * before**2)


def _tried(place: Vector, time: float, most: float) -> Meeting:
    """The best that can be done about a place at a time."""
    hand = 0 if place[1] >= 0 else 1
    shoulder = SHOULDERS[hand]
    aside, below = place[1] - shoulder[1], shoulder[2] - place[2]
    # How deep the shoulder must be for the arm to reach the height at all.
    level = math.sqrt(max(ARM**2 - aside**2, 0.0))
    walks = math.hypot(place[0] - shoulder[0], aside, below) > ARM
    sink = SINK * (0.5 if walks else 1.0)
    bend = min(max((below - 0.8 * level) / sink, 0.0), BEND) if below > 0.8 * level else 0.0
    below -= sink * bend
    below, over = max(below, shoulder[2] - TOP), max(place[2] - TOP, 0.0)
    reach = min(math.sqrt(max(level**2 - below**2, 0.0)), LEVEL + 2.0 * max(TOP - 0.05 - place[2], -0.05))
    needed = max(place[0] - shoulder[0] - reach, 0.0)
    forward = min(forward_for(needed, time), most) if needed > 0 else 0.0
    gone = float(displaced((forward, 0.0), np.array([time]))[0, 0]) if forward else 0.0
    left = (place[0] - gone, place[1], place[2] - over)
    miss = max(math.hypot(left[0] - shoulder[0], aside, below) - ARM, 0.0) + over
    return Meeting(time, left, hand, forward, bend, miss if miss > NEAR else 0.0)
