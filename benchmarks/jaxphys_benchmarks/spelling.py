"""Which known name was meant by one that is not known.

Public: `nearest`, `choose`.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

ALIKE = 0.6
"""Least likeness, as `difflib` measures it: 1 is the same name."""
PART = 0.9
"""What the likeness to a word of a name counts, so that of two names the one that is meant as a whole comes first."""


def nearest(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """The known names most like a name, or with a word most like it, the most likely one first."""
    graded = sorted((-_likeness(name, one), len(one), one) for one in known)
    return [one for grade, _, one in graded[:most] if -grade >= ALIKE]


def choose(name: str, known: Sequence[str]) -> str:
    """The end of a sentence about a name that is not known: which one was meant, and which there are."""
    near = nearest(name, known)
    return f"did you mean {near[0]}? There are {', '.join(known)}" if near else f"choose one of {', '.join(known)}"


def _likeness(name: str, known: str) -> float:
    whole = SequenceMatcher(None, known, name).ratio()
    return max(whole, *(PART * SequenceMatcher(None, word, name).ratio() for word in known.split("_")))
