"""A scene's bits on the C back end depend on the scene alone; and what a batch says about scenes that go wrong.

Public cases on determinism and batching are here by id (tests/cases/rigid.json).
"""

import functools
import hashlib
import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

from jaxphys import rigid
from tests.rigid_support import FAST, KINDS, RATE, drop, mixed, steps
from tests.support import cases

TABLE = cases("rigid")
COUNT = 24
EVERYTHING = rigid.Rules(substeps=4, drag=True, bounce=True)
RULES = {"plain": FAST, "parity": rigid.PARITY, "drag and bounce": EVERYTHING}
every_rule = pytest.mark.parametrize("rules", list(RULES.values()), ids=list(RULES))
TIMES = steps(120)[11::12]


@functools.cache
def scenes() -> tuple[rigid.World, rigid.State]:
    return mixed(COUNT, seed=7)


@functools.cache
def whole(rules: rigid.Rules) -> rigid.Trajectory:
    return simulate(*scenes(), rules=rules)


def simulate(world: rigid.World, state: rigid.State, times: Any = TIMES, **options: Any) -> rigid.Trajectory:
    return rigid.rollout(world, state, times, backend="c", **options)


def take(tree: Any, index: Any) -> Any:
    return jax.tree.map(lambda leaf: leaf[index], tree)


def same_bits(one: Any, other: Any) -> None:
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
        assert np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def digest(tree: Any) -> str:
    parts = hashlib.sha256()
    for leaf in jax.tree.leaves(tree):
        parts.update(np.ascontiguousarray(leaf).tobytes())
    return parts.hexdigest()


def test_the_batch_is_worth_testing() -> None:
    end = whole(FAST)
    world, _ = scenes()
    assert len({row.tobytes() for row in np.asarray(world.shape)}) == len(KINDS)
    assert (world.joint == rigid.Joint.HINGE).any()
    assert np.asarray(end.touching).any(axis=(1, 2)).mean() > 0.4
    assert not end.status.any()


@every_rule
def test_scenes_alone_equal_the_batch(rules: rigid.Rules) -> None:
    for k in range(0, COUNT, 5):
        same_bits(simulate(*take(scenes(), [k]), rules=rules), take(whole(rules), [k]))


@every_rule
def test_the_order_of_the_scenes_changes_nothing(rules: rigid.Rules) -> None:
    order = np.random.default_rng(0).permutation(COUNT)
    same_bits(simulate(*take(scenes(), order), rules=rules), take(whole(rules), order))


@pytest.mark.parametrize("case", ["det-shard-independence"])
def test_shards_put_together_are_the_whole(case: str) -> None:
    for count in TABLE[case]["input"]["devices"][1:3]:
        for k in range(count):
            same_bits(
                simulate(*take(scenes(), slice(k, None, count)), rules=FAST), take(whole(FAST), slice(k, None, count))
            )


@pytest.mark.parametrize("size", [1, 64, 512])
def test_the_size_of_the_batch_changes_nothing(size: int) -> None:
    """Of scenes of one signature, which run together."""
    world, state = drop(2)
    rows = np.arange(size) % 2
    same_bits(simulate(*take((world, state), rows), rules=FAST), take(simulate(world, state, rules=FAST), rows))


@pytest.mark.parametrize("size", [1, 64, 70])
def test_the_size_of_the_batch_changes_nothing_between_the_steps(size: int) -> None:
    world, state = drop(2)
    world = world.replace(drag_area=np.full_like(world.mass, 0.01), restitution=np.full_like(world.mass, 0.5))
    rows = np.arange(size) % 2
    few = simulate(world, state, steps(60), rules=EVERYTHING)
    same_bits(simulate(*take((world, state), rows), steps(60), rules=EVERYTHING), take(few, rows))


@every_rule
def test_threads_change_nothing(rules: rigid.Rules) -> None:
    same_bits(simulate(*scenes(), rules=rules, threads=1), simulate(*scenes(), rules=rules, threads=4))


@pytest.mark.parametrize("name", ["restitution", "drag_area"])
def test_a_neighbour_that_bounces_or_feels_the_air_changes_nothing(name: str) -> None:
    world, state = drop(3)
    values = np.zeros_like(world.mass)
    values[1] = 0.4
    together = simulate(world.replace(**{name: values}), state, rules=EVERYTHING)
    alone = simulate(*take((world.replace(**{name: values}), state), [0]), rules=EVERYTHING)
    same_bits(alone, take(together, [0]))


def test_saved_times_are_free_and_do_not_touch_the_motion() -> None:
    world, state = scenes()
    fine = simulate(world, state, steps(120), rules=rigid.PARITY)
    asked = np.sort(np.random.default_rng(1).permuted(np.tile(steps(120), (COUNT, 1)), axis=1)[:, :7], axis=1)
    asked[:, -1] = 0.5
    coarse = simulate(world, state, asked, rules=rigid.PARITY)
    index = np.rint(asked * RATE).astype(int) - 1
    rows = np.arange(COUNT)[:, None]
    same_bits((coarse.qpos, coarse.qvel), (fine.qpos[rows, index], fine.qvel[rows, index]))
    same_bits((coarse.first_touch, coarse.depth, coarse.status), (fine.first_touch, fine.depth, fine.status))
    before = np.concatenate([np.full((COUNT, 1), -1), index[:, :-1]], axis=1)
    for k in range(asked.shape[1]):
        for scene in (0, 5, 11):
            part = slice(before[scene, k] + 1, index[scene, k] + 1)
            np.testing.assert_array_equal(coarse.touching[scene, k], fine.touching[scene, part].any(axis=0))
            np.testing.assert_allclose(
                coarse.impulse[scene, k], fine.impulse[scene, part].sum(axis=0), rtol=0, atol=1e-9
            )


def test_times_of_one_scene_do_not_touch_another() -> None:
    """Not even what is gathered over the whole motion: the deepest overlap, the first contacts, the status."""
    world, state = take(scenes(), slice(0, 8))
    own = steps(120)[[9, 19, 119, 29, 59, 39, 5, 79]][:, None]
    together = simulate(world, state, own, rules=FAST)
    for k in range(8):
        same_bits(simulate(*take((world, state), [k]), own[k], rules=FAST), take(together, [k]))


@pytest.mark.parametrize("case", ["bat-mixed-shapes"])
def test_mixed_shapes(case: str) -> None:
    lanes = [{"cylinder": "prism"}.get(name, name) for name in TABLE[case]["input"]["lanes"]]
    r = 0.05
    world, state = rigid.make_scene(
        shape=[[name] for name in lanes],
        size=np.full((3, 1, 3), r),
        pos=np.full((3, 1, 3), [0, 0, TABLE[case]["input"]["drop_height"] + r]),
    )
    together = simulate(world, state, steps(RATE), rules=rigid.PARITY)
    for k in range(3):
        same_bits(simulate(*take((world, state), [k]), steps(RATE), rules=rigid.PARITY), take(together, [k]))
    assert together.touching.any(axis=(1, 2)).all()


@pytest.mark.parametrize("case", ["det-same-scene-twice"])
def test_the_same_scene_again(case: str) -> None:
    world, state = drop(2)
    runs = [digest(simulate(world, state, steps(5 * RATE), rules=FAST)) for _ in range(TABLE[case]["input"]["runs"])]
    assert len(set(runs)) == 1


@pytest.mark.parametrize("case", ["det-reset-contamination"])
def test_nothing_is_left_of_another_scene(case: str) -> None:
    program = (
        "import sys; from tests.jaxphys.test_rigid_batches import *; "
        "[simulate(*mixed(4, seed=int(s)), rules=rigid.PARITY) for s in sys.argv[1:-1]]; "
        "print(digest(simulate(*mixed(4, seed=int(sys.argv[-1])), rules=rigid.PARITY)))"
    )
    assert TABLE[case]["expected"]["bit_identical"]
    after_other, alone = (
        subprocess.run([sys.executable, "-c", program, *seeds], capture_output=True, text=True, check=True).stdout
        for seeds in (("1", "2"), ("2",))
    )
    assert after_other == alone == digest(simulate(*mixed(4, seed=2), rules=rigid.PARITY)) + "\n"


@pytest.mark.parametrize("case", ["det-snapshot-serialised"])
def test_a_snapshot_goes_on_alike(case: str) -> None:
    world, state = scenes()
    middle = simulate(world, state, [0.25], rules=rigid.PARITY)
    snapshot = rigid.State(time=middle.times[:, 0], qpos=middle.qpos[:, 0], qvel=middle.qvel[:, 0])
    file = io.BytesIO()
    np.savez(file, **vars(snapshot))
    file.seek(0)
    with np.load(file) as stored:
        restored = rigid.State(**stored)
    assert TABLE[case]["expected"]["dtypes_preserved"]
    assert {k: v.dtype for k, v in vars(restored).items()} == {k: v.dtype for k, v in vars(snapshot).items()}
    later = [0.4, 0.5]
    same_bits(
        simulate(world, snapshot, later, rules=rigid.PARITY), simulate(world, restored, later, rules=rigid.PARITY)
    )


@pytest.mark.parametrize("case", ["det-gpu-contact-order"])
def test_a_pile_of_boxes_again(case: str) -> None:
    world, state = pile(12)
    runs = [digest(simulate(world, state, [4.0], rules=FAST)) for _ in range(TABLE[case]["input"]["runs"])]
    assert len(set(runs)) == 1


def pile(count: int) -> tuple[rigid.World, rigid.State]:
    """Boxes that fall upon each other."""
    rng = np.random.default_rng(3)
    pos = np.stack([*rng.uniform(-0.05, 0.05, (2, count)), 0.1 + 0.15 * np.arange(count)], axis=-1)
    return rigid.make_scene(shape=["box"] * count, size=np.full((1, count, 3), 0.05), pos=pos[None], mass=0.5)


@pytest.mark.parametrize("case", ["bat-contact-cap-flag"])
def test_too_many_contacts_are_flagged(case: str) -> None:
    given = TABLE[case]["input"]
    world, state = pile(given["boxes"])
    few, many = (
        simulate(world, state, [2.0], rules=rigid.Rules(capacity=capacity)) for capacity in (given["nconmax"], 10_000)
    )
    assert few.status[0] == rigid.Status.CAPACITY
    assert many.status[0] == 0
    same_bits(few.qpos, many.qpos)


@every_rule
def test_energy_never_rises(rules: rigid.Rules) -> None:
    """Beyond what the method makes of free flight, g δ v/2 per kg and step, which it gives back."""
    world, state = scenes()
    end = simulate(world, state, steps(120), rules=rules)
    energy = rigid.energy(world, end.qpos, end.qvel)
    start = rigid.energy(world, state.qpos[:, None], state.qvel[:, None])
    total = np.concatenate([start.kinetic + start.potential, energy.kinetic + energy.potential], axis=1)
    there = world.shape != rigid.Shape.ABSENT
    weight = (world.mass * there).sum(axis=1) * 9.81
    fastest = np.linalg.norm(end.qvel[..., :3], axis=-1).max(axis=(1, 2)) + 1
    rise = np.maximum.accumulate(total[:, ::-1], axis=1)[:, ::-1].max(axis=1) - total[:, 0]
    assert (rise <= 2 * weight * fastest * rules.step).all()


def test_energy_of_bodies_at_rest_stays() -> None:
    world, state = pile(3)
    settled = simulate(world, state, [3.0], rules=rigid.PARITY)
    resting = rigid.State(time=settled.times[:, 0], qpos=settled.qpos[:, 0], qvel=settled.qvel[:, 0])
    end = simulate(world, resting, [3.5, 4.0, 5.0], rules=rigid.PARITY)
    energy = rigid.energy(world, end.qpos, end.qvel)
    assert np.ptp(energy.potential) < 1e-4 * energy.potential.max()
    assert energy.kinetic.max() < 1e-6


@pytest.mark.parametrize("rules", [FAST, EVERYTHING], ids=["plain", "drag and bounce"])
def test_a_scene_that_blows_up_is_flagged_and_harms_no_other(rules: rigid.Rules) -> None:
    world, state = drop(3)
    fast = np.array(state.qvel)
    fast[1, 0, :3] = 1e11
    end = simulate(world, state.replace(qvel=fast), rules=rules)
    assert end.status.tolist() == [0, rigid.Status.NONFINITE, 0]
    calm = simulate(*take((world, state), [0, 2]), rules=rules)
    same_bits(calm, take(end, [0, 2]))


def test_overlap_at_the_start_is_flagged() -> None:
    world, state = drop(3)
    sunk = np.array(state.qpos)
    sunk[1, 3, 2] = 0.03
    sunk[2, 3, 2] = 0.0399
    end = simulate(world, state.replace(qpos=sunk), steps(12), rules=FAST)
    assert end.status.tolist() == [0, rigid.Status.OVERLAP, 0]
    pairs = rigid.pairs(6, 1)
    assert pairs[int(np.argmax(end.depth[1]))] == (3, rigid.FLOOR)


Change = Callable[[dict[str, Any]], None]
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "NaN place": ({"pos": [[[0, 0, np.nan]]]}, "state.qpos"),
    "no mass": ({"mass": 0.0}, "world.mass"),
    "negative mass": ({"mass": -1.0}, "world.mass"),
    "no size": ({"size": [[[0.1, 0.1, 0.0]]]}, "world.size"),
    "negative inertia": ({"inertia": [[[1, 1, -1]]]}, "world.inertia"),
    "too bouncy": ({"restitution": 1.5}, "world.restitution"),
    "negative drag": ({"drag_area": -1.0}, "world.drag_area"),
    "negative damping": ({"damping": -1.0}, "world.damping"),
    "unknown shape": ({"shape": ["cone"]}, "shape"),
    "unknown joint": ({"joint": ["ball"]}, "joint"),
    "infinite speed": ({"vel": [[[np.inf, 0, 0]]]}, "state.qvel"),
    "nothing there": ({"shape": ["absent"]}, "world.shape"),
    "wrong rank": ({"size": [0.1, 0.1, 0.1]}, "size"),
    "no direction": ({"axis": [[[0, 0, 0]]]}, "axis"),
    "box without place": ({"static_half": [[[1, 1, 1]]]}, "static_pos"),
    "negative box": ({"static_half": [[[1, 1, -1]]], "static_pos": [[[0, 0, 0]]]}, "world.static_half"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_physical_is_refused_by_name(name: str) -> None:
    changes, field = REFUSED[name]
    given: dict[str, Any] = {"shape": ["box"], "size": [[[0.1, 0.1, 0.1]]], "pos": [[[0, 0, 1]]]}
    with pytest.raises(ValueError, match=rf"^{field}\b"):
        simulate(*rigid.make_scene(**(given | changes)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": [0.1001]}, "times.*whole steps"),
        ({"times": [0.0]}, "times.*later than the start"),
        ({"times": [0.5, 0.25]}, "times"),
        ({"times": []}, "times"),
        ({"times": [np.nan]}, "times"),
        ({"backend": "warp"}, "backend is 'warp'"),
    ],
)
def test_bad_calls_are_refused(options: dict[str, Any], message: str) -> None:
    world, state = drop(1)
    given: dict[str, Any] = {"times": [0.25], "backend": "c"} | options
    with pytest.raises(ValueError, match=message):
        rigid.rollout(world, state, given.pop("times"), **given)
