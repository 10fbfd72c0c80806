"""Which action a plan amounts to: a fixed rule on its motion, never the model's word (specification, section 11).

Retreat of the base dominates the hands: a step back or aside is a dodge, whatever the hands do; hands that leave their
rest, or a step forward, are a catch; else it is no action. The published rule is not public; the thresholds are ours,
and `alternatives` says what hangs on each of them. `fired` tells which clause of the rule decided.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from pydantic import Field

from jaxphys_benchmarks.reacthuman.plan import REST, Plan
from jaxphys_benchmarks.reacthuman.scene import Part

Act = Literal["EXECUTE_CATCH", "TRIGGER_DODGE", "BRACE_FOR_IMPACT", "NO_ACTION", "UNPARSEABLE"]

CATCH: Act = "EXECUTE_CATCH"
DODGE: Act = "TRIGGER_DODGE"
BRACE: Act = "BRACE_FOR_IMPACT"
NONE: Act = "NO_ACTION"
UNPARSEABLE: Act = "UNPARSEABLE"

ACTS: tuple[Act, ...] = (CATCH, DODGE, BRACE, NONE, UNPARSEABLE)

EPS = 1e-9
"""Added to every comparison: 0.53 - 0.50 <= 0.03 is false in float64 (pitfall 19)."""


class Thresholds(Part):
    """All numbers of the rule; those of the configuration, under the same names.

    Attributes:
        retreat_speed: m/s backwards, and sidestep_speed: m/s sideways, from which walking is a dodge, if it goes at
            least dodge_distance: m.
        hand_reach: m from its rest, from which a hand reaches for something.
        advance_speed: m/s forwards, from which walking is a catch.
        crouch: bend of the knees that makes a dodge where `crouch_is_dodge`, and a brace where `brace` and no hand is
            farther forward than brace_reach: m.
        brace: a brace is told apart from a dodge (the released label set with `brace_scoring = "strict"`).
    """

    retreat_speed: float = Field(default=0.10, ge=0)
    sidestep_speed: float = Field(default=0.15, ge=0)
    dodge_distance: float = Field(default=0.05, ge=0)
    hand_reach: float = Field(default=0.15, ge=0)
    advance_speed: float = Field(default=0.10, ge=0)
    crouch: float = Field(default=0.5, ge=0)
    brace_reach: float = Field(default=0.30, ge=0)
    crouch_is_dodge: bool = False
    brace: bool = False


NUMBERS = tuple(name for name, field in Thresholds.model_fields.items() if field.annotation is float)
"""Names of the thresholds that `alternatives` moves."""


def rules_of(reads: Mapping[str, Any]) -> Thresholds:
    """The thresholds that a question was asked under."""
    return Thresholds(**reads["recovery"])


class Clause(NamedTuple):
    """One clause of the rule.

    Attributes:
        act: what it recovers.
        holds: whether it applies to a plan.
        because: why it does, with the numbers of the plan and the thresholds that they passed.
    """

    act: Act
    holds: Callable[[Plan, Thresholds], bool]
    because: Callable[[Plan, Thresholds], str]


def _retreats(plan: Plan, rules: Thresholds) -> bool:
    speed, walked = -plan.walking_cmd[0], plan.walking_duration
    return walked > 0 and speed >= rules.retreat_speed - EPS and speed * walked >= rules.dodge_distance - EPS


def _sidesteps(plan: Plan, rules: Thresholds) -> bool:
    speed, walked = abs(plan.walking_cmd[1]), plan.walking_duration
    return walked > 0 and speed >= rules.sidestep_speed - EPS and speed * walked >= rules.dodge_distance - EPS


def _crouches(plan: Plan, rules: Thresholds) -> bool:
    return max(frame.knee_bend for frame in plan.keyframes) >= rules.crouch - EPS


def _walk(plan: Plan, speed: float, where: str, least: float, rules: Thresholds) -> str:
    return (
        f"walks {where} at {speed:.2f} m/s for {speed * plan.walking_duration:.2f} m"
        f" (a dodge from {least:g} m/s and {rules.dodge_distance:g} m)"
    )


def _knees(plan: Plan, rules: Thresholds) -> str:
    return f"bends the knees by {max(frame.knee_bend for frame in plan.keyframes):.2f} (from {rules.crouch:g})"


CLAUSES: Mapping[str, Clause] = {
    "retreat": Clause(
        DODGE, _retreats, lambda plan, rules: _walk(plan, -plan.walking_cmd[0], "back", rules.retreat_speed, rules)
    ),
    "sidestep": Clause(
        DODGE,
        _sidesteps,
        lambda plan, rules: _walk(plan, abs(plan.walking_cmd[1]), "aside", rules.sidestep_speed, rules),
    ),
    "crouch": Clause(DODGE, lambda plan, rules: rules.crouch_is_dodge and _crouches(plan, rules), _knees),
    "brace": Clause(
        BRACE,
        lambda plan, rules: rules.brace and _crouches(plan, rules) and _furthest(plan) <= rules.brace_reach + EPS,
        lambda plan, rules: (
            f"{_knees(plan, rules)}, hands at most {_furthest(plan):.2f} m forward (up to {rules.brace_reach:g} m)"
        ),
    ),
    "reach": Clause(
        CATCH,
        lambda plan, rules: _reached(plan) >= rules.hand_reach - EPS,
        lambda plan, rules: f"moves a hand {_reached(plan):.2f} m from its rest (a catch from {rules.hand_reach:g} m)",
    ),
    "advance": Clause(
        CATCH,
        lambda plan, rules: plan.walking_duration > 0 and plan.walking_cmd[0] >= rules.advance_speed - EPS,
        lambda plan, rules: (
            f"walks forward at {plan.walking_cmd[0]:.2f} m/s (a catch from {rules.advance_speed:g} m/s)"
        ),
    ),
    "none": Clause(
        NONE,
        lambda plan, rules: True,
        lambda plan, rules: (
            f"neither walks back or aside nor forward, and no hand gets {rules.hand_reach:g} m from its rest"
            f" ({_reached(plan):.2f} m)"
        ),
    ),
}
"""The rule: the first clause that holds decides (section 11)."""


def fired(plan: Plan, rules: Thresholds) -> str:
    """Name of the clause that decides about a plan; a key of `CLAUSES`."""
    return next(name for name, clause in CLAUSES.items() if clause.holds(plan, rules))


def recover(plan: Plan | None, rules: Thresholds) -> Act:
    """The action that a plan amounts to; UNPARSEABLE where there is none."""
    return UNPARSEABLE if plan is None else CLAUSES[fired(plan, rules)].act


def _reached(plan: Plan) -> float:
    """Farthest that a hand gets from its rest (m)."""
    return max(
        math.dist(hand, rest)
        for frame in plan.keyframes
        for hand, rest in zip((frame.left_hand, frame.right_hand), REST, strict=True)
    )


def _furthest(plan: Plan) -> float:
    """Farthest forward that a hand gets (m)."""
    return max(hand[0] for frame in plan.keyframes for hand in (frame.left_hand, frame.right_hand))


def alternatives(plan: Plan | None, rules: Thresholds, change: float = 0.5) -> dict[str, Act]:
    """What a plan would amount to if one threshold were another.

    Args:
        plan: in its normal form, or None. rules: as scored. change: relative, as in 0.5 for ± 50 %.

    Returns:
        The action by `<threshold>_less` and `<threshold>_more`, for the thresholds that are in use.

    Raises:
        ValueError: change is not within 0 to 1.
    """
    if not 0 < change <= 1:
        raise ValueError(f"change: {change}; give a share above 0, at most 1")
    found = {}
    for name in _in_use(rules):
        for word, factor in (("less", 1 - change), ("more", 1 + change)):
            found[f"{name}_{word}"] = recover(plan, rules.model_copy(update={name: getattr(rules, name) * factor}))
    return found


def _in_use(rules: Thresholds) -> tuple[str, ...]:
    unused = set() if rules.brace else {"brace_reach"} if rules.crouch_is_dodge else {"brace_reach", "crouch"}
    return tuple(name for name in NUMBERS if name not in unused)
