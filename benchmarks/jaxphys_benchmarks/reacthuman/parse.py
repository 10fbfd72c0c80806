"""Replies to answers: the plan in a reply (ReactHuman specification, section 10.3).

An answer's value is the normal form of the plan as plain JSON, so that it can be kept and read again by `plan_of`.
Reasoning blocks are dropped; of the complete top-level objects the last one that is a valid plan counts, and nothing
is taken from fragments, from inner objects of a reply that was cut off, or from prose. What cannot be read is no
answer, and scores as rule R1. An answer that never was a reply has no plan but a `Told` action, see `told_of`.
"""

from typing import Any

from jaxphys_benchmarks.extract import UNFINISHED, Log, extract
from jaxphys_benchmarks.protocol import Answer, Question, Reply
from jaxphys_benchmarks.reacthuman.plan import Limits, Plan, normalised
from jaxphys_benchmarks.reacthuman.recover import Act, Thresholds, recover, rules_of
from jaxphys_benchmarks.reacthuman.told import Told

READING = {
    "paper": "the first balanced {...} of a reply, if it is a valid plan (the published parser is not public)",
    "robust": "the last valid plan of a reply",
    "lenient": "the last valid plan of a reply, after unambiguous repairs",
}
"""What each extractor takes as the answer."""


def parse(question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
    """The answer in a reply; its status says why there is none.

    Args:
        question: what was asked; only `reads["limits"]` matters.
        reply: what came back, untrusted.
        extractor: "paper", "robust" or "lenient".

    Raises:
        KeyError: unknown extractor. Never because of the reply.
    """
    if reply.finish in UNFINISHED:
        status, reason = UNFINISHED[reply.finish]
        return Answer(None, status, reason, extractor)
    limits = Limits(**question.reads["limits"])

    def validate(value: Any, log: Log | None) -> dict[str, Any]:
        return normalised(value, log, limits).model_dump(mode="json")

    found = extract(reply.text, validate, mode=extractor)
    return Answer(found.value, found.status, found.reason, extractor, found.repairs)


TOLD = "told"
"""The one key of an answer's value that holds a told action instead of a plan."""


def plan_of(answer: Answer) -> Plan | None:
    """The plan of an answer; None where there is none."""
    return None if answer.value is None or TOLD in answer.value else Plan.model_validate(answer.value)


def told_of(answer: Answer) -> Told | None:
    """The action that an answer was told with in place of a plan; None where there is none."""
    return Told.model_validate(answer.value[TOLD]) if answer.value is not None and TOLD in answer.value else None


def act_of(answer: Answer, rules: Thresholds) -> Act:
    """The action of an answer: told, or recovered from its plan; UNPARSEABLE where there is neither."""
    told = told_of(answer)
    return recover(plan_of(answer), rules) if told is None else told.act


def agree(question: Question, first: Answer, second: Answer) -> bool:
    """Whether two answers amount to the same action.

    Raises:
        ValueError: an answer has no value.
    """
    if first.value is None or second.value is None:
        raise ValueError(f"{question.id}: an answer is missing, so there is nothing to compare")
    rules = rules_of(question.reads)
    return act_of(first, rules) == act_of(second, rules)
