"""The oracles against what is known without them: published numbers, closed forms, conservation, each other."""

import itertools
from typing import Any

import numpy as np
import pytest

from tests.oracle import closed_forms, exact_loop, numpy_loop, workload
from tests.oracle.joint_impact import resolve
from tests.oracle.scene import Scene

GOLDEN: dict[str, tuple[Any, ...]] = {
    "A-walls": ([(1.5, 0.5)], [(0.5, 0.2)], 3, [(1.021891644, 0.872756658)], [(-0.445405571, -0.178162228)]),
    "B-head-on": (
        [(0.5, 0.5), (1.2, 0.5)],
        [(0.6, 0), (0, 0)],
        3,
        [(1.14, 0.5), (1.6682, 0.5)],
        [(0, 0), (-0.5412, 0)],
    ),
    "C-oblique": (
        [(0.3, 0.5), (1, 0.53)],
        [(0.6, 0), (0, 0)],
        3,
        [(1.205132691, 0.054699758), (1.793715623, 0.951748071)],
        [(0.125989123, -0.218219562), (0.401578807, -0.231851632)],
    ),
    "D-stop": ([(1, 0.5)], [(0.08, 0)], 5, [(1.163265306, 0.5)], [(0, 0)]),
    "E-both-move": (
        [(0.5, 0.5), (1.5, 0.52)],
        [(0.4, 0.01), (-0.3, 0)],
        4,
        [(0.412593900, 0.371372795), (1.953037874, 0.688634478)],
        [(-0.216295489, -0.048991923), (-0.315941064, 0.060050346)],
    ),
    "F-row": (
        [(0.5, 0.5), (1, 0.5), (1.06, 0.5)],
        [(0.6, 0), (0, 0), (0, 0)],
        2,
        [(0.94, 0.5), (1, 0.5), (1.7808, 0.5)],
        [(0, 0), (0, 0), (0.5608, 0)],
    ),
    "G-break": (
        [(0.5, 0.5), (1, 0.53), (1, 0.47)],
        [(0.6, 0), (0, 0), (0, 0)],
        2,
        [(0.817617536, 0.5), (1.423622851, 0.774578767), (1.423622851, 0.225421233)],
        [(-0.092655139, 0), (0.329994014, 0.190522133), (0.329994014, -0.190522133)],
    ),
    "H-break-apart": (
        [(0.5, 0.5), (1, 0.54), (1, 0.46)],
        [(0.6, 0), (0, 0), (0, 0)],
        2,
        [(0.932227611, 0.5), (1.368071220, 0.869212908), (1.368071220, 0.130787092)],
        [(-0.006647714, 0), (0.289870587, 0.259268135), (0.289870587, -0.259268135)],
    ),
    "I-corner": (
        [(1.5, 0.5)],
        [(0.6 / 2**0.5, 0.6 / 2**0.5)],
        3,
        [(1.229574612, 0.229574612)],
        [(-0.382686190, -0.382686190)],
    ),
    "J-frozen": (
        [(1.5, 0.5), (1.97, 0.5)],
        [(0.6, 0), (0, 0)],
        2,
        [(1.1592, 0.5), (1.97, 0.5)],
        [(-0.5608, 0), (0, 0)],
    ),
    "K-both-sides": (
        [(0.5, 0.5), (1, 0.5), (1.5, 0.5)],
        [(0.4, 0), (0, 0), (-0.4, 0)],
        2,
        [(0.6192, 0.5), (1, 0.5), (1.3808, 0.5)],
        [(-0.3608, 0), (0, 0), (0.3608, 0)],
    ),
}
"""BilliardPhys-Bench specification, section 11.2: start, time, positions and velocities, to nine decimals."""
GOLDEN_TOLERANCE = 1e-9


@pytest.mark.parametrize("case", GOLDEN)
def test_published_cases_in_every_ball_order(case: str) -> None:
    pos, vel, t, pos_end, vel_end = (np.asarray(item, float) for item in GOLDEN[case])
    for order in itertools.permutations(range(len(pos))):
        got = numpy_loop.simulate(Scene.equal(pos[list(order)], vel[list(order)]), float(t))
        np.testing.assert_allclose(got.pos, pos_end[list(order)], rtol=0, atol=GOLDEN_TOLERANCE)
        np.testing.assert_allclose(got.vel, vel_end[list(order)], rtol=0, atol=GOLDEN_TOLERANCE)


@pytest.mark.parametrize("case", ["A-walls", "B-head-on", "C-oblique", "D-stop", "E-both-move", "F-row", "I-corner"])
def test_the_exact_loop_gives_the_published_cases(case: str) -> None:
    pos, vel, t, pos_end, vel_end = GOLDEN[case]
    got = exact_loop.simulate(Scene.equal(pos, vel), float(t))
    np.testing.assert_allclose(got.pos, pos_end, rtol=0, atol=GOLDEN_TOLERANCE)
    np.testing.assert_allclose(got.vel, vel_end, rtol=0, atol=GOLDEN_TOLERANCE)


@pytest.mark.parametrize("case", ["G-break", "K-both-sides"])
def test_the_exact_loop_refuses_ties(case: str) -> None:
    pos, vel, t, *_ = GOLDEN[case]
    with pytest.raises(exact_loop.TieError):
        exact_loop.simulate(Scene.equal(pos, vel), float(t))


def test_a_lone_ball_follows_the_unfolded_table() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        pos, vel = rng.uniform((0.03, 0.03), (1.97, 0.97)), rng.uniform(-1.4, 1.4, 2)
        t = float(rng.uniform(0, 60))
        got = numpy_loop.simulate(Scene.equal([pos], [vel]), t)
        want = closed_forms.lone_ball(pos, vel, np.asarray(t), radius=0.03, a=0.0196, size=(2.0, 1.0))
        np.testing.assert_allclose(got.pos[0], want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("a", [0.0, 0.0196])
def test_energy_is_lost_to_friction_alone(a: float) -> None:
    pos, vel = workload.draw(5, "all")
    for x, v in zip(pos, vel, strict=True):
        got = numpy_loop.simulate(Scene.equal(x, v, a=a), 3.0)
        lost = 0.5 * ((v * v).sum() - (got.vel * got.vel).sum())
        assert lost == pytest.approx(a * got.path.sum(), rel=1e-12, abs=1e-14)


def test_unequal_balls_on_an_endless_table_keep_momentum_and_agree_with_the_exact_loop() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(10):
        target = rng.uniform(0.3, 0.6, 2)
        scene = Scene(
            np.array([(0.0, 0.0), target]),
            np.array([target + rng.uniform(-0.04, 0.04, 2), (0, -0.01)]),
            np.array([0.05, 0.02]),
            np.array([1.0, 3.0]),
            0.0,
            (np.inf, np.inf),
        )
        got, exact = numpy_loop.simulate(scene, 4.0), exact_loop.simulate(scene, 4.0)
        hits += len(got.events)
        assert got.sequence() == exact.sequence()
        np.testing.assert_allclose(got.pos, exact.pos, rtol=0, atol=1e-13)
        np.testing.assert_allclose(scene.mass @ got.vel, scene.mass @ scene.vel, rtol=0, atol=1e-14)
    assert hits > 3


def test_a_ball_is_captured_when_its_centre_enters_the_pocket() -> None:
    scene = Scene.equal([(1.0, 0.5), (0.5, 0.5)], [(0.5, 0.5), (0, 0)], a=0.0, pockets=[(1.4, 0.9, 0.1)])
    got = numpy_loop.simulate(scene, 2.0)
    assert got.sequence() == [("pocket", (0, 0))]
    assert got.events[0].time == pytest.approx((0.4 * 2**0.5 - 0.1) / (0.5 * 2**0.5), abs=1e-14)
    assert list(got.alive) == [False, True]
    assert not got.vel.any()


def test_joint_impacts_conserve_and_ignore_order() -> None:
    rng = np.random.default_rng(1)
    row = np.array([(0.06 * k, 0.0) for k in range(3)])
    triangle = np.concatenate([row, row[:2] + np.array([0.03, 0.03 * 3**0.5])])
    pairs = [
        ("ball", (i, j))
        for i, j in itertools.combinations(range(5), 2)
        if np.hypot(*(triangle[j] - triangle[i])) < 0.0601
    ]
    assert len(pairs) == 7
    for _ in range(20):
        mass, start = rng.uniform(0.5, 2, 5), rng.normal(size=(5, 2))
        vel = start.copy()
        impulse = resolve(triangle, vel, mass, pairs, 1e-12)
        assert (impulse >= 0).all()
        np.testing.assert_allclose(mass @ vel, mass @ start, rtol=0, atol=1e-13)
        np.testing.assert_allclose((mass @ (vel * vel)).sum(), (mass @ (start * start)).sum(), rtol=1e-12)
        order = rng.permutation(5)
        other, place = start[order].copy(), np.argsort(order)
        shuffled = [("ball", tuple(sorted((int(place[i]), int(place[j]))))) for _, (i, j) in pairs]
        resolve(triangle[order], other, mass[order], shuffled, 1e-12)
        np.testing.assert_allclose(other, vel[order], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("moving", "scenes", "tolerance"), [("cue", 6, 1e-10), ("all", 2, 1e-6)])
def test_the_two_loops_agree(moving: workload.Moving, scenes: int, tolerance: float) -> None:
    pos, vel = workload.draw(scenes, moving, seed=5)
    for x, v in zip(pos, vel, strict=True):
        plain, exact = numpy_loop.simulate(Scene.equal(x, v), 3.0), exact_loop.simulate(Scene.equal(x, v), 3.0)
        assert plain.sequence() == exact.sequence()
        np.testing.assert_allclose(plain.pos, exact.pos, rtol=0, atol=tolerance)


def test_a_scene_of_the_workload_depends_on_its_index_alone() -> None:
    few, many = workload.draw(3, "cue"), workload.draw(8, "cue")
    for a, b in zip(few, many, strict=True):
        np.testing.assert_array_equal(a, b[:3])
    assert not many[1][:, 1:].any()
    gaps = [np.hypot(*(p - q)) for x in many[0] for p, q in itertools.combinations(x, 2)]
    assert min(gaps) > 2.2 * workload.RADIUS
