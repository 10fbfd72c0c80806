"""How actions are told: as sentences, symbols or emoji, and with noise (ENACT specification, section 9.2).

The published study compares three encodings, and replaces some predicates at random; neither its symbols nor its noise
are published, so both are ours. Frames, ids and verdicts do not depend on the wording: it changes texts only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from jaxphys_benchmarks.enact import sentences
from jaxphys_benchmarks.enact.atoms import Change, EdgeAtom, NodeAtom
from jaxphys_benchmarks.enact.phrases import BINARY, UNARY
from jaxphys_benchmarks.enact.signatures import Words, transitions

Encoding = Literal["natural", "symbolic", "emoji"]

NOISE_UNARY = ("Cooked", "Open", "ToggledOn")
NOISE_BINARY = ("Contains", "Covered", "Inside", "LeftGrasping", "OnTop", "RightGrasping", "Under")
"""Predicates that noise puts in the place of others: classes of the benchmark, by arity."""

EMOJI: dict[str, str] = {
    "Open": "🔓", "ToggledOn": "💡", "Cooked": "🍳", "Burnt": "♨️", "Folded": "🗂️", "Unfolded": "📖", "Frozen": "🧊",
    "Heated": "🌡️", "OnFire": "🔥", "HeatSourceOrSink": "🔆", "InFOVofRobot": "👁️", "OnTop": "🔝", "Inside": "📥",
    "Under": "⬇️", "Contains": "🥣", "Covered": "🧴", "AttachedTo": "📎", "Draped": "🧣", "Filled": "🚰", "NextTo": "↔️",
    "Overlaid": "📄", "Saturated": "💧", "Touching": "👉", "Grasping": "✊", "LeftGrasping": "🤛",
    "RightGrasping": "🤜",
}  # fmt: skip
"""One sign for each of the 26 states."""

LEGENDS: dict[Encoding, str] = {
    "natural": "",
    "symbolic": (
        "An action is a list of facts: +Predicate(object, object) is a fact that begins to hold, "
        "-Predicate(object, object) one that ceases to hold, and Becomes(old, new) an object that turns into another."
    ),
    "emoji": (
        "An action is a list of facts: ➕ marks a fact that begins to hold, ➖ one that ceases to hold, and ➡️ an "
        "object that turns into another. The sign after an object tells its state or its relation to the next one: "
        + ", ".join(f"{sign} {name}" for name, sign in EMOJI.items())
        + "."
    ),
}
"""What a question must say so that its actions can be read; empty for sentences."""


@dataclass(frozen=True)
class Wording:
    """How actions are told.

    Attributes:
        encoding: sentences, symbols or emoji.
        noise_rate: share of the predicates that are replaced by others of the same arity.
        noise_seed: of the noise.
    """

    encoding: Encoding = "natural"
    noise_rate: float = 0.0
    noise_seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        if self.encoding not in ENCODERS:
            raise ValueError(f"encoding: {self.encoding!r} is none of {', '.join(ENCODERS)}")
        if not 0 <= self.noise_rate <= 1:
            raise ValueError(f"noise_rate: {self.noise_rate} is not from 0 to 1")

    def tell(self, change: Change, words: Words, verbs: np.random.Generator, noise: np.random.Generator) -> str:
        """The text of an action.

        Args:
            change: what happens.
            words: of a name.
            verbs: draws the verbs of sentences.
            noise: draws what is replaced.
        """
        return ENCODERS[self.encoding](noisy(change, self.noise_rate, noise), words, verbs)


def noisy(change: Change, rate: float, rng: np.random.Generator) -> Change:
    """A change some of whose predicates are replaced; objects that come and go are kept.

    Args:
        change: filtered atoms.
        rate: probability that a predicate is replaced by another of the same arity.
        rng: two draws for each atom, whatever they decide.
    """

    def other(state: str, choices: Sequence[str]) -> str:
        hit, pick = rng.random() < rate, rng.random()
        left = [choice for choice in choices if choice != state]
        return left[int(pick * len(left))] if hit else state

    states = tuple(replace(atom, state=other(atom.state, NOISE_UNARY)) for atom in change.states)
    edges = tuple(replace(atom, state=other(atom.state, NOISE_BINARY)) for atom in change.edges)
    return Change(states, edges, change.objects)


def symbolic(change: Change, words: Words, verbs: np.random.Generator) -> str:
    """Facts as `+OnTop(cup, table); -Open(fridge); Becomes(onion, half onion)`.

    Args:
        change: filtered atoms. words: of a name. verbs: not used.
    """
    told = [f"{_sign(atom, '+', '-')}{atom.state}({_bare(words(atom.name))})" for atom in _states(change)]
    told += [
        f"{_sign(atom, '+', '-')}{atom.state}({_bare(words(atom.source))}, {_bare(words(atom.target))})"
        for atom in _edges(change)
    ]
    told += [
        f"Becomes({' + '.join(map(_bare, one.sources))}, {_bare(one.target)})" for one in transitions(change, words)
    ]
    return "; ".join(told)


def emoji(change: Change, words: Words, verbs: np.random.Generator) -> str:
    """Facts as `➕ cup 🔝 table; ➖ fridge 🔓; onion ➡️ half onion`.

    Args:
        change: filtered atoms. words: of a name. verbs: not used.
    """
    told = [f"{_sign(atom, '➕', '➖')} {_bare(words(atom.name))} {EMOJI[atom.state]}" for atom in _states(change)]
    told += [
        f"{_sign(atom, '➕', '➖')} {_bare(words(atom.source))} {EMOJI[atom.state]} {_bare(words(atom.target))}"
        for atom in _edges(change)
    ]
    told += [f"{' + '.join(map(_bare, one.sources))} ➡️ {_bare(one.target)}" for one in transitions(change, words)]
    return "; ".join(told)


ENCODERS: dict[Encoding, Callable[[Change, Words, np.random.Generator], str]] = {
    "natural": sentences.text,
    "symbolic": symbolic,
    "emoji": emoji,
}


def _states(change: Change) -> list[NodeAtom]:
    return [atom for atom in change.states if atom.state in UNARY]


def _edges(change: Change) -> list[EdgeAtom]:
    return [atom for atom in change.edges if atom.state in BINARY]


def _sign(atom: NodeAtom | EdgeAtom, begins: str, ends: str) -> str:
    return begins if atom.polarity == "add" else ends


def _bare(words: str) -> str:
    return words.removeprefix("the ")
