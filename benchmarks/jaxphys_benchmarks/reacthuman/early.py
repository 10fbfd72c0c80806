"""The metrics of the project's early generator, beside the published five (ReactHuman specification, section 13.5).

Names begin with `early_`: `fer` (fatal errors: share of answers that catch what is not safe), `afr` (share of
adversarial scenes answered as the look implies), `rpr` (share of scenes to catch, of those whose impact is reachable
and not over, in which a hand is within 0.05 m of it at its time), `trajectory_error` (m, mean distance at the time of
the impact on scenes to catch; the early unit was cm), `ttc_error` (s, mean over catches of by how much the hands are
nearest later than the impact, with its sign) and `overall`, the geometric mean of 1 - fer, rpr and, where there are
adversarial scenes, 1 - afr; of what the early mean was taken is not public, so this choice is ours.
"""

import math
from collections.abc import Sequence
from statistics import fmean

from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.reacthuman.recover import CATCH


def early(scores: Sequence[Score]) -> dict[str, float]:
    """The early metrics over decisions, by name; what has no decisions is left out.

    Args:
        scores: of decisions, lost calls left out.
    """
    rows = [score.values for score in scores]
    catches = [row for row in rows if row.get(f"truth_{CATCH}")]
    columns = {
        "fer": [row["fer"] for row in rows if "fer" in row],
        "afr": [row["fooled"] for row in rows if row["adversarial"]],
        "rpr": [row["rpr"] for row in catches if "rpr" in row],
        "trajectory_error": [row["d_at_impact"] for row in catches if "d_at_impact" in row],
        "ttc_error": [row["ttc_error"] for row in catches if "ttc_error" in row],
    }
    means = {name: fmean(column) for name, column in columns.items() if column}
    if {"fer", "rpr"} <= set(means):
        goods = [means["rpr"], *(1 - means[name] for name in ("fer", "afr") if name in means)]
        means["overall"] = math.prod(goods) ** (1 / len(goods))
    return {f"early_{name}": value for name, value in means.items()}
