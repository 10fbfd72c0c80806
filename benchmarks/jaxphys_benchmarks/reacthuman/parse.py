"""Replies to answers: the plan in a reply (ReactHuman specification, section 10.3).

An answer's value is the normal form of the plan as plain JSON, so that it can be kept and read again by `plan_of`.
Reasoning blocks are dropped; of the complete top-level objects the last one that is a valid plan counts, and nothing
is taken from fragments, from inner objects of a reply that was cut off, or from prose. What cannot be read is no
answer, and scores as rule R1.
"""

from typing import Any

from jaxphys_benchmarks.extract import UNFINISHED, Log, extract
from jaxphys_benchmarks.protocol import Answer, Question, Reply
from jaxphys_benchmarks.reacthuman.plan import Limits, Plan, normalised
from jaxphys_benchmarks.reacthuman.recover import recover, rules_of

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


def plan_of(answer: Answer) -> Plan | None:
    """The plan of an answer; None where there is none."""
    return None if answer.value is None else Plan.model_validate(answer.value)


def agree(question: Question, first: Answer, second: Answer) -> bool:
    """Whether two plans amount to the same action.

    Raises:
        ValueError: an answer has no value.
    """
    plans = [plan_of(answer) for answer in (first, second)]
    if None in plans:
        raise ValueError(f"{question.id}: an answer is missing, so there is nothing to compare")
    one, other = (recover(plan, rules_of(question.reads)) for plan in plans)
    return one == other
