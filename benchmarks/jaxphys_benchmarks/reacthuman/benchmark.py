"""`ReactHuman`: the benchmark as the adapters see it (`jaxphys_benchmarks.protocol.Benchmark`).

Every method hands on to the module that does the work; this page is the table of contents.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.explanation import Breakdown, Explanation
from jaxphys_benchmarks.protocol import (
    Answer,
    AskOptions,
    Layout,
    Question,
    Reply,
    Report,
    Run,
    Score,
    Spec,
    Sweep,
    View,
)
from jaxphys_benchmarks.reacthuman import (
    aggregate,
    baselines,
    calibrate,
    columns,
    contrast,
    counterfactual,
    decisions,
    describe,
    explain,
    files,
    footage,
    lower,
    measure,
    parse,
    prompts,
    sample,
    score,
    seen,
    simulate,
)
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.execution import telling
from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.embodiment import ReactHumanEmbodiment, executed
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop.looping import Looping
from jaxphys_benchmarks.reacthuman.people import Peopled
from jaxphys_benchmarks.reacthuman.picture import FILMS, VIEWS
from jaxphys_benchmarks.reacthuman.replay import replay
from jaxphys_benchmarks.reacthuman.report_data import report
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.watching import Watching
from jaxphys_benchmarks.replay import FPS, Replay
from jaxphys_benchmarks.stage import Stage
from jaxphys_kernels.rigid.model import State, World

Simulated = list[simulate.Run]
"""Scenes by what was simulated together; what is handed from `simulate` to `label`."""


class ReactHuman(Looping, Watching, Peopled):
    """ReactHuman (arXiv:2609.10895): react to a sudden hazard with one motion plan for a humanoid.

    Attributes:
        config: all choices, published and assumed; options of a method replace fields of it for that call.
    """

    name = "reacthuman"
    title = "ReactHuman"
    spec_type = ReactHumanSpec
    config_type = ReactHumanConfig
    views = VIEWS
    tasks = prompts.TASKS
    styles = prompts.STYLES
    reading = parse.READING
    columns = columns.COLUMNS
    judged = decisions.JUDGED
    outcome_columns = telling.COLUMNS
    execution_type = ExecutionConfig

    def __init__(self, /, **options: Any) -> None:
        """Options are fields of `ReactHumanConfig`; ValueError names an unknown or bad one."""
        self.config = ReactHumanConfig(**options)
        self.films: Mapping[str, int] = MappingProxyType(dict.fromkeys(FILMS, self.config.frames))

    @property
    def asking(self) -> dict[str, Any]:
        """How to ask and to read replies unless told otherwise."""
        config = self.config
        return {
            "extract": config.extract,
            "attempts": config.max_attempts_ask,
            "force_numeric": False,
            "feature": None,
        }

    def configured(self, options: Mapping[str, Any]) -> ReactHumanConfig:
        """The configuration with some fields replaced; ValueError names an unknown or bad one."""
        return ReactHumanConfig(**{**self.config.model_dump(), **options}) if options else self.config

    @property
    def size(self) -> int:
        """Scenes of all families."""
        return self.config.scenes_per_family * len(self.config.families)

    def ids(self, indices: Sequence[int], **options: Any) -> list[str]:
        """Names of the scenes with these indices in every family, family by family."""
        return [f"{name}/scene_{index:05d}" for name in self.configured(options).families for index in indices]

    def sample(
        self, seed: int, n: int, *, indices: Sequence[int] | None = None, backend: str = "auto", **options: Any
    ) -> list[ReactHumanSpec]:
        """Draw and validate `n` scenes of every family, or those of them with these indices, family by family.

        Raises:
            ValueError: bad options or back end, n < 1, an index outside [0, n), or a group without a sound draw.
        """
        config = self.configured(options)
        wanted = list(range(n) if indices is None else indices)
        if n < 1 or any(not 0 <= index < n for index in wanted):
            raise ValueError(f"n, indices: {n} scenes, indices {wanted[:8]}; give n >= 1 and indices below n")
        found = self.backend(backend)
        made = sample.groups(config, seed, sample.wanted_groups(config, wanted), backend=found)
        count = len(config.bands)
        return [
            made[family, index // count].specs[config.bands[index % count]]
            for family in config.families
            for index in wanted
        ]

    def lower(self, specs: Sequence[ReactHumanSpec]) -> tuple[World, State]:
        """World and State of a batch at launch, leaves leading with the scene axis."""
        return lower.lower(specs)

    def backend(self, asked: str) -> str:
        """The back end that a name stands for here; ValueError when there is none, or it cannot give labels."""
        if asked not in ("auto", "c"):
            known = "mjx is for sweeps and derivatives and cannot give labels" if asked == "mjx" else "unknown"
            raise ValueError(f"backend: {asked!r}: {known}; give auto or c")
        return "c"

    def simulate(self, specs: Sequence[ReactHumanSpec], *, backend: str = "auto") -> tuple[list[World], Simulated]:
        """Run the scenes to their horizons; worlds and runs by what was simulated together."""
        found = simulate.simulate(specs, backend=self.backend(backend))
        return [run.world for run in found], found

    def label(self, specs: Sequence[ReactHumanSpec], world: Any, trajectory: Simulated) -> list[Labels]:
        """Ground truth of a batch."""
        return measure.label(specs, trajectory, self.config.catalogue, self.config)

    def statuses(self, spec: ReactHumanSpec, labels: Labels | None) -> tuple[int, ...]:
        """Status words of the rejected draws of a scene's group, and last its own."""
        return (*spec.rejected, spec.status if labels is None else labels.status)

    def picture(self, spec: ReactHumanSpec, labels: Labels | None, view: View) -> Stage:
        """A frame of a camera, its film, or one of the further kinds of `footage`."""
        return footage.drawn(spec, labels, view, self.config)

    def replay(self, spec: ReactHumanSpec, labels: Labels | None, *, fps: float = FPS) -> Replay:
        """Everything that was simulated, to be watched."""
        return replay(spec, labels, fps=fps, config=self.config)

    def ask(self, spec: ReactHumanSpec, options: AskOptions) -> tuple[Question, ...]:
        """The question about a scene."""
        return prompts.ask(spec, options, self.config)

    def parse(self, question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
        """The plan in a reply, or why there is none."""
        return parse.parse(question, reply, extractor=extractor)

    def score(self, question: Question, labels: Labels, answer: Answer) -> Score:
        """Raw numbers of an answer."""
        return score.score(question, labels, answer)

    def cautions(self, asked: Sequence[tuple[Question, Labels]]) -> tuple[str, ...]:
        """How many questions hardly show their hazard."""
        return seen.cautions(asked)

    @property
    def together(self) -> int:
        """Scenes of a group, one of each band."""
        return len(self.config.bands)

    def decision(self, question: Question, labels: Labels, answer: Answer, *, model: str = "") -> dict[str, Any]:
        """The decision record of an answer, ready for JSON."""
        return decisions.decision(question, labels, answer, model=model)

    def told(self, question: Question, record: Mapping[str, Any]) -> Answer:
        """The answer in a record without a plan: of a decision file, or of a person."""
        return decisions.told(question, record)

    def known_as(self, question: Question) -> tuple[str, ...]:
        """Names by which records call the scene of a question."""
        return decisions.known_as(question)

    def agree(self, question: Question, first: Answer, second: Answer) -> bool:
        """Whether two plans mean the same action."""
        return parse.agree(question, first, second)

    def aggregate(self, scores: Sequence[Score]) -> dict[str, float]:
        """Metrics of one model, by name."""
        return aggregate.aggregate(scores)

    def contrast(self, runs: Mapping[str, Run]) -> dict[str, float]:
        """What several runs say together."""
        return contrast.contrast(runs)

    def baselines(self) -> dict[str, baselines.ReactHumanAnswerer]:
        """Built-in answerers by name."""
        return baselines.baselines()

    def report(self, specs: Sequence[ReactHumanSpec], labels: Sequence[Labels | None]) -> dict[str, Report]:
        """Facts and charts by family."""
        return report(specs, labels)

    def sweep(self, spec: ReactHumanSpec, axes: Mapping[str, Sequence[float]]) -> Sweep:
        """The scene over axes such as speed, mass and friction, and where the label flips."""
        return counterfactual.sweep(self.config, spec, axes)

    def variants(self, spec: ReactHumanSpec) -> dict[str, ReactHumanSpec]:
        """The four bands of a scene's group, and the honest twin of an adversarial one."""
        return counterfactual.variants(self.config, spec)

    @property
    def layouts(self) -> dict[str, Layout]:
        """Frames, films and records under the published names."""
        return {"published": lambda scenes: footage.published(scenes, self.config)}

    def calibrate(self, **options: Any) -> dict[str, float]:
        """Rates of events, accepted groups and monotone groups of each family, and median times to impact."""
        return calibrate.numbers(self.configured(options))

    def published(self, spec: ReactHumanSpec, labels: Labels) -> dict[str, dict[str, Any]]:
        """The files of a scene by name, ready for JSON."""
        return files.published(spec, labels, self.config.catalogue, self.config.views, self.config.size_px)

    def row(self, spec: ReactHumanSpec, labels: Labels) -> dict[str, Any]:
        """A scene as one row of a table."""
        return columns.row(spec, labels, self.config.catalogue, self.config.views, self.config.size_px)

    def read(self, content: Mapping[str, Mapping[str, Any]]) -> tuple[ReactHumanSpec, Labels]:
        """Spec and labels from the files of a scene."""
        return files.read(content)

    def truth(self, spec: ReactHumanSpec, labels: Labels) -> Explanation:
        """The truth of a scene for people."""
        return explain.truth(spec, labels, self.config.catalogue)

    def explain(self, spec: ReactHumanSpec, question: Question, labels: Labels, answer: Answer) -> Explanation:
        """How an answer was judged, for people."""
        return explain.explain(spec, question, labels, answer)

    @property
    def breakdowns(self) -> tuple[Breakdown, ...]:
        """Tables of metrics by family, speed, what is right, kind of object and time of the impact."""
        return explain.BREAKDOWNS

    def plan_prompt(self, description: str) -> str:
        """What a language model is asked about a text description of a scene."""
        return describe.prompt(self.config, description)

    def read_plan(self, description: str, reply: Reply, planned_by: str) -> Answer:
        """The premise in a model's reply, or why there is none."""
        return describe.read(self.config, description, reply, planned_by)

    def planned(self, plans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Options under which scenes are drawn from premises."""
        return describe.options(plans)

    def embody(
        self, scenes: Sequence[tuple[ReactHumanSpec, Labels]], answers: Sequence[Answer | None], **options: Any
    ) -> ReactHumanEmbodiment:
        """Scenes in which the robot is about to carry out answers."""
        return ReactHumanEmbodiment(scenes, answers, ExecutionConfig(**options))

    def execute(
        self, scenes: Sequence[tuple[ReactHumanSpec, Labels]], answers: Sequence[Answer | None], **options: Any
    ) -> list[Executed]:
        """What comes of answers when the robot carries them out."""
        return executed(scenes, answers, ExecutionConfig(**options))

    def with_outcome(self, score: Score, outcome: Mapping[str, Any]) -> Score:
        """A score with the values of an outcome."""
        return telling.with_outcome(score, outcome)

    def decision_executed(self, record: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any]:
        """A decision record with what was measured on the executed plan."""
        return telling.recorded(record, outcome)

    def tally(self, outcomes: Sequence[tuple[Spec, Any, Mapping[str, Any]]]) -> dict[str, dict[str, float]]:
        """Outcomes counted by family."""
        return telling.tally(outcomes)
