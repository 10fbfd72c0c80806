"""Do two answers say the same about a scene? (BilliardPhys-Bench specification, sections 5.4 and 7)

Answers are those of `parse`, already brought back from the picture to the scene, so mirrored and renumbered
pictures can be compared with the plain one.
"""

from jaxphys_benchmarks.billiardphys.score import place_correct
from jaxphys_benchmarks.protocol import Answer, Question


def agree(question: Question, first: Answer, second: Answer) -> bool:
    """Whether all flags are equal, or all places within R of each other.

    Args:
        question: what was asked; only `reads` matters.
        first, second: answers with a value.
    """
    if first.value is None or second.value is None:
        raise ValueError(f"{question.id}: an answer is missing, so there is nothing to compare")
    key = question.reads["key"]
    mine, other = first.value[key], second.value[key]
    if question.reads["kind"] != "positions":
        return bool(mine == other)
    return all(place_correct(a["pos"], b["pos"], question.reads["R"]) for a, b in zip(mine, other, strict=True))
