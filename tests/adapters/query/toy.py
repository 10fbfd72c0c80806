"""A benchmark of two tasks and no physics: add and multiply the two numbers in a picture.

It plugs in by the registry alone, as any benchmark must; the labels of a scene are `(sum, product)`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from jaxphys_benchmarks.display import Canvas, Text
from jaxphys_benchmarks.extract import Invalid, extract
from jaxphys_benchmarks.protocol import Answer, AskOptions, Question, Reply, Score, Spec, View

UNFINISHED = {"length": "truncated", "content_filter": "refusal", "timeout": "timeout", "error": "error"}
BANDS = {"same": 0, "more": 1, "most": 2}
SECRET = "label-that-must-not-travel"


class ToySpec(Spec):
    index: int
    variant: str = ""
    a: int
    b: int

    @property
    def id(self) -> str:
        return f"g{self.index % 2}/scene_{self.index:05d}" + (f"_{self.variant}" if self.variant else "")


class ToyConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    largest: int = 9
    side_px: int = 64
    extract: str = "robust"
    attempts: int = 3


class Toy:
    name, title, spec_type, config_type = "toy", "Toy", ToySpec, ToyConfig
    views, tasks, styles = ("initial",), ("task1", "task2"), ("plain", "swapped")

    def __init__(self, **options: Any) -> None:
        self.config = ToyConfig(**options)

    @property
    def asking(self) -> dict[str, Any]:
        return {"extract": self.config.extract, "attempts": self.config.attempts, "force_numeric": False}

    def ids(self, indices: Sequence[int]) -> list[str]:
        return [f"g{index % 2}/scene_{index:05d}" for index in indices]

    def sample(self, seed: int, n: int) -> list[ToySpec]:
        top = self.config.largest
        return [ToySpec(index=i, a=(seed + 3 * i) % top + 1, b=(seed + 5 * i) % top + 1) for i in range(n)]

    def simulate(self, specs: Sequence[ToySpec]) -> tuple[None, list[tuple[int, int]]]:
        return None, [(spec.a + spec.b, spec.a * spec.b) for spec in specs]

    def label(self, specs: Sequence[ToySpec], world: None, trajectory: Any) -> list[tuple[int, int, str]]:
        return [(*pair, SECRET) for pair in trajectory]

    def statuses(self, spec: ToySpec, labels: Any) -> tuple[int, ...]:
        return (0,)

    def variants(self, spec: ToySpec) -> dict[str, ToySpec]:
        return {name: spec.model_copy(update={"variant": name, "a": spec.a + more}) for name, more in BANDS.items()}

    def picture(self, spec: ToySpec, labels: Any, view: View) -> Canvas:
        assert labels is None, "a question's picture is drawn without labels"
        side = self.config.side_px
        shown = [str(number) for number in ((spec.a, spec.b) if view.style == "plain" else (spec.b, spec.a))]
        return Canvas(side, side, "#ffffff", (Text((side / 2, side / 2), " ".join(shown), 20.0),))

    def ask(self, spec: ToySpec, options: AskOptions) -> list[Question]:
        view = options.view if options.image and not options.text_only else None
        text = f" {spec.a} {spec.b}" if options.text_only else ""
        words = {"task1": "Add", "task2": "Multiply"}
        return [
            Question(
                f"{spec.id}/{t}", spec.id, t, f'{words[t]}{text}: {{"n": integer}}', f"hash-{t}", view, t == "task1"
            )
            for t in self.tasks
        ]

    def parse(self, question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
        if reply.finish in UNFINISHED:
            return Answer(None, UNFINISHED[reply.finish], reply.finish, extractor)

        def validate(value: Any, log: Any) -> int:
            if not isinstance(value, dict) or type(value.get("n")) is not int:
                raise Invalid("no integer n")
            return int(value["n"])

        found = extract(reply.text, validate, mode=extractor)
        return Answer(found.value, found.status, found.reason, extractor, found.repairs)

    def score(self, question: Question, labels: Any, answer: Answer) -> Score:
        right = answer.value is not None and answer.value == labels[self.tasks.index(question.task)]
        group = question.scene.partition("/")[0]
        return Score(question.id, question.task, group, {"n": 1.0, "exact": float(right)}, answer.status)

    def agree(self, question: Question, first: Answer, second: Answer) -> bool:
        return bool(first.value == second.value)

    def aggregate(self, scores: Sequence[Score]) -> dict[str, float]:
        return {f"{t}/right": sum(s.values["exact"] for s in scores if s.task == t) / len(scores) for t in self.tasks}

    def baselines(self) -> Mapping[str, Any]:
        return {"oracle": lambda spec, labels, question, seed: reply_of(labels, question), "mute": lambda *_: ""}

    def published(self, spec: ToySpec, labels: Any) -> dict[str, dict[str, Any]]:
        return {"init.json": spec.model_dump(), "_final.json": {"labels": list(labels)}}

    def read(self, files: Mapping[str, Mapping[str, Any]]) -> tuple[ToySpec, Any]:
        return ToySpec(**files["init.json"]), tuple(files["_final.json"]["labels"])


def reply_of(labels: Sequence[Any], question: Question) -> str:
    return json.dumps({"n": labels[Toy.tasks.index(question.task)]})
