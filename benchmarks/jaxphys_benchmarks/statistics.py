"""Rates and their uncertainty: Wilson and Newcombe intervals, McNemar's test, bootstrap over scenes, balanced accuracy.

Counts come in, rates go out; a rate whose denominator is zero is NaN, for the caller to leave out.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

Z_95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


def ratio(count: ArrayLike, total: ArrayLike) -> np.ndarray:
    """count / total, elementwise; NaN where the total is zero."""
    below = np.asarray(total, np.float64)
    return np.asarray(np.divide(np.asarray(count, float), below, out=np.full(below.shape, np.nan), where=below > 0))


def balanced_accuracy(
    true_positive: ArrayLike, positive: ArrayLike, true_negative: ArrayLike, negative: ArrayLike
) -> np.ndarray:
    """Mean of recall and specificity, elementwise; NaN where one class is absent."""
    return np.asarray((ratio(true_positive, positive) + ratio(true_negative, negative)) / 2)


def wilson(successes: float, total: float, z: float = Z_95) -> tuple[float, float]:
    """Score interval of a binomial rate (E. B. Wilson, 1927), within [0, 1].

    Args:
        successes: number of successes, 0 <= successes <= total.
        total: number of independent trials; 0 gives (0, 1).
        z: normal quantile.

    Raises:
        ValueError: successes outside [0, total].
    """
    if not 0 <= successes <= total:
        raise ValueError(f"successes must lie in [0, {total}], got {successes}")
    if total == 0:
        return 0.0, 1.0
    share = successes / total
    centre = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == total else (centre + spread) / scale
    return low, high


def newcombe(
    successes: float, total: float, other_successes: float, other_total: float, z: float = Z_95
) -> tuple[float, float]:
    """Interval of the difference of two independent rates, the first minus the other, within [-1, 1].

    R. G. Newcombe, Statistics in Medicine 17 (1998) 873, method 10: Wilson intervals put together.

    Args:
        successes, total: of the first sample. other_successes, other_total: of the other one. A total of 0 is a rate
            of which nothing is known.
        z: normal quantile.

    Raises:
        ValueError: successes outside [0, total].
    """
    return _difference(
        _rate(successes, total), wilson(successes, total, z),
        _rate(other_successes, other_total), wilson(other_successes, other_total, z),
        0.0,
    )  # fmt: skip


def newcombe_paired(both: float, first: float, second: float, neither: float, z: float = Z_95) -> tuple[float, float]:
    """Interval of the difference of two rates over the same trials, the first minus the second, within [-1, 1].

    R. G. Newcombe, Statistics in Medicine 17 (1998) 2635, method 10: as `newcombe`, with the correlation of the two.

    Args:
        both, first, second, neither: trials in which both succeed, only the first, only the second, neither.
        z: normal quantile.

    Raises:
        ValueError: a negative count.
    """
    if min(both, first, second, neither) < 0:
        raise ValueError(f"counts {(both, first, second, neither)} must not be negative")
    total = both + first + second + neither
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    excess = both * neither - first * second
    if excess > 0:
        # The continuity correction pulls a positive correlation towards zero, never beyond.
        excess = max(excess - total / 2, 0.0)
    correlation = excess / math.sqrt(margins) if margins else 0.0
    return _difference(
        _rate(both + first, total), wilson(both + first, total, z),
        _rate(both + second, total), wilson(both + second, total, z),
        correlation,
    )  # fmt: skip


def _rate(successes: float, total: float) -> float:
    """Share of successes; of no trials the middle, where `wilson` is centred."""
    return successes / total if total else 0.5


def _difference(
    one: float, around_one: tuple[float, float], other: float, around_other: tuple[float, float], correlation: float
) -> tuple[float, float]:
    """Interval of `one - other` from their own intervals and their correlation."""

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(a * a - 2 * correlation * a * b + b * b, 0.0))

    low = one - other - reach(one - around_one[0], around_other[1] - other)
    high = one - other + reach(around_one[1] - one, other - around_other[0])
    return max(low, -1.0), min(high, 1.0)


def mcnemar(first: int, second: int) -> float:
    """Exact two-sided p value of McNemar's test (Q. McNemar, 1947): is one of two paired rates larger?

    Args:
        first, second: numbers of trials in which only the first, only the second succeeds; ties say nothing.

    Returns:
        Probability that `first + second` fair coins fall at least as unevenly; 1 without any.

    Raises:
        ValueError: a negative count.
    """
    if min(first, second) < 0:
        raise ValueError(f"counts {(first, second)} must not be negative")
    coins, fewer = first + second, min(first, second)
    tail = ways = 1
    for k in range(fewer):
        ways = ways * (coins - k) // (k + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << coins))


def bootstrap_sums(rows: np.ndarray, *, seed: int = 0, draws: int = 1000) -> np.ndarray:
    """Column sums of resampled scenes, whole scenes being drawn with replacement.

    Args:
        rows: (scenes, k) counts of each scene.
        seed: of the resampling; equal seeds give equal sums.
        draws: number of resamples.

    Returns:
        (draws, k) sums; a rate of two columns is to be formed after summing.

    Raises:
        ValueError: no scenes.
    """
    scenes = len(rows)
    if scenes == 0:
        raise ValueError("rows: no scenes to draw from; give at least one")
    rng = np.random.default_rng(seed)
    shares = np.full(scenes, 1 / scenes)
    # How often each scene occurs is drawn, not which ones occur: one matrix product per block of draws.
    blocks = [rng.multinomial(scenes, shares, size=min(100, draws - k)) @ rows for k in range(0, draws, 100)]
    return np.concatenate(blocks)


def percentile_interval(values: np.ndarray) -> tuple[float, float] | None:
    """95 % percentile interval of resampled values; undefined ones (NaN) are left out, None if all are."""
    defined = values[np.isfinite(values)]
    if not defined.size:
        return None
    low, high = np.quantile(defined, (0.025, 0.975))
    return float(low), float(high)
