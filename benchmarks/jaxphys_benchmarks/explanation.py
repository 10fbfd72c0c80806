"""Explanations: what a benchmark tells people about the truth of a scene and about how an answer to it was judged.

A report page can show any benchmark by its pictures, prompts and replies. One that is `Explained` says more: the truth
of each scene in words and as a drawing, why an answer is right or wrong, and by what its metrics are to be broken down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.protocol import Answer, Question, Spec


@dataclass(frozen=True)
class Explanation:
    """Something told to people.

    Attributes:
        title: the outcome in a few words.
        lines: (heading, sentence), in the order in which they are to be read.
        drawing: the same as a picture, or None.
    """

    title: str
    lines: tuple[tuple[str, str], ...] = ()
    drawing: Canvas | None = None


@dataclass(frozen=True)
class Breakdown:
    """A table of metrics, models by one side and strata by the other.

    Attributes:
        title: what is measured, and by what it is broken down.
        columns: full name of the metric, as in `Benchmark.aggregate`, by the name of its stratum; those that no model
            has are left out.
    """

    title: str
    columns: Mapping[str, str]


@runtime_checkable
class Explained(Protocol):
    """What a benchmark offers besides, if it can explain itself.

    Methods:
        truth: the truth of a scene; labels carry no status word.
        explain: how an answer was judged, whatever its status is.
        breakdowns: tables of metrics, the main one first.
    """

    def truth(self, spec: Spec, labels: Any) -> Explanation:
        """See the class."""
        ...

    def explain(self, spec: Spec, question: Question, labels: Any, answer: Answer) -> Explanation:
        """See the class."""
        ...

    @property
    def breakdowns(self) -> Sequence[Breakdown]:
        """See the class."""
        ...
