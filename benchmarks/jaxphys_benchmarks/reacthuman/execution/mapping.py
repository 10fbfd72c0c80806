"""From plans as they are answered to plans of the controller (humanoid specification, section 6.2).

A hand (forward, left, up) from the pelvis is (forward, left, z_ref + up) in the heading frame of the robot, whose
origin is the ground below its pelvis. A robot that faces +Y has a place (forward, left, height) of that frame at
(x - left, y + forward, height) in the world. No plan at all is one that stands and leaves the arms to the policy.

Public: `kernel_plan`, `as_asked`, `to_heading`, `to_world`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.plan import LIMITS, REST, KeyFrame, Plan
from jaxphys_kernels.humanoid.plan import Plan as Asked
from jaxphys_kernels.humanoid.plan import stack

Floats = NDArray[np.float64]

Z_REF = 0.79
"""Height above the ground that hands count from, unless configured otherwise (m)."""

_STANDS = Plan(
    walking_cmd=(0.0, 0.0, 0.0),
    walking_duration=0.0,
    keyframes=(KeyFrame(t=0.0, left_hand=REST[0], right_hand=REST[1]),),
)


def kernel_plan(plans: Sequence[Plan | None], z_ref: float = Z_REF) -> Asked:
    """The plans of b robots, as the controller reads them; float64 NumPy leaves.

    Key frames are filled up to the most that plans may have by default, so that all batches are of one form.

    Args:
        plans: in their normal form; None: stands, and the policy drives the arms. z_ref: see `Z_REF`.

    Raises:
        ValueError: there are no plans.
    """
    if not plans:
        raise ValueError("plans: empty; give at least one, or None for a robot that stands")
    frames = max(LIMITS.max_keyframes, *(len(plan.keyframes) for plan in plans if plan is not None), 1)
    return stack([as_asked(plan, z_ref) for plan in plans], frames)


def as_asked(plan: Plan | None, z_ref: float = Z_REF) -> Asked:
    """One plan with the key frames that it has; see `kernel_plan`."""
    own = _STANDS if plan is None else plan
    frames = own.keyframes
    return Asked(
        cmd=np.array(own.walking_cmd, np.float64),
        dur=np.float64(own.walking_duration),
        kt=np.array([frame.t for frame in frames], np.float64),
        kl=to_heading(np.array([frame.left_hand for frame in frames], np.float64), z_ref),
        kr=to_heading(np.array([frame.right_hand for frame in frames], np.float64), z_ref),
        kb=np.array([frame.knee_bend for frame in frames], np.float64),
        use=np.float64(plan is not None),
    )


def to_heading(hand: Floats, z_ref: float = Z_REF) -> Floats:
    """Places (..., 3) (forward, left, up) from the pelvis, as (forward, left, height) in the heading frame (m)."""
    return np.asarray(hand + np.array([0.0, 0.0, z_ref]))


def to_world(place: Floats, root: Floats, yaw: Floats) -> Floats:
    """Places (..., 3) of the heading frame in the world.

    Args:
        place: (..., 3) (forward, left, height) m. root: (..., 3) of the pelvis (m); its height does not matter.
        yaw: (...) heading from +X (rad); π/2 faces +Y.
    """
    cos, sin = np.cos(yaw), np.sin(yaw)
    x = root[..., 0] + cos * place[..., 0] - sin * place[..., 1]
    y = root[..., 1] + sin * place[..., 0] + cos * place[..., 1]
    return np.stack([x, y, place[..., 2]], axis=-1)
