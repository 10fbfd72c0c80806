"""Hands of plans that come in mid-motion are given time; a fall that this prevents."""

from itertools import pairwise

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.loop.easing import HAND_SPEED, eased
from jaxphys_benchmarks.reacthuman.plan import LIMITS, REST, Plan, normalised
from tests.benchmarks.reacthuman.asked_scenes import frame

AT_REST = np.array(REST)


def plan(*frames: dict[str, object]) -> Plan:
    return normalised({"walking_cmd": [0.5, 0, 0], "walking_duration": 1.0, "keyframes": list(frames)})


def speeds(made: Plan, hands: np.ndarray) -> list[float]:
    """Mean speeds of the faster hand from key frame to key frame (m/s)."""
    places = [hands, *(np.array([one.left_hand, one.right_hand]) for one in made.keyframes)]
    times = [0.0, *(one.t for one in made.keyframes)]
    ways = [np.linalg.norm(b - a, axis=-1).max() for a, b in pairwise(places)]
    return [float(way / max(span, 1e-9)) for way, span in zip(ways, np.diff(times), strict=True) if way > 0]


def test_a_plan_that_is_slow_enough_stays_but_for_the_start_at_rest() -> None:
    slow = plan(frame(), frame(0.5, [0.4, 0.2, 0.2], [0.4, -0.2, 0.2]))
    made, late, dropped = eased(slow, AT_REST + 0.1)
    assert made == slow.model_copy(update={"keyframes": slow.keyframes[1:]})
    assert (late, dropped) == (0, 0)


@pytest.mark.parametrize(
    "hasty",
    [
        plan(frame()),
        plan(frame(0.05, [0.4, 0.2, 0.8], [0.4, -0.2, 0.8])),
        plan(frame(), frame(0.1, [0.9, 0.9, 0.9], [0.0, 0.0, 0.0]), frame(0.2), frame(2.0)),
    ],
    ids=["rest-at-once", "up", "to-and-fro"],
)
def test_hands_are_no_faster_than_they_may_be(hasty: Plan) -> None:
    hands = np.array([[0.4, 0.3, 0.6], [0.3, -0.4, 0.5]])
    made, late, dropped = eased(hasty, hands)
    assert max(speeds(made, hands)) <= HAND_SPEED + 1e-5
    times = [one.t for one in made.keyframes]
    assert times == sorted(set(times))
    assert made.walking_cmd == hasty.walking_cmd
    assert late == pytest.approx(max(times[-1] - hasty.keyframes[-1].t, 0))
    assert dropped == 0


def test_what_would_come_after_the_last_moment_of_plans_is_left_out() -> None:
    there, back = ([0.9, 0.9, 0.9], [0.9, -0.9, 0.9]), ([-0.9, 0.9, -0.9], [-0.9, -0.9, -0.9])
    shaking = plan(*(frame(0.1 + 0.1 * k, *(there, back)[k % 2]) for k in range(8)))
    made, late, dropped = eased(shaking, AT_REST)
    assert 1 < len(made.keyframes) < 8
    assert made.keyframes[-1].t <= LIMITS.max_time
    assert late > 1
    assert dropped == 8 - len(made.keyframes)


def test_the_last_moment_of_plans_is_the_configured_one() -> None:
    """Key frames after 3 s, the last time by default, were dropped in silence."""
    slow = normalised(
        {"walking_cmd": [0, 0, 0], "keyframes": [frame(1.0), frame(4.0, [0.4, 0.2, 0.2], [0.4, -0.2, 0.2])]},
        limits=LIMITS.model_copy(update={"max_time": 6.0}),
    )
    made, late, dropped = eased(slow, AT_REST, max_time=6.0)
    assert [one.t for one in made.keyframes] == [1.0, 4.0]
    assert (late, dropped) == (0, 0)
    assert eased(slow, AT_REST).dropped == 1


def test_hands_that_are_there_already_wait_in_one_key_frame() -> None:
    goal = [0.9, 0.6, 0.9], [0.9, -0.6, 0.9]
    made, *_ = eased(plan(*(frame(0.01 * k, *goal) for k in range(1, 5))), AT_REST)
    assert len(made.keyframes) == 1
    assert made.keyframes[0].t > 0.3


def test_a_single_goal_stays_however_far_it_is() -> None:
    made, *_ = eased(plan(frame(3.0, [1, 1, 1], [1, 1, 1])), AT_REST - 5.0)
    assert len(made.keyframes) == 1
