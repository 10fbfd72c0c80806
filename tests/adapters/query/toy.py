"""A benchmark of two tasks and no physics: add and multiply the two numbers in a picture.

It plugs in by the registry alone, as any benchmark must; the labels of a scene are `(sum, product)`. With `shots` the
question comes after films of other scenes, each with its answer.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from jaxphys_adapters import layout
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.display import Canvas, Text
from jaxphys_benchmarks.extract import Invalid, extract
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, AskOptions, Question, Reply, Run, Score, Shown, Spec, View
from jaxphys_benchmarks.stage import Camera, Look, Solid, Stage

UNFINISHED = {"length": "truncated", "content_filter": "refusal", "timeout": "timeout", "error": "error"}
BANDS = {"same": 0, "more": 1, "most": 2}
SECRET = "label-that-must-not-travel"


class ToySpec(Spec):
    index: int
    variant: str = ""
    pool: bool = False
    a: int
    b: int

    @property
    def id(self) -> str:
        kind = "exemplar" if self.pool else "scene"
        return f"g{self.index % 2}/{kind}_{self.index:05d}" + (f"_{self.variant}" if self.variant else "")


class ToyConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    largest: int = 9
    side_px: int = 64
    extract: str = "robust"
    attempts: int = 3
    shots: int = 0
    feature: str | None = None
    thrifty: bool = True
    names: tuple[str, ...] = ()


class Toy:
    name, title, spec_type, config_type = "toy", "Toy", ToySpec, ToyConfig
    views, tasks, styles = ("initial",), ("task1", "task2"), ("plain", "swapped")
    reading = dict.fromkeys(EXTRACTORS, "a number")
    films: Mapping[str, int] = {"film": 12}

    def __init__(self, **options: Any) -> None:
        self.config = ToyConfig(**options)

    @property
    def asking(self) -> dict[str, Any]:
        return {
            "extract": self.config.extract,
            "attempts": self.config.attempts,
            "force_numeric": False,
            "feature": self.config.feature,
        }

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

    def pool(self) -> list[ToySpec]:
        return [ToySpec(index=i, pool=True, a=i + 1, b=9 - i) for i in range(6)]

    def picture(self, spec: ToySpec, labels: Any, view: View) -> Canvas | Stage:
        assert labels is None, "a question's picture is drawn without labels"
        if view.kind == "film":
            return stage(spec, view.frames)
        side = self.config.side_px
        shown = [str(number) for number in ((spec.a, spec.b) if view.style == "plain" else (spec.b, spec.a))]
        return Canvas(side, side, "#ffffff", (Text((side / 2, side / 2), " ".join(shown), 20.0),))

    def ask(self, spec: ToySpec, options: AskOptions) -> list[Question]:
        view = options.view if options.image and not options.text_only else None
        text = f" {spec.a} {spec.b}" if options.text_only else ""
        words = {"task1": "Add", "task2": "Multiply"}
        if view and self.config.shots:
            return [self._after_examples(spec, options, view, task, words[task]) for task in self.tasks]
        return [
            Question(
                f"{spec.id}/{t}", spec.id, t, f'{words[t]}{text}: {{"n": integer}}', f"hash-{t}", view, t == "task1"
            )
            for t in self.tasks
        ]

    def _after_examples(self, spec: ToySpec, options: AskOptions, view: View, task: str, word: str) -> Question:
        shots, pool = self.config.shots, self.pool()
        order = options.nearest(spec, pool) if options.nearest else range(len(pool))
        fit = (options.max_images - 1) // shots if self.config.thrifty else options.film_frames
        film = View("film", style=view.style, frames=max(1, min(options.film_frames, fit, self.films["film"])))
        parts: list[str | Shown] = []
        for k in order[:shots]:
            made = {"task1": pool[k].a + pool[k].b, "task2": pool[k].a * pool[k].b}[task]
            parts += ["Watch: ", Shown(pool[k], film), f' {{"n": {made}}}. ']
        parts += [f"{word}: ", Shown(spec, view), '{"n": integer}']
        text = "".join(part for part in parts if isinstance(part, str))
        return Question(f"{spec.id}/{task}", spec.id, task, text, f"hash-{task}", None, False, tuple(parts))

    def contrast(self, runs: Mapping[str, Run]) -> dict[str, float]:
        return {"shots/most": float(max(run.options["shots"] for run in runs.values()))}

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


def stage(spec: ToySpec, frames: int) -> Stage:
    """A ball that rolls a metres in b seconds."""
    times = np.linspace(0.0, spec.b, frames) if frames > 1 else np.zeros(1)
    pos = np.zeros((frames, 1, 3))
    pos[:, 0, 0] = spec.a * times / spec.b
    quat, look = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1)), np.zeros((frames, 1), int)
    camera = Camera((0.0, -9.0, 5.0), (0.0, 0.0, 0.0), 45.0)
    solids = (Solid("ball", "sphere", (0.5, 0.5, 0.5)),)
    return Stage(64, 64, camera, solids, times, pos, quat, (Look("#ad2323"),), look)


def reply_of(labels: Sequence[Any], question: Question) -> str:
    return json.dumps({"n": labels[Toy.tasks.index(question.task)]})


def data_set(name: str, folder: Path, count: int) -> Path:
    """The first scenes of a registered benchmark, stored as a data set."""
    scenes = load(Source(name, scenes=count))
    for scene in scenes.by_id.values():
        place = folder / scene.spec.id
        place.mkdir(parents=True)
        for file, content in scenes.benchmark.published(scene.spec, scene.labels).items():
            (place / file).write_bytes(layout.to_json(content))
    config: dict[str, Any] = {"format": layout.FORMAT, "benchmark": name, "seed": 0, "scenes": count, "groups": []}
    config |= {"pictures": [], "backend": "auto", "options": {}, "made_with": []}
    (folder / layout.CONFIG).write_bytes(layout.to_json(config))
    return folder
