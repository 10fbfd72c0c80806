"""Groups of variants are found by key, whatever the order of the results."""

import random

import pytest

from jaxphys_benchmarks.groups import Variant, all_match, consistency, flips, group_metrics
from jaxphys_benchmarks.protocol import Answer, Question, Score
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


def question(task: str) -> Question:
    return Question(f"t1s/x/{task}", "t1s/x", task, "", "", None, False)


def answer(value: str) -> Answer:
    return Answer(value or None, "ok" if value else "invalid")


def same(asked: Question, first: Answer, second: Answer) -> bool:
    return bool(first.value == second.value)


def test_consistency_counts_what_was_answered_twice() -> None:
    given = [("task1", "a", "a"), ("task1", "a", "b"), ("task1", "a", "a"), ("task2", "a", ""), ("task1", "", "a")]
    looks = [(question(task), answer(plain), answer(other)) for task, plain, other in given]
    assert consistency(same, looks) == {"task1/consistent": pytest.approx(2 / 3), "task1/compared": 3.0}


@pytest.mark.parametrize("seed", range(4))
def test_flips_are_found_by_key(seed: int) -> None:
    # Scene, truth, what was said: four pairs of different truths, two of them followed; two of equal ones, one steady.
    given = [
        ("a", "0", "x"), ("a", "1", "y"), ("a", "1", "y"),
        ("b", "0", "x"), ("b", "1", "x"),
        ("c", "0", "x"), ("c", "1", ""),
        ("d", "1", "x"), ("d", "1", "y"),
    ]  # fmt: skip
    variants = [Variant(scene, question("task1"), answer(truth), answer(said)) for scene, truth, said in given]
    random.Random(seed).shuffle(variants)
    assert flips(same, variants) == {"task1/flips": 4.0, "task1/followed": 0.5, "task1/steady": 0.5}


def test_a_scene_alone_has_no_flips() -> None:
    alone = Variant("a", question("task1"), answer("0"), answer("x"))
    assert flips(same, [alone]) == {"task1/flips": 0.0}
