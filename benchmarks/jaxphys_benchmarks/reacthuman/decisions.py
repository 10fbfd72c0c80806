"""Decision records: what an answer amounts to, in the published keys and ours (specification, section 10.4).

`decision` writes one. `told` reads one back, or what a person answered, as an answer without a plan; the action counts,
and everything that follows from it is judged anew. `known_as` are the names by which records call a scene.
"""

from collections.abc import Mapping
from typing import Any

from jaxphys_benchmarks.extract import Invalid
from jaxphys_benchmarks.protocol import Answer, Question
from jaxphys_benchmarks.reacthuman import told as tell
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.parse import TOLD
from jaxphys_benchmarks.reacthuman.verdict import Verdict, verdict

SCHEMA = "jaxphys.reacthuman.decision/1"

UNREAD = ("no_json", "invalid", "truncated", "no_answer", "refusal", "timeout", "error", "unanswered")
"""Statuses of an answer without a value, which a record may tell as `parse_status`."""

JUDGED = ("viol", "rule")
"""Keys of a record that follow from its action and the truth; a file whose own differ was judged otherwise."""


def decision(question: Question, labels: Labels, answer: Answer, *, model: str = "") -> dict[str, Any]:
    """The decision record of an answer, ready for JSON; distances to 1e-4 m.

    Args:
        question: as asked. labels: ground truth of the scene. answer: as parsed, or as told. model: key of the model.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
    """
    reads, found = question.reads, verdict(question, labels, answer)
    short = found.gaps.get("falls_short")
    return {
        "fam": reads["family"],
        "sid": reads["sid"],
        "m": model,
        "act": found.act,
        "viol": found.rule is not None,
        "rule": found.rule,
        "dend": _gap(found, "d_end"),
        "schema": SCHEMA,
        "scene": question.scene,
        "gt": labels.correct_action,
        "gt_released": labels.correct_action_released,
        "label_set": reads["label_set"],
        "band": reads["band"],
        "group_id": reads["group_id"],
        "saa": int(found.exact),
        "safe": int(found.rule is None),
        "aia": found.aia,
        "d_min": _gap(found, "d_min"),
        "d_close": _gap(found, "d_close"),
        "d_at_impact": _gap(found, "d_at_impact"),
        "falls_short": None if short is None else bool(short),
        "dend_walked": _gap(found, "d_end_walked"),
        "dend_executed": None,
        "tti_s": labels.tti,
        "clause": found.clause,
        "intent": intent_of(found, answer),
        "parse_status": answer.status,
        "clips": list(found.clips),
        "prompt_hash": question.prompt_hash,
        "config_hash": reads["config_hash"],
    }


def told(question: Question, record: Mapping[str, Any]) -> Answer:
    """The answer in a record that holds an action and no plan.

    Args:
        question: that it answers. record: of a decision file, or of a person; untrusted, see `told.read`.

    Raises:
        ValueError: names the field at fault.
    """
    try:
        found = tell.read(record)
    except Invalid as error:
        raise ValueError(str(error)) from None
    if found is not None:
        return Answer({TOLD: found.model_dump(mode="json")}, "ok")
    status = record.get("parse_status")
    status = status if isinstance(status, str) and status in UNREAD else "invalid"
    return Answer(None, status, "the record says that there was no plan")


def known_as(question: Question) -> tuple[str, ...]:
    """The published name of the question's scene, and our own."""
    return (question.reads["sid"], question.scene)


def _gap(found: Verdict, name: str) -> float | None:
    return round(found.gaps[name], 4) if name in found.gaps else None


def intent_of(found: Verdict, answer: Answer) -> str | None:
    """What the answer says that it wants to do, so that a record can be judged again."""
    if found.plan is not None:
        return found.plan.intent
    said: str | None = answer.value[TOLD]["intent"] if answer.value is not None else None
    return said
