"""The whole-body controller: from plan, robot and memory to joint targets, 48 times a second.

Humanoid specification, section 6.3, whose steps 1 to 13 the comments number; step 10 is the policy. Step 13, the
gravity feed-forward of the arms, is left to the back ends, which know the forces. `prepare` and `command` are the
halves before and after the policy, so that training can put another one between them. Any input gives finite joint
targets, those of arms that a plan drives inside their ranges; what the policy drives goes where it says.
"""

from types import ModuleType
from typing import NamedTuple

from flax import struct

from jaxphys_kernels.humanoid.arms import Chain, solve
from jaxphys_kernels.humanoid.arrays import Array, apply, lift, number, tame
from jaxphys_kernels.humanoid.gains import Gains
from jaxphys_kernels.humanoid.joints import (
    ACTION_LIMIT,
    ACTION_SCALE,
    ANKLE_PITCH,
    ARM,
    DEFAULT,
    HIP_PITCH,
    JOINTS,
    KNEE_PITCH,
    LEGS,
)
from jaxphys_kernels.humanoid.keyframes import follow
from jaxphys_kernels.humanoid.observation import Seen, observe
from jaxphys_kernels.humanoid.plan import Plan, readable
from jaxphys_kernels.humanoid.policy import Weights, act
from jaxphys_kernels.humanoid.sensed import Sensed, gravity, heading, sound, turn
from jaxphys_kernels.humanoid.state import ControlState

PI = 3.141592653589793

ROUNDING = 1e-4
"""Times are compared with this tolerance (s): a clock in single precision does not hit its marks exactly."""


class Prepared(struct.PyTreeNode):
    """The first half of a tick: observation (…, 100) for the policy, and what the second half needs.

    `state` is the next one but for action and arm; hands (…, 2, 3) are the targets in the torso's frame (m); offset
    (…, 29) is the knee bend's shift of the joints (rad); use (…) is the plan's share.
    """

    observation: Array
    state: ControlState
    hands: Array
    offset: Array
    use: Array


class Command(struct.PyTreeNode):
    """The end of a tick: next state, joint targets (…, 29) (rad), and the plan's share in arms and knees (…)."""

    state: ControlState
    target: Array
    use: Array


class _Wish(NamedTuple):
    """What the plan wants now: time of the plan, on, moving and use as numbers, desired command (…, 3)."""

    t: Array
    on: Array
    moving: Array
    use: Array
    desired: Array


def control(
    xp: ModuleType,
    weights: Weights,
    chain: Chain,
    gains: Gains,
    state: ControlState,
    t: Array,
    plan: Plan,
    sensed: Sensed,
) -> Command:
    """One tick of the controller.

    Args:
        xp: numpy or jax.numpy.
        weights: of the walking policy.
        chain: of the arms.
        gains: constants; static under `jit`.
        state: of the controllers.
        t: time since the plans began (…) or one for all (s); before 0 the robots settle, driven by the policy alone.
        plan: of the robots.
        sensed: of the robots.
    """
    prepared = prepare(xp, gains, state, t, plan, sensed)
    return command(xp, gains, chain, prepared, act(xp, weights, prepared.observation))


def prepare(xp: ModuleType, gains: Gains, state: ControlState, t: Array, plan: Plan, sensed: Sensed) -> Prepared:
    """The half of a tick before the policy; arguments as of `control`."""
    sensed, plan = sound(xp, sensed), readable(xp, plan)
    quat = sensed.qpos[..., 3:7]
    yaw = heading(xp, quat)
    ground = xp.concatenate([sensed.qpos[..., :2], xp.zeros_like(sensed.qpos[..., :1])], -1)
    both = xp.stack([yaw, yaw], -1)
    palms = turn(xp, -both, sensed.palms - ground[..., None, :])
    com = turn(xp, -yaw, sensed.com - sensed.qpos[..., :3])[..., 0]

    # 1 velocity filter; 3 what is kept from the first tick of a plan, or of the first plan
    speed = turn(xp, -yaw, sensed.qvel[..., :3])[..., :2]
    velocity = state.velocity + gains.tick / gains.velocity_filter * (speed - state.velocity)
    time = xp.asarray(t, state.origin.dtype)
    begun = time > -ROUNDING
    begins = begun & state.fresh
    origin = xp.where(begins & state.started, time, state.origin)
    palm0 = xp.where(begins[..., None, None], palms, state.palm0)
    com0 = xp.where(state.started, state.com0, com)
    yaw_ref = xp.where(begun & ~state.started, yaw, state.yaw_ref)

    # 2 plan; 4 outer loop
    wish = _wish(xp, gains, plan, time - origin, begun, state)
    yaw_ref = yaw_ref + gains.tick * wish.on * wish.desired[..., 2]
    walks = wish.moving[..., None]
    error = (wish.desired[..., :2] - velocity) * walks
    integral = (state.integral + gains.integral_gain * gains.tick * error) * walks
    integral = xp.clip(integral, -gains.integral_limit, gains.integral_limit)
    behind = (yaw_ref - yaw + PI) % (2.0 * PI) - PI
    astray = xp.clip(behind, -gains.yaw_limit, gains.yaw_limit)
    yaw_ref = yaw_ref + wish.moving * (astray - behind)
    asked = xp.concatenate(
        [
            wish.desired[..., :2] + gains.velocity_gain * error + integral,
            (wish.desired[..., 2] + gains.yaw_gain * astray)[..., None],
        ],
        -1,
    )
    asked = xp.clip(asked, -gains.command_limit, gains.command_limit) * walks

    # 5 perceived tilt
    shift = gains.com_gain / gains.com_height * wish.use * (com - com0)
    pitch = xp.clip(shift - gains.tilt_forward * error[..., 0], -gains.pitch_limit, gains.pitch_limit)
    roll = xp.clip(gains.tilt_sideways * error[..., 1], -gains.roll_limit, gains.roll_limit)

    # 6 key frames; 7 knee bend
    hands, bend = _follow(xp, plan, wish, palm0, state.knee0)
    knee = xp.clip(bend, 0.0, 1.0) * wish.use
    shape = lift(xp, _knee_offset(gains), sensed.qpos)
    offset = (knee * (1.0 - (1.0 - gains.knee_moving) * wish.moving))[..., None] * shape

    # 8 gait
    phase = (state.phase + 2.0 * PI * gains.gait_frequency * gains.tick + PI) % (2.0 * PI) - PI
    phase = xp.where(state.standing[..., None], _first_step(xp, gains, wish.desired, phase), phase)
    phase = xp.where(walks > 0.5, phase, PI * xp.ones_like(phase))

    # 9 masked arms
    seen = Seen(asked, phase, gravity(xp, quat, pitch, roll), state.action, offset, wish.use)
    world = ground[..., None, :] + turn(xp, both, hands)
    local = apply(xp.swapaxes(sensed.torso_mat, -1, -2)[..., None, :, :], world - sensed.torso_pos[..., None, :])
    return Prepared(
        observation=observe(xp, sensed, seen),
        state=state.replace(
            phase=phase,
            standing=wish.moving < 0.5,
            velocity=velocity,
            integral=integral,
            yaw_ref=yaw_ref,
            com0=com0,
            palm0=palm0,
            knee=knee,
            use=wish.use,
            origin=origin,
            started=state.started | begun,
            fresh=state.fresh & ~begun,
        ),
        hands=local,
        offset=offset,
        use=wish.use,
    )


def command(xp: ModuleType, gains: Gains, chain: Chain, prepared: Prepared, action: Array) -> Command:
    """The half of a tick after the policy.

    Args:
        xp: numpy or jax.numpy.
        gains: constants; static under `jit`.
        chain: of the arms.
        prepared: the first half.
        action: of the policy (…, 29).
    """
    # 10 policy
    action = tame(xp, action, ACTION_LIMIT)
    target = lift(xp, DEFAULT, action) + ACTION_SCALE * action + prepared.offset
    # 11 arms; 12 blend
    before, share = prepared.state.arm, prepared.use[..., None]
    solved = solve(
        xp,
        chain,
        before,
        prepared.hands,
        iterations=gains.ik_iterations,
        damping=gains.ik_damping,
        posture=gains.ik_posture,
        step=gains.ik_step,
        margin=gains.ik_margin,
    )
    arm = xp.where(share[..., None] > 0.0, solved, before)
    arms = (1.0 - share) * target[..., ARM] + share * arm.reshape((*arm.shape[:-2], 14))
    # Arms that the policy drives, in part or whole, are taken over from where it has them.
    lent = (prepared.state.started & (prepared.use < 1.0))[..., None, None]
    arm = xp.where(lent, arms.reshape(arm.shape), arm)
    return Command(
        state=prepared.state.replace(action=action, arm=arm),
        target=xp.concatenate([target[..., LEGS], arms], -1),
        use=prepared.use,
    )


def _wish(xp: ModuleType, gains: Gains, plan: Plan, t: Array, begun: Array, state: ControlState) -> _Wish:
    """Step 2; `t` since the plan began."""
    on = number(xp, begun, plan.dur)
    walking = number(xp, begun & (t < plan.dur - ROUNDING), plan.dur)
    desired = walking[..., None] * plan.cmd
    moving = number(xp, xp.abs(desired).max(-1) > gains.moving, plan.dur)
    # A plan that leaves the arms to the policy takes them from a plan that did not little by little.
    fading = state.use - gains.tick / gains.release
    return _Wish(t, on, moving, on * xp.maximum(plan.use, fading), desired)


def _first_step(xp: ModuleType, gains: Gains, desired: Array, like: Array) -> Array:
    """Step 8: phase (…, 2) of the gait that leaves the stand."""
    right = lift(xp, (0.0, PI), like)
    if not gains.lead_leg:
        return right
    return xp.where(desired[..., 1:2] > gains.moving, right[..., ::-1], right)


def _follow(xp: ModuleType, plan: Plan, wish: _Wish, palm0: Array, knee0: Array) -> tuple[Array, Array]:
    """Step 6; a plan that does not use the hands leaves them, and the knees, where they were."""
    hands, bend = follow(xp, plan, wish.t, palm0, knee0)
    used = plan.use > 0.0
    return xp.where(used[..., None, None], hands, palm0), xp.where(used, bend, knee0)


def _knee_offset(gains: Gains) -> list[float]:
    """Change of the 29 joints at a bend of 1 (rad)."""
    offset = [0.0] * len(JOINTS)
    for joints, change in zip((HIP_PITCH, KNEE_PITCH, ANKLE_PITCH), gains.knee_offset, strict=True):
        for joint in joints:
            offset[joint] = change
    return offset
