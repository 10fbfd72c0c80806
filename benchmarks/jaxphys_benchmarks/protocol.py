"""The face of a benchmark: what the adapters know of it, and nothing else.

Data flows one way: `sample` draws specs, `simulate` runs them, `label` reads the truth off the trajectory,
`picture` describes what a person sees, `ask` makes questions that never see the labels, `parse` turns a
reply into an answer, `score` compares the answer with the labels, `aggregate` turns scores into metrics.
All of it is pure: no files, no clocks, no network.
"""

# ruff: noqa: D102 -- the methods of the protocol are described together, in its docstring.

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from pydantic import BaseModel, ConfigDict

from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.stage import Stage

EXTRACTORS = ("paper", "robust", "lenient")
"""How a reply is read: as published, our own default, and with unambiguous repairs."""

PLAIN = "plain"
"""The style of the published look."""

OWN = "own"
"""Name of a variant that changes nothing: the scene as drawn, for the others to be compared with."""

Picture = Canvas | Stage
"""What a picture shows: a flat display list, or solids seen by a camera."""


class Spec(BaseModel):
    """A drawn scene: every number needed to simulate it again. Subclassed by each benchmark."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @property
    def id(self) -> str:
        """Name of the scene, unique in a data set, also its folder: for example `t3s/scene_00012`."""
        raise LookupError(f"{type(self).__name__} does not define an id")


@dataclass(frozen=True)
class View:
    """Which picture of a scene, and how large.

    Attributes:
        kind: name of the picture, one of the benchmark's `views`.
        scale: multiplies both sides of the picture.
        style: named visual variant (colours, mirror, ...), one of the benchmark's `styles`.
        frames: of a moving picture, one of the benchmark's `films`: how many, spread evenly from first to last.
    """

    kind: str
    scale: float = 1.0
    style: str = PLAIN
    frames: int = 1


@dataclass(frozen=True)
class Shown:
    """A picture or film inside a question: which scene, seen how."""

    spec: Spec
    view: View


Ranker = Callable[[Spec, Sequence[Spec]], Sequence[int]]
"""(scene, candidates) -> indices of the candidates, the one whose first frame looks most like the scene's first."""


@dataclass(frozen=True)
class AskOptions:
    """How to ask.

    Attributes:
        image: attach the picture.
        chain_of_thought: None asks each task as published; True or False overrides all.
        force_numeric: demand a number where the published format allows null.
        text_only: give positions as text (then no image is attached).
        view: the picture to attach.
        film_frames: frames of each film that a question shows.
        max_images: most pictures and frames in one question; films get fewer frames until they fit.
        nearest: ranks exemplars by likeness, where the benchmark is configured to retrieve them so.
    """

    image: bool = True
    chain_of_thought: bool | None = None
    force_numeric: bool = False
    text_only: bool = False
    view: View = View("initial")
    film_frames: int = 8
    max_images: int = 32
    nearest: Ranker | None = None

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        for name in ("film_frames", "max_images"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: {getattr(self, name)}; give a whole number >= 1")


@dataclass(frozen=True)
class Question:
    """One call to a model.

    Attributes:
        id: `<scene id>/<task>`.
        scene: id of the scene.
        task: short name, for example `task1`.
        prompt: the whole text.
        prompt_hash: sha256 of the prompt's template version and text, hex.
        view: the picture to attach, or None.
        chain_of_thought: whether the prompt invites reasoning before the JSON.
        parts: text, pictures and films in the order in which the model gets them; empty stands for the prompt,
            then the picture. Joined, the texts are the prompt.
        reads: what the parser must know (key, ids, ranges), and what the score must know of the scene besides the
            labels; ready for JSON, never labels, never sent to a model.
    """

    id: str
    scene: str
    task: str
    prompt: str
    prompt_hash: str
    view: View | None
    chain_of_thought: bool
    parts: tuple[str | Shown, ...] = ()
    reads: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What came back from a model.

    Attributes:
        text: the raw text, untrusted.
        finish: "stop", "length", "content_filter", "timeout" or "error"; "unanswered" where whoever was asked left the
            question out.
    """

    text: str
    finish: str = "stop"


@dataclass(frozen=True)
class Answer:
    """A reply that was read, or the reason why it could not be.

    Attributes:
        value: the parsed answer; None when there is none.
        status: "ok", "no_json", "invalid", "ambiguous", "empty", "truncated", "no_answer", "refusal", "timeout",
            "error" or "unanswered".
        reason: for people; names the field at fault.
        extractor: one of `EXTRACTORS`.
        repairs: what was repaired (only `lenient`).
    """

    value: Any | None
    status: str
    reason: str = ""
    extractor: str = "robust"
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Score:
    """Named numbers of one answer, raw enough to be aggregated exactly (counts, not rates).

    Attributes:
        question: id of the question.
        task: short name of the task.
        group: what results are grouped by first, for example the window "t3s".
        values: named numbers, among them `exact`: 1 if everything that was asked is right, else 0.
        status: `Answer.status`.
    """

    question: str
    task: str
    group: str
    values: Mapping[str, float]
    status: str


@dataclass(frozen=True)
class Run:
    """One model asked under one configuration.

    Attributes:
        options: of the benchmark, as fields of its `config_type`, those left at their defaults included.
        scores: of all questions.
    """

    options: Mapping[str, Any]
    scores: Sequence[Score]


Answerer = Callable[[Spec, Any, Question, int], str]
"""A built-in baseline: (spec, labels, question, seed) -> reply text. Only `oracle` kinds may use the labels."""


@dataclass(frozen=True)
class Report:
    """What a data set, or one group of it, looks like as a whole.

    Attributes:
        facts: numbers, lists and tables, ready for JSON.
        picture: the same as charts.
    """

    facts: Mapping[str, Any]
    picture: Canvas


@dataclass(frozen=True)
class Sweep:
    """One scene at many values.

    Attributes:
        facts: axes, rates and flips, ready for JSON.
        arrays: full results by name; leading axes are those of the sweep, in the order of `facts["axes"]`.
        picture: the map of flips.
    """

    facts: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]
    picture: Canvas


Layout = Callable[[Iterable[tuple[Spec, Any]]], Iterable[tuple[str, Mapping[str, Any] | Sequence[Any] | Shown]]]
"""(spec, labels) of the finished scenes -> path inside the folder and content: JSON, or a picture or film."""


class Benchmark(Protocol):
    """What every benchmark offers. Labels and trajectories are opaque to the adapters.

    `options` are fields of `config_type`; an unknown or bad one is a ValueError (pydantic's ValidationError is one).

    Attributes:
        name: as in `jaxphys generate <name>`. title: for people.
        spec_type: what `sample` draws. config_type: frozen model of all options.
        views: kinds of picture. films: kinds of moving picture, with the number of frames that are stored.
        tasks: short names of the tasks.
        styles: visual variants that change how a scene looks and never what happens in it; "plain" comes first.
        reading: what each of `EXTRACTORS` takes as the answer, for people, as in "the last valid object of a reply".
        asking: how to ask unless told otherwise, as configured: `extract` (one of `EXTRACTORS`), `attempts` (calls
            before giving up, >= 1) and `force_numeric` (as in `AskOptions`); also `feature`, the name of the image
            feature by which `AskOptions.nearest` is to rank exemplars, None where nothing is retrieved.
        columns: types of the values of `row`, in a neutral form: "int64", "float64", "string" or "bool", `[type]`
            for a list, `{name: type}` for a record; everything may be null.

    Methods:
        backend: the back end that a name stands for here; "auto" becomes a real one.
        size: scenes of the whole data set as configured, over all groups.
        ids: names of the scenes with these indices, one per group, in the order of `sample`.
        sample: draw and screen scenes: `n` of each group, or only those whose index is in `indices` (all < n);
            `backend` simulates what the screen needs.
        statuses: status words of the rejected draws of a scene, and last its own; a scene whose own word is not
            zero has no labels and is not written.
        variants: the counterfactual group of a scene by name, in order: the same scene with one cause changed, for
            example the speed; the scene as drawn may be among them, as `OWN`. Ids end in `_<name>`. Empty where there
            is none.
        parse: an answer to a question in any style is about the scene itself, brought back from the picture.
        agree: whether two answers (both with a value) say the same about a scene; the styles, or the variants, that
            they were given for may differ.
        aggregate: metrics by name. Tables rely on the names. `<task>/<metric>` is over all groups, in the order in
            which it is to be shown, the main (published) metric of a task first; `<group>/<task>/<metric>`, with
            `Score.group`, is within one group; `mean` is the one number by which models are ranked. Endings:
            `/low` and `/high` are a 95 % interval; `/answered` counts only questions with an answer, while without it
            a missing answer is wrong; `/n` and `/n_answered` count questions; `/failed` is the share without an
            answer, `/failed/<status>` that share by reason. No name has a colon: `<extractor>:`, `style/<style>:`,
            `band/<variant>:` and `bands:` are put before names by whoever compares.
        contrast: further metrics of several runs side by side, by name; empty where the benchmark has none.
        baselines: answerers by name, one of them `oracle`, which tells the truth; `options` are theirs, and an
            unknown one is a TypeError.
        report: by group, for example per window.
        sweep: one scene over named axes, for example {"speed": [...], "direction_deg": [...], "window": [...]}.
        calibrate: numbers that set the difficulty of the configuration, measured anew.
        layouts: further file layouts of a whole data set by name, for example the one that existing loaders read.
        published, read: the files of a scene by name ("init.json", ...), and back.
        row: a scene as one row of a table.
    """

    name: str
    title: str
    spec_type: type[Spec]
    config_type: type[BaseModel]
    views: Sequence[str]
    films: Mapping[str, int]
    tasks: Sequence[str]
    styles: Sequence[str]
    reading: Mapping[str, str]
    columns: Mapping[str, Any]

    @property
    def asking(self) -> Mapping[str, Any]: ...
    @property
    def size(self) -> int: ...
    def ids(self, indices: Sequence[int], **options: Any) -> Sequence[str]: ...
    def sample(
        self, seed: int, n: int, *, indices: Sequence[int] | None = None, backend: str = "auto", **options: Any
    ) -> Sequence[Spec]: ...
    def variants(self, spec: Spec) -> Mapping[str, Spec]: ...
    def lower(self, specs: Sequence[Spec]) -> tuple[Any, Any]: ...
    def backend(self, asked: str) -> str: ...
    def simulate(self, specs: Sequence[Spec], *, backend: str = "auto") -> tuple[Any, Any]: ...
    def label(self, specs: Sequence[Spec], world: Any, trajectory: Any) -> Sequence[Any]: ...
    def statuses(self, spec: Spec, labels: Any) -> Sequence[int]: ...
    def picture(self, spec: Spec, labels: Any, view: View) -> Picture: ...
    def ask(self, spec: Spec, options: AskOptions) -> Sequence[Question]: ...
    def parse(self, question: Question, reply: Reply, *, extractor: str = "robust") -> Answer: ...
    def score(self, question: Question, labels: Any, answer: Answer) -> Score: ...
    def agree(self, question: Question, first: Answer, second: Answer) -> bool: ...
    def aggregate(self, scores: Sequence[Score]) -> dict[str, float]: ...
    def contrast(self, runs: Mapping[str, Run]) -> dict[str, float]: ...
    def baselines(self, **options: Any) -> Mapping[str, Answerer]: ...
    def report(self, specs: Sequence[Spec], labels: Sequence[Any]) -> Mapping[str, Report]: ...
    def sweep(self, spec: Spec, axes: Mapping[str, Sequence[float]]) -> Sweep: ...
    @property
    def layouts(self) -> Mapping[str, Layout]: ...
    def calibrate(self, **options: Any) -> dict[str, float]: ...
    def published(self, spec: Spec, labels: Any) -> dict[str, dict[str, Any]]: ...
    def row(self, spec: Spec, labels: Any) -> dict[str, Any]: ...
    def read(self, files: Mapping[str, Mapping[str, Any]]) -> tuple[Spec, Any]: ...


@runtime_checkable
class Described(Protocol):
    """What a benchmark offers besides, if its scenes can be made of text descriptions by a language model.

    Methods:
        plan_prompt: what the model is asked about a description.
        read_plan: its reply as a plan, ready for JSON; `planned_by` is the model's name. Never raises because of the
            reply.
        planned: options of the benchmark under which it draws the scenes of these plans.
    """

    def plan_prompt(self, description: str) -> str: ...
    def read_plan(self, description: str, reply: Reply, planned_by: str) -> Answer: ...
    def planned(self, plans: Sequence[Any]) -> dict[str, Any]: ...


@runtime_checkable
class Decided(Protocol):
    """What a benchmark offers besides, if what answers amount to is kept and exchanged as decision records.

    Attributes:
        judged: keys of a record that follow from the rest of it and the truth.

    Methods:
        decision: the record of an answer, ready for JSON; `model` is the key of who gave it.
        told: the answer in a record that is no reply: of a decision file, or of a person; values may all be texts, as
            in a table. ValueError names the field at fault.
        known_as: names by which records call the scene of a question; the first one tells scenes apart whose ids differ
            only because they were reached from different scenes of a group.
    """

    judged: Sequence[str]

    def decision(self, question: Question, labels: Any, answer: Answer, *, model: str = "") -> dict[str, Any]: ...
    def told(self, question: Question, record: Mapping[str, Any]) -> Answer: ...
    def known_as(self, question: Question) -> Sequence[str]: ...


def as_floats(array: np.ndarray) -> list[Any]:
    """Nested Python floats of an array, for JSON."""
    return np.asarray(array, dtype=np.float64).tolist()  # type: ignore[no-any-return]
