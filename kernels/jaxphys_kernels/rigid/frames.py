"""Frames of reference: quaternions (w, x, y, z), and where the bodies of a scene are and how they move."""

import jax
import jax.numpy as jnp
from flax import struct

from jaxphys_kernels.rigid.model import Joint, World


class Motion(struct.PyTreeNode):
    """Centres of mass of n bodies in the world frame: pos (n, 3) m, quat (n, 4), vel (n, 3) m/s, omega (n, 3) rad/s."""

    pos: jax.Array
    quat: jax.Array
    vel: jax.Array
    omega: jax.Array


def rotate(quat: jax.Array, vector: jax.Array) -> jax.Array:
    """A vector (..., 3) of the body frame, in the world frame; `quat` (..., 4) of length 1."""
    w, axis = quat[..., :1], quat[..., 1:]
    turned = 2 * jnp.cross(axis, vector)
    return vector + w * turned + jnp.cross(axis, turned)


def unrotate(quat: jax.Array, vector: jax.Array) -> jax.Array:
    """A vector (..., 3) of the world frame, in the body frame."""
    return rotate(conjugate(quat), vector)


def conjugate(quat: jax.Array) -> jax.Array:
    """The opposite rotation."""
    return jnp.concatenate([quat[..., :1], -quat[..., 1:]], axis=-1)


def about(axis: jax.Array, angle: jax.Array) -> jax.Array:
    """Quaternion (..., 4) of a turn by `angle` (...) about a unit `axis` (..., 3)."""
    half = 0.5 * angle[..., None]
    return jnp.concatenate([jnp.cos(half), jnp.sin(half) * axis], axis=-1)


def motion(world: World, qpos: jax.Array, qvel: jax.Array) -> Motion:
    """Where the bodies are; qpos (n, 7), qvel (n, 6) as in `State`."""
    held = (world.joint == int(Joint.HINGE))[:, None]
    angle, rate = qpos[:, 0], qvel[:, 0]
    swung = about(world.axis, angle)
    arm = rotate(swung, world.com)
    turning = rate[:, None] * world.axis
    quat = qpos[:, 3:]
    return Motion(
        pos=jnp.where(held, world.anchor + arm, qpos[:, :3]),
        quat=jnp.where(held, swung, quat),
        vel=jnp.where(held, jnp.cross(turning, arm), qvel[:, :3]),
        omega=jnp.where(held, turning, rotate(quat, qvel[:, 3:])),
    )
