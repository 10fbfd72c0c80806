"""`Looping`: what makes a benchmark one that is answered in a closed loop (`jaxphys_benchmarks.looped.Looped`)."""

from collections.abc import Sequence
from typing import Any

from jaxphys_benchmarks.protocol import AskOptions, Question
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop.config import LoopConfig
from jaxphys_benchmarks.reacthuman.loop.question import TEMPLATE_VERSION
from jaxphys_benchmarks.reacthuman.loop.rounds import ReactHumanRounds, loop_values
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec


class Looping:
    """Adds closed loops to a benchmark.

    Attributes:
        config: of the benchmark. loop_type: options of a loop. loop_version: of the wording of its questions.
    """

    config: ReactHumanConfig
    loop_type = LoopConfig
    loop_version = TEMPLATE_VERSION

    def most_questions(self, **options: Any) -> int:
        """About one scene, at most."""
        return len(LoopConfig(**options).schedule)

    def rounds(
        self, scenes: Sequence[tuple[ReactHumanSpec, Labels]], ask: AskOptions, **options: Any
    ) -> ReactHumanRounds:
        """Scenes about to be asked for the first time."""
        return ReactHumanRounds(scenes, ask, self.config, LoopConfig(**options))

    def loop_values(self, question: Question, labels: Labels, journal: Sequence[dict[str, Any]]) -> dict[str, float]:
        """What a journal adds to the values of a score."""
        return loop_values(question, labels, journal)
