"""Executed plans by C MuJoCo: repeatable, independent of threads and neighbours, with falls and accidents told
(humanoid specification, section 13, rows 13, 14, 16, 18 and 22).
"""

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[humanoid]' in the checkout")
pytest.importorskip("orbax.checkpoint", reason="orbax is missing; run pip install '.[humanoid]' in the checkout")

import jaxphys
from jaxphys import humanoid
from jaxphys.humanoid import checkpoint, measures, teacher
from jaxphys.humanoid.controller import Controller, program
from jaxphys.humanoid.pool import Pool
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.control import control
from jaxphys_kernels.humanoid.joints import DEFAULT
from jaxphys_kernels.humanoid.plan import stack
from jaxphys_kernels.humanoid.state import start
from tests.humanoid_support import COMMANDS, constant, one, plans, robot

REACHED = 0.06
"""Largest hand error of a target in reach at its key frame (m)."""

PUBLISHED: dict[str, Any] = {
    "cmd": [-0.7, 0.0, 0.0],
    "dur": 0.7,
    "kt": [0.0, 0.4, 1.0],
    "kl": [[0.1, 0.15, 0.79], [0.5, 0.12, 0.54], [0.4, 0.12, 0.59]],
    "kr": [[0.1, -0.15, 0.79], [0.5, -0.12, 0.54], [0.4, -0.12, 0.59]],
    "kb": [0.0, 0.25, 0.2],
    "use": 1.0,
}
"""The one complete published plan, its hands above `z_ref` (sections 6.2 and 8.2)."""


@pytest.fixture(scope="module")
def executed() -> humanoid.Trajectories:
    """Six plans of one second, one per command, on two threads."""
    return run(threads=2)


def run(**changes: Any) -> humanoid.Trajectories:
    asked = {"weights": humanoid.policy("student"), "plans": plans(6), "seconds": 1.0, "backend": "c", **changes}
    return humanoid.rollout(robot(), asked.pop("weights"), asked.pop("plans"), **asked)


def test_the_shipped_policy_walks_and_brings_the_hands_to_their_targets(executed: humanoid.Trajectories) -> None:
    assert not executed.fell.any()
    assert np.isinf(executed.t_fell).all()
    assert not executed.status.any()
    error = measures.hand_error(executed.times, executed.qpos, executed.palms, plans(6), 0.4, 0)
    assert error.shape == (6, 2)
    assert error[executed.reach_miss[:, 0] < 0.01].max() < REACHED
    moved = measures.to_heading(executed.qpos[:, 23], executed.qpos[:, -1, None, :3])[:, 0]
    for (vx, vy, _), (x, y, _) in zip(COMMANDS, moved, strict=True):
        assert vx * x + vy * y >= 0.1 * (vx**2 + vy**2)


def test_a_run_has_the_asked_ticks(executed: humanoid.Trajectories) -> None:
    assert executed.times.shape == (72,)
    assert executed.times[[0, 23, -1]] == pytest.approx([1 / 48 - 0.5, 0.0, 1.0])
    assert executed.qpos.shape == (6, 72, 36)
    assert executed.qvel.shape == (6, 72, 35)
    assert executed.palms.shape == (6, 72, 2, 3)
    assert executed.observation is None


def test_runs_are_equal_whatever_the_threads_and_the_neighbours(executed: humanoid.Trajectories) -> None:
    again = run(threads=1)
    np.testing.assert_array_equal(again.qpos, executed.qpos)
    alone = run(plans=jax.tree.map(lambda leaf: leaf[4:5], plans(6)))
    np.testing.assert_array_equal(alone.qpos[0], executed.qpos[4])


def test_a_batch_may_be_wider_than_a_call(executed: humanoid.Trajectories) -> None:
    folded = run(lanes=4, seconds=0.5)
    np.testing.assert_allclose(folded.qpos[:, :36], executed.qpos[:, :36], rtol=0, atol=1e-4)


def test_the_heading_at_the_start_changes_nothing(executed: humanoid.Trajectories) -> None:
    turned = run(start=(humanoid.stand(6, yaw=np.pi / 2, xy=(3.0, -1.0)), np.zeros((6, 35))))
    for k in (24, 47):
        there, here = (measures.to_heading(r.qpos[:, 0], r.qpos[:, k, None, :3]) for r in (turned, executed))
        np.testing.assert_allclose(there, here, rtol=0, atol=1e-3)


def test_the_published_plan_runs_and_its_reach_is_told() -> None:
    plan = one(**PUBLISHED)
    found = run(plans=plan, seconds=1.5)
    assert not found.fell.any()
    assert found.reach_miss.shape == (1, 3, 2)
    np.testing.assert_allclose(found.reach_miss[0, 1], 0.26, rtol=0, atol=0.01)
    error = measures.hand_error(found.times, found.qpos, found.palms, plan, 0.4, 1)
    assert error.max() < 0.31
    assert -0.5 < found.qpos[0, -1, 0] < -0.3


def test_a_fall_is_told_and_the_fallen_disturb_nobody() -> None:
    lying = humanoid.stand(3)
    lying[1, 2:7] = [0.2, np.sqrt(0.5), 0, np.sqrt(0.5), 0]
    found = run(plans=plans(3), start=(lying, np.zeros((3, 35))), seconds=0.5)
    assert found.fell.tolist() == [False, True, False]
    assert found.t_fell[1] == pytest.approx(found.times[0])
    straight = run(plans=plans(3), seconds=0.5)
    np.testing.assert_array_equal(found.qpos[[0, 2]], straight.qpos[[0, 2]])
    assert not np.array_equal(found.qpos[1, -2], found.qpos[1, -1])


@pytest.mark.parametrize("spoilt", [np.nan, 1e9])
def test_numbers_that_go_are_told_and_stay_in_their_lane(
    spoilt: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoil(k: int, pool: Pool) -> None:
        if k == 5:
            pool.data[1].qvel[8] = spoilt

    monkeypatch.chdir(tmp_path)
    found = run(plans=plans(3), seconds=0.25, each_tick=spoil)
    # MuJoCo would write what it thinks of such numbers into the working directory.
    assert not list(tmp_path.iterdir())
    assert found.status.tolist() == [0, int(jaxphys.Status.NONFINITE), 0]
    assert found.fell.tolist() == [False, True, False]
    straight = run(plans=plans(3), seconds=0.25)
    np.testing.assert_array_equal(found.qpos[[0, 2]], straight.qpos[[0, 2]])


def test_a_pool_freezes_the_lane_that_is_told_nonsense() -> None:
    with Pool(robot(), 2, threads=2) as pool:
        target = np.tile(DEFAULT, (2, 1))
        target[1, 3] = np.inf
        before = pool.qpos()
        pool.advance(target, np.zeros(2))
        assert pool.alive.tolist() == [True, False]
        assert not np.array_equal(pool.qpos()[0], before[0])
        np.testing.assert_array_equal(pool.qpos()[1], before[1])
        pool.reset()
        assert pool.alive.all()


def test_numbers_too_large_for_single_precision_are_sensed_as_infinite() -> None:
    with Pool(robot(), 2, threads=1) as pool:
        pool.data[1].qvel[3] = 1e200
        assert np.isposinf(pool.sense().qvel[1, 3])
        pool.advance(np.tile(DEFAULT, (2, 1)), np.zeros(2))
        assert pool.alive.tolist() == [True, False]


def test_something_may_happen_between_the_steps_of_a_lane() -> None:
    seen: list[tuple[int, float]] = []

    def note(lane: int, data: Any) -> None:
        seen.append((lane, data.time))

    with Pool(robot(), 3, threads=2) as pool, Pool(robot(), 3, threads=2) as plain:
        pool.advance(np.tile(DEFAULT, (3, 1)), np.ones(3), steps=2, substeps=2, between=note)
        plain.advance(np.tile(DEFAULT, (3, 1)), np.ones(3), steps=4)
        np.testing.assert_array_equal(pool.qpos(), plain.qpos())
    assert sorted(lane for lane, _ in seen) == [0] * 4 + [1] * 4 + [2] * 4
    assert max(time for _, time in seen) == pytest.approx(4 / 240)


def test_what_raises_between_the_steps_is_not_lost() -> None:
    def fail(lane: int, data: Any) -> None:
        raise RuntimeError(f"lane {lane}")

    with Pool(robot(), 2, threads=2) as pool, pytest.raises(RuntimeError, match="lane"):
        pool.advance(np.tile(DEFAULT, (2, 1)), np.zeros(2), between=fail)


def test_the_mode_of_mujocos_own_threads_stays_near(executed: humanoid.Trajectories) -> None:
    other = run(c_mode="rollout", seconds=0.5)
    off = np.linalg.norm(other.qpos[:, 47, :3] - executed.qpos[:, 47, :3], axis=-1)
    assert np.median(off) < 2e-3
    assert off.max() < 1e-2


def test_the_compiled_controller_is_the_kernels_and_compiles_once() -> None:
    b, weights = 5, humanoid.policy("student")
    own = cast(np, plans(b), np.float32)
    with Pool(robot(), b, threads=1) as pool:
        controller = Controller(robot(), weights, own)
        state = start(np, (b,), np.float64)
        wide = cast(np, (weights, robot().chain, own), np.float64)
        controller(-1 / 48, pool.sense())
        compiled = program(robot().gains)._cache_size()  # type: ignore[attr-defined]
        state = control(
            np, *wide[:2], robot().gains, state, np.float64(-1 / 48), wide[2], cast(np, pool.sense(), np.float64)
        ).state
        for k in range(3):
            seen = pool.sense()
            driven = controller(k / 48, seen)
            wanted = control(
                np, *wide[:2], robot().gains, state, np.float64(k / 48), wide[2], cast(np, seen, np.float64)
            )
            state = wanted.state
            np.testing.assert_allclose(driven.target, wanted.target, rtol=0, atol=1e-4)
            np.testing.assert_array_equal(driven.use, wanted.use)
            pool.advance(driven.target, driven.use)
        assert program(robot().gains)._cache_size() == compiled  # type: ignore[attr-defined]


def test_plans_are_replaced_in_mid_motion() -> None:
    b = 3
    first, second = plans(b), plans(b, seed=1)
    with Pool(robot(), b) as pool:
        controller = Controller(robot(), humanoid.policy("student"), first, lanes=4)
        for k in range(24):
            driven = controller(k / 48, pool.sense())
            pool.advance(driven.target, driven.use)
        controller.replace(np.array([False, True, False]), second)
        np.testing.assert_array_equal(controller.plans.kl[1], second.kl[1].astype(np.float32))
        np.testing.assert_array_equal(controller.plans.kl[0], first.kl[0].astype(np.float32))
        for k in range(24, 24 + 24):
            driven = controller(k / 48, pool.sense())
            pool.advance(driven.target, driven.use)
        local = measures.to_heading(pool.qpos(), pool.palms())
        assert np.linalg.norm(local[1] - np.stack([second.kl[1, 0], second.kr[1, 0]]), axis=-1).max() < REACHED + 0.04
        assert not measures.fallen(robot().config, pool.qpos()).any()
        with pytest.raises(ValueError, match="pad the key frames"):
            controller.replace(np.ones(b, bool), stack([jax.tree.map(lambda leaf: leaf[0], first)] * b, 4))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"backend": "gpu"}, "backend is 'gpu'"),
        ({"c_mode": "threads"}, "c_mode is 'threads'"),
        ({"seconds": 0.0}, "at least one tick"),
        ({"settle": -1.0}, "settle"),
        ({"start": (np.zeros((2, 36)), np.zeros((6, 35)))}, "start has shapes"),
        ({"lanes": -1}, "lanes is -1"),
        ({"plans": plans(6).replace(dur=np.zeros(5))}, "one number of robots"),
        ({"plans": plans(6).replace(dur=np.zeros(7)), "backend": "mjx"}, "one number of robots"),
        ({"lanes": -1, "backend": "mjx"}, "lanes is -1"),
        ({"backend": "mjx", "each_tick": lambda k, pool: None}, "each_tick"),
    ],
)
def test_bad_input_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        run(weights=constant(), **changes)


def test_a_pool_needs_lanes_and_as_many_models() -> None:
    with pytest.raises(ValueError, match="lanes is 0"):
        Pool(robot(), 0)
    with pytest.raises(ValueError, match="1 models for 2 lanes"):
        Pool(robot(), 2, [robot().model])


def test_the_shipped_checkpoint_is_small_and_tells_where_it_comes_from() -> None:
    weights, metadata = checkpoint.load(checkpoint.STUDENT)
    size = sum(path.stat().st_size for path in checkpoint.STUDENT.rglob("*") if path.is_file())
    assert size <= 1_000_000
    assert {"name", "licence", "network", "imitates", "settings", "versions"} <= metadata.keys()
    assert metadata["imitates"]["sha256"] == teacher.SHA256
    assert weights.mean.shape == (100,)
    assert weights.bias.shape == (29,)
    assert all(leaf.dtype == np.float32 and np.isfinite(leaf).all() for leaf in jax.tree.leaves(weights))
