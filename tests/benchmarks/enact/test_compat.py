"""Verdicts of the public reference evaluator, by id, and what its rules imply."""

import pytest

from jaxphys_benchmarks.enact import compat, parsing
from jaxphys_benchmarks.enact.aggregate import Judged, compat_report
from jaxphys_benchmarks.enact.alignment import alignment
from jaxphys_benchmarks.enact.verdict import Asked, Malformed, Verdict, steps
from tests.benchmarks.enact.golden import EVALUATION, SCORED, STORED, Told, asked
from tests.enact_worlds import golden
from tests.support import cases

ORDERS = {name: case for name, case in cases("enact_order").items() if "answer" in case["input"]}
LETTERS = Told({"0": [], "1": ["a"], "2": ["a", "b"], "3": ["a", "b", "c"]})
EPSILON = 1e-12
"""Rounding of a ratio of small integers."""


def judged(name: str) -> Verdict:
    case = EVALUATION[name]
    order = parsing.compat(case["answer"], len(case["gt_answer"]))
    assert order == case["parsed_answer"]
    return compat.judge(asked(case), order, golden(case["world"]))


@pytest.mark.parametrize("name", SCORED)
def test_verdicts_of_the_reference(name: str) -> None:
    case = SCORED[name]
    metrics = judged(name).metrics()
    assert metrics.pop("pairwise_accuracy") == pytest.approx(case["expected"]["pairwise_accuracy"], abs=EPSILON)
    assert metrics == {key: value for key, value in case["expected"].items() if key != "pairwise_accuracy"}


@pytest.mark.parametrize("name", SCORED)
def test_signatures_of_the_true_chain(name: str) -> None:
    case, pairs = SCORED[name], steps(SCORED[name]["key_frame_ids"])
    changes = golden(case["world"])
    assert [sorted(changes.partial(*pair)) for pair in pairs] == case["reference_visible_both"]
    assert [sorted(changes.full(*pair)) for pair in pairs] == case["reference_visible_either"]


def test_skipped_case_has_no_order() -> None:
    (case,) = (case for case in EVALUATION.values() if "skipped" in case["expected"])
    assert parsing.compat(case["answer"], len(case["gt_answer"])) is None


def test_report_over_all_cases() -> None:
    everything = [Judged(case["type"], len(case["gt_answer"]), judged(name)) for name, case in SCORED.items()]
    report, expected = compat_report(everything), STORED["aggregate_report"]
    assert report.keys() == expected.keys()
    for section, values in expected.items():
        found, per_step = dict(report[section]), values["per_step"]
        assert found.pop("per_step") == {length: pytest.approx(some, abs=EPSILON) for length, some in per_step.items()}
        assert found == pytest.approx(
            {name: value for name, value in values.items() if name != "per_step"}, abs=EPSILON
        )


@pytest.mark.parametrize("case", STORED["alignment_cases"], ids=lambda case: case["name"])
def test_alignment(case: dict[str, object]) -> None:
    chains = [
        None if case[key] is None else [frozenset(one) for one in case[key]]
        for key in ("reference_visible", "predicted", "reference_full")
    ]
    assert alignment(chains[0] or [], chains[1] or [], chains[2]) == pytest.approx(case["pairwise"], abs=EPSILON)


@pytest.mark.parametrize("name", ORDERS)
def test_public_cases(name: str) -> None:
    told, expected = ORDERS[name]["input"], ORDERS[name]["expected"]
    frames = tuple(told["frames_in_true_order"])
    item = Asked(told["type"] == "inverse", frames, tuple(told["gt"]))
    verdict = compat.judge(item, told["answer"], Told(told["state_predicates"]))
    assert verdict.accepted == expected["task_accuracy"]
    assert verdict.pairwise == pytest.approx(expected["pairwise_accuracy"], abs=EPSILON)


FORWARD = Asked(False, ("0", "1", "2", "3"), (2, 3, 1))
INVERSE = Asked(True, ("0", "1", "2", "3"), (2, 3, 1))


@pytest.mark.parametrize(
    ("item", "order", "pairwise", "reason"),
    [
        (FORWARD, [-2, 3, -3], 1.0, ""),  # negative positions count from the end of the board
        (FORWARD, [2, 3, 4], 0.0, "IndexError"),
        (FORWARD, ["2", 3, 1], 0.0, "TypeError"),
        (FORWARD, [[2], 3, 1], 0.0, "TypeError"),
        (FORWARD, [], 0.0, "length"),
        (FORWARD, [2, 3, 1, 0], 0.75, "length"),
        (INVERSE, [2, 9, 3], 2 / 3, "dropped"),  # the rest moves up, and holds
        (INVERSE, [9, 2, 3, 1], 0.0, "IndexError"),  # a valid entry past the last action
        (INVERSE, [2, 3, 1, 9], 1.0, "length"),  # the surplus entry is dropped before the chains are aligned
        (INVERSE, [2.0, 1, 3], 0.0, "TypeError"),
        (INVERSE, [], 0.0, "length"),
    ],
)
def test_entries_that_are_no_positions(item: Asked, order: list[object], pairwise: float, reason: str) -> None:
    verdict = compat.judge(item, order, LETTERS)
    assert (verdict.pairwise, verdict.reason) == (pytest.approx(pairwise), reason)


def test_an_exact_answer_is_accepted_though_a_frame_is_missing() -> None:
    for inverse in (False, True):
        item = Asked(inverse, ("0", "1", "7"), (2, 1))
        assert compat.judge(item, [2, 1], LETTERS) == Verdict(True, False, 1.0, 2, 2, reason="KeyError")
        assert compat.judge(item, [1, 2], LETTERS) == Verdict(False, False, 0.0, 0, 2, reason="KeyError")


@pytest.mark.parametrize(
    ("item", "order"),
    [
        (Asked(False, ("0", "1", "2"), (1, 3)), [1, 2]),
        (Asked(False, ("0", "1", "2"), (1, 1)), [1, 2]),
        (Asked(False, ("0", "1", "2"), (1,)), [1, 2]),
        (Asked(False, ("0", "1", "2"), ("1", "2")), ["1", "2"]),
        (Asked(True, ("0", "1", "2"), ("1", "2")), [1, 2]),
        (Asked(True, ("0", "1", "2"), (1, 2)), ["1", None]),
        (Asked(False, (), (1, 2)), [1, 2]),
        (Asked(True, ("0", "1"), ()), [1]),
    ],
)
def test_malformed_items_are_not_judged(item: Asked, order: list[object]) -> None:
    with pytest.raises(Malformed, match=r"gt_answer|answer"):
        compat.judge(item, order, LETTERS)


def test_hits_that_hold_only_as_a_subset() -> None:
    verdict = compat.judge(Asked(False, ("0", "1", "2", "3"), (1, 2, 3)), [2, 1, 3], LETTERS)
    assert (verdict.hits, verdict.strict_hits, verdict.subset_only) == (2, 2, False)
