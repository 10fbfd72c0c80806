"""The long tests of the environment: both back ends side by side, and learning in three trainings."""

import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.env import EnvConfig, Environment
from tests.benchmarks.reacthuman.env.env_support import LANES, environment
from tests.humanoid_support import robot

SEEDS = (0, 1, 2)
DECISIONS = 60_000
LEAST_ERRORS = 2.0
"""By which the last tenth must beat the first, in standard errors (humanoid environment, acceptance)."""
LONGEST = 15 * 60
"""Of three trainings together (s), on two cores of their own."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_mjx_and_c_agree() -> None:
    scenes = np.array(LANES[::2], np.int32)
    c, mjx = environment(iterations=50), environment(iterations=50, backend="mjx")
    assert mjx.backend == "mjx"
    ones, others = c.begin(scenes), mjx.begin(scenes)
    action = jnp.zeros((len(scenes), 10)).at[:, 0].set(jnp.asarray([0.0, -0.8, 0.6, 0.0])).at[:, 3].set(0.5)
    steps = [jax.jit(env.step) for env in (c, mjx)]
    for _ in range(8):
        ones, others = steps[0](ones, action), steps[1](others, action)
    # After 1 s, as the back ends agree without a hazard (humanoid specification, section 9.3).
    away = np.abs(np.asarray(ones.data.body.qpos)[:, :3] - np.asarray(others.data.body.qpos)[:, :3]).max(axis=1)
    assert np.median(away) < 1e-3
    assert away.max() < 5e-3
    held = np.asarray(ones.obs)[:, :3] - np.asarray(others.obs)[:, :3]
    assert np.abs(held).max() < 5e-2
    assert np.array_equal(ones.done, others.done)
    for name in ("touched", "hit", "right"):
        assert np.array_equal(ones.metrics[name], others.metrics[name])


@pytest.mark.slow
@pytest.mark.timeout(4 * LONGEST)
def test_ppo_learns_with_three_seeds() -> None:
    pytest.importorskip("brax", reason="brax is missing; run pip install '.[train]' in the checkout")
    from jaxphys_benchmarks.reacthuman.env.training import PPOConfig, gain, train

    robot()
    env = Environment(EnvConfig())
    before = os.times()
    gains = []
    for seed in SEEDS:
        trained = train(env, seed, PPOConfig(decisions=DECISIONS))
        found = gain(trained.returns)
        assert found.errors >= LEAST_ERRORS, (seed, found)
        gains.append(found.last - found.first)
    # And as a difference between trainings, whose episodes are not independent of each other.
    assert np.mean(gains) >= LEAST_ERRORS * np.std(gains, ddof=1) / np.sqrt(len(gains))
    after = os.times()
    assert (after.user + after.system - before.user - before.system) / 2 < LONGEST
