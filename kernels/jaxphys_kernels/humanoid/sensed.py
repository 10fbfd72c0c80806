"""What the controller senses of a robot, and the frames it reckons in.

`qpos` and `qvel` are current; the other values come from the position stage of the last physics step and are that much
older, on both back ends alike (humanoid specification, section 6.4). Quaternions are w, x, y, z.
"""

from types import ModuleType

from flax import struct

from jaxphys_kernels.humanoid.arrays import Array, tame

FAR, FAST = 1e4, 1e3
"""No robot is farther from the origin (m) or moves faster (m/s, rad/s); what exceeds them is an accident."""


class Sensed(struct.PyTreeNode):
    """qpos (…, 36), qvel (…, 35), pose of the torso (…, 3) and (…, 3, 3), palms (…, 2, 3), centre of mass (…, 3).

    Palms are left and right. Places are in the world frame.
    """

    qpos: Array
    qvel: Array
    torso_pos: Array
    torso_mat: Array
    palms: Array
    com: Array


def sound(xp: ModuleType, sensed: Sensed) -> Sensed:
    """The same with finite numbers: a robot whose simulation failed must not leave a NaN in its controller's state."""
    return Sensed(
        qpos=tame(xp, sensed.qpos, FAR),
        qvel=tame(xp, sensed.qvel, FAST),
        torso_pos=tame(xp, sensed.torso_pos, FAR),
        torso_mat=tame(xp, sensed.torso_mat, 1.0),
        palms=tame(xp, sensed.palms, FAR),
        com=tame(xp, sensed.com, FAR),
    )


def heading(xp: ModuleType, quat: Array) -> Array:
    """Heading (…) of a body with orientation `quat` (…, 4): the angle of its x axis about the vertical (rad)."""
    w, x, y, z = (quat[..., k] for k in range(4))
    return xp.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def turn(xp: ModuleType, angle: Array, vector: Array) -> Array:
    """Vectors (…, 3) turned about the vertical by `angle` (…), whose rank is that of `vector` less one."""
    c, s = xp.cos(angle), xp.sin(angle)
    x, y = vector[..., 0], vector[..., 1]
    return xp.stack([c * x - s * y, s * x + c * y, vector[..., 2]], -1)


def gravity(xp: ModuleType, quat: Array, pitch: Array, roll: Array) -> Array:
    """Direction of gravity (…, 3) in the frame of a body that is tilted by `pitch`, then by `roll`, from where it is.

    Args:
        xp: numpy or jax.numpy.
        quat: orientation of the body (…, 4).
        pitch: turn about its y axis (…) (rad).
        roll: turn about the x axis after that (…) (rad).
    """
    w, x, y, z = (quat[..., k] for k in range(4))
    down = 2.0 * (w * y - x * z), -2.0 * (y * z + w * x), 2.0 * (x * x + y * y) - 1.0
    c, s = xp.cos(pitch), xp.sin(pitch)
    ahead, below = c * down[0] - s * down[2], s * down[0] + c * down[2]
    c, s = xp.cos(roll), xp.sin(roll)
    return xp.stack([ahead, c * down[1] + s * below, c * below - s * down[1]], -1)
