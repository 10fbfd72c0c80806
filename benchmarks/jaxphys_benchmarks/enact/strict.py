"""Verdicts without repairs: an answer must be a permutation (ENACT specification, section 8).

Step rules are those of the paper: forward, C of a true step within F of the answered one; inverse, C of the answered
action within F of the true step. An orphan system is an added object without parents.
"""

from collections.abc import Sequence

from jaxphys_benchmarks.enact.verdict import Asked, Changes, Malformed, Verdict, board, steps

UNPARSEABLE = "unparseable"
NOT_A_PERMUTATION = "not_a_permutation"
MISSING_FRAME = "missing_frame"


def judge(asked: Asked, order: Sequence[int] | None, changes: Changes) -> Verdict:
    """The verdict on an order as `parsing.strict` read it; None and what is no permutation of 1 ... n are wrong.

    Args:
        asked: the item.
        order: positions, or None where the answer holds no list.
        changes: of the episode.

    Raises:
        Malformed: the item's own answer is no permutation.
    """
    n = len(asked.frames) - 1
    if n < 1 or not is_permutation(asked.truth, n):
        raise Malformed(f"gt_answer: {list(asked.truth)!r:.80} is no permutation of 1 to {max(n, 0)}")
    if order is None:
        return _wrong(n, UNPARSEABLE)
    if not is_permutation(order, n):
        return _wrong(n, NOT_A_PERMUTATION)
    exact = tuple(order) == asked.truth
    true_steps = steps(asked.frames)
    if asked.inverse:
        by_position = dict(zip(asked.truth, true_steps, strict=True))
        given_steps = [by_position[position] for position in order]
        inner_steps, outer_steps = given_steps, true_steps
    else:
        places = board(asked.frames, asked.truth)
        given_steps = steps([places[0], *(places[position] for position in order)])
        inner_steps, outer_steps = true_steps, given_steps
    try:
        inner = [changes.partial_free(i, j) for i, j in inner_steps]
        outer = [changes.full_free(i, j) for i, j in outer_steps]
    except KeyError:
        return Verdict(exact, False, float(exact), n if exact else 0, n, reason=MISSING_FRAME)
    held = [a <= b for a, b in zip(inner, outer, strict=True)]
    # An exact answer holds in every step, also where a system's parents differ between C and F.
    hits = n if exact else sum(held)
    strict_hits = sum(
        holds and a != b and given != true
        for holds, a, b, given, true in zip(held, inner, outer, given_steps, true_steps, strict=True)
    )
    return Verdict(exact, all(held), hits / n, hits, n, strict_hits)


def is_permutation(order: Sequence[int], n: int) -> bool:
    """Whether these are the integers 1 ... n, each once."""
    return len(order) == n and all(type(entry) is int for entry in order) and sorted(order) == list(range(1, n + 1))


def _wrong(n: int, reason: str) -> Verdict:
    return Verdict(False, False, 0.0, 0, n, reason=reason)
