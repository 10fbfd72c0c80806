"""Decision records: written and read back, from files of others and from people; never read out of a model's reply."""

import json
from typing import Any

import pytest

from jaxphys_benchmarks.protocol import Answer, Decided
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.decisions import decision, known_as, told
from jaxphys_benchmarks.reacthuman.parse import agree, plan_of
from jaxphys_benchmarks.reacthuman.score import score
from jaxphys_benchmarks.reacthuman.verdict import lines, verdict
from tests.benchmarks.reacthuman.asked_scenes import (
    ACTS,
    BRACE,
    CATCH,
    DODGE,
    GOLDEN,
    NONE,
    question,
    said,
    spec,
    truth,
)

ASKED = question()
WORDS = {"catch": CATCH, " Grab ": CATCH, "step-back": DODGE, "TRIGGER_DODGE": DODGE, "Trigger Dodge": DODGE,
         "none": NONE, "no_action": NONE, "NO_ACTION": NONE, "brace for impact": BRACE, "freeze": NONE}  # fmt: skip


def test_the_benchmark_offers_decisions() -> None:
    assert isinstance(ReactHuman(), Decided)
    assert known_as(ASKED) == (spec().published_id(), spec().id)


@pytest.mark.parametrize("reply", [GOLDEN, *ACTS.values(), "no idea"], ids=str)
def test_a_record_read_back_is_judged_the_same(reply: Any) -> None:
    labels = truth(DODGE, safety_label="dangerous")
    record = json.loads(json.dumps(decision(ASKED, labels, said(ASKED, reply), model="m")))
    again = decision(ASKED, labels, told(ASKED, record), model="m")
    motion = {"clause", "clips", "d_min", "d_close", "d_at_impact", "falls_short", "dend_walked"}
    assert {name for name in record if record[name] != again[name]} <= motion
    assert again["dend"] == record["dend"]
    assert again["aia"] == record["aia"]
    assert again["parse_status"] == record["parse_status"]


@pytest.mark.parametrize(("word", "act"), WORDS.items())
@pytest.mark.parametrize("key", ["act", "action"])
def test_people_name_actions_as_they_like(word: str, act: str, key: str) -> None:
    found = told(ASKED, {key: word})
    assert (found.status, plan_of(found)) == ("ok", None)
    assert verdict(ASKED, truth(), found).act == act


def test_a_told_action_has_what_was_told_and_no_more() -> None:
    values = score(ASKED, truth(CATCH), told(ASKED, {"action": "catch"})).values
    assert (values["n"], values["answered"], values["exact"], values["safe"]) == (1, 1, 1, 1)
    unknown = {"aia", "clipped", "d_end", "falls_short", "ttc_error", "rpr", "moved_hand_reach_less"}
    assert not unknown & set(values)
    assert dict(lines(verdict(ASKED, truth(), told(ASKED, {"act": "dodge"}))))["action"].startswith(
        "dodge: the action was told"
    )


def test_a_told_intent_and_place_count() -> None:
    row = {"action": "catch", "intent": "catch the mug", "forward": "0.45", "left": "0", "up": "0.21"}
    values = score(ASKED, truth(CATCH), told(ASKED, row)).values
    assert values["aia"] == 1.0
    # The impact is at (0.45, 0, 0.11) from the pelvis.
    assert values["d_end"] == pytest.approx(0.1)
    assert values["falls_short"] == 0
    short = score(ASKED, truth(CATCH), told(ASKED, {**row, "forward": 0.3})).values
    assert short["d_end"] == pytest.approx((0.15**2 + 0.1**2) ** 0.5)
    assert short["falls_short"] == 1
    assert "d_end" not in score(ASKED, truth(NONE, impact_point=None, tti=None), told(ASKED, row)).values


def test_a_told_intent_is_explained() -> None:
    said_so = dict(lines(verdict(ASKED, truth(CATCH), told(ASKED, {"act": CATCH, "intent": "catch it, or step back"}))))
    assert said_so["intent"] == "speaks for catch, dodge: 0.5"
    for record in ({"act": CATCH}, {"act": "UNPARSEABLE"}):
        assert "intent" not in dict(lines(verdict(ASKED, truth(CATCH), told(ASKED, record))))


def test_published_distances_are_kept() -> None:
    values = score(ASKED, truth(CATCH), told(ASKED, {"act": CATCH, "dend": 0.67, "dend_walked": "0.9"})).values
    assert (values["d_end"], values["d_end_walked"]) == (0.67, 0.9)


@pytest.mark.parametrize("safety", ["safe", "caution", "dangerous"])
@pytest.mark.parametrize("right", [CATCH, DODGE, NONE])
@pytest.mark.parametrize("act", [CATCH, DODGE, NONE])
def test_a_told_action_is_judged_as_one_that_was_recovered(act: str, right: str, safety: str) -> None:
    labels = truth(right, safety_label=safety)
    plain, record = (verdict(ASKED, labels, answer) for answer in (said(ASKED, ACTS[act]), told(ASKED, {"act": act})))
    assert (plain.act, plain.exact, plain.rule) == (record.act, record.exact, record.rule)


@pytest.mark.parametrize(
    ("record", "status"),
    [({"act": "UNPARSEABLE"}, "invalid"), ({"act": "UNPARSEABLE", "parse_status": "refusal"}, "refusal"),
     ({"act": "unparseable", "parse_status": ["ok"]}, "invalid"),
     ({"act": "UNPARSEABLE", "parse_status": "timeout"}, "timeout")],
)  # fmt: skip
def test_what_could_not_be_read_stays_so(record: dict[str, Any], status: str) -> None:
    found = told(ASKED, record)
    assert (found.value, found.status) == (None, status)
    values = score(ASKED, truth(), found).values
    assert values["rule_R1"] == 1
    assert values["n"] == (status != "timeout")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({}, "neither 'act' nor 'action'"),
        ({"act": ""}, "neither 'act' nor 'action'"),
        ({"act": "jump"}, "act: 'jump' is no action; give one of catch, dodge, brace, none"),
        ({"action": 7}, "action: int instead of a text"),
        ({"act": "catch", "forward": 0.3}, "forward, left, up: give all three, or none"),
        ({"act": "catch", "forward": "far", "left": 0, "up": 0}, "forward: 'far' is no number"),
        ({"act": "catch", "dend": "nan"}, "dend: 'nan' is no number"),
        ({"act": "catch", "dend": float("inf")}, "dend: 'inf' is no number"),
        ({"act": "catch", "dend": "1_0"}, "dend: '1_0' is no number"),
        ({"act": "catch", "dend": "\u0663"}, "dend: '\u0663' is no number"),
        ({"act": "catch", "dend": True}, "dend: 'True' is no number"),
        ({"act": "catch", "dend": 10**400}, "dend: '1000.*' is no number"),
        ({"act": "catch", "dend": [1]}, r"dend: '\[1\]' is no number"),
        ({"act": "catch", "dend": -0.1}, "d_end: -0.1; a distance is not negative"),
        ({"act": "catch", "intent": 3}, "intent: int instead of a text"),
    ],
)
def test_a_bad_record_is_named(record: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        told(ASKED, record)


def test_no_reply_can_tell_its_action() -> None:
    """The action is recovered from the motion, never the model's word."""
    for reply in ({"act": DODGE}, {"told": {"act": DODGE}}, {"action": "dodge", "parse_status": "ok"}):
        answer = said(ASKED, reply, "lenient")
        assert (answer.value, answer.status) == (None, "invalid")
    tricky = said(ASKED, {**ACTS[CATCH], "told": {"act": DODGE}})
    assert verdict(ASKED, truth(), tricky).act == CATCH


def test_a_told_action_agrees_with_a_plan_that_amounts_to_it() -> None:
    assert agree(ASKED, told(ASKED, {"act": "dodge"}), said(ASKED, GOLDEN))
    assert not agree(ASKED, told(ASKED, {"act": "none"}), said(ASKED, GOLDEN))
    with pytest.raises(ValueError, match="nothing to compare"):
        agree(ASKED, told(ASKED, {"act": "none"}), Answer(None, "invalid"))


def test_a_brace_is_a_dodge_unless_scoring_is_strict() -> None:
    labels = truth(DODGE, correct_action_released=BRACE, safety_label="dangerous")
    strict = question(label_set="released", brace_scoring="strict")
    assert verdict(ASKED, labels, told(ASKED, {"act": BRACE})).exact
    assert verdict(question(brace_scoring="strict"), labels, told(ASKED, {"act": BRACE})).exact
    assert verdict(strict, labels, told(strict, {"act": BRACE})).exact
    assert not verdict(strict, labels, told(strict, {"act": DODGE})).exact
