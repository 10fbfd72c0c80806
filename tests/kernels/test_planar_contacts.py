"""Contacts of discs and boxes, aligned, oblique and spinning, against the oracle: when, where, which way.

The oracle creeps along sampled gaps and bisects; the product takes conservative steps and Newton's method.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from jaxphys import planar
from tests.oracle import planar_loop, planar_workload
from tests.oracle.planar_scene import Event, Result, Scene
from tests.oracle.planar_workload import body
from tests.planar_support import names, run

TIME, PLACE = 1e-9, 1e-8
"""Tolerances of a contact's time (s), of its normal and place, which a spinning corner carries on (m)."""
LATER = 1e-7
"""Tolerance of positions after several contacts (m)."""
CAPACITY = planar.Rules().max_events


def _oracle(scene: Scene, end: float) -> Result | None:
    """The oracle's answer; None where it gives up, at a tie or in a rattle without end."""
    try:
        return planar_loop.simulate(scene, end, most=2 * CAPACITY)
    except (planar_loop.TieError, RuntimeError):
        return None


@functools.cache
def _wild(bodies: int, law: str, seed: int) -> tuple[list[Scene], planar.Trajectory, list[Result | None]]:
    scenes = planar_workload.wild(40, bodies=bodies, law=law, seed=seed)
    return scenes, run(scenes, 1.5), [_oracle(scene, 1.5) for scene in scenes]


def _agrees(got: planar.Trajectory, k: int, want: Result) -> int:
    """Assert that scene k is as the oracle has it; the number of its contacts."""
    assert names(got.events, k) == want.sequence()
    contacts = 0
    for slot, event in enumerate(want.events):
        assert abs(got.events.time[k, slot] - event.time) < (TIME if contacts < 2 else LATER)
        if event.kind == "contact":
            contacts += 1
            _same_contact(got, k, slot, event, PLACE if contacts < 2 else 10 * LATER)
    np.testing.assert_allclose(got.path.pos[k, 0], want.stack("pos"), rtol=0, atol=LATER)
    np.testing.assert_allclose(got.path.yaw[k, 0], want.stack("yaw"), rtol=0, atol=LATER)
    return contacts


def _same_contact(got: planar.Trajectory, k: int, slot: int, event: Event, atol: float) -> None:
    assert event.normal is not None
    assert event.point is not None
    assert event.before is not None
    assert event.after is not None
    events = got.events
    np.testing.assert_allclose(events.normal[k, slot], event.normal, rtol=0, atol=atol)
    np.testing.assert_allclose(events.point[k, slot], event.point, rtol=0, atol=atol)
    for name, pair in (("before", event.before), ("after", event.after)):
        vel, spin = getattr(events, f"vel_{name}")[k, slot], getattr(events, f"spin_{name}")[k, slot]
        np.testing.assert_allclose(vel, [b.vel for b in pair], rtol=0, atol=10 * atol)
        np.testing.assert_allclose(spin, [b.spin for b in pair], rtol=0, atol=100 * atol)


@pytest.mark.parametrize(("bodies", "law"), [(2, "eccentric"), (2, "regular"), (3, "eccentric")])
def test_any_bodies_at_any_angle_meet_as_in_the_oracle(bodies: int, law: str) -> None:
    _, got, wanted = _wild(bodies, law, 11)
    contacts = compared = 0
    for k, want in enumerate(wanted):
        if want is None or len(want.events) > CAPACITY:
            assert got.status[k] == planar.Status.EVENT_CAP, f"scene {k}"
            continue
        assert got.status[k] == 0, f"scene {k}: {want.sequence()}"
        contacts += _agrees(got, k, want)
        compared += 1
    assert compared >= 25
    assert contacts >= 25


def test_mixed_laws_head_on_as_in_the_oracle() -> None:
    scenes = planar_workload.head_on(48, seed=12)
    got = run(scenes, 5.0)
    assert not got.status.any()
    for k, scene in enumerate(scenes):
        want = planar_loop.simulate(scene, 5.0)
        assert _agrees(got, k, want) >= 1
        np.testing.assert_array_equal(got.path.look[k, 0], want.stack("look"))
        assert bool(got.path.through[k, 0, 0]) is ((0, 1) in want.through)


def pair(a: Any, b: Any, law: str = "eccentric") -> Scene:
    return Scene([a, b], 9.8, {(0, 1): (law, {"restitution": 1.0})})


PAIRS: dict[str, Scene] = {
    "disc on a face": pair(body("sphere", 0.2, (-1, 0.05), (1, 0)), body("cube", 0.3, (0, 0), (0, 0), yaw=0.2)),
    "disc on a corner": pair(
        body("cylinder", 0.2, (-1, 0.02), (1, 0)), body("cube", 0.3, (0, 0), (0, 0), yaw=math.pi / 4)
    ),
    "corner on a disc": pair(body("cube", 0.3, (-1, 0), (1, 0), yaw=0.8), body("sphere", 0.2, (0, 0.1), (0, 0))),
    "disc just passes a corner": pair(body("sphere", 0.2, (-1, 0.5 + 1e-3), (1, 0)), body("cube", 0.3, (0, 0), (0, 0))),
    "disc just meets a corner": pair(body("sphere", 0.2, (-1, 0.5 - 1e-3), (1, 0)), body("cube", 0.3, (0, 0), (0, 0))),
    "face on face, turned": pair(
        body("cube", 0.2, (-1, 0), planar_workload.turned((1, 0), 0.0), yaw=0.0),
        body("cube", 0.3, (0, 0.1), (0, 0)),
    ),
    "corner on a face": pair(body("cube", 0.2, (-1, 0.05), (1, 0), yaw=0.5), body("cube", 0.3, (0, 0), (0, 0))),
    "face on a corner": pair(body("cube", 0.2, (-1, 0.05), (1, 0)), body("cube", 0.3, (0, 0), (0, 0), yaw=0.9)),
    "corner to corner, passing": pair(
        body("cube", 0.2, (-1, 0.5 + 1e-3), (1, 0)), body("cube", 0.3, (0, 0), (0, 0), yaw=0.0)
    ),
    "spinning on a resting face": pair(
        body("cube", 0.2, (-0.6, 0), (0.3, 0), spin=6.0), body("cube", 0.3, (0, 0), (0, 0))
    ),
    "both spin on the spot": pair(
        body("cube", 0.2, (-0.27, 0), (0, 0), yaw=0.1, spin=3.0), body("cube", 0.2, (0.26, 0), (0, 0), yaw=0.9)
    ),
    "spinning past, close": pair(
        body("cube", 0.2, (-0.8, 0.46), (1, 0), spin=-5.0), body("cube", 0.2, (0, 0), (0, 0), spin=2.0)
    ),
    "a bar swings into a disc": pair(
        body("cube", 0.5, (0, 0), (0, 0), spin=2.0), body("sphere", 0.1, (0.2, 0.45), (0, 0))
    ),
}
PAIRS["a bar swings into a disc"].bodies[0].half = (0.5, 0.05)


@functools.cache
def _pairs() -> planar.Trajectory:
    return run(list(PAIRS.values()), 1.5)


@pytest.mark.parametrize("name", PAIRS)
def test_one_pair(name: str) -> None:
    want, k = planar_loop.simulate(PAIRS[name], 1.5), list(PAIRS).index(name)
    assert _pairs().status[k] == 0
    contacts = _agrees(_pairs(), k, want)
    assert (contacts == 0) is ("pass" in name and "close" not in name)


def test_aligned_faces_touch_in_the_middle_of_what_they_share_at_any_angle() -> None:
    """Smooth faces that meet flat and centred do not make a body spin, whichever corner rounding finds nearest."""
    angles = np.linspace(-math.pi, math.pi, 65)
    scenes = [
        pair(
            body("cube", 0.35, planar_workload.turned((-2, 0.1), t), planar_workload.turned((1.3, 0), t), yaw=t),
            body("cube", 0.35, (0, 0), (0, 0), yaw=t),
        )
        for t in angles
    ]
    got = run(scenes, 1.5)
    assert not got.status.any()
    middle = np.array([planar_workload.turned((-0.35, 0.05), t) for t in angles])
    np.testing.assert_allclose(got.events.point[:, 0], middle, rtol=0, atol=PLACE)
    np.testing.assert_allclose(got.events.time[:, 0], 1.3 / 1.3, rtol=0, atol=TIME)


@pytest.mark.parametrize("shape", ["sphere", "cylinder", "cube"])
def test_a_wall_is_hit_at_any_angle(shape: str) -> None:
    """The wall is a long box of infinite mass, turned to any side; it stays, and it mirrors."""
    angles = np.linspace(-math.pi, math.pi, 33)
    walls = [
        body("cube", 0.1, planar_workload.turned((1.0, 0), t), (0, 0), yaw=t, mass=math.inf, inertia=math.inf)
        for t in angles
    ]
    for wall in walls:
        wall.half = (0.1, 5.0)
    scenes = [
        pair(body(shape, 0.2, (0, 0), planar_workload.turned((1, 0.7), t), yaw=t), wall, "regular")
        for t, wall in zip(angles, walls, strict=True)
    ]
    got = run(scenes, 1.5)
    assert not got.status.any()
    np.testing.assert_allclose(got.events.time[:, 0], 0.7, rtol=0, atol=TIME)
    for k, t in enumerate(angles):
        np.testing.assert_allclose(got.events.normal[k, 0], planar_workload.turned((1, 0), t), rtol=0, atol=PLACE)
        np.testing.assert_allclose(got.path.vel[k, 0, 0], planar_workload.turned((-1, 0.7), t), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(got.path.pos[:, 0, 1], [wall.pos for wall in walls])
    np.testing.assert_array_equal(got.path.vel[:, 0, 1], 0)


def test_what_moves_away_or_in_step_never_touches() -> None:
    def two(u: float, v: float) -> Scene:
        """Two bodies that touch, to rounding."""
        return pair(body("cube", 0.2, (0, 0), (u, 0), mu=0.1), body("cube", 0.2, (0.4, 0), (v, 0), mu=0.1), "regular")

    got = run([two(0, 1), two(1, 1), two(-1, 0), two(0, 0)], 5.0)
    assert not got.status.any()
    assert not (got.events.kind == planar.Kind.CONTACT).any()
    touching = run([two(1, 0)], 5.0)
    assert names(touching.events)[0] == ("contact", (0, 1))
    assert touching.events.time[0, 0] == pytest.approx(0, abs=TIME)


def test_bodies_do_not_sink_into_each_other() -> None:
    scenes, got, wanted = _wild(3, "eccentric", 11)
    from tests.oracle.planar_gap import gap

    checked = 0
    for k, (scene, want) in enumerate(zip(scenes, wanted, strict=True)):
        if want is None or got.status[k]:
            continue
        ends = [b.copy() for b in scene.bodies]
        for i, end in enumerate(ends):
            end.pos, end.yaw = got.path.pos[k, 0, i], float(got.path.yaw[k, 0, i])
        assert min(gap(ends[i], ends[j]) for i, j in ((0, 1), (0, 2), (1, 2))) > -1e-9
        checked += 1
    assert checked >= 25


def _turned(scenes: Sequence[Scene], angle: float, mirror: bool) -> list[Scene]:
    made = []
    for scene in scenes:
        bodies = []
        for old in scene.bodies:
            new = old.copy()
            sign = np.array([1.0, -1.0 if mirror else 1.0])
            for name in ("pos", "vel", "roll"):
                x, y = getattr(old, name) * sign
                setattr(new, name, planar_workload.turned((x, y), angle))
            new.yaw, new.spin = sign[1] * old.yaw + angle, sign[1] * old.spin
            bodies.append(new)
        made.append(Scene(bodies, scene.g, scene.laws))
    return made


@pytest.mark.parametrize("mirror", [False, True])
def test_turned_and_mirrored_scenes_give_the_turned_and_mirrored_result(mirror: bool) -> None:
    scenes = [s for s in planar_workload.head_on(48, seed=13) if s.law((0, 1))[0] != "spin_up" or not mirror]
    scenes += planar_workload.wild(16, seed=13)
    turned = _turned(scenes, 0.7, mirror)
    one, other = run(scenes, 1.2), run(turned, 1.2)
    same = (one.status == 0) & (other.status == 0)
    assert same.mean() > 0.9
    sign = np.array([1.0, -1.0 if mirror else 1.0])
    c, s = math.cos(0.7), math.sin(0.7)
    want = (one.path.pos * sign) @ np.array([[c, s], [-s, c]])
    np.testing.assert_allclose(other.path.pos[same], want[same], rtol=0, atol=LATER)
    np.testing.assert_array_equal(one.events.kind[same], other.events.kind[same])
