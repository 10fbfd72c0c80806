"""Scores to metrics: the five published ones, then what explains them (ReactHuman specification, section 13).

Names are `react/<metric>` over all families and `<family>/react/<metric>` within one. The published metrics come first:
`saa` (Semantic Action Accuracy), `safety`, `d_end` (m), `aia`, and `d_min`, `d_close` (m) of the hand distance error.
All are means over decisions; lost calls are left out, and what could not be read stays in as wrong and unsafe.
Distances are means over the decisions that have them. `<metric>_<stratum>` is within a stratum: `catch`, `dodge`,
`brace`, `no_action` (by the right action), `<band>`, `category_<category>`, `adversarial`, and `tti_negative` or
`tti_positive` (the impact lies before or after the freeze). `freeze` is the share of NO_ACTION, `fooled` that of
adversarial scenes answered as the look implies, `violations_<rule>` count, and `sensitivity_<threshold>_<less or more>`
is the share of decisions that change when a threshold of the recovery moves by half. Intervals are drawn by bootstrap
over four-band groups, which share their sampled numbers.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.reacthuman.recover import ACTS, CATCH
from jaxphys_benchmarks.reacthuman.rules import RULES
from jaxphys_benchmarks.reacthuman.spec import BANDS
from jaxphys_benchmarks.statistics import bootstrap_sums, percentile_interval, ratio, wilson

TASK = "react"
REASONS = ("no_json", "invalid", "truncated", "no_answer", "refusal", "timeout", "error")
"""Why there is no answer: every `Answer.status` but "ok"."""
DRAWS = 1000

MEANS: dict[str, str] = {
    "saa": "exact",
    "safety": "safe",
    "d_end": "d_end",
    "aia": "aia",
    "d_min": "d_min",
    "d_close": "d_close",
    "freeze": "act_NO_ACTION",
    "d_at_impact": "d_at_impact",
    "d_end_walked": "d_end_walked",
    "d_min_walked": "d_min_walked",
    "d_at_impact_walked": "d_at_impact_walked",
    "falls_short": "falls_short",
    "clipped": "clipped",
}
"""Metrics that are means of a value, in the order in which they are shown."""

TRUTHS = {f"truth_{act}": name for act, name in zip(ACTS, ("catch", "dodge", "brace", "no_action"), strict=False)}
"""Strata by the right action."""

SPLIT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(TRUTHS.values(), ("saa", "safety", "freeze")),
    **dict.fromkeys(BANDS, ("saa", "safety", "freeze", "d_end")),
    "adversarial": ("saa", "safety", "freeze"),
    "tti_negative": ("saa", "safety", "d_end"),
    "tti_positive": ("saa", "safety", "d_end"),
}
"""Metrics by stratum, in the order in which they are shown; those by category follow."""
WITHIN = ("saa", "safety", "d_end", "aia", "d_min", "d_close", "freeze")
"""Metrics that are given by family, of which saa and freeze also by band."""
ANSWERED = ("saa", "safety", "aia")
"""Metrics that are also given over answered questions only."""

FAR = 0.8
"""Beyond this the robot stands far from the impact (m), as in the paper."""


def aggregate(scores: Sequence[Score], *, seed: int = 0, draws: int = DRAWS) -> dict[str, float]:
    """All metrics of one model.

    Args:
        scores: in any order; families (`Score.group`) may be missing.
        seed: of the bootstrap. draws: its resamples.

    Returns:
        Finite numbers by name, see the module's first lines; those over all families come first.
    """
    if not scores:
        return {}
    counted = sorted((score for score in scores if score.values["n"]), key=lambda score: score.question)
    table = _Table(counted, seed, draws)
    main = table.means(MEANS)
    overall = {"mean": main["saa"]} if counted else {}
    overall |= _named(TASK, main | table.split() | _violations(counted) | four_speed(counted) | _catches(counted))
    overall |= _named(TASK, _sensitivity(counted) | _counts(scores))
    for family, cell in sorted(by_key((score.group, score) for score in counted).items()):
        own = _Table(cell, seed, draws)
        bands = own.split(dict.fromkeys(BANDS, ("saa", "freeze")))
        overall |= _named(f"{family}/{TASK}", own.means(WITHIN) | bands | {"n": float(len(cell))})
    return overall


@dataclass(frozen=True)
class _Sums:
    """Sum and count of a value: over all decisions, and in the resamples."""

    sum: float
    count: float
    sums: np.ndarray
    counts: np.ndarray


class _Table:
    """Sums of all values in all strata, resampled together, so that their intervals cost one draw."""

    def __init__(self, scores: Sequence[Score], seed: int, draws: int) -> None:
        cells: dict[tuple[str, float], dict[tuple[str, str], list[float]]] = {}
        for score in scores:
            cell = cells.setdefault((score.group, score.values["set"]), defaultdict(lambda: [0.0, 0.0]))
            for name, value in MEANS.items():
                if value in score.values:
                    for stratum in ("", *_strata(score)):
                        entry = cell[name, stratum]
                        entry[0] += score.values[value]
                        entry[1] += 1
        self.columns = {key: k for k, key in enumerate(sorted({key for cell in cells.values() for key in cell}))}
        rows = np.zeros((len(cells), 2 * len(self.columns)))
        for row, cell in zip(rows, cells.values(), strict=True):
            for key, entry in cell.items():
                k = 2 * self.columns[key]
                row[k : k + 2] = entry
        self.totals = rows.sum(axis=0)
        self.drawn = bootstrap_sums(rows, seed=seed, draws=draws) if len(cells) else rows

    def sums(self, name: str, stratum: str = "") -> _Sums | None:
        """Of a metric in a stratum; None where nothing was counted."""
        if (name, stratum) not in self.columns:
            return None
        k = 2 * self.columns[name, stratum]
        return _Sums(self.totals[k], self.totals[k + 1], self.drawn[:, k], self.drawn[:, k + 1])

    def means(self, names: Iterable[str]) -> dict[str, float]:
        """The metrics over all decisions, in order."""
        values: dict[str, float] = {}
        for name in names:
            values |= _mean(name, self.sums(name))
            answered = self.sums(name, "answered") if name in ANSWERED else None
            if answered is not None:
                values[f"{name}/answered"] = answered.sum / answered.count
        return values

    def split(self, split: Mapping[str, tuple[str, ...]] = SPLIT) -> dict[str, float]:
        """The metrics by stratum."""
        categories = sorted({stratum for _, stratum in self.columns if stratum.startswith("category_")})
        values: dict[str, float] = {}
        for stratum, names in {**split, **dict.fromkeys(categories, ("saa", "safety"))}.items():
            for name in names:
                values |= _mean(f"{name}_{stratum}", self.sums(name, stratum))
            found = self.sums("saa", stratum)
            if found is not None:
                values[f"saa_{stratum}/n"] = float(found.count)
        return values


def _mean(name: str, found: _Sums | None) -> dict[str, float]:
    if found is None:
        return {}
    values = {name: float(found.sum / found.count)}
    interval = percentile_interval(ratio(found.sums, found.counts))
    return values if interval is None else values | {f"{name}/low": interval[0], f"{name}/high": interval[1]}


def _strata(score: Score) -> list[str]:
    """The strata of a decision."""
    values = score.values
    strata = [name for flag, name in TRUTHS.items() if values.get(flag)]
    strata += [band for band in BANDS if values.get(f"band_{band}")]
    strata += [name for name in values if name.startswith("category_")]
    strata += ["adversarial"] if values["adversarial"] else []
    strata += ["answered"] if values["answered"] else []
    if "tti" in values:
        strata.append("tti_negative" if values["tti"] < 0 else "tti_positive")
    return strata


def act_of(score: Score) -> str:
    """The recovered action."""
    return next(act for act in ACTS if score.values[f"act_{act}"])


def four_speed(scores: Sequence[Score]) -> dict[str, float]:
    """Share of the four-band groups that were given the same action in all bands; groups that lack one are left out."""
    acts: dict[tuple[str, float], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for score in scores:
        band = next(band for band in BANDS if score.values.get(f"band_{band}"))
        acts[score.group, score.values["set"]][band].add(act_of(score))
    whole = [bands for bands in acts.values() if len(bands) == len(BANDS)]
    if not whole:
        return {}
    equal = sum(len(set().union(*bands.values())) == 1 for bands in whole)
    low, high = wilson(equal, len(whole))
    share = equal / len(whole)
    values = {"four_speed_equal": share, "four_speed_equal/low": low, "four_speed_equal/high": high}
    return values | {"four_speed_equal/n": float(len(whole))}


def _violations(scores: Sequence[Score]) -> dict[str, float]:
    """How often each rule was broken, and how often adversarial looks were believed."""
    counts = {f"violations_{rule}": sum(score.values[f"rule_{rule}"] for score in scores) for rule in RULES}
    values = {"violations": float(sum(counts.values())), **{name: float(count) for name, count in counts.items()}}
    probes = [score.values["fooled"] for score in scores if score.values["adversarial"]]
    return values | ({"fooled": sum(probes) / len(probes)} if probes else {})


def _catches(scores: Sequence[Score]) -> dict[str, float]:
    """How near correct catches come."""
    right = [s.values for s in scores if s.values["exact"] and s.values[f"act_{CATCH}"] and "d_end" in s.values]
    if not right:
        return {}
    return {
        "catch_miss": median(values["d_end"] for values in right),
        "catch_short": sum(values["falls_short"] for values in right) / len(right),
        "catch_far": sum(values["root"] > FAR for values in right) / len(right),
    }


def _sensitivity(scores: Sequence[Score]) -> dict[str, float]:
    """How much hangs on each threshold of the recovery."""
    names = dict.fromkeys(name for score in scores for name in score.values if name.startswith("moved_"))
    shares = {name: sum(score.values.get(name, 0.0) for score in scores) / len(scores) for name in names}
    return {f"sensitivity_{name.removeprefix('moved_')}": share for name, share in shares.items()}


def _counts(scores: Sequence[Score]) -> dict[str, float]:
    total, answered = len(scores), sum(score.values["answered"] for score in scores)
    decided = sum(score.values["n"] for score in scores)
    failed = {f"failed/{reason}": sum(score.status == reason for score in scores) / total for reason in REASONS}
    counts = {"n": float(decided), "n_answered": float(answered), "lost": float(total - decided)}
    return counts | {"failed": (total - answered) / total, **failed}


def _named(prefix: str, values: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix}/{name}": value for name, value in values.items()}
