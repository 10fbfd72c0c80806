"""Embodied benchmarks: answers that a robot carries out in the scene that they are about.

An answer to such a benchmark is a plan of motion. Its score says what the plan is worth on paper; a benchmark that is
`Embodied` also lets a robot carry it out in simulation, and tells what came of it: an outcome record, the motion for
films, and the same in words. It may need an extra, and then raises ImportError naming it. All of it is pure: no files,
no clocks, no network.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from jaxphys_benchmarks.explanation import Explanation
from jaxphys_benchmarks.protocol import Answer, Score, Spec, View
from jaxphys_benchmarks.replay import FPS, Replay
from jaxphys_benchmarks.stage import Stage

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Motion:
    """What moved while an answer was carried out; f frames.

    Attributes:
        times: (f,) s from the moment at which the answer begins.
        robot: (f, q) joint state of the robot, in the order of its model.
        pos: (f, n, 3) m and quat: (f, n, 4) of the bodies of the scene, in their order.
        palms: (f, 2, 3) left and right palm of the robot (m).
    """

    times: Floats
    robot: Floats
    pos: Floats
    quat: Floats
    palms: Floats


@dataclass(frozen=True, eq=False)
class Executed:
    """What came of one answer.

    Attributes:
        scene: id of the scene.
        outcome: ready for JSON; its keys are those of `Embodied.outcome_columns`.
        motion: what moved, or None where it was not kept.
        told: the outcome for people.
    """

    scene: str
    outcome: Mapping[str, Any]
    motion: Motion | None
    told: Explanation


@runtime_checkable
class Embodiment(Protocol):
    """A batch of scenes while answers are carried out in them.

    Attributes:
        tick: ticks of the controller that are done. ticks: of a whole run. time: since the answers began (s).

    Methods:
        advance: go on by some ticks.
        replace: put values of other parsed answers in the place of those carried out, from now on; only those of masked
            scenes are read, and None stands still.
        executed: what has come of it so far, one per scene.
    """

    tick: int
    ticks: int

    @property
    def time(self) -> float:
        """See the class."""
        ...

    def advance(self, ticks: int = 1) -> None:
        """See the class."""
        ...

    def replace(self, mask: NDArray[np.bool_], values: Sequence[Any | None]) -> None:
        """See the class."""
        ...

    def executed(self) -> Sequence[Executed]:
        """See the class."""
        ...


@runtime_checkable
class Embodied(Protocol):
    """What a benchmark offers besides, if a robot can carry its answers out.

    Attributes:
        outcome_columns: types of the values of an outcome, as `Benchmark.columns`.
        execution_type: frozen model of the options of an execution.

    Methods:
        embody: scenes with their labels and answers, about to be carried out; an answer without a value, or None,
            stands still. ValueError names a bad option; ImportError the missing extra.
        execute: whole runs, in batches, in the order of the scenes.
        with_outcome: a score with the numbers of an outcome, whose names begin with `executed_`.
        decision_executed: a decision record with what its outcome says.
        tally: outcomes by group and as a whole: counts by name, for a table.
    """

    outcome_columns: Mapping[str, Any]
    execution_type: type[BaseModel]

    def embody(
        self, scenes: Sequence[tuple[Spec, Any]], answers: Sequence[Answer | None], **options: Any
    ) -> Embodiment:
        """See the class."""
        ...

    def execute(
        self, scenes: Sequence[tuple[Spec, Any]], answers: Sequence[Answer | None], **options: Any
    ) -> Sequence[Executed]:
        """See the class."""
        ...

    def with_outcome(self, score: Score, outcome: Mapping[str, Any]) -> Score:
        """See the class."""
        ...

    def decision_executed(self, record: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any]:
        """See the class."""
        ...

    def tally(self, outcomes: Sequence[tuple[Spec, Any, Mapping[str, Any]]]) -> Mapping[str, Mapping[str, float]]:
        """See the class."""
        ...


@runtime_checkable
class Filmed(Protocol):
    """What an embodied benchmark offers besides, if what was carried out can be watched.

    Attributes:
        unhurried: options of the benchmark under which a robot has time to act, for demonstrations.

    Methods:
        executed_picture: a film of a motion, whose frames are spread evenly over it, or its last frame; `view.kind` is
            one of the benchmark's films or views.
        executed_replay: the whole motion; `told` is put before the facts of the scene.
    """

    unhurried: Mapping[str, Any]

    def executed_picture(self, spec: Spec, labels: Any, motion: Motion, view: View) -> Stage:
        """See the class."""
        ...

    def executed_replay(
        self, spec: Spec, labels: Any, motion: Motion, told: Mapping[str, str], *, fps: float = FPS
    ) -> Replay:
        """See the class."""
        ...
