"""Replies that are not what was asked for: traps, floods and noise."""

import json
import random
import time
from typing import Any

import pytest

from jaxphys_benchmarks.extract import MAX_DEPTH, Extraction, Invalid, Log, extract
from jaxphys_benchmarks.protocol import EXTRACTORS
from jaxphys_benchmarks.repair import repaired

ANSWER = {"answer": [1, "T"]}
TEXT = json.dumps(ANSWER)
FLOOD = 1_000_000
SECONDS = 30.0
"""Linear time takes a few seconds on a slow, busy core; quadratic time takes hours."""


def validate(value: Any, log: Log | None) -> Any:
    if isinstance(value, list):
        value = {"answer": value}
    if not isinstance(value, dict) or "answer" not in value:
        raise Invalid("no key 'answer'")
    return {"answer": value["answer"]}


def run(text: str, mode: str = "robust", bare_list: bool = False) -> Extraction:
    return extract(text, validate, mode=mode, bare_list=bare_list)


def statuses(text: str) -> tuple[str, ...]:
    return tuple(run(text, mode).status for mode in ("paper", "robust", "lenient"))


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}",
        f"The answer:\n{TEXT}\nDone.",
        '{"answer": [1, "T"], "note": "a } brace, a \\" quote, a { brace and ```a fence```"}',
        '{"answer": [1, "T"], "note": "a backslash \\\\"}',
        f"<think></think>{TEXT}",
        f"The balls are [1, 3], the range is [0, 2). {TEXT}",
        f'Speed is 3 m/s (see [1]) and "5\' 3" is a length. {TEXT}',
    ],
)
@pytest.mark.parametrize("mode", EXTRACTORS)
def test_plain_answers_are_read_in_every_mode(text: str, mode: str) -> None:
    assert run(text, mode) == Extraction(ANSWER, "ok")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"The set is {{1, 3}}. {TEXT}", ("invalid", "ok", "ok")),
        (f"Nested {{1, {{2}}}} sets. {TEXT}", ("invalid", "ok", "ok")),
        (f"With \\frac{{1}}{{2}}: {TEXT}", ("invalid", "ok", "ok")),
        (f"A lone {{ 1 brace. {TEXT}", ("ok", "ok", "ok")),
        (f"{{}} {TEXT}", ("invalid", "ok", "ok")),
        (f"{TEXT} {{1, 3}}", ("ok", "ok", "ok")),
        ('{"answer": [1, "T"]', ("truncated",) * 3),
        ('{"wrong": 1} {"answer": [1, "T"', ("invalid", "truncated", "truncated")),
        (f'{TEXT} Correction: {{"answer": [', ("ok", "truncated", "truncated")),
        ('{"draft": {"answer": [1, "T"]}, "rest": "cut', ("truncated",) * 3),
        ("{answer: {\"answer\": [1, 'T']}, ", ("truncated",) * 3),
        ('```json\n{"draft": {"answer": [1]}, ', ("truncated",) * 3),
        ('[{"answer": [1, "T"]}, {"answer"', ("truncated",) * 3),
        ("", ("no_json",) * 3),
        ("   \n", ("no_json",) * 3),
        ("Ball 3 is hit.", ("no_json",) * 3),
        ("I'm sorry, but I can't help with that.", ("refusal",) * 3),
        ("I cannot determine this.", ("refusal",) * 3),
        (f"I cannot be sure, but {TEXT}", ("ok",) * 3),
        (f"<think>never ends {TEXT}", ("no_answer",) * 3),
        (f"Well. <think>never ends {TEXT}", ("no_answer",) * 3),
        (f"<think>a</think><think>b {TEXT}", ("no_answer",) * 3),
        ('{"answer": NaN}', ("invalid",) * 3),
        ('{"answer": [Infinity]}', ("invalid",) * 3),
        ('{"answer": -Infinity}', ("invalid",) * 3),
        ('{"answer": 1e999}', ("invalid",) * 3),
        ('{"answer": 1, "answer": 2}', ("invalid",) * 3),
        ('{"answer": {"a": 1, "a": 2}}', ("invalid",) * 3),
        (f'{{"answer": {"9" * 5000}}}', ("invalid",) * 3),
        ('{"other": 1}', ("invalid",) * 3),
        ('{"answer": 1}}', ("ok",) * 3),
    ],
)
def test_traps(text: str, expected: tuple[str, ...]) -> None:
    assert statuses(text) == expected


def test_paper_takes_the_first_object_and_the_others_the_last_valid_one() -> None:
    text = '{"answer": 1} then {"answer": 2} and {"note": 3}'
    assert [run(text, mode).value for mode in ("paper", "robust", "lenient")] == [
        {"answer": 1},
        {"answer": 2},
        {"answer": 2},
    ]


def test_a_draft_in_the_reasoning_counts_only_as_published() -> None:
    text = '<think>perhaps {"answer": 1}</think> {"answer": 2}'
    assert run(text, "paper").value == {"answer": 1}
    assert run(text, "robust").value == {"answer": 2}


@pytest.mark.parametrize("lead", ["draft {X} </think>", "draft {X} ", "<THINK>{X}</THINK>", "<thought>{X}</thought>"])
def test_reasoning_without_an_answer_after_it(lead: str) -> None:
    found = run(lead.replace("{X}", TEXT))
    assert found.status == ("no_json" if "</" in lead else "ok")


def test_a_thinking_tag_inside_a_string_is_data() -> None:
    found = run('{"answer": "</think> <think>"}')
    assert found.value == {"answer": "</think> <think>"}


def test_a_bare_list_counts_only_where_allowed_and_never_as_published() -> None:
    text = '[{"id": 1}, {"id": 2}]'
    assert run(text, "robust", bare_list=True).value == {"answer": [{"id": 1}, {"id": 2}]}
    assert run(text, "robust", bare_list=False).status != "ok"
    assert run(text, "paper", bare_list=True).status == "invalid"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"answer": [1, 2,],}', [1, 2]),
        ("{'answer': [True, False, None]}", [True, False, None]),
        ("{'answer': 'it\\'s \"so\"'}", 'it\'s "so"'),
        ("{'answer': (1, 2)}", [1, 2]),
        ('{"answer": "a,} True \'x\'",}', "a,} True 'x'"),
    ],
)
def test_lenient_repairs_and_logs(text: str, value: Any) -> None:
    assert run(text, "robust").status == "invalid"
    found = run(text, "lenient")
    assert found.value == {"answer": value}
    assert found.repairs


@pytest.mark.parametrize("text", ["{'answer': NaN,}", "{'answer': 1 + 1}", "{'answer': f('x')}", "{'answer': 1 'b'}"])
def test_lenient_neither_guesses_nor_evaluates(text: str) -> None:
    assert run(text, "lenient").status == "invalid"


def test_nothing_is_logged_without_a_repair() -> None:
    assert run(TEXT, "lenient").repairs == ()
    assert repaired(TEXT, lambda repair: pytest.fail(repair)) is None


def test_depth_is_bounded_not_recursed() -> None:
    for depth, status in ((MAX_DEPTH - 2, "ok"), (MAX_DEPTH + 1, "invalid"), (100_000, "invalid")):
        text = '{"answer": ' + "[" * depth + "]" * depth + "}"
        assert statuses(text) == (status,) * 3


FLOODS = {
    "open braces": "{" * 5_000_000,
    "closed braces": "}" * FLOOD,
    "pairs": "{}" * (FLOOD // 2),
    "nested keys": '{"a":' * (FLOOD // 5),
    "nested and closed": '{"a":' * (FLOOD // 6) + "1" + "}" * (FLOOD // 6),
    "sets": "{1" * (FLOOD // 2),
    "blank after brace": "{" + " " * FLOOD + "x",
    "open lists": "[ {" * (FLOOD // 3),
    "quotes": '{"' + '\\"' * (FLOOD // 2),
    "single quotes": "{'a': '" + "\\'" * (FLOOD // 2) + '"}',
    "commas": '{"a"' + "," * FLOOD + "}",
    "thinking": "<think>" * (FLOOD // 7),
    "tags in strings": '{"a":"</think>"}' * (FLOOD // 16),
    "word": "{" + "a" * FLOOD,
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_takes_linear_time(name: str) -> None:
    for mode in EXTRACTORS:
        start = time.perf_counter()
        assert extract(FLOODS[name], validate, mode=mode, bare_list=True).status != "ok"
        assert time.perf_counter() - start < SECONDS


PIECES = [
    TEXT, "{", "}", "[", "]", '"', "'", "\\", ",", ":", "<think>", "</think>", "```json\n", "```", " ", "\n", "1e999",
    "NaN", "True", "None", "(", ")", "é\ud800", "\x00", '{"answer": ', "[{", '"T"', "-", "//", "/*", "0x1F", "9" * 30,
]  # fmt: skip


def test_noise_never_crashes() -> None:
    rng = random.Random(20260529)
    seen = set()
    for _ in range(4000):
        text = "".join(rng.choices(PIECES, k=rng.randint(1, 14)))
        for mode in EXTRACTORS:
            found = extract(text, validate, mode=mode, bare_list=True)
            assert (found.value is not None) == (found.status == "ok") or found.value is None
            assert (found.status == "ok") == (found.reason == "")
            seen.add(found.status)
    assert seen >= {"ok", "no_json", "invalid", "truncated", "no_answer"}


def test_an_unknown_mode_is_the_callers_error() -> None:
    with pytest.raises(KeyError):
        extract(TEXT, validate, mode="generous")
