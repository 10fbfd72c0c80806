"""`InPhyRe`: the benchmark as the adapters see it (`jaxphys_benchmarks.protocol.Benchmark`).

Every method hands on to the module that does the work; this page is the table of contents.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from jaxphys.planar import resolve_backend
from jaxphys_benchmarks.choices import READING
from jaxphys_benchmarks.inphyre import (
    aggregate,
    baselines,
    calibrate,
    clevrer,
    columns,
    contrast,
    counterfactual,
    files,
    lower,
    measure,
    parse,
    prompts,
    score,
    screen,
)
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.picture import FILM, VIEWS, picture
from jaxphys_benchmarks.inphyre.replay import replay
from jaxphys_benchmarks.inphyre.report_data import report
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import Answer, AskOptions, Layout, Question, Reply, Report, Run, Score, Sweep, View
from jaxphys_benchmarks.replay import FPS, Replay
from jaxphys_benchmarks.stage import Stage
from jaxphys_kernels.planar.model import State, Trajectory, World


class InPhyRe:
    """InPhyRe (arXiv:2509.12263): infer the law of a collision from demonstrations, and apply it.

    Attributes:
        config: all choices, published and assumed; options of a method replace fields of it for that call.
    """

    name = "inphyre"
    title = "InPhyRe"
    spec_type = InPhyReSpec
    config_type = InPhyReConfig
    views = VIEWS
    tasks = prompts.TASKS
    styles = prompts.STYLES
    reading = READING
    columns = columns.COLUMNS

    def __init__(self, /, **options: Any) -> None:
        """Options are fields of `InPhyReConfig`; ValueError names an unknown or bad one."""
        self.config = InPhyReConfig(**options)

    @property
    def films(self) -> Mapping[str, int]:
        """Kinds of moving picture, and how many frames are stored."""
        return MappingProxyType({FILM: self.config.frames})

    @property
    def asking(self) -> dict[str, Any]:
        """How to ask and to read replies unless told otherwise."""
        config = self.config
        return {
            "extract": config.extract,
            "attempts": config.max_attempts,
            "force_numeric": False,
            "feature": config.feature if config.retriever == "nner" and config.shots else None,
        }

    def configured(self, options: Mapping[str, Any]) -> InPhyReConfig:
        """The configuration with some fields replaced; ValueError names an unknown or bad one."""
        return InPhyReConfig(**{**self.config.model_dump(), **options}) if options else self.config

    @property
    def size(self) -> int:
        """Samples of all scenarios, exemplars apart."""
        return (self.config.samples_per_scenario - self.config.n_exemplars_pool) * len(self.config.scenarios)

    def ids(self, indices: Sequence[int], **options: Any) -> list[str]:
        """Names of the samples with these indices in every scenario, scenario by scenario."""
        return [f"{name}/scene_{index:05d}" for name in self.configured(options).scenarios for index in indices]

    def sample(
        self, seed: int, n: int, *, indices: Sequence[int] | None = None, backend: str = "auto", **options: Any
    ) -> list[InPhyReSpec]:
        """Draw and screen `n` samples of every scenario, or those of them with these indices, scenario by scenario.

        Raises:
            ValueError: bad options or back end, n < 1, or an index outside [0, n).
        """
        config = self.configured(options)
        wanted = range(n) if indices is None else indices
        if n < 1 or any(not 0 <= index < n for index in wanted):
            raise ValueError(f"n, indices: {n} scenes, indices {list(wanted)[:8]}; give n >= 1 and indices below n")
        found = self.backend(backend)
        return [
            spec for name in config.scenarios for spec in screen.accepted(config, seed, name, wanted, backend=found)
        ]

    def lower(self, specs: Sequence[InPhyReSpec]) -> tuple[World, State]:
        """World and State of a batch, leaves leading with the scene axis."""
        return lower.lower(specs)

    def backend(self, asked: str) -> str:
        """The back end that a name stands for here; ValueError when there is none, or it cannot give labels."""
        found = resolve_backend(asked)
        if found == "stepped":
            raise ValueError("backend: stepped is for comparison and cannot give labels; give auto or xla")
        return found

    def simulate(self, specs: Sequence[InPhyReSpec], *, backend: str = "auto") -> tuple[World, Trajectory]:
        """Run the samples to the ends of their films."""
        return lower.simulate(specs, backend=backend)

    def label(self, specs: Sequence[InPhyReSpec], world: World, trajectory: Trajectory) -> list[Labels]:
        """Ground truth of a batch."""
        return measure.label(specs, trajectory)

    def statuses(self, spec: InPhyReSpec, labels: Labels | None) -> tuple[int, ...]:
        """Status words of the rejected draws of a sample, and last its own."""
        return (*spec.rejected, spec.status if labels is None else labels.status)

    def picture(self, spec: InPhyReSpec, labels: Labels | None, view: View) -> Stage:
        """The first frame, or the film."""
        return picture(spec, labels, view)

    def replay(self, spec: InPhyReSpec, labels: Labels | None, *, fps: float = FPS) -> Replay:
        """The film, to be watched."""
        return replay(spec, labels, fps=fps)

    def ask(self, spec: InPhyReSpec, options: AskOptions) -> tuple[Question, ...]:
        """The question about a sample, after its exemplars."""
        return prompts.ask(spec, options, self.config)

    def parse(self, question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
        """The option that a reply chooses, or why there is none."""
        return parse.parse(question, reply, extractor=extractor)

    def score(self, question: Question, labels: Labels, answer: Answer) -> Score:
        """Raw counts of an answer."""
        return score.score(question, labels, answer)

    def agree(self, question: Question, first: Answer, second: Answer) -> bool:
        """Whether two answers mean the same, whatever the letters under which they were shown."""
        return parse.agree(question, first, second)

    def aggregate(self, scores: Sequence[Score]) -> dict[str, float]:
        """Metrics of one model, by name."""
        return aggregate.aggregate(scores)

    def contrast(self, runs: Mapping[str, Run]) -> dict[str, float]:
        """Gains by exemplars, by their text and by retrieval, from runs with different options."""
        return contrast.contrast(runs)

    def baselines(self, *, letter: str = "A") -> dict[str, baselines.InPhyReAnswerer]:
        """Built-in answerers by name; `letter` is what `fixed_letter` says."""
        return baselines.baselines(letter)

    def report(self, specs: Sequence[InPhyReSpec], labels: Sequence[Labels | None]) -> dict[str, Report]:
        """Facts and charts by scenario."""
        return report(specs, labels)

    def sweep(self, spec: InPhyReSpec, axes: Mapping[str, Sequence[float]]) -> Sweep:
        """The sample over axes such as the speed at contact, and where the answer flips."""
        return counterfactual.sweep(spec, axes)

    def variants(self, spec: InPhyReSpec) -> dict[str, InPhyReSpec]:
        """The counterfactual group of an irregular sample: itself, and the same under the true law."""
        return counterfactual.variants(spec)

    @property
    def layouts(self) -> dict[str, Layout]:
        """The data set in CLEVRER's format, exemplars included."""
        return {"clevrer": partial(clevrer.layout, self.config)}

    def calibrate(self, **options: Any) -> dict[str, float]:
        """Share of the commonest answer of each scenario: what copying answers can reach; measured anew."""
        return {f"majority/{name}": share for name, share in calibrate.majority(self.configured(options)).items()}

    def published(self, spec: InPhyReSpec, labels: Labels) -> dict[str, dict[str, Any]]:
        """The files of a sample by name, ready for JSON."""
        return files.published(spec, labels)

    def row(self, spec: InPhyReSpec, labels: Labels) -> dict[str, Any]:
        """A sample as one row of a table."""
        return columns.row(spec, labels)

    def read(self, content: Mapping[str, Mapping[str, Any]]) -> tuple[InPhyReSpec, Labels]:
        """Spec and labels from the files of a sample."""
        return files.read(content)
