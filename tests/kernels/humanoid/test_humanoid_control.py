"""The controller: what it latches, how the gait goes, what the policy sees, what the arms get.

The policy is a small random network and the arms are made up: every figure here follows from the specification.
"""

from typing import Any

import numpy as np
import pytest

from jaxphys_kernels.humanoid.control import Command, Prepared, command, control, prepare
from jaxphys_kernels.humanoid.gains import DEFAULTS, Gains
from jaxphys_kernels.humanoid.joints import ARM, DEFAULT, LEGS, TICK
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.sensed import Sensed, heading
from jaxphys_kernels.humanoid.state import ControlState, start
from tests.humanoid_control_support import arms, clock, network, plans, quaternion, robots

N = 8
EXACT = 1e-12
CHAIN, WEIGHTS = arms(), network()


def begin(n: int = N) -> ControlState:
    return start(np, (n,), np.float64)


def tick(state: ControlState, t: float, plan: Plan, sensed: Sensed, gains: Gains = DEFAULTS) -> Command:
    return control(np, WEIGHTS, CHAIN, gains, state, np.asarray(t), plan, sensed)


def first_half(state: ControlState, t: float, plan: Plan, sensed: Sensed) -> Prepared:
    return prepare(np, DEFAULTS, state, np.asarray(t), plan, sensed)


def asked(n: int = N, **given: Any) -> Plan:
    """Plans that all ask the same."""
    fields = dict(cmd=(0, 0, 0), dur=9.0, kt=(0.4,), kl=((0.3, 0.2, 1),), kr=((0.3, -0.2, 1),), kb=(0,), use=1)
    values = {name: np.asarray(value, float) for name, value in {**fields, **given}.items()}
    return Plan(**{name: np.broadcast_to(value, (n, *value.shape)) for name, value in values.items()})


def palms_ahead(sensed: Sensed) -> np.ndarray:
    """Palms (n, 2, 3) in the heading frame, by matrices."""
    yaw = heading(np, sensed.qpos[:, 3:7])
    c, s, zero = np.cos(yaw), np.sin(yaw), 0 * yaw
    back = np.stack([np.stack([c, s, zero], -1), np.stack([-s, c, zero], -1), np.stack([zero, zero, zero + 1], -1)], -2)
    ground = sensed.qpos[:, None, :3] * [1, 1, 0]
    return np.einsum("nij,nkj->nki", back, sensed.palms - ground)


@pytest.mark.parametrize("settle", [0.0, 2 * TICK])
def test_the_first_tick_of_the_plan_latches_heading_palms_and_centre_of_mass(settle: float) -> None:
    state, plan, seen = begin(), asked(), []
    for k, t in enumerate(clock(6, settle)):
        seen.append(robots(N, seed=k))
        state = tick(state, t, plan, seen[-1]).state
    then = seen[round(settle / TICK)]
    yaw = heading(np, then.qpos[:, 3:7])
    offset = then.com - then.qpos[:, :3]
    np.testing.assert_allclose(state.palm0, palms_ahead(then), rtol=0, atol=EXACT)
    np.testing.assert_array_equal(state.yaw_ref, yaw)
    np.testing.assert_allclose(state.com0, np.cos(yaw) * offset[:, 0] + np.sin(yaw) * offset[:, 1], rtol=0, atol=EXACT)
    assert state.started.all()


def test_before_the_plan_the_robot_stands_and_the_policy_drives_everything() -> None:
    plan, sensed = asked(cmd=(0.5, 0.2, 0.3), kb=(1,)), robots(N)
    out = tick(begin(), -0.1, plan, sensed)
    assert not out.use.any()
    assert not out.state.started.any()
    assert out.state.standing.all()
    np.testing.assert_array_equal(out.state.arm, begin().arm)
    np.testing.assert_array_equal(out.target, DEFAULT + 0.25 * out.state.action)
    np.testing.assert_array_equal(first_half(begin(), -0.1, plan, sensed).observation[:, 32:35], 0)


def test_a_clock_that_misses_its_marks_by_rounding_is_understood() -> None:
    plan, sensed = asked(cmd=(0.5, 0, 0), dur=1.0), robots(N)
    assert tick(begin(), -1e-7, plan, sensed).state.started.all()
    assert tick(begin(), 1.0 - 1e-7, plan, sensed).state.standing.all()


def test_the_heading_reference_turns_with_the_command_and_wraps() -> None:
    plan, sensed = asked(cmd=(0, 0, 0.8), dur=5 * TICK - 1e-3), robots(N)
    state = begin()
    for t in clock(9):
        state = tick(state, t, plan, sensed).state
    np.testing.assert_allclose(state.yaw_ref, heading(np, sensed.qpos[:, 3:7]) + 5 * 0.8 * TICK, rtol=0, atol=EXACT)

    ahead = robots(N, yaw=2 * np.pi - 0.1)
    one = state.replace(yaw_ref=heading(np, robots(N).qpos[:, 3:7]) + 0.02)
    turning = first_half(one, 0.1, asked(cmd=(0, 0, 0.1)), ahead).observation[:, 32]
    np.testing.assert_allclose(turning, 0.1 + 1.5 * (0.12 + 0.1 * TICK), rtol=0, atol=1e-9)


@pytest.mark.parametrize("fast", [2.0, -2.0])
def test_the_heading_reference_waits_for_a_robot_that_cannot_follow(fast: float) -> None:
    """Asked for 2 rad/s the reference ran more than half a turn ahead, and the robot turned back and forth."""
    plan, sensed, state = asked(cmd=(0, 0, fast)), robots(N), begin()
    for t in clock(120):
        state = tick(state, t, plan, sensed).state
    np.testing.assert_allclose(state.yaw_ref - heading(np, sensed.qpos[:, 3:7]), np.sign(fast), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(first_half(state, 3.0, plan, sensed).observation[:, 32], np.sign(fast))


def test_the_gait_stands_starts_anew_and_goes_round_once_a_second() -> None:
    sensed = robots(N)
    walk, still = asked(cmd=(0.5, 0, 0)), asked()
    state = begin()
    for k, t in enumerate(clock(60)):
        state = tick(state, t, walk, sensed).state
        want = 2 * np.pi * (k + 1) * TICK + np.array([0, np.pi])
        np.testing.assert_allclose(np.exp(1j * state.phase), np.exp(1j * want) + np.zeros((N, 1)), rtol=0, atol=1e-9)
        assert (np.abs(state.phase) <= np.pi + EXACT).all()
    state = tick(state, 2.0, still, sensed).state
    np.testing.assert_allclose(state.phase, np.pi, rtol=0, atol=EXACT)
    state = tick(state, 2.1, walk, sensed).state
    np.testing.assert_allclose(state.phase, np.tile([0, np.pi], (N, 1)), rtol=0, atol=EXACT)


@pytest.mark.parametrize("sideways", [-0.3, 0.0, 0.3])
def test_a_walk_to_the_left_begins_with_the_other_leg_if_asked(sideways: float) -> None:
    sensed, walk = robots(N), asked(cmd=(0.2, sideways, 0))
    standing = tick(begin(), -0.1, walk, sensed).state
    phases = [tick(standing, 0.0, walk, sensed, Gains(lead_leg=lead)).state.phase for lead in (False, True)]
    mirrored = [np.pi, 0] if sideways > 0 else [0, np.pi]
    np.testing.assert_array_equal(phases[0], np.tile([0, np.pi], (N, 1)))
    np.testing.assert_array_equal(phases[1], np.tile(mirrored, (N, 1)))


def test_velocity_is_filtered_in_the_heading_frame_and_its_error_integrated() -> None:
    sensed = robots(N)
    yaw = heading(np, sensed.qpos[:, 3:7])
    c, s, (vx, vy) = np.cos(yaw), np.sin(yaw), sensed.qvel[:, :2].T
    ahead = np.stack([c * vx + s * vy, c * vy - s * vx], -1)
    out = tick(begin(), 0.0, asked(cmd=(0.5, -0.2, 0)), sensed)
    np.testing.assert_allclose(out.state.velocity, TICK / 0.4 * ahead, rtol=0, atol=EXACT)
    error = np.array([0.5, -0.2]) - out.state.velocity
    np.testing.assert_allclose(out.state.integral, 0.5 * TICK * error, rtol=0, atol=EXACT)

    full = begin().replace(integral=np.full((N, 2), 0.6), velocity=np.full((N, 2), -0.4))
    assert tick(full, 0.1, asked(cmd=(0.9, 0.9, 0)), sensed).state.integral.max() == 0.6
    assert not tick(full, 0.1, asked(), sensed).state.integral.any(), "standing forgets it"


def test_the_command_is_what_is_asked_plus_what_is_missing_within_one() -> None:
    sensed = robots(N)
    state = begin().replace(integral=np.full((N, 2), 0.1))
    half = first_half(state, 0.0, asked(cmd=(0.4, 0.1, 0.0)), sensed)
    wanted = np.array([0.4, 0.1])
    missing = wanted - half.state.velocity
    np.testing.assert_allclose(half.observation[:, 33:35], wanted + missing + half.state.integral, rtol=0, atol=EXACT)
    loud = first_half(state, 0.0, asked(cmd=(5, -5, 5)), sensed).observation
    np.testing.assert_array_equal(loud[:, 32:35], np.tile([1, 1, -1], (N, 1)))


def test_the_policy_sees_one_hundred_numbers_in_their_places() -> None:
    """One robot, every number by hand (section 5.3)."""
    rng = np.random.default_rng(0)
    qpos, qvel, action = rng.normal(size=36), 0.1 * rng.normal(size=35), rng.normal(size=29)
    qpos[3:7] = quaternion(0.7)
    sensed = Sensed(qpos, qvel, np.zeros(3), np.eye(3), np.zeros((2, 3)), qpos[:3])
    state = start(np, (), np.float64).replace(action=action, phase=np.array([0.3, -2.8]))
    seen = first_half(state, 0.0, Plan(**{k: v[0] for k, v in vars(asked(1, use=0, cmd=(0.2, 0, 0))).items()}), sensed)
    o, phase = seen.observation, np.array([0.3, -2.8]) + 2 * np.pi * TICK
    want = {
        (0, 29): action,
        (29, 32): 0.25 * qvel[3:6],
        (35, 37): np.cos(phase),
        (37, 66): qpos[7:] - DEFAULT,
        (66, 95): 0.05 * qvel[6:],
        (98, 100): np.sin(phase),
    }
    assert o.shape == (100,)
    for (first, end), values in want.items():
        np.testing.assert_allclose(o[first:end], values, rtol=0, atol=EXACT)
    pitch = -0.1 * (0.2 - seen.state.velocity[0])
    roll = 0.1 * (0.0 - seen.state.velocity[1])
    tilted = [np.sin(pitch), -np.sin(roll) * np.cos(pitch), -np.cos(roll) * np.cos(pitch)]
    np.testing.assert_allclose(o[95:98], tilted, rtol=0, atol=EXACT)


def test_hidden_arms_are_seen_where_the_policy_wanted_them_and_at_rest() -> None:
    rng = np.random.default_rng(1)
    sensed, action = robots(N), rng.normal(size=(N, 29))
    o = first_half(begin().replace(action=action), 0.0, asked(), sensed).observation
    np.testing.assert_allclose(o[:, 37:66][:, ARM], 0.25 * action[:, ARM], rtol=0, atol=EXACT)
    np.testing.assert_array_equal(o[:, 66:95][:, ARM], 0)
    np.testing.assert_allclose(o[:, 37:66][:, LEGS], (sensed.qpos[:, 7:] - DEFAULT)[:, LEGS], rtol=0, atol=EXACT)
    np.testing.assert_allclose(o[:, 66:95][:, LEGS], 0.05 * sensed.qvel[:, 6:][:, LEGS], rtol=0, atol=EXACT)


@pytest.mark.parametrize(("cmd", "share"), [((0, 0, 0), 1.0), ((0.5, 0, 0), 0.5)])
def test_bent_knees_shift_the_legs_in_target_and_observation(cmd: tuple[float, ...], share: float) -> None:
    sensed = robots(N)
    late = 0.9
    bent, straight = (first_half(begin(), late, asked(cmd=cmd, kb=(kb,)), sensed) for kb in (0.6, 0.0))
    shift = np.zeros(29)
    shift[[0, 6]], shift[[3, 9]], shift[[4, 10]] = -0.45, 0.9, -0.45
    shift *= 0.6 * share
    np.testing.assert_allclose(
        straight.observation[:, 37:66] - bent.observation[:, 37:66], shift + np.zeros((N, 1)), atol=EXACT
    )
    action = np.zeros((N, 29))
    targets = [command(np, DEFAULTS, CHAIN, half, action).target for half in (bent, straight)]
    np.testing.assert_allclose((targets[0] - targets[1])[:, LEGS], shift[LEGS] + np.zeros((N, 1)), rtol=0, atol=EXACT)
    over = first_half(begin(), late, asked(kb=(3.0,)), sensed)
    assert over.offset.max() == pytest.approx(0.9)


def test_a_centre_of_mass_ahead_is_shown_as_a_tilt_that_leans_back() -> None:
    sensed = robots(N)
    state = tick(begin(), 0.0, asked(), sensed).state
    yaw = heading(np, sensed.qpos[:, 3:7])
    ahead = np.stack([np.cos(yaw), np.sin(yaw), 0 * yaw], -1)
    upright = sensed.replace(qpos=np.concatenate([sensed.qpos[:, :3], quaternion(yaw), sensed.qpos[:, 7:]], -1))
    state = state.replace(yaw_ref=yaw)
    for shift, pitch in ((0.07, 0.05), (9.0, 0.25), (-9.0, -0.25)):
        moved = upright.replace(com=sensed.com + shift * ahead)
        down = first_half(state, 0.5, asked(), moved).observation[:, 95:98]
        np.testing.assert_allclose(down, np.tile([np.sin(pitch), 0, -np.cos(pitch)], (N, 1)), rtol=0, atol=1e-9)
        free = first_half(state.replace(use=np.zeros(N)), 0.5, asked(use=0), moved).observation[:, 95:98]
        np.testing.assert_allclose(free, np.tile([0, 0, -1], (N, 1)), rtol=0, atol=1e-9)


def test_only_plans_that_use_the_arms_move_them() -> None:
    """Feed-forward follows `use`, so it acts exactly where the targets come from the inverse kinematics."""
    plan, sensed = plans(N), robots(N)
    out = tick(begin(), 0.0, plan, sensed)
    np.testing.assert_array_equal(out.use, plan.use)
    free = plan.use == 0
    policy = DEFAULT + 0.25 * out.state.action
    np.testing.assert_array_equal(out.target[free], policy[free])
    np.testing.assert_array_equal(out.target[~free][:, ARM], out.state.arm.reshape(N, 14)[~free])
    np.testing.assert_array_equal(out.state.arm[free].reshape(-1, 14), policy[free][:, ARM])
    np.testing.assert_array_equal(
        out.target[:, LEGS], (policy + first_half(begin(), 0.0, plan, sensed).offset)[:, LEGS]
    )


def test_another_policy_fits_between_the_halves() -> None:
    plan, sensed = plans(N), robots(N)
    half = first_half(begin(), 0.0, plan, sensed)
    action = np.random.default_rng(0).normal(size=(N, 29))
    out = command(np, DEFAULTS, CHAIN, half, action)
    np.testing.assert_array_equal(out.state.action, action)
    np.testing.assert_array_equal(out.target[:, LEGS], (DEFAULT + 0.25 * action + half.offset)[:, LEGS])


def test_a_share_beyond_one_or_below_zero_is_cut() -> None:
    """Arms would otherwise be driven beyond what plan and policy say."""
    sensed = robots(N)
    for share, like in ((3.0, 1.0), (-2.0, 0.0), (np.nan, 0.0)):
        found, wanted = (tick(begin(), 0.0, asked(use=use), sensed) for use in (share, like))
        np.testing.assert_array_equal(found.use, wanted.use)
        np.testing.assert_array_equal(found.target, wanted.target)
