"""The C back end does what Genesis does, on recorded scenes (reference engines document, section 7).

Genesis itself is not needed: `genesis_record` ran it once, on its CPU back end in float64, and stored what it saw. What
differs between the engines, and by how much within 2 s of these scenes (`GRADES`):

    EXACT      spheres, hinged bodies, boxes that fall flat, slide or strike boxes   1e-15 to 5e-8 m
               Rounding, and what the solvers leave over in contacts of several bodies.
    TURNING    boxes that turn in flight                                             2e-5 to 2e-3 m
               Without contact Genesis turns a body by the implicit midpoint rule, right to 0.001 degrees where MuJoCo's
               implicitfast is off by 0.7 (spinning_throw: 9 rad/s, 0.8 s). By Euler's rule, which both have, falls and
               tumbles agree to 1e-13 m (`EULER`).
               a capsule that comes to lie, a prism on the floor                     3e-3 to 4e-3 m
    TUMBLING   boxes that rock on an edge of a box; prisms and capsules on boxes     7e-3 to 3e-2 m
               Other points of contact: where a box on a box is tilted a little, and where a prism lands on an edge, one
               engine sees one corner touch and the other two.
    CHAOS      prisms and capsules that fall off and roll, stacks, a book that hops  4e-2 to 4e-1 m
               Compared is what touches what, and when.

Two settings of Genesis matter. With its default detection of contacts between boxes (`box_box_detection` off) even a
cube that slides down a ramp is off by 4e-3 m instead of 3e-15 m. Its cone is pyramidal, the default; with the elliptic
one Genesis resolves contacts in another way (section 7.2), so that is not compared.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from jaxphys import rigid
from jaxphys_benchmarks.reacthuman.lower import lower_scenes
from jaxphys_benchmarks.reacthuman.scene import Scene

Floats = npt.NDArray[np.float64]

FOLDER = Path(__file__).with_name("genesis")
HERTZ = 240
ENTRIES: dict[str, dict[str, Any]] = json.loads((FOLDER / "scenes.json").read_text())

FLIGHT, HEIGHT, FIRST = 1e-9, 1e-3, 1
"""Free flight before any contact (m); height at rest (m); first contact after a flight (steps)."""


@dataclass(frozen=True)
class Grade:
    """How close a scene must come: centres (m) at all times, and the steps at which pairs first touch."""

    position: float
    steps: int


EXACT, TURNING, TUMBLING, CHAOS = Grade(1e-6, 1), Grade(5e-3, 1), Grade(50e-3, 2), Grade(np.inf, 10)

GRADES: dict[str, Grade] = {
    **dict.fromkeys(
        (
            "sphere_drop",
            "box_slide",
            "slide_roll",
            "golden_bounce",
            "flat_drop",
            "ramp_slide",
            "ramp_hold",
            "stack",
            "pendulum",
            "door",
            "object_drop_sphere",
            "shelf_slide_box",
            "ceiling_drop_box",
            "rolling_ball_sphere",
            "surface_cascade_sphere",
            "furniture_tip_box",
            "door_swing_box",
            "pendulum_swing_sphere",
            "pendulum_swing_box",
            "thrown_object_sphere",
            "bouncing_object_sphere",
            "stair_tumble_sphere",
            "chain_reaction_sphere",
            "chain_reaction_box",
            "multi_object_sphere",
            "multi_object_box",
        ),
        EXACT,
    ),
    **dict.fromkeys(
        (
            "spinning_throw",
            "tilted_drop",
            "hanging_fall_box",
            "sliding_object_box",
            "thrown_object_box",
            "capsule_drop",
            "hanging_fall_prism",
        ),
        TURNING,
    ),
    **dict.fromkeys(
        (
            "prism_drop",
            "object_drop_box",
            "sliding_object_prism",
            "furniture_tip_prism",
            "ladder_slip_box",
            "stair_tumble_capsule",
        ),
        TUMBLING,
    ),
    **dict.fromkeys(
        (
            "object_drop_prism",
            "object_drop_capsule",
            "shelf_slide_prism",
            "surface_cascade_box",
            "stack_collapse_box",
            "chain_reaction_prism",
        ),
        CHAOS,
    ),
}
NAMES = tuple(GRADES)
EULER = tuple(name for name in ENTRIES if "integrator" in ENTRIES[name])
FAMILIES = {entry["family"] for entry in ENTRIES.values()} - {""}


@dataclass(frozen=True)
class Motion:
    """A scene as one engine sees it, at the recorded steps.

    Attributes:
        step: (t,) recorded steps. pos: (t, n, 3) m. quat: (t, n, 4). angle: (t, n) rad, NaN for a free body.
        onset: first step at which a body touches another, the floor (-1) or a static box (n + k), by (body, partner).
            A touch that ends with the first step is the launch's, and does not count.
        flight: steps before anything touches.
    """

    step: npt.NDArray[np.int32]
    pos: Floats
    quat: Floats
    angle: Floats
    onset: dict[tuple[int, int], int]
    flight: int

    def resting(self) -> npt.NDArray[np.bool_]:
        """(n,) whether a body is at rest at the end: less than 0.1 mm in the last 50 ms."""
        found: npt.NDArray[np.bool_] = np.abs(self.pos[-1] - self.pos[-2]).max(axis=-1) < 1e-4
        return found


def _contacts(touch: npt.NDArray[np.bool_], pairs: list[tuple[int, int]]) -> dict[str, Any]:
    """Onset and flight from (u, c) contacts of pairs at every step."""
    later, anything = touch[1:], np.append(touch.any(axis=-1), True)
    onset = {pair: int(np.argmax(later[:, k])) + 1 for k, pair in enumerate(pairs) if later[:, k].any()}
    return {"onset": onset, "flight": int(np.argmax(anything))}


@pytest.fixture(scope="module")
def recordings() -> dict[str, npt.NDArray[Any]]:
    with np.load(FOLDER / "recordings.npz") as file:
        return dict(file)


@pytest.fixture(scope="module")
def theirs(recordings: dict[str, npt.NDArray[Any]]) -> dict[str, Motion]:
    found = {}
    for name, entry in ENTRIES.items():
        n, s = len(entry["scene"]["things"]), len(entry["scene"]["boxes"])
        pairs = [(i, j) for i, j in rigid.pairs(n, s)]
        columns = [0 if j == rigid.FLOOR else 1 + j - n if j >= n else 1 + s + j for _, j in pairs]
        touch = recordings[f"{name}/touch"]
        arrays = {key: recordings[f"{name}/{key}"] for key in ("step", "pos", "quat", "angle")}
        both = np.stack([touch[:, i, c] for (i, _), c in zip(pairs, columns, strict=True)], axis=-1)
        found[name] = Motion(**arrays, **_contacts(both, pairs))
    return found


@pytest.fixture(scope="module")
def ours(theirs: dict[str, Motion]) -> dict[str, Motion]:
    scenes = [Scene.model_validate(ENTRIES[name]["scene"]) for name in NAMES]
    world, state = lower_scenes(scenes)
    start = np.array(state.qpos)
    for hold in {scene.hold for scene in scenes} - {0.0}:
        resting = state.replace(qvel=np.zeros_like(state.qvel))
        settled = rigid.rollout(world, resting, [hold], rules=rigid.GENESIS, backend="c")
        held = np.array([scene.hold == hold for scene in scenes])
        start[held] = settled.qpos[held, -1]
    count = max(round(ENTRIES[name]["horizon"] * HERTZ) for name in NAMES)
    times = np.arange(1, count + 1) / HERTZ
    moved = rigid.rollout(world, state.replace(qpos=start), times, rules=rigid.GENESIS, backend="c")
    assert not np.any(moved.status)
    motion = rigid.motion(world, moved.qpos, moved.qvel)
    every = rigid.pairs(world.mass.shape[1], world.static_half.shape[1])
    found = {}
    for k, (name, scene) in enumerate(zip(NAMES, scenes, strict=True)):
        step, n, end = theirs[name].step, len(scene.things), round(ENTRIES[name]["horizon"] * HERTZ)
        pairs = [(i, j if j < 0 or j < world.mass.shape[1] else n + j - world.mass.shape[1]) for i, j in every]
        free = np.array([thing.hinge is None for thing in scene.things])
        found[name] = Motion(
            step=step,
            pos=np.asarray(motion.pos)[k, step, :n],
            quat=np.asarray(motion.quat)[k, step, :n],
            angle=np.where(free, np.nan, np.asarray(moved.qpos)[k, step, :n, 0]),
            **_contacts(np.asarray(moved.touching)[k, :end], pairs),
        )
    return found


def _apart(ours: Motion, theirs: Motion) -> Floats:
    """(t, n) distances of the centres (m)."""
    found: Floats = np.linalg.norm(ours.pos - theirs.pos, axis=-1)
    return found


def test_the_recordings_are_of_these_scenes_and_say_how_they_were_made(recordings: dict[str, Any]) -> None:
    about = json.loads(str(recordings["about"]))
    assert about["scenes"] == hashlib.sha256((FOLDER / "scenes.json").read_bytes()).hexdigest()
    assert about["versions"]["genesis-world"] == "1.4.5"
    assert (about["backend"], about["precision"], about["hertz"], about["substeps"]) == ("cpu", "64", HERTZ, 4)
    assert {"system", "machine", "python"} <= set(about["platform"])
    assert (FOLDER / "recordings.npz").stat().st_size <= 1_000_000
    assert len(FAMILIES) == 17
    assert {*NAMES, *EULER} == set(ENTRIES)


@pytest.mark.parametrize("name", NAMES)
def test_bodies_are_where_genesis_puts_them(name: str, ours: dict[str, Motion], theirs: dict[str, Motion]) -> None:
    apart = _apart(ours[name], theirs[name])
    assert apart[theirs[name].step < theirs[name].flight - FIRST].max(initial=0) <= FLIGHT
    assert apart.max() <= GRADES[name].position, f"{apart.max():.2e} m apart"


@pytest.mark.parametrize("name", NAMES)
def test_the_same_things_touch_at_the_same_time(name: str, ours: dict[str, Motion], theirs: dict[str, Motion]) -> None:
    mine, other = ours[name].onset, theirs[name].onset
    assert mine.keys() == other.keys()
    late = {pair: (mine[pair], other[pair]) for pair in mine if abs(mine[pair] - other[pair]) > GRADES[name].steps}
    assert not late
    if mine:
        assert abs(min(mine.values()) - min(other.values())) <= FIRST


@pytest.mark.parametrize("name", NAMES)
def test_bodies_come_to_rest_at_the_same_height(name: str, ours: dict[str, Motion], theirs: dict[str, Motion]) -> None:
    still = theirs[name].resting()
    np.testing.assert_allclose(ours[name].pos[-1, still, 2], theirs[name].pos[-1, still, 2], rtol=0, atol=HEIGHT)


@pytest.mark.parametrize("name", [name for name in NAMES if "pendulum" in name or "door" in name])
def test_hinges_turn_alike(name: str, ours: dict[str, Motion], theirs: dict[str, Motion]) -> None:
    assert np.isfinite(theirs[name].angle).all()
    np.testing.assert_allclose(ours[name].angle, theirs[name].angle, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", EULER)
def test_the_models_fall_and_tumble_as_in_genesis_under_one_integrator(name: str, theirs: dict[str, Motion]) -> None:
    """Where Genesis' rule for turning bodies is off, nothing of a model differs."""
    scene = Scene.model_validate(ENTRIES[name]["scene"])
    world, state = lower_scenes([scene])
    model = mujoco.MjModel.from_xml_string(rigid.mjcf(world, state, rigid.GENESIS))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    poses = []
    for _ in range(round(ENTRIES[name]["horizon"] * HERTZ)):
        mujoco.mj_step(model, data, rigid.GENESIS.substeps)
        poses.append(data.qpos.copy())
    pos, quat = np.split(np.array(poses)[theirs[name].step], [3], axis=-1)
    np.testing.assert_allclose(pos, theirs[name].pos[:, 0], rtol=0, atol=1e-9)
    assert np.min(np.abs(np.sum(quat * theirs[name].quat[:, 0], axis=-1))) > 1 - 1e-12


def test_the_published_record_is_what_genesis_and_we_make_of_it(
    ours: dict[str, Motion], theirs: dict[str, Motion]
) -> None:
    """ReactHuman specification, section 15.2: record 4a07e23b passes y = 0 at index 74."""
    for engine in (ours, theirs):
        pos = engine["golden_bounce"].pos[:, 0]
        crossing = int(np.argmax(pos[:, 1] < 0))
        assert crossing == 74
        np.testing.assert_allclose(pos[crossing], (-0.8703, -0.0074, 0.6240), rtol=0, atol=5e-5)
