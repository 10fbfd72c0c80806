"""The laws against PyBullet with the law written in at first contact (reference engines document, section 4).

Our law functions act on the velocities that were stored before the step in which PyBullet reports the contact; where
everything is then is compared with our exact rollout. Tolerances are those of its table in section 4.3.

Scenes are aligned with the axes: PyBullet 3.2.7 lets a box that is turned by 45° about the vertical slide 7 % too
far, and a cylinder that slides obliquely up to 2 %. Spheres of unequal size meet earlier there than in a plane, and
sliding bodies that spin brake each other's motions, which ours do not (InPhyRe specification, sections 3.2, 3.3).
"""

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pybullet", reason="pybullet is missing; install jaxphys[references] under Python 3.11")

from jaxphys import planar
from tests.oracle import planar_workload
from tests.oracle.planar_scene import Body, Scene
from tests.oracle.planar_workload import body
from tests.planar_support import meet, run
from tests.reference.pybullet_planar import DT, Meeting, Simulator

pytestmark = pytest.mark.reference

SLACK = 5e-3
"""Penetration and one step of travel at the speeds of the table (m); v0·dt comes on top."""
SPEED = 1e-3
STEPS_LATE = 2
MARGIN = 6e-3
"""Distance from which a cylinder reports a contact (m)."""
SPIN = 0.02
"""By which a box turns in the engine while it slides, as its four corners do not share the load alike (rad/s)."""
SPIN_RATE = 0.05
END = 2.0
SHAPES = ("sphere", "cube", "cylinder")
both = pytest.mark.parametrize("mu", [0.0, 0.2], ids=["frictionless", "friction"])


@pytest.fixture(scope="module")
def engine() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


def play(engine: Simulator, scene: Scene, end: float) -> tuple[list[Body], list[Meeting]]:
    """The scene in PyBullet, with our laws written in."""
    laws = {pair: meet(name, **params) for pair, (name, params) in scene.laws.items()}
    bodies = [one.copy() for one in scene.bodies]
    for k, one in enumerate(bodies):
        one.look = k
    return engine.simulate(bodies, laws, end, scene.g)


LAWS: dict[str, tuple[str, dict[str, float], dict[str, Any]]] = {
    "LMC-reg": ("regular", {}, {}),
    "LMC": ("keep_momentum", {}, {}),
    "LMC gain": ("keep_momentum", {"gain": 0.8}, {}),
    "AMC": ("spin_up", {"omega": 1.0}, {}),
    "AMC keep": ("spin_up_keeping", {"omega": 3.0}, {}),
    "Red-LMC red": ("red_keeps_momentum", {}, {"red": True}),
    "Red-LMC blue": ("red_keeps_momentum", {}, {}),
    "Red-Pass red": ("red_passes", {}, {"red": True}),
    "Red-Pass blue": ("red_passes", {}, {}),
    "SB": ("regular", {}, {"mass": 20.0}),
    "CC": ("take_look", {}, {}),
}


def pair(shape: str, law: str, mu: float) -> Scene:
    """Two bodies of .2 m, a gap of .2 m, the first at 1 m/s, as in the table; SB has a heavy second body."""
    name, params, special = LAWS[law]
    mover = body(shape, 0.2, (0, 0), (1, 0), mu=mu, red=special.get("red", False))
    other = body(shape, 0.2, (0.6, 0), (0, 0), mu=mu, mass=special.get("mass", 1.0))
    return Scene([mover, other], 9.8, {(0, 1): (name, params)})


PAIRS = [(shape, law, mu) for shape in SHAPES for law in LAWS for mu in (0.0, 0.2)]


@functools.cache
def ours() -> planar.Trajectory:
    end = run([pair(*case) for case in PAIRS], END)
    assert not end.status.any()
    return end


def turns_back(end: planar.Trajectory, k: int) -> np.ndarray:
    """(2,) m/s: by how much each body's velocity changes at the contact, where that turns it round; else 0."""
    before, after = end.events.vel_before[k], end.events.vel_after[k]
    slot = int(np.argmax(end.events.kind[k] == planar.Kind.CONTACT))
    back = (before[slot] * after[slot]).sum(axis=-1) < 0
    return np.where(back, np.linalg.norm(after[slot] - before[slot], axis=-1), 0)


def contact_time(end: planar.Trajectory, k: int) -> float:
    return float(end.events.time[k][end.events.kind[k] == planar.Kind.CONTACT][0])


@both
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_places_velocities_and_looks_after_the_law(engine: Simulator, shape: str, law: str, mu: float) -> None:
    scene, k = pair(shape, law, mu), PAIRS.index((shape, law, mu))
    got, meetings = play(engine, scene, END)
    assert len(meetings) == 1
    late = meetings[0].time - contact_time(ours(), k)
    assert abs(late) <= STEPS_LATE * DT + (MARGIN if shape == "cylinder" else 0) + 1e-9

    # A body that is turned round late has gone the wrong way for as long.
    limit = 1.0 * DT + SLACK + turns_back(ours(), k) * STEPS_LATE * DT
    for i in comparable(shape, LAWS[law][0], mu):
        assert np.abs(got[i].pos - ours().path.pos[k, 0, i]).max() <= limit[i]
    if mu == 0:
        np.testing.assert_allclose([b.vel for b in got], ours().path.vel[k, 0], rtol=0, atol=SPEED)
    slot = int(np.argmax(ours().events.kind[k] == planar.Kind.CONTACT))
    after = meetings[0].after
    np.testing.assert_array_equal([b.look for b in after], ours().events.look_after[k, slot])
    np.testing.assert_allclose([b.spin for b in after], ours().events.spin_after[k, slot], rtol=0, atol=SPIN)


def comparable(shape: str, law: str, mu: float) -> list[int]:
    """Bodies whose places are compared: not those that slide on spinning, where true friction couples the two."""
    couples = shape != "sphere" and mu > 0
    return {"spin_up": [0], "spin_up_keeping": [1]}.get(law, [0, 1]) if couples else [0, 1]


@pytest.mark.parametrize(
    ("shape", "mu"), [("sphere", 0.0), ("cube", 0.0), ("cylinder", 0.0), ("sphere", 0.2), ("cube", 0.2)]
)
def test_the_wall(engine: Simulator, shape: str, mu: float) -> None:
    wall = Body("cube", (0.1, 5.0), np.array([1.0, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)
    scene = Scene(
        [body(shape, 0.2, (0, 0), (1, 0.4), mu=0.2 * mu), wall], 9.8, {(0, 1): ("tangent_gain", {"gain": 2.0})}
    )
    end = run([scene], END)
    got, meetings = play(engine, scene, END)
    assert len(meetings) == 1
    np.testing.assert_allclose(meetings[0].after[0].vel, meetings[0].before[0].vel * (-1, 2), rtol=0, atol=1e-9)
    speed = float(np.linalg.norm(end.events.vel_after[0, 0, 0]))
    limit = speed * DT + SLACK + turns_back(end, 0)[0] * STEPS_LATE * DT
    assert np.abs(got[0].pos - end.path.pos[0, 0, 0]).max() <= limit
    np.testing.assert_array_equal(got[1].pos, end.path.pos[0, 0, 1])


RANDOM = 48


@both
def test_random_scenes_like_those_of_the_benchmark(engine: Simulator, mu: float) -> None:
    """Speeds of 1 to 3 m/s, sizes .35 and .7 m, all laws: nine of ten keep the table's tolerance, all its rows added.

    The table was measured at 1 m/s. At 3 m/s the two steps by which a contact may be late are more than its slack: they
    count times the change of velocity, and a slide adds its own row.
    """
    scenes = planar_workload.head_on(RANDOM, seed=31, turns=4, friction=mu > 0)
    end, strict, compared = run(scenes, END), 0, 0
    assert not end.status.any()
    for k, scene in enumerate(scenes):
        shape, name = scene.bodies[0].shape, scene.law((0, 1))[0]
        uneven = shape == scene.bodies[1].shape == "sphere" and scene.bodies[0].half != scene.bodies[1].half
        if uneven or (mu > 0 and shape == "cylinder" and name == "tangent_gain"):
            continue
        got, meetings = play(engine, scene, END)
        assert len(meetings) == 1
        slot = int(np.argmax(end.events.kind[k] == planar.Kind.CONTACT))
        before, after = end.events.vel_before[k, slot], end.events.vel_after[k, slot]
        fastest = max(np.linalg.norm(v, axis=-1).max() for v in (before, after, [b.vel for b in scene.bodies]))
        late = STEPS_LATE * DT + (MARGIN / fastest if shape == "cylinder" else 0)
        change = np.linalg.norm(after - before, axis=-1)
        for i in comparable(shape, name, mu):
            error = np.abs(got[i].pos - end.path.pos[k, 0, i]).max()
            table = fastest * DT + SLACK
            assert error <= table + change[i] * late + (mu > 0) * fastest * DT, f"{k}: {shape}, {name}, body {i}"
            strict += error <= table
            compared += 1
    assert compared >= 60
    assert strict >= 0.9 * compared


# Free motion.


@pytest.mark.parametrize(("mu", "speed"), [(0.1, 1.0), (0.05, 1.0), (0.3, 2.0)])
@pytest.mark.parametrize("shape", ["cube", "cylinder"])
def test_stop_distance(engine: Simulator, shape: str, mu: float, speed: float) -> None:
    got, _ = engine.simulate([body(shape, 0.2, (0, 0), (speed, 0), mu=mu)], {}, 3.0)
    want = run([Scene([body(shape, 0.2, (0, 0), (speed, 0), mu=mu), body(shape, 0.2, (9, 9), (0, 0))])], 3.0)
    assert np.abs(got[0].pos - want.path.pos[0, 0, 0]).max() <= speed * DT
    assert np.linalg.norm(got[0].vel) < SPEED


@pytest.mark.parametrize(("mu", "speed"), [(0.1, 1.0), (0.3, 2.0), (0.05, 1.0)])
def test_slide_to_roll(engine: Simulator, mu: float, speed: float) -> None:
    got, _ = engine.simulate([body("sphere", 0.2, (0, 0), (speed, 0), mu=mu)], {}, 3.0)
    want = run([Scene([body("sphere", 0.2, (0, 0), (speed, 0), mu=mu), body("sphere", 0.2, (9, 9), (0, 0))])], 3.0)
    assert abs(got[0].pos[0] - want.path.pos[0, 0, 0, 0]) <= speed * DT
    assert got[0].vel[0] == pytest.approx(5 / 7 * speed, abs=1e-12)
    assert want.path.vel[0, 0, 0, 0] == pytest.approx(5 / 7 * speed, abs=1e-12)


@pytest.mark.parametrize("shape", ["cylinder", "cube"])
def test_spin_decays_as_with_the_load_on_the_rim(engine: Simulator, shape: str) -> None:
    mu, size, spin, steps = 0.2, 0.2, 5.0, 21
    got, _ = engine.simulate([body(shape, size, (0, 0), (0, 0), spin=spin, mu=mu)], {}, steps * DT)
    measured = (spin - got[0].spin) / (steps * DT)
    other = body(shape, size, (9, 9), (0, 0))
    rim = body(shape, size, (0, 0), (0, 0), spin=spin, mu=mu, kappa=planar.kappa(shape, "rim"))
    exact = (spin - run([Scene([rim, other])], steps * DT).path.spin[0, 0, 0]) / (steps * DT)
    assert measured == pytest.approx(exact, rel=SPIN_RATE)


def test_a_sphere_is_not_slowed_in_its_spin_about_the_vertical(engine: Simulator) -> None:
    got, _ = engine.simulate([body("sphere", 0.2, (0, 0), (0, 0), spin=5.0, mu=0.2)], {}, 1.0)
    assert got[0].spin == pytest.approx(5.0, abs=1e-9)


def test_the_friction_of_two_surfaces_is_their_product(engine: Simulator) -> None:
    """Coefficients .5 and .5 stop a box at 2 m/s after .8163 m; the minimum rule would say .408 (section 3.2)."""
    halves = engine.simulate([body("cube", 0.2, (0, 0), (2, 0), mu=0.5)], {}, 3.0, floor=0.5)[0][0].pos[0]
    want = run([Scene([body("cube", 0.2, (0, 0), (2, 0), mu=0.25), body("cube", 0.2, (9, 9), (0, 0))])], 3.0)
    assert abs(halves - want.path.pos[0, 0, 0, 0]) <= 2.0 * DT


def test_the_engine_gives_the_same_bits_again(engine: Simulator) -> None:
    first, second = (play(engine, pair("cube", "LMC", 0.2), END)[0] for _ in range(2))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.pos, other.pos)
        np.testing.assert_array_equal(one.vel, other.vel)
