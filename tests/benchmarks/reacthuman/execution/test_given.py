"""Plans one after the other: which one is judged, and when they ask for motion."""

import math
from typing import Any

import pytest

from jaxphys_benchmarks.reacthuman.execution.given import carried, counting, onsets
from jaxphys_benchmarks.reacthuman.loop.rounds import loop_values
from jaxphys_benchmarks.reacthuman.plan import Plan
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, NONE, frame, plan, question, truth

NEAR = 0.05
STAY, REACH = plan(**ACTS[NONE]), plan(**ACTS[CATCH])
LATE = plan(keyframes=[frame(), frame(0.9), frame(1.3, [0.5, 0.1, 0.0])])
NEVER = math.inf


@pytest.mark.parametrize(
    ("begins", "impact", "index"),
    [
        ([0.0], 0.5, 0),
        ([0.0, 0.25, 1.0], 0.5, 1),
        ([0.0, 0.5], 0.5, 1),
        ([0.0, 0.5], 0.5 - 1e-12, 1),  # the same time, but for rounding
        ([0.3, 0.6], 0.1, 0),
        ([0.0, 0.6], -0.2, 0),  # the impact is over at the freeze
        ([0.0, 0.6], None, 1),
    ],
)
def test_the_last_plan_before_the_impact_counts(begins: list[float], impact: float | None, index: int) -> None:
    assert counting(begins, impact) == index


@pytest.mark.parametrize(("begins", "impact"), [([0.0, 0.25, 1.0], 0.5), ([0.3, 0.6], 0.1), ([0.0, 0.6], None)])
def test_the_accuracy_of_a_loop_is_that_of_the_same_plan(begins: list[float], impact: float | None) -> None:
    plans = [STAY] * len(begins)
    plans[counting(begins, impact)] = REACH
    journal = [{"begins": begin, "plan": one.model_dump(mode="json")} for begin, one in zip(begins, plans, strict=True)]
    assert loop_values(question(), truth(tti=impact), journal)["loop_exact"] == 1.0


def test_a_plan_ends_where_something_else_takes_its_place() -> None:
    walking = REACH.model_copy(update={"walking_duration": 0.8})
    first, second = carried([(0.0, None), (0.25, walking), (0.75, None), (1.0, REACH)])
    assert (first.begin, first.end, first.done) == (0.25, 0.75, 0.75)
    assert (second.begin, second.end, second.done) == (1.0, NEVER, 1.4)
    assert carried([(0.0, None)]) == []


@pytest.mark.parametrize(
    ("asked", "hands", "body"),
    [
        (STAY, NEVER, NEVER),
        (plan(keyframes=[frame(), frame(1.0, [0.13, 0.15, 0.02])]), NEVER, NEVER),  # 4 cm are rest
        (REACH, 0.0, NEVER),
        (LATE, 0.9, NEVER),
        (plan(keyframes=[frame(0.5, [0.5, 0.1, 0.0])]), 0.0, NEVER),
        (plan(walking_cmd=[-0.7, 0, 0], walking_duration=0.7), NEVER, 0.0),
        (plan(walking_cmd=[-0.7, 0, 0]), NEVER, NEVER),  # for no time
        (plan(walking_cmd=[0, 0, 1], walking_duration=0.7), 0.0, NEVER),
        (plan(keyframes=[frame(), frame(0.3), frame(0.6, knee_bend=1)]), NEVER, 0.3),
    ],
)
def test_rest_asks_for_no_motion(asked: Plan, hands: float, body: float) -> None:
    assert onsets([(0.0, asked)], NEAR) == (hands, body, 0.0)
    assert onsets([(0.0, None), (0.25, asked)], NEAR) == (hands + 0.25, body + 0.25, 0.25)


def test_what_is_replaced_before_it_moves_asks_for_nothing() -> None:
    given: Any = [(0.0, LATE), (0.5, STAY)]
    assert onsets(given, NEAR) == (NEVER, NEVER, 0.0)
    assert onsets([*given, (1.0, REACH)], NEAR).hands == 1.0
    assert onsets([(0.0, None)], NEAR) == (NEVER, NEVER, NEVER)
