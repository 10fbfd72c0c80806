"""Sweeps: one more batch axis over any leaf."""

import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import billiards, planar
from jaxphys.sweeps import aim, scale_speed, sweep
from tests.oracle import workload
from tests.support import A, R

SPEEDS = np.linspace(0.3, 1.2, 5)


@pytest.fixture
def scene() -> tuple[billiards.World, billiards.State]:
    pos, vel = workload.draw(3, "cue", seed=21)
    return billiards.make_scene(pos=pos, vel=vel)


def test_every_value_equals_its_own_rollout(scene: tuple[billiards.World, billiards.State]) -> None:
    world, state = scene
    result = sweep(billiards.rollout, world, state, {"vel": scale_speed(state, SPEEDS)}, [1.0, 3.0])
    assert result.pos.shape == (3, 5, 2, 7, 2)
    for k, speed in enumerate(SPEEDS):
        vel = state.vel / np.linalg.norm(state.vel[:, :1], axis=-1, keepdims=True) * speed
        one = billiards.rollout(world, state.replace(vel=np.where(state.vel != 0, vel, 0)), [1.0, 3.0])
        np.testing.assert_allclose(result.pos[:, k], one.pos, atol=1e-9)
        np.testing.assert_array_equal(result.first_hit[:, k] < 3, one.first_hit < 3)


def test_friction_and_radius_of_a_lone_ball() -> None:
    world, state = billiards.make_scene(pos=[[[0.5, 0.5]]], vel=[[[0.4, 0.0]]], size=None)
    values = {"mu": np.array([0.0, 0.002, 0.01]), "radius": np.array([0.02, 0.03, 0.04])}
    result = sweep(billiards.rollout, world, state, values, [2.0])
    expected = 0.5 + 0.8 - 0.5 * values["mu"] * 9.8 * 4
    np.testing.assert_allclose(result.pos[0, :, 0, 0, 0], expected, atol=1e-15)


def test_direction_keeps_the_speed(scene: tuple[billiards.World, billiards.State]) -> None:
    _, state = scene
    turned = aim(state, np.linspace(0, np.pi, 4))
    speed = np.linalg.norm(state.vel[:, 0], axis=-1)
    np.testing.assert_allclose(np.linalg.norm(turned[:, :, 0], axis=-1), np.repeat(speed[:, None], 4, axis=1))
    np.testing.assert_array_equal(turned[:, :, 1:], 0)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "empty"),
        ({"weight": [1.0]}, "weight"),
        ({"mu": [0.1, 0.2], "g": [9.8]}, "differ in length"),
        ({"vel": np.zeros((2, 3))}, "shape"),
    ],
)
def test_bad_values(scene: tuple[billiards.World, billiards.State], values: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sweep(billiards.rollout, *scene, values, [1.0])


def test_a_ball_at_rest_has_no_direction(scene: tuple[billiards.World, billiards.State]) -> None:
    with pytest.raises(ValueError, match="at rest"):
        scale_speed(scene[1], SPEEDS, ball=3)


@pytest.mark.usefixtures("x64")
def test_a_sweep_inside_a_trace_is_differentiable() -> None:
    import jax

    world, state = billiards.make_scene(pos=[[[0.5, 0.5]]], vel=[[[0.5, 0.0]]], size=None)

    def far(mu: jax.Array) -> jax.Array:
        return jnp.sum(jaxphys.sweep(billiards.rollout, world, state, {"mu": mu}, jnp.asarray([1.0])).pos)

    np.testing.assert_allclose(jax.grad(far)(jnp.asarray([0.002, 0.004])), [-0.5 * 9.8] * 2)


def test_hits_need_room() -> None:
    """A speed sweep finds the speed at which the label flips: where the path equals the free distance."""
    world, state = billiards.make_scene(pos=[[[0.3, 0.5], [1.0, 0.5]]], vel=[[[0.5, 0.0], [0.0, 0.0]]])
    speeds = np.linspace(0.1, 0.4, 301)
    result = sweep(billiards.rollout, world, state, {"vel": scale_speed(state, speeds)}, [3.0], log=False)
    hit = np.isfinite(result.first_hit[0, :, 1])
    free = 0.7 - 2 * R
    np.testing.assert_array_equal(hit, speeds * 3 - 0.5 * A * 9 > free)


def test_a_leaf_inside_a_mapping_is_named_with_a_dot() -> None:
    world, state = planar.make_scene(
        shape="sphere", size=0.2, pos=[[[0, 0], [1, 0]]], vel=[[[1, 0], [0, 0]]], mu=0.0, law="regular"
    )
    found = sweep(planar.rollout, world, state, {"params.restitution": [0.0, 0.5, 1.0]}, [2.0])
    assert np.allclose(found.path.vel[0, :, 0, 1, 0], [0.5, 0.75, 1.0], atol=1e-12)
    with pytest.raises(ValueError, match=r"params\.gain"):
        sweep(planar.rollout, world, state, {"params.gain": [1.0]}, [2.0])
