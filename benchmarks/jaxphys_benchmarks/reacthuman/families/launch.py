"""Launches solved backwards: the speed at the start that gives a wanted motion later (ReactHuman specification, 7.4).

Closed forms of friction, impulsive chains, flight and ladders. SI units; speeds are positive, g is m/s².
"""

import math

LEAST_FRICTION = 0.01
"""Of a pair (section 15.1)."""


def pair_friction(first: float, second: float) -> float:
    """Coefficient of friction of two surfaces: the larger one (section 15.1)."""
    return max(first, second, LEAST_FRICTION)


def slid(exit_speed: float, friction: float, distance: float, g: float) -> float:
    """Launch speed of a slider that still has `exit_speed` after `distance` (m)."""
    return math.sqrt(exit_speed**2 + 2 * friction * g * distance)


def struck(speed: float, striker: float, row: float) -> float:
    """Speed of a striker of mass `striker` that gives a row of mass `row` (kg) `speed` in an inelastic strike."""
    return speed * (striker + row) / striker


def lifted(rise: float, time: float, g: float) -> float:
    """Vertical launch speed, upwards positive, of a flight that is `rise` (m) higher after `time` (s)."""
    return (rise + 0.5 * g * time**2) / time


def longest_flight(start: float, target: float, ceiling: float, g: float) -> float:
    """Time (s) of the longest flight from height `start` to height `target` that stays under `ceiling` (m)."""
    up = math.sqrt(2 * g * max(ceiling - start, 0.0))
    return (up + math.sqrt(max(up**2 + 2 * g * (start - target), 0.0))) / g


def fallen(height: float, g: float) -> float:
    """Speed after a fall from rest through `height` (m)."""
    return math.sqrt(2 * g * height)


def critical_lean(floor_friction: float, wall_friction: float) -> float:
    """Lean from the vertical (rad) up to which a uniform thin ladder sticks: tan = 2 μf / (1 - μf μw)."""
    return math.atan2(2 * floor_friction, 1 - floor_friction * wall_friction)
