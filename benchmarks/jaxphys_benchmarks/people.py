"""How a benchmark asks people, where it asks them for something other than models (optional; adapters know this page).

A model writes a plan as JSON; a person ticks a box. Public: `Form`, `Peopled`, `form_of`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from jaxphys_benchmarks.protocol import Benchmark, Question, Shown, Spec


@dataclass(frozen=True, eq=False)
class Form:
    """A question for people.

    Attributes:
        parts: its texts and pictures in order.
        field: of a record, which `Decided.told` reads, that holds the answer.
        choices: by what the field may say, what that means; one of them is ticked.
    """

    parts: Sequence[str | Shown]
    field: str
    choices: Mapping[str, str]


@runtime_checkable
class Peopled(Protocol):
    """A benchmark that asks people in its own way.

    Methods:
        form: of a question about a scene, or None where people are asked as models are.
        right_choice: which of the choices is right, by the labels.
    """

    def form(self, spec: Spec, question: Question) -> Form | None:
        """See the class."""
        ...

    def right_choice(self, question: Question, labels: Any) -> str:
        """See the class."""
        ...


def form_of(benchmark: Benchmark, spec: Spec, question: Question) -> Form | None:
    """What people are asked in place of a question; None where they are asked as models are."""
    return benchmark.form(spec, question) if isinstance(benchmark, Peopled) else None
