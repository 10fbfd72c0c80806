"""The face of the core: shapes, dtypes, times, checks, and what a scene's bits depend on."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import billiards
from tests.oracle import workload
from tests.support import names, roll

BACKENDS = ("compiled", "xla", "readable")


def scenes(count: int, moving: workload.Moving = "cue", **options: object) -> tuple[billiards.World, billiards.State]:
    pos, vel = workload.draw(count, moving, seed=17)
    return billiards.make_scene(pos=pos, vel=vel, **options)  # type: ignore[arg-type]


def at(tree: object, index: object) -> object:
    return jax.tree.map(lambda x: x[index], tree)


@pytest.mark.parametrize("backend", ["compiled", "xla"])
@pytest.mark.parametrize("log", [True, False])
def test_bits_depend_on_the_scene_alone(backend: str, log: bool) -> None:
    """Alone, in a batch of 1024, at another place, in another shard, on one or two threads: the same bits."""
    world, state = scenes(1024)
    times = [0.7, 2.3, 5.0] if log else [5.0]
    options = {"backend": backend, "log": log, "rules": billiards.Rules(max_events=48)}
    whole = billiards.rollout(world, state, times, **options, threads=2)
    shuffled = np.random.default_rng(0).permutation(1024)
    others = {
        "one thread": (billiards.rollout(world, state, times, **options, threads=1), np.arange(1024)),
        "shuffled": (billiards.rollout(at(world, shuffled), at(state, shuffled), times, **options), shuffled),
        "a shard": (
            billiards.rollout(at(world, np.s_[1::3]), at(state, np.s_[1::3]), times, **options),
            np.arange(1024)[1::3],
        ),
        **{
            f"alone {k}": (billiards.rollout(at(world, [k]), at(state, [k]), times, **options), np.array([k]))
            for k in (0, 7, 1023)
        },
    }
    for name, (got, index) in others.items():
        for leaf, reference in zip(jax.tree.leaves(got), jax.tree.leaves(at(whole, index)), strict=True):
            np.testing.assert_array_equal(leaf, reference, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_batch_size_does_not_compile_anew(backend: str, caplog: pytest.LogCaptureFixture) -> None:
    world, state = scenes(40)
    billiards.rollout(world, state, [1.0, 2.0], backend=backend)
    with caplog.at_level(logging.WARNING, logger="jax"), jax.log_compiles():
        for count in (33, 34, 39, 40):
            billiards.rollout(at(world, np.s_[:count]), at(state, np.s_[:count]), [1.0, 2.0], backend=backend)
    assert [r.message for r in caplog.records if "Compiling" in r.message] == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_times_lie_on_the_path(backend: str) -> None:
    world, state = scenes(6, "all")
    times = np.linspace(0.25, 3.0, 12)
    path = billiards.rollout(world, state, times, backend=backend)
    for k in (0, 5, 11):
        end = billiards.rollout(world, state, times[k : k + 1], backend=backend, log=False)
        np.testing.assert_allclose(path.pos[:, k], end.pos[:, 0], atol=1e-9)
        np.testing.assert_allclose(path.vel[:, k], end.vel[:, 0], atol=1e-9)


def test_times_may_differ_by_scene() -> None:
    world, state = scenes(4)
    times = np.array([[1.0], [2.0], [3.0], [4.0]])
    mixed = billiards.rollout(world, state, times)
    for k in range(4):
        np.testing.assert_array_equal(mixed.pos[k], billiards.rollout(world, state, times[k]).pos[k])


def test_back_ends_agree() -> None:
    world, state = scenes(64)
    first, *others = (billiards.rollout(world, state, [5.0], backend=b) for b in BACKENDS)
    for other in others:
        np.testing.assert_allclose(other.pos, first.pos, atol=1e-9)
        for k in range(64):
            assert names(other.events, k) == names(first.events, k)


@pytest.mark.usefixtures("x64")
@pytest.mark.parametrize("backend", BACKENDS)
def test_jit_and_vmap_give_the_same(backend: str) -> None:
    world, state = scenes(6)
    plain = billiards.rollout(world, state, [2.0], backend=backend)

    def run(world: billiards.World, state: billiards.State) -> jax.Array:
        return billiards.rollout(world, state, jnp.asarray([2.0]), backend=backend).pos

    np.testing.assert_allclose(jax.jit(run)(world, state), plain.pos, atol=1e-12)
    split = jax.tree.map(lambda x: x.reshape(2, 3, *x.shape[1:]), (world, state))
    np.testing.assert_allclose(jax.vmap(run)(*split).reshape(plain.pos.shape), plain.pos, atol=1e-12)


def test_float32_is_close() -> None:
    double = billiards.rollout(*scenes(64), [1.0])
    single = billiards.rollout(*scenes(64, dtype=np.float32), [1.0])
    assert single.pos.dtype == np.float32
    assert np.median(np.abs(single.pos - double.pos)) < 1e-6


def test_importing_touches_nothing() -> None:
    assert not jax.config.jax_enable_x64
    roll([(0.5, 0.5)], [(0.3, 0.0)], 1.0)
    assert not jax.config.jax_enable_x64


BAD = {
    "nan": (lambda w, s: (w, s.replace(pos=s.pos * np.nan)), "pos"),
    "radius": (lambda w, s: (w.replace(radius=-w.radius), s), "radius"),
    "mass": (lambda w, s: (w.replace(mass=0 * w.mass), s), "mass"),
    "mu": (lambda w, s: (w.replace(mu=w.mu - 1), s), "mu"),
    "outside": (lambda w, s: (w, s.replace(pos=s.pos + np.array([3.0, 0.0]))), "outside|inside the table"),
    "overlap": (lambda w, s: (w, s.replace(pos=s.pos[:, :1].repeat(7, axis=1))), r"\[0, 1\]"),
    "shape": (lambda w, s: (w.replace(mass=w.mass[:, :3]), s), "mass"),
    "no balls": (lambda w, s: (w, s.replace(pos=s.pos[:, :0])), "at least one ball"),
}


@pytest.mark.parametrize("name", BAD)
def test_validate_names_the_field(name: str) -> None:
    change, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        billiards.validate(*change(*scenes(2)), [1.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": [0.0]}, "later than the start"),
        ({"times": [2.0, 1.0]}, "ascending"),
        ({"times": [np.nan]}, "finite"),
    ],
)
def test_validate_times(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        billiards.validate(*scenes(2), options["times"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": [1.0], "backend": "fast"}, "backend"),
        ({"times": [1.0, 2.0], "log": False}, "log=True"),
        ({"times": []}, "times"),
        ({"times": np.zeros((3, 1))}, "times"),
    ],
)
def test_rollout_options(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        billiards.rollout(*scenes(2), **options)


def test_make_scene_names_the_field() -> None:
    with pytest.raises(ValueError, match="vel"):
        billiards.make_scene(pos=np.zeros((1, 2, 2)), vel=np.zeros((1, 3, 2)))
    with pytest.raises(ValueError, match="radius"):
        billiards.make_scene(pos=np.zeros((1, 2, 2)), vel=np.zeros((1, 2, 2)), radius=[0.1, 0.1, 0.1])


def test_status_is_told_by_name() -> None:
    assert jaxphys.count_bits([0, 1, 3]) == {"EVENT_CAP": 2, "OVERLAP": 1}
    assert jaxphys.describe(0) == []
    assert "overlap" in jaxphys.describe(2)[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bad_scene_leaves_the_others_alone(backend: str) -> None:
    world, state = scenes(8)
    good = billiards.rollout(world, state, [2.0], backend=backend)
    pos = state.pos.copy()
    pos[3, 1] = np.nan
    pos[5, 1] = pos[5, 0]
    mixed = billiards.rollout(world, state.replace(pos=pos), [2.0], backend=backend)
    assert mixed.status[3] & billiards.Status.NONFINITE
    assert mixed.status[5] & billiards.Status.OVERLAP
    for k in (0, 1, 2, 4, 6, 7):
        assert mixed.status[k] == 0
        np.testing.assert_array_equal(mixed.pos[k], good.pos[k])
