"""From a plan to an action: the golden plan, every threshold from both sides, and how much hangs on each."""

from typing import Any

import pytest

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.recover import NUMBERS, Thresholds, moved, recover, rules_of, sensitivity
from tests.benchmarks.reacthuman.asked_scenes import BRACE, CATCH, DODGE, GOLDEN, NONE, frame, plan, question

RULES = Thresholds()
STRICT = Thresholds(brace=True)


def walking(vx: float = 0.0, vy: float = 0.0, duration: float = 1.0, **changes: Any) -> str:
    return recover(plan(walking_cmd=[vx, vy, 0], walking_duration=duration, **changes), RULES)


def reaching(*offset: float, hand: str = "left_hand", **rules: Any) -> str:
    """What a hand that far from its rest amounts to."""
    entry = frame()
    entry[hand] = [rest + d for rest, d in zip(entry[hand], offset, strict=True)]
    return recover(plan(keyframes=[frame(), {**entry, "t": 0.5}, frame(1.0)]), Thresholds(**rules))


def test_the_golden_plan_is_a_dodge_though_its_hands_reach_out() -> None:
    assert recover(plan(**GOLDEN), RULES) == DODGE
    assert recover(plan(**{**GOLDEN, "walking_cmd": [0, 0, 0]}), RULES) == CATCH
    assert recover(plan(**{**GOLDEN, "walking_duration": 0}), RULES) == CATCH
    assert recover(plan(), RULES) == NONE
    assert recover(None, RULES) == "UNPARSEABLE"


@pytest.mark.parametrize(
    ("vx", "vy", "duration", "action"),
    [
        (-0.10, 0, 0.5, DODGE),
        (-0.0999, 0, 3.0, NONE),
        (-0.10, 0, 0.499, NONE),
        (-1.0, 0, 0.05, DODGE),
        (-1.0, 0, 0.0499, NONE),
        (0, 0.15, 1 / 3, DODGE),
        (0, -0.15, 1 / 3, DODGE),
        (0, 0.1499, 3.0, NONE),
        (0, -0.6, 0.083, NONE),
        (0, 0.6, 0.0, NONE),
        (0.10, 0, 0.01, CATCH),
        (0.0999, 0, 3.0, NONE),
        (0.10, 0, 0.0, NONE),
        (1.0, 0.2, 1.0, DODGE),
        (1.0, 0.1, 1.0, CATCH),
        (-0.05, 0.1, 3.0, NONE),
    ],
)
def test_walking(vx: float, vy: float, duration: float, action: str) -> None:
    assert walking(vx, vy, duration) == action


@pytest.mark.parametrize("hand", ["left_hand", "right_hand"])
@pytest.mark.parametrize(
    ("offset", "action"),
    [
        ((0.15, 0, 0), CATCH),
        ((0.1499, 0, 0), NONE),
        ((0, -0.15, 0), CATCH),
        ((0, 0, 0.15), CATCH),
        ((0.1, 0.1, 0.05), CATCH),
        ((0.08, 0.08, 0.08), NONE),
    ],
)
def test_hands_that_leave_their_rest_catch(hand: str, offset: tuple[float, float, float], action: str) -> None:
    assert reaching(*offset, hand=hand) == action


def test_a_threshold_that_is_met_but_for_rounding_is_met() -> None:
    # 0.3 - 0.15 is a hair below 0.15, and 0.7 * (0.05 / 0.7 - 1e-12) below 0.05.
    assert 0.3 - 0.15 - 1e-12 < 0.15
    assert reaching(0.3 - 0.15 - 1e-12, 0, 0) == CATCH
    assert walking(-0.7, 0, 0.05 / 0.7 - 1e-12) == DODGE


def test_walking_for_no_time_is_no_dodge_even_where_no_distance_is_asked_for() -> None:
    command = plan(walking_cmd=[-1.0, 0.6, 0], walking_duration=0.0)
    assert recover(command, Thresholds(dodge_distance=0.0)) == NONE


def test_bent_knees_and_turning_alone_are_no_action() -> None:
    assert recover(plan(keyframes=[frame(knee_bend=1.0)], walking_cmd=[0, 0, 1.5], walking_duration=2), RULES) == NONE


@pytest.mark.parametrize(("knee", "action"), [(0.5, DODGE), (0.499, NONE)])
def test_a_crouch_is_a_dodge_where_it_is_asked_for(knee: float, action: str) -> None:
    assert recover(plan(keyframes=[frame(knee_bend=knee)]), Thresholds(crouch_is_dodge=True)) == action


@pytest.mark.parametrize(
    ("knee", "forward", "action"),
    [(0.5, 0.30, BRACE), (0.499, 0.30, CATCH), (0.5, 0.301, CATCH), (1.0, 0.1, BRACE), (0.4, 0.1, NONE)],
)
def test_a_brace_is_told_apart_where_scoring_is_strict(knee: float, forward: float, action: str) -> None:
    crouched = plan(keyframes=[frame(0, [forward, 0.15, 0.0], knee_bend=knee)])
    assert recover(crouched, STRICT) == action
    assert recover(crouched, RULES) in (CATCH, NONE)
    stepping = {"walking_cmd": [-0.5, 0, 0], "walking_duration": 1.0}
    assert recover(plan(keyframes=[frame(knee_bend=1.0)], **stepping), STRICT) == DODGE


def test_thresholds_are_those_of_the_configuration() -> None:
    config = ReactHumanConfig()
    kept = {name: getattr(config, name) for name in Thresholds.model_fields if name != "brace"}
    assert Thresholds(**kept) == RULES
    assert rules_of(question(retreat_speed=0.8).reads).retreat_speed == 0.8
    assert not rules_of(question(label_set="released").reads).brace
    assert not rules_of(question(brace_scoring="strict").reads).brace
    assert rules_of(question(label_set="released", brace_scoring="strict").reads).brace


def test_sensitivity_counts_what_changes() -> None:
    slow = plan(walking_cmd=[-0.12, 0, 0], walking_duration=2)
    near = plan(keyframes=[frame(0, [0.2, 0.15, 0])])
    fast = plan(walking_cmd=[-1, 0, 0], walking_duration=2)
    shares = sensitivity([slow, near, fast, None], RULES)
    used = {"retreat_speed", "sidestep_speed", "dodge_distance", "hand_reach", "advance_speed"}
    assert set(shares) == {f"{name}_{word}" for name in used for word in ("less", "more")}
    assert {name for name, share in shares.items() if share} == {"retreat_speed_more", "hand_reach_less"}
    assert shares["retreat_speed_more"] == shares["hand_reach_less"] == 0.25
    assert sensitivity([], RULES) == {}
    with pytest.raises(ValueError, match="change"):
        moved(slow, RULES, change=0)


@pytest.mark.parametrize(
    ("rules", "more"),
    [({}, set()), ({"crouch_is_dodge": True}, {"crouch"}), ({"brace": True}, {"crouch", "brace_reach"})],
)
def test_only_thresholds_that_are_in_use_are_moved(rules: dict[str, bool], more: set[str]) -> None:
    always = {"retreat_speed", "sidestep_speed", "dodge_distance", "hand_reach", "advance_speed"}
    assert {name.rpartition("_")[0] for name in moved(plan(), Thresholds(**rules))} == always | more
    assert always | {"crouch", "brace_reach"} == set(NUMBERS)


def test_a_misspelt_threshold_is_refused() -> None:
    with pytest.raises(ValueError, match="hand_rech"):
        Thresholds(hand_rech=0.2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="retreat_speed"):
        Thresholds(retreat_speed=-0.1)
