"""Edges on which the event-driven back ends once parted: the horizon, equal stops, pockets at the start, precisions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import _billiards_backends as backends
from jaxphys import billiards, grad
from tests.support import names, roll

BACKENDS = ("compiled", "xla", "readable")


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_event_at_exactly_the_end_time_happens(backend: str) -> None:
    end = roll([(1.25, 0.7), (0.75, 0.3)], [(0.5, 0), (-0.5, 0)], 1.0, backend=backend, radius=0.25, mu=0.0)
    assert names(end.events) == [("wall", (0, 3)), ("wall", (1, 2))]
    np.testing.assert_array_equal(end.vel[0, 0], [(-0.5, 0), (0.5, 0)])
    # The same with the cue ball second: it must not lose its label.
    end = roll([(0.75, 0.3), (1.25, 0.7)][::-1], [(-0.5, 0), (0.5, 0)][::-1], 1.0, backend=backend, radius=0.25, mu=0.0)
    assert end.first_wall[0, 3] == 1.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_balls_that_stop_together_are_all_listed(backend: str) -> None:
    end = roll([(0.5, 0.3), (0.5, 0.7)], [(0.1, 0), (0.1, 0)], 6.0, backend=backend)
    assert names(end.events) == [("stop", (0,)), ("stop", (1,))]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_ball_at_rest_in_a_pocket_is_captured_without_a_stop(backend: str) -> None:
    end = roll([(0.05, 0.05), (1, 0.5)], [(0, 0), (0.3, 0)], 2.0, backend=backend, pockets=[(0, 0, 0.1)])
    assert names(end.events) == [("pocket", (0, 0))]


@pytest.mark.parametrize("backend", ["xla", "readable", "stepped"])
@pytest.mark.parametrize("order", [(np.float32, np.float64), (np.float64, np.float32)])
def test_both_precisions_in_one_process(backend: str, order: tuple[type, type]) -> None:
    jax.clear_caches()
    for dtype in order:
        end = roll([(0.5, 0.5), (1, 0.54), (1, 0.46)], [(0.6, 0), (0, 0), (0, 0)], 2.0, backend=backend, dtype=dtype)
        assert end.pos.dtype == dtype


def test_validity_needs_no_scope() -> None:
    assert grad.is_valid(roll([(0.3, 0.5), (1.0, 0.53)], [(0.6, 0), (0, 0)], 2.0))[0]
    grazing = roll([(0.4, 0.5)], [(0.6, 0)], 2.0, pockets=[(1.0, 0.56 - 1e-9, 0.06)])
    assert not grad.is_valid(grazing)[0]


@pytest.mark.parametrize("times", [[5.0, 1.0], [np.nan], [-1.0]])
def test_impossible_times_are_refused(times: list) -> None:
    with pytest.raises(ValueError, match="times"):
        billiards.rollout(*billiards.make_scene(pos=[[(0.5, 0.5)]], vel=[[(0.6, 0)]]), times)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("leaf", ["radius", "mass", "size", "mu"])
def test_a_constant_that_is_no_number_sets_its_bit(leaf: str, backend: str) -> None:
    world, state = billiards.make_scene(pos=[[(0.5, 0.5), (1, 0.5)]], vel=[[(0.6, 0), (0, 0)]])
    end = billiards.rollout(world.replace(**{leaf: getattr(world, leaf) * np.nan}), state, [5.0], backend=backend)
    assert end.status[0] & billiards.Status.NONFINITE


def lattice(seed: int) -> tuple[billiards.World, billiards.State]:
    """Scenes on a lattice with few distinct speeds, so that ties, joint stops and captures are common."""
    rng = np.random.default_rng(seed)
    cells = np.stack(np.meshgrid(np.arange(1, 16), np.arange(1, 8)), axis=-1).reshape(-1, 2) * 0.125
    scenes, n = 64, 5
    pos = np.stack([cells[rng.choice(len(cells), n, replace=False)] for _ in range(scenes)])
    vel = rng.integers(-2, 3, (scenes, n, 2)) * 0.25
    world, state = billiards.make_scene(
        pos=pos,
        vel=vel,
        mu=rng.choice([0.0, 0.002, 0.05], scenes),
        radius=rng.choice([0.055, 0.06, 0.031], (scenes, n)),
        mass=rng.choice([1.0, 2.0], (scenes, n)),
        pockets=[(0, 0, 0.125), (2, 0, 0.125), (0, 1, 0.125), (2, 1, 0.125), (1, 0, 0.1), (1, 1, 0.1)],
    )
    return world, state.replace(alive=rng.random((scenes, n)) > 0.1, time=rng.choice([0.0, 10.0], scenes))


@pytest.mark.parametrize("backend", ["compiled", "xla"])
def test_ties_stops_and_captures_on_a_lattice(backend: str) -> None:
    world, state = lattice(1)
    times = state.time[:, None] + 1.5
    rules = billiards.Rules(max_events=128)
    want, got = (billiards.rollout(world, state, times, backend=b, rules=rules) for b in ("readable", backend))
    np.testing.assert_array_equal(got.status, want.status)
    fine = np.asarray(want.status) == 0
    assert fine.mean() > 0.9
    for scene in np.flatnonzero(fine):
        assert names(got.events, scene) == names(want.events, scene)
    np.testing.assert_allclose(got.pos[fine], want.pos[fine], atol=1e-8)
    np.testing.assert_allclose(got.events.vel[fine], want.events.vel[fine], atol=1e-7)
    assert {kind for scene in range(64) for kind, _ in names(got.events, scene)} == {"stop", "pocket", "wall", "ball"}


def test_rules_are_checked() -> None:
    with pytest.raises(ValueError, match="max_events"):
        billiards.Rules(max_events=0)
    with pytest.raises(ValueError, match="tie_window"):
        billiards.Rules(tie_window=-1.0)


@pytest.mark.parametrize("times", [[1.0], [0.5, 1.0]])
def test_no_scenes_give_no_results(times: list) -> None:
    world, state = billiards.make_scene(pos=np.zeros((0, 3, 2)), vel=np.zeros((0, 3, 2)))
    assert billiards.rollout(world, state, times).pos.shape == (0, len(times), 3, 2)


def test_second_derivatives_are_refused_in_words() -> None:
    world, state = billiards.make_scene(pos=[[(0.5, 0.5)]], vel=[[(0.6, 0.0)]])

    def end(vel: jax.Array) -> jax.Array:
        return jnp.sum(billiards.rollout(world, state.replace(vel=vel), jnp.asarray([1.0])).pos)

    with jaxphys.x64(), pytest.raises(NotImplementedError, match="first derivatives"):
        jax.jacfwd(jax.grad(end))(jnp.asarray(state.vel))


def test_an_eager_gradient_compiles_once() -> None:
    world, state = billiards.make_scene(pos=[[(0.3, 0.5), (1.0, 0.53)]], vel=[[(0.6, 0.0), (0.0, 0.0)]])

    def end(vel: jax.Array) -> jax.Array:
        return jnp.sum(billiards.rollout(world, state.replace(vel=vel), jnp.asarray([2.0])).pos)

    with jaxphys.x64():
        jax.grad(end)(jnp.asarray(state.vel))
        before = backends._replay._cache_size()
        for k in range(3):
            jax.grad(end)(jnp.asarray(state.vel) * (1 + 0.01 * k))
        assert backends._replay._cache_size() == before


def test_validity_inside_a_loss() -> None:
    world, state = billiards.make_scene(pos=[[(0.3, 0.5), (1.0, 0.53)]], vel=[[(0.6, 0.0), (0.0, 0.0)]])
    with jaxphys.x64():

        @jax.jit
        def masked(vel: jax.Array) -> jax.Array:
            end = billiards.rollout(world, state.replace(vel=vel), jnp.asarray([2.0]))
            return jnp.sum(jnp.where(grad.is_valid(end)[:, None, None, None], end.pos, 0))

        assert float(masked(jnp.asarray(state.vel))) > 1
