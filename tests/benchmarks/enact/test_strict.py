"""Strict verdicts: no repair of `compat`, both accuracies on a set worked out by hand, and what accepted implies."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.enact import compat, parsing, strict
from jaxphys_benchmarks.enact.aggregate import Judged, chance, strict_report
from jaxphys_benchmarks.enact.atoms import OrphanSystem
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.published import ITEMS, LENGTHS
from jaxphys_benchmarks.enact.verdict import Asked, Malformed, Verdict
from tests.benchmarks.enact import answered
from tests.benchmarks.enact.golden import SCORED, Told, asked
from tests.enact_worlds import golden

LETTERS = Told({"0": [], "1": ["a"], "2": ["a", "b"], "3": ["a", "b", "c"]})
FORWARD = Asked(False, ("0", "1", "2", "3"), (1, 2, 3))
INVERSE = Asked(True, ("0", "1", "2", "3"), (3, 1, 2))

REPAIRED = {
    "[1, 0]": strict.NOT_A_PERMUTATION,
    "[3, 2]": strict.NOT_A_PERMUTATION,
    "[1, 2, 1]": strict.NOT_A_PERMUTATION,
    "[1, 1]": strict.NOT_A_PERMUTATION,
    "2 then 1": strict.UNPARSEABLE,
    "[2 1]": strict.UNPARSEABLE,
    "(2, 1)": strict.UNPARSEABLE,
    "[02, 1]": strict.UNPARSEABLE,
    "[2.0, 1.0]": strict.UNPARSEABLE,
    "I cannot tell": strict.UNPARSEABLE,
}


def judged(item: Asked, answer: Any) -> Verdict:
    return strict.judge(item, parsing.strict(answer), LETTERS)


@pytest.mark.parametrize("answer", REPAIRED)
def test_what_needs_repair_is_wrong(answer: str) -> None:
    verdict = judged(Asked(False, ("0", "1", "2"), (2, 1)), answer)
    assert verdict == Verdict(False, False, 0.0, 0, 2, reason=REPAIRED[answer])


@pytest.mark.parametrize("name", SCORED)
def test_stored_cases_that_need_no_repair(name: str) -> None:
    case = SCORED[name]
    order, n = parsing.strict(case["answer"]), len(case["gt_answer"])
    verdict = strict.judge(asked(case), order, golden(case["world"]))
    if order is None or not strict.is_permutation(order, n):
        assert (verdict.accepted, verdict.pairwise) == (False, 0.0)
    elif "assertion" not in case["why"] and "empty action" not in case["why"]:
        assert verdict.accepted == case["expected"]["task_accuracy"]
        assert verdict.pairwise == pytest.approx(case["expected"]["pairwise_accuracy"])


def test_an_orphan_system_is_no_error() -> None:
    case = SCORED["F20"]
    verdict = strict.judge(asked(case), [3, 2, 1], golden(case["world"]))
    assert (verdict.reason, case["expected"]["pairwise_accuracy"]) == ("", 0.0)
    assert strict.judge(asked(case), case["gt_answer"], golden(case["world"])).pairwise == 1.0


def test_both_accuracies_by_hand() -> None:
    two, three = Asked(False, ("0", "1", "2"), (1, 2)), FORWARD
    verdicts = [
        judged(two, "[1, 2]"),  # exact: 2 of 2
        judged(three, "[2, 1, 3]"),  # {a, b} holds a, losing b holds not b, {b, c} holds c: 2 of 3
        judged(three, "[1, 1, 1]"),  # no permutation: 0 of 3
        judged(INVERSE, "none"),  # unparseable: 0 of 3
    ]
    assert [one.hits for one in verdicts] == [2, 2, 0, 0]
    kinds = ["forward_3", "forward_4", "forward_4", "inverse_4"]
    report = strict_report([Judged(kind, one.steps, one) for kind, one in zip(kinds, verdicts, strict=True)])
    overall = report["overall"]
    assert overall["pairwise_accuracy"] == pytest.approx(4 / 11)
    assert overall["pairwise_accuracy_macro"] == pytest.approx((1 + 2 / 3) / 4)
    assert (overall["task_accuracy"], overall["exact_rate"], overall["count"]) == (0.25, 0.25, 4)
    assert overall["reasons"] == {strict.NOT_A_PERMUTATION: 1, strict.UNPARSEABLE: 1}
    assert overall["subset_only_pairs"] == 0.5
    assert overall["per_step"]["3_steps"]["chance"] == {"task_accuracy": 0.5, "positions": 0.5}
    assert report["forward_world_modeling"]["count"] == 3
    assert report["inverse_world_modeling"]["per_step"].keys() == {"4_steps"}


def test_chance_over_the_published_items() -> None:
    # Specification, section 8: 9.17 % exact and 23.1 % of positions.
    guessed = chance({length - 1: items for length, items in zip(LENGTHS, ITEMS, strict=True)})
    assert guessed == pytest.approx({"task_accuracy": 0.0917, "positions": 0.231}, abs=5e-4)
    assert chance({9: 1})["task_accuracy"] == 1 / math.factorial(9)


@pytest.mark.parametrize("truth", [(1, 1), (1,), (0, 1), (1, 3)])
def test_malformed_items_are_not_judged(truth: tuple[int, ...]) -> None:
    with pytest.raises(Malformed, match="gt_answer"):
        strict.judge(Asked(True, ("0", "1", "2"), truth), [1, 2], LETTERS)


def test_a_missing_frame_is_no_crash() -> None:
    item = Asked(False, ("0", "1", "99"), (2, 1))
    assert strict.judge(item, [1, 2], LETTERS).reason == strict.MISSING_FRAME
    assert strict.judge(item, [2, 1], LETTERS).accepted


@pytest.mark.parametrize("mode", ["compat", "strict"])
def test_what_an_accepted_answer_implies(mode: str) -> None:
    rng = np.random.default_rng(11)
    judge = {"compat": compat.judge, "strict": strict.judge}[mode]
    for world, item in answered.items(300, seed=1):
        n, changes = len(item.truth), answered.worlds()[world]
        assert judge(item, item.truth, changes).accepted
        order = answered.answer(item, rng)
        verdict = judge(item, order, changes)
        assert verdict.exact == (tuple(order) == item.truth)
        assert not verdict.accepted or verdict.pairwise == 1.0
        assert verdict.accepted or verdict.pairwise < 1.0 or verdict.reason == "length"
        if len(order) == n:
            assert verdict.pairwise in {k / n for k in range(n + 1)}


def has_wordless_step(item: Asked, changes: Episode) -> bool:
    """Whether the reference compares shuffled positions with the number of texts, so that labels matter."""
    try:
        return item.inverse and any(changes.wordless(*pair) for pair in pairwise(item.frames))
    except (KeyError, OrphanSystem):
        return False


@pytest.mark.parametrize("mode", ["compat", "strict"])
def test_a_relabelled_shuffle_changes_nothing(mode: str) -> None:
    rng = np.random.default_rng(12)
    judge = {"compat": compat.judge, "strict": strict.judge}[mode]
    for world, item in answered.items(200, seed=2):
        n, changes = len(item.truth), answered.worlds()[world]
        if mode == "compat" and has_wordless_step(item, changes):
            continue
        order, label = (rng.permutation(n) + 1).tolist(), (rng.permutation(n) + 1).tolist()
        other = Asked(item.inverse, item.frames, tuple(label[k - 1] for k in item.truth))
        assert judge(item, order, changes) == judge(other, [label[k - 1] for k in order], changes)
