"""How far several readings of the same replies agree, item by item (BilliardPhys-Bench specification, section 8.3).

An item is one entry of a list where an answer's value is a mapping of lists, as published; any other value is one item.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any


def disagreement(values: Mapping[str, Sequence[Any]]) -> dict[str, int]:
    """In how many items each two extractors differ.

    Args:
        values: by extractor, `Answer.value` of the same replies in the same order; None where there is no answer.

    Returns:
        Number of items by "<extractor>/<extractor>". Where only one of the two has an answer, all its items differ.

    Raises:
        ValueError: the extractors have read different numbers of replies.
    """
    return {
        f"{first}/{second}": sum(_differing(a, b) for a, b in zip(values[first], values[second], strict=True))
        for first, second in combinations(values, 2)
    }


def _differing(first: Any, second: Any) -> int:
    mine, other = _lists(first), _lists(second)
    total = 0
    for key in {*mine, *other}:
        a, b = mine.get(key, ()), other.get(key, ())
        total += abs(len(a) - len(b)) + sum(x != y for x, y in zip(a, b, strict=False))
    return total


def _lists(value: Any) -> Mapping[str, Sequence[Any]]:
    """The items of a value, by key."""
    if value is None:
        return {}
    entries = value if isinstance(value, Mapping) else {"": value}
    return {key: entry if isinstance(entry, list | tuple) else [entry] for key, entry in entries.items()}
