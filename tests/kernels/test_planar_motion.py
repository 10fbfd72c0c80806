"""Free motion and single contacts against closed forms and the golden values of the InPhyRe specification."""

import math
from typing import Any

import numpy as np
import pytest

from jaxphys import planar
from tests.oracle import planar_goldens, planar_loop, planar_workload
from tests.oracle.planar_goldens import GOLDEN, TOLERANCE
from tests.oracle.planar_scene import Body, Scene
from tests.planar_support import lower, names, run

EXACT = 1e-12
G = 9.8


def far() -> Body:
    """A body that plays no part, so that every scene here has two and one program serves all."""
    return Body("cylinder", (0.1, 0.1), np.array([500.0, 500.0]), np.zeros(2))


def alone(shape: str, vel: Any, **rest: Any) -> Scene:
    return Scene([planar_workload.body(shape, 0.2, (0, 0), vel, **rest), far()], G)


@pytest.fixture(scope="module")
def golden() -> planar.Trajectory:
    scenes = [Scene([*g.scene.bodies, far()][:2], G, g.scene.laws) for g in GOLDEN.values()]
    return run(scenes, np.array([[g.end] for g in GOLDEN.values()]))


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_values(golden: planar.Trajectory, name: str) -> None:
    want, k = GOLDEN[name], list(GOLDEN).index(name)
    n = len(want.scene.bodies)
    assert golden.status[k] == 0
    if want.x is not None:
        np.testing.assert_allclose(golden.path.pos[k, 0, :n, 0], want.x, rtol=0, atol=TOLERANCE)
    if want.vx is not None:
        np.testing.assert_allclose(golden.path.vel[k, 0, :n, 0], want.vx, rtol=0, atol=TOLERANCE)
    happened = names(golden.events, k)
    for event, time in want.events.items():
        assert golden.events.time[k, happened.index(event)] == pytest.approx(time, abs=TOLERANCE)
    if want.speed_at_contact is not None:
        contact = happened.index(("contact", (0, 1)))
        assert golden.events.vel_before[k, contact, 0, 0] == pytest.approx(want.speed_at_contact, abs=TOLERANCE)


def test_the_golden_wall_multiplies_the_velocity_along_it(golden: planar.Trajectory) -> None:
    k = list(GOLDEN).index("Wall")
    np.testing.assert_allclose(golden.events.vel_before[k, 0, 0], (3, 1), rtol=0, atol=EXACT)
    np.testing.assert_allclose(golden.events.vel_after[k, 0, 0], (-3, 2), rtol=0, atol=EXACT)


@pytest.mark.parametrize("shape", ["cube", "cylinder"])
def test_a_slider_stops_after_v_squared_over_2_mu_g(shape: str) -> None:
    rng = np.random.default_rng(0)
    speed, mu, heading = rng.uniform(0.2, 3, 32), rng.uniform(0.02, 0.8, 32), rng.uniform(0, 2 * math.pi, 32)
    vel = speed[:, None] * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    scenes = [alone(shape, v, mu=m) for v, m in zip(vel, mu, strict=True)]
    end = run(scenes, 30.0)
    np.testing.assert_allclose(end.path.pos[:, 0, 0], vel * (speed / (2 * mu * G))[:, None], rtol=EXACT, atol=EXACT)
    np.testing.assert_array_equal(end.path.vel[:, 0, 0], 0)
    np.testing.assert_allclose(end.events.time[:, 0], speed / (mu * G), rtol=EXACT)
    share = rng.uniform(0, 1, 32)
    part = run(scenes, (share * speed / (mu * G))[:, None])
    np.testing.assert_allclose(
        np.linalg.norm(part.path.pos[:, 0, 0], axis=-1), speed**2 / (2 * mu * G) * (1 - (1 - share) ** 2), rtol=EXACT
    )


def test_a_sphere_slides_then_rolls_at_five_sevenths() -> None:
    rng = np.random.default_rng(1)
    speed, mu, more = rng.uniform(0.2, 3, 32), rng.uniform(0.05, 0.8, 32), rng.uniform(0, 3, 32)
    begin = 2 * speed / (7 * mu * G)
    end = run([alone("sphere", (v, 0), mu=m) for v, m in zip(speed, mu, strict=True)], (begin + more)[:, None])
    assert [names(end.events, k) for k in range(32)] == [[("roll", (0,))]] * 32
    np.testing.assert_allclose(end.events.time[:, 0], begin, rtol=EXACT)
    np.testing.assert_allclose(end.path.vel[:, 0, 0, 0], 5 / 7 * speed, rtol=EXACT)
    np.testing.assert_array_equal(end.path.roll[:, 0, 0], end.path.vel[:, 0, 0])
    way = 12 * speed**2 / (49 * mu * G) + 5 / 7 * speed * more
    np.testing.assert_allclose(end.path.pos[:, 0, 0, 0], way, rtol=EXACT)


def test_spin_of_any_direction_ends_in_five_v_plus_two_r_omega_over_seven() -> None:
    rng = np.random.default_rng(2)
    vel, roll, mu = rng.normal(size=(32, 2)), 4 * rng.normal(size=(32, 2)), rng.uniform(0.05, 0.8, 32)
    scenes = [alone("sphere", v, roll=r, mu=m) for v, r, m in zip(vel, roll, mu, strict=True)]
    end, final = run(scenes, 20.0), (5 * vel + 2 * roll) / 7
    np.testing.assert_allclose(end.path.vel[:, 0, 0], final, rtol=0, atol=EXACT)
    assert ((vel * final).sum(axis=1) < 0).any(), "no sphere comes back by its backspin"
    # While it slides the force is constant, so the way is that of the mean velocity.
    begin = 2 * np.linalg.norm(vel - roll, axis=1) / (7 * mu * G)
    way = 0.5 * (vel + final) * begin[:, None] + final * (20 - begin)[:, None]
    np.testing.assert_allclose(end.path.pos[:, 0, 0], way, rtol=0, atol=1e-11)


def test_rolling_friction_brakes_a_rolling_sphere() -> None:
    speed, mu_roll = np.linspace(0.2, 2, 8), np.linspace(0.005, 0.05, 8)
    scenes = [
        alone("sphere", (v, 0), roll=np.array([v, 0.0]), mu=0.2, mu_roll=m) for v, m in zip(speed, mu_roll, strict=True)
    ]
    end = run(scenes, 50.0)
    np.testing.assert_allclose(end.path.pos[:, 0, 0, 0], speed**2 / (2 * mu_roll * G), rtol=EXACT)
    np.testing.assert_allclose(end.events.time[:, 0], speed / (mu_roll * G), rtol=EXACT)
    assert names(end.events) == [("stop", (0,))]
    np.testing.assert_array_equal(end.path.roll[:, 0, 0], 0)


@pytest.mark.parametrize("model", ["uniform", "rim"])
@pytest.mark.parametrize("shape", ["cylinder", "cube"])
def test_spin_ends_after_omega_over_the_braking(shape: str, model: str) -> None:
    kappa = planar.kappa(shape, model)
    spins = np.array([-6.0, -2.0, 0.5, 4.0])
    end = run([alone(shape, (0, 0), spin=w, mu=0.12, kappa=kappa) for w in spins], 60.0)
    want = np.array([planar_goldens.spin_down(w, kappa, 0.12, 0.2) for w in spins])
    assert [names(end.events, k) for k in range(4)] == [[("spin_end", (0,))]] * 4
    np.testing.assert_allclose(end.events.time[:, 0], want[:, 0], rtol=EXACT)
    np.testing.assert_allclose(end.path.yaw[:, 0, 0], want[:, 1], rtol=EXACT)
    np.testing.assert_array_equal(end.path.spin[:, 0, 0], 0)


def test_a_sphere_keeps_its_spin_about_the_vertical_and_so_does_what_has_no_spin_friction() -> None:
    scenes = [alone("sphere", (1, 0), spin=3.0, mu=0.3, kappa=2.0), alone("cube", (1, 0), spin=3.0, mu=0.3, kappa=0.0)]
    end = run(scenes, 5.0)
    np.testing.assert_allclose(end.path.yaw[:, 0, 0], 15.0, rtol=EXACT)
    np.testing.assert_array_equal(end.path.spin[:, 0, 0], 3.0)


@pytest.mark.parametrize("shape", ["cylinder", "cube"])
def test_uniform_pressure_is_the_mean_distance_from_the_axis(shape: str) -> None:
    """dω/dt = -mu g mean(r) / (I/m), and kappa is that times the reach over mu g."""
    line = (np.arange(1000) + 0.5) / 1000 * 2 - 1
    r = np.hypot(*np.meshgrid(line, line))
    r = r[r < 1] if shape == "cylinder" else r
    inertia = np.mean(r * r)
    assert planar.kappa(shape, "uniform") == pytest.approx(np.mean(r) / inertia, rel=1e-3)
    rim = 1.0 if shape == "cylinder" else math.sqrt(2)
    assert planar.kappa(shape, "rim") == pytest.approx(rim / inertia, rel=1e-3)


def test_turns_and_slides_do_not_mix() -> None:
    still = run([alone("cube", (1, 0), mu=0.2)], 3.0)
    turning = run([alone("cube", (1, 0), mu=0.2, spin=5.0)], 3.0)
    np.testing.assert_array_equal(turning.path.pos[0, 0, 0], still.path.pos[0, 0, 0])


def test_paths_agree_with_the_oracle_at_any_time() -> None:
    scenes = [scene for scene in planar_workload.head_on(8, seed=5) for _ in range(4)]
    times = np.random.default_rng(3).uniform(0.05, 3, len(scenes))
    end = run(scenes, times[:, None])
    assert not end.status.any()
    for k, (scene, time) in enumerate(zip(scenes, times, strict=True)):
        want = planar_loop.simulate(scene, float(time))
        for name in ("pos", "vel", "roll", "yaw", "spin", "look"):
            np.testing.assert_allclose(getattr(end.path, name)[k, 0], want.stack(name), rtol=0, atol=1e-11)


def test_asked_times_of_one_run_are_those_of_runs_that_end_there() -> None:
    scenes = planar_workload.head_on(4, seed=6)
    contact = run(scenes, 5.0).events.time[:, 0]
    times = np.stack([0.3 * contact, contact - 1e-6, contact + 1e-6, np.full(4, 5.0)], axis=1)
    together = run(scenes, times)
    for k in range(4):
        single = run(scenes, times[:, k : k + 1])
        np.testing.assert_allclose(together.path.pos[:, k], single.path.pos[:, 0], rtol=0, atol=EXACT)
        np.testing.assert_allclose(together.path.vel[:, k], single.path.vel[:, 0], rtol=0, atol=EXACT)


def test_an_asked_time_at_which_a_contact_happens_is_after_it() -> None:
    scenes = planar_workload.head_on(16, seed=6)
    contact = run(scenes, 5.0).events.time[:, 0]
    end = run(scenes, np.stack([np.nextafter(contact, 0), contact, contact + 1, contact + 2], axis=1))
    np.testing.assert_allclose(end.path.vel[:, 0], end.events.vel_before[:, 0], rtol=0, atol=EXACT)
    np.testing.assert_array_equal(end.path.vel[:, 1], end.events.vel_after[:, 0])


def test_what_touches_as_it_starts_has_met_at_the_start() -> None:
    scene = Scene(
        [planar_workload.body("cube", 0.2, (0, 0), (1, 0)), planar_workload.body("cube", 0.2, (0.4, 0), (0, 0))]
    )
    for times in ([0.0], [0.0, 1.0]):
        np.testing.assert_allclose(run([scene], times).path.vel[0, 0, :, 0], [0, 1], rtol=0, atol=1e-12)


def test_a_state_taken_up_again_goes_on_as_if_never_stopped() -> None:
    scenes = planar_workload.head_on(8, seed=7)
    world, state = lower(scenes)
    half = planar.rollout(world, state, [0.9])
    middle = planar.State(**{name: leaf[:, 0] for name, leaf in vars(half.path).items()})
    end, whole = planar.rollout(world, middle, [4.0]), planar.rollout(world, state, [4.0])
    np.testing.assert_allclose(end.path.pos, whole.path.pos, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(end.path.look, whole.path.look)
    np.testing.assert_array_equal(end.path.through, whole.path.through)
