"""The MJX back end against C MuJoCo, its bits at one lane count, its programs, and forward derivatives through it.

Compilation takes tens of seconds, so the fast tests share three programs at 8 lanes and simulate at most 0.6 s. Every
test runs under a time limit; where it hits, the fault handler of pytest prints all stacks.
"""

import functools
import logging
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys import _rigid_mjx, rigid
from tests.oracle import rigid_forms
from tests.rigid_support import FAST, RATE, about, drop, rotated, steps
from tests.support import cases

pytest.importorskip("mujoco.mjx", reason="MJX is missing; install jaxphys[rigid]")

pytestmark = pytest.mark.timeout(600)

TABLE = cases("rigid")
LANES = 8
TIMES = steps(96)
FREE = 2e-5
"""Difference of float32 from C's float64 before the first contact (m)."""
BOXES = 2e-2
"""Places of boxes after contacts with the elliptic cone, which MJX solves in another way: up to 11 mm here (m)."""
TOUCH = 1
"""Steps by which a first contact may differ."""

Scenes = tuple[rigid.World, rigid.State]


def boxes(dtype: type = np.float32) -> Scenes:
    """One box per scene: four slide in four headings, four fall tilted onto a table, the last one turning."""
    heading = np.radians([0.0, 22.5, 45.0, 90.0])
    fall = np.array([[0.0, 0.0, 1.0 + 0.02 * k] for k in range(4)])
    pos = np.concatenate([np.tile([2.0, 0.0, 0.05], (4, 1)), fall])
    vel = np.concatenate([2 * np.stack([np.cos(heading), np.sin(heading), 0 * heading], axis=-1), np.zeros((4, 3))])
    quat = np.stack([about((0, 0, 1), 0.0)] * 4 + [about((1, 2, 3), 0.2 + 0.1 * k) for k in range(4)])
    omega = np.zeros((8, 3))
    omega[7] = (2.0, -1.0, 0.5)
    return rigid.make_scene(
        shape=["box"],
        size=np.tile([0.06, 0.04, 0.05], (8, 1, 1)),
        pos=pos[:, None],
        vel=vel[:, None],
        quat=quat[:, None],
        omega=omega[:, None],
        mass=0.48,
        friction=0.35,
        floor_friction=0.35,
        static_pos=np.tile([0.0, 0.0, 0.73], (8, 1, 1)),
        static_half=np.tile([0.4, 0.3, 0.02], (8, 1, 1)),
        static_friction=0.35,
        dtype=dtype,
    )


def balls(dtype: type = np.float64) -> Scenes:
    """One sphere per scene, thrown at the floor at growing speeds with growing restitution."""
    speed = np.linspace(0.5, 3.0, 8)
    return rigid.make_scene(
        shape=["sphere"],
        size=np.full((8, 1, 3), 0.05),
        pos=np.tile([0.0, 0.0, 0.3], (8, 1, 1)),
        vel=np.stack([speed, 0.2 * speed, -speed], axis=-1)[:, None],
        restitution=np.linspace(0.2, 0.9, 8)[:, None],
        friction=0.3,
        dtype=dtype,
    )


def doors(dtype: type = np.float32) -> Scenes:
    """A hinged board per scene: upright hinges and level ones."""
    axis = np.where(np.arange(8)[:, None] < 4, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    return rigid.make_scene(
        shape=["box"],
        size=np.tile([0.4, 0.02, 0.3], (8, 1, 1)),
        mass=5.0,
        joint=["hinge"],
        anchor=np.tile([0.0, 0.0, 1.5], (8, 1, 1)),
        axis=axis[:, None],
        com=np.tile([0.0, 0.4, -0.3], (8, 1, 1)),
        angle=np.linspace(-1, 1, 8)[:, None],
        rate=np.linspace(2, -1, 8)[:, None],
        damping=np.linspace(0, 2, 8)[:, None],
        dtype=dtype,
    )


def mjx(world: rigid.World, state: rigid.State, times: Any = TIMES, **options: Any) -> rigid.Trajectory:
    return rigid.rollout(world, state, times, **{"backend": "mjx", "lanes": LANES, "rules": FAST} | options)


@functools.cache
def slid() -> rigid.Trajectory:
    return mjx(*boxes())


def take(tree: Any, index: Any) -> Any:
    return jax.tree.map(lambda leaf: leaf[index], tree)


def same_bits(one: Any, other: Any) -> None:
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def check_alike(
    world: rigid.World, state: rigid.State, ours: rigid.Trajectory, after: float, rules: rigid.Rules
) -> None:
    """Against C: in flight to float32, first contacts to a step, places `after` them within so much (m)."""
    wide = jax.tree.map(lambda x: x.astype(np.float64) if x.dtype.kind == "f" else x, (world, state))
    reference = rigid.rollout(*wide, ours.times, backend="c", rules=rules)
    np.testing.assert_array_equal(ours.status, reference.status)
    touched = np.isfinite(reference.first_touch)
    np.testing.assert_array_equal(np.isfinite(ours.first_touch), touched)
    late = np.abs(ours.first_touch[touched] - reference.first_touch[touched])
    assert (late <= TOUCH / RATE + 1e-6).all()
    error = np.abs(np.asarray(ours.qpos) - reference.qpos).max(axis=(2, 3))
    first = np.where(touched, reference.first_touch, np.inf).min(axis=1)
    flying = reference.times <= first[:, None]
    assert error[flying].max(initial=0) <= FREE
    assert np.abs(np.asarray(ours.qpos) - reference.qpos)[..., :3].max() <= after


def test_boxes_are_those_of_c() -> None:
    check_alike(*boxes(), slid(), BOXES, FAST)


def test_spheres_with_the_bounce_law_are_those_of_c_to_rounding() -> None:
    rules = rigid.Rules(bounce=True)
    world, state = balls()
    ours = mjx(world, state, rules=rules)
    assert ours.qpos.dtype == np.float64
    check_alike(world, state, ours, 1e-8, rules)
    reference = rigid.rollout(world, state, TIMES, backend="c", rules=rules)
    np.testing.assert_array_equal(ours.touching, reference.touching)
    np.testing.assert_allclose(ours.impulse, reference.impulse, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_hinges_are_those_of_c() -> None:
    world, state = doors()
    check_alike(world, state, mjx(world, state), 1e-4, FAST)


@pytest.mark.parametrize("case", ["det-same-scene-twice"])
def test_a_rerun_gives_the_same_bits(case: str) -> None:
    for _ in range(TABLE[case]["input"]["runs"] - 1):
        same_bits(mjx(*boxes()), slid())


def test_the_order_of_the_lanes_changes_nothing() -> None:
    order = np.random.default_rng(0).permutation(8)
    same_bits(mjx(*take(boxes(), order)), take(slid(), order))


def test_other_neighbours_change_nothing() -> None:
    """Nor that a batch fills its lanes only in part, or several calls of them."""
    same_bits(mjx(*take(boxes(), [5, 5, 6])), take(slid(), [5, 5, 6]))
    rows = np.arange(19) % 8
    same_bits(mjx(*take(boxes(), rows)), take(slid(), rows))


def test_scenes_of_one_program_fill_its_lanes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene without the second box has another signature and the same program: one call serves both, to the bit."""
    calls: list[int] = []
    chunk = _rigid_mjx._chunk
    monkeypatch.setattr(_rigid_mjx, "_chunk", lambda *given: calls.append(given[3]) or chunk(*given))
    world, state = take(boxes(), np.arange(6))
    half = np.array(world.static_half)
    half[::2, -1] = 0.0
    few = (world.replace(static_half=half), state)
    mixed = mjx(*few)
    assert calls == [6]
    for k in range(6):
        same_bits(take(mixed, slice(k, k + 1)), mjx(*take(few, slice(k, k + 1))))


def test_saved_times_do_not_touch_the_motion() -> None:
    few = mjx(*boxes(), TIMES[[4, 50, 95]])
    same_bits((few.qpos, few.qvel), take((slid().qpos, slid().qvel), (slice(None), [4, 50, 95])))
    same_bits((few.first_touch, few.depth), (slid().first_touch, slid().depth))


@pytest.mark.parametrize("case", ["bat-no-second-compile"])
def test_nothing_compiles_anew(case: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not for later states, nor for other values, batches and horizons."""
    world, state = boxes()
    slid()
    assert TABLE[case]["input"]["first_state_from"] == "init"
    with caplog.at_level(logging.WARNING, logger="jax"), jax.log_compiles():
        for _ in range(TABLE[case]["input"]["calls"]):
            end = mjx(world, state, np.asarray(state.time)[:, None] + steps(20)[-1:])
            state = rigid.State(time=end.times[:, -1], qpos=end.qpos[:, -1], qvel=end.qvel[:, -1])
        mjx(*take((world.replace(mass=2 * world.mass), state), [1, 2, 3]), np.asarray(state.time)[:3, None] + 0.5)
    assert [r.message for r in caplog.records if "Compiling" in r.message] == []


@pytest.mark.parametrize("case", ["rig-free-joint-angvel-frame"])
def test_angular_velocity_is_asked_and_given_in_the_world_frame(case: str) -> None:
    given, want = TABLE[case]["input"], TABLE[case]["expected"]["omega_world"]
    world, _ = boxes()
    count = len(world.mass)
    made = rigid.make_scene(
        shape=["box"],
        size=np.asarray(world.size, np.float64),
        pos=np.tile([0.0, 0.0, 5.0], (count, 1, 1)),
        quat=np.tile(given["quat_wxyz"], (count, 1, 1)),
        omega=np.tile(want, (count, 1, 1)),
        static_pos=world.static_pos,
        static_half=world.static_half,
        dtype=np.float32,
    )
    np.testing.assert_allclose(made[1].qvel[0, 0, 3:], given["qvel_ang_local"], rtol=0, atol=1e-6)
    end = mjx(*made, steps(24))
    spin = rigid.motion(made[0], end.qpos, end.qvel).omega
    np.testing.assert_allclose(spin[:, -1, 0], np.tile(want, (count, 1)), rtol=0, atol=1e-5)


# Derivatives, forward only.

SPHERE = rigid.Signature((rigid.Shape.SPHERE,), (rigid.Joint.FREE,), 0)


def thrown(launch: Any) -> jax.Array:
    """x + 2 z after half a second of a sphere that bounces softly once; (2,) launch velocity."""
    world, state = _one_ball()
    vel = jnp.zeros((1, 1, 6)).at[0, 0, 0].set(launch[0]).at[0, 0, 2].set(launch[1])
    moved = jax.tree.map(jnp.asarray, state).replace(qvel=vel)
    known = jax.tree.map(jnp.asarray, world)
    end = rigid.rollout(known, moved, [0.5], rules=FAST, backend="mjx", signature=SPHERE)
    return jnp.dot(end.qpos[0, 0, 0, :3], jnp.array([1.0, 0.0, 2.0]))


def _one_ball(height: float = 0.4) -> Scenes:
    return rigid.make_scene(shape=["sphere"], size=np.full((1, 1, 3), 0.1), pos=[[[0, 0, height]]], friction=0.3)


@pytest.mark.usefixtures("x64")
def test_forward_derivatives_through_a_contact_are_central_differences() -> None:
    launch, h = np.array([1.0, -1.5]), 1e-5
    got = jax.jit(jax.jacfwd(thrown))(jnp.asarray(launch))

    def by_c(v: np.ndarray) -> float:
        world, state = _one_ball()
        qvel = np.zeros((1, 1, 6))
        qvel[0, 0, [0, 2]] = v
        end = rigid.rollout(world, state.replace(qvel=qvel), [0.5], rules=FAST, backend="c")
        assert np.isfinite(end.first_touch).all()
        return float(end.qpos[0, 0, 0, 0] + 2 * end.qpos[0, 0, 0, 2])

    want = [(by_c(launch + h * e) - by_c(launch - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(got, want, rtol=1e-5)


@pytest.mark.usefixtures("x64")
def test_reverse_mode_is_refused_in_clear_words() -> None:
    with pytest.raises(ValueError, match=r"jacfwd|forward"):
        jax.make_jaxpr(jax.grad(thrown))(jnp.array([1.0, -1.5]))


def test_a_trace_needs_a_signature_and_known_times() -> None:
    world, state = _one_ball()

    def at(time: jax.Array) -> jax.Array:
        return rigid.rollout(world, state, time[None], backend="mjx", signature=SPHERE).qpos

    with pytest.raises(ValueError, match="times must be known"):
        jax.jit(at)(jnp.asarray(0.5))
    with pytest.raises(ValueError, match="signature is missing"):
        jax.jit(lambda s: rigid.rollout(world, s, [0.5]).qpos)(state)
    with pytest.raises(ValueError, match="must be mjx"):
        jax.jit(lambda s: rigid.rollout(world, s, [0.5], backend="c", signature=SPHERE).qpos)(state)


@pytest.mark.slow
@pytest.mark.usefixtures("x64")
def test_derivatives_through_the_bounce_law() -> None:
    """grad-bounce-with-gravity and grad-bounce-height-wrt-e: height after one bounce by drop height and restitution.

    The half step of the method is taken out of the launch, so the flight is the exact parabola.
    """
    rules, g = rigid.Rules(substeps=4, bounce=True), 9.81
    world, state = jax.tree.map(jnp.asarray, _one_ball())

    cases = {name: TABLE[name] for name in ("grad-bounce-with-gravity", "grad-bounce-height-wrt-e")}
    apex = cases["grad-bounce-height-wrt-e"]["input"]
    # At the apex the height does not change with time, so on the step beside it the derivatives are those of the apex.
    times = [
        cases["grad-bounce-with-gravity"]["input"]["T"],
        round(rigid_forms.fall_time(apex["h"]) * (1 + apex["e"]) * RATE) / RATE,
    ]

    def heights(values: jax.Array) -> tuple[jax.Array, jax.Array]:
        start = state.qpos.at[0, 0, 2].set(0.1 + values[0])
        up = state.qvel.at[0, 0, 2].set(0.5 * g * rules.step)
        end = rigid.rollout(
            world.replace(restitution=values[1].reshape(1, 1)),
            state.replace(qpos=start, qvel=up),
            times,
            rules=rules,
            backend="mjx",
            signature=SPHERE,
        )
        found = end.qpos[0, :, 0, 2] - 0.1
        return found, found

    program = jax.jit(jax.jacfwd(heights, has_aux=True))
    for k, case in enumerate(cases.values()):
        given, want, within = case["input"], case["expected"], case["tolerance"]
        slope, found = program(jnp.array([given["h"], given["e"]]))
        if k == 0:
            assert float(found[k]) == pytest.approx(want["z"], abs=within["value"])
            np.testing.assert_allclose(slope[k], [want["dz_dh"], want["dz_de"]], rtol=within["grad_rel"])
        else:
            assert float(found[k]) == pytest.approx(want["apex"], rel=within["rel"])
            np.testing.assert_allclose(slope[k], [want["d_apex_dh"], want["d_apex_de"]], rtol=within["rel"])


# Long ones.


@pytest.mark.slow
@pytest.mark.parametrize("case", ["rig-overhang-no-jitter"])
def test_a_bar_over_a_small_box_rests_still(case: str) -> None:
    given, limits = TABLE[case]["input"], TABLE[case]["tolerance"]
    base, peg = np.array(given["base_box_half"]), np.array(given["peg_half"])
    world, state = rigid.make_scene(
        shape=["box", "box"],
        size=[[base, peg]],
        pos=[[(0, 0, base[2]), (0, 0, 2 * base[2] + peg[2])]],
        mass=[0.5, 0.2],
        dtype=np.float32,
    )
    end = mjx(world, state, steps(round(given["t"] * RATE)))
    late = rigid.motion(world, end.qpos[:, -RATE:], end.qvel[:, -RATE:])
    tilt = np.degrees(np.arccos(np.clip(rotated(late.quat, (0, 0, 1))[..., 2], -1, 1)))
    assert late.pos[0, :, :, 2].std(axis=0).max() <= limits["z"]
    assert tilt[0].std(axis=0).max() <= limits["deg"]
    assert late.pos[0, -1, 1, 2] == pytest.approx(2 * base[2] + peg[2], abs=1e-3)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_drop_scene_in_fifty_variants() -> None:
    """MJX float32 against C, pyramidal cone: flight, first contacts, and where everything lies after 3 s.

    All but the tilted box agree within 2 mm; it tumbles, and is within 2 cm (7 mm here).
    """
    rules = rigid.Rules(cone="pyramidal")
    world, state = drop(50)
    single = jax.tree.map(lambda x: x.astype(np.float32) if x.dtype.kind == "f" else x, (world, state))
    reference = rigid.rollout(world, state, steps(3 * RATE), backend="c", rules=rules)
    ours = rigid.rollout(*single, steps(3 * RATE), backend="mjx", lanes=16, rules=rules)
    assert not ours.status.any()
    touched = np.isfinite(reference.first_touch)
    early = reference.first_touch < 0.5
    both = touched & early & np.isfinite(ours.first_touch)
    assert (np.abs(ours.first_touch[both] - reference.first_touch[both]) <= TOUCH / RATE + 1e-6).mean() > 0.98
    error = np.linalg.norm(ours.qpos[..., :3] - reference.qpos[..., :3], axis=-1)
    assert error[:, :60].max() <= FREE
    assert (error[:, -1, 1:].max(axis=1) <= 2e-3).mean() >= 0.9
    assert (error[:, -1, 0] <= 2e-2).mean() >= 0.9


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_batched_calls_return() -> None:
    """The probe of the performance document, section 11: at 64 lanes some versions of JAX hang within four calls."""
    rows = np.arange(64) % 8
    world, state = take(boxes(), rows)
    first = mjx(world, state, steps(20)[-1:], lanes=64)
    for _ in range(199):
        end = mjx(world, state, steps(20)[-1:], lanes=64)
    same_bits(end, first)
