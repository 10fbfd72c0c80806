"""Changes as sentences, one per atom that has a phrase and one per transition (ENACT specification, section 5.4).

Verbs come from a generator that the caller seeds per question; atoms are sorted, so that texts can be made again.
"""

import numpy as np

from jaxphys_benchmarks.enact.atoms import Change
from jaxphys_benchmarks.enact.phrases import BINARY, NO_CHANGE, UNARY, VERBS
from jaxphys_benchmarks.enact.signatures import COOKED, Transition, Words, transitions

POLARITIES = ("add", "remove")


def count(change: Change, words: Words) -> int:
    """How many sentences a change has.

    Args:
        change: filtered atoms.
        words: of a name.
    """
    spoken = sum(atom.state in UNARY for atom in change.states) + sum(atom.state in BINARY for atom in change.edges)
    return spoken + len(transitions(change, words))


def sentences(change: Change, words: Words, rng: np.random.Generator) -> tuple[str, ...]:
    """The sentences of a change, without capital letters and full stops.

    Args:
        change: filtered atoms.
        words: of a name.
        rng: draws the verbs, one for each atom.
    """
    said = []
    for polarity in POLARITIES:
        verbs = VERBS[polarity]
        told = [(words(a.name), UNARY[a.state]) for a in change.states if a.polarity == polarity and a.state in UNARY]
        told += [
            (words(atom.source), f"{BINARY[atom.state]} {words(atom.target)}")
            for atom in change.edges
            if atom.polarity == polarity and atom.state in BINARY
        ]
        said += [f"{subject} {verbs[int(rng.integers(len(verbs)))]} {rest}" for subject, rest in told]
    return (*said, *map(_transition, transitions(change, words)))


def text(change: Change, words: Words, rng: np.random.Generator) -> str:
    """The sentences of a change as one text: `NO_CHANGE` without a change, empty without a phrase for it.

    Args:
        change: filtered atoms.
        words: of a name.
        rng: draws the verbs.
    """
    if not change:
        return NO_CHANGE
    said = sentences(change, words, rng)
    return ". ".join(sentence[0].upper() + sentence[1:] for sentence in said) + "." if said else ""


def _transition(transition: Transition) -> str:
    *others, last = transition.sources
    if transition.target == COOKED:
        return f"{last} is now {COOKED}"
    if others:
        return f"{', '.join(others)}, and {last} now turn into {transition.target}"
    return f"{last} now becomes {transition.target}"
