"""Closed loops: what a benchmark offers besides, if its scenes go on while an answerer is asked again and again.

A benchmark that is `Looped` lets a batch of scenes run in `Rounds`: it says whom to ask what, takes what was answered,
and goes on to the next time at which somebody is to be asked. How models are asked, and in which order their replies
come, is the caller's affair; scenes of a batch wait for each other at every round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel

from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.protocol import Answer, AskOptions, Benchmark, Picture, Question, Spec, View

MEASURED = "measured"
"""A latency that is the time which each answer took."""


@dataclass(frozen=True, eq=False)
class Moment:
    """What is asked about one scene at one time.

    Attributes:
        scene: its id.
        number: how often the scene was asked about before.
        time: since the first question could be asked (s).
        question: its id is that of the scene's question at number 0, and ends in `@<number>` later. It is scored as
            the scene's question is.
    """

    scene: str
    number: int
    time: float
    question: Question


class Rounds(Protocol):
    """A batch of scenes under way.

    Attributes:
        over: nobody will be asked any more, and the scenes have run to their ends.

    Methods:
        moments: by scene, what to ask now; None where a scene is not asked about. Until it is over, one is not None.
        picture: what a `Shown` of a moment's question shows, given by its view.
        seen_as: a scene and its labels as they are at a moment, for a baseline, which answers from them as it does to
            the scene's own question.
        go_on: take the answers, one by scene, None where nothing was asked, and run until somebody is to be asked
            again. An answer without a value leaves what the robot does as it is. `seconds`: how long each took, which
            counts where latency is measured.
        journal: by scene, what was asked and taken, ready for JSON.
        executed: what has come of each scene so far.
    """

    @property
    def over(self) -> bool:
        """See the class."""
        ...

    def moments(self) -> Sequence[Moment | None]:
        """See the class."""
        ...

    def picture(self, moment: Moment, view: View) -> Picture:
        """See the class."""
        ...

    def seen_as(self, moment: Moment) -> tuple[Spec, Any]:
        """See the class."""
        ...

    def go_on(self, answers: Sequence[Answer | None], seconds: Sequence[float]) -> None:
        """See the class."""
        ...

    def journal(self) -> Sequence[Sequence[dict[str, Any]]]:
        """See the class."""
        ...

    def executed(self) -> Sequence[Executed]:
        """See the class."""
        ...


@runtime_checkable
class Looped(Protocol):
    """A benchmark whose scenes can be answered in a closed loop.

    Attributes:
        loop_type: frozen model of the options of a loop; among them `every` (s), `latency` (s, or "measured") and
            `until` (s).
        loop_version: of the wording of its questions.

    Methods:
        rounds: a batch of scenes with their labels, about to be asked for the first time. `options` are fields of
            `loop_type`; an unknown or bad one is a ValueError. ImportError names an extra that is missing.
        most_questions: about one scene, with these options.
        loop_values: what a journal adds to the values of the score of the scene's own question.
    """

    loop_type: type[BaseModel]
    loop_version: str

    def most_questions(self, **options: Any) -> int:
        """See the class."""
        ...

    def rounds(self, scenes: Sequence[tuple[Spec, Any]], ask: AskOptions, **options: Any) -> Rounds:
        """See the class."""
        ...

    def loop_values(self, question: Question, labels: Any, journal: Sequence[dict[str, Any]]) -> dict[str, float]:
        """See the class."""
        ...


def looped_of(benchmark: Benchmark) -> Looped:
    """The benchmark as one that can be answered in a closed loop.

    Raises:
        ValueError: it cannot.
    """
    if not isinstance(benchmark, Looped):
        raise ValueError(f"mode: {benchmark.name} has nothing that carries answers out; give open_loop")
    return benchmark
