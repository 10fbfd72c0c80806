"""Changes in words: transitions, and the set of strings by which changes are compared (ENACT specification, 5.2).

Instances of one kind have the same words, and so become identical; this is meant by the benchmark.
"""

from collections.abc import Callable
from dataclasses import dataclass

from jaxphys_benchmarks.enact.atoms import Change
from jaxphys_benchmarks.enact.phrases import BINARY, UNARY

Words = Callable[[str], str]
"""The words of a name."""

COOKED = "cooked"


@dataclass(frozen=True, slots=True)
class Transition:
    """An object that came from others, all in words.

    Attributes:
        sources: words of what it came from, sorted.
        target: its words, or `cooked` where something became a cooked system.
    """

    sources: tuple[str, ...]
    target: str


def transitions(change: Change, words: Words) -> tuple[Transition, ...]:
    """The transitions of a change, in the order of the added names; added objects with equal words count once.

    Args:
        change: filtered atoms.
        words: of a name.
    """
    gone = {words(thing.name) for thing in change.objects if thing.polarity == "remove"}
    found: dict[str, Transition] = {}
    for thing in change.objects:
        if thing.polarity == "remove" or not thing.parents:
            continue
        target = words(thing.name)
        sources = tuple(sorted(gone.intersection(map(words, thing.parents))))
        if sources:
            transition = Transition(sources, target)
        elif COOKED in target:
            transition = Transition((target.replace(f"{COOKED} ", ""),), COOKED)
        elif len(thing.parents) == 1:
            transition = Transition((words(thing.parents[0]),), target)
        else:
            continue
        found.setdefault(target, transition)
    return tuple(found.values())


def signature(change: Change, words: Words) -> frozenset[str]:
    """The strings of a change; empty without a change or without a phrase for it.

    Args:
        change: filtered atoms.
        words: of a name.
    """
    return frozenset(
        [
            *(f"node_{atom.polarity}_{words(atom.name)}_{atom.state}" for atom in change.states if atom.state in UNARY),
            *(
                f"edge_{atom.polarity}_{words(atom.source)}_{words(atom.target)}_{atom.state}"
                for atom in change.edges
                if atom.state in BINARY
            ),
            *(
                f"node_transition_from_{'_'.join(one.sources)}_to_{one.target}"
                for one in (transitions(change, words) if change.objects else ())
            ),
        ]
    )
