"""Whole runs of the controller: NumPy and JAX, batches, headings, accidents, and plans replaced in mid-motion."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.control import Command, control
from jaxphys_kernels.humanoid.gains import DEFAULTS
from jaxphys_kernels.humanoid.joints import ARM, DEFAULT, LOWER, TICK, UPPER
from jaxphys_kernels.humanoid.keyframes import follow
from jaxphys_kernels.humanoid.plan import Plan, stand
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import ControlState, adopt, replan, start
from tests.humanoid_control_support import arms, clock, network, plans, robots, single

N, TICKS, SETTLE = 8, 30, 4 * TICK
CHAIN, WEIGHTS = arms(), network()

Tick = Callable[[ControlState, Any, Plan, Sensed], Command]


def in_numpy(state: ControlState, t: Any, plan: Plan, sensed: Sensed) -> Command:
    return control(np, WEIGHTS, CHAIN, DEFAULTS, state, np.asarray(t), plan, sensed)


def run(tick: Tick, state: ControlState, plan: Plan, yaw: float = 0.0) -> list[Command]:
    """Ticks of robots that move at random, the same motions in every run."""
    outs: list[Command] = []
    for k, t in enumerate(clock(TICKS, SETTLE)):
        outs.append(tick(outs[-1].state if outs else state, t, plan, robots(N, seed=k, yaw=yaw)))
    return outs


@pytest.fixture(scope="module")
def plain() -> list[Command]:
    """The run in NumPy, double precision."""
    return run(in_numpy, start(np, (N,), np.float64), plans(N))


def take(tree: Any, lane: int) -> Any:
    return jax.tree.map(lambda leaf: leaf[lane], tree)


@pytest.mark.usefixtures("x64")
def test_numpy_and_jax_agree(plain: list[Command]) -> None:
    weights, chain, plan = cast(jnp, (WEIGHTS, CHAIN, plans(N)), jnp.float64)
    compiled = jax.jit(lambda state, t, sensed: control(jnp, weights, chain, DEFAULTS, state, t, plan, sensed))
    outs = run(lambda state, t, _, sensed: compiled(state, t, sensed), start(jnp, (N,), jnp.float64), plan)
    for ours, theirs in zip(outs, plain, strict=True):
        for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)


@pytest.fixture(scope="module")
def compiled() -> tuple[Tick, list[int]]:
    """The tick in single precision, and how often it was traced."""
    traced: list[int] = []
    weights, chain = single((WEIGHTS, CHAIN))

    @jax.jit
    def tick(state: ControlState, t: jax.Array, plan: Plan, sensed: Sensed) -> Command:
        traced.append(1)
        return control(jnp, weights, chain, DEFAULTS, state, t, plan, sensed)

    return lambda state, t, plan, sensed: tick(state, *single((t, plan, sensed))), traced


def test_a_whole_run_with_new_plans_is_compiled_once(compiled: tuple[Tick, list[int]], plain: list[Command]) -> None:
    tick, traced = compiled
    outs = run(tick, start(jnp, (N,)), plans(N))
    np.testing.assert_allclose(outs[-1].target, plain[-1].target, rtol=0, atol=2e-3)
    state = replan(jnp, outs[-1].state, jnp.asarray(plans(N).use > 0))
    state = adopt(jnp, state, jnp.zeros(N, bool), outs[-1].target)
    tick(state, 3.0, plans(N, seed=1), robots(N))
    assert len(traced) == 1
    assert {leaf.dtype for leaf in jax.tree.leaves(outs[-1])} == {jnp.dtype("float32"), jnp.dtype("bool")}
    assert not any(leaf.weak_type for leaf in jax.tree.leaves(outs[-1]))


def test_a_batch_is_a_loop_over_robots(plain: list[Command]) -> None:
    for lane in (0, 3, N - 1):
        state = start(np, (), np.float64)
        for k, t in enumerate(clock(TICKS, SETTLE)):
            out = in_numpy(state, t, take(plans(N), lane), take(robots(N, seed=k), lane))
            state = out.state
        np.testing.assert_allclose(out.target, plain[-1].target[lane], rtol=0, atol=1e-10)


def test_lanes_may_have_clocks_of_their_own(plain: list[Command]) -> None:
    out = in_numpy(plain[-2].state, np.full(N, clock(TICKS, SETTLE)[-1]), plans(N), robots(N, seed=TICKS - 1))
    np.testing.assert_array_equal(out.target, plain[-1].target)


@pytest.mark.parametrize("yaw", [1.0, np.pi, -2.5])
def test_the_heading_at_the_start_makes_no_difference(plain: list[Command], yaw: float) -> None:
    turned = run(in_numpy, start(np, (N,), np.float64), plans(N), yaw)
    for ours, theirs in zip(turned, plain, strict=True):
        np.testing.assert_allclose(ours.target, theirs.target, rtol=0, atol=1e-5)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30])
def test_a_robot_out_of_hand_gets_finite_targets_disturbs_none_and_recovers(
    compiled: tuple[Tick, list[int]], value: float
) -> None:
    tick, _ = compiled
    sensed, plan = robots(N), plans(N)
    spoilt = jax.tree.map(
        lambda leaf: np.where((np.arange(N) == 4).reshape(N, *[1] * (leaf.ndim - 1)), value, leaf), sensed
    )
    good, bad = (tick(start(jnp, (N,)), 0.1, plan, one) for one in (sensed, spoilt))
    others = np.arange(N) != 4
    for clean, after in zip(jax.tree.leaves(good), jax.tree.leaves(bad), strict=True):
        assert np.isfinite(after).all()
        np.testing.assert_array_equal(np.asarray(clean)[others], np.asarray(after)[others])
    arm = np.asarray(bad.target)[:, ARM]
    inside = (arm > LOWER[ARM]) & (arm < UPPER[ARM])
    assert inside[plan.use > 0].all()
    assert np.isfinite(tick(bad.state, 0.2, plan, sensed).target).all()


def test_a_plan_with_missing_numbers_gives_finite_targets(compiled: tuple[Tick, list[int]]) -> None:
    tick, _ = compiled
    plan = jax.tree.map(lambda leaf: np.full_like(leaf, np.nan), plans(N)).replace(use=np.ones(N))
    for leaf in jax.tree.leaves(tick(start(jnp, (N,)), 0.1, plan, robots(N))):
        assert np.isfinite(leaf).all()


@pytest.fixture
def midway(plain: list[Command]) -> tuple[ControlState, ControlState, float]:
    """The state after a run, the same with new plans for the even lanes, and the time of the next tick."""
    before = plain[-1].state
    return before, replan(np, before, np.arange(N) % 2 == 0), clock(TICKS + 1, SETTLE)[-1]


def test_a_new_plan_begins_at_the_next_tick_from_the_palms_as_they_are(midway: Any) -> None:
    before, state, now = midway
    plan, sensed = plans(N, seed=3), robots(N, seed=77)
    after = in_numpy(state, now, plan, sensed).state
    fresh = in_numpy(start(np, (N,), np.float64), 0.0, plan, sensed).state
    new = np.arange(N) % 2 == 0
    np.testing.assert_array_equal(after.palm0[new], fresh.palm0[new])
    np.testing.assert_array_equal(after.palm0[~new], before.palm0[~new])
    np.testing.assert_array_equal(after.origin, np.where(new, now, 0.0))
    assert not after.fresh.any()
    later = in_numpy(after, now + 3 * TICK, plan, sensed)
    assert not later.state.fresh.any()
    np.testing.assert_array_equal(later.state.palm0, after.palm0)


def test_gait_filter_integral_heading_and_balance_go_on_at_the_switch(midway: Any) -> None:
    before, state, now = midway
    plan, sensed = plans(N, seed=3), robots(N, seed=77)
    after, without = (in_numpy(one, now, plan, sensed).state for one in (state, before))
    np.testing.assert_array_equal(after.com0, before.com0)
    np.testing.assert_array_equal(after.velocity, without.velocity)
    walks = np.abs(plan.cmd).max(-1) > 0
    walked = ~np.asarray(before.standing)
    turned = np.where(walks, TICK * plan.cmd[:, 2], 0.0)
    np.testing.assert_allclose((after.yaw_ref - before.yaw_ref)[::2], turned[::2], rtol=0, atol=1e-12)
    both = (walks & walked)[:, None] & np.array([[True, True]])
    ahead = (np.asarray(before.phase) + 2 * np.pi * TICK + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(after.phase[both], ahead[both], rtol=0, atol=1e-12)
    error = (plan.cmd[:, :2] - after.velocity) * 0.5 * TICK
    np.testing.assert_allclose(after.integral[both][::1], (before.integral + error)[both], rtol=0, atol=1e-12)


def test_knees_bend_on_from_where_they_are(plain: list[Command]) -> None:
    plan = plans(N).replace(kb=np.full((N, 2), 0.8), use=np.ones(N), cmd=np.zeros((N, 3)))
    sensed, state = robots(N), plain[-1].state
    for k in range(12):
        state = in_numpy(state, 1.0 + k * TICK, plan, sensed).state
    np.testing.assert_allclose(state.knee, 0.8, rtol=0, atol=1e-9)
    after = in_numpy(replan(np, state, np.ones(N, bool)), 2.0, plan.replace(kb=np.zeros((N, 2))), sensed).state
    np.testing.assert_allclose(after.knee, 0.8, rtol=0, atol=1e-9)
    _, knee = follow(np, plan.replace(kb=np.zeros((N, 2))), np.asarray(0.1), after.palm0, after.knee0)
    later = in_numpy(after, 2.1, plan.replace(kb=np.zeros((N, 2))), sensed).state
    np.testing.assert_allclose(later.knee, knee, rtol=0, atol=1e-9)


def test_arms_and_knees_go_back_to_the_policy_little_by_little() -> None:
    """Nothing jumps when a plan without hands replaces one with."""
    plan = plans(N).replace(kb=np.ones((N, 2)), use=np.ones(N))
    state, sensed = start(np, (N,), np.float64), robots(N)
    for t in clock(40):
        state = in_numpy(state, t, plan, sensed).state
    state, free, shares = replan(np, state, np.ones(N, bool)), stand(np, (N,), 2, np.float64), []
    for k in range(22):
        out = in_numpy(state, (40 + k) * TICK, free, sensed)
        state = out.state
        shares.append(out.use[0])
        np.testing.assert_allclose(out.state.knee, out.use, rtol=0, atol=1e-9)
    np.testing.assert_allclose(shares, np.maximum(1 - TICK / 0.4 * np.arange(1, 23), 0), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(out.target, DEFAULT + 0.25 * out.state.action)


def test_arms_are_taken_over_from_where_the_policy_has_them() -> None:
    """A plan with hands after one without used to begin from the last solution of the inverse kinematics, far away."""
    sensed, state = robots(N), start(np, (N,), np.float64)
    for t in clock(8):
        out = in_numpy(state, t, plans(N).replace(use=np.zeros(N)), sensed)
        state = out.state
    after = in_numpy(replan(np, state, np.ones(N, bool)), 8 * TICK, plans(N).replace(use=np.ones(N)), sensed)
    moved = np.abs(after.target - np.clip(out.target, LOWER + 0.02, UPPER - 0.02))[:, ARM]
    assert moved.max() <= DEFAULTS.ik_iterations * DEFAULTS.ik_step + 1e-9


def test_whoever_drove_the_robot_is_followed_without_a_jump() -> None:
    target = DEFAULT + np.random.default_rng(0).uniform(-0.3, 0.3, (N, 29))
    mask = np.arange(N) < 3
    before = start(np, (N,), np.float64)
    state = adopt(np, before, mask, target)
    np.testing.assert_allclose(DEFAULT + 0.25 * state.action[mask], target[mask], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(state.arm[mask].reshape(3, 14), target[mask][:, ARM])
    np.testing.assert_array_equal(state.action[~mask], before.action[~mask])
    np.testing.assert_array_equal(state.arm[~mask], before.arm[~mask])
