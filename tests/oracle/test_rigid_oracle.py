"""The closed forms of rigid bodies against the public cases' numbers, and against sums and integrals written out."""

import math

import numpy as np
import pytest

from tests.oracle import rigid_forms
from tests.support import cases

CASES = cases("rigid")
EXACT = 1e-9


def test_flight_is_the_sum_of_its_steps() -> None:
    pos, vel, step = np.array([0.1, -0.2, 1.5]), np.array([1.0, 2.0, 3.0]), 1 / 240
    now, speed = pos.copy(), vel.copy()
    for k in range(1, 100):
        speed[2] -= 9.81 * step
        now = now + step * speed
        np.testing.assert_allclose(rigid_forms.flight(pos, vel, k, step), now, rtol=0, atol=1e-12)
    late = rigid_forms.parabola(pos, vel, 99 * step) - now
    np.testing.assert_allclose(late, [0, 0, 0.5 * 9.81 * step * 99 * step], rtol=0, atol=1e-12)


def test_drops_and_bounces() -> None:
    given, want = CASES["rig-free-fall-time"]["input"], CASES["rig-free-fall-time"]["expected"]
    fall = rigid_forms.fall_time(given["drop_height_of_lowest_point"])
    assert fall == pytest.approx(want["t_impact_analytic"], rel=EXACT)
    assert 9.81 * fall == pytest.approx(want["v_impact"], rel=EXACT)
    for name in ("rig-bounce-height-n3", "rig-no-restitution-threshold-2ms"):
        given, want = CASES[name]["input"], CASES[name]["expected"]
        got = rigid_forms.apexes(given["drop_height"], given["e"], given["n"])
        assert got == pytest.approx(want["apex_list"], rel=EXACT)


def test_a_bounce_and_its_derivatives() -> None:
    given, want = CASES["grad-bounce-with-gravity"]["input"], CASES["grad-bounce-with-gravity"]["expected"]
    got = rigid_forms.after_a_bounce(given["h"], given["e"], given["T"])
    assert got == pytest.approx([want["z"], want["dz_dh"], want["dz_de"]], rel=EXACT)
    h = 1e-6
    for k, (up, down) in enumerate([((h, 0), (-h, 0)), ((0, h), (0, -h))]):
        high, low = (
            rigid_forms.after_a_bounce(given["h"] + dh, given["e"] + de, given["T"])[0] for dh, de in (up, down)
        )
        assert got[1 + k] == pytest.approx((high - low) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("name", ["rig-pendulum-large-amplitude", "rig-pendulum-small-dt"])
def test_pendulums(name: str) -> None:
    given, want = CASES[name]["input"], CASES[name]["expected"]
    amplitude = math.radians(given["theta0_deg"]) if "theta0_deg" in given else given["theta0"]
    period = rigid_forms.pendulum_period(given["L"], amplitude)
    assert period == pytest.approx(want.get("T") or 2 * want["t_half"], rel=EXACT)


def test_the_period_is_the_integral_over_a_swing() -> None:
    """4 ∫ dθ/ω, with θ = θ0 sin u to take away the poles at the turning points."""
    length, amplitude = 0.7, 1.9
    u = (np.arange(20_000) + 0.5) * (math.pi / 2 / 20_000)
    rate = [rigid_forms.pendulum_rate(length, amplitude, angle) for angle in amplitude * np.sin(u)]
    period = 4 * np.sum(amplitude * np.cos(u) / rate) * (math.pi / 2 / 20_000)
    assert rigid_forms.pendulum_period(length, amplitude) == pytest.approx(period, rel=1e-6)


def test_doors() -> None:
    given, want = CASES["rig-door-viscous"]["input"], CASES["rig-door-viscous"]["expected"]
    angle, rate = rigid_forms.door(given["I"], given["damping"], given["omega0"], 2.0)
    assert (angle, rate) == pytest.approx((want["angle_2s"], want["omega_2s"]), rel=EXACT)
    given, want = CASES["rig-door-viscous-plus-dry"]["input"], CASES["rig-door-viscous-plus-dry"]["expected"]
    stop = rigid_forms.door_stop(given["I"], given["damping"], given["frictionloss"], given["omega0"])
    assert stop == pytest.approx((want["t_stop"], want["angle_stop"]), rel=EXACT)


def test_slopes() -> None:
    given, want = CASES["rig-incline-roll-sphere"]["input"], CASES["rig-incline-roll-sphere"]["expected"]
    assert rigid_forms.incline(math.radians(given["theta_deg"]), given["mu"], 0.4) == pytest.approx(
        want["a"], rel=EXACT
    )
    given, want = CASES["rig-incline-cylinder-hoop"]["input"], CASES["rig-incline-cylinder-hoop"]["expected"]
    theta = math.radians(given["theta_deg"])
    got = [rigid_forms.incline(theta, given["mu"], gyration) for gyration in (0.5, 1.0, 0.4)]
    assert got == pytest.approx(want["a"], rel=EXACT)
    assert rigid_forms.incline(math.radians(24), 0.5) == 0
    assert rigid_forms.incline(math.radians(40), 0.1, 0.4) > rigid_forms.incline(math.radians(40), 0.5, 0.4)


def test_rolling_toppling_and_ladders() -> None:
    given, want = CASES["rig-backspin-slide-to-roll"]["input"], CASES["rig-backspin-slide-to-roll"]["expected"]
    got = rigid_forms.rolling_speed(given["v0"], given["omega0"], given["r"])
    assert got == pytest.approx(want["v_final"], rel=EXACT)
    given, want = CASES["rig-friction-isotropy"]["input"], CASES["rig-friction-isotropy"]["expected"]
    assert rigid_forms.stop_distance(given["v0"], given["mu"]) == pytest.approx(want["stop_distance"][0], rel=EXACT)
    box = CASES["rig-tip-angle"]["input"]["box"]
    tip = math.degrees(rigid_forms.tip_angle(box[0], box[2]))
    assert tip == pytest.approx(CASES["rig-tip-angle"]["expected"]["critical_deg"], rel=EXACT)
    ratio = rigid_forms.rocking_ratio(box[0], box[2])
    assert ratio == pytest.approx(CASES["rig-rock-energy-ratio"]["expected"]["omega_after_over_before"], rel=EXACT)
    given, want = CASES["rig-ladder-smooth-wall"]["input"], CASES["rig-ladder-smooth-wall"]["expected"]
    critical = math.degrees(rigid_forms.ladder_critical(given["mu_floor"], given["mu_wall"]))
    assert critical == pytest.approx(want["critical_deg"], rel=EXACT)
    given = CASES["rig-ladder-frictionless-separation"]["input"]
    want = CASES["rig-ladder-frictionless-separation"]["expected"]
    angle, time = rigid_forms.ladder_separation(given["L"], math.radians(given["theta0_deg"]))
    assert math.degrees(angle) == pytest.approx(want["theta_separation_deg"], rel=EXACT)
    assert time == pytest.approx(want["t_separation"], rel=1e-6)


def test_a_top_keeps_its_momentum() -> None:
    given, want = CASES["rig-symmetric-top"]["input"], CASES["rig-symmetric-top"]["expected"]
    got = rigid_forms.top(tuple(given["inertia"]), tuple(given["omega0_body"]), given["t"])
    np.testing.assert_allclose(got, want["omega_body"], rtol=1e-8)
    assert np.linalg.norm(got * given["inertia"]) == pytest.approx(want["L_norm"], rel=EXACT)


def test_drag_and_soft_rebounds() -> None:
    """An apple's row of the specification's table, section 15.6, and the closed form of section 15.4."""
    speed = rigid_forms.terminal_speed(0.180, 0.47 * math.pi * 0.037**2)
    assert speed == pytest.approx(38, abs=0.5)
    assert 1e3 * rigid_forms.drag_deficit(speed, 0.6) == pytest.approx(6.9, abs=0.1)
    assert [rigid_forms.soft_restitution(z) for z in (0.1, 0.3, 0.5)] == pytest.approx([0.744, 0.451, 0.298], abs=5e-4)
