"""What a benchmark may tell people besides about their choices; both are optional, and no command relies on them.

Public: `Cautioned`, `Grouped`, the advice `cautions` and `uneven`, and `whole`.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from jaxphys_benchmarks.protocol import Benchmark, Question


@runtime_checkable
class Cautioned(Protocol):
    """A benchmark that knows when questions are poor ones.

    Methods:
        cautions: sentences about questions, each with the labels of its scene; none if all is well.
    """

    def cautions(self, asked: Sequence[tuple[Question, Any]]) -> Sequence[str]:
        """See the class."""
        ...


@runtime_checkable
class Grouped(Protocol):
    """A benchmark whose scenes belong together, such as one story at several speeds.

    Attributes:
        together: how many scenes of a group that follow each other belong together.
    """

    @property
    def together(self) -> int:
        """See the class."""
        ...


def cautions(benchmark: Benchmark, asked: Sequence[tuple[Question, Any]]) -> tuple[str, ...]:
    """What the benchmark says about these questions; nothing if it never does."""
    return tuple(benchmark.cautions(asked)) if isinstance(benchmark, Cautioned) else ()


def whole(benchmark: Benchmark, groups: int, scenes: int) -> int:
    """The least number of scenes, `scenes` or more, of which every group has as many, and that end no set halfway.

    Args:
        benchmark: without sets of scenes, any number is whole. groups: how many it has. scenes: in all, at least 1.
    """
    if not isinstance(benchmark, Grouped) or benchmark.together == 1:
        return scenes
    step = groups * benchmark.together
    return -(-scenes // step) * step


def uneven(benchmark: Benchmark, groups: int, scenes: int) -> str | None:
    """A hint where a number of scenes ends sets halfway; None where all are whole. Arguments as of `whole`."""
    better = whole(benchmark, groups, scenes)
    if better == scenes or not isinstance(benchmark, Grouped):
        return None
    return (
        f"hint: of {benchmark.name} {benchmark.together} scenes belong together in each of {groups} groups, and"
        f" {scenes} scenes leave some of these sets incomplete; {better} do not"
    )
