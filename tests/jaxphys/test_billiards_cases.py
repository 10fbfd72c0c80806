"""Billiard scenes from public bug reports, by id, through every event-driven back end."""

from typing import Any

import numpy as np
import pytest

from jaxphys import billiards
from tests.support import cases, kinetic, names

CASES = cases("billiards")
BACKENDS = ("compiled", "xla", "readable")


def run(case: dict[str, Any], backend: str) -> billiards.Trajectory:
    scene = case["input"]
    world, state = billiards.make_scene(
        pos=[[ball["pos"] for ball in scene["balls"]]],
        vel=[[ball["vel"] for ball in scene["balls"]]],
        size=scene["table"],
        radius=scene["r"],
        mu=scene["mu"],
        g=scene["g"],
        pockets=[(*p["centre"], p["radius"]) for p in scene.get("pockets", [])],
    )
    billiards.validate(world, state, [scene["t_end"]])
    return billiards.rollout(world, state, [scene["t_end"]], backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case_id", sorted(set(CASES) - {"bil-initial-overlap"}))
def test_case(case_id: str, backend: str) -> None:
    case = CASES[case_id]
    expected, tolerance = case["expected"], case["tolerance"]
    close = tolerance["q3"] if isinstance(tolerance, dict) else max(tolerance, 1e-15)
    end = run(case, backend)
    pos, vel, t_end = end.pos[0, -1], end.vel[0, -1], case["input"]["t_end"]
    assert end.status[0] == 0
    assert np.isfinite(pos).all()
    assert np.isfinite(vel).all()
    happened = names(end.events)
    first = float(end.events.time[0, 0])

    for key, value in {"pos": pos, "vel": vel, "pos0": pos[0], "pos1": pos[1:2].ravel(), "vel0": vel[0]}.items():
        if expected.get(key) is not None:
            np.testing.assert_allclose(value, expected[key], atol=close, rtol=0)
    if "vel_simultaneous_rule" in expected:
        np.testing.assert_allclose(vel, expected["vel_simultaneous_rule"], atol=close)
    for key in ("t_contact", "t_hit", "t_stop"):
        if key in expected:
            assert first == pytest.approx(expected[key], abs=close)
    if "q1" in expected:
        hits = {str(i): "T" if end.first_hit[0, i] <= t_end else "F" for i in range(1, len(pos))}
        assert hits == expected["q1"]
    if "q2" in expected:
        walls = {w: "T" if end.first_wall[0, k] <= t_end else "F" for k, w in enumerate(billiards.WALLS)}
        assert walls == expected["q2"]
    if "q3" in expected:
        np.testing.assert_allclose(pos, [ball["pos"] for ball in expected["q3"]], atol=close)
    if "n_events" in expected:
        assert len(happened) == expected["n_events"]
    if "n_wall_hits" in expected:
        assert sum(kind == "wall" for kind, _ in happened) == expected["n_wall_hits"]
    if "n_ball_ball" in expected:
        assert sum(kind == "ball" for kind, _ in happened) == expected["n_ball_ball"]
    if "kinetic_energy_per_mass" in expected:
        energy = expected["kinetic_energy_per_mass"]
        assert kinetic(vel) == pytest.approx(energy, rel=expected["rel_energy_drift_max"])
    if "angle_between_deg" in expected:
        cosine = vel[0] @ vel[1] / np.linalg.norm(vel[0]) / np.linalg.norm(vel[1])
        assert np.degrees(np.arccos(cosine)) == pytest.approx(expected["angle_between_deg"], abs=1e-6)
    if "vel1_speed" in expected:
        assert np.linalg.norm(vel[1]) == pytest.approx(expected["vel1_speed"], abs=close)
    if "pos0" in expected and expected["pos0"] is None:
        assert not end.alive[0, -1, 0]
        assert happened[-1][0] == "pocket"


@pytest.mark.parametrize("backend", BACKENDS)
def test_exchanging_touching_balls_mirrors_the_answer(backend: str) -> None:
    case = CASES["bil-two-touching-simultaneous"]
    swapped = {**case, "input": {**case["input"], "balls": [case["input"]["balls"][k] for k in (0, 2, 1)]}}
    one, other = run(case, backend), run(swapped, backend)
    np.testing.assert_allclose(one.vel[0, -1][[0, 2, 1]], other.vel[0, -1], atol=1e-15)


@pytest.mark.parametrize("backend", BACKENDS)
def test_initial_overlap(backend: str) -> None:
    case = CASES["bil-initial-overlap"]
    with pytest.raises(ValueError, match=r"\[1, 2\]"):
        run(case, backend)
    scene = case["input"]
    world, state = billiards.make_scene(
        pos=[[ball["pos"] for ball in scene["balls"]]], vel=[[ball["vel"] for ball in scene["balls"]]]
    )
    end = billiards.rollout(world, state, [2.0], backend=backend)
    assert end.status[0] == billiards.Status.OVERLAP
