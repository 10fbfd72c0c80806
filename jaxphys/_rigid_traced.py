"""Rigid bodies inside a trace: a whole rollout as one program, for `jit`, `vmap` and `jacfwd` of a caller's function.

What `_rigid_steps` does in NumPy for scenes that are known is done here in JAX.
"""

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys._forward_only import forward_only
from jaxphys._rigid_device import device_model, lenient
from jaxphys._rigid_groups import touchable
from jaxphys._rigid_mjx import Carry, Record, advance, start
from jaxphys._rigid_steps import HUGE
from jaxphys_kernels.rigid.model import Rules, Signature, State, Trajectory, World
from jaxphys_kernels.status import Status


def trace(signature: Signature, world: World, state: State, counts: np.ndarray, rules: Rules) -> Trajectory:
    """A rollout inside a trace: b scenes, exactly of this signature, at recorded steps `counts` (b, t)."""
    model = device_model(signature, rules, str(world.mass.dtype))
    n, s, c = len(signature.shapes), signature.statics, world.pair_friction.shape[1]
    kept = np.array(touchable(signature, n, s, tuple(range(n)), tuple(range(s))), int)
    world = world.replace(pair_friction=world.pair_friction[:, kept])

    def one(world: World, state: State, own: jax.Array) -> Trajectory:
        carry, records = advance(model, signature, world, start(signature, world, state, rules), total, rules)
        return _collected(carry, records, state.time, own, rules)

    total = int(counts.max())
    with lenient():
        leaves, form = jax.tree.flatten(jax.vmap(one)(world, state, jnp.asarray(counts)))
    found: Trajectory = jax.tree.unflatten(form, forward_only(leaves))

    def among_all(values: jax.Array, never: float) -> jax.Array:
        return jnp.full((*values.shape[:-1], c), never, values.dtype).at[..., kept].set(values)

    return found.replace(
        touching=among_all(found.touching, False),
        impulse=among_all(found.impulse, 0),
        first_touch=among_all(found.first_touch, np.inf),
        depth=among_all(found.depth, 0),
    )


def _collected(carry: Carry, records: Record, time: jax.Array, counts: jax.Array, rules: Rules) -> Trajectory:
    """One scene at its saved steps (t,), in JAX; the same as `_rigid_steps.trajectory` does for many in NumPy."""
    dtype = records.qpos.dtype
    before = jnp.concatenate([jnp.zeros_like(counts[:1]), counts[:-1]])
    lived = jnp.arange(records.qpos.shape[0]) < counts[-1]

    def until(values: jax.Array) -> jax.Array:
        total = jnp.concatenate([jnp.zeros_like(values[:1]), jnp.cumsum(values, axis=0)])
        return total[counts] - total[before]

    contacts = jnp.max(jnp.where(lived, records.contacts, 0))
    crowded = jnp.zeros((), bool) if rules.capacity is None else contacts > rules.capacity
    seen = jnp.concatenate([records.qpos[counts - 1].ravel(), records.qvel[counts - 1].ravel()])
    faults = (
        (jnp.logical_not(jnp.all(jnp.abs(seen) < HUGE)), Status.NONFINITE),
        (carry.start_depth > rules.penetration, Status.OVERLAP),
        (crowded, Status.CAPACITY),
    )
    status = sum((jnp.where(bad, int(bit), 0) for bad, bit in faults), jnp.zeros((), jnp.int32))
    reached = jnp.any(records.touching & lived[:, None], axis=0)
    return Trajectory(
        times=time + counts.astype(dtype) * rules.dt,
        qpos=records.qpos[counts - 1],
        qvel=records.qvel[counts - 1],
        touching=until(records.touching.astype(jnp.int32)) > 0,
        impulse=until(records.impulse),
        first_touch=jnp.where(reached, time + carry.first.astype(dtype) * rules.step, jnp.inf),
        depth=jnp.max(jnp.where(lived[:, None], records.depth, 0), axis=0),
        status=status.astype(jnp.int32),
    )
