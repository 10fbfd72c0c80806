"""Intervals, rates and tests against closed forms and published values."""

import itertools
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.statistics import (
    balanced_accuracy,
    bootstrap_sums,
    mcnemar,
    newcombe,
    newcombe_paired,
    percentile_interval,
    ratio,
    wilson,
)


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


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998) 873, table II, method 10.
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0),
        ((10, 10, 0, 10), 0.6075, 1.0),
    ],
)
def test_newcombe_gives_the_published_intervals(counts: tuple[int, ...], low: float, high: float) -> None:
    assert newcombe(*counts) == pytest.approx((low, high), abs=5e-5)
    assert newcombe(*counts[2:], *counts[:2]) == pytest.approx((-high, -low), abs=5e-5)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998) 2635, method 10.
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((36, 14, 0, 0), 0.1528, 0.4167),
        ((54, 0, 0, 0), -0.0664, 0.0664),
    ],
)
def test_newcombe_of_pairs_gives_the_published_intervals(counts: tuple[int, ...], low: float, high: float) -> None:
    both, first, second, neither = counts
    assert newcombe_paired(*counts) == pytest.approx((low, high), abs=5e-5)
    assert newcombe_paired(both, second, first, neither) == pytest.approx((-high, -low), abs=5e-5)


def test_pairs_that_go_together_tell_more_than_strangers() -> None:
    alike, apart = newcombe_paired(40, 10, 5, 45), newcombe(50, 100, 45, 100)
    assert alike[1] - alike[0] < apart[1] - apart[0]
    strangers = newcombe_paired(24, 36, 16, 24)  # independent: 0.6 * 0.4 of 100, and so on
    assert strangers == pytest.approx(newcombe(60, 100, 40, 100))


def test_mcnemar_is_the_share_of_coin_rows_at_least_as_uneven() -> None:
    for first, second in itertools.product(range(6), repeat=2):
        rows = list(itertools.product((0, 1), repeat=first + second))
        uneven = [row for row in rows if abs(2 * sum(row) - len(row)) >= abs(first - second)]
        assert mcnemar(first, second) == pytest.approx(len(uneven) / len(rows), rel=1e-12)
    assert mcnemar(9900, 10100) == pytest.approx(0.15938, abs=5e-5)  # normal with continuity correction: 0.15939
    assert 0 < mcnemar(0, 1000) < 1e-300


@pytest.mark.parametrize(
    "call", [lambda: newcombe_paired(1, -1, 2, 2), lambda: mcnemar(-1, 2), lambda: newcombe(2, 1, 0, 1)]
)
def test_impossible_counts_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match=r"counts|successes"):
        call()


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
