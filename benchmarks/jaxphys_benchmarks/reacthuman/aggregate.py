"""Scores to metrics: the five published ones, then what explains them (ReactHuman specification, section 13).

Names are `react/<metric>` over all families and `<family>/react/<metric>` within one. The published metrics come first:
`saa` (Semantic Action Accuracy), `safety`, `d_end` (m), `aia`, and `d_min`, `d_close` (m) of the hand distance error.
All are means over decisions; lost calls are left out, and what could not be read stays in as wrong and unsafe.
Distances are means over the decisions that have them. `<metric>_<stratum>` is within a stratum: `catch`, `dodge`,
`brace`, `no_action` (by the right action), `<band>`, `category_<category>`, `adversarial`, `object_<name>` (adversarial
objects and their twins), `tti_negative` or `tti_positive` (the impact lies before or after the freeze), and of scenes
to dodge the warning time, `dodge_late` (none), `dodge_short` (below 0.4 s) or `dodge_long`, and `seen` or `unseen` (no
view of the question shows the hazard enough; the metric `unseen` is the share of these). `freeze`, `caught` and
`dodged` are shares of what was done, `fooled` that of adversarial scenes answered as the look implies, `doubted` that
of those in which the look is questioned, `violations_<rule>` count, `sensitivity_<threshold>_<less or more>` is the
share of decisions that change when a threshold of the recovery moves by half and `saa_if_<threshold>_<less or more>`
the accuracy then, over all decisions but those that were told (one that could not be read counts, and never changes);
`early_...` are those of `early`. Where the robot carried the answers out, `executed_...` are shares and distances (m)
of what came (`clear`: nothing touched the robot); of closed loops `saa_last` is the accuracy of the last plan in
time, and `loop_asked` and `loop_answered` count. Intervals are drawn by bootstrap over four-band groups, which share
their sampled numbers; that of `four_speed_equal`, a share of such groups, is Wilson's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.reacthuman.early import early
from jaxphys_benchmarks.reacthuman.execution.telling import METRICS
from jaxphys_benchmarks.reacthuman.recover import ACTS, CATCH
from jaxphys_benchmarks.reacthuman.rules import RULES
from jaxphys_benchmarks.reacthuman.spec import BANDS
from jaxphys_benchmarks.statistics import bootstrap_sums, percentile_interval, ratio, wilson

TASK = "react"
REASONS = ("no_json", "invalid", "truncated", "no_answer", "refusal", "timeout", "error", "unanswered")
"""Why there is no answer: every `Answer.status` but "ok"."""
DRAWS = 1000

MEANS: dict[str, str] = {
    "saa": "exact",
    "safety": "safe",
    "d_end": "d_end",
    "aia": "aia",
    "d_min": "d_min",
    "d_close": "d_close",
    **METRICS,
    "freeze": "act_NO_ACTION",
    "caught": "act_EXECUTE_CATCH",
    "dodged": "act_TRIGGER_DODGE",
    "unseen": "unseen",
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

DISPOSITION = ("saa", "safety", "freeze", "caught", "dodged")
SPLIT: dict[str, tuple[str, ...]] = {
    "catch": (*DISPOSITION, "d_end", "d_at_impact", "executed_reached", "executed_caught"),
    **dict.fromkeys(("dodge", "brace", "no_action"), (*DISPOSITION, "executed_clear")),
    **dict.fromkeys(BANDS, ("saa", "safety", "freeze", "d_end")),
    "adversarial": ("saa", "safety", "freeze"),
    "tti_negative": ("saa", "safety", "d_end"),
    "tti_positive": ("saa", "safety", "d_end"),
    **dict.fromkeys(("dodge_late", "dodge_short", "dodge_long"), ("saa",)),
    **dict.fromkeys(("seen", "unseen"), ("saa", "safety")),
}
"""Metrics by stratum, in the order in which they are shown; those by category and by object follow."""
OPEN = {"category_": ("saa", "safety"), "object_": ("saa", "caught", "dodged")}
"""Metrics of strata whose names only the scores know, by how these begin."""
BY_FAMILY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(TRUTHS.values(), ("saa",)),
    **dict.fromkeys(BANDS, ("saa", "freeze")),
}
"""The same within a family."""
WITHIN = ("saa", "safety", "d_end", "aia", "d_min", "d_close", "freeze")
"""Metrics that are given by family."""
ANSWERED = ("saa", "safety", "aia")
"""Metrics that are also given over answered questions only."""

SHORT = 0.4
"""Below this there is little time left (s)."""
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
    overall |= _named(TASK, main | table.split(SPLIT, OPEN) | _violations(counted) | four_speed(counted))
    overall |= _named(TASK, _catches(counted) | early(counted) | sensitivity(counted) | _counts(scores))
    for family, cell in sorted(by_key((score.group, score) for score in counted).items()):
        own = _Table(cell, seed, draws)
        timing = [score.values["tti"] for score in cell if "tti" in score.values]
        facts = {"n": float(len(cell))} | ({"tti": fmean(timing)} if timing else {})
        overall |= _named(f"{family}/{TASK}", own.means(WITHIN) | own.split(BY_FAMILY) | facts)
    return overall


@dataclass(frozen=True)
class _Sums:
    """Sum and count of a value: over all decisions, and in the resamples; and in how many groups it occurs."""

    sum: float
    count: float
    groups: int
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
        self.groups = (rows > 0).sum(axis=0)
        self.drawn = bootstrap_sums(rows, seed=seed, draws=draws) if len(cells) else rows

    def sums(self, name: str, stratum: str = "") -> _Sums | None:
        """Of a metric in a stratum; None where nothing was counted."""
        if (name, stratum) not in self.columns:
            return None
        k = 2 * self.columns[name, stratum]
        return _Sums(
            self.totals[k], self.totals[k + 1], int(self.groups[k + 1]), self.drawn[:, k], self.drawn[:, k + 1]
        )

    def means(self, names: Iterable[str]) -> dict[str, float]:
        """The metrics over all decisions, in order."""
        values: dict[str, float] = {}
        for name in names:
            values |= _mean(name, self.sums(name))
            answered = self.sums(name, "answered") if name in ANSWERED else None
            if answered is not None:
                values[f"{name}/answered"] = answered.sum / answered.count
        return values

    def split(
        self, split: Mapping[str, tuple[str, ...]], beginnings: Mapping[str, tuple[str, ...]] | None = None
    ) -> dict[str, float]:
        """Metrics by stratum.

        Args:
            split: metrics by name of the stratum. beginnings: metrics by how further names begin.
        """
        strata = dict(split)
        for beginning, names in (beginnings or {}).items():
            found = {stratum for _, stratum in self.columns if stratum.startswith(beginning)}
            strata |= dict.fromkeys(sorted(found), names)
        values: dict[str, float] = {}
        for stratum, names in strata.items():
            for name in names:
                values |= _mean(f"{name}_{stratum}", self.sums(name, stratum))
            counted = self.sums("saa", stratum)
            if counted is not None:
                values[f"saa_{stratum}/n"] = float(counted.count)
        return values


def _mean(name: str, found: _Sums | None) -> dict[str, float]:
    if found is None:
        return {}
    values = {name: float(found.sum / found.count)}
    if found.groups < 2:
        return values  # one group, drawn again and again, would seem to leave no doubt
    interval = percentile_interval(ratio(found.sums, found.counts))
    return values if interval is None else values | {f"{name}/low": interval[0], f"{name}/high": interval[1]}


def _strata(score: Score) -> list[str]:
    """The strata of a decision."""
    values = score.values
    strata = [name for flag, name in TRUTHS.items() if values.get(flag)]
    strata += [band for band in BANDS if values.get(f"band_{band}")]
    strata += [name for name in values if name.startswith(tuple(OPEN))]
    strata += ["adversarial"] if values["adversarial"] else []
    strata += ["answered"] if values["answered"] else []
    if "unseen" in values:
        strata.append("unseen" if values["unseen"] else "seen")
    tti = values.get("tti")
    if tti is not None:
        strata.append("tti_negative" if tti < 0 else "tti_positive")
        if values.get("truth_TRIGGER_DODGE"):
            strata.append("dodge_late" if tti < 0 else "dodge_short" if tti < SHORT else "dodge_long")
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
    """How often each rule was broken, and how often adversarial looks were believed, or questioned."""
    counts = {f"violations_{rule}": sum(score.values[f"rule_{rule}"] for score in scores) for rule in RULES}
    values = {"violations": float(sum(counts.values())), **{name: float(count) for name, count in counts.items()}}
    probes = [score.values for score in scores if score.values["adversarial"]]
    for name in ("fooled", "doubted"):
        known = [row[name] for row in probes if name in row]
        values |= {name: fmean(known)} if known else {}
    return values


def _catches(scores: Sequence[Score]) -> dict[str, float]:
    """How near correct catches come."""
    right = [score.values for score in scores if score.values["exact"] and score.values[f"act_{CATCH}"]]
    columns = {
        "catch_miss": [values["d_end"] for values in right if "d_end" in values],
        "catch_short": [values["falls_short"] for values in right if "falls_short" in values],
        "catch_far": [float(values["root"] > FAR) for values in right if "root" in values],
    }
    middle = {"catch_miss": median}
    return {name: middle.get(name, fmean)(column) for name, column in columns.items() if column}


def sensitivity(scores: Sequence[Score]) -> dict[str, float]:
    """How much hangs on each threshold of the recovery: the share of actions that change, and the accuracy then."""
    values: dict[str, float] = {}
    for kept, shown in (("moved_", "sensitivity_"), ("exact_", "saa_if_")):
        columns: dict[str, list[float]] = defaultdict(list)
        for score in scores:
            for name, value in score.values.items():
                if name.startswith(kept):
                    columns[f"{shown}{name.removeprefix(kept)}"].append(value)
        values |= {name: fmean(column) for name, column in columns.items()}
    return values


def _counts(scores: Sequence[Score]) -> dict[str, float]:
    total, answered = len(scores), sum(score.values["answered"] for score in scores)
    decided = sum(score.values["n"] for score in scores)
    failed = {f"failed/{reason}": sum(score.status == reason for score in scores) / total for reason in REASONS}
    counts = {"n": float(decided), "n_answered": float(answered), "lost": float(total - decided)}
    return counts | {"failed": (total - answered) / total, **failed}


def _named(prefix: str, values: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix}/{name}": value for name, value in values.items()}
