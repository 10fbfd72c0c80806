"""Intervals and rates against closed forms and published values."""

import numpy as np
import pytest

from jaxphys_benchmarks.statistics import balanced_accuracy, bootstrap_sums, percentile_interval, ratio, wilson


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(successes: int, total: int, low: float, high: float) -> None:
    assert wilson(successes, total) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(7, 7)[1] == 1.0
    assert wilson(3, 10) == pytest.approx(tuple(1 - edge for edge in reversed(wilson(7, 10))))
    with pytest.raises(ValueError, match="successes"):
        wilson(8, 7)


def test_bootstrap_has_the_spread_of_a_binomial_rate_and_repeats() -> None:
    rows = np.column_stack([np.arange(400) % 4 == 0, np.ones(400)]).astype(float)
    sums = bootstrap_sums(rows, seed=1, draws=4000)
    shares = sums[:, 0] / sums[:, 1]
    assert np.mean(shares) == pytest.approx(0.25, abs=0.002)
    assert np.std(shares) == pytest.approx(np.sqrt(0.25 * 0.75 / 400), rel=0.05)
    assert np.array_equal(sums, bootstrap_sums(rows, seed=1, draws=4000))
    assert not np.array_equal(sums, bootstrap_sums(rows, seed=2, draws=4000))
    assert percentile_interval(shares) == pytest.approx((0.2075, 0.2925), abs=0.006)


def test_bootstrap_draws_whole_scenes() -> None:
    """Items of one scene stay together: their number never changes the spread."""
    scenes = np.arange(50) % 2
    once, many = np.column_stack([scenes, np.ones(50)]), np.column_stack([6 * scenes, 6 * np.ones(50)])
    assert np.array_equal(bootstrap_sums(once, draws=250) * 6, bootstrap_sums(many, draws=250))
    with pytest.raises(ValueError, match="scene"):
        bootstrap_sums(np.empty((0, 2)))


def test_undefined_rates_are_nan_and_left_out() -> None:
    assert np.isnan(ratio(0, 0))
    assert np.isnan(balanced_accuracy(0, 0, 3, 4))
    assert balanced_accuracy(1, 2, 3, 4) == pytest.approx(0.625)
    assert percentile_interval(np.array([np.nan, np.nan])) is None
    assert percentile_interval(np.array([np.nan, 0.5])) == (0.5, 0.5)
