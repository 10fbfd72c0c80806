"""Scores to metrics: accuracy by scenario, disparities, families, letters (InPhyRe specification, section 7.1).

`choice/accuracy` is over all samples and `<scenario>/choice/accuracy` within a scenario, with Wilson's interval;
`/answered` counts only questions with an answer, while without it a missing answer is wrong. `choice/disparity` of an
irregular scenario is the accuracy of its regular counterpart minus its own, with Newcombe's interval, and over all
scenarios the mean of those that can be formed. SB obeys true physics, but counts as irregular, as in the paper.
`choice/accuracy_<family>` is within a family, where there are several. `choice/letter_<X>` is the share of answers that
name a letter as shown, `choice/undetermined` the share of questions answered so. `mean` is the plain mean of the
accuracies of the scenarios.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.statistics import newcombe, wilson

TASK = "choice"
REASONS = ("empty", "no_answer", "ambiguous", "invalid", "truncated", "refusal", "timeout", "error", "unanswered")
"""Why there is no answer: every `Answer.status` but "ok"."""

Counts = Mapping[str, float]


def aggregate(scores: Sequence[Score]) -> dict[str, float]:
    """All metrics of one model.

    Args:
        scores: in any order; scenarios (`Score.group`) may be missing.

    Returns:
        Finite numbers by name, see the module's first lines; those over all scenarios come first.
    """
    by_scenario = by_key((score.group, score) for score in scores)
    cells = {name: by_scenario[name] for name in sorted(by_scenario, key=_place)}
    if not cells:
        return {}
    sums = {name: _sums(cell) for name, cell in cells.items()}
    within = {name: _metrics(cell) | _families(sums[name]) for name, cell in cells.items()}
    gaps = {name: gap for name in cells if (gap := _disparity(name, sums))}
    mean_gap = {"disparity": fmean(gap["disparity"] for gap in gaps.values())} if gaps else {}
    overall = {"mean": fmean(metrics["accuracy"] for metrics in within.values())}
    overall |= _named(TASK, _in_order(_metrics(scores), mean_gap))
    for name, metrics in within.items():
        overall |= _named(f"{name}/{TASK}", _in_order(metrics, gaps.get(name, {})))
    return overall


def _in_order(metrics: Counts, gap: Counts) -> Counts:
    """The disparity comes next to the accuracy."""
    first = {name: value for name, value in metrics.items() if name.startswith("accuracy")}
    return {**first, **gap, **metrics}


def _place(scenario: str) -> tuple[int, str]:
    """Order of the paper; unknown scenarios, as of data made elsewhere, come last."""
    names = list(SCENARIOS)
    return (names.index(scenario) if scenario in names else len(names), scenario)


def _sums(scores: Sequence[Score]) -> dict[str, float]:
    names = sorted({name for score in scores for name in score.values})
    return {name: sum(score.values.get(name, 0.0) for score in scores) for name in names}


def _metrics(scores: Sequence[Score]) -> dict[str, float]:
    sums, total = _sums(scores), float(len(scores))
    answered = sums["answered"]
    values = _rate("accuracy", sums["exact"], total)
    if answered:
        values["accuracy/answered"] = sums["exact"] / answered
        values |= {f"letter_{letter}": sums[f"letter_{letter}"] / answered for letter in LETTERS}
    values["undetermined"] = sums["undetermined"] / total
    failed = {f"failed/{reason}": sum(score.status == reason for score in scores) / total for reason in REASONS}
    return values | {"n": total, "n_answered": answered, "failed": (total - answered) / total, **failed}


def _families(sums: Counts) -> dict[str, float]:
    names = [name.removeprefix("family_") for name in sums if name.startswith("family_")]
    values: dict[str, float] = {}
    if len(names) > 1:
        for name in names:
            total = sums[f"family_{name}"]
            values |= _rate(f"accuracy_{name}", sums[f"exact_{name}"], total) | {f"accuracy_{name}/n": total}
    return values


def _rate(name: str, successes: float, total: float) -> dict[str, float]:
    low, high = wilson(successes, total)
    return {name: successes / total, f"{name}/low": low, f"{name}/high": high}


def _disparity(scenario: str, sums: Mapping[str, Counts]) -> dict[str, float]:
    """How much better the regular counterpart is answered; empty for regular scenarios, or without the counterpart."""
    known = SCENARIOS.get(scenario)
    if known is None or known.is_regular or known.regular not in sums:
        return {}
    own, other = sums[scenario], sums[known.regular]
    low, high = newcombe(other["exact"], other["n"], own["exact"], own["n"])
    gap = other["exact"] / other["n"] - own["exact"] / own["n"]
    return {"disparity": gap, "disparity/low": low, "disparity/high": high}


def _named(prefix: str, values: Counts) -> dict[str, float]:
    return {f"{prefix}/{name}": value for name, value in values.items()}
