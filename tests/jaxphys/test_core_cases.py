"""Public cases on determinism, batching, precision and gradients that concern billiards, by id."""

import hashlib
import io
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import billiards
from jaxphys_kernels.billiards import contact, event, impact, motion, stepped
from jaxphys_kernels.plane import norm_and_direction
from tests.oracle import workload
from tests.support import R, cases, roll

CASES = cases("core")
BACKENDS = ("compiled", "xla", "readable")


def scenes(count: int, seed: int = 0, moving: workload.Moving = "cue") -> tuple[billiards.World, billiards.State]:
    pos, vel = workload.draw(count, moving, seed=seed)
    return billiards.make_scene(pos=pos, vel=vel)


def digest(end: billiards.Trajectory) -> str:
    parts = hashlib.sha256()
    for leaf in jax.tree.leaves(end):
        parts.update(np.ascontiguousarray(leaf).tobytes())
    return parts.hexdigest()


@pytest.mark.parametrize("backend", BACKENDS)
def test_det_same_scene_twice(backend: str) -> None:
    runs = CASES["det-same-scene-twice"]["input"]["runs"]
    world, state = scenes(8)
    assert len({digest(billiards.rollout(world, state, [5.0], backend=backend)) for _ in range(runs)}) == 1


def test_det_reset_contamination() -> None:
    program = (
        "import sys; from tests.jaxphys.test_core_cases import *; "
        "[billiards.rollout(*scenes(8, seed=int(s)), [3.0]) for s in sys.argv[1:-1]]; "
        "print(digest(billiards.rollout(*scenes(8, seed=int(sys.argv[-1])), [3.0])))"
    )
    after_other, alone = (
        subprocess.run([sys.executable, "-c", program, *seeds], capture_output=True, text=True, check=True).stdout
        for seeds in (("1", "2"), ("2",))
    )
    assert after_other == alone


def test_det_snapshot_serialised() -> None:
    world, state = scenes(4)
    middle = billiards.rollout(world, state, [1.0])
    snapshot = state.replace(time=middle.times[:, 0], pos=middle.pos[:, 0], vel=middle.vel[:, 0])
    file = io.BytesIO()
    np.savez(file, **vars(snapshot))
    file.seek(0)
    with np.load(file) as stored:
        restored = billiards.State(**stored)
    assert {k: v.dtype for k, v in vars(restored).items()} == {k: v.dtype for k, v in vars(snapshot).items()}
    assert digest(billiards.rollout(world, snapshot, [3.0])) == digest(billiards.rollout(world, restored, [3.0]))


def test_det_shard_independence() -> None:
    draw = CASES["det-shard-independence"]["input"]
    program = (
        "import jax, numpy as np, sys; from jax.sharding import Mesh, NamedSharding, PartitionSpec as P; "
        "devices = np.array(jax.devices()); where = NamedSharding(Mesh(devices, 'i'), P('i')); "
        f"draw = jax.jit(lambda key: jax.random.normal(key, ({draw['n']},)), out_shardings=where); "
        f"print(len(devices), np.asarray(draw(jax.random.key({draw['seed']}))).tobytes().hex())"
    )
    drawn = {}
    for devices in draw["devices"]:
        flags = f"--xla_force_host_platform_device_count={devices}"
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"XLA_FLAGS": flags, "PATH": "", "JAX_PLATFORMS": "cpu"},
        )
        count, drawn[devices] = done.stdout.split()
        assert int(count) == devices
    assert len(set(drawn.values())) == 1


def test_bat_contact_cap_flag() -> None:
    """The billiards form of the case: an event list that is too short is flagged, never cut silently."""
    world, state = scenes(64, moving="all")
    end = billiards.rollout(world, state, [5.0], rules=billiards.Rules(max_events=8))
    full = billiards.rollout(world, state, [5.0], rules=billiards.Rules(max_events=128))
    flagged = (np.asarray(end.status) & billiards.Status.EVENT_CAP) != 0
    np.testing.assert_array_equal(flagged, np.asarray(full.event_count) > 8)
    assert flagged.any()


def test_prec_time_accumulation() -> None:
    case = CASES["prec-time-accumulation"]
    steps = int(stepped.step_count(jnp.float32(5.0), 1 / 240))
    assert steps == case["input"]["n"]
    assert steps / 240 == case["expected"]["t_by_index"]


def test_prec_int_floor_trap() -> None:
    case = CASES["prec-int-floor-trap"]
    for time, count in zip(case["input"]["T_values_where_int_floor_is_wrong"], case["expected"]["n"], strict=True):
        assert int(stepped.step_count(jnp.asarray(time), case["input"]["dt"])) == count


def test_prec_quadratic_cancellation() -> None:
    case = CASES["prec-quadratic-cancellation"]
    given, tolerance = case["input"], case["tolerance"]
    for dtype, rel in ((jnp.float64, tolerance["rel64"]), (jnp.float32, tolerance["rel32"])):
        with jaxphys.x64():
            speed, a, s = (jnp.asarray(x, dtype) for x in (given["b"], -2 * given["a"], -given["c"]))
            assert float(motion.time_to_arc(speed, a, s)) == pytest.approx(case["expected"]["t"], rel=rel)


@pytest.mark.usefixtures("x64")
def test_prec_quartic_double_root() -> None:
    """Two discs pass at exactly 2R: the distance has a double root, which rounding may or may not see as a touch.

    Whichever it is, there is no NaN, and the approach is too slow to carry an impulse.
    """
    one, other = jnp.asarray([[1.0, 0.0]]), jnp.asarray([[-1.0, 0.0]])
    a, root = 0.0196, 2 * 0.5 / (1 + (1 - 2 * 0.0196 * 0.5) ** 0.5)
    time, unsolved = contact.pair_time(
        jnp.asarray([[1.0, 2 * R]]),
        other - one,
        (one, other),
        (jnp.ones(1), jnp.ones(1)),
        jnp.full(1, 2 * R),
        jnp.asarray(a),
        jnp.asarray(2.0),
        1e-12,
    )
    assert not np.isnan(time).any()
    assert not bool(unsolved[0])
    if np.isfinite(time).all():
        assert float(time[0]) == pytest.approx(root, abs=CASES["prec-quartic-double-root"]["tolerance"])
        along = 1.0 - 2 * (time[0] - 0.5 * a * time[0] ** 2)
        approach = 2 * (1 - a * time[0]) * along / (2 * R)
        assert abs(float(approach)) < 1e-5  # what is left of 2 m/s when the gap is 1e-11 m


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_prec_mjx_x64_flag(dtype: type) -> None:
    pos, vel = workload.draw(4, "cue")
    world, state = billiards.make_scene(pos=pos, vel=vel, dtype=dtype)
    end = billiards.rollout(world, state, [1.0], backend="xla")
    assert end.pos.dtype == end.first_hit.dtype == dtype
    assert not jax.config.jax_enable_x64


@pytest.mark.usefixtures("x64")
def test_grad_norm_at_zero() -> None:
    at_rest = jnp.zeros((3, 2))
    speed_grad = jax.grad(lambda v: norm_and_direction(v)[0].sum())(at_rest)
    heading_grad = jax.jacfwd(lambda v: norm_and_direction(v)[1])(at_rest)
    np.testing.assert_array_equal(speed_grad, CASES["grad-norm-at-zero"]["expected"]["grad"] * np.ones((3, 1)))
    assert np.isfinite(heading_grad).all()


@pytest.mark.usefixtures("x64")
@pytest.mark.parametrize("backend", BACKENDS)
def test_grad_stop_distance(backend: str) -> None:
    case = CASES["grad-stop-distance"]
    given, expected, rel = case["input"], case["expected"], case["tolerance"]["rel"]
    world, state = billiards.make_scene(pos=[[[1.0, 0.5]]], vel=[[[given["v0"], 0.0]]], size=None)

    def stop(v0: jax.Array, mu: jax.Array, g: jax.Array) -> jax.Array:
        moved = state.replace(vel=jnp.reshape(v0, (1, 1, 1)) * jnp.asarray([[[1.0, 0.0]]]))
        changed = world.replace(mu=mu[None], g=g[None])
        return billiards.rollout(changed, moved, jnp.asarray([60.0]), backend=backend).pos[0, 0, 0, 0]

    got = jax.grad(stop, argnums=(0, 1, 2))(*(jnp.asarray(given[k]) for k in ("v0", "mu", "g")))
    np.testing.assert_allclose(got, [expected[k] for k in ("ds_dv0", "ds_dmu", "ds_dg")], rtol=rel)


@pytest.mark.usefixtures("x64")
@pytest.mark.parametrize("backend", BACKENDS)
def test_grad_reverse_mode_works(backend: str) -> None:
    pos, vel = workload.draw(8, "all", seed=3)
    world, state = billiards.make_scene(pos=pos, vel=vel)
    along = np.random.default_rng(0).normal(size=pos.shape)

    def total(shift: jax.Array) -> jax.Array:
        moved = state.replace(vel=state.vel + shift * along)
        return jnp.sum(billiards.rollout(world, moved, jnp.asarray([1.0]), backend=backend).pos)

    h, rel = 1e-7, CASES["grad-reverse-mode-works"]["tolerance"]
    zero = jnp.asarray(0.0)
    got = jax.jit(jax.grad(total))(zero)
    assert float(got) == pytest.approx(float((total(zero + h) - total(zero - h)) / (2 * h)), rel=rel)


@pytest.mark.parametrize("backend", BACKENDS)
def test_bil_all_at_rest_has_finite_gradients(backend: str) -> None:
    balls = cases("billiards")["bil-all-at-rest"]["input"]["balls"]
    world, state = billiards.make_scene(pos=[[b["pos"] for b in balls]], vel=[[b["vel"] for b in balls]])
    with jaxphys.x64():

        def total(world: billiards.World, state: billiards.State) -> jax.Array:
            end = billiards.rollout(world, state, jnp.asarray([5.0]), backend=backend)
            return jnp.sum(end.pos) + jnp.sum(end.vel)

        world, state = jax.tree.map(jnp.asarray, (world, state))
        grads = jax.grad(total, argnums=(0, 1), allow_int=True)(world, state)
    for leaf in jax.tree.leaves(grads):
        if leaf.dtype != jax.dtypes.float0:
            assert np.isfinite(leaf).all()


def test_exp_collision_log_lists_hits_of_one_frame() -> None:
    """Two hits 12 ms apart are both listed, with their own times."""
    end = roll([(0.5, 0.5), (1.0, 0.5), (1.066, 0.5)], [(0.6, 0), (0, 0), (0, 0)], 2.0)
    first, second = end.events.time[0, :2]
    assert 0 < second - first < 1 / 24


@pytest.mark.parametrize("name", ["impact", "readable loop"])
def test_prec_tf32_rotation(name: str) -> None:
    """No float32 product is left to a device's default precision, which on a GPU keeps three digits."""
    pos, vel = workload.draw(1, "cue")
    world, state = billiards.make_scene(pos=pos, vel=vel, dtype=np.float32)
    world, state = jax.tree.map(lambda x: x[0], (world, state))
    programs = {
        "impact": lambda: jax.make_jaxpr(lambda p, v, m: impact.resolve(p, v, m, jnp.ones(49, bool), 1e-6))(
            state.pos, state.vel, world.mass
        ),
        "readable loop": lambda: jax.make_jaxpr(event.simulate)(world, state, jnp.float32(1.0)),
    }
    products = re.findall(r"dot_general\[.*?\]\s", str(programs[name]()), flags=re.DOTALL)
    assert products
    assert all("HIGHEST" in product for product in products)
