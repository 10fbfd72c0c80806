"""Two ways to answer the same scenes, compared by what came of them: one looks once, for example, the other again.

Every measure is a mean over scenes and the difference is that of pairs; its interval is drawn by bootstrap over
four-band groups, which share their sampled numbers. Public: `Difference`, `MEASURES`, `compare`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.recover import CATCH
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.statistics import bootstrap_sums, percentile_interval, ratio

ALL = "all"
"""Name of all scenes together."""
DRAWS = 2000


@dataclass(frozen=True)
class Difference:
    """A measure of scenes that were answered in two ways.

    Attributes:
        n: scenes in which it is known both ways. first, second: means. low, high: 95 % interval of second - first;
            NaN where all scenes are of one group.
    """

    n: int
    first: float
    second: float
    low: float
    high: float

    @property
    def mean(self) -> float:
        """Of second - first."""
        return self.second - self.first


Measured = Callable[[Labels, Outcome], float | None]
Row = tuple[ReactHumanSpec, Labels, Outcome, Outcome]


def _right(labels: Labels, outcome: Outcome) -> float:
    """What is to be caught is reached, anything else touches nothing, and the robot stands."""
    done = outcome.reached if labels.correct_action == CATCH else not outcome.touched
    return float(done and not outcome.fell)


def _reached(labels: Labels, outcome: Outcome) -> float | None:
    return float(outcome.reached) if labels.correct_action == CATCH else None


def _clear(labels: Labels, outcome: Outcome) -> float | None:
    return None if labels.correct_action == CATCH else float(not outcome.touched)


MEASURES: Mapping[str, Measured] = {
    "hand to object": lambda labels, outcome: outcome.hand_clearance,
    "hand to impact": lambda labels, outcome: outcome.hand_error_at_impact,
    "reached": lambda labels, outcome: float(outcome.reached),
    "reached, to be caught": _reached,
    "untouched, not to be caught": _clear,
    "right": _right,
    "fell": lambda labels, outcome: float(outcome.fell),
}
"""By name: least distance of a hand from the object, and distance of the nearer palm from the point of impact at its
time (m); the others are shares."""


def compare(
    specs: Sequence[ReactHumanSpec],
    labels: Sequence[Labels],
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    *,
    seed: int = 0,
) -> dict[str, dict[str, Difference]]:
    """Differences by family, and over `ALL`, by measure.

    Args:
        specs: scenes. labels: of them. first, second: what came of each, answered either way.
        seed: of the bootstrap.

    Raises:
        ValueError: not as many of one as of another.
    """
    rows: list[Row] = list(zip(specs, labels, first, second, strict=True))
    families = by_key((row[0].family, row) for row in rows)
    return {name: _differences(own, seed) for name, own in {**families, ALL: rows}.items()}


def _differences(rows: Sequence[Row], seed: int) -> dict[str, Difference]:
    """By measure, of those that are known of any scene."""
    found = {name: _difference(rows, measure, seed) for name, measure in MEASURES.items()}
    return {name: difference for name, difference in found.items() if difference is not None}


def _difference(rows: Sequence[Row], measure: Measured, seed: int) -> Difference | None:
    cells: dict[tuple[str, int], np.ndarray] = defaultdict(lambda: np.zeros(3))
    for spec, labels, first, second in rows:
        once, again = measure(labels, first), measure(labels, second)
        if once is not None and again is not None:
            cells[spec.family, spec.group] += (once, again, 1.0)
    if not cells:
        return None
    table = np.stack(list(cells.values()))
    once, again, n = table.sum(axis=0).tolist()
    low = high = float("nan")
    if len(table) > 1:  # one group, drawn again and again, would seem to leave no doubt
        sums = bootstrap_sums(table, seed=seed, draws=DRAWS)
        low, high = percentile_interval(ratio(sums[:, 1] - sums[:, 0], sums[:, 2])) or (low, high)
    return Difference(round(n), once / n, again / n, low, high)
