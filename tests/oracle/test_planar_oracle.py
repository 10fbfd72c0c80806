"""The planar oracle against what is known without it: published numbers, closed forms, conservation, symmetry."""

import itertools
import math

import numpy as np
import pytest

from tests.oracle import planar_gap, planar_goldens, planar_workload
from tests.oracle.planar_goldens import GOLDEN, TOLERANCE
from tests.oracle.planar_loop import TieError, simulate
from tests.oracle.planar_scene import Body, Scene


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_values(name: str) -> None:
    golden = GOLDEN[name]
    end = simulate(golden.scene, golden.end)
    if golden.x is not None:
        np.testing.assert_allclose(end.stack("pos")[:, 0], golden.x, rtol=0, atol=TOLERANCE)
    if golden.vx is not None:
        np.testing.assert_allclose(end.stack("vel")[:, 0], golden.vx, rtol=0, atol=TOLERANCE)
    times = {(e.kind, e.bodies): e.time for e in reversed(end.events)}
    assert golden.events
    for event, time in golden.events.items():
        assert times[event] == pytest.approx(time, abs=TOLERANCE)
    if golden.speed_at_contact is not None:
        before = next(e.before for e in end.events if e.before is not None)
        assert before[0].vel[0] == pytest.approx(golden.speed_at_contact, abs=TOLERANCE)


@pytest.mark.parametrize("shape", ["cylinder", "cube"])
def test_spin_down(shape: str) -> None:
    body = planar_workload.body(shape, 0.2, (0, 0), (0, 0), spin=-5.0, mu=0.2)
    time, angle = planar_goldens.spin_down(-5.0, body.kappa, 0.2, 0.2)
    end = simulate(Scene([body]), 10.0)
    assert end.sequence() == [("spin_end", (0,))]
    assert end.events[0].time == pytest.approx(time, abs=1e-14)
    assert end.bodies[0].yaw == pytest.approx(angle, abs=1e-13)


def test_the_gap_is_the_least_distance_of_sampled_outlines() -> None:
    rng = np.random.default_rng(0)
    for scene in planar_workload.wild(30, seed=4):
        a, b = scene.bodies
        b.pos = a.pos + planar_workload.turned((rng.uniform(0.7, 1.2), 0.0), rng.uniform(0, 6.3))
        p, q = _outline(a), _outline(b)
        sampled = np.sqrt(((p[:, None] - q[None]) ** 2).sum(axis=-1)).min()
        assert planar_gap.gap(a, b) == pytest.approx(sampled, abs=1e-3)
        assert planar_gap.gap(a, b) == pytest.approx(planar_gap.gap(b, a), abs=1e-14)


def _outline(body: Body) -> np.ndarray:
    share = np.linspace(0, 1, 400)[:, None]
    corners = planar_gap.vertices(body)
    if len(corners) == 1:
        angle = 2 * math.pi * share
        return body.pos + planar_gap.rim(body) * np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
    ends = np.roll(corners, -1, axis=0)
    return np.concatenate([start + share * (end - start) for start, end in zip(corners, ends, strict=True)])


def test_smooth_bodies_keep_momentum_angular_momentum_and_energy_in_a_contact() -> None:
    hits = 0
    for scene in planar_workload.wild(20, seed=1):
        end = simulate(_with(scene, "eccentric", restitution=1.0), 2.0)
        for event in end.events:
            if event.before is None or event.after is None:
                continue
            hits += 1
            books = [
                (sum(b.mass * b.vel for b in pair), sum(_turn(b) for b in pair), sum(_energy(b) for b in pair))
                for pair in (event.before, event.after)
            ]
            for old, new in zip(*books, strict=True):
                np.testing.assert_allclose(new, old, rtol=1e-12, atol=1e-13)
    assert hits >= 10


def _turn(b: Body) -> float:
    return float(b.inertia * b.spin + b.mass * (b.pos[0] * b.vel[1] - b.pos[1] * b.vel[0]))


def _energy(b: Body) -> float:
    return 0.5 * float(b.mass * b.vel @ b.vel + b.inertia * b.spin * b.spin)


def _with(scene: Scene, law: str, **params: float) -> Scene:
    return Scene(scene.bodies, scene.g, {pair: (law, params) for pair in scene.laws})


@pytest.mark.parametrize("law", ["eccentric", "regular", "tangent_gain"])
def test_a_turned_and_moved_scene_gives_the_turned_and_moved_result(law: str) -> None:
    shift, angle = np.array([0.3, -1.1]), 0.7
    for scene in (_with(s, law) for s in planar_workload.wild(6, seed=2)):
        moved = Scene([b.copy() for b in scene.bodies], scene.g, scene.laws)
        for b in moved.bodies:
            b.pos, b.vel, b.roll = (planar_workload.turned(v, angle) for v in (b.pos, b.vel, b.roll))
            b.pos, b.yaw = b.pos + shift, b.yaw + angle
        one, other = simulate(scene, 1.5), simulate(moved, 1.5)
        assert one.sequence() == other.sequence()
        want = [planar_workload.turned(b.pos, angle) + shift for b in one.bodies]
        np.testing.assert_allclose(other.stack("pos"), want, rtol=0, atol=1e-9)


def test_bodies_never_overlap() -> None:
    for scene in planar_workload.wild(6, bodies=3, seed=3):
        for t in (0.5, 1.0, 1.5):
            end = simulate(scene, t)
            gaps = [planar_gap.gap(a, b) for a, b in itertools.combinations(end.bodies, 2)]
            assert min(gaps) > -1e-9


def test_a_tie_is_refused() -> None:
    bodies = [planar_workload.body("cylinder", 0.1, (x, 0), (v, 0)) for x, v in ((-1, 1), (0, 0), (1, -1))]
    with pytest.raises(TieError):
        simulate(Scene(bodies), 2.0)


def test_a_scene_of_the_workload_depends_on_its_index_alone() -> None:
    few, many = planar_workload.head_on(3), planar_workload.head_on(9)
    for one, other in zip(few, many, strict=False):
        for a, b in zip(one.bodies, other.bodies, strict=True):
            np.testing.assert_array_equal(a.pos, b.pos)
            np.testing.assert_array_equal(a.vel, b.vel)
        assert dict(one.laws) == dict(other.laws)
