"""Rigid bodies against closed forms: flight, rebounds, slides, hinges, drag (specification, sections 15 and 19).

The specification is that of ReactHuman. The C back end; where the formula is that of the discrete method the
tolerance is rounding.
"""

import math

import numpy as np
import pytest

from jaxphys import rigid
from tests.oracle import rigid_forms
from tests.rigid_support import FAST, RATE, Slope, about, run, steps

ROUNDING = 1e-9
MODES = [pytest.param(rigid.PARITY, id="parity"), pytest.param(FAST, id="fast")]
DRAG = rigid.Rules(substeps=4, drag=True)
BOUNCE = rigid.Rules(substeps=4, bounce=True)


def fly(
    pos: object, vel: object, times: object, rules: rigid.Rules, shape: str = "sphere", **more: object
) -> np.ndarray:
    """Centres (t, 3) of one free body of .028 m."""
    return run(times, rules, shape=[shape], size=[[0.028] * 3], pos=[pos], vel=[vel], **more).pos[:, 0]


@pytest.mark.parametrize("rules", MODES)
@pytest.mark.parametrize("shape", ["sphere", "box", "prism", "capsule"])
def test_free_flight_is_the_discrete_formula(rules: rigid.Rules, shape: str) -> None:
    pos, vel = (0.3, -0.2, 3.0), (1.0, -2.0, 0.5)
    got = fly(pos, vel, steps(144), rules, shape, mass=[0.37])
    count = np.arange(1, 145) * rules.substeps
    want = rigid_forms.flight(np.array(pos), np.array(vel), count, rules.step)
    np.testing.assert_allclose(got, want, rtol=0, atol=ROUNDING)
    late = rigid_forms.parabola(np.array(pos), np.array(vel), steps(144)) - want
    np.testing.assert_allclose(late[:, 2], 0.5 * 9.81 * rules.step * steps(144), rtol=1e-9)


GOLDEN_START, GOLDEN_VEL = (-0.785, 0.557, 0.028), (-0.273, -1.806, 3.445)
GOLDEN_INDEX = 74


@pytest.mark.parametrize(
    ("rules", "z"), [pytest.param(rigid.PARITY, 0.6240, id="parity"), pytest.param(FAST, 0.6192, id="fast")]
)
def test_the_published_record_of_a_bounce(rules: rigid.Rules, z: float) -> None:
    """`dataset_bounce_testb/4a07e23b`: the first record behind the plane y = 0, to four decimals."""
    path = fly(GOLDEN_START, GOLDEN_VEL, steps(100), rules)
    first = int(np.argmax(path[:, 1] < 0))
    assert first == GOLDEN_INDEX
    np.testing.assert_allclose(path[first], (-0.8703, -0.0074, z), rtol=0, atol=5e-5)


def test_the_record_starts_on_the_floor_and_says_so() -> None:
    """A start that just touches is no overlap, and its first contact is at time 0 or never."""
    path = run(steps(10), shape=["sphere"], size=[[0.028] * 3], pos=[GOLDEN_START], vel=[GOLDEN_VEL])
    assert path.end.status[0] == 0
    assert path.first_touch[0] in (0.0, math.inf)


@pytest.mark.parametrize("e", [0.3, 0.6, 0.9])
def test_a_rebound_is_that_of_the_law_at_its_own_time(e: float) -> None:
    """With the half step of the method taken out of the launch, place and speed are those of the parabola."""
    height, r, time = 1.1, 0.05, 0.75
    launch = 0.5 * 9.81 * BOUNCE.step
    path = run(
        [time],
        BOUNCE,
        shape=["sphere"],
        size=[[r] * 3],
        pos=[(0, 0, height + r)],
        vel=[(0, 0, launch)],
        restitution=[e],
    )
    want, _, _ = rigid_forms.after_a_bounce(height, e, time)
    if want > 0:
        assert path.pos[0, 0, 2] - r == pytest.approx(want, abs=1e-7)
        assert path.first_touch[0] == pytest.approx(rigid_forms.fall_time(height), abs=BOUNCE.step)


def test_the_bounce_law_conserves_energy_at_e_1() -> None:
    path = run(steps(3 * RATE, 0), BOUNCE, shape=["sphere"], size=[[0.05] * 3], pos=[(0, 0, 1.0)], restitution=[1.0])
    apex = path.pos[:, 0, 2].max()
    assert path.touching.any()
    late = path.pos[path.times > 2.0, 0, 2].max()
    assert late == pytest.approx(apex, abs=2e-4)


def test_rebounds_give_impulses() -> None:
    e, height, mass, r = 0.5, 0.8, 2.0, 0.05
    path = run(
        steps(120), BOUNCE, shape=["sphere"], size=[[r] * 3], pos=[(0, 0, height + r)], mass=[mass], restitution=[e]
    )
    speed = math.sqrt(2 * 9.81 * height)
    assert path.end.impulse[0, :, 0].sum() == pytest.approx(mass * (1 + e) * speed, rel=5e-3)


def test_an_oblique_rebound_takes_spin_by_friction() -> None:
    """Steep: it grips, and 2/7 of the slip goes over into spin. Flat: it slips all the way, by μ (1 + e) v_n."""
    r, e, mu = 0.05, 0.7, 0.3
    down = 2.0
    for along in (0.5, 5.0):
        path = run(
            [0.1],
            BOUNCE,
            shape=["sphere"],
            size=[[r] * 3],
            pos=[(0, 0, r + 0.06)],
            vel=[(along, 0, -down)],
            restitution=[e],
            friction=mu,
            floor_friction=mu,
        )
        hit = math.sqrt(down**2 + 2 * 9.81 * 0.06)
        lost = min(2 / 7 * along, mu * (1 + e) * hit)
        assert path.vel[0, 0, 0] == pytest.approx(along - lost, rel=5e-3)
        assert path.omega[0, 0, 1] == pytest.approx(2.5 * lost / r, rel=5e-3)


@pytest.mark.parametrize(
    ("rules", "ways"),
    [
        pytest.param(FAST, (0.579, 0.579, 0.579, 0.579), id="elliptic"),
        pytest.param(rigid.Rules(cone="pyramidal"), (0.5785, 0.7093, 0.8197, 0.5785), id="pyramidal"),
    ],
)
def test_stop_distances_of_the_two_cones(rules: rigid.Rules, ways: tuple[float, ...]) -> None:
    """Specification, section 15.3; which box was measured there is not said, so 1 %."""
    got = []
    for heading in np.radians((0.0, 22.5, 45.0, 90.0)):
        path = run(
            [1.2],
            rules,
            shape=["box"],
            size=[[0.1, 0.1, 0.05]],
            pos=[(0, 0, 0.05)],
            vel=[(2 * math.cos(heading), 2 * math.sin(heading), 0)],
            friction=0.35,
            floor_friction=0.35,
        )
        got.append(float(np.linalg.norm(path.pos[0, 0, :2])))
    np.testing.assert_allclose(got, ways, rtol=0.01)
    assert rigid_forms.stop_distance(2, 0.35) == pytest.approx(0.5825, abs=5e-5)


@pytest.mark.parametrize(("mu", "rolls"), [(0.5, True), (0.05, False)])
def test_a_sphere_on_a_slope_rolls_or_slips(mu: float, rolls: bool) -> None:
    slope, r = Slope(math.radians(25), mu), 0.1
    assert (mu > 2 / 7 * math.tan(slope.angle)) == rolls
    path = run(
        [0.8], shape=["sphere"], size=[[r] * 3], pos=[slope.at(0, r)], friction=mu, **slope.static, floor_friction=mu
    )
    want = rigid_forms.incline(slope.angle, mu, 0.4)
    assert path.vel[0, 0] @ slope.down == pytest.approx(0.8 * want, rel=0.01)
    assert slope.way(path.pos[0, 0]) == pytest.approx(0.32 * want, rel=0.01)


@pytest.mark.parametrize("mass", [0.2, 5.0])
def test_a_block_slides_down_a_slope(mass: float) -> None:
    slope = Slope(math.radians(30), 0.3)
    path = run(
        [0.8],
        shape=["box"],
        size=[[0.1, 0.1, 0.05]],
        pos=[slope.at(0, 0.05)],
        quat=[slope.quat],
        mass=[mass],
        friction=0.3,
        **slope.static,
    )
    assert slope.way(path.pos[0, 0]) == pytest.approx(0.32 * rigid_forms.incline(slope.angle, 0.3), rel=0.01)


def swing(amplitude: float, times: object, rules: rigid.Rules = rigid.PARITY, **more: object) -> np.ndarray:
    """Angles (t,) of a point mass .7 m below its hinge."""
    path = run(
        times,
        rules,
        shape=["sphere"],
        size=[[0.02] * 3],
        inertia=[[1e-9] * 3],
        joint=["hinge"],
        anchor=[(0, 0, 2)],
        axis=[(1, 0, 0)],
        com=[(0, 0, -0.7)],
        angle=[amplitude],
        **more,
    )
    assert path.end.status[0] == 0
    return np.asarray(path.end.qpos[0, :, 0, 0])


@pytest.mark.parametrize("degrees", [10, 55, 120, 170])
def test_a_pendulum_reaches_the_bottom_after_a_quarter_period(degrees: float) -> None:
    amplitude = math.radians(degrees)
    quarter = rigid_forms.pendulum_period(0.7, amplitude) / 4
    angles = swing(amplitude, steps(math.ceil(quarter * RATE) + 2, 0))
    found = float(np.interp(0, -angles, steps(len(angles) - 1, 0)))
    assert found == pytest.approx(quarter, rel=2e-3)


def test_the_series_for_a_pendulum_holds_at_55_degrees() -> None:
    amplitude = math.radians(55)
    series = 0.5 * math.pi * math.sqrt(0.7 / 9.81) * (1 + amplitude**2 / 16)
    assert rigid_forms.pendulum_period(0.7, amplitude) / 4 == pytest.approx(series, rel=5e-3)


def test_a_launched_pendulum_rises_to_the_angle_of_its_energy() -> None:
    amplitude = 1.2
    rate = rigid_forms.pendulum_rate(0.7, amplitude, 0.0)
    angles = swing(0.0, steps(RATE, 0), rate=[rate])
    assert angles.max() == pytest.approx(amplitude, rel=2e-3)


@pytest.mark.parametrize("damping", [0.0, 1.8])
def test_a_door_swings_by_its_rate(damping: float) -> None:
    """About an upright hinge, which gravity does not turn; the moment is that of the leaf about its edge."""
    width, mass, rate = 0.9, 20.0, 1.5
    path = run(
        steps(2 * RATE),
        shape=["box"],
        size=[[width / 2, 0.02, 1.0]],
        mass=[mass],
        joint=["hinge"],
        anchor=[(0.4, -1, 0)],
        axis=[(0, 0, 1)],
        com=[(width / 2, 0, 1)],
        angle=[0.3],
        rate=[rate],
        damping=[damping],
    )
    moment = mass * (width**2 / 3 + 0.04**2 / 12)
    want = np.array([rigid_forms.door(moment, damping, rate, t) for t in path.times])
    np.testing.assert_allclose(path.end.qpos[0, :, 0, 0] - 0.3, want[:, 0], rtol=2e-3)
    np.testing.assert_allclose(path.end.qvel[0, :, 0, 0], want[:, 1], rtol=2e-3)
    # The centre goes round the anchor, and its speed is that of its arm.
    np.testing.assert_allclose(np.linalg.norm(path.pos[:, 0, :2] - (0.4, -1), axis=-1), width / 2, rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(path.vel[:, 0], axis=-1), width / 2 * want[:, 1], rtol=2e-3)


def test_a_uniform_ladder_holds_above_its_critical_angle_and_slips_below() -> None:
    """2° above and below (specification, section 19, item 15); floor and wall with friction."""
    for mu in (0.35, 0.5):
        critical = rigid_forms.ladder_critical(mu, mu)
        for off in (2.0, -2.0):
            assert _slips(critical + math.radians(off), mu) == (off < 0)


def _slips(angle: float, mu: float) -> bool:
    """Whether a thin capsule that leans on the wall x = 0 turns by more than 1° within 1.5 s."""
    half, r = 1.5, 0.004
    centre = half * np.array([math.cos(angle), 0, math.sin(angle)]) + (r, 0, r)
    # Its axis leads from the foot up to the wall.
    quat = about((0, 1, 0), angle - math.pi / 2)
    path = run(
        [0.05, 1.5],
        shape=["capsule"],
        size=[[r, r, half]],
        pos=[centre],
        quat=[quat],
        mass=[8.0],
        static_pos=[(-0.1, 0, 2)],
        static_half=[(0.1, 1, 2)],
        friction=mu,
        static_friction=mu,
        floor_friction=mu,
    )
    assert path.end.status[0] == 0
    tilt = 2 * np.arctan2(path.quat[:, 0, 2], path.quat[:, 0, 0])
    return bool(abs(np.degrees(tilt[1] - tilt[0])) > 1)


BODIES = {
    "foam_anvil": ((0.08, 0.06, 0.07), 0.108, (7.1, 22, 106)),
    "red_apple": (0.037, 0.180, (0.4, 1.4, 6.9)),
    "steel_apple": (0.037, 1.66, (0.0, 0.2, 0.8)),
    "tennis_ball": (0.033, 0.053, (1.2, 3.7, 18.7)),
    "lead_tennis": (0.033, 1.20, (0.1, 0.2, 0.8)),
    "foam_cube": ((0.09, 0.09, 0.09), 0.233, (5.6, 17, 84)),
}
"""Sizes (m), masses (kg), and what drag takes from falls of .3, .4 and .6 s (mm): specification, section 15.6."""

SPHERE, BOX = 0.47, 1.05


@pytest.mark.parametrize("name", BODIES)
def test_drag_shortens_falls_as_the_table_says(name: str) -> None:
    size, mass, table = BODIES[name]
    if isinstance(size, tuple):
        area, half, shape = BOX * 4 * size[0] * size[1], size, "box"
    else:
        area, half, shape = SPHERE * math.pi * size**2, (size,) * 3, "sphere"
    times = np.array([0.3, 0.4, 0.6])
    scene = {"shape": [shape], "size": [half], "pos": [(0, 0, 5)], "mass": [mass], "drag_area": [area]}
    with_drag, without = (run(times, rules, **scene).pos[:, 0, 2] for rules in (DRAG, rigid.PARITY))
    got = with_drag - without
    speed = rigid_forms.terminal_speed(mass, area)
    want = [rigid_forms.drag_deficit(speed, t) for t in times]
    np.testing.assert_allclose(got, want, rtol=0.01, atol=1e-6)
    np.testing.assert_allclose(1e3 * got, table, rtol=0.03, atol=0.06)


def test_drag_acts_against_the_whole_velocity() -> None:
    """Without gravity: v = v0/(1 + k v0 t), x = ln(1 + k v0 t)/k, along the launch."""
    v0, area, mass = np.array([3.0, -2.0, 1.0]), 0.02, 0.05
    path = run(
        [0.5],
        DRAG,
        shape=["sphere"],
        size=[[0.05] * 3],
        pos=[(0, 0, 9)],
        vel=[v0],
        mass=[mass],
        drag_area=[area],
        gravity=0.0,
    )
    k, speed = 0.5 * rigid_forms.AIR * area / mass, float(np.linalg.norm(v0))
    np.testing.assert_allclose(path.vel[0, 0], v0 / (1 + k * speed * 0.5), rtol=1e-3)
    moved = v0 / speed * math.log(1 + k * speed * 0.5) / k
    np.testing.assert_allclose(path.pos[0, 0] - (0, 0, 9), moved, rtol=1e-3)


@pytest.mark.parametrize(("ratio", "rebound"), [(0.1, 0.753), (0.3, 0.447), (0.5, 0.277)])
def test_soft_rebounds_depend_on_the_step(ratio: float, rebound: float) -> None:
    """Specification, section 15.4: at 2400 Hz. At 240 Hz they are others; hence the bounce law.

    Which drop was measured there is not said, so 8 %.
    """
    found = {}
    for rate in (240, 2400):
        rules = rigid.Rules(dt=1 / rate, solref=(0.02, ratio))
        path = run(np.arange(1, int(0.9 * rate)) / rate, rules, shape=["sphere"], size=[[0.1] * 3], pos=[(0, 0, 0.6)])
        after = path.times > path.first_touch[0] + 0.05
        apex = path.pos[after, 0, 2].max() - 0.1
        found[rate] = math.sqrt(max(apex, 0) / 0.5)
    assert found[2400] == pytest.approx(rebound, rel=0.08)
    assert found[2400] == pytest.approx(rigid_forms.soft_restitution(ratio), rel=0.15)
    assert abs(found[240] / found[2400] - 1) > 0.1


def test_a_resting_sphere_sinks_alike_at_every_mass() -> None:
    """Specification, section 18, item 15."""
    depths = []
    for mass in (0.1, 1.0, 10.0):
        path = run([2.0], shape=["sphere"], size=[[0.1] * 3], pos=[(0, 0, 0.1)], mass=[mass])
        depths.append(0.1 - path.pos[0, 0, 2])
    np.testing.assert_allclose(depths, depths[1], rtol=1e-6)
    assert 0 < depths[1] < 1e-3
