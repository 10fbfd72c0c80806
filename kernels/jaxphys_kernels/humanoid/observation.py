"""What the walking policy sees: 100 numbers, no history (humanoid specification, section 5.3)."""

from types import ModuleType
from typing import NamedTuple

from jaxphys_kernels.humanoid.arrays import Array, lift
from jaxphys_kernels.humanoid.joints import ACTION_SCALE, ARM, DEFAULT, LEGS
from jaxphys_kernels.humanoid.sensed import Sensed

SIZE = 100
SPIN_SCALE, JOINT_VELOCITY_SCALE = 0.25, 0.05


class Seen(NamedTuple):
    """What is shown to the policy beside the robot's own motion.

    command (…, 3); phase (…, 2) of the gait; gravity (…, 3), its direction in the body as it is to be perceived; action
    (…, 29) of the last tick; offset (…, 29), by which the default pose is shifted; use (…), by how much the arms are
    hidden.
    """

    command: Array
    phase: Array
    gravity: Array
    action: Array
    offset: Array
    use: Array


def observe(xp: ModuleType, sensed: Sensed, seen: Seen) -> Array:
    """Observation (…, 100).

    Hidden arms are seen where the policy's last action wanted them, and at rest: it would fight the weight of arms
    that it does not drive (sections 6.3, step 9, and 8.2).

    Args:
        xp: numpy or jax.numpy.
        sensed: of the robots.
        seen: what else is shown.
    """
    hidden = seen.use[..., None]
    pose, velocity = sensed.qpos[..., 7:36], sensed.qvel[..., 6:35]
    pose = pose - lift(xp, DEFAULT, pose) - seen.offset
    arms = (1.0 - hidden) * pose[..., ARM] + hidden * (ACTION_SCALE * seen.action[..., ARM])
    return xp.concatenate(
        [
            seen.action,
            SPIN_SCALE * sensed.qvel[..., 3:6],
            seen.command[..., 2:],
            seen.command[..., :2],
            xp.cos(seen.phase),
            pose[..., LEGS],
            arms,
            JOINT_VELOCITY_SCALE * velocity[..., LEGS],
            JOINT_VELOCITY_SCALE * (1.0 - hidden) * velocity[..., ARM],
            seen.gravity,
            xp.sin(seen.phase),
        ],
        -1,
    )
