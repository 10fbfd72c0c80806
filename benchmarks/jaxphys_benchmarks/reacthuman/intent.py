"""AIA: does the stated intent name the goal of the right action? By keywords, as published (specification, 13.3).

The word lists are ours. Words are compared by their stems. A negation takes back what follows it in the same clause
("do not catch", "no dodging or retreat needed", "instead of grabbing"), and "not needed" what comes before it. `doubts`
looks for another thing: whether an answer questions that the object is what it looks like.
"""

import re
import unicodedata
from collections.abc import Sequence

from jaxphys_benchmarks.reacthuman.recover import BRACE, CATCH, DODGE, NONE

WORDS: dict[str, tuple[str, ...]] = {
    CATCH: ("catch", "caught", "grab", "grasp", "secur", "intercept", "receiv", "stop"),
    DODGE: (
        "dodg", "step back", "step aside", "step away", "retreat", "avoid", "evad", "evas", "mov away", "shield",
        "protect", "duck",
    ),
    NONE: ("stationary", "remain", "no action", "relax", "wait"),
}  # fmt: skip
"""Stems by action; of a pair the second follows the first with at most `GAP` words between."""
GAP = 2
SCOPE, BACK = 6, 3
"""Words that a negation reaches; words before "not needed" that it takes back."""

GOALS: dict[str, str] = {CATCH: CATCH, DODGE: DODGE, BRACE: DODGE, NONE: NONE}
"""Whose words speak for an action; a brace uses those of the dodge."""

DOUBTS = (
    "fake", "foam", "prop", "props", "hollow", "replica", "imitation", "dummy", "pretend", "disguised", "mock",
    "counterfeit", "lookalike", "lighter than", "heavier than", "not real", "not what", "unlike",
)  # fmt: skip
"""Words, and pairs of words, of one who questions what an object is made of (assumed)."""

NEGATIONS = {"no", "not", "never", "without", "cannot", "nor", "neither", "dont", "wont", "cant", "isnt", "shouldnt"}
_PAIRED = {("instead", "of"), ("rather", "than")}
_ENDS = {"but", "and", "then", "so", "instead", "rather", "while"}
"""Words that end a negation's reach."""
_NEEDLESS = {"unnecessary", "needless", "unneeded"}
_NEEDED = {"needed", "necessary", "required"}

_PIECE = re.compile(r"[^\W_]+|[.,;:!?()\n\u2014\u2013]")
_APOSTROPHE = re.compile(r"['\u2019\u02bc]")


def matches(intent: str) -> set[str]:
    """The actions that an intent speaks for."""
    found = set()
    for clause in _clauses(intent):
        denied = _denied(clause)
        for action, stems in WORDS.items():
            for stem in stems:
                places = _places(clause, stem.split())
                if any(place not in denied for place in places):
                    found.add(action)
    return found


def aia(intent: str, truth: str) -> float:
    """1 if the intent speaks for the true action alone, 0.5 if also for another one, else 0.

    Args:
        intent: in the model's words, untrusted. truth: the right action.
    """
    found, goal = matches(intent), GOALS[truth]
    return 0.0 if goal not in found else 1.0 if len(found) == 1 else 0.5


def doubts(text: str) -> bool:
    """Whether a text questions that an object is what it looks like.

    Args:
        text: what a model says of the object and of its intent, untrusted.
    """
    return any(f" {words} " in f" {' '.join(clause)} " for clause in _clauses(text) for words in DOUBTS)


def _clauses(text: str) -> list[list[str]]:
    """Words in lower case, clause by clause."""
    clauses: list[list[str]] = [[]]
    for piece in _PIECE.findall(_APOSTROPHE.sub("", unicodedata.normalize("NFKC", text).casefold())):
        if piece[0].isalnum():
            clauses[-1].append(piece)
        else:
            clauses.append([])
    return [clause for clause in clauses if clause]


def _places(clause: Sequence[str], stems: Sequence[str]) -> list[int]:
    """Where a stem, or a pair of them, begins."""
    first = [k for k, word in enumerate(clause) if word.startswith(stems[0])]
    if stems[0] == "no":
        return [k for k in first if clause[k] == "no" and clause[k + 1 : k + 2] and clause[k + 1].startswith(stems[1])]
    if len(stems) == 1:
        return first
    return [k for k in first if any(word.startswith(stems[1]) for word in clause[k + 1 : k + 2 + GAP])]


def _denied(clause: Sequence[str]) -> set[int]:
    """Places of the words that a negation takes back."""
    denied: set[int] = set()
    for k, word in enumerate(clause):
        pair = tuple(clause[k : k + 2])
        if word in NEGATIONS or pair in _PAIRED:
            if pair[1:] and word == "no" and pair[1].startswith("action"):
                continue  # that is something to be said, not taken back
            if word == "not" and _NEEDED & set(clause[k + 1 : k + 3]):
                denied |= set(range(k - BACK, k))
            for place in range(k + 1, min(k + 1 + SCOPE, len(clause))):
                if clause[place] in _ENDS:
                    break
                denied.add(place)
        elif word in _NEEDLESS:
            denied |= set(range(k - BACK, k))
    return denied
