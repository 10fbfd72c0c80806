"""Verdicts that agree with the public reference evaluator, repairs, quirks and all (ENACT specification, section 7).

Agreement is held by the cases in `tests/cases/enact_cases.json`. Errors inside an answer (a position that does not
exist, a frame that is missing, an orphan system) cost all credit unless the answer is exact; an item that is itself
malformed is `Malformed`, to be skipped.
"""

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any, TypeVar

from jaxphys_benchmarks.enact.alignment import alignment
from jaxphys_benchmarks.enact.verdict import Asked, Changes, Malformed, Signatures, Verdict, board, steps

ERRORS = (LookupError, ValueError, TypeError)
"""What an answer can cause: no such position or frame, an orphan system, an entry that is no number."""

T = TypeVar("T")
Step = tuple[Signatures, Signatures, bool]
"""What must be within what, and whether the answered step is the true one."""


def judge(asked: Asked, order: Sequence[Any], changes: Changes) -> Verdict:
    """The verdict on an order as `parsing.compat` read it.

    Args:
        asked: the item.
        order: positions; a list object of a prediction file may hold anything.
        changes: of the episode.

    Raises:
        Malformed: the item cannot be judged.
    """
    if not asked.frames or not asked.truth:
        raise Malformed("gt_answer or key_frame_ids: empty")
    return (_inverse if asked.inverse else _forward)(asked, list(order), changes)


def _forward(asked: Asked, order: list[Any], changes: Changes) -> Verdict:
    """Section 7.2: C of the true chain within F of the answered chain."""
    places = board(asked.frames, asked.truth)
    exact, n = list(asked.truth) == order, len(asked.truth)
    try:
        true_steps, given_steps = steps(_along(places, asked.truth)), steps(_along(places, order))
        true = list(starmap(changes.partial, true_steps))
        given = list(starmap(changes.full, given_steps))
    except ERRORS as error:
        return _without(exact, n, error)
    if len(order) != n:
        return Verdict(False, False, alignment(true, given), 0, n, reason="length")
    same = [a == b for a, b in zip(true_steps, given_steps, strict=True)]
    return _counted(exact, n, list(zip(true, given, same, strict=True)))


def _inverse(asked: Asked, order: list[Any], changes: Changes) -> Verdict:
    """Section 7.3: C of the answered actions within F of the true chain."""
    try:
        truth = [position - 1 for position in asked.truth]
        offsets = [position - 1 for position in order]
    except TypeError:
        raise Malformed("gt_answer or answer: holds entries that are no numbers") from None
    exact, n, pairs = truth == offsets, len(truth), steps(asked.frames)
    try:
        true = list(starmap(changes.partial, pairs))
        full = list(starmap(changes.full, pairs))
        deck = _deck(truth, list(enumerate(true)))
        if len(order) == n:
            # The reference also lines up the texts of the actions, and fails where a step has none.
            _pick(_deck(truth, [None if changes.wordless(*pair) else "" for pair in pairs]), offsets, len(deck))
        picked = _pick(deck, offsets, len(deck))
    except ERRORS as error:
        return _without(exact, n, error)
    given = [signatures for _, signatures in picked]
    if len(order) != n:
        return Verdict(False, False, alignment(true, given, full), 0, n, reason="length")
    same = [step == k for k, (step, _) in enumerate(picked)]
    complete = len(given) == len(true)
    return _counted(exact, n, list(zip(given, full, same, strict=False)), complete=complete)


def _along(places: Sequence[str], order: Iterable[Any]) -> list[str]:
    """Frames in an order, after the current one; negative positions count from the end."""
    return [places[0], *(places[position] for position in order)]


def _deck(truth: Sequence[int], true: Sequence[T | None]) -> list[T]:
    """What the true steps hold, as shuffled; offsets that do not exist, and steps that hold None, leave no gap."""
    places: list[T | None] = [None] * len(true)
    for k, offset in enumerate(truth):
        if 0 <= offset < len(places):
            places[offset] = true[k]
    return [held for held in places if held is not None]


def _pick(deck: Sequence[T], offsets: Sequence[int], valid: int) -> list[T]:
    """Cards of the deck in an order, offsets outside `valid` dropped.

    Raises:
        IndexError: the deck ends before a valid offset, or before its place in the order.
    """
    for place, offset in enumerate(offsets):
        if 0 <= offset < valid and place >= len(deck):
            raise IndexError(f"entry {place + 1} is past the last of {len(deck)} actions")
    return [deck[offset] for offset in offsets if 0 <= offset < valid]


def _counted(exact: bool, n: int, compared: Sequence[Step], *, complete: bool = True) -> Verdict:
    """The verdict on chains of equal length; `complete` is whether nothing was dropped."""
    held = [(inner, outer, same) for inner, outer, same in compared if inner <= outer]
    semantic = complete and len(held) == len(compared)
    pairwise = 1.0 if exact or semantic else len(held) / n
    strict = sum(inner != outer and not same for inner, outer, same in held)
    return Verdict(exact, semantic, pairwise, len(held), n, strict, "" if complete else "dropped")


def _without(exact: bool, n: int, error: Exception) -> Verdict:
    """The verdict where the rules could not be applied."""
    return Verdict(exact, False, float(exact), n if exact else 0, n, reason=type(error).__name__)
