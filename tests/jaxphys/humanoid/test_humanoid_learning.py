"""The student network and its learning."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

pytest.importorskip("optax", reason="training needs the extra `humanoid`")

from jaxphys.humanoid import learning, network
from jaxphys_kernels.humanoid.policy import act

SMALL = network.Student((16, 8))
SCHEDULE = learning.Schedule(rate=5e-2, last_rate=5e-4, updates=200, memory=0.9)
MEAN, STD = np.full(100, 0.5, np.float32), np.full(100, 2.0, np.float32)


def batches(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """25 batches of 32 observations, all with the same answer."""
    seen = np.random.default_rng(seed).normal(size=(25, 32, 100)).astype(np.float32)
    return seen, np.ones((25, 32, 29), np.float32)


def apart(one: object, other: object) -> float:
    """Sum of the differences of two trees."""
    return float(sum(jax.tree.leaves(jax.tree.map(lambda a, b: float(jnp.abs(a - b).sum()), one, other))))


def test_the_network_is_the_policy_that_runs_on_the_robot() -> None:
    student, rng = network.Student(), np.random.default_rng(0)
    # None of the parameters at its first, special value.
    parameters = jax.tree.map(
        lambda leaf: leaf + jnp.asarray(rng.normal(0, 0.3, leaf.shape), jnp.float32), network.initial(student, 3)
    )
    seen = rng.normal(0, 2, (50, 100)).astype(np.float32)
    said = student.apply({"params": parameters}, (seen - MEAN) / STD)
    weights = network.weights_of(parameters, MEAN, STD)
    assert np.abs(said - act(jnp, weights, jnp.asarray(seen))).max() < 2e-5
    assert [layer.weight.shape for layer in weights.hidden] == [(100, 512), (512, 256), (256, 128)]
    assert weights.scale is None
    assert sum(leaf.size for leaf in jax.tree.leaves(weights)) == 221_669


def test_an_untrained_student_asks_for_next_to_nothing() -> None:
    weights = network.weights_of(network.initial(network.Student(), 0), np.zeros(100), np.ones(100))
    seen = np.random.default_rng(1).normal(size=(100, 100)).astype(np.float32)
    assert np.abs(act(np, weights, seen)).mean() < 0.2


def test_observations_that_hardly_vary_are_not_blown_up() -> None:
    seen = np.random.default_rng(0).normal(3, 1, (1000, 100))
    seen[:, 7] = 2.0
    mean, std = network.normaliser(seen)
    assert mean.dtype == std.dtype == np.float32
    assert std[7] == np.float32(network.LEAST_STD)
    assert mean[7] == 2.0
    assert np.abs(np.delete(std, 7) - 1).max() < 0.1


def test_learning_approaches_what_is_shown() -> None:
    rng = np.random.default_rng(0)
    learner = learning.begin(SMALL, SCHEDULE, 0)
    truth = np.zeros((100, 29), np.float32)
    truth[:2] = 1
    losses = []
    for _ in range(8):
        seen = rng.normal(0.5, 2, (25, 32, 100)).astype(np.float32)
        learner, loss = learning.learn(SMALL, SCHEDULE, learner, MEAN, STD, seen, (seen - 0.5) / 2 @ truth)
        losses.append(float(loss))
    assert losses[-1] < 0.3 * losses[0]
    assert int(learner.updates) == 200


def test_the_average_forgets_the_untrained_network() -> None:
    """A plain moving average would still be 98 % untrained after 25 updates."""
    slow = learning.Schedule(rate=1e-2, last_rate=1e-4, updates=200, memory=0.999)
    start = learning.begin(SMALL, slow, 0)
    learner, _ = learning.learn(SMALL, slow, start, MEAN, STD, *batches())
    moved = apart(start.parameters, learner.parameters)
    assert 0 < apart(learner.average, learner.parameters) < 0.6 * moved


def test_the_rate_falls_to_its_end() -> None:
    """The same batches move the parameters ever less."""
    learner, moves = learning.begin(SMALL, SCHEDULE, 0), []
    for _ in range(8):
        after, _ = learning.learn(SMALL, SCHEDULE, learner, MEAN, STD, *batches())
        moves.append(apart(learner.parameters, after.parameters))
        learner = after
    assert moves[-1] < 0.2 * moves[0]
