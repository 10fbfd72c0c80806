"""Scores to metrics: per window and task, then the mean over windows (specification, sections 9.1 to 9.5).

Names are `<task>/<metric>` for the mean over windows and `<window>/<task>/<metric>` for one window, with
q1, q2, q3 for the tasks. Two endings: `/low` and `/high` are the 95 % interval (Wilson for rates over scenes,
bootstrap over scenes otherwise); `/answered` counts only questions with a valid answer, while without it a
missing answer is wrong in every metric. A metric whose denominator is zero is left out. `*/failed/<reason>`
are shares of all questions. `mean` is the plain mean of the three published metrics, `q1/per_ball`,
`q2/exact_set` and `q3/per_ball`; the paper's own weights are not known.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from jaxphys_benchmarks.billiardphys.score import DEPTHS
from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.statistics import balanced_accuracy, bootstrap_sums, percentile_interval, ratio, wilson
from jaxphys_kernels.billiards.model import WALLS

REASONS = ("no_json", "invalid", "truncated", "no_answer", "refusal", "timeout", "error", "unanswered")
"""Why there is no answer: every `Answer.status` but "ok"."""

TASK_NAMES = {"task1": "q1", "task2": "q2", "task3": "q3"}
PUBLISHED = ("q1/per_ball", "q2/exact_set", "q3/per_ball")
"""The metrics of the paper; all others are ours."""

DRAWS = 1000

Sums = Mapping[str, np.ndarray]
Formula = Callable[[Sums], np.ndarray]


@dataclass(frozen=True)
class Metric:
    """A metric formed from summed counts.

    Attributes:
        name: without task and window.
        formula: of the column sums; NaN where undefined.
        scenes: the column that counts its trials, if it is a share of scenes (then Wilson's interval holds).
    """

    name: str
    formula: Formula
    scenes: str | None = None


def _ratio(count: str, total: str) -> Formula:
    return lambda sums: ratio(sums[count], sums[total])


def _balanced(sums: Sums) -> np.ndarray:
    return balanced_accuracy(sums["hit_t"], sums["true_t"], sums["hit_f"], sums["true_f"])


def _sb3_above_floor(sums: Sums) -> np.ndarray:
    return ratio(sums["moved_near"] - sums["truth_near"], sums["moved"])


_FLAG_METRICS = (
    Metric("recall_t", _ratio("hit_t", "true_t")),
    Metric("specificity", _ratio("hit_f", "true_f")),
    Metric("balanced", _balanced),
    Metric("sb1", _ratio("all_f", "any_t"), scenes="any_t"),
    Metric("sb2", _ratio("said_t", "true_t")),
)

METRICS: dict[str, tuple[Metric, ...]] = {
    "task1": (
        Metric("per_ball", _ratio("correct", "n")),
        Metric("scene", _ratio("exact", "scenes"), scenes="scenes"),
        *_FLAG_METRICS,
    ),
    "task2": (
        Metric("exact_set", _ratio("exact", "scenes"), scenes="scenes"),
        Metric("per_wall", _ratio("correct", "n")),
        *(Metric(f"wall_{wall}", _ratio(f"correct_{wall}", "scenes"), scenes="scenes") for wall in WALLS),
        *_FLAG_METRICS,
    ),
    "task3": (
        Metric("per_ball", _ratio("correct", "n")),
        Metric("scene", _ratio("exact", "scenes"), scenes="scenes"),
        Metric("moved", _ratio("moved_correct", "moved")),
        *(Metric(f"depth_{name}", _ratio(f"depth{name}_correct", f"depth{name}")) for name in DEPTHS),
        Metric("sb3", _ratio("moved_near", "moved")),
        Metric("sb3_floor", _ratio("truth_near", "moved")),
        Metric("sb3_above_floor", _sb3_above_floor),
    ),
}


def aggregate(scores: Sequence[Score], *, seed: int = 0, draws: int = DRAWS) -> dict[str, float]:
    """All metrics of one model.

    Args:
        scores: in any order; windows (`Score.group`) and tasks may be incomplete.
        seed: of the bootstrap. draws: its resamples.

    Returns:
        Finite numbers by name, see the module's first lines; the means over windows come first.
    """
    cells: dict[str, dict[str, list[Score]]] = {task: defaultdict(list) for task in METRICS}
    for score in scores:
        cells[score.task][score.group].append(score)
    overall: dict[str, float] = {}
    windows: dict[str, float] = {}
    for task, by_window in cells.items():
        found = [_Cell(window, by_window[window], seed + k, draws) for k, window in enumerate(sorted(by_window))]
        for cell in found:
            windows |= {f"{cell.window}/{TASK_NAMES[task]}/{name}": value for name, value in cell.metrics().items()}
        if found:
            overall |= {f"{TASK_NAMES[task]}/{name}": value for name, value in _mean_over_windows(found).items()}
    if all(name in overall for name in PUBLISHED):
        overall = {"mean": fmean(overall[name] for name in PUBLISHED), **overall}
    return overall | windows


class _Cell:
    """Scores of one window and task: point values, bootstrap values and counts."""

    def __init__(self, window: str, scores: Sequence[Score], seed: int, draws: int) -> None:
        self.window, self.task, self.scores = window, scores[0].task, sorted(scores, key=lambda score: score.question)
        self.answered = [score for score in self.scores if score.status == "ok"]
        names = sorted({name for score in self.scores for name in score.values if "_" not in name or not _per_id(name)})
        rows = np.array([[score.values.get(name, 0.0) for name in names] for score in self.scores])
        rows = np.column_stack([rows, np.ones(len(rows))])
        self.names = [*names, "scenes"]
        ok = np.array([score.status == "ok" for score in self.scores])
        self.sums = dict(zip(self.names, rows.sum(axis=0), strict=True))
        self.answered_sums = dict(zip(self.names, rows[ok].sum(axis=0), strict=True))
        self.drawn = dict(zip(self.names, bootstrap_sums(rows, seed=seed, draws=draws).T, strict=True))

    def metrics(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for metric in METRICS[self.task]:
            share = float(metric.formula(self.sums))
            _put(values, metric.name, share)
            trials = None if metric.scenes is None else float(self.sums[metric.scenes])
            values |= _interval(metric.name, share, trials, metric.formula(self.drawn))
            _put(values, f"{metric.name}/answered", float(metric.formula(self.answered_sums)))
        return values | self.continuous() | self.counts()

    def continuous(self) -> dict[str, float]:
        """Medians over balls; a missing prediction is infinitely far off, unless only answers count."""
        values: dict[str, float] = {}
        if self.task == "task3":
            for ending, scores in (("", self.scores), ("/answered", self.answered)):
                errors = _all_values(scores, "error_")
                missing = int(sum(score.values["error_n"] for score in scores)) - len(errors)
                _put(values, f"median_error{ending}", _median([*errors, *[math.inf] * missing]))
                angles = _all_values(scores, "angle_")
                _put(values, f"transfer_angle{ending}", _median(angles))
                asked = sum(score.values["angle_n"] for score in scores)
                _put(values, f"transfer_given{ending}", len(angles) / asked if asked else math.nan)
        return values

    def counts(self) -> dict[str, float]:
        total = len(self.scores)
        reasons = {f"failed/{name}": sum(score.status == name for score in self.scores) / total for name in REASONS}
        failed = 1 - len(self.answered) / total
        return {"n": float(total), "n_answered": float(len(self.answered)), "failed": failed, **reasons}


def _mean_over_windows(cells: Sequence[_Cell]) -> dict[str, float]:
    """Plain means over windows; counts are added up. Wilson's interval takes all scenes together."""
    per_window = [cell.metrics() for cell in cells]
    values: dict[str, float] = {}
    for name in dict.fromkeys(name for metrics in per_window for name in metrics):
        found = [metrics[name] for metrics in per_window if name in metrics]
        values[name] = sum(found) if name in ("n", "n_answered") else fmean(found)
    for metric in METRICS[cells[0].task]:
        if metric.name in values:
            drawn = np.stack([metric.formula(cell.drawn) for cell in cells])
            trials = None if metric.scenes is None else float(sum(cell.sums[metric.scenes] for cell in cells))
            values |= _interval(metric.name, values[metric.name], trials, drawn.mean(axis=0))
    return values


def _interval(name: str, share: float, trials: float | None, drawn: np.ndarray) -> dict[str, float]:
    if math.isnan(share):
        return {}
    # A mean over windows times the trials can leave [0, trials] by rounding.
    interval = percentile_interval(drawn) if trials is None else wilson(min(share, 1.0) * trials, trials)
    return {} if interval is None else {f"{name}/low": interval[0], f"{name}/high": interval[1]}


def _put(values: dict[str, float], name: str, value: float) -> None:
    if math.isfinite(value):
        values[name] = value


def _per_id(name: str) -> bool:
    """Whether a value belongs to one ball: `error_3`, `angle_1`."""
    return name.rsplit("_", 1)[1].isdigit()


def _all_values(scores: Sequence[Score], prefix: str) -> list[float]:
    return [
        value for score in scores for name, value in score.values.items() if name.startswith(prefix) and _per_id(name)
    ]


def _median(values: list[float]) -> float:
    return median(values) if values else math.nan
