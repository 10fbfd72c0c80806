"""What a plan asks that the robot cannot do: speed, reach, knee bend (humanoid specification, section 7).

None of it is an error. The controller does what it can, and whoever runs the plan tells these findings. Reach is judged
here by the distance from the shoulder alone, for a robot that stands upright over its feet; the exact miss needs the
inverse kinematics of the robot at hand.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jaxphys_kernels.humanoid.gains import DEFAULTS, Gains
from jaxphys_kernels.humanoid.joints import SIDES
from jaxphys_kernels.humanoid.plan import Plan, readable

FORWARD, BACKWARD, SIDEWAYS, TURNING = 0.73, 0.67, 0.3, 0.8
"""Steady speeds that the robot can walk (m/s) and turn with (rad/s)."""

REACH = 0.45
"""Largest distance of a palm from the centre of its shoulder's roll (m), over 200,000 random poses."""

SHOULDER_SIDE, SHOULDER_HEIGHT = 0.14, 1.05
"""Where that centre is over the ground below the pelvis, the robot standing upright (m)."""

SINKING = ((0.0, 0.3, 0.6, 1.0), (0.766, 0.712, 0.639, 0.534))
"""Height of the pelvis (m) by knee bend, standing."""

TOLERANCE = 5e-3
"""Excess that is not worth a word (m, m/s, rad/s)."""


class Finding(NamedTuple):
    """One thing that is beyond the robot: the field of the plan, what it asks, what is possible, and both in words."""

    field: str
    asked: float
    possible: float
    message: str


def limits(plan: Plan, gains: Gains = DEFAULTS) -> tuple[Finding, ...]:
    """What a plan asks beyond the limits of the robot; empty where there is nothing.

    Args:
        plan: of one robot, NumPy; hands and knees count where it uses them.
        gains: constants of the controller.
    """
    found = list(_not_numbers(plan))
    plan = readable(np, plan)
    found += _speed(plan)
    if plan.use > 0:
        found += [*_knees(plan, gains), *_hands(plan, gains)]
    return tuple(found)


def _not_numbers(plan: Plan) -> Iterator[Finding]:
    for field in ("cmd", "dur", "kt", "kl", "kr", "kb"):
        if not np.isfinite(getattr(plan, field)).all():
            yield Finding(field, math.nan, 0.0, f"{field}: holds a number that is not finite; it is taken for 0")


def _speed(plan: Plan) -> Iterator[Finding]:
    rows = (
        ("walks forward", "m/s", FORWARD, BACKWARD),
        ("walks sideways", "m/s", SIDEWAYS, SIDEWAYS),
        ("turns", "rad/s", TURNING, TURNING),
    )
    for k, (what, unit, ahead, back) in enumerate(rows):
        asked = float(plan.cmd[k])
        possible = min(max(asked, -back), ahead)
        if float(plan.dur) > 0 and abs(asked - possible) > TOLERANCE:
            text = f"cmd[{k}]: {asked:.2f} {unit} asked; the robot {what} at {-back:.2f} to {ahead:.2f} {unit}"
            yield Finding(f"cmd[{k}]", asked, possible, text)


def _walks(plan: Plan, k: int, gains: Gains) -> bool:
    """Whether the robot walks at key frame k."""
    return bool(np.abs(plan.cmd).max() > gains.moving and plan.kt[k] < plan.dur)


def _knees(plan: Plan, gains: Gains) -> Iterator[Finding]:
    for k, bend in enumerate(np.asarray(plan.kb, float)):
        if not 0.0 <= bend <= 1.0:
            held = min(max(float(bend), 0.0), 1.0)
            yield Finding(
                f"kb[{k}]", float(bend), held, f"kb[{k}]: a bend of {bend:.2f} asked; it lies between 0 and 1"
            )
        elif bend > TOLERANCE and _walks(plan, k, gains):
            held = float(gains.knee_moving * bend)
            text = f"kb[{k}]: a bend of {bend:.2f} asked at {plan.kt[k]:.2f} s; while the robot walks it is {held:.2f}"
            yield Finding(f"kb[{k}]", float(bend), held, text)


def _hands(plan: Plan, gains: Gains) -> Iterator[Finding]:
    for side, sign, field in zip(SIDES, (1.0, -1.0), ("kl", "kr"), strict=True):
        for k, target in enumerate(np.asarray(getattr(plan, field), float)):
            bend = min(max(float(plan.kb[k]), 0.0), 1.0) * (gains.knee_moving if _walks(plan, k, gains) else 1.0)
            sunk = SINKING[1][0] - float(np.interp(bend, *SINKING))
            shoulder = np.array([0.0, sign * SHOULDER_SIDE, SHOULDER_HEIGHT - sunk])
            far = float(np.linalg.norm(target - shoulder))
            if far > REACH + TOLERANCE:
                text = (
                    f"{field}[{k}]: the {side} hand is asked {far:.2f} m from its shoulder; "
                    f"it reaches {REACH:.2f} m, {far - REACH:.2f} m less"
                )
                yield Finding(f"{field}[{k}]", far, REACH, text)
