"""What the controller remembers between its calls, and what replaces a plan in mid-motion.

Humanoid specification, section 6.1. At the switch to another plan the robot stays stable because only the plan begins
anew: its time, its palms, the knee bend it starts from. The gait, the velocity filter, the integral, the heading
reference and the centre of mass of the standing robot go on.
"""

from types import ModuleType
from typing import Any

import numpy as np
from flax import struct

from jaxphys_kernels.humanoid.arrays import Array, lift
from jaxphys_kernels.humanoid.joints import ACTION_SCALE, ARM, DEFAULT, REST


class ControlState(struct.PyTreeNode):
    """State of the controllers of robots.

    phase (…, 2) of the gait (rad); standing (…), whether the last tick stood; action (…, 29) of the last tick;
    velocity (…, 2) filtered, in the heading frame (m/s); integral (…, 2) of its error (m/s); yaw_ref (…), the heading
    to keep (rad); com0 (…), the centre of mass ahead of the pelvis before the plan (m); arm (…, 2, 7), the last
    solution of the inverse kinematics (rad); palm0 (…, 2, 3), the palms when the plan began, in the heading frame (m);
    knee and knee0 (…), the bend now and when the plan began; use (…), the plan's share in arms and knees; origin (…),
    when the plan began (s); started (…), whether any plan has begun; fresh (…), whether this one has not.
    """

    phase: Array
    standing: Array
    action: Array
    velocity: Array
    integral: Array
    yaw_ref: Array
    com0: Array
    arm: Array
    palm0: Array
    knee: Array
    knee0: Array
    use: Array
    origin: Array
    started: Array
    fresh: Array


def start(xp: ModuleType, batch: tuple[int, ...] = (), dtype: Any = None) -> ControlState:
    """State of robots that stand in the default pose.

    Args:
        xp: numpy or jax.numpy.
        batch: leading shape.
        dtype: floating-point type; float32 by default.
    """
    kind = xp.float32 if dtype is None else dtype

    def filled(values: Any) -> Array:
        return xp.asarray(np.broadcast_to(values, (*batch, *np.shape(values))), kind)

    def truth(value: bool) -> Array:
        return xp.asarray(np.full(batch, value))

    return ControlState(
        phase=filled([0.0, np.pi]),
        standing=truth(False),
        action=filled(np.zeros(29)),
        velocity=filled(np.zeros(2)),
        integral=filled(np.zeros(2)),
        yaw_ref=filled(0.0),
        com0=filled(0.0),
        arm=filled(REST),
        palm0=filled(np.zeros((2, 3))),
        knee=filled(0.0),
        knee0=filled(0.0),
        use=filled(0.0),
        origin=filled(0.0),
        started=truth(False),
        fresh=truth(True),
    )


def replan(xp: ModuleType, state: ControlState, mask: Array) -> ControlState:
    """State in which the masked robots begin another plan at the next call of the controller.

    At that call the running time becomes time 0 of the new plan, and the palms are latched where they are.

    Args:
        xp: numpy or jax.numpy.
        state: of the robots.
        mask: (…) bool, which of them got another plan.
    """
    return state.replace(knee0=xp.where(mask, state.knee, state.knee0), fresh=state.fresh | mask)


def adopt(xp: ModuleType, state: ControlState, mask: Array, target: Array) -> ControlState:
    """State in which the controller takes over masked robots from whoever drove them.

    What the policy remembers of its last action and the arms' last solution become the joint targets given.

    Args:
        xp: numpy or jax.numpy.
        state: of the robots.
        mask: (…) bool, which of them are taken over.
        target: the joint targets that drove them (…, 29) (rad).
    """
    action = (target - lift(xp, DEFAULT, target)) / ACTION_SCALE
    arm = target[..., ARM].reshape((*target.shape[:-1], 2, 7))
    return state.replace(
        action=xp.where(mask[..., None], action, state.action), arm=xp.where(mask[..., None, None], arm, state.arm)
    )
