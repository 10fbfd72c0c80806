"""A toy benchmark that goes on: a ball rolls, and how fast is answered anew at every round.

The ball starts at a, moves by the last answer in every round (0 before the first), and is asked about three times;
a scene with b = 9 "falls" after the first round and is not asked about any more. What came of it is where it ended.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.explanation import Explanation
from jaxphys_benchmarks.looped import Moment
from jaxphys_benchmarks.protocol import Answer, AskOptions, Question, Score, Shown, View
from jaxphys_benchmarks.stage import Stage
from tests.adapters.query.toy import Toy, ToySpec, stage

ROUNDS = 3
FALLS = 9


class ToyLoopConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    every: float = 0.2
    latency: float | str = 0.0
    until: float = 2.0
    execution: dict[str, bool] = Field(default_factory=dict)

    @field_validator("latency")
    @classmethod
    def _late(cls, value: float | str) -> float | str:
        if isinstance(value, float) and value < 0:
            raise ValueError("latency: give a number >= 0")
        return value

    @field_validator("execution")
    @classmethod
    def _known(cls, value: dict[str, bool]) -> dict[str, bool]:
        if set(value) - {"fails"}:
            raise ValueError("execution: unknown")
        return value


class Rolling:
    def __init__(self, scenes: Sequence[tuple[ToySpec, Any]], image: bool, config: ToyLoopConfig) -> None:
        self.specs, self.image, self.config = [spec for spec, _ in scenes], image, config
        self.labels = [labels for _, labels in scenes]
        self.at, self.number = [spec.a for spec in self.specs], 0
        self.kept: list[list[dict[str, Any]]] = [[] for _ in self.specs]

    @property
    def over(self) -> bool:
        return self.number == ROUNDS

    def moments(self) -> list[Moment | None]:
        if self.over:
            return [None] * len(self.specs)
        return [
            None if self.number and spec.b == FALLS else self._moment(spec, at)
            for spec, at in zip(self.specs, self.at, strict=True)
        ]

    def _moment(self, spec: ToySpec, at: int) -> Moment:
        text = f'It is at {at}, round {self.number}: {{"n": integer}}'
        film = Shown(spec, View("film", frames=2))
        parts = ("Watch: ", film, text) if self.image else (text,)
        number = f"@{self.number}" if self.number else ""
        prompt = "".join(part for part in parts if isinstance(part, str))
        question = Question(f"{spec.id}/task1{number}", spec.id, "task1", prompt, "hash", None, False, parts)
        return Moment(spec.id, self.number, self.config.every * self.number, question)

    def picture(self, moment: Moment, view: View) -> Stage:
        spec = next(spec for spec in self.specs if spec.id == moment.scene)
        return stage(spec.model_copy(update={"a": self.at[self.specs.index(spec)]}), view.frames)

    def seen_as(self, moment: Moment) -> tuple[ToySpec, Any]:
        place = [spec.id for spec in self.specs].index(moment.scene)
        return self.specs[place], (self.at[place], 0, self.labels[place][2])

    def go_on(self, answers: Sequence[Answer | None], seconds: Sequence[float]) -> None:
        if self.config.execution.get("fails"):
            raise ValueError("the floor gave way")
        for place, (moment, answer) in enumerate(zip(self.moments(), answers, strict=True)):
            if moment is not None:
                assert answer is not None
                self.at[place] += answer.value or 0
                entry = {"number": self.number, "status": answer.status, "plan": answer.value}
                self.kept[place].append({**entry, "seconds": seconds[place]})
        self.number += 1

    def journal(self) -> list[list[dict[str, Any]]]:
        return self.kept

    def executed(self) -> list[Executed]:
        return [
            Executed(spec.id, {"end": at, "together": len(self.specs)}, None, Explanation("rolled"))
            for spec, at in zip(self.specs, self.at, strict=True)
        ]


class ToyLoop(Toy):
    name, tasks = "toyloop", ("task1",)
    loop_type, loop_version = ToyLoopConfig, "1"
    outcome_columns: Mapping[str, Any] = {"end": "int64", "together": "int64"}
    execution_type = ToyLoopConfig
    made: list[int] = []  # noqa: RUF012 -- sizes of all batches, for the tests

    def most_questions(self, **options: Any) -> int:
        return ROUNDS

    def rounds(self, scenes: Sequence[tuple[ToySpec, Any]], ask: AskOptions, **options: Any) -> Rolling:
        self.made.append(len(scenes))
        return Rolling(scenes, ask.image, ToyLoopConfig(**options))

    def loop_values(self, question: Question, labels: Any, journal: Sequence[dict[str, Any]]) -> dict[str, float]:
        return {"loop_asked": float(len(journal))}

    def embody(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    execute = decision_executed = tally = embody

    def with_outcome(self, score: Score, outcome: Any) -> Score:
        return replace(score, values={**score.values, "executed_end": float(outcome["end"])})

    def aggregate(self, scores: Sequence[Score]) -> dict[str, float]:
        more = {
            f"task1/{name}": sum(score.values[name] for score in scores) / len(scores)
            for name in ("executed_end", "loop_asked")
            if all(name in score.values for score in scores)
        }
        return {**super().aggregate(scores), **more}
