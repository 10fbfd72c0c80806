"""Launches that reach a speed at a time: closed forms there and back; contacts come when and as fast as drawn."""

import numpy as np
import pytest

from jaxphys_benchmarks.inphyre.launch import launched, run_out
from jaxphys_benchmarks.inphyre.lower import simulate
from jaxphys_benchmarks.inphyre.measure import meetings
from tests.benchmarks.inphyre.measured_samples import drawn

EXACT = 1e-12
"""What rounding leaves of a contact after some ten operations on numbers below 10."""


def moved(v0: float, time: float, slide: float, roll: float, kind: str) -> tuple[float, float]:
    """Speed and way of a free body after a time, by phases."""
    phases = {
        "slider": [(slide, np.inf)],
        "rolling": [(roll, np.inf)],
        "sliding": [(slide, 2 * v0 / (7 * slide)), (roll, np.inf)],
    }[kind]
    speed, way = v0, 0.0
    for brake, length in phases:
        step = min(time, length, speed / brake if brake else np.inf)
        way += speed * step - 0.5 * brake * step**2
        speed -= brake * step
        time -= step
    return speed, way


@pytest.mark.parametrize("kind", ["slider", "rolling", "sliding"])
@pytest.mark.parametrize("roll", [0.0, 0.3])
def test_a_launch_reaches_the_wanted_speed(kind: str, roll: float) -> None:
    rng = np.random.default_rng(3)
    speed, time, slide = rng.uniform(0.2, 3, 500), rng.uniform(0.05, 1.5, 500), rng.uniform(1, 3, 500)
    flags = {"slips": np.full(500, kind == "sliding"), "rolls": np.full(500, kind == "rolling")}
    v0, way = launched(speed, time, slide, np.full(500, roll), **flags)
    for k in range(500):
        assert moved(v0[k], time[k], slide[k], roll, kind) == pytest.approx((speed[k], way[k]), abs=1e-12)
    if kind == "slider":
        # Section 3.1: v0 = sqrt(v_c² + 2 mu_c g s).
        np.testing.assert_allclose(v0, np.sqrt(speed**2 + 2 * slide * way), rtol=1e-13)


def test_both_phases_of_a_sphere_occur() -> None:
    time = np.array([0.1, 1.0])
    flags = {"slips": np.array([True, True]), "rolls": np.array([False, False])}
    v0, _ = launched(np.full(2, 1.0), time, np.full(2, 2.0), np.zeros(2), **flags)
    assert v0.tolist() == pytest.approx([1.2, 1.4])


def test_what_rests_stays() -> None:
    still = launched(
        np.zeros(2), np.ones(2), np.ones(2), np.zeros(2), slips=np.array([True, False]), rolls=np.zeros(2, bool)
    )
    assert [leaf.tolist() for leaf in still] == [[0.0, 0.0], [0.0, 0.0]]


def test_run_out() -> None:
    spheres = np.array([False, True, True])
    way = run_out(np.full(3, 2.0), np.full(3, 2.0), np.array([0.0, 0.0, 0.5]), spheres=spheres)
    assert way.tolist() == pytest.approx([1.0, np.inf, (10 / 7) ** 2])


@pytest.mark.parametrize("launch", ["sliding", "rolling"])
@pytest.mark.parametrize("mu_roll", [0.0, 0.02])
@pytest.mark.parametrize("scenario", ["LMC", "CC", "Wall"])
def test_the_contact_is_the_drawn_one(scenario: str, launch: str, mu_roll: float) -> None:
    """Ranges of one value: every contact comes at that time and speed, whatever the shapes and materials."""
    specs = drawn(
        scenario, 60, contact_speed=(1.7, 1.7), contact_time=(0.8, 0.8), sphere_launch=launch, mu_roll=mu_roll
    )
    assert {spec.things[0].shape for spec in specs} == {"cube", "cylinder", "sphere"}
    meets = meetings(specs, simulate(specs)[1])
    assert meets.met.all()
    np.testing.assert_allclose(meets.time, 0.8, atol=EXACT)
    np.testing.assert_allclose(np.linalg.norm(meets.before[:, 0], axis=1), 1.7, atol=EXACT)


def test_both_come_to_the_contact_as_drawn() -> None:
    """LMC-reg of the varied preset: the slower one moves, too."""
    specs = drawn("LMC-reg", 60, preset="varied", contact_speed=(2.0, 2.0), contact_time=(0.6, 0.6))
    meets = meetings(specs, simulate(specs)[1])
    assert meets.met.all()
    np.testing.assert_allclose(meets.time, 0.6, atol=EXACT)
    speeds = np.sort(np.linalg.norm(meets.before, axis=-1), axis=1)
    np.testing.assert_allclose(speeds[:, 1], 2.0, atol=EXACT)
    assert ((speeds[:, 0] > 0.2 * 2 - 1e-9) & (speeds[:, 0] < 0.5 * 2 + 1e-9)).all()
