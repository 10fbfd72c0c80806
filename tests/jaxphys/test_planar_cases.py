"""Public cases on irregular laws, rolling and friction that live on a level plane, and cases of our own, by id."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from jaxphys import planar
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from tests.oracle.planar_scene import Body, Scene
from tests.oracle.planar_workload import body, turned
from tests.planar_support import names, run
from tests.support import cases

LAWS, ROLLING, OWN = cases("laws"), cases("rolling"), cases("planar")
G = 9.81


def far(count: int) -> list[Body]:
    """Bodies that play no part."""
    return [body("cylinder", 0.1, (500.0 + k, 500.0), (0, 0)) for k in range(count)]


def relative(case: dict[str, Any]) -> float:
    return float(case["tolerance"]["rel"])


@pytest.mark.parametrize("case", ["irr-unequal-mass-elastic"])
def test_a_light_large_body_rebounds_from_a_small_heavy_one(case: str) -> None:
    given, want = LAWS[case]["input"], LAWS[case]["expected"]
    for shapes in itertools.product(("sphere", "cylinder", "cube"), repeat=2):
        a, b = (
            body(shape, size, (x, 0), (v, 0), mass=m)
            for shape, size, x, v, m in zip(shapes, (0.7, 0.35), (0, 1.5), given["v_before"], given["m"], strict=True)
        )
        end = run([Scene([a, b], 9.8, {(0, 1): (given["law"], {"restitution": float(given["e"])})})], 2.0)
        np.testing.assert_allclose(
            end.events.vel_after[0, 0, :, 0], want["v_after"], rtol=0, atol=LAWS[case]["tolerance"]
        )


@pytest.mark.parametrize("case", ["irr-wall-vertical-grows"])
def test_only_the_irregular_wall_lets_the_vertical_speed_grow(case: str) -> None:
    given, want = LAWS[case]["input"], LAWS[case]["expected"]
    wall = Body("cube", (0.1, 9.0), np.array([1.0, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)
    mover = body("cube", 0.2, (0, 0), given["v_before"])
    end = run(
        [
            Scene([mover, wall], 9.8, {(0, 1): law})
            for law in (("tangent_gain", {"gain": given["gain"]}), ("regular", {}))
        ],
        1.0,
    )
    for k, key in enumerate(("v_after", "regular")):
        np.testing.assert_allclose(end.path.vel[k, 0, 0], want[key], rtol=0, atol=LAWS[case]["tolerance"])


@pytest.mark.parametrize("case", ["irr-lmc-red-vs-blue"])
def test_the_law_belongs_to_the_body_and_two_pairs_of_one_scene_may_differ(case: str) -> None:
    given, want = LAWS[case]["input"], LAWS[case]["expected"]
    bodies = [
        body("sphere", 0.2, (k % 2, 9.0 * (k // 2)), one["vel"], mass=given["m"], red=one["color"] == "red")
        for k, one in enumerate(given["bodies"])
    ]
    pairs = itertools.combinations(range(4), 2)
    end = run([Scene(bodies, 9.8, {pair: ("red_keeps_momentum", {}) for pair in pairs})], 1.0)
    assert end.status.tolist() == [0]
    assert names(end.events) == [("contact", tuple(pair)) for pair in given["pairs"]]
    for key, speed in want["v_after"].items():
        assert end.path.vel[0, 0, int(key), 0] == pytest.approx(speed, abs=LAWS[case]["tolerance"])


@pytest.mark.parametrize("case", ["rig-inelastic-collapse"])
def test_inelastic_collapse_ends(case: str) -> None:
    """As it stands both outer discs hit the middle one at once, which laws of pairs refuse; hit in turn, it ends."""
    given, tolerance = LAWS[case]["input"], LAWS[case]["tolerance"]
    law = ("regular", {"restitution": 0.05})

    def discs(shift: float) -> Scene:
        places = np.array(given["x"]) + np.array([0, 0, shift])
        made = [body("cylinder", given["r"], (x, 0), (v, 0)) for x, v in zip(places, given["v"], strict=True)]
        return Scene(made, 9.8, {pair: law for pair in itertools.combinations(range(3), 2)})

    end = run([discs(0.0), discs(1e-6), discs(0.2)], given["t_end"])
    assert end.status[0] == planar.Status.TIE
    assert set(end.status[1:].tolist()) <= {0, int(planar.Status.EVENT_CAP)}
    momentum, energy = end.path.vel[:, 0, :, 0].sum(axis=1), (end.path.vel[:, 0] ** 2).sum(axis=(1, 2))
    np.testing.assert_allclose(momentum, 0, rtol=0, atol=tolerance)
    assert (energy <= 2.0 + tolerance).all()
    for k in (1, 2):
        hits = min(int(end.events.count[k]), planar.Rules().max_events)
        assert hits >= 3
        before, after = (
            (getattr(end.events, f"vel_{side}")[k, :hits] ** 2).sum((1, 2)) for side in ("before", "after")
        )
        assert (after <= before + tolerance).all()


@pytest.mark.parametrize("case", ["rig-backspin-slide-to-roll"])
def test_backspin_ends_in_forward_rolling(case: str) -> None:
    given, want = ROLLING[case]["input"], ROLLING[case]["expected"]
    roll = np.array([given["r"] * given["omega0"], 0.0])
    ball = body("sphere", given["r"], (0, 0), (given["v0"], 0), roll=roll, mu=given["mu"])
    end = run([Scene([ball, *far(1)], given["g"])], 10.0)
    assert names(end.events) == [("roll", (0,))]
    assert end.path.vel[0, 0, 0, 0] == pytest.approx(want["v_final"], rel=1e-12)
    assert end.path.vel[0, 0, 0, 0] == pytest.approx((5 * given["v0"] + 2 * given["r"] * given["omega0"]) / 7)


@pytest.mark.parametrize("case", ["rig-rolling-resistance"])
def test_a_rolling_torque_brakes_by_five_sevenths_of_its_coefficient(case: str) -> None:
    """A torque c_rr N r is `mu_roll` = c_rr/(1 + 2/5): the floor gives part of it back to what rolls."""
    given, want = ROLLING[case]["input"], ROLLING[case]["expected"]
    vel = np.array([given["v0"], 0.0])
    mu_roll = planar.rolling_coefficient(given["c_rr"])
    ball = body("sphere", given["r"], (0, 0), vel, roll=vel, mu=0.5, mu_roll=mu_roll)
    end = run([Scene([ball, *far(1)], given["g"])], 30.0)
    assert mu_roll * given["g"] == pytest.approx(want["decel"], rel=1e-12)
    assert names(end.events) == [("stop", (0,))]
    assert end.path.pos[0, 0, 0, 0] == pytest.approx(want["stop_distance"], rel=1e-12)
    assert end.events.time[0, 0] == pytest.approx(want["t_stop"], rel=1e-12)


@pytest.mark.parametrize("case", ["rig-friction-isotropy"])
def test_friction_does_not_depend_on_the_heading(case: str) -> None:
    given, want = ROLLING[case]["input"], ROLLING[case]["expected"]
    headings = np.radians([*given["headings_deg"], 200.0, 333.0])
    scenes = [
        Scene([body("cube", 0.1, (0, 0), turned((given["v0"], 0), t), yaw=yaw, mu=given["mu"]), *far(1)], given["g"])
        for t in headings
        for yaw in (0.0, 0.4)
    ]
    end = run(scenes, 5.0)
    way = np.linalg.norm(end.path.pos[:, 0, 0], axis=-1)
    np.testing.assert_allclose(way, want["stop_distance"][0], rtol=1e-12)
    assert np.ptp(way) / way.mean() < want["max_spread_rel"]
    along = end.path.pos[:, 0, 0] / way[:, None]
    np.testing.assert_allclose(along, [turned((1, 0), t) for t in headings for _ in range(2)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", ["rig-friction-combine-rule"])
def test_the_coefficient_of_a_pair_of_materials_is_their_product(case: str) -> None:
    """The rule of the reference engine; the way in which a slider stops says which rule a scene was made with."""
    given, want = ROLLING[case]["input"], ROLLING[case]["expected"]
    assert InPhyReConfig().friction_rule == "product"
    mu = given["mu_a"] * given["mu_b"]
    assert mu == want["mu_eff"][0]
    assert math.degrees(math.atan(mu)) == pytest.approx(want["critical_angle_deg"][0], abs=1e-9)
    end = run([Scene([body("cube", 0.2, (0, 0), (2, 0), mu=mu), *far(1)], 9.8)], 5.0)
    assert end.path.pos[0, 0, 0, 0] == pytest.approx(0.8163265306, abs=1e-9)


def own(case: str) -> planar.Trajectory:
    """A case of our own: its input is that of `make_scene`, for one scene."""
    given = dict(OWN[case]["input"])
    times = [given.pop("t")]
    each = {name: np.asarray([value]) for name, value in given.items() if isinstance(value, list) and name != "shape"}
    world, state = planar.make_scene(**{**given, **each})
    planar.validate(world, state, times)
    end = planar.rollout(world, state, times)
    assert end.status.tolist() == [0]
    return end


@pytest.mark.parametrize("case", ["planar-backspin-from-rest", "planar-bullet-and-turning-bar"])
def test_no_contact_is_missed(case: str) -> None:
    end = own(case)
    contacts = end.events.time[0][end.events.kind[0] == planar.Kind.CONTACT]
    assert contacts[0] == pytest.approx(OWN[case]["expected"]["t_contact"], abs=OWN[case]["tolerance"])


@pytest.mark.parametrize("case", ["planar-slides-along-a-wall"])
def test_sliding_along_a_wall_is_no_contact(case: str) -> None:
    end = own(case)
    assert names(end.events) == [("stop", (0,))]
    np.testing.assert_allclose(end.path.pos[0, 0, 0], OWN[case]["expected"]["pos"], rtol=0, atol=OWN[case]["tolerance"])
