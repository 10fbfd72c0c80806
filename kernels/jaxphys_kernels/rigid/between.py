"""What happens between two steps of MuJoCo: rebounds in the step before, and drag in the next.

The same function serves both back ends.
"""

import jax
import jax.numpy as jnp
from flax import struct

from jaxphys_kernels.rigid.bounce import bounce
from jaxphys_kernels.rigid.drag import drag
from jaxphys_kernels.rigid.frames import motion
from jaxphys_kernels.rigid.model import Rules, Signature, State, World


class Between(struct.PyTreeNode):
    """The state to go on with, the rebounds (c,) and their impulses (c,), and the forces (n, 6) until the next time."""

    state: State
    touching: jax.Array
    impulse: jax.Array
    force: jax.Array


def between(world: World, before: State, after: State, signature: Signature, rules: Rules) -> Between:
    """Correct a step and prepare the next one.

    Args:
        world: the scene.
        before: its state at the beginning of the step.
        after: what MuJoCo made of it.
        signature: of the scene.
        rules: whether there are rebounds and drag.
    """
    c = world.pair_friction.shape[0]
    touching, impulse = jnp.zeros(c, bool), jnp.zeros_like(world.pair_friction)
    state = after
    if rules.bounce:
        meeting = bounce(world, before, after, rules.step, signature.pairs)
        state, touching, impulse = meeting.state, meeting.touching, meeting.impulse
    return Between(state=state, touching=touching, impulse=impulse, force=forces(world, state, rules))


def forces(world: World, state: State, rules: Rules) -> jax.Array:
    """Forces and torques (n, 6) of the air on the bodies, at their centres in the world frame (N, N m)."""
    nothing = jnp.zeros((world.mass.shape[0], 3), world.mass.dtype)
    if not rules.drag:
        return jnp.concatenate([nothing, nothing], axis=-1)
    vel = motion(world, state.qpos, state.qvel).vel
    return jnp.concatenate([drag(world.drag_area, vel), nothing], axis=-1)
