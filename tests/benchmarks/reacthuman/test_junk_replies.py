"""Replies as models write them: each kind has the documented verdict, with a reason, and none is ever an exception.

The names are those of the table in docs/reacthuman_scoring.md.
"""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from jaxphys_benchmarks.protocol import EXTRACTORS, Reply
from jaxphys_benchmarks.reacthuman.parse import parse, plan_of
from jaxphys_benchmarks.reacthuman.score import score
from jaxphys_benchmarks.reacthuman.verdict import lines, verdict
from tests.benchmarks.reacthuman.asked_scenes import CATCH, DODGE, GOLDEN, NONE, frame, plan, question, truth
from tests.support import cases

DOCS = Path(__file__).parents[3] / "docs" / "reacthuman_scoring.md"
ASKED, LABELS = question(), truth(DODGE, safety_label="dangerous")
TEXT = json.dumps(GOLDEN)
LAST = '"walking_duration": 0.7'
STATUSES = {"ok", "no_json", "invalid", "truncated", "no_answer", "refusal"}


def changed(**changes: Any) -> str:
    return json.dumps({name: value for name, value in {**GOLDEN, **changes}.items() if value is not ...})


def frames(*given: Any) -> str:
    return changed(keyframes=list(given))


ROW = frame(0.5, [0.4, 0.1, 0.0])
REPLIES: dict[str, tuple[str, str, str]] = {
    # name: reply, verdict of the default reading, verdict of the lenient one
    "the plan alone": (TEXT, "ok", "ok"),
    "markdown fence": (f"Here is the plan:\n```json\n{TEXT}\n```\nStay safe!", "ok", "ok"),
    "thinking before it": (f"<think>catch? {changed(walking_cmd=[1, 0, 0])}</think>{TEXT}", "ok", "ok"),
    "thinking that never ends": (f"<think>it falls, so {TEXT}", "no_answer", "no_answer"),
    "cut off": (TEXT[: len(TEXT) // 2], "truncated", "truncated"),
    "a plan, then another that is cut off": (TEXT + TEXT[:40], "truncated", "truncated"),
    "numbers in quotes": (changed(walking_cmd=["-0.7", "0", "0"]), "invalid", "ok"),
    "words for numbers": (changed(walking_cmd=["back", "none", "none"]), "invalid", "invalid"),
    "numbers with units": (changed(walking_cmd=["-0.7 m/s", 0, 0]), "invalid", "invalid"),
    "NaN": (TEXT.replace(LAST, '"walking_duration": NaN'), "invalid", "invalid"),
    "infinity": (TEXT.replace(LAST, '"walking_duration": -Infinity'), "invalid", "invalid"),
    "a number that overflows": (TEXT.replace(LAST, '"walking_duration": 1e400'), "invalid", "invalid"),
    "an integer of 5000 digits": (TEXT.replace("-0.7", "9" * 5000, 1), "invalid", "invalid"),
    "true for a number": (changed(walking_cmd=[True, 0, 0]), "invalid", "invalid"),
    "no walking_cmd": (changed(walking_cmd=...), "invalid", "invalid"),
    "no keyframes": (changed(keyframes=...), "invalid", "invalid"),
    "keyframes empty": (changed(keyframes=[]), "invalid", "invalid"),
    "a hand missing": (frames({"t": 0, "left_hand": [0.1, 0.15, 0]}), "invalid", "invalid"),
    "two coordinates": (frames(frame(0, [0.1, 0.15])), "invalid", "invalid"),
    "key frames out of order": (frames(frame(0.5), frame(0.2)), "invalid", "invalid"),
    "key frames at one time": (frames(frame(0.5), frame(0.5)), "invalid", "invalid"),
    "10 000 key frames": (frames(*(frame(k * 1e-4) for k in range(10_000))), "ok", "ok"),
    "out of range": (changed(walking_cmd=[-50, 0, 0], confidence=95), "ok", "ok"),
    "optional keys missing": (
        changed(intent=..., confidence=..., walking_duration=..., object_identified=...),
        "ok",
        "ok",
    ),
    "optional keys of the wrong kind": (changed(confidence="high"), "invalid", "ok"),
    "keys that nobody asked for": (changed(action="EXECUTE_CATCH", gripper=[1, 2]), "ok", "ok"),
    "keys in capitals": (TEXT.replace("walking_cmd", "Walking_Cmd"), "invalid", "invalid"),
    "a key twice": (TEXT[:-1] + ', "walking_cmd": [0, 0, 0]}', "invalid", "invalid"),
    "trailing commas": (TEXT.replace("]}", "],}"), "invalid", "ok"),
    "single quotes": (str(GOLDEN), "invalid", "ok"),
    "a comment": (TEXT.replace('"intent"', '// why\n"intent"'), "invalid", "invalid"),
    "the plan inside another object": (json.dumps({"plan": GOLDEN}), "invalid", "invalid"),
    "the plan inside a list": (json.dumps([GOLDEN]), "no_json", "no_json"),
    "two plans": (f"{changed(walking_cmd=[1, 0, 0])} no, better: {TEXT}", "ok", "ok"),
    "only the action": ('{"action": "TRIGGER_DODGE"}', "invalid", "invalid"),
    "nested 1000 deep": ('{"keyframes": ' + "[" * 1000 + "]" * 1000 + "}", "invalid", "invalid"),
    "a million braces": ("{" * 1_000_000, "truncated", "truncated"),
    "any letters": (changed(intent="Zurück! 後退 ⟵ \u202e🤖", object_identified="\u0000\ufeff"), "ok", "ok"),
    "half a character": (changed(intent="\ud83d"), "ok", "ok"),
    "digits of another script": (TEXT.replace("0.7", "٠.٧"), "invalid", "invalid"),
    "prose": ("Step back at once.", "no_json", "no_json"),
    "a refusal": ("I'm sorry, but I can't help with that.", "refusal", "refusal"),
    "nothing": (" \n", "no_json", "no_json"),
}


@pytest.mark.parametrize("name", REPLIES)
def test_each_kind_of_reply_has_its_verdict(name: str) -> None:
    text, robust, lenient = REPLIES[name]
    for extractor, status in (("robust", robust), ("lenient", lenient)):
        answer = parse(ASKED, Reply(text), extractor=extractor)
        assert (answer.status, answer.value is not None) == (status, status == "ok"), answer.reason
        found = verdict(ASKED, LABELS, answer)
        values = score(ASKED, LABELS, answer).values
        if status == "ok":
            assert (answer.reason, found.act, found.rule) == ("", DODGE, None)
        else:
            assert answer.reason
            assert (found.act, found.rule, found.clause) == ("UNPARSEABLE", "R1", "unparseable")
            assert (values["exact"], values["safe"], values["rule_R1"], values["n"]) == (0, 0, 1, 1)
            assert lines(found)[0] == ("action", f"no plan: {status}: {answer.reason}")
    assert parse(ASKED, Reply(text), extractor="paper").status in STATUSES


def test_the_documented_table_is_this_one() -> None:
    head, *rows = re.findall(r"^\| (.+?) \| `(\w+)` \| `(\w+)` \|", DOCS.read_text(), re.MULTILINE)
    assert head == ("reply", "robust", "lenient")
    assert {name: (robust, lenient) for name, robust, lenient in rows} == {
        name: (robust, lenient) for name, (_, robust, lenient) in REPLIES.items()
    }


def test_what_was_out_of_range_is_counted_and_the_rest_kept() -> None:
    many, wild = (plan_of(parse(ASKED, Reply(REPLIES[name][0]))) for name in ("10 000 key frames", "out of range"))
    assert many is not None
    assert wild is not None
    assert len(many.keyframes) == 8
    assert many.clips == ("keyframes: 10000 given, the first 7 and the last are kept",)
    assert (wild.clips, wild.walking_cmd[0], wild.confidence) == (("walking_cmd.vx", "confidence"), -1.0, 1.0)


def test_of_two_plans_the_last_counts_but_as_published_the_first() -> None:
    text = REPLIES["two plans"][0]
    acts = [verdict(ASKED, LABELS, parse(ASKED, Reply(text), extractor=name)).act for name in EXTRACTORS]
    assert dict(zip(EXTRACTORS, acts, strict=True)) == {"paper": CATCH, "robust": DODGE, "lenient": DODGE}


@pytest.mark.parametrize("seed", range(6))
def test_damaged_replies_never_raise(seed: int) -> None:
    """Pieces of a plan cut out, doubled, swapped and overwritten at random."""
    rng = random.Random(seed)
    pieces = [
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        ",",
        ":",
        "null",
        "1e9",
        "-",
        "<think>",
        "</think>",
        "```",
        "\x00",
        "\ud800",
    ]
    for _ in range(150):
        text = TEXT
        for _ in range(rng.randint(1, 4)):
            start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            end = min(end, start + rng.randint(0, 30))
            text = text[:start] + rng.choice([*pieces, "", text[start:end] * 2]) + text[end:]
        for extractor in EXTRACTORS:
            answer = parse(ASKED, Reply(text), extractor=extractor)
            assert answer.status in STATUSES
            assert (answer.value is None) == (answer.status != "ok") == bool(answer.reason)
            assert score(ASKED, LABELS, answer).values["n"] == 1


# The cases of the area "metrics" that apply; those of counting and of grouping are in test_aggregate.


def test_met_q3_threshold_inclusive() -> None:
    """A threshold that is met is passed: numbers that are exact in binary need no tolerance."""
    case = cases("queries")["met-q3-threshold-inclusive"]
    (given, rest), radius = (case["input"]["pred"][0], case["input"]["truth"][0]), case["input"]["r"]
    asked = question(hand_reach=radius, retreat_speed=given, sidestep_speed=given, dodge_distance=radius)
    reach = plan(keyframes=[frame(0, [0.10 + given - rest, 0.15, 0.0])])
    retreat = plan(walking_cmd=[-given, 0, 0], walking_duration=radius / given)
    aside = plan(walking_cmd=[0, given, 0], walking_duration=radius / given)
    for made, act in ((reach, CATCH), (retreat, DODGE), (aside, DODGE)):
        answer = parse(asked, Reply(made.model_dump_json(exclude_none=True)))
        assert (verdict(asked, LABELS, answer).act == act) is case["expected"]["correct"]


def test_met_q3_null_rules() -> None:
    """No impact is not one at the origin: nothing is measured from it; no action is right only where none is due."""
    expected = cases("queries")["met-q3-null-rules"]["expected"]["correct"]
    nothing = truth(NONE, impact_point=None, tti=None)
    asked = question()
    pairs = [(plan(), nothing), (plan(), truth(CATCH)), (plan(**GOLDEN), nothing)]
    found = [
        score(asked, labels, parse(asked, Reply(made.model_dump_json(exclude_none=True)))) for made, labels in pairs
    ]
    assert [bool(one.values["exact"]) for one in found] == expected
    assert ["d_end" in one.values for one in found] == [False, True, False]
