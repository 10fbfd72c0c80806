"""Groups of variants are found by key, whatever the order of the results."""

import random

import pytest

from jaxphys_benchmarks.groups import all_match, group_metrics
from jaxphys_benchmarks.protocol import Score
from tests.support import cases

CASE = cases("queries")["met-group-by-key"]


@pytest.mark.parametrize("seed", range(4))
def test_met_group_by_key(seed: int) -> None:
    rows = list(CASE["input"]["rows"])
    random.Random(seed).shuffle(rows)
    matches = all_match((scene, answer) for scene, _, answer in rows)
    assert matches == CASE["expected"]["all_four_match"]
    assert sum(matches.values()) / len(matches) == CASE["expected"]["rate"]


@pytest.mark.parametrize("seed", range(4))
def test_groups_of_scenes_count_as_a_whole(seed: int) -> None:
    exact = {("a", "slow"): 1, ("a", "fast"): 1, ("b", "slow"): 1, ("b", "fast"): 0, ("c", "slow"): 0, ("c", "fast"): 0}
    scores = [
        Score(f"t1s/{layout}_{speed}/{task}", task, "t1s", {"exact": float(right and task == "task1")}, "ok")
        for (layout, speed), right in exact.items()
        for task in ("task1", "task2")
    ]
    random.Random(seed).shuffle(scores)
    group_of = {f"t1s/{layout}_{speed}": layout for layout, speed in exact}
    assert group_metrics(scores, group_of) == {
        "task1/groups": 3.0,
        "task1/all_exact": pytest.approx(1 / 3),
        "task1/some_exact": pytest.approx(2 / 3),
        "task2/groups": 3.0,
        "task2/all_exact": 0.0,
        "task2/some_exact": 0.0,
    }
    assert group_metrics(scores, {}) == {}
