"""Stability screen and margins: verdicts of single scenes, and the measured statistics of the specification."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.sample import draw
from jaxphys_benchmarks.billiardphys.screen import EPS_LADDER, accepted, noisy_start, robustness, verdicts
from jaxphys_kernels.status import Status
from tests.benchmarks.billiardphys.scenes import CONFIG, SEED, draw_window, head_on, pool, table, truth

WINDOWS = (1.0, 2.0, 3.0, 4.0, 5.0)
N = 400
"""Scenes per window of the statistics."""

HIT_RATE = dict(zip(WINDOWS, (0.497, 0.515, 0.457, 0.499, 0.492), strict=True))
WALL_RATE = dict(zip(WINDOWS, (0.923, 0.908, 0.923, 0.902, 0.907), strict=True))
COMMON_RATE = dict(zip(WINDOWS, (0.18, 0.30, 0.42, 0.54, 0.52), strict=True))
FLAGS = {1.0: (0.038, 0.098), 3.0: (0.028, 0.085), 5.0: (0.023, 0.083)}
ROBUSTNESS = {
    1e-6: ((0, 0), (0, 0), (0, 0)),
    1e-4: ((0, 0.010), (0, 0.003), (0.03, 0.06)),
    1e-3: ((0.01, 0.05), (0.01, 0.03), (0.16, 0.28)),
    1e-2: ((0.12, 0.18), (0.08, 0.15), (0.46, 0.52)),
}
"""Ranges over t of the shares of scenes whose Q1 set, Q2 set, or any ball by more than R, changes."""


def tolerance(share: float, ours: int, theirs: int) -> float:
    """Three standard errors of the difference of two shares, at least of two events."""
    p = max(share, 2 / ours)
    return 3 * math.sqrt(p * (1 - p) * (1 / ours + 1 / theirs))


@pytest.mark.parametrize("window", WINDOWS)
def test_half_of_the_scenes_have_a_hit(window: float) -> None:
    labels = truth(draw_window(CONFIG, SEED, window, range(1500)))
    hits = sum(any(known.q1) for known in labels) / 1500
    walls = sum(any(known.q2) for known in labels) / 1500
    assert hits == pytest.approx(HIT_RATE[window], abs=tolerance(0.5, 1500, 1500))
    assert walls == pytest.approx(WALL_RATE[window], abs=tolerance(0.91, 1500, 1500))


@pytest.mark.parametrize("window", WINDOWS)
def test_the_common_speed_range_has_fewer_hits_in_short_windows(window: float) -> None:
    labels = truth(accepted(BilliardConfig(v0_policy="common", screen=False), SEED, window, range(N)))
    hits = sum(any(known.q1) for known in labels) / N
    assert hits == pytest.approx(COMMON_RATE[window], abs=tolerance(COMMON_RATE[window], N, 300))


def test_chains_and_events_are_as_frequent_as_measured() -> None:
    for window in WINDOWS:
        _, labels = pool(window, N)
        second = sum(any(e.kind == "ball" and 0 not in e.ids for e in known.events) for known in labels) / N
        contacts = sum(e.kind == "ball" for known in labels for e in known.events) / N
        assert 0.07 - tolerance(0.07, N, 300) <= second <= 0.14 + tolerance(0.14, N, 300)
        # Contacts of a scene scatter by about 1, so 0.2 is three standard errors of the difference.
        assert 0.63 - 0.2 <= contacts <= 0.79 + 0.2


def test_the_screen_rejects_almost_nothing() -> None:
    assert sum(len(spec.rejected) for window in WINDOWS for spec in pool(window, N)[0]) <= 3


@pytest.mark.parametrize("window", FLAGS)
def test_margin_flags_are_as_frequent_as_measured(window: float) -> None:
    margins = [spec.margin for spec in pool(window, N)[0] if spec.margin is not None]
    assert len(margins) == N
    flag, q3 = FLAGS[window]
    assert sum(margin.flag for margin in margins) / N == pytest.approx(flag, abs=tolerance(flag, N, 400))
    assert sum(margin.q3 for margin in margins) / N == pytest.approx(q3, abs=tolerance(q3, N, 400))
    for margin in margins:
        assert margin.flag == (margin.q1 or margin.q2)
        assert margin.eps == 1e-4
        assert margin.eps_ok in (None, *EPS_LADDER)
        # The ladder contains the flag's error.
        assert margin.flag or (margin.eps_ok is not None and margin.eps_ok >= 1e-5)
        assert not margin.flag or margin.eps_ok is None or margin.eps_ok < 1e-4


@pytest.mark.parametrize("eps", ROBUSTNESS)
def test_label_robustness_is_as_measured(eps: float) -> None:
    for window in (1.0, 3.0, 5.0):
        found = robustness(pool(window, N)[0], eps)
        for share, (low, high) in zip(found, ROBUSTNESS[eps], strict=True):
            assert low - tolerance(low, N, 300) <= share <= high + tolerance(high, N, 300)


def test_a_verdict_does_not_depend_on_the_batch() -> None:
    specs = [draw(CONFIG, 3, 2.0, index) for index in range(64)]
    together = verdicts(specs, CONFIG)
    assert [verdicts([spec], CONFIG)[0] for spec in specs[:8]] == together[:8]
    assert verdicts(specs[::-1], CONFIG)[::-1] == together


def test_an_exact_tie_is_unstable() -> None:
    wedge = table([(0.5, 0.5), (1.0, 0.54), (1.0, 0.46)], 0.6, 2.0)
    graze = table([(0.5, 0.5), (1.0, 0.56 - 1e-13)], 0.6, 2.0)
    for spec in (wedge, graze):
        assert truth([spec])[0].status == 0
        ((status, margin),) = verdicts([spec], CONFIG)
        assert status == Status.UNSTABLE_LABEL
        assert margin is not None
    assert verdicts([head_on()], CONFIG)[0][0] == 0


def test_rejected_draws_are_counted_and_replaced() -> None:
    strict = BilliardConfig(margin_policy="drop", margin_eps=1e-2)
    specs = accepted(strict, SEED, 3.0, range(40))
    assert [spec.index for spec in specs] == list(range(40))
    assert {len(spec.rejected) == spec.attempt for spec in specs} == {True}
    assert sum(spec.attempt for spec in specs) > 5
    assert not any(spec.margin.flag for spec in specs if spec.margin is not None)
    for spec in specs[:10]:
        again = draw(strict, SEED, 3.0, spec.index, spec.attempt)
        assert again.positions == spec.positions
        assert set(spec.rejected) <= {int(Status.UNSTABLE_LABEL)}
        assert accepted(strict, SEED, 3.0, [spec.index]) == [spec]


def test_a_scene_that_never_passes_keeps_its_status() -> None:
    hopeless = BilliardConfig(max_events=1, max_draws=2)
    specs = accepted(hopeless, SEED, 5.0, range(30))
    failed = [spec for spec in specs if spec.status]
    assert failed
    for spec in failed:
        assert spec.status & Status.EVENT_CAP
        assert (len(spec.rejected), spec.attempt) == (1, 1)
    assert all(known.status for spec, known in zip(specs, truth(specs), strict=True) if spec.status)


def test_without_screen_nothing_is_redrawn() -> None:
    plain = BilliardConfig(screen=False)
    specs = accepted(plain, SEED, 3.0, range(20))
    assert specs == [draw(plain, SEED, 3.0, index) for index in range(20)]
    assert {spec.margin for spec in specs} == {None}


def test_noise_never_makes_an_impossible_scene() -> None:
    tight = table([(0.03, 0.5), (0.0901, 0.5), (0.5, 0.97)], 0.6, 2.0)
    rng = np.random.default_rng(0)
    for _ in range(50):
        start = noisy_start(tight, 1e-2, rng)
        assert start is not None
        assert np.all((start >= 0.03) & (start <= [1.97, 0.97]))
        assert np.linalg.norm(start[0] - start[1]) >= 0.06
    # Three balls in a row between four walls, without room to move.
    jammed = table([(0.03, 0.03), (0.09, 0.03), (0.15, 0.03)], 0.0, 2.0, table={"W": 0.18, "H": 0.06})
    assert noisy_start(jammed, 1e-2, rng) is None
    ((_, margin),) = verdicts([jammed], CONFIG)
    assert margin is not None
    assert margin.flag
    assert margin.eps_ok is None
