"""The fixed-step twin: what it conserves, how it counts time, and how far it strays from the exact loop."""

from typing import Any

import jax
import numpy as np
import pytest

from jaxphys import billiards
from jaxphys_kernels.billiards import lanes, stepped
from jaxphys_kernels.billiards.model import Trajectory
from jaxphys_kernels.status import Status
from tests.oracle import workload

R, A = workload.RADIUS, workload.A


@pytest.fixture(autouse=True)
def _double(x64: None) -> None:
    """Every test here runs in 64-bit mode."""


def run(pos: Any, vel: Any, times: Any, dt: float = 1 / 240, **scene: Any) -> Trajectory:
    world, state = billiards.make_scene(pos=pos, vel=vel, **scene)
    times = np.broadcast_to(np.asarray(times, state.pos.dtype), (len(state.pos), len(times)))
    out: Trajectory = jax.jit(jax.vmap(lambda w, s, t: stepped.simulate(w, s, t, dt=dt)))(world, state, times)
    return out


def test_free_motion_is_exact_up_to_the_stop() -> None:
    # Mean of old and new velocity: no error in a uniform deceleration.
    out = run([[(0.5, 0.5)]], [[(0.06, 0.02)]], [1.0, 2.5, 5.0])
    speed = np.hypot(0.06, 0.02)
    for k, t in enumerate((1.0, 2.5)):
        path = speed * t - 0.5 * A * t * t
        np.testing.assert_allclose(out.pos[0, k, 0], np.array([0.5, 0.5]) + path * np.array([0.06, 0.02]) / speed)
    assert np.all(np.asarray(out.vel)[0, 2] == 0)


def test_steps_are_counted_not_accumulated() -> None:
    # int(t / dt) is one short at 4.1 s; adding 1/240 in float32 1200 times does not give 5.
    times = [4.1, 5.0]
    world, state = billiards.make_scene(pos=[[(0.1, 0.5)]], vel=[[(0.25, 0)]], mu=0, dtype=np.float32)
    out = jax.vmap(lambda w, s, t: stepped.simulate(w, s, t))(world, state, np.array([times], np.float32))
    expected = [0.1 + 0.25 * round(t * 240) / 240 for t in times]
    np.testing.assert_allclose(out.pos[0, :, 0, 0], expected, atol=2e-5)
    exact = run([[(0.1, 0.5)]], [[(0.25, 0)]], times, mu=0)
    np.testing.assert_allclose(exact.pos[0, :, 0, 0], expected, atol=1e-12)


def test_asked_times_do_not_change_the_path() -> None:
    pos, vel = workload.draw(8, "all")
    many, last = run(pos, vel, [0.5, 1.0, 1.5, 2.0]), run(pos, vel, [2.0])
    np.testing.assert_array_equal(many.pos[:, -1], last.pos[:, 0])


def test_energy_and_momentum_through_impacts() -> None:
    rng = np.random.default_rng(3)
    pos, vel = workload.draw(16, "all")
    mass = rng.uniform(0.5, 2, (16, 7))
    out = run(pos, vel, [3.0], mu=0, mass=mass)
    before, after = (0.5 * (mass[..., None] * np.square(v)).sum(axis=(1, 2)) for v in (vel, np.asarray(out.vel)[:, 0]))
    np.testing.assert_allclose(after, before, rtol=1e-12)
    free = run(pos, vel, [3.0], mu=0, mass=mass, size=None)
    before, after = ((mass[..., None] * v).sum(axis=1) for v in (vel, np.asarray(free.vel)[:, 0]))
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-12)


def test_first_impacts_and_walls() -> None:
    out = run([[(0.5, 0.5), (1.2, 0.5)]], [[(0.6, 0), (0, 0)]], [3.0])
    # Golden case B of the specification: 1.085927565 s; ball 1 goes on to RIGHT, the cue ball meets no wall.
    assert 1.085927565 <= float(out.first_hit[0, 1]) < 1.085927565 + 2 / 240
    assert np.isinf(out.first_hit[0, 0])
    assert np.isinf(out.first_wall).all()
    assert int(out.event_count[0]) == 2
    lone = run([[(1.5, 0.5)]], [[(0.5, 0.2)]], [3.0])
    np.testing.assert_allclose(lone.first_wall[0], [2.460140459, np.inf, np.inf, 0.956654727], atol=1 / 240)


def test_capture() -> None:
    out = run([[(0.3, 0.3)]], [[(-0.3, -0.3)]], [0.5, 2.0], pockets=[(0, 0, 0.06)])
    assert np.asarray(out.alive)[0, :, 0].tolist() == [True, False]
    assert np.hypot(*np.asarray(out.pos)[0, 1, 0]) <= 0.06
    assert np.all(np.asarray(out.vel)[0, 1] == 0)


@pytest.mark.parametrize(("name", "pos", "vel"), [
    ("OVERLAP", [(0.5, 0.5), (0.54, 0.5)], [(0, 0), (0, 0)]),
    ("NONFINITE", [(0.5, 0.5), (0.9, 0.5)], [(np.inf, 0), (0, 0)]),
])  # fmt: skip
def test_status_bits(name: str, pos: Any, vel: Any) -> None:
    out = run([pos], [vel], [1.0])
    assert int(out.status[0]) & Status[name]


def test_statistics_against_the_exact_loop() -> None:
    # BilliardPhys-Bench specification, section 4.9: 150 scenes, v0 ~ U(.2, 1), 5 s, dt = 1/240.
    count, t = 150, 5.0
    pos, vel = workload.draw(count, "cue", low=0.2, high=1.0)
    world, state = billiards.make_scene(pos=pos, vel=vel)
    exact = lanes.simulate(world, state, np.full(count, t))
    out = run(pos, vel, [t])
    assert not np.any(out.status)
    q1 = np.any(np.isfinite(out.first_hit) != np.isfinite(exact.first_hit), axis=1)
    q2 = np.any(np.isfinite(out.first_wall) != np.isfinite(exact.first_wall), axis=1)
    error = np.linalg.norm(np.asarray(out.pos)[:, 0] - np.asarray(exact.state.pos), axis=-1).max(axis=1)
    assert q1.mean() <= 0.08
    assert q2.mean() <= 0.06
    # It is no ground truth either: some balls are off by more than a radius.
    assert 0 < (error > R).mean() <= 0.35
