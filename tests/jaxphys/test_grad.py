"""Derivatives against central differences, their validity, and that they are finite everywhere."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import billiards, grad
from tests.oracle import workload
from tests.support import R, roll

pytestmark = pytest.mark.usefixtures("x64")


def scenes(count: int, moving: workload.Moving, seed: int = 1) -> tuple[billiards.World, billiards.State]:
    pos, vel = workload.draw(count, moving, seed=seed)
    return billiards.make_scene(pos=pos, vel=vel)


LEAVES: dict[str, Callable[..., tuple[billiards.World, billiards.State]]] = {
    "vel": lambda w, s, h, rng: (w, s.replace(vel=s.vel + h * np.where(s.vel != 0, rng.normal(size=s.vel.shape), 0))),
    "pos": lambda w, s, h, rng: (w, s.replace(pos=s.pos + 0.1 * h * rng.normal(size=s.pos.shape))),
    "mu": lambda w, s, h, rng: (w.replace(mu=w.mu + 0.01 * h), s),
    "radius": lambda w, s, h, rng: (w.replace(radius=w.radius + 0.1 * h * rng.normal(size=w.radius.shape)), s),
    "mass": lambda w, s, h, rng: (w.replace(mass=w.mass + h * rng.normal(size=w.mass.shape)), s),
    "size": lambda w, s, h, rng: (w.replace(size=w.size + 0.1 * h), s),
}


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("moving", ["cue", "all"])
def test_directional_derivatives(leaf: str, moving: workload.Moving) -> None:
    """Final positions, velocities, event times and first contacts, along one leaf at a time."""
    world, state = scenes(24, moving)

    def run(h: jax.Array | float) -> tuple[jax.Array, ...]:
        moved = LEAVES[leaf](world, state, h, np.random.default_rng(7))
        end = billiards.rollout(*moved, jnp.asarray([1.0, 1.5]))
        assert end.events is not None
        seen = [jnp.where(jnp.isfinite(x), x, 0) for x in (end.events.time, end.first_hit, end.first_wall)]
        return end.pos, end.vel, *seen

    _, tangent = jax.jvp(run, (jnp.asarray(0.0),), (jnp.asarray(1.0),))
    h = 1e-7
    ahead, behind = run(h), run(-h)
    valid = np.asarray(grad.is_valid(billiards.rollout(world, state, [1.5])))
    assert valid.sum() > 16
    for exact, plus, minus in zip(tangent, ahead, behind, strict=True):
        central = (np.asarray(plus) - np.asarray(minus)) / (2 * h)
        size = 1 + np.abs(central[valid])
        np.testing.assert_array_less(np.abs(np.asarray(exact)[valid] - central[valid]) / size, 1e-4)
        assert np.median(np.abs(np.asarray(exact)[valid] - central[valid]) / size) < 1e-7


def test_reverse_equals_forward() -> None:
    world, state = scenes(4, "all")

    def total(vel: jax.Array) -> jax.Array:
        return jnp.sum(billiards.rollout(world, state.replace(vel=vel), jnp.asarray([1.5])).pos, axis=(1, 2, 3))

    vel = jnp.asarray(state.vel)
    np.testing.assert_allclose(jax.jacrev(total)(vel), jax.jacfwd(total)(vel), rtol=1e-9, atol=1e-12)


def test_head_on_is_the_chain_of_closed_forms() -> None:
    """A head-on hit swaps the balls: the target ends where an undisturbed cue would, a diameter further."""

    def target(v0: jax.Array) -> jax.Array:
        world, state = billiards.make_scene(pos=[[[0.5, 0.5], [1.0, 0.5]]], vel=[[[0.6, 0.0], [0.0, 0.0]]])
        moved = state.replace(vel=jnp.zeros((1, 2, 2)).at[0, 0, 0].set(v0))
        return billiards.rollout(world, moved, jnp.asarray([1.5])).pos[0, 0, 1, 0]

    assert float(jax.grad(target)(jnp.asarray(0.6))) == pytest.approx(1.5, rel=1e-12)


@pytest.mark.parametrize(
    ("pos", "vel"),
    [
        ([(0.5, 0.5), (1.0, 0.5)], [(0, 0), (0, 0)]),
        ([(0.5, 0.5), (0.56, 0.5)], [(0.3, 0), (0.3, 0)]),
        ([(0.5, 0.5), (1.0, 0.53), (1.0, 0.47)], [(0.6, 0), (0, 0), (0, 0)]),
        ([(1.0, 0.5)], [(0.08, 0.0)]),
        ([(1.5, 0.5)], [(0.6 / 2**0.5, 0.6 / 2**0.5)]),
    ],
    ids=["rest", "touching", "joint", "stop", "corner"],
)
def test_finite_where_the_model_is_not_smooth(pos: list, vel: list) -> None:
    world, state = jax.tree.map(jnp.asarray, billiards.make_scene(pos=[pos], vel=[vel]))

    def total(world: billiards.World, state: billiards.State) -> jax.Array:
        end = billiards.rollout(world, state, jnp.asarray([5.0]))
        return jnp.sum(end.pos) + jnp.sum(end.vel)

    grads = jax.grad(total, argnums=(0, 1), allow_int=True)(world, state)
    for leaf in jax.tree.leaves(grads):
        if leaf.dtype != jax.dtypes.float0:
            assert np.isfinite(leaf).all()


def test_grazing_and_joint_contacts_are_flagged() -> None:
    grazing = roll([(0.3, 0.5), (1.0, 0.5 + 2 * R - 1e-6)], [(0.6, 0), (0, 0)], 2.0)
    assert not grad.is_valid(grazing)[0]
    assert float(jnp.min(grad.margins(grazing))) == pytest.approx(1 - (1 - 1e-6 / (2 * R)) ** 2, rel=1e-6)
    joint = roll([(0.5, 0.5), (1.0, 0.53), (1.0, 0.47)], [(0.6, 0), (0, 0), (0, 0)], 2.0)
    assert not grad.is_valid(joint)[0]
    plain = roll([(0.3, 0.5), (1.0, 0.53)], [(0.6, 0), (0, 0)], 2.0)
    assert grad.is_valid(plain)[0]


def test_margins_need_the_event_list() -> None:
    world, state = scenes(2, "cue")
    with pytest.raises(ValueError, match="log=True"):
        grad.margins(billiards.rollout(world, state, [1.0], log=False))


def test_a_rollout_without_log_has_the_same_derivative() -> None:
    world, state = scenes(3, "cue")

    def total(vel: jax.Array, log: bool) -> jax.Array:
        return jnp.sum(billiards.rollout(world, state.replace(vel=vel), jnp.asarray([2.0]), log=log).pos)

    vel = jnp.asarray(state.vel)
    np.testing.assert_array_equal(jax.grad(total)(vel, True), jax.grad(total)(vel, False))


def test_gradient_descent_finds_the_shot() -> None:
    """Aim the cue so that ball 1 ends at a place: the whole loop a user would write."""
    world, state = billiards.make_scene(pos=[[[0.4, 0.5], [1.0, 0.52]]], vel=[[[0.6, 0.0], [0.0, 0.0]]])
    goal = jnp.asarray([1.6, 0.7])

    @jax.jit
    @jax.value_and_grad
    def miss(shot: jax.Array) -> jax.Array:
        vel = jnp.zeros((1, 2, 2)).at[0, 0].set(shot)
        end = billiards.rollout(world, state.replace(vel=vel), jnp.asarray([2.5]))
        return jnp.sum((end.pos[0, 0, 1] - goal) ** 2)

    shot = jnp.asarray([0.6, 0.0])
    for k in range(200):
        value, slope = miss(shot)
        shot = shot - 3e-2 * 0.97**k * slope / jnp.linalg.norm(slope)
    assert float(value) < 1e-4


def test_x64_is_asked_for_where_it_is_missing() -> None:
    with jaxphys.x64():
        assert jnp.zeros(()).dtype == jnp.float64
