"""The order that a reply gives: as the published evaluator reads it, with its repairs, and strictly without any.

ENACT specification, sections 7.1 and 8. Replies are untrusted: any value may come, time is linear in the text, nothing
is executed and nothing is raised.
"""

import re
from typing import Any

_GROUP = re.compile(r"\[[\d\s,]+\]")
_ENTRY = re.compile(r"[ \t\f\r\n]*(0+|[1-9][0-9]*)[ \t\f\r\n]*", re.ASCII)
_BLANK = re.compile(r"[ \t\f\r\n]*")
_DIGITS = re.compile(r"\d+")
MAX_DIGITS = 4299
"""Longer numbers are none: Python converts 4300 digits in one go, and a shift may add one."""


def compat(answer: Any, length: int) -> list[Any] | None:
    """The order, as the published evaluator reads it; None where it finds none.

    A list object is taken as it is. Of a text the last bracket group of digits, blanks and commas counts: its last
    `length` entries, shifted so that the smallest is 1. Without a valid group all runs of digits count, as they are.

    Args:
        answer: of the prediction file.
        length: number of entries of the true answer.
    """
    if isinstance(answer, list):
        return answer
    if not isinstance(answer, str):
        return None
    groups = _GROUP.findall(answer)
    if groups and (found := _entries(groups[-1])):
        return _from_one(found[-length:])
    runs = _DIGITS.findall(answer)
    if not runs or max(map(len, runs)) > MAX_DIGITS:
        return None
    return [int(run) for run in runs]


def strict(answer: Any) -> list[int] | None:
    """The order: a list of integers, or the last valid list of them in a text; None where there is none."""
    if isinstance(answer, list):
        return answer if answer and all(type(entry) is int for entry in answer) else None
    if not isinstance(answer, str):
        return None
    for group in reversed(_GROUP.findall(answer)):
        if found := _entries(group):
            return found
    return None


def repairs(answer: Any, length: int) -> tuple[str, ...]:
    """What `compat` repairs: "cut" to the length, "shifted" to start at 1, "digits" picked without a list."""
    if not isinstance(answer, str):
        return ()
    groups = _GROUP.findall(answer)
    found = _entries(groups[-1]) if groups else None
    if found is None:
        return ("digits",) if compat(answer, length) is not None else ()
    kept = found[-length:]
    return tuple(name for name, done in (("cut", len(found) > length), ("shifted", _from_one(kept) != kept)) if done)


def _entries(group: str) -> list[int] | None:
    """Integers of a bracket group; None if it is empty, lacks a comma or a number has leading zeros."""
    parts = group[1:-1].split(",")
    if len(parts) > 1 and _BLANK.fullmatch(parts[-1]):
        parts.pop()
    found = []
    for part in parts:
        entry = _ENTRY.fullmatch(part)
        if entry is None or len(entry[1]) > MAX_DIGITS:
            return None
        found.append(int(entry[1]))
    return found


def _from_one(order: list[int]) -> list[int]:
    """Shifted so that the smallest entry is 1."""
    shift = 1 - min(order)
    return [entry + shift for entry in order] if shift else order
