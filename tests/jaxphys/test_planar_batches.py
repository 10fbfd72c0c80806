"""A scene's bits depend on the scene alone: not on its neighbours, their laws, the batch, the shard or the threads.

And nothing compiles anew for new values, laws or batch sizes; the same holds under `jit` and `vmap` to rounding.
"""

import functools
import hashlib
import logging
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import planar
from tests.oracle import planar_workload
from tests.oracle.planar_scene import Scene
from tests.planar_support import lower, run

END = 5.0
LANES = 256
"""Scenes of one call on the host; batches around its multiples are padded."""


def mixed(count: int) -> list[Scene]:
    """Every law, every shape; some scenes oblique and spinning."""
    wild = planar_workload.wild(count // 4, seed=21)
    return planar_workload.head_on(count - len(wild), seed=21) + wild


@functools.cache
def whole() -> planar.Trajectory:
    return run(mixed(40), END)


def take(tree: Any, index: Any) -> Any:
    return jax.tree.map(lambda leaf: leaf[index], tree)


def same_bits(one: Any, other: Any) -> None:
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert a.dtype == b.dtype
        assert np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def digest(tree: Any) -> str:
    parts = hashlib.sha256()
    for leaf in jax.tree.leaves(tree):
        parts.update(np.ascontiguousarray(leaf).tobytes())
    return parts.hexdigest()


def test_mixed_laws_in_one_batch_equal_each_law_alone() -> None:
    scenes = mixed(40)
    groups: dict[str, list[int]] = {}
    for k, scene in enumerate(scenes):
        groups.setdefault(scene.law((0, 1))[0], []).append(k)
    assert len(groups) >= 8
    for rows in groups.values():
        same_bits(run([scenes[k] for k in rows], END), take(whole(), rows))


def test_scenes_alone_equal_the_batch() -> None:
    scenes = mixed(40)
    for k in (0, 7, 39):
        same_bits(run([scenes[k]], END), take(whole(), [k]))


def test_the_order_of_the_scenes_changes_nothing() -> None:
    order = np.random.default_rng(0).permutation(40)
    scenes = mixed(40)
    same_bits(run([scenes[k] for k in order], END), take(whole(), order))


@pytest.mark.parametrize("size", [1, 8, LANES - 1, LANES + 1, 2 * LANES + 3])
def test_the_size_of_the_batch_changes_nothing(size: int) -> None:
    world, state = lower(mixed(40))
    rows = np.arange(size) % 40
    same_bits(planar.rollout(take(world, rows), take(state, rows), [END]), take(whole(), rows))


def test_shards_put_together_are_the_whole() -> None:
    scenes = mixed(40)
    for k in range(3):
        same_bits(run(scenes[k::3], END), take(whole(), np.arange(k, 40, 3)))


def test_threads_change_nothing() -> None:
    world, state = lower(mixed(40))
    rows = np.arange(3 * LANES) % 40
    many = take(world, rows), take(state, rows)
    same_bits(planar.rollout(*many, [END], threads=1), planar.rollout(*many, [END], threads=4))


def test_times_of_one_scene_do_not_touch_another() -> None:
    scenes = mixed(40)
    times = np.linspace(0.5, 5, 40)[:, None]
    together = run(scenes, times)
    for k in (3, 20):
        same_bits(run([scenes[k]], times[k : k + 1]), take(together, [k]))


@pytest.mark.slow
def test_another_process_gives_the_same_bits() -> None:
    program = "from tests.jaxphys.test_planar_batches import *; print(digest(whole()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(whole())


def test_nothing_compiles_anew_for_values_laws_or_batch_sizes(caplog: pytest.LogCaptureFixture) -> None:
    whole()
    with caplog.at_level(logging.WARNING, logger="jax"), jax.log_compiles():
        run(planar_workload.head_on(3, seed=99), 3.3)
        run(planar_workload.head_on(300, law="take_look", seed=98), 1.1)
        run(planar_workload.wild(17, seed=97), 2.0)
    assert [r.message for r in caplog.records if "Compiling" in r.message] == []


def test_an_empty_batch_is_an_empty_answer() -> None:
    world, state = take(lower(mixed(4)), slice(0, 0))
    end = planar.rollout(world, state, [END])
    assert end.path.pos.shape == (0, 1, 2, 2)
    assert end.events.time.shape[0] == 0


def test_under_jit_and_vmap_the_answer_is_the_same_to_rounding() -> None:
    world, state = lower(mixed(8))
    want = planar.rollout(world, state, [2.0])
    with jaxphys.x64():
        pairs = jax.tree.map(lambda leaf: jnp.asarray(leaf).reshape(2, 4, *leaf.shape[1:]), (world, state))
        mapped = jax.jit(jax.vmap(lambda w, s: planar.rollout(w, s, jnp.asarray([2.0]))))(*pairs)
        end = jax.tree.map(lambda leaf: leaf.reshape(8, *leaf.shape[2:]), mapped)
    np.testing.assert_array_equal(end.status, want.status)
    np.testing.assert_array_equal(end.events.kind, want.events.kind)
    np.testing.assert_allclose(end.path.pos, want.path.pos, rtol=0, atol=1e-10)


def test_a_sweep_is_one_more_axis() -> None:
    world, state = lower(planar_workload.head_on(2, law="regular", seed=3))
    values = np.linspace(0.1, 0.3, 5)
    swept = jaxphys.sweep(planar.rollout, world, state, {"mu": values}, [2.0])
    for k, mu in enumerate(values):
        single = planar.rollout(world.replace(mu=np.full_like(world.mu, mu)), state, [2.0])
        same_bits(single.path.pos, swept.path.pos[:, k])


def test_float32_stays_float32_and_close() -> None:
    world, state = lower(planar_workload.head_on(16, seed=4))
    half = jax.tree.map(lambda leaf: leaf.astype(np.float32) if leaf.dtype == np.float64 else leaf, (world, state))
    end, exact = planar.rollout(*half, [2.0]), planar.rollout(world, state, [2.0])
    assert end.path.pos.dtype == end.events.time.dtype == np.float32
    assert not end.status.any()
    np.testing.assert_allclose(end.path.pos, exact.path.pos, rtol=0, atol=2e-4)


def test_the_stepped_twin_converges_to_the_exact_answer() -> None:
    scenes = planar_workload.head_on(16, seed=5)
    exact = run(scenes, 2.0).path.pos
    errors = [
        np.abs(run(scenes, 2.0, backend="stepped", dt=dt).path.pos - exact).max(axis=(1, 2, 3)).mean()
        for dt in (1 / 60, 1 / 240)
    ]
    assert errors[1] < 0.02
    assert 2 < errors[0] / errors[1] < 8
