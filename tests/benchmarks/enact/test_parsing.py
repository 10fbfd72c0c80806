"""Orders read from replies: the reference's cases by index and id, and the same replies without repairs."""

import time
from typing import Any

import pytest

from jaxphys_benchmarks.enact import parsing
from tests.benchmarks.enact.golden import EVALUATION, STORED
from tests.support import cases

REPLIES = {name: case for name, case in cases("enact_order").items() if "reply" in case["input"]}
FLOOD = 200_000
SECONDS = 10.0
"""Linear time is a fraction of a second; quadratic time takes minutes."""


@pytest.mark.parametrize("case", STORED["parse_cases"], ids=lambda case: f"{case['answer']!r}-{case['gt_length']}")
def test_stored_cases(case: dict[str, Any]) -> None:
    assert parsing.compat(case["answer"], case["gt_length"]) == case["parsed"]


@pytest.mark.parametrize("name", REPLIES)
def test_public_cases(name: str) -> None:
    told = REPLIES[name]["input"]
    assert parsing.compat(told["reply"], told["gt_length"]) == REPLIES[name]["expected"]["reference_parse"]


@pytest.mark.parametrize(
    ("answer", "order", "repaired"),
    [
        ("[2, 1]", [2, 1], ()),
        ("so [1, 2]; no: [2,\n1,]", [2, 1], ()),
        ("[[2, 1]]", [2, 1], ()),
        ("[2, 1] and not [01, 2]", [2, 1], ("digits",)),
        ([2, 1], [2, 1], ()),
        ("[1, 0]", [1, 0], ("shifted",)),
        ("[3, 2]", [3, 2], ("shifted",)),
        ("[1, 3, 2]", [1, 3, 2], ("cut", "shifted")),
        ("[3, 1, 2]", [3, 1, 2], ("cut",)),
        ("[2 1]", None, ("digits",)),
        ("(2, 1)", None, ("digits",)),
        ("2 then 1", None, ("digits",)),
        ("[1.0, 2.0]", None, ("digits",)),
        ("[-1, 2]", None, ("digits",)),
        ("[01, 2]", None, ("digits",)),
        ("[ ]", None, ()),
        ("", None, ()),
        ([], None, ()),
        ([True, 2], None, ()),
        ([1, "2"], None, ()),
        (None, None, ()),
        (21, None, ()),
        ({"answer": [2, 1]}, None, ()),
    ],
)
def test_strict_reads_lists_only(answer: Any, order: list[int] | None, repaired: tuple[str, ...]) -> None:
    assert parsing.strict(answer) == order
    assert parsing.repairs(answer, 2) == repaired


def test_what_is_no_text_and_no_list_is_not_read() -> None:
    for answer in (None, 21, 2.5, True, {"a": 1}, ""):
        assert parsing.compat(answer, 2) is None
    assert parsing.compat([], 2) == []


@pytest.mark.parametrize("answer", ["[٢, ١]", "[2,\u00a01]"])
def test_digits_and_blanks_of_other_scripts_are_read_only_with_repairs(answer: str) -> None:
    assert parsing.compat(answer, 2) == [2, 1]
    assert parsing.strict(answer) is None


@pytest.mark.parametrize(
    "answer",
    ["[" * FLOOD, "[1," * FLOOD, "[" + "1," * FLOOD, "[" + ", " * FLOOD + "]", "9" * FLOOD, "[" + "1" * FLOOD + "]"],
    ids=["open", "groups", "endless", "commas", "huge", "huge-in-list"],
)
def test_floods_are_read_in_linear_time(answer: str) -> None:
    start = time.perf_counter()
    parsing.compat(answer, 9)
    parsing.repairs(answer, 9)
    assert parsing.strict(answer) is None
    assert time.perf_counter() - start < SECONDS


@pytest.mark.parametrize("name", [name for name, case in EVALUATION.items() if isinstance(case["answer"], str)])
def test_without_repairs_both_readings_agree(name: str) -> None:
    answer, length = EVALUATION[name]["answer"], len(EVALUATION[name]["gt_answer"])
    assert bool(parsing.repairs(answer, length)) == (
        parsing.compat(answer, length) is not None and parsing.compat(answer, length) != parsing.strict(answer)
    )
