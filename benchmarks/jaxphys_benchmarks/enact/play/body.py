"""How the robot stands, bends and looks to do something with its hands.

The hands need no inverse kinematics, but stay within an arm's length of the shoulders: torso and base move for it.
Robots are (7,), the fields of `robot.Pose`. Public: `shoulder`, `posture`, `short`, `stand`, `route`, `look`.
"""

import numpy as np

from jaxphys_benchmarks.enact.play.motion import toward
from jaxphys_benchmarks.enact.world.robot import LIFT_MAX, NECK, PITCH_MAX, REACH, SHOULDER, WAIST
from jaxphys_kernels.quaternions import Floats

REACHED = 0.98 * REACH
"""Arms are not stretched further (m)."""

PITCHES = np.linspace(0.0, PITCH_MAX, 24)
LIFTS = (0.0, 0.15, LIFT_MAX)

ALOOF = 0.6
"""Least distance of the base's middle from the front of furniture (m)."""
COMFORT, FARTHEST = 0.9, 1.25
"""Distance of the base from what is handled that it would like, and the greatest one (m)."""
ASIDE = 0.1
"""What is handled lies so far to the side of the hand that does it (m)."""
BACK = 0.3
"""The base backs off so far before it drives elsewhere (m)."""

EYE = 0.14
"""The eyes are about this far ahead of the neck (m), and above it."""
EYE_UP = 0.29
PAN_MAX, TILT_MIN, TILT_MAX = 1.0, -0.3, 1.05


def shoulder(robot: Floats, hand: int, lift: float, pitch: Floats) -> Floats:
    """(k, 3): places of a shoulder for pitches (k,)."""
    ahead = SHOULDER[0] * np.cos(pitch) + SHOULDER[2] * np.sin(pitch)
    up = WAIST + lift - SHOULDER[0] * np.sin(pitch) + SHOULDER[2] * np.cos(pitch)
    side = SHOULDER[1] if hand == 0 else -SHOULDER[1]
    c, s = np.cos(robot[2]), np.sin(robot[2])
    return np.stack([robot[0] + c * ahead - s * side, robot[1] + s * ahead + c * side, up], -1)


def posture(robot: Floats, targets: list[tuple[int, Floats]]) -> tuple[Floats, float]:
    """The least bend of the torso with which hands reach what they are to reach.

    Args:
        robot: whose base stays. targets: hand and place (3,) m.

    Returns:
        The robot with lift and pitch; by how much the farthest target is out of reach (m).
    """
    best: tuple[float, float, float, float] | None = None
    for lift in LIFTS:
        over = np.zeros(len(PITCHES))
        for hand, place in targets:
            distance = np.linalg.norm(shoulder(robot, hand, lift, PITCHES) - place, axis=1)
            over = np.maximum(over, distance - REACHED)
        k = int(np.argmax(over <= 0)) if (over <= 0).any() else int(np.argmin(over))
        # Within reach first, then little effort: rising costs less than bending far.
        score = (max(float(over[k]), 0.0), PITCHES[k] + 0.6 * lift, lift, float(PITCHES[k]))
        if best is None or score < best:
            best = score
    assert best is not None
    found = robot.copy()
    found[3], found[4] = best[2], best[3]
    return found, best[0]


def short(robot: Floats, hand: int, place: Floats) -> float:
    """By how much a place is out of a hand's reach, however the torso bends (m)."""
    return posture(robot, [(hand, place)])[1]


def stand(place: Floats, ahead: Floats, depth: float, hand: int) -> Floats:
    """(3,): x, y and heading from which a hand does something at a place.

    Args:
        place: (3,) m. ahead: (2,) unit, the direction in which the robot is to look.
        depth: how far the place lies behind the front of what it belongs to (m). hand: which one.
    """
    distance = max(COMFORT, depth + ALOOF)
    left = np.array([-ahead[1], ahead[0]])
    side = -ASIDE if hand == 0 else ASIDE
    spot = place[:2] - min(distance, FARTHEST) * ahead + side * left
    return np.array([*spot, np.arctan2(ahead[1], ahead[0])])


def route(robot: Floats, goal: Floats) -> list[Floats]:
    """Bases (3,) to pass on the way from where the robot is: back, across, forward."""
    heading = toward(goal[2], robot[2])
    way, turn = float(np.linalg.norm(goal[:2] - robot[:2])), abs(heading - robot[2])
    end = np.array([goal[0], goal[1], heading])
    if turn < 0.2 and way < 1.2:
        return [end]
    away = BACK * np.array([np.cos(robot[2]), np.sin(robot[2])])
    before = BACK * np.array([np.cos(heading), np.sin(heading)])
    return [
        np.array([*(robot[:2] - away), robot[2]]),
        np.array([*(end[:2] - before), heading]),
        end,
    ]


def look(robot: Floats, focus: Floats) -> Floats:
    """The robot with its head turned to a place (3,), as far as its neck allows."""
    found = robot.copy()
    pitch = robot[4]
    ahead = NECK[0] * np.cos(pitch) + NECK[2] * np.sin(pitch) + EYE
    up = WAIST + robot[3] - NECK[0] * np.sin(pitch) + NECK[2] * np.cos(pitch) + EYE_UP
    c, s = np.cos(robot[2]), np.sin(robot[2])
    dx, dy = focus[0] - robot[0], focus[1] - robot[1]
    x, y = c * dx + s * dy - ahead, -s * dx + c * dy
    flat = float(np.hypot(x, y))
    found[5] = float(np.clip(np.arctan2(y, max(x, 0.05)), -PAN_MAX, PAN_MAX))
    found[6] = float(np.clip(np.arctan2(up - focus[2], max(flat, 0.05)), TILT_MIN, TILT_MAX))
    return found
