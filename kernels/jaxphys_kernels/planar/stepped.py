"""The same scene by a fixed time step, as common engines do it: for comparison only, never for labels.

Semi-implicit Euler: friction changes the velocities, the new velocities move the bodies, and a pair that then overlaps
while approaching gets what its law says of the velocities before the step. The error is one step's travel; there is no
tie rule and no event list (InPhyRe specification, section 3; reference engines, section 4.3).
"""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jax import lax

from jaxphys_kernels.planar import motion, separation
from jaxphys_kernels.planar.event import apply_laws, empty_events, initial_status
from jaxphys_kernels.planar.laws import Law
from jaxphys_kernels.planar.model import State, Trajectory, World
from jaxphys_kernels.status import Status


def simulate(
    world: World, state: State, times: jax.Array, *, table: Sequence[Law], dt: float, steps: int
) -> Trajectory:
    """Run one scene for `steps` steps and return it after the steps nearest to the asked times (t,)."""

    def step(before: State, nothing: None) -> tuple[State, State]:
        moved = _advance(world, before, dt)
        where = separation.touch(*separation.poses(world, moved))
        meets = (where.gap < 0) & (where.rate < 0) & separation.may_touch(world, moved)
        as_before = moved.replace(vel=before.vel, spin=before.spin, roll=before.roll)
        struck, _tie = apply_laws(world, as_before, meets, where, table)
        involved = separation.involved(meets, before.pos.shape[0]) > 0
        after = jax.tree.map(
            lambda new, old: jnp.where(involved.reshape((-1,) + (1,) * (new.ndim - 1)), new, old),
            (struck.vel, struck.spin, struck.roll),
            (moved.vel, moved.spin, moved.roll),
        )
        now = moved.replace(
            vel=after[0], spin=after[1], roll=after[2], look=struck.look, through=struck.through,
            time=before.time + dt,
        )  # fmt: skip
        return now, now

    _, path = lax.scan(step, state, None, length=steps)
    whole = jax.tree.map(lambda first, rest: jnp.concatenate([first[None], rest]), state, path)
    index = jnp.clip(jnp.round((times - state.time) / dt).astype(jnp.int32), 0, steps)
    chosen = jax.tree.map(lambda rows: rows[index], whole)
    finite = jnp.all(jnp.isfinite(chosen.pos)) & jnp.all(jnp.isfinite(chosen.vel))
    status = initial_status(world, state) | jnp.where(finite, 0, int(Status.NONFINITE)).astype(jnp.int32)
    return Trajectory(times=times, path=chosen, events=empty_events(0, times.dtype), status=status)


def _advance(world: World, state: State, dt: float) -> State:
    """One step without contacts: what a phase uses up within the step stays used up."""
    phase = motion.phase(world, state)
    full = motion.drift(state, phase, jnp.asarray(dt, state.pos.dtype))
    ended = motion.settle(world, full, phase.stop < dt, phase.roll < dt, phase.spin_end < dt)
    vel = jnp.where((phase.stop < dt)[:, None], 0, ended.vel)
    return ended.replace(
        vel=vel,
        pos=state.pos + vel * dt,
        yaw=state.yaw + ended.spin * dt,
    )
