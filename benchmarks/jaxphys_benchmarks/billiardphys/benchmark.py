"""`BilliardPhys`: the benchmark as the adapters see it (`jaxphys_benchmarks.protocol.Benchmark`).

Every method hands on to the module that does the work; this page is the table of contents.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jaxphys.billiards import resolve_backend
from jaxphys_benchmarks.billiardphys import aggregate, baselines, columns, files, lower, parse, prompts, score
from jaxphys_benchmarks.billiardphys.calibrate import measure, v50
from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.consistency import agree
from jaxphys_benchmarks.billiardphys.counterfactual import speed_group, sweep
from jaxphys_benchmarks.billiardphys.labels import Labels, label
from jaxphys_benchmarks.billiardphys.perturb import STYLES
from jaxphys_benchmarks.billiardphys.picture import VIEWS, picture
from jaxphys_benchmarks.billiardphys.replay import replay
from jaxphys_benchmarks.billiardphys.report_data import report
from jaxphys_benchmarks.billiardphys.screen import accepted
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, window_name
from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.protocol import Answer, AskOptions, Layout, Question, Reply, Report, Run, Score, Sweep, View
from jaxphys_benchmarks.replay import FPS, Replay
from jaxphys_kernels.billiards.model import State, Trajectory, World


class BilliardPhys:
    """BilliardPhys-Bench (arXiv:2605.30900): from one picture of a billiard table to its state t seconds later.

    Attributes:
        config: all choices, published and assumed; options of a method replace fields of it for that call.
    """

    name = "billiardphys"
    title = "BilliardPhys-Bench"
    spec_type = BilliardSpec
    config_type = BilliardConfig
    views = VIEWS
    films: Mapping[str, int] = MappingProxyType({})
    tasks = prompts.TASKS
    styles = tuple(STYLES)
    reading = parse.READING
    columns = columns.COLUMNS

    def __init__(self, /, **options: Any) -> None:
        """Options are fields of `BilliardConfig`; ValueError names an unknown or bad one."""
        self.config = BilliardConfig(**options)

    @property
    def keys(self) -> prompts.Keys:
        """JSON keys of the three answers."""
        return prompts.Keys(self.config.q1_key, self.config.q2_key, self.config.q3_key)

    @property
    def asking(self) -> dict[str, Any]:
        """How to ask and to read replies unless told otherwise."""
        config = self.config
        return {
            "extract": config.extract,
            "attempts": config.max_attempts,
            "force_numeric": config.force_numeric,
            "feature": None,
        }

    def configured(self, options: Mapping[str, Any]) -> BilliardConfig:
        """The configuration with some fields replaced; ValueError names an unknown or bad one."""
        return BilliardConfig(**{**self.config.model_dump(), **options}) if options else self.config

    @property
    def size(self) -> int:
        """Scenes of all windows."""
        return self.config.scenes_per_window * len(self.config.windows)

    def ids(self, indices: Sequence[int], **options: Any) -> list[str]:
        """Names of the scenes with these indices in every window, window by window."""
        return [
            f"{window_name(window)}/scene_{index:05d}"
            for window in self.configured(options).windows
            for index in indices
        ]

    def sample(
        self, seed: int, n: int, *, indices: Sequence[int] | None = None, backend: str = "auto", **options: Any
    ) -> list[BilliardSpec]:
        """Draw and screen `n` scenes of every window, or those of them with these indices, window by window.

        Raises:
            ValueError: bad options or back end, n < 1, or an index outside [0, n).
        """
        config = self.configured(options)
        wanted = range(n) if indices is None else indices
        if n < 1 or any(not 0 <= index < n for index in wanted):
            raise ValueError(f"n, indices: {n} scenes, indices {list(wanted)[:8]}; give n >= 1 and indices below n")
        found = self.backend(backend)
        return [spec for window in config.windows for spec in accepted(config, seed, window, wanted, backend=found)]

    def lower(self, specs: Sequence[BilliardSpec]) -> tuple[World, State]:
        """World and State of a batch, leaves leading with the scene axis."""
        return lower.lower(specs)

    def backend(self, asked: str) -> str:
        """The back end that a name stands for here; ValueError when there is none, or it cannot give labels."""
        found = resolve_backend(asked)
        if found == "stepped":
            raise ValueError("backend: stepped is for comparison and cannot give labels; give auto, compiled or xla")
        return found

    def simulate(self, specs: Sequence[BilliardSpec], *, backend: str = "auto") -> tuple[World, Trajectory]:
        """Run the scenes to their t, with the event log."""
        return lower.simulate(specs, backend=backend)

    def label(self, specs: Sequence[BilliardSpec], world: World, trajectory: Trajectory) -> list[Labels]:
        """Ground truth of a batch."""
        return label(specs, trajectory)

    def statuses(self, spec: BilliardSpec, labels: Labels | None) -> tuple[int, ...]:
        """Status words of the rejected draws of a scene, and last its own."""
        return (*spec.rejected, spec.status if labels is None else labels.status)

    def picture(self, spec: BilliardSpec, labels: Labels | None, view: View) -> Canvas:
        """Display list of one of `views`."""
        return picture(spec, labels, view)

    def replay(self, spec: BilliardSpec, labels: Labels | None, *, fps: float = FPS) -> Replay:
        """The motion up to t, to be watched."""
        return replay(spec, labels, fps=fps)

    def ask(self, spec: BilliardSpec, options: AskOptions) -> tuple[Question, ...]:
        """The three questions about a scene."""
        return prompts.ask(spec, options, self.keys)

    def parse(self, question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
        """The answer in a reply, or why there is none."""
        return parse.parse(question, reply, extractor=extractor)

    def score(self, question: Question, labels: Labels, answer: Answer) -> Score:
        """Raw counts of an answer."""
        return score.score(question, labels, answer)

    def agree(self, question: Question, first: Answer, second: Answer) -> bool:
        """Whether two answers say the same: equal flags, or places within R of each other."""
        return agree(question, first, second)

    def aggregate(self, scores: Sequence[Score]) -> dict[str, float]:
        """Metrics of one model, by name."""
        return aggregate.aggregate(scores)

    def contrast(self, runs: Mapping[str, Run]) -> dict[str, float]:
        """No metrics of several runs beyond their differences."""
        return {}

    def baselines(self, *, sigma: float = baselines.SIGMA) -> dict[str, baselines.BilliardAnswerer]:
        """Built-in answerers by name; `sigma` is the localisation error of `noisy_oracle` (m)."""
        return baselines.baselines(sigma)

    def report(self, specs: Sequence[BilliardSpec], labels: Sequence[Labels | None]) -> dict[str, Report]:
        """Facts and charts by window."""
        return report(specs, labels)

    def sweep(self, spec: BilliardSpec, axes: Mapping[str, Sequence[float]]) -> Sweep:
        """The layout of a scene over "speed" (m/s), "direction_deg" and "window" (s)."""
        return sweep(spec, axes)

    def variants(self, spec: BilliardSpec) -> dict[str, BilliardSpec]:
        """The counterfactual group of a scene: the same layout and direction by speed band."""
        return speed_group(spec)

    @property
    def layouts(self) -> dict[str, Layout]:
        """None but the published files of each scene."""
        return {}

    def calibrate(self, **options: Any) -> dict[str, float]:
        """Median path to the first hit (m) and 50 % speeds of the windows (m/s), measured anew."""
        config = self.configured(options)
        s50 = measure(config.R, config.n_balls, (config.W, config.H), config.min_gap)
        found = config.model_copy(update={"s50": s50})
        return {"s50": s50} | {f"v50/{window_name(t)}": v50(found, t) for t in config.windows}

    def published(self, spec: BilliardSpec, labels: Labels) -> dict[str, dict[str, Any]]:
        """The files of a scene by name, ready for JSON."""
        return files.published(spec, labels, self.config)

    def row(self, spec: BilliardSpec, labels: Labels) -> dict[str, Any]:
        """A scene as one row of a table."""
        return columns.row(spec, labels)

    def read(self, content: Mapping[str, Mapping[str, Any]]) -> tuple[BilliardSpec, Labels]:
        """Spec and labels from the files of a scene."""
        return files.read(content, self.config)
