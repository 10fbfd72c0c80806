"""Mechanical energy of a scene."""

import jax
import jax.numpy as jnp
from flax import struct

from jaxphys_kernels.rigid.frames import motion, unrotate
from jaxphys_kernels.rigid.model import Shape, World


class Energy(struct.PyTreeNode):
    """Kinetic and potential energy () of all bodies (J); the potential is zero on the floor."""

    kinetic: jax.Array
    potential: jax.Array


def energy(world: World, qpos: jax.Array, qvel: jax.Array) -> Energy:
    """Energy of the bodies; qpos (n, 7), qvel (n, 6)."""
    now = motion(world, qpos, qvel)
    there = world.shape != int(Shape.ABSENT)
    spin = unrotate(now.quat, now.omega)
    kinetic = 0.5 * (world.mass * jnp.sum(now.vel**2, axis=-1) + jnp.sum(world.inertia * spin**2, axis=-1))
    potential = world.mass * world.gravity * now.pos[:, 2]
    return Energy(kinetic=jnp.sum(jnp.where(there, kinetic, 0)), potential=jnp.sum(jnp.where(there, potential, 0)))
