"""Replies to answers: which option was chosen (InPhyRe specification, section 6).

An answer's value is a letter of the plain order, whatever the order in which the question showed the options. What
counts as a choice is decided by `jaxphys_benchmarks.choices`; what cannot be read is no answer.
"""

from jaxphys_benchmarks.choices import read
from jaxphys_benchmarks.extract import UNFINISHED
from jaxphys_benchmarks.protocol import Answer, Question, Reply


def parse(question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
    """The answer in a reply; its status says why there is none.

    Args:
        question: what was asked; only `reads["options"]` and `reads["back"]` matter.
        reply: what came back, untrusted.
        extractor: "paper", "robust" or "lenient".

    Raises:
        KeyError: unknown extractor. Never because of the reply.
    """
    if reply.finish in UNFINISHED:
        status, reason = UNFINISHED[reply.finish]
        return Answer(None, status, reason, extractor)
    found = read(reply.text, question.reads["options"], mode=extractor)
    value = None if found.letter is None else question.reads["back"][found.letter]
    return Answer(value, found.status, found.reason, extractor, found.repairs)


def agree(question: Question, first: Answer, second: Answer) -> bool:
    """Whether two answers mean the same: their letters are of the plain order, which all styles share.

    Raises:
        ValueError: an answer has no value.
    """
    if first.value is None or second.value is None:
        raise ValueError(f"{question.id}: an answer is missing, so there is nothing to compare")
    return bool(question.reads["meanings"][first.value] == question.reads["meanings"][second.value])
