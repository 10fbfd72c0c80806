"""What several models say side by side: means over models, and their vote (ReactHuman specification, section 13.4).

Names are `react/<name>`. `models_<metric>` is the mean over models, `pooled_<metric>` over all decisions of all models.
`majority` is the accuracy of the action that most models choose (a tie counts by the share of the tied actions that are
right, and what could not be read has no vote), `unanimous` the share of scenes in which all choose the same, and
`unanimous_right` how many of those are right. Only runs with equal options are put together; of several such sets,
names begin with `set_<number>_`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.protocol import Run, Score
from jaxphys_benchmarks.reacthuman.aggregate import MEANS, TASK, act_of
from jaxphys_benchmarks.reacthuman.recover import ACTS, UNPARSEABLE

PUBLISHED = ("saa", "safety", "d_end", "aia", "d_min")
"""Metrics of the main table."""


def contrast(runs: Mapping[str, Run]) -> dict[str, float]:
    """Means and votes of two or more runs with equal options, by name."""
    sets = by_key((json.dumps(dict(run.options), sort_keys=True, default=str), run) for run in runs.values())
    several = [alike for alike in sets.values() if len(alike) > 1]
    values: dict[str, float] = {}
    for number, alike in enumerate(several, start=1):
        prefix = f"set_{number}_" if len(several) > 1 else ""
        decided = [[score for score in run.scores if score.values["n"]] for run in alike]
        found = _means(decided) | _votes(decided)
        values |= {f"{TASK}/{prefix}{name}": value for name, value in found.items()}
    return values


def _means(models: Sequence[Sequence[Score]]) -> dict[str, float]:
    values: dict[str, float] = {}
    for name in PUBLISHED:
        rows = [[score.values[MEANS[name]] for score in scores if MEANS[name] in score.values] for scores in models]
        known = [row for row in rows if row]
        if known:
            values[f"models_{name}"] = fmean(fmean(row) for row in known)
            values[f"pooled_{name}"] = fmean(value for row in known for value in row)
    return values


def _votes(models: Sequence[Sequence[Score]]) -> dict[str, float]:
    """Over the scenes that all models decided."""
    asked: dict[str, list[Score]] = defaultdict(list)
    for scores in models:
        for score in scores:
            asked[score.question].append(score)
    common = [votes for votes in asked.values() if len(votes) == len(models)]
    if not common:
        return {}
    unanimous = [votes for votes in common if len({act_of(vote) for vote in votes}) == 1]
    values = {
        "majority": fmean(_majority(votes) for votes in common),
        "unanimous": len(unanimous) / len(common),
        "voted": float(len(common)),
    }
    return values | ({"unanimous_right": fmean(v[0].values["exact"] for v in unanimous)} if unanimous else {})


def _majority(votes: Sequence[Score]) -> float:
    """Whether the commonest action is right; with a tie, the share of the tied ones that are."""
    counts = Counter(act for vote in votes if (act := act_of(vote)) != UNPARSEABLE)
    most = max(counts.values(), default=0)
    first = [act for act in ACTS if counts[act] == most and most]
    right = {act_of(vote) for vote in votes if vote.values["exact"]}
    return sum(act in right for act in first) / len(first) if first else 0.0
