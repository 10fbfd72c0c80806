"""Words for the names of objects: `breakfast_table_xftrki_0` is "the breakfast table" (ENACT specification, 5.1).

Parts that carry no word are dropped: numbers, and model ids of six letters. Which six letters are a word is told by the
category of the object, not by a word list.
"""

import re
from collections.abc import Collection

from jaxphys_benchmarks.enact.graph import SYSTEM

OBJECT = "the object"
"""What has no name."""

MODEL_ID = 6
"""Characters of a model id."""

ROBOTS = frozenset({"robot", "agent", "player"})

_ROBOT_NUMBER = re.compile(r"r[0-9]{1,2}")
_TRAILING_DIGITS = re.compile(r"[0-9]+$")
_DIGITS = re.compile(r"[0-9]+")


def words(name: str, category: str | None, extra_keep_words: Collection[str] = ()) -> str:
    """The words of a name, starting with "the".

    A name without a word takes those of its category, and `OBJECT` without one.

    Args:
        name: as in the graph.
        category: its category; None where no frame of the episode has it.
        extra_keep_words: further words of six letters, in lower case.
    """
    kept = parts(name, category, extra_keep_words)
    if kept:
        return "the " + " ".join(kept)
    named = [part for part in (category or "").lower().split("_") if part]
    return "the " + " ".join(named) if name and named else OBJECT


def parts(name: str, category: str | None, extra_keep_words: Collection[str] = ()) -> list[str]:
    """The parts of a name that are words; empty where none is.

    Args:
        name: as in the graph.
        category: its category, or None.
        extra_keep_words: further words of six letters, in lower case.
    """
    pieces = name.lower().split("_")
    if len(pieces) == 1:
        return [_DIGITS.sub("", pieces[0]) or pieces[0]] if pieces[0] else []
    if category is None:
        keeps_all = "__" in name
        known: Collection[str] = ()
    else:
        keeps_all = category == SYSTEM
        known = category.lower().split("_")
    kept = []
    for place, piece in enumerate(pieces):
        if not piece or piece.isdigit():
            continue
        if place > 0 and _ROBOT_NUMBER.fullmatch(piece) and ROBOTS.intersection(pieces[:place]):
            kept.append(piece)
            continue
        is_word = keeps_all or piece in known or piece in extra_keep_words
        if place > 0 and len(piece) == MODEL_ID and not is_word:
            continue
        stem = _TRAILING_DIGITS.sub("", piece)
        if len(stem) >= 2 and stem.isalpha():
            kept.append(stem)
        elif len(piece) <= 3 and piece.isalpha():
            kept.append(piece)
    return kept
