"""Replies to plans: what is read, what is clipped, and what is no answer, with a reason and never an exception."""

import json
import re
import time
from typing import Any

import pytest

from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Reply
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.parse import READING, agree, parse, plan_of
from jaxphys_benchmarks.reacthuman.plan import LIMITS, Limits, Plan, normalised, schema
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE, GOLDEN, frame, plan, question, said
from tests.support import cases

jsonschema = pytest.importorskip("jsonschema", reason="pip install '.[eval]' in the checkout")

CASES = cases("queries")
TEXT = json.dumps(GOLDEN)
OTHER = json.dumps({**GOLDEN, "walking_duration": 0.1})
CUT = TEXT[: TEXT.index('"right_hand"', TEXT.index('"t": 0.4'))]
QUESTION = question()


def read(text: str, extractor: str = "robust") -> Answer:
    return parse(QUESTION, Reply(text), extractor=extractor)


def changed(**changes: Any) -> str:
    """The golden plan with some keys replaced; None takes a key away."""
    return json.dumps({name: value for name, value in {**GOLDEN, **changes}.items() if value is not ...})


def moved(number: int, **changes: Any) -> str:
    """The golden plan with one key frame changed."""
    frames = [dict(entry) for entry in GOLDEN["keyframes"]]
    frames[number] = {name: value for name, value in {**frames[number], **changes}.items() if value is not ...}
    return changed(keyframes=frames)


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_the_golden_plan_is_read_as_it_stands(extractor: str) -> None:
    answer = read(TEXT, extractor)
    assert (answer.status, answer.reason, answer.repairs, answer.extractor) == ("ok", "", (), extractor)
    found = plan_of(answer)
    assert found is not None
    assert found.walking_cmd == (-0.7, 0.0, 0.0)
    assert (found.walking_duration, found.confidence, found.clips) == (0.7, 0.88, ())
    assert [(knot.t, knot.knee_bend) for knot in found.keyframes] == [(0, 0), (0.4, 0.25), (1.0, 0.2)]
    assert found.keyframes[1].right_hand == (0.5, -0.12, -0.25)


def test_an_answer_survives_json() -> None:
    answer = read(TEXT)
    kept = Answer(json.loads(json.dumps(answer.value, allow_nan=False)), "ok")
    assert plan_of(kept) == plan_of(answer)
    assert plan_of(Answer(None, "invalid")) is None


def test_every_extractor_is_explained() -> None:
    assert set(READING) == set(EXTRACTORS)
    with pytest.raises(KeyError):
        read(TEXT, "eager")


# The stored cases, with a plan in place of their answer.

SAME: dict[str, str] = {
    "json-code-fence": f"```json\n{TEXT}\n```",
    "json-backticks-in-string": changed(intent="step back ```now``` and { wait"),
    "json-braces-in-prose": f"The candidate set is {{1, 3}}. My answer: {TEXT}",
    "json-think-draft": f"<think>first guess {OTHER}</think>\n{TEXT}",
    "json-trailing-commas": TEXT.replace('"walking_duration": 0.7,', '"walking_duration": 0.7, ').replace("]}", ",],}"),
    "json-two-objects": f"{OTHER}\nCorrection:\n{TEXT}",
}
STATUS: dict[str, tuple[str, str, str]] = {
    "json-code-fence": ("ok", "ok", "ok"),
    "json-backticks-in-string": ("ok", "ok", "ok"),
    "json-braces-in-prose": ("invalid", "ok", "ok"),
    "json-think-draft": ("ok", "ok", "ok"),
    "json-trailing-commas": ("invalid", "invalid", "ok"),
    "json-two-objects": ("ok", "ok", "ok"),
    "json-truncated-balanced-inner": ("truncated",) * 3,
    "json-think-unclosed": ("no_answer",) * 3,
    "json-bool-and-words": ("invalid",) * 3,
    "json-q3-duplicate-id": ("invalid",) * 3,
    "json-q3-all-null": ("invalid",) * 3,
    "json-q3-string-numbers": ("invalid", "invalid", "ok"),
    "json-q3-out-of-range": ("ok", "ok", "ok"),
}
REPLIES: dict[str, str] = {
    **SAME,
    "json-truncated-balanced-inner": CUT,
    "json-think-unclosed": f"<think>the pan falls and {TEXT}",
    "json-bool-and-words": moved(1, t=True),
    "json-q3-duplicate-id": moved(2, t=0.4),
    "json-q3-all-null": changed(walking_cmd=None, keyframes=None),
    "json-q3-string-numbers": re.sub(r"\[0.5, 0.12, -0.25\]", '["0.5", "0.12", "-0.25"]', TEXT),
    "json-q3-out-of-range": moved(1, left_hand=[2.4, 0.12, -0.25]),
}


@pytest.mark.parametrize("case", [name for name in CASES if name.startswith("json-")])
def test_stored_case(case: str) -> None:
    """The verdict on a plan is that of the case: refused, cut off or unfinished where it says so, else the plan."""
    answers = [read(REPLIES[case], extractor) for extractor in EXTRACTORS]
    assert tuple(answer.status for answer in answers) == STATUS[case]
    expected = CASES[case]["expected"]
    if expected.get("status") in ("truncated", "no_answer"):
        assert answers[1].status == expected["status"]
    assert all(answer.reason for answer in answers if answer.value is None)
    if case in SAME:
        assert answers[2].value is not None
        assert answers[2].value["walking_duration"] == 0.7
    # As published, the first object counts; a correction that follows it is not read.
    if case == "json-two-objects":
        durations = [answer.value["walking_duration"] for answer in answers if answer.value]
        assert durations == [0.1, 0.7, 0.7]
    if case == "json-q3-out-of-range":
        assert answers[1].value is not None
        assert answers[1].value["clips"] == ["keyframes[1].left_hand"]


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("", "no_json", "empty"),
        ("Step back!", "no_json", "no JSON"),
        ("I'm sorry, I can't help with that.", "refusal", "refusal"),
        (CUT, "truncated", "never closes"),
        (f"<think>{TEXT}", "no_answer", "never ends"),
        (f"Text {{1, 2}} {CUT}", "truncated", "never closes"),
        ("[1, 2]", "no_json", "no JSON"),
        (changed(walking_cmd=...), "invalid", "walking_cmd"),
        (changed(keyframes=...), "invalid", "keyframes"),
        (changed(keyframes=[]), "invalid", "at least one"),
        (changed(keyframes={"t": 0}), "invalid", "keyframes is not a list"),
        (changed(keyframes=["a", 1]), "invalid", r"keyframes\[0\] is not an object"),
        (changed(walking_cmd=[1, 2]), "invalid", "three numbers"),
        (changed(walking_cmd="back"), "invalid", "three numbers"),
        (changed(walking_cmd=[0, 0, [1]]), "invalid", r"walking_cmd\[2\] is a list"),
        (changed(walking_duration="long"), "invalid", "walking_duration is str 'long'"),
        (changed(confidence="high"), "invalid", "confidence"),
        (changed(intent=["run"]), "invalid", "intent"),
        (moved(1, left_hand=...), "invalid", r"keyframes\[1\] has no key 'left_hand'"),
        (moved(1, t=...), "invalid", r"keyframes\[1\] has no key 't'"),
        (moved(2, t=0.4), "invalid", "times must rise"),
        (moved(2, t=0.2), "invalid", "times must rise"),
        (moved(1, left_hand=["ahead", 0, 0]), "invalid", r"keyframes\[1\].left_hand\[0\] is str 'ahead', not a number"),
        (moved(1, t=True), "invalid", "bool True, not a number"),
        (TEXT.replace("0.88", "NaN"), "invalid", "NaN"),
        (TEXT.replace("0.7,", "Infinity,", 1), "invalid", "Infinity"),
        (TEXT.replace("0.7,", "1e999,", 1), "invalid", "too large"),
        (TEXT.replace("-0.7", "1" + "0" * 400, 1), "invalid", "not finite"),
        (TEXT.replace("-0.7", "1" * 5000, 1), "invalid", "not JSON"),
        (TEXT[:-1] + ', "walking_cmd": [0, 0, 0]}', "invalid", "duplicate key"),
        ('{"plan": ' + TEXT + "}", "invalid", "no key 'walking_cmd'"),
        ("[" * 5000 + "]" * 5000, "no_json", "no JSON"),
        ('{"keyframes": ' + "[" * 5000 + "]" * 5000 + "}", "invalid", "nested deeper"),
        (f'{TEXT} and then {{"keyframes": [', "truncated", "never closes"),
    ],
)
def test_what_is_no_plan_has_a_status_and_a_reason(text: str, status: str, reason: str) -> None:
    answer = read(text)
    assert (answer.value, answer.status) == (None, status)
    assert re.search(reason, answer.reason)


@pytest.mark.parametrize(("finish", "status"), [("length", "truncated"), ("content_filter", "refusal"),
                                                ("timeout", "timeout"), ("error", "error")])  # fmt: skip
def test_a_reply_that_did_not_finish_is_no_answer_whatever_it_says(finish: str, status: str) -> None:
    assert parse(QUESTION, Reply(TEXT, finish)).status == status


def test_the_last_valid_plan_counts_and_what_follows_it_may_be_anything_complete() -> None:
    answer = read(f'{OTHER} {TEXT} {{"note": "done"}} {{1, 2}}')
    assert answer.value == read(TEXT).value


def test_ten_thousand_key_frames_keep_the_first_seven_and_the_last() -> None:
    frames = [frame(k * 2e-4, [0.1 + k * 1e-5, 0.15, 0.0]) for k in range(10_000)]
    started = time.perf_counter()
    answer = read(changed(keyframes=frames))
    assert time.perf_counter() - started < 30
    found = plan_of(answer)
    assert found is not None
    assert [knot.t for knot in found.keyframes] == pytest.approx([0, 2e-4, 4e-4, 6e-4, 8e-4, 1e-3, 1.2e-3, 1.9998])
    assert found.clips == ("keyframes: 10000 given, the first 7 and the last are kept",)
    frames[5000]["t"] = 0
    assert "keyframes[5000].t" in read(changed(keyframes=frames)).reason


def test_what_is_out_of_range_is_clipped_and_named() -> None:
    wild = changed(
        walking_cmd=[-3, 0.7, 9],
        walking_duration=-1,
        confidence=88,
        catch_duration=-2,
        keyframes=[frame(-1.0, [0, -4, 0]), frame(2.0, [0, 0, 1.5], knee_bend=7), frame(9.0)],
    )
    found = plan_of(read(wild))
    assert found is not None
    assert found.walking_cmd == (-1.0, 0.6, 1.5)
    assert (found.walking_duration, found.confidence, found.catch_duration) == (0.0, 1.0, 0.0)
    assert [knot.t for knot in found.keyframes] == [0.0, 2.0, 3.0]
    assert found.keyframes[0].left_hand == (0.0, -1.0, 0.0)
    assert (found.keyframes[1].left_hand, found.keyframes[1].knee_bend) == ((0.0, 0.0, 1.0), 1.0)
    assert set(found.clips) == {
        "walking_cmd.vx", "walking_cmd.vy", "walking_cmd.yaw", "walking_duration", "confidence", "catch_duration",
        "keyframes[0].t", "keyframes[0].left_hand", "keyframes[1].left_hand", "keyframes[1].knee_bend",
        "keyframes[2].t",
    }  # fmt: skip


def test_values_at_the_limits_are_not_clipped() -> None:
    edge = plan(
        walking_cmd=[-1.0, 0.6, -1.5], walking_duration=3.0, keyframes=[frame(0), frame(3.0, [1, -1, 1], knee_bend=1)]
    )
    assert edge.clips == ()


def test_of_times_that_clipping_makes_equal_the_last_is_kept() -> None:
    late = plan(keyframes=[frame(1.0), frame(4.0, [0.2, 0, 0]), frame(5.0, [0.3, 0, 0])])
    assert [(knot.t, knot.left_hand[0]) for knot in late.keyframes] == [(1.0, 0.1), (3.0, 0.3)]
    early = plan(keyframes=[frame(-2.0, [0.5, 0, 0]), frame(-1.0, [0.6, 0, 0]), frame(1.0)])
    assert [(knot.t, knot.left_hand[0]) for knot in early.keyframes] == [(0.0, 0.6), (1.0, 0.1)]


@pytest.mark.parametrize("missing", [..., None])
def test_what_is_optional_may_be_missing_or_null(missing: Any) -> None:
    keys = ("object_identified", "intent", "confidence", "walking_duration", "catch_duration")
    frames = [{**frame(0.2), "knee_bend": None}, frame(1.25)]
    found = plan_of(read(changed(keyframes=frames, **dict.fromkeys(keys, missing))))
    assert found is not None
    assert (found.object_identified, found.intent, found.confidence, found.catch_duration) == ("", "", None, None)
    assert found.walking_duration == 1.25
    assert [knot.knee_bend for knot in found.keyframes] == [0.0, 0.0]


def test_a_missing_walking_duration_is_that_of_the_clipped_key_frames() -> None:
    assert plan(walking_duration=None, keyframes=[frame(0.5), frame(7.0)]).walking_duration == 3.0


def test_lenient_repairs_numbers_in_quotes_and_drops_what_does_not_matter() -> None:
    text = changed(confidence="high", walking_cmd=["-0.7", " 0 ", "0"], intent=3, walking_duration="0.7")
    assert read(text).status == "invalid"
    answer = read(text, "lenient")
    found = plan_of(answer)
    assert found is not None
    assert (found.walking_cmd, found.confidence, found.intent) == ((-0.7, 0, 0), None, "")
    assert set(answer.repairs) == {
        "read numbers in quotes", "dropped confidence, which is no number", "dropped intent, which is no text",
    }  # fmt: skip
    for fake in ("NaN", "inf", "1_0", "0x1", "½", "", "1e999"):
        assert read(changed(walking_cmd=[fake, 0, 0]), "lenient").status == "invalid"


def test_texts_are_kept_short_and_can_be_written() -> None:
    found = plan_of(read(changed(intent="a" * 10_000 + "\ud800", object_identified="\ud800")))
    assert found is not None
    assert len(found.intent) == 2000
    assert found.object_identified.encode("utf-8") == b"?"


def test_other_limits_come_with_the_question() -> None:
    asked = question(max_vx=0.5, max_keyframes=2, max_hand=0.4)
    found = plan_of(said(asked, GOLDEN))
    assert found is not None
    assert found.walking_cmd[0] == -0.5
    assert [knot.t for knot in found.keyframes] == [0.0, 1.0]
    assert found.keyframes[1].left_hand == (0.4, 0.12, -0.2)


def test_limits_are_those_of_the_configuration() -> None:
    config = ReactHumanConfig()
    assert Limits(**{name: getattr(config, name) for name in Limits.model_fields}) == LIMITS


@pytest.mark.parametrize(
    "wild", [GOLDEN, {**GOLDEN, "walking_cmd": [5, 5, 5], "walking_duration": 77, "confidence": 3}]
)
def test_the_normal_form_obeys_the_schema(wild: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    normal = normalised(wild).model_dump(mode="json", exclude_none=True)
    jsonschema.validate(normal, schema())
    assert normalised({name: value for name, value in normal.items() if name != "clips"}).clips == ()


def test_a_plan_is_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        plan().intent = "other"
    with pytest.raises(ValueError, match="keyframes"):
        Plan(walking_cmd=(0, 0, 0), walking_duration=0, keyframes=())


def test_answers_agree_by_action() -> None:
    catch, dodge, golden = said(QUESTION, ACTS[CATCH]), said(QUESTION, ACTS[DODGE]), said(QUESTION, GOLDEN)
    assert agree(QUESTION, dodge, golden)
    assert not agree(QUESTION, catch, golden)
    with pytest.raises(ValueError, match="nothing to compare"):
        agree(QUESTION, catch, Answer(None, "invalid"))
