"""How the families behave: rates and tables on a few groups, and at length in the slow tests."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import calibrate, catalogue, sample
from jaxphys_benchmarks.reacthuman.calibrate import numbers, rates, table
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.spec import BANDS
from jaxphys_benchmarks.reacthuman.validate import LATE

GROUPS = 50
"""Seeds of each family in the slow tests."""

INERT = ("hanging_fall", "surface_cascade")
"""Families whose band changes the path, and not reliably the time."""


def test_rates_count_first_draws() -> None:
    one = rates(ReactHumanConfig(families=("ceiling_drop",)), "ceiling_drop", seed=1, count=3)
    assert (one.groups, one.accepted, one.event_rate) == (3, 3, 1.0)
    assert (one.monotone, one.whole, one.reasons) == (3, 3, {})
    medians = list(one.t_imp.values())
    assert medians == sorted(medians, reverse=True)
    assert table([one]).splitlines()[-1].startswith("| ceiling_drop | 12/12 | 3/3 | ")


def test_numbers_are_named_by_family() -> None:
    found = numbers(ReactHumanConfig(families=("ceiling_drop", "rolling_ball")), seed=1, count=2)
    assert found["ceiling_drop/events"] == found["rolling_ball/accepted"] == 1.0
    assert found["rolling_ball/t_imp/slow"] > found["rolling_ball/t_imp/very_fast"]
    assert 0 <= found["rolling_ball/in_window"] <= 1


def test_drag_makes_masses_visible() -> None:
    options = {"families": ("ceiling_drop",), "adversarial": "only", "decoy_fraction": 0.0}
    still, moved = (calibrate.visibility(ReactHumanConfig(**options, drag=drag), 1, 2) for drag in ("off", "quadratic"))
    assert {value for row in still["ceiling_drop"].values() for value in row} == {0.0}
    panels = moved["ceiling_drop"].get("foam_ceiling_panel", [])
    assert panels
    assert min(panels) > calibrate.VISIBLE_MM


@pytest.mark.slow
@pytest.mark.parametrize("family", catalogue.FAMILIES)
def test_events_happen_before_and_after_resampling(family: str) -> None:
    """4 bands x 50 seeds: at least 93 % before, all after; medians fall, and groups with them, where the band acts."""
    config = ReactHumanConfig(families=(family,), decoy_fraction=0.0)
    first = rates(config, family, count=GROUPS)
    assert first.event_rate >= 0.93
    made = sample.groups(config, 0, [(family, group) for group in range(GROUPS)])
    specs = [spec for one in made.values() for spec in one.specs.values()]
    truths = calibrate.label(specs, calibrate.simulate(specs, backend="c"), config.catalogue)
    assert all(truth.event_time is not None and truth.t_imp is not None for truth in truths)
    times = np.array([truth.t_imp for truth in truths]).reshape(GROUPS, len(BANDS))
    if FAMILIES[family].timed:
        assert np.all(np.diff(np.median(times, axis=0)) < 0)
        assert np.mean(np.all(np.diff(times, axis=1) <= LATE, axis=1)) >= 0.95
    assert FAMILIES[family].timed != (family in INERT)
