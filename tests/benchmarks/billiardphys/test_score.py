"""One answer against the labels."""

import math
from typing import Any

import pytest

from jaxphys_benchmarks.billiardphys.score import place_correct, score
from jaxphys_benchmarks.protocol import Answer
from tests.benchmarks.billiardphys.answers import MISSING, START, balls, places, questions, scene, truth, walls
from tests.support import cases

CASES = cases("queries")
TRUE_PLACES = truth().published_pos


def values(task: str, answer: Answer, **labels: Any) -> dict[str, float]:
    return dict(score(questions()[task], truth(**labels), answer).values)


def test_met_q3_threshold_inclusive() -> None:
    case = CASES["met-q3-threshold-inclusive"]["input"]
    assert place_correct(case["pred"], case["truth"], case["r"])
    assert not place_correct([case["pred"][0] + 1e-8, 0.5], case["truth"], case["r"])


def test_met_q3_null_rules() -> None:
    case = CASES["met-q3-null-rules"]
    assert [place_correct(a, b, 0.03) for a, b in case["input"]["cases"]] == case["expected"]["correct"]


def test_rounding_of_decimal_numbers_does_not_decide() -> None:
    assert not 0.53 - 0.50 <= 0.03
    assert place_correct([0.53, 0.5], [0.50, 0.5], 0.03)
    assert place_correct([0.50, 0.5], [0.53, 0.5], 0.03)
    assert not place_correct([0.5301, 0.5], [0.50, 0.5], 0.03)


def test_the_four_decimal_truth_is_scored() -> None:
    """0.47 is within R of 0.5000, but not of the full value 0.50004."""
    pos = ((0.9, 0.5), (0.50004, 0.5), *truth().pos[2:])
    found = values("task3", places((0.9, 0.5), (0.53, 0.5), *TRUE_PLACES[2:]), pos=pos)
    assert found["correct"] == 4
    found = values("task3", places((0.9, 0.5), (0.47, 0.5), *TRUE_PLACES[2:]), pos=pos)
    assert found["correct"] == 4


def test_right_answers_are_right_in_every_count() -> None:
    found = values("task1", balls("T", "F", "F"))
    assert found == {
        "n": 3, "correct": 3, "exact": 1, "true_t": 1, "true_f": 2, "hit_t": 1, "hit_f": 2, "said_t": 1, "any_t": 1,
        "all_f": 0, "answered": 1,
    }  # fmt: skip
    found = values("task2", walls("RIGHT"))
    assert (found["correct"], found["exact"], found["hit_t"], found["hit_f"]) == (4, 1, 1, 3)
    found = values("task3", places(*TRUE_PLACES))
    assert (found["n"], found["correct"], found["exact"], found["moved"], found["moved_correct"]) == (4, 4, 1, 2, 2)
    assert found["moved_near"] == found["truth_near"] == 0
    assert found["error_0"] == found["error_1"] == found["angle_1"] == 0
    assert "error_2" not in found


def test_stasis_is_counted() -> None:
    found = values("task1", balls("F", "F", "F"))
    assert (found["correct"], found["exact"], found["hit_t"], found["any_t"], found["all_f"]) == (2, 0, 0, 1, 1)
    assert values("task2", walls())["all_f"] == 1
    assert values("task1", balls("F", "F", "F"), q1=(False,) * 3)["all_f"] == 0  # then it is the truth
    found = values("task3", places(*START))
    assert (found["correct"], found["moved_correct"], found["moved_near"], found["truth_near"]) == (2, 0, 2, 0)
    assert found["angle_n"] == 1
    assert "angle_1" not in found  # no direction was predicted


def test_each_wall_and_the_exact_set() -> None:
    found = values("task2", walls("RIGHT", "TOP"))
    assert (found["exact"], found["correct"], found["correct_TOP"], found["correct_RIGHT"]) == (0, 3, 0, 1)


@pytest.mark.parametrize("task", ["task1", "task2", "task3"])
def test_a_missing_answer_has_the_same_denominators_and_nothing_right(task: str) -> None:
    right = {"task1": balls("T", "F", "F"), "task2": walls("RIGHT"), "task3": places(*TRUE_PLACES)}[task]
    missing, answered = values(task, MISSING), values(task, right)
    for name in ("n", "true_t", "true_f", "any_t", "moved", "truth_near", "error_n", "angle_n", "depth1", "depthnone"):
        assert missing.get(name) == answered.get(name)
    counts = [name for name in missing if name.startswith(("correct", "exact", "hit", "said", "all_f", "moved_"))]
    assert counts
    assert all(missing[name] == 0 for name in [*counts, "answered"])


def test_a_pocketed_ball_is_right_only_as_null() -> None:
    labels = {"pos": (TRUE_PLACES[0], None, *TRUE_PLACES[2:])}
    found = values("task3", places(TRUE_PLACES[0], None, *TRUE_PLACES[2:]), **labels)
    assert (found["correct"], found["exact"], found["moved"], found["moved_correct"]) == (4, 1, 2, 2)
    assert (found["error_n"], found["angle_n"]) == (1, 0)
    found = values("task3", places(*TRUE_PLACES), **labels)
    assert (found["correct"], found["exact"]) == (3, 0)
    found = values("task3", places(TRUE_PLACES[0], None, *TRUE_PLACES[2:]))
    assert (found["correct"], found["error_n"]) == (3, 2)
    assert "error_1" not in found


def test_errors_are_in_radii_and_angles_in_degrees() -> None:
    found = values("task3", places((0.94, 0.56), (1.0, 0.7), *TRUE_PLACES[2:]))
    assert found["error_0"] == pytest.approx(2.0)
    assert found["error_1"] == pytest.approx(math.hypot(0.2, 0.2) / 0.03)
    assert found["angle_1"] == pytest.approx(90.0)
    assert "angle_0" not in found
    assert values("task3", places((0.94, 0.5), (0.8, 0.5), *TRUE_PLACES[2:]))["angle_1"] == pytest.approx(180.0)


def test_chain_depths() -> None:
    found = values("task3", places(*TRUE_PLACES), chain_depth=(0, 1, 5, -1))
    assert {name: found[f"depth{name}"] for name in ("0", "1", "2", "3", "none")} == {
        "0": 1, "1": 1, "2": 0, "3": 1, "none": 1,
    }  # fmt: skip
    assert found["depth3_correct"] == 1


def test_mirrored_labels_and_answer_score_alike() -> None:
    """The score does not prefer a side: the mirror image of scene, truth and answer has the same counts."""

    def flip(places: Any) -> list[Any]:
        return [None if pos is None else (2.0 - pos[0], pos[1]) for pos in places]

    said = ((0.95, 0.48), (1.1, 0.6), (1.5, 0.52), (0.3, 0.2))
    mirrored = questions(scene(tuple(flip(START))))["task3"]
    labels = truth(pos=tuple(flip(truth().pos)))
    found = score(mirrored, labels, places(*flip(said))).values
    assert found == pytest.approx(values("task3", places(*said)), abs=1e-9)


def test_the_score_says_what_it_belongs_to() -> None:
    found = score(questions()["task1"], truth(), MISSING)
    assert (found.question, found.task, found.group, found.status) == (
        "t2s/scene_00003/task1",
        "task1",
        "t2s",
        "invalid",
    )


def test_labels_with_a_status_word_are_no_truth() -> None:
    with pytest.raises(ValueError, match="status 16"):
        score(questions()["task1"], truth(status=16), balls("T", "F", "F"))
