"""Metrics from counts: accuracies with Wilson's interval, disparities with Newcombe's, families, letters, failures."""

import math
import random
from collections.abc import Sequence

import pytest

from jaxphys_benchmarks.inphyre.aggregate import REASONS, aggregate
from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.statistics import newcombe, wilson


def one(scenario: str, index: int, letter: str, right: bool, family: str = "all", status: str = "ok") -> Score:
    said = status == "ok"
    values = {
        "n": 1.0, "exact": float(right and said), "answered": float(said),
        "undetermined": float(letter == "D" and said),
        f"family_{family}": 1.0, f"exact_{family}": float(right and said),
    }  # fmt: skip
    values |= {f"letter_{name}": float(said and name == letter) for name in "ABCD"}
    return Score(f"{scenario}/scene_{index:05d}/choice", "choice", scenario, values, status)


def run(scenario: str, right: int, wrong: int, missing: int = 0, family: str = "all", start: int = 0) -> list[Score]:
    scores = [one(scenario, start + k, "A", True, family) for k in range(right)]
    scores += [one(scenario, start + right + k, "B", False, family) for k in range(wrong)]
    return scores + [one(scenario, start + right + wrong + k, "", False, family, "refusal") for k in range(missing)]


def test_a_missing_answer_is_wrong_and_reported() -> None:
    found = aggregate(run("LMC", 6, 2, 2))
    assert found["LMC/choice/accuracy"] == found["choice/accuracy"] == found["mean"] == pytest.approx(0.6)
    assert found["LMC/choice/accuracy/answered"] == pytest.approx(0.75)
    assert (found["choice/n"], found["choice/n_answered"]) == (10, 8)
    assert found["choice/failed"] == found["choice/failed/refusal"] == pytest.approx(0.2)
    assert all(found[f"choice/failed/{reason}"] == 0 for reason in REASONS if reason != "refusal")
    assert (found["LMC/choice/accuracy/low"], found["LMC/choice/accuracy/high"]) == wilson(6, 10)


def test_letters_are_shares_of_the_answers() -> None:
    found = aggregate(run("LMC", 6, 2, 2))
    assert [found[f"choice/letter_{letter}"] for letter in "ABCD"] == [0.75, 0.25, 0, 0]


def test_the_mean_is_over_scenarios_and_the_accuracy_over_samples() -> None:
    found = aggregate(run("LMC", 10, 0) + run("CC", 5, 25))
    assert found["mean"] == pytest.approx((1 + 1 / 6) / 2)
    assert found["choice/accuracy"] == pytest.approx(15 / 40)


def test_disparity_is_regular_minus_irregular() -> None:
    found = aggregate(
        run("LMC", 3, 7) + run("LMC-reg", 8, 2) + run("SB", 1, 9) + run("SB-reg", 9, 1) + run("AMC", 1, 1)
    )
    assert found["LMC/choice/disparity"] == pytest.approx(0.5)
    assert found["SB/choice/disparity"] == pytest.approx(0.8)
    assert (found["LMC/choice/disparity/low"], found["LMC/choice/disparity/high"]) == newcombe(8, 10, 3, 10)
    assert found["choice/disparity"] == pytest.approx(0.65)
    assert "LMC-reg/choice/disparity" not in found
    assert "AMC/choice/disparity" not in found


def test_families_are_told_where_there_are_several() -> None:
    found = aggregate(run("Red-LMC", 4, 0, family="red") + run("Red-LMC", 1, 3, family="other", start=10))
    assert (found["Red-LMC/choice/accuracy_red"], found["Red-LMC/choice/accuracy_other"]) == (1, 0.25)
    assert found["Red-LMC/choice/accuracy_red/low"] == wilson(4, 4)[0]
    assert found["Red-LMC/choice/accuracy"] == pytest.approx(5 / 8)
    assert not [name for name in aggregate(run("LMC", 2, 2)) if "accuracy_" in name]


def test_names_follow_the_contract() -> None:
    found = aggregate(run("LMC", 3, 7) + run("LMC-reg", 8, 2, 1))
    names = list(found)
    assert names[:2] == ["mean", "choice/accuracy"]
    assert names.index("choice/disparity") < names.index("choice/letter_A")
    first_of_group = next(k for k, name in enumerate(names) if name.startswith("LMC/"))
    assert all(name == "mean" or name.startswith("choice/") for name in names[:first_of_group])
    assert all(":" not in name and math.isfinite(found[name]) for name in names)


def test_order_does_not_matter_and_nothing_gives_nothing() -> None:
    scores: Sequence[Score] = run("LMC", 3, 7) + run("LMC-reg", 8, 2, 1) + run("elsewhere", 1, 1)
    mixed = random.Random(3).sample(scores, len(scores))
    assert list(aggregate(scores).items()) == list(aggregate(mixed).items())
    assert aggregate([]) == {}


def test_silence_has_no_letters() -> None:
    found = aggregate(run("LMC", 0, 0, 4))
    assert found["mean"] == 0
    assert "choice/letter_A" not in found
    assert "choice/accuracy/answered" not in found
