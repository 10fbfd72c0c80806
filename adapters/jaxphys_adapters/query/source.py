"""Where questions come from, and what only this process knows about them: specs, labels, pictures.

A `Source` is a small record with a JSON form; `load` turns it into scenes, once per process. Everything that needs
the truth (scorer, baselines) looks it up here by the question's id, so no label ever has to travel in a request.
What a question shows is drawn without labels, and so cannot show them. A scene is asked about in every style,
and in every band in place of the scene as drawn.
"""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from jaxphys_adapters import frames, layout
from jaxphys_adapters.query import retrieval
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.retrieval import FeatureExtractor
from jaxphys_adapters.query.variants import Scene, questions, styles_of, vary
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Decided, Question, Spec, View

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Source:
    """Which scenes are asked about, and how.

    Attributes:
        benchmark: its name.
        scenes: number of scenes in all, spread evenly over the groups of the benchmark; 0 with `data`: all.
        seed: of the scenes.
        options: JSON object of further options of the benchmark.
        data: folder of a generated data set to read instead of drawing scenes; "" draws.
        ask: how to ask; `nearest` is left to `load`, which knows the benchmark's feature.
        styles: further looks in which to ask about each scene, or ("all",).
        bands: variants of each scene to ask about instead of the scene itself, or ("all",).
    """

    benchmark: str
    scenes: int = 20
    seed: int = 0
    options: str = "{}"
    data: str = ""
    ask: AskOptions = field(default_factory=AskOptions)
    styles: tuple[str, ...] = ()
    bands: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        if self.scenes < (0 if self.data else 1):
            raise ValueError(f"scenes: {self.scenes}; give a whole number > 0")
        if not isinstance(json.loads(self.options), dict):
            raise ValueError(f"options: {self.options}; give a JSON object")
        if self.styles and (self.ask.text_only or not self.ask.image):
            raise ValueError("styles: they change the picture; ask with it, and give text_only as one of the styles")
        if self.ask.nearest is not None:
            raise ValueError(
                "ask: nearest is made from the feature that the benchmark is configured with; leave it out"
            )

    def to_json(self) -> str:
        """Canonical text; `from_json` gives an equal record."""
        fields = asdict(self)
        del fields["ask"]["nearest"]
        return json.dumps(fields, sort_keys=True)

    @property
    def digest(self) -> str:
        """Twelve hex digits that tell sources apart."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:12]

    @staticmethod
    def from_json(text: str) -> "Source":
        """The record of a text made by `to_json`."""
        fields = json.loads(text)
        view = View(**fields["ask"].pop("view"))
        names = {name: tuple(fields[name]) for name in ("styles", "bands")}
        return Source(**{**fields, **names, "ask": AskOptions(**fields["ask"], view=view)})


@dataclass(frozen=True)
class Scenes:
    """The scenes of a source.

    Attributes:
        benchmark: whose they are.
        by_id: scenes by `Scene.id`, in the order in which they are asked about.
        without_labels: ids of scenes that were left out, with their status word.
        pictures: what questions with parts show.
        seed: that the scenes were drawn with.
        feature: by which exemplars were ranked.
        options: of the benchmark, those left at their defaults included.
    """

    benchmark: Benchmark
    by_id: Mapping[str, Scene]
    without_labels: Mapping[str, int]
    pictures: Pictures
    seed: int = 0
    feature: FeatureExtractor | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def styles(self) -> tuple[str, ...]:
        """The looks, the plain one first."""
        return tuple(dict.fromkeys(scene.style for scene in self.by_id.values()))

    @cached_property
    def bands(self) -> tuple[str, ...]:
        """The variants; none where the scenes themselves are asked about."""
        return tuple(dict.fromkeys(scene.band for scene in self.by_id.values() if scene.band))

    @property
    def questions(self) -> list[Question]:
        """All questions, scene by scene."""
        return [question for scene in self.by_id.values() for question in scene.questions]

    @property
    def asked(self) -> list[tuple[Question, Any]]:
        """All questions with the labels of their scenes."""
        return [(question, scene.labels) for scene in self.by_id.values() for question in scene.questions]

    def find(self, question_id: str) -> tuple[Scene, Question]:
        """The scene and the question with an id.

        Raises:
            LookupError: there is no such question.
        """
        scene = self.by_id.get(question_id.rpartition("/")[0])
        for question in scene.questions if scene else ():
            if question.id == question_id:
                assert scene is not None
                return scene, question
        raise LookupError(f"no question {question_id!r} in this data set")

    def picture(self, question: Question) -> bytes | None:
        """The PNG file of the picture of a question without parts, drawn without labels; None where there is none."""
        if question.view is None:
            return None
        return frames.png(self.benchmark.picture(self.by_id[question.scene].spec, None, question.view))


@lru_cache(maxsize=4)
def load(source: Source) -> Scenes:
    """Draw or read the scenes of a source, label them, and make their questions.

    A scene of which one band has no labels is left out with all its bands, so that groups are whole; so is one whose
    bands have been met already, as those of another scene of its group.

    Raises:
        ValueError: unknown benchmark, bad options, unknown style or band, or no scene is left.
    """
    made = _made(source)
    benchmark = benchmark_of(source)
    wanted = json.loads(source.options).get("feature")
    if wanted is not None:
        # A misspelt one must not wait unseen for the day on which exemplars are retrieved by it.
        retrieval.check(wanted)
    pictures = Pictures(benchmark)
    ask = retrieval.retrieving(benchmark, pictures, source.ask)
    styles = styles_of(benchmark, source.styles)
    specs, labels = _read(benchmark, source) if source.data else _draw(benchmark, source)
    whence = [(spec.id, "") for spec in specs]
    if source.bands:
        specs, labels, whence = vary(benchmark, specs, source.bands)
    words = {spec.id: benchmark.statuses(spec, truth)[-1] for spec, truth in zip(specs, labels, strict=True)}
    without = {scene: word for scene, word in words.items() if word}
    broken = {origin for spec, (origin, _) in zip(specs, whence, strict=True) if spec.id in without}
    by_id: dict[str, Scene] = {}
    left_out = broken | (_again(benchmark, specs, whence, ask) if source.bands else set())
    for spec, truth, (origin, band) in zip(specs, labels, whence, strict=True):
        for style in styles if origin not in left_out else ():
            scene = Scene(spec, truth, questions(benchmark, spec, ask, style), style, origin, band)
            by_id[scene.id] = scene
    if not by_id:
        raise ValueError(f"scenes: none of {len(specs)} scenes has labels")
    if without:
        log.warning("%d of %d scenes have no labels and are not asked about", len(without), len(specs))
    named = benchmark.asking["feature"]
    feature = None if named is None else retrieval.extractor(named)
    seed = source.seed if made is None else int(made.config["seed"])
    options = benchmark.config_type(**options_of(source)).model_dump(mode="json")
    return Scenes(benchmark, by_id, without, pictures, seed, feature, options)


def _again(benchmark: Benchmark, specs: Sequence[Spec], whence: Sequence[tuple[str, str]], ask: AskOptions) -> set[str]:
    """Scenes all of whose variants are those of scenes before them, where the benchmark has names that tell."""
    if not isinstance(benchmark, Decided):
        return set()
    met: dict[str, str] = {}
    new: set[str] = set()
    for spec, (origin, _) in zip(specs, whence, strict=True):
        name = benchmark.known_as(benchmark.ask(spec, ask)[0])[0]
        if met.setdefault(name, origin) == origin:
            new.add(origin)
    return {origin for origin, _ in whence} - new


def benchmark_of(source: Source) -> Benchmark:
    """The benchmark of a source, with its options set.

    Raises:
        ValueError: unknown benchmark or bad options, or the data set cannot be read or is another benchmark's.
    """
    return registry.get(source.benchmark, **options_of(source))


def options_of(source: Source) -> dict[str, Any]:
    """Options of the benchmark: those that a data set was made with, and what is asked for."""
    made = _made(source)
    if made is not None and source.benchmark in registry.names() and made.benchmark != source.benchmark:
        raise ValueError(f"data: {source.data} belongs to {made.benchmark}, not to {source.benchmark}")
    return {**(made.config["options"] if made else {}), **json.loads(source.options)}


def _made(source: Source) -> layout.DataSet | None:
    return layout.open_data_set(Path(source.data)) if source.data else None


def _draw(benchmark: Benchmark, source: Source) -> tuple[Sequence[Spec], Sequence[Any]]:
    """`source.scenes` scenes: the first indices of every group, group by group within an index."""
    per_group = -(-source.scenes // len(benchmark.ids([0])))
    order = [name for index in range(per_group) for name in benchmark.ids([index])]
    by_id = {spec.id: spec for spec in benchmark.sample(source.seed, per_group)}
    specs = [by_id[name] for name in order[: source.scenes]]
    return specs, benchmark.label(specs, *benchmark.simulate(specs))


def _read(benchmark: Benchmark, source: Source) -> tuple[Sequence[Spec], Sequence[Any]]:
    """The first scenes of a data set, in the same order as `_draw`; of the groups that the options name.

    Raises:
        ValueError: there are none, or one is damaged.
    """
    root = Path(source.data)
    ids = layout.scene_ids_of(benchmark, root)
    scenes = [layout.read_scene(benchmark, root, name) for name in ids[: source.scenes or None]]
    return [spec for spec, _ in scenes], [labels for _, labels in scenes]
