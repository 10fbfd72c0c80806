"""What an evaluator says of one answer, and what it must know of the episode (ENACT specification, sections 7 and 8).

An evaluator sees an item as `Asked`: the frames in true order and the true answer. Positions in answers are 1-based, as
models are told to give them; a list that came as an object may hold anything. Of the episode it sees `Changes`: sets of
signature strings between any two frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

Signatures = frozenset[str]


class Changes(Protocol):
    """Visible changes between any two frames of an episode, by frame id, in any order.

    Methods:
        partial: C(i, j), what is seen in both frames (specification, section 4.2). full: F(i, j), seen in either.
        partial_free, full_free: the same, an orphan system being an added object without parents.
        wordless: whether C(i, j) is a change for which there are no words (section 5.4).

    Raises:
        KeyError: no such frame. OrphanSystem, a ValueError: only `partial`, `full` and `wordless`.
    """

    def partial(self, i: str, j: str) -> Signatures:
        """C(i, j)."""

    def full(self, i: str, j: str) -> Signatures:
        """F(i, j)."""

    def partial_free(self, i: str, j: str) -> Signatures:
        """C(i, j), orphans allowed."""

    def full_free(self, i: str, j: str) -> Signatures:
        """F(i, j), orphans allowed."""

    def wordless(self, i: str, j: str) -> bool:
        """Whether a change has no words."""


@dataclass(frozen=True)
class Asked:
    """An item as an evaluator sees it.

    Attributes:
        inverse: the actions are ordered, else the frames.
        frames: ids of the L key frames in true order.
        truth: 1-based positions in the shuffled list, in true order; n = L - 1 of them unless the item is malformed.
    """

    inverse: bool
    frames: tuple[str, ...]
    truth: tuple[int, ...]


@dataclass(frozen=True)
class Verdict:
    """What became of one answer.

    Attributes:
        exact: the answer is the true one. semantic: every step may be read as the true one.
        pairwise: credit for steps, 0 to 1; 1 where the answer is accepted.
        hits: steps that hold. steps: n; `pairwise` is their ratio where lengths are equal.
        strict_hits: of the hits, steps that hold only as a proper subset, the answered step not being the true one.
        reason: why there is no credit; empty where the rules were applied to all steps.
    """

    exact: bool
    semantic: bool
    pairwise: float
    hits: int
    steps: int
    strict_hits: int = 0
    reason: str = ""

    @property
    def accepted(self) -> bool:
        """Task accuracy of the item (specification, section 7.2)."""
        return self.exact or self.semantic

    @property
    def subset_only(self) -> bool:
        """Accepted, but in some step only as a proper subset."""
        return self.accepted and not self.exact and self.strict_hits > 0

    def metrics(self) -> dict[str, Any]:
        """The four metrics by the names of the published output files (section 7.5)."""
        return {
            "exact_match": self.exact,
            "semantic_match": self.semantic,
            "task_accuracy": self.accepted,
            "pairwise_accuracy": self.pairwise,
        }


class Malformed(ValueError):
    """The item itself is broken, so that nothing can be said of its answer; the text says how."""


def steps(frames: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of neighbours."""
    return list(pairwise(frames))


def board(frames: Sequence[str], truth: Sequence[int]) -> tuple[str, ...]:
    """Frames by position: the current frame at 0, then the shuffled ones (section 7.2).

    Args:
        frames: ids in true order.
        truth: 1-based positions of all frames but the first; entries beyond the last frame are not looked at.

    Raises:
        Malformed: a position does not exist, or none was given to a frame.
    """
    places: list[str | None] = [frames[0], *[None] * (len(frames) - 1)]
    for frame, position in zip(frames[1:], truth, strict=False):
        try:
            places[position] = frame
        except (IndexError, TypeError):
            raise Malformed(f"gt_answer: {position!r} is no position among {len(frames) - 1} frames") from None
    filled = [place for place in places if place is not None]
    if len(filled) < len(places):
        raise Malformed(f"gt_answer: position {places.index(None)} belongs to no frame")
    return tuple(filled)
