"""Do answers about the same scene agree when it is shown differently? (specification, section 7)

Answers are those of `parse`, already brought back from the picture to the scene, so mirrored and renumbered
pictures can be compared with the plain one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.billiardphys.score import place_correct
from jaxphys_benchmarks.protocol import Answer, Question


def consistency(questions: Sequence[Question], plain: Sequence[Answer], other: Sequence[Answer]) -> dict[str, float]:
    """Share of consistent answers between the plain look and another one.

    Args:
        questions: about the plain look. plain, other: their answers in the same order.

    Returns:
        Per task: `<task>/consistent`, the share of questions answered in both looks in which all flags are equal,
        or all places within R of each other; and `<task>/compared`, the number of those questions. Tasks without
        any are left out.
    """
    agreed: dict[str, list[bool]] = {}
    for question, first, second in zip(questions, plain, other, strict=True):
        if first.value is not None and second.value is not None:
            agreed.setdefault(question.task, []).append(_agree(question, first.value, second.value))
    metrics: dict[str, float] = {}
    for task, same in agreed.items():
        metrics[f"{task}/consistent"] = sum(same) / len(same)
        metrics[f"{task}/compared"] = float(len(same))
    return metrics


def _agree(question: Question, first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    key = question.reads["key"]
    if question.reads["kind"] != "positions":
        return bool(first[key] == second[key])
    return all(
        place_correct(a["pos"], b["pos"], question.reads["R"]) for a, b in zip(first[key], second[key], strict=True)
    )
