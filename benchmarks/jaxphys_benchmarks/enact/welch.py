"""Welch's t-test of a variant against the baseline (B. L. Welch, 1947; ENACT specification, section 9.2).

Two-tailed, unpaired, unequal variances. A difference is the variant's mean minus the baseline's, so that worse is
negative, as in the published figures.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr  # type: ignore[import-untyped]

SIGNIFICANT = 0.05
"""Published level of significance."""

SMALL = 0.05
"""Published: a smaller absolute difference counts as small."""


@dataclass(frozen=True)
class Welch:
    """A difference of means and how sure it is.

    Attributes:
        difference: variant - baseline. t, df: statistic and degrees of freedom. p: two-tailed. The last three are NaN
            where a sample has fewer than 2 values, or nothing varies and the means are equal.
    """

    difference: float
    t: float
    df: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether p < 0.05."""
        return self.p < SIGNIFICANT

    @property
    def small(self) -> bool:
        """Whether the difference is below 0.05."""
        return abs(self.difference) < SMALL


def welch(variant: Sequence[float], baseline: Sequence[float]) -> Welch:
    """The test.

    Args:
        variant: scores of items under the variant, at least 1.
        baseline: scores of items under the baseline, at least 1.

    Raises:
        ValueError: a sample is empty or holds NaN.
    """
    a, b = np.asarray(variant, np.float64), np.asarray(baseline, np.float64)
    for name, sample in (("variant", a), ("baseline", b)):
        if sample.size == 0 or not np.isfinite(sample).all():
            raise ValueError(f"{name}: {sample.size} scores, all of them must be numbers and there must be some")
    difference = float(a.mean() - b.mean())
    if min(a.size, b.size) < 2:
        return Welch(difference, math.nan, math.nan, math.nan)
    of_a, of_b = a.var(ddof=1) / a.size, b.var(ddof=1) / b.size
    spread = float(of_a + of_b)
    if spread == 0:
        # Without any variance a difference is certain, and no difference says nothing.
        return Welch(difference, math.copysign(math.inf, difference), 1.0, 0.0) if difference else _nothing()
    t = difference / math.sqrt(spread)
    df = float(spread**2 / (of_a**2 / (a.size - 1) + of_b**2 / (b.size - 1)))
    return Welch(difference, t, df, float(2 * stdtr(df, -abs(t))))


def ablation(scores: Mapping[str, Sequence[float]], baseline: str) -> dict[str, dict[str, Any]]:
    """Every variant against the baseline, ready for JSON.

    Args:
        scores: pairwise accuracies of items, by variant.
        baseline: name of the variant that the others are compared with.

    Raises:
        ValueError: no such variant, or as `welch`.
    """
    if baseline not in scores:
        raise ValueError(f"baseline: {baseline!r} is none of {', '.join(scores)}")
    found = {}
    for name, values in scores.items():
        if name != baseline:
            test = welch(values, scores[baseline])
            found[name] = {
                "difference": test.difference,
                "p": test.p,
                "significant": test.significant,
                "small": test.small,
                "items": len(values),
                "items_baseline": len(scores[baseline]),
            }
    return found


def _nothing() -> Welch:
    return Welch(0.0, math.nan, math.nan, math.nan)
