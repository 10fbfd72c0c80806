"""Every event-driven back end against the independent event loops: lists, places, labels.

Reference engines document, section 9, row 2. Balls that all move are chaotic: two correct float64 programs differ
by 1e-2 m in the worst of some thousand scenes after 5 s, so there the 99th percentile counts, not the maximum.
"""

import functools
import itertools

import numpy as np
import pytest

from jaxphys import billiards
from tests.oracle import exact_loop, numpy_loop, workload
from tests.oracle.scene import Floats, Result, Scene
from tests.reference import ours

FEW_HITS = 2
FEW_HITS_TOLERANCE, MANY_HITS_TOLERANCE = 1e-9, 1e-6
"""Position error (m) of cue-only scenes with up to, and beyond, `FEW_HITS` ball events."""
CHAOS_TOLERANCE = 1e-6
"""Position error (m) that 99 % of the scenes keep when all balls move; of a small sample, 98 %."""
IMPACT_TOLERANCE = 1e-9

every_backend = pytest.mark.parametrize("backend", ours.BACKENDS)


@functools.cache
def _plain(moving: workload.Moving, scenes: int, seed: int) -> list[Result]:
    pos, vel = workload.draw(scenes, moving, seed=seed)
    return [numpy_loop.simulate(Scene.equal(x, v), 5.0) for x, v in zip(pos, vel, strict=True)]


def _error(one: Result, other: Result) -> float:
    return float(np.abs(one.pos - other.pos).max())


@every_backend
def test_cue_scenes_give_the_same_list(backend: str) -> None:
    pos, vel = workload.draw(96, "cue", seed=1)
    for got, want in zip(ours.simulate(pos, vel, 5.0, backend), _plain("cue", 96, 1), strict=True):
        assert got.sequence() == want.sequence()
        np.testing.assert_allclose([e.time for e in got.events], [e.time for e in want.events], rtol=0, atol=1e-7)
        few = sum(event.kind == "ball" for event in want.events) <= FEW_HITS
        assert _error(got, want) < (FEW_HITS_TOLERANCE if few else MANY_HITS_TOLERANCE)


@every_backend
@pytest.mark.parametrize("log", [True, False])
def test_labels_are_the_times_of_the_first_impulse(backend: str, log: bool) -> None:
    pos, vel = workload.draw(96, "cue", seed=1)
    world, state = billiards.make_scene(pos=pos, vel=vel)
    run = billiards.rollout(world, state, np.array([5.0]), backend=backend, log=log)
    for scene, want in enumerate(_plain("cue", 96, 1)):
        np.testing.assert_allclose(np.asarray(run.first_hit)[scene], want.first_hit(7), rtol=0, atol=1e-7)
        np.testing.assert_allclose(np.asarray(run.first_wall)[scene], want.first_wall(), rtol=0, atol=1e-7)


@every_backend
def test_all_balls_moving_agree_but_for_chaos(backend: str) -> None:
    _compare_chaotic(backend, 192, 0.98)


@pytest.mark.slow
@every_backend
def test_a_thousand_chaotic_scenes(backend: str) -> None:
    _compare_chaotic(backend, 960, 0.99)


def _compare_chaotic(backend: str, scenes: int, share: float) -> None:
    pos, vel = workload.draw(scenes, "all", seed=1)
    # In batches of one size, so that one program serves the whole file.
    batches = (ours.simulate(pos[k : k + 96], vel[k : k + 96], 5.0, backend) for k in range(0, scenes, 96))
    got_all = itertools.chain.from_iterable(batches)
    pairs = list(zip(got_all, _plain("all", scenes, 1), strict=True))
    errors = [_error(got, want) for got, want in pairs]
    assert np.quantile(errors, share) < CHAOS_TOLERANCE
    for error, (got, want) in zip(errors, pairs, strict=True):
        assert error > CHAOS_TOLERANCE or got.sequence() == want.sequence()


@every_backend
@pytest.mark.parametrize("mu", [0.0, 0.02])
def test_unequal_balls_pockets_and_an_open_side_give_the_same_list(backend: str, mu: float) -> None:
    rng = np.random.default_rng(7)
    pos, vel = workload.draw(24, "all", balls=4, seed=2)
    radius, mass = rng.uniform(0.01, 0.032, (24, 4)), rng.uniform(0.3, 3.0, (24, 4))
    size, pockets = (2.0, np.inf), [(2.0, 0.5, 0.08), (1.0, 0.0, 0.06)]
    world, state = billiards.make_scene(
        pos=pos, vel=vel, size=np.array(size), radius=radius, mass=mass, mu=mu, g=9.8, pockets=pockets
    )
    run = billiards.rollout(world, state, np.array([4.0]), backend=backend, log=True)
    assert not np.asarray(run.status).any()
    captured = 0
    for s in range(24):
        want = numpy_loop.simulate(Scene(pos[s], vel[s], radius[s], mass[s], mu * 9.8, size, pockets), 4.0)
        np.testing.assert_allclose(np.asarray(run.pos)[s, 0], want.pos, rtol=0, atol=MANY_HITS_TOLERANCE)
        np.testing.assert_array_equal(np.asarray(run.alive)[s, 0], want.alive)
        assert int(np.asarray(run.event_count)[s]) == len(want.events)
        captured += int((~want.alive).sum())
    assert captured > 3


@every_backend
def test_touching_racks_follow_the_joint_rule(backend: str) -> None:
    pos, vel = _racks(96)
    world, state = billiards.make_scene(pos=pos, vel=vel, size=None, mu=0.0)
    run = billiards.rollout(world, state, np.array([2.0]), backend=backend, log=True)
    assert not np.asarray(run.status).any()
    for s in range(len(pos)):
        want = numpy_loop.simulate(Scene.equal(pos[s], vel[s], a=0.0, size=(np.inf, np.inf)), 2.0)
        np.testing.assert_allclose(np.asarray(run.pos)[s, 0], want.pos, rtol=0, atol=IMPACT_TOLERANCE)


def _racks(scenes: int) -> tuple[Floats, Floats]:
    """A cue ball shot from a random side at a triangle of six touching balls, on a table without walls."""
    rng = np.random.default_rng(4)
    row, place = np.array([0, 1, 1, 2, 2, 2]), np.array([0, -1, 1, -2, 0, 2])
    rack = np.stack([row * 0.03 * np.sqrt(3), place * 0.03], axis=-1)
    angle = rng.uniform(0, 2 * np.pi, scenes)
    away = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    pos, vel = np.empty((scenes, 7, 2)), np.zeros((scenes, 7, 2))
    pos[:, 1:], pos[:, 0] = rack, (0.0346, 0) + 0.5 * away
    vel[:, 0] = -0.8 * away
    return pos, vel


@pytest.mark.slow
@every_backend
@pytest.mark.parametrize(("moving", "scenes"), [("cue", 96), ("all", 24)])
def test_a_sample_agrees_with_sixty_digits(backend: str, moving: workload.Moving, scenes: int) -> None:
    pos, vel = workload.draw(scenes, moving, seed=9)
    errors = []
    for got, want in zip(ours.simulate(pos, vel, 5.0, backend), _exact(moving, scenes), strict=True):
        assert got.sequence() == want.sequence()
        errors.append(_error(got, want))
    assert np.quantile(errors, 0.99) < (MANY_HITS_TOLERANCE if moving == "all" else FEW_HITS_TOLERANCE)


@functools.cache
def _exact(moving: workload.Moving, scenes: int) -> list[Result]:
    pos, vel = workload.draw(scenes, moving, seed=9)
    return [exact_loop.simulate(Scene.equal(x, v), 5.0) for x, v in zip(pos, vel, strict=True)]
