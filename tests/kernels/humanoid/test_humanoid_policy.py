"""The walking policy: the formula of the specification, both heads, inputs that no robot should give."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_kernels.humanoid.policy import Weights, act, checked
from tests.humanoid_control_support import network, single


def reference(weights: Weights, observation: np.ndarray) -> np.ndarray:
    """One observation, layer by layer, as the specification words it (section 5.1)."""
    x = (observation - weights.mean) / weights.std
    for layer in weights.hidden:
        x = layer.weight.T @ x + layer.bias
        x = (x - np.mean(x)) / np.sqrt(np.var(x) + 1e-5) * layer.gain + layer.shift
        x = x / (1 + np.exp(-x))
    x = weights.weight.T @ x + weights.bias
    if weights.scale is not None:
        x = np.tanh(x) * weights.scale + weights.shift
    return np.clip(x, -100, 100)


@pytest.mark.parametrize("squashed", [True, False])
def test_the_network_is_that_of_the_specification(squashed: bool) -> None:
    weights = network(squashed=squashed)
    observations = np.random.default_rng(0).normal(size=(2, 5, 100))
    want = np.array([[reference(weights, one) for one in row] for row in observations])
    np.testing.assert_allclose(act(np, weights, observations), want, rtol=0, atol=1e-12)
    compiled = jax.jit(lambda weights, seen: act(jnp, weights, seen))
    np.testing.assert_allclose(compiled(*single((weights, observations))), want, rtol=0, atol=2e-5)


def test_actions_are_clipped() -> None:
    weights = network(squashed=False)
    loud = act(np, weights.replace(weight=1e3 * weights.weight), np.ones((1, 100)))
    assert np.abs(loud).max() == 100


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e30])
def test_an_observation_out_of_hand_gives_a_finite_action_and_leaves_the_others_alone(value: float) -> None:
    weights = single(network())
    observations = np.random.default_rng(1).normal(size=(3, 100)).astype(np.float32)
    spoilt = observations.copy()
    spoilt[1, 7] = value
    compiled = jax.jit(lambda seen: act(jnp, weights, seen))
    good, bad = (np.asarray(compiled(seen)) for seen in (observations, spoilt))
    assert np.isfinite(bad).all()
    np.testing.assert_array_equal(good[[0, 2]], bad[[0, 2]])


@pytest.mark.parametrize(
    ("name", "shape"),
    [("mean", (7,)), ("std", (1, 100)), ("weight", (9, 29)), ("bias", (28,)), ("scale", (30,)), ("shift", ())],
)
def test_weights_that_do_not_fit_are_named(name: str, shape: tuple[int, ...]) -> None:
    weights = network(squashed=True)
    assert checked(weights) is weights
    with pytest.raises(ValueError, match=rf"^{name} has shape"):
        checked(weights.replace(**{name: np.zeros(shape)}))


def test_a_layer_that_does_not_fit_the_one_before_is_named() -> None:
    weights = network(squashed=False)
    first, second, *others = weights.hidden
    wrong = second.replace(weight=second.weight[:-1])
    with pytest.raises(ValueError, match=r"^hidden\[1\]\.weight has shape"):
        checked(weights.replace(hidden=(first, wrong, *others)))
