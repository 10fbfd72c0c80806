"""Scores to metrics: hand-made tables with known rates."""

import json
import math
import random
from typing import Any

import pytest

from jaxphys_benchmarks.billiardphys.aggregate import PUBLISHED, REASONS, aggregate
from jaxphys_benchmarks.billiardphys.score import score
from jaxphys_benchmarks.protocol import Answer, Score
from jaxphys_benchmarks.statistics import wilson
from tests.benchmarks.billiardphys.answers import MISSING, START, balls, places, questions, scene, truth, walls
from tests.support import cases

CASE = cases("queries")["met-failed-counted"]
TRUE_PLACES = truth().published_pos


def scored(task: str, *answers: Answer, t: float = 2.0, **labels: Any) -> list[Score]:
    """Scores of answers to the same question about scenes 0, 1, …"""
    asked = [questions(scene(index=index, t=t))[task] for index in range(len(answers))]
    return [score(question, truth(**labels), answer) for question, answer in zip(asked, answers, strict=True)]


def test_met_failed_counted() -> None:
    given, expected = CASE["input"], CASE["expected"]
    answers = [
        *[walls("RIGHT")] * given["ok"],
        *[walls("TOP")] * given["wrong"],
        *[Answer(None, "refusal", "no")] * given["refusal"],
        *[Answer(None, "error", "HTTP 500")] * given["api_error"],
    ]
    assert len(answers) == given["n"]
    metrics = aggregate(scored("task2", *answers))
    assert metrics["q2/exact_set"] == pytest.approx(expected["accuracy_all"], abs=CASE["tolerance"])
    assert metrics["q2/exact_set/answered"] == pytest.approx(expected["accuracy_answered"], abs=CASE["tolerance"])
    assert metrics["q2/failed/refusal"] == pytest.approx(expected["refusal_rate"], abs=CASE["tolerance"])
    assert metrics["q2/failed/error"] == pytest.approx(expected["error_rate"], abs=CASE["tolerance"])
    assert metrics["q2/failed"] == pytest.approx(0.2)
    assert (metrics["q2/n"], metrics["q2/n_answered"]) == (10, 8)


def test_flag_metrics_of_a_known_table() -> None:
    answers = (balls("T", "F", "F"), balls("F", "F", "F"), balls("T", "T", "F"), balls("F", "T", "T"), MISSING)
    metrics = aggregate(scored("task1", *answers))
    assert metrics["q1/per_ball"] == pytest.approx((3 + 2 + 2 + 0 + 0) / 15)
    assert metrics["q1/scene"] == pytest.approx(1 / 5)
    assert metrics["q1/recall_t"] == pytest.approx(2 / 5)
    assert metrics["q1/specificity"] == pytest.approx(5 / 10)
    assert metrics["q1/balanced"] == pytest.approx((2 / 5 + 5 / 10) / 2)
    assert metrics["q1/sb1"] == pytest.approx(1 / 5)
    assert metrics["q1/sb2"] == pytest.approx(5 / 5)
    assert metrics["q1/sb1/answered"] == pytest.approx(1 / 4)
    assert metrics["q1/per_ball/answered"] == pytest.approx(7 / 12)
    assert metrics["q1/failed/invalid"] == pytest.approx(1 / 5)


def test_position_metrics_of_a_known_table() -> None:
    answers = (places(*TRUE_PLACES), places(*START), places((0.94, 0.56), (1.0, 0.7), *TRUE_PLACES[2:]), MISSING)
    metrics = aggregate(scored("task3", *answers))
    assert metrics["q3/per_ball"] == pytest.approx((4 + 2 + 2) / 16)
    assert metrics["q3/scene"] == pytest.approx(1 / 4)
    assert metrics["q3/moved"] == pytest.approx(2 / 8)
    assert metrics["q3/depth_0"] == metrics["q3/depth_1"] == pytest.approx(1 / 4)
    assert metrics["q3/depth_none"] == pytest.approx(6 / 8)
    assert "q3/depth_2" not in metrics  # there is no such ball
    assert metrics["q3/sb3"] == pytest.approx(2 / 8)
    assert metrics["q3/sb3_floor"] == 0
    assert metrics["q3/sb3_above_floor"] == pytest.approx(2 / 8)
    errors = sorted([0, 0, 0.44 / 0.03, 0.2 / 0.03, 2.0, math.hypot(0.2, 0.2) / 0.03])
    assert metrics["q3/median_error/answered"] == pytest.approx((errors[2] + errors[3]) / 2)
    assert metrics["q3/median_error"] == pytest.approx((errors[3] + errors[4]) / 2)  # two missing ones are far off
    assert metrics["q3/transfer_angle"] == pytest.approx((0 + 90) / 2)
    assert metrics["q3/transfer_given"] == pytest.approx(2 / 4)
    assert metrics["q3/transfer_given/answered"] == pytest.approx(2 / 3)


def test_the_floor_of_sb3_is_what_the_truth_does() -> None:
    labels: Any = {"pos": ((0.51, 0.5), *truth().pos[1:])}
    metrics = aggregate(scored("task3", places(*START), **labels))
    assert (metrics["q3/sb3"], metrics["q3/sb3_floor"], metrics["q3/sb3_above_floor"]) == (1.0, 0.5, 0.5)


def test_windows_count_alike_whatever_their_size() -> None:
    wrong, right = walls("TOP"), walls("RIGHT")
    scores = scored("task2", right, right, right, t=1.0) + scored("task2", wrong, t=2.0)
    metrics = aggregate(scores)
    assert metrics["t1s/q2/exact_set"] == 1.0
    assert metrics["t2s/q2/exact_set"] == 0.0
    assert metrics["q2/exact_set"] == 0.5
    assert (metrics["q2/n"], metrics["t1s/q2/n"]) == (4, 3)


def test_the_mean_takes_the_three_published_metrics() -> None:
    scores = scored("task1", balls("F", "F", "F")) + scored("task2", walls("RIGHT")) + scored("task3", places(*START))
    metrics = aggregate(scores)
    assert metrics["mean"] == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)
    assert next(iter(metrics)) == "mean"
    assert set(PUBLISHED) <= set(metrics)
    assert "mean" not in aggregate(scores[:2])


def test_intervals_hold_the_rate_and_rates_over_scenes_are_wilsons() -> None:
    answers = [walls("RIGHT")] * 30 + [walls("TOP")] * 10
    scores = scored("task2", *answers, t=1.0) + scored("task2", *answers, t=2.0)
    metrics = aggregate(scores)
    assert (metrics["t1s/q2/exact_set/low"], metrics["t1s/q2/exact_set/high"]) == pytest.approx(wilson(30, 40))
    assert (metrics["q2/exact_set/low"], metrics["q2/exact_set/high"]) == pytest.approx(wilson(60, 80))
    for name in ("q2/per_wall", "q2/balanced", "t2s/q2/per_wall"):
        assert metrics[f"{name}/low"] < metrics[name] < metrics[f"{name}/high"]
    spread = {n: metrics[f"{n}/high"] - metrics[f"{n}/low"] for n in ("q2/per_wall", "t1s/q2/per_wall")}
    assert spread["q2/per_wall"] < spread["t1s/q2/per_wall"]


def test_metrics_do_not_depend_on_the_order_and_are_json() -> None:
    scores = scored("task1", *[balls("T", "F", "F"), balls("F", "T", "F"), MISSING] * 5)
    scores += scored("task3", *[places(*START), MISSING] * 4, t=3.0)
    shuffled = random.Random(3).sample(scores, len(scores))
    assert aggregate(shuffled) == aggregate(scores)
    assert json.loads(json.dumps(aggregate(scores), allow_nan=False)) == aggregate(scores)


def test_nothing_answered_is_still_a_result() -> None:
    metrics = aggregate(scored("task3", MISSING, MISSING))
    assert metrics["q3/per_ball"] == metrics["q3/scene"] == 0.0
    assert metrics["q3/failed"] == 1.0
    assert "q3/per_ball/answered" not in metrics
    assert "q3/median_error" not in metrics
    assert sum(metrics[f"q3/failed/{reason}"] for reason in REASONS) == 1.0
    assert aggregate([]) == {}
