"""Credit for an answer of another length: the longest monotone matching of its steps with the true ones.

ENACT specification, section 7.4: the recurrence of the longest common subsequence, O(m n).
"""

from collections.abc import Sequence

from jaxphys_benchmarks.enact.verdict import Signatures


def matches(true: Sequence[Signatures], given: Sequence[Signatures], full: Sequence[Signatures] | None = None) -> int:
    """Most steps that can be matched in order.

    Args:
        true: m sets of the true chain.
        given: n sets of the answer. A true set that is a subset of a given one matches it.
        full: m larger sets of the true chain; with them (inverse items) a given set that is a subset of one also
            matches.
    """
    best = [0] * (len(given) + 1)
    for i, wanted in enumerate(true):
        row = [0]
        for j, offered in enumerate(given):
            fits = wanted <= offered or (full is not None and offered <= full[i])
            row.append(max(best[j + 1], row[j], best[j] + 1 if fits else 0))
        best = row
    return best[-1]


def alignment(
    true: Sequence[Signatures], given: Sequence[Signatures], full: Sequence[Signatures] | None = None
) -> float:
    """Matched steps over the number of steps of the longer chain, 0 to 1; 0 where a chain is empty.

    Args:
        true: m sets of the true chain.
        given: n sets of the answer.
        full: as in `matches`.
    """
    if not true or not given:
        return 0.0
    return matches(true, given, full) / max(len(true), len(given))
