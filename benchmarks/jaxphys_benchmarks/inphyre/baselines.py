"""Built-in answerers that need no model (InPhyRe specification, section 7.3).

They answer in text, as a model would, and go through the same parser. Only `oracle` and its other name `law_oracle`,
who knows every law, use the labels. `text_copier` sees nothing but the answers that are told with the exemplars, and
says that it cannot where there are none: that is no answer, and wrong. `regular_physics` runs the sample under the true
law and remembers what it computed; `prepare` runs many samples in one batch. Answers depend on the sample and the
seed, never on the order.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from jaxphys_benchmarks.inphyre import counterfactual, lower, measure
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.scenarios import UNDETERMINED
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import Question

REMEMBERED = 50_000
"""Samples that `regular_physics` remembers before it starts afresh."""

CHUNK = 1024
"""Samples simulated in one batch, to bound memory."""

InPhyReAnswerer = Callable[[InPhyReSpec, Labels, Question, int], str]


def baselines(letter: str = "A") -> dict[str, InPhyReAnswerer]:
    """All baselines by name.

    Args:
        letter: what `fixed_letter` always says.

    Raises:
        ValueError: not one of the letters of the options.
    """
    if letter not in list(LETTERS):
        raise ValueError(f"letter: {letter!r} is no option; give one of {', '.join(LETTERS)}")
    return {
        "oracle": oracle,
        "law_oracle": oracle,
        "regular_physics": RegularPhysics(),
        "random": random,
        "fixed_letter": FixedLetter(letter),
        "text_copier": text_copier,
        "undetermined": undetermined,
    }


def write(question: Question, meaning: str) -> str:
    """Reply text that chooses the option with a meaning; that nothing can be chosen, if there is none."""
    back, meanings = question.reads["back"], question.reads["meanings"]
    for letter in LETTERS:
        if meanings[back[letter]] == meaning:
            return f"Answer: {letter}"
    return "None of the options fits."


def oracle(spec: InPhyReSpec, labels: Labels, question: Question, seed: int) -> str:
    """The labels."""
    return write(question, labels.meaning)


def undetermined(spec: InPhyReSpec, labels: Labels, question: Question, seed: int) -> str:
    """That it cannot be determined, always."""
    return write(question, UNDETERMINED)


def random(spec: InPhyReSpec, labels: Labels, question: Question, seed: int) -> str:
    """Any letter."""
    key = f"random/{seed}/{spec.seed}/{spec.id}/{spec.attempt}"
    rng = np.random.default_rng(list(hashlib.sha256(key.encode()).digest()))
    return f"Answer: {LETTERS[int(rng.integers(len(LETTERS)))]}"


def text_copier(spec: InPhyReSpec, labels: Labels, question: Question, seed: int) -> str:
    """What most answers of the exemplars mean, of several the first to come up."""
    told = question.reads["exemplar_meanings"]
    if not told:
        return "No answer is told that could be copied."
    return write(question, Counter(told).most_common(1)[0][0])


@dataclass(frozen=True)
class FixedLetter:
    """Always the same letter, as shown."""

    letter: str

    def __call__(self, spec: InPhyReSpec, labels: Labels, question: Question, seed: int) -> str:
        """Reply text."""
        return f"Answer: {self.letter}"


@dataclass(frozen=True)
class RegularPhysics:
    """What happens to the sample under the true law, by simulation: real mechanics, real looks."""

    known: dict[str, str] = field(default_factory=dict, repr=False)

    def __call__(self, spec: InPhyReSpec, labels: Labels, question: Question, seed: int) -> str:
        """Reply text."""
        key = spec.model_dump_json()
        if key not in self.known:
            self.prepare([spec], seed)
        return write(question, self.known[key])

    def prepare(self, specs: Sequence[InPhyReSpec], seed: int) -> None:
        """Run the samples in one batch and remember what happens to A; "" where nothing can be told."""
        if len(self.known) > REMEMBERED:
            self.known.clear()
        new = {key: spec for spec in specs if (key := spec.model_dump_json()) not in self.known}
        waiting = iter(new.items())
        while chunk := list(islice(waiting, CHUNK)):
            real = [counterfactual.under_true_law(spec) for _, spec in chunk]
            found = measure.label(real, lower.simulate(real)[1])
            self.known.update({key: labels.meaning for (key, _), labels in zip(chunk, found, strict=True)})
