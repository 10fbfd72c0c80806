"""Rates and their uncertainty: Wilson intervals, bootstrap over scenes, balanced accuracy.

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
