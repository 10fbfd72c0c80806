"""The chains of changes that an answer claims, next to the true one, for analysis (ENACT specification, 7.5 and 9.1).

Unlike verdicts, both sides use C: forward the changes along the answered frames, inverse the true changes as ordered.
Orphan systems are added objects without parents, so that analysis never fails where a verdict does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxphys_benchmarks.enact.strict import is_permutation
from jaxphys_benchmarks.enact.verdict import Asked, Changes, Signatures, board, steps

Step = tuple[str, str]
"""A change: from one frame to another."""


@dataclass(frozen=True)
class Chains:
    """What an answer says and what is true, step by step; steps are pairs of frames.

    Attributes:
        true: n steps. given: n steps that the answer puts in their place.
    """

    true: tuple[Step, ...]
    given: tuple[Step, ...]

    def signatures(self, changes: Changes) -> list[tuple[Signatures, Signatures]]:
        """(true, given) sets of each step.

        Raises:
            KeyError: the episode lacks a frame.
        """
        return [
            (changes.partial_free(*true), changes.partial_free(*given))
            for true, given in zip(self.true, self.given, strict=True)
        ]


def chains(asked: Asked, order: Sequence[int]) -> Chains | None:
    """The chains of an answer of the right length; None where it names what is not there.

    Args:
        asked: the item.
        order: 1-based positions, repeats allowed.
    """
    n = len(asked.frames) - 1
    if not is_permutation(asked.truth, n) or len(order) != n or not all(_is_position(entry, n) for entry in order):
        return None
    true = steps(asked.frames)
    if asked.inverse:
        by_position = dict(zip(asked.truth, true, strict=True))
        given = [by_position[position] for position in order]
    else:
        places = board(asked.frames, asked.truth)
        given = steps([places[0], *(places[position] for position in order)])
    return Chains(tuple(true), tuple(given))


def _is_position(entry: object, n: int) -> bool:
    return type(entry) is int and 1 <= entry <= n
