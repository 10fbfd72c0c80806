"""Outcomes of runs that were written by hand."""

from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import Answer
from jaxphys_benchmarks.reacthuman.execution.config import STEP, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.given import Given
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome, judged
from jaxphys_benchmarks.reacthuman.execution.telling import COLUMNS, title, values, with_outcome
from jaxphys_benchmarks.reacthuman.execution.watch import Rows, Touch
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.plan import REST, KeyFrame, Plan
from jaxphys_benchmarks.reacthuman.score import score
from tests.benchmarks.reacthuman.asked_scenes import question, truth

STEPS = 241
"""A second."""
POINT = (0.0, 0.45, 1.0)
REACHING = Plan(
    walking_cmd=(0, 0, 0),
    walking_duration=0,
    keyframes=(KeyFrame(t=0.5, left_hand=(0.45, 0.1, 0.2), right_hand=(0.45, -0.1, 0.2)),),
)
AT_REST = KeyFrame(t=0.0, left_hand=REST[0], right_hand=REST[1])
STILL = REACHING.model_copy(update={"keyframes": (AT_REST,)})
LABELS = Labels(correct_action="EXECUTE_CATCH", impact_point=POINT, tti=0.5)


def rows(**changes: Any) -> Rows:
    """A second in which a standing robot lifts its hands to the impact by 0.5 s, and the object stays a metre away."""
    share = np.minimum(np.arange(STEPS) * STEP / 0.5, 1.0)[:, None, None]
    rest, there = np.array([[-0.15, 0.1, 0.8], [0.15, 0.1, 0.8]]), np.array([[-0.02, 0.43, 1.0], [0.12, 0.45, 1.0]])
    leaves = {
        "gaps": np.ones((STEPS, 9)),
        "slip": np.ones((STEPS, 2)),
        "palms": rest + share * (there - rest),
        "base": np.tile([0.0, 0.0, 0.76, np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)], (STEPS, 1)),
        **changes,
    }
    return Rows(**{name: list(leaf) for name, leaf in leaves.items()})


def outcome(
    seen: Rows,
    touches: dict[tuple[int, int], Touch] | None = None,
    labels: Labels = LABELS,
    plans: Given = ((0.0, REACHING),),
) -> Outcome:
    return judged(seen, touches or {}, labels, plans, (), ExecutionConfig())


def near(start: float, end: float, slip: float = 0.1) -> dict[str, np.ndarray]:
    """The object is at the left hand and slow against it from one time to another."""
    gaps, slips = np.ones((STEPS, 9)), np.ones((STEPS, 2))
    between = slice(round(start / STEP), round(end / STEP))
    gaps[between, 0], slips[between, 0] = 0.01, slip
    return {"gaps": gaps, "slip": slips}


WALK: dict[str, Any] = {"walking_cmd": (-1.0, 0.0, 0.0), "walking_duration": 0.5}
TOUCHED = {(0, 0): Touch(time=0.5, speed=3.0, impulse=0.4)}


def test_hands_at_the_impact() -> None:
    found = outcome(rows())
    assert found.hand_error_at_impact == pytest.approx(np.hypot(0.02, 0.02), abs=1e-4)
    assert found.d_end_executed == found.hand_error_at_impact
    assert found.l4_ended
    assert not found.touched
    assert found.min_clearance == found.hand_clearance == 1.0
    assert found.t_first_motion is not None
    assert 0.05 < found.t_first_motion < 0.15
    assert found.l1_reacted
    assert found.l3_before
    assert found.l5_soft is None


@pytest.mark.parametrize(
    ("start", "end", "slip", "touches", "caught", "held"),
    [
        (0.5, 1.1, 0.1, TOUCHED, True, True),
        (0.5, 0.8, 0.1, TOUCHED, True, False),  # let go of
        (0.5, 0.7, 0.1, TOUCHED, False, False),  # not for long enough
        (0.5, 1.1, 0.4, TOUCHED, False, False),  # not slow enough
        (0.5, 1.1, 0.1, {}, False, False),  # never touched
        (0.5, 1.1, 0.1, {(2, 0): TOUCHED[0, 0]}, False, False),  # touched by the torso
    ],
)
def test_caught_is_touched_and_then_slow_at_a_hand(
    start: float, end: float, slip: float, touches: dict[tuple[int, int], Touch], caught: bool, held: bool
) -> None:
    found = outcome(rows(**near(start, end, slip)), touches)
    assert (found.caught, found.held) == (caught, held)
    assert found.reached


def test_what_lies_beside_a_fallen_robot_is_not_caught() -> None:
    base = rows().base
    for row in base[round(0.6 / STEP) :]:
        row[2] = 0.2
    found = outcome(rows(**near(0.5, 1.1), base=np.array(base)), TOUCHED)
    assert found.fell
    assert not found.caught
    assert not found.held
    assert title(found) == "touched by the left hand; the robot fell"


def test_a_robot_that_falls_afterwards_has_caught_but_does_not_hold() -> None:
    base = rows().base
    for row in base[round(0.9 / STEP) :]:
        row[2] = 0.2
    found = outcome(rows(**near(0.5, 1.1), base=np.array(base)), TOUCHED)
    assert found.caught
    assert not found.held


@pytest.mark.parametrize("steps", [1, 2, 30, 60])
def test_a_run_may_be_shorter_than_a_catch_takes(steps: int) -> None:
    whole = rows(**near(0.0, 1.1))
    short = Rows(**{name: leaf[:steps] for name, leaf in vars(whole).items()})
    found = outcome(short, {(0, 0): Touch(time=0.0, speed=1.0)})
    assert found.touched
    assert found.caught == (steps == 60)


@pytest.mark.parametrize("number", [np.nan, 1e7])
def test_numbers_that_go_are_a_fall_and_end_the_run(number: float) -> None:
    leaves = {name: np.array(leaf) for name, leaf in vars(rows()).items() if leaf}
    for leaf in leaves.values():
        leaf[120:] = number
    spoilt = {(3, 0): Touch(0.5, np.nan, np.nan), (0, 0): Touch(0.4, 1.0, 0.1)}
    found = outcome(Rows(**{name: list(leaf) for name, leaf in leaves.items()}), spoilt)
    assert found.fell
    assert found.fell_time == found.seconds == pytest.approx(119 * STEP)
    assert (found.contact_bodies, found.contact_impulse) == (("left_hand",), 0.1)
    assert found.min_clearance == 1.0


def test_contacts_are_told_in_order() -> None:
    touches = {(2, 0): Touch(0.8, 1.0, 0.2), (1, 1): Touch(0.6, 2.5, 0.3)}
    found = outcome(rows(), touches)
    assert found.first_contact_body == "right_hand"
    assert (found.first_contact_time, found.contact_speed) == (0.6, 2.5)
    assert found.contact_impulse == pytest.approx(0.5)
    assert found.contact_bodies == ("right_hand", "torso")
    assert found.touched
    assert found.hit
    assert not found.l5_soft
    assert title(found) == "touched by the right hand"


def test_a_fall_and_a_walk() -> None:
    base = np.tile([0.0, 0.0, 0.76, np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)], (STEPS, 1))
    base[:, 1] = np.linspace(0, -0.4, STEPS)
    base[-24:, 2] = 0.2
    found = outcome(rows(base=base))
    assert found.fell
    assert found.fell_time == pytest.approx((STEPS - 24) * STEP)
    assert found.base.forward == pytest.approx(-0.4)
    assert found.base.left == pytest.approx(0.0, abs=1e-9)


def test_without_an_impact_there_are_no_distances() -> None:
    found = outcome(rows(), labels=Labels(correct_action="NO_ACTION"))
    assert found.hand_error_at_impact is found.d_end_executed is found.d_min_executed is None


def pushed() -> Rows:
    """Hands at rest, and a pelvis that is pushed away from 0.6 s on."""
    rest = np.tile([[-0.15, 0.1, 0.79], [0.15, 0.1, 0.79]], (STEPS, 1, 1))
    base = np.array(rows().base)
    base[:, 1] = -np.maximum(np.arange(STEPS) * STEP - 0.6, 0.0)
    rest[:, :, 1] += base[:, None, 1]
    return rows(palms=rest, base=base)


@pytest.mark.parametrize(
    ("plans", "touches", "time"),
    [
        ([(0.0, STILL)], {}, None),
        ([(0.0, None)], TOUCHED, None),  # pushed by the object
        ([(0.0, None)], {}, 0.65),  # by whoever drives the joints
        ([(0.0, None), (0.3, STILL)], {}, None),
        ([(0.0, None), (0.3, STILL), (0.8, STILL.model_copy(update=WALK))], {}, 0.85),  # 5 cm further
    ],
)
def test_motion_counts_that_the_plans_ask_for(
    plans: Given, touches: dict[tuple[int, int], Touch], time: float | None
) -> None:
    found = outcome(pushed(), touches, plans=plans)
    assert found.t_first_motion == (None if time is None else pytest.approx(time, abs=2 * STEP))
    assert found.l1_reacted == (time is not None)


def test_hands_on_their_way_to_rest_have_not_reacted() -> None:
    share = np.minimum(np.arange(STEPS) * STEP / 0.1, 1.0)[:, None, None]
    held, rest = np.array([[-0.24, 0.17, 0.7], [0.24, 0.17, 0.7]]), np.array([[-0.15, 0.1, 0.79], [0.15, 0.1, 0.79]])
    seen = rows(palms=held + share * (rest - held))
    for plan in (STILL, REACHING, None):
        assert outcome(seen, plans=[(0.0, plan)]).t_first_motion is None


def test_a_plan_that_comes_after_the_impact_is_not_judged() -> None:
    """Hands at the impact in time, which are taken back to rest from 0.6 s on."""
    palms = np.array(rows().palms)
    palms[round(0.6 / STEP) :] = palms[0]
    seen = rows(palms=palms)
    once = outcome(seen)
    for plans in (
        [(0.0, REACHING), (0.6, STILL)],
        [(0.0, None), (0.0, REACHING), (0.9, STILL)],
        [(0.0, STILL), (0.0, REACHING), (0.9, STILL)],
    ):
        found = outcome(seen, plans=plans)
        assert found.d_end_executed == once.d_end_executed
        assert found.d_min_executed == once.d_min_executed
        assert found.l4_ended


def test_the_least_distance_is_taken_from_the_first_plan_on() -> None:
    """Hands that were there after 0.2 s, and go back to rest."""
    share = 1.0 - np.abs(np.arange(STEPS) * STEP - 0.2).clip(0.0, 0.2)[:, None, None] / 0.2
    rest, there = np.array([[-0.15, 0.1, 0.8], [0.15, 0.1, 0.8]]), np.array([[-0.02, 0.43, 1.0], [0.12, 0.45, 1.0]])
    seen = rows(palms=rest + share * (there - rest))
    moving = REACHING.model_copy(update={"keyframes": (AT_REST, REACHING.keyframes[0])})
    found = outcome(seen, plans=[(0.0, moving), (0.3, STILL)])
    assert found.d_min_executed == pytest.approx(np.hypot(0.02, 0.02), abs=1e-3)
    assert found.d_end_executed is not None
    assert found.d_end_executed > 0.2
    assert not found.l4_ended


def test_a_plan_may_be_replaced_before_its_first_key_frame() -> None:
    """Its end is then where the other one begins."""
    found = outcome(rows(), labels=LABELS.model_copy(update={"tti": 0.2}), plans=[(0.0, REACHING), (0.25, STILL)])
    assert found.d_min_executed == found.d_end_executed


@pytest.mark.parametrize(
    ("plan", "action", "config"),
    [
        (REACHING.model_copy(update={"keyframes": (AT_REST, REACHING.keyframes[0])}), "NO_ACTION", {"hand_reach": 0.5}),
        (
            STILL.model_copy(update={"keyframes": (AT_REST.model_copy(update={"knee_bend": 1.0}),)}),
            "BRACE_FOR_IMPACT",
            {"label_set": "released", "brace_scoring": "strict"},
        ),
    ],
)
def test_the_choice_is_judged_by_the_rules_of_the_question_alone(
    plan: Plan, action: Any, config: dict[str, Any]
) -> None:
    labels = truth(**{"action": "NO_ACTION", "correct_action_released": action})
    found = score(question(**config), labels, Answer(plan.model_dump(mode="json"), "ok"))
    record = outcome(rows(), labels=labels, plans=[(0.0, plan)]).model_dump(mode="json")
    assert with_outcome(found, record).values["exact"] == 1.0
    assert not [name for name in (*record, *with_outcome(found, record).values) if "l2" in name]


def test_columns_and_values_are_those_of_the_record() -> None:
    record = outcome(rows(), TOUCHED).model_dump(mode="json")
    assert list(record) == list(COLUMNS)
    found = values(record)
    assert found["executed_clear"] == 0.0
    assert found["executed_d_end"] == record["d_end_executed"]
    assert "executed_contact_speed" in found
