"""From a plan to an action: the golden plan, every threshold from both sides, and how much hangs on each."""

from typing import Any

import pytest

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.recover import CLAUSES, NUMBERS, Thresholds, alternatives, fired, recover, rules_of
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


@pytest.mark.parametrize(
    ("changes", "moves"),
    [
        ({"walking_cmd": [-0.12, 0, 0], "walking_duration": 2}, {"retreat_speed_more": NONE}),
        ({"walking_cmd": [0, 0.1, 0], "walking_duration": 2}, {"sidestep_speed_less": DODGE}),
        ({"walking_cmd": [-1, 0, 0], "walking_duration": 0.06}, {"dodge_distance_more": NONE}),
        ({"keyframes": [frame(0, [0.2, 0.15, 0])]}, {"hand_reach_less": CATCH}),
        ({"walking_cmd": [0.14, 0, 0], "walking_duration": 2}, {"advance_speed_more": NONE}),
        ({"walking_cmd": [-1, 0, 0], "walking_duration": 2}, {}),
        ({}, {}),
    ],
)
def test_what_hangs_on_each_threshold(changes: dict[str, Any], moves: dict[str, str]) -> None:
    made = plan(**changes)
    act = recover(made, RULES)
    assert {name: other for name, other in alternatives(made, RULES).items() if other != act} == moves


def test_thresholds_move_by_half_unless_told_otherwise() -> None:
    slow = plan(walking_cmd=[-0.12, 0, 0], walking_duration=2)
    assert alternatives(slow, RULES, change=0.1)["retreat_speed_more"] == DODGE
    assert alternatives(slow, RULES, change=0.5)["retreat_speed_more"] == NONE
    assert set(alternatives(None, RULES).values()) == {"UNPARSEABLE"}
    for change in (0, -0.5, 1.1):
        with pytest.raises(ValueError, match="change"):
            alternatives(slow, RULES, change=change)


FIRED: list[tuple[dict[str, Any], dict[str, bool], str, str]] = [
    ({"walking_cmd": [-0.7, 0.6, 0], "walking_duration": 0.7}, {}, "retreat",
     "walks back at 0.70 m/s for 0.49 m (a dodge from 0.1 m/s and 0.05 m)"),
    ({"walking_cmd": [0.5, -0.3, 0], "walking_duration": 1}, {}, "sidestep",
     "walks aside at 0.30 m/s for 0.30 m (a dodge from 0.15 m/s and 0.05 m)"),
    ({"keyframes": [frame(knee_bend=0.8)]}, {"crouch_is_dodge": True}, "crouch", "bends the knees by 0.80 (from 0.5)"),
    ({"keyframes": [frame(knee_bend=0.8)]}, {"brace": True}, "brace",
     "bends the knees by 0.80 (from 0.5), hands at most 0.10 m forward (up to 0.3 m)"),
    ({"keyframes": [frame(0, [0.5, 0.15, 0.3])]}, {}, "reach",
     "moves a hand 0.50 m from its rest (a catch from 0.15 m)"),
    ({"walking_cmd": [0.4, 0, 0], "walking_duration": 1}, {}, "advance",
     "walks forward at 0.40 m/s (a catch from 0.1 m/s)"),
    ({}, {}, "none", "neither walks back or aside nor forward, and no hand gets 0.15 m from its rest (0.00 m)"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "rules", "clause", "because"), FIRED, ids=[clause for _, _, clause, _ in FIRED])
def test_the_clause_that_decides_says_why(
    changes: dict[str, Any], rules: dict[str, bool], clause: str, because: str
) -> None:
    made, thresholds = plan(**changes), Thresholds(**rules)
    assert fired(made, thresholds) == clause
    assert CLAUSES[clause].because(made, thresholds) == because
    assert CLAUSES[clause].act == recover(made, thresholds)


def test_every_clause_is_tried() -> None:
    assert [clause for _, _, clause, _ in FIRED] == list(CLAUSES)


@pytest.mark.parametrize(
    ("rules", "more"),
    [({}, set()), ({"crouch_is_dodge": True}, {"crouch"}), ({"brace": True}, {"crouch", "brace_reach"})],
)
def test_only_thresholds_that_are_in_use_are_moved(rules: dict[str, bool], more: set[str]) -> None:
    always = {"retreat_speed", "sidestep_speed", "dodge_distance", "hand_reach", "advance_speed"}
    assert {name.rpartition("_")[0] for name in alternatives(plan(), Thresholds(**rules))} == always | more
    assert always | {"crouch", "brace_reach"} == set(NUMBERS)


def test_a_misspelt_threshold_is_refused() -> None:
    with pytest.raises(ValueError, match="hand_rech"):
        Thresholds(hand_rech=0.2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="retreat_speed"):
        Thresholds(retreat_speed=-0.1)
