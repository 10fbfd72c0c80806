"""Executions as the adapters see them: see `jaxphys_benchmarks.embodied`.

Public: `ReactHumanEmbodiment`, `executed`, `told`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.protocol import Answer
from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.run import Execution
from jaxphys_benchmarks.reacthuman.execution.telling import told
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.parse import plan_of
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

__all__ = ["ReactHumanEmbodiment", "executed", "told"]


class ReactHumanEmbodiment:
    """A batch of scenes while answers are carried out; see `jaxphys_benchmarks.embodied.Embodiment`."""

    def __init__(
        self,
        scenes: Sequence[tuple[ReactHumanSpec, Labels]],
        answers: Sequence[Answer | None],
        config: ExecutionConfig,
    ) -> None:
        """Scenes at the freeze.

        Args:
            scenes: specs and labels. answers: as parsed, one each; without a plan, or None: stands still.
            config: of the execution.
        """
        plans = [None if answer is None else plan_of(answer) for answer in answers]
        self.execution = Execution([spec for spec, _ in scenes], [labels for _, labels in scenes], plans, config)

    @property
    def tick(self) -> int:
        """Ticks that are done."""
        return self.execution.tick

    @property
    def ticks(self) -> int:
        """Ticks of a whole run."""
        return self.execution.ticks

    @property
    def time(self) -> float:
        """Since the freeze (s)."""
        return self.execution.time

    def advance(self, ticks: int = 1) -> None:
        """Go on by some ticks."""
        self.execution.advance(ticks)

    def replace(self, mask: NDArray[np.bool_], values: Sequence[Any | None]) -> None:
        """Other plans from now on; values of parsed answers."""
        plans = [None if value is None else plan_of(Answer(value, "ok")) for value in values]
        self.execution.replace(mask, plans)

    def executed(self) -> list[Executed]:
        """What has come of it so far."""
        own = self.execution
        rows = zip(own.specs, own.labels, own.outcomes(), own.motions(), strict=True)
        return [told(*row) for row in rows]

    def close(self) -> None:
        """End the threads."""
        self.execution.close()


def executed(
    scenes: Sequence[tuple[ReactHumanSpec, Labels]], answers: Sequence[Answer | None], config: ExecutionConfig
) -> list[Executed]:
    """Whole runs, `config.batch` scenes at a time; arguments as of `ReactHumanEmbodiment`.

    Raises:
        ValueError: other numbers of scenes and answers.
    """
    if len(scenes) != len(answers):
        raise ValueError(f"answers: {len(answers)} for {len(scenes)} scenes; give one each")
    found: list[Executed] = []
    for at in range(0, len(scenes), config.batch):
        part = slice(at, at + config.batch)
        running = ReactHumanEmbodiment(scenes[part], answers[part], config)
        try:
            running.advance(running.ticks)
            found += running.executed()
        finally:
            running.close()
    return found
