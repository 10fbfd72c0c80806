"""The fixed-step twin of the event loop, one scene: for comparison only, never for labels.

Each step of length dt decelerates every ball, moves it with the mean of its old and new velocity, mirrors it at the
walls, captures it in pockets and passes overlapping pairs that approach to the joint impact rule. Contacts are
found up to one step late, so paths drift apart from the exact ones (BilliardPhys-Bench specification, section 4.9).

Steps are counted in integers and an asked time t is step round(t / dt): time is never accumulated. Batch with
`jax.vmap`.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from jaxphys_kernels.billiards import event, impact, motion
from jaxphys_kernels.billiards.model import Rules, State, Trajectory, World
from jaxphys_kernels.plane import norm_and_direction, pairs
from jaxphys_kernels.status import Status

_Solved = tuple[jax.Array, jax.Array, jax.Array, jax.Array]


class _Carry(NamedTuple):
    step: jax.Array
    pos: jax.Array
    vel: jax.Array
    alive: jax.Array
    first_hit: jax.Array
    first_wall: jax.Array
    happened: jax.Array
    status: jax.Array


def step_count(duration: jax.Array, dt: float) -> jax.Array:
    """Number of steps nearest to a duration (s); int32. `int(duration / dt)` would lose one at 4.1 s and 1/240 s."""
    return jnp.round(duration / dt).astype(jnp.int32)


def simulate(
    world: World, state: State, times: jax.Array, *, dt: float = 1 / 240, rules: Rules = Rules()
) -> Trajectory:
    """Run one scene by fixed steps and return it at the asked times.

    Args:
        world, state: the scene.
        times: (t,) ascending times (s), counted like `state.time`; each is rounded to a whole step.
        dt: length of a step (s).
        rules: `v_snap` is used; there are no simultaneous events to group and no event list to fill.

    Returns:
        Trajectory without events. `event_count` counts impacts and captures, not stops; times of first impacts are
        those of the end of their step.
    """
    n, dtype = state.pos.shape[0], state.pos.dtype
    start = _Carry(
        step=jnp.zeros((), jnp.int32),
        pos=state.pos,
        vel=jnp.where(state.alive[:, None], state.vel, 0),
        alive=state.alive,
        first_hit=jnp.full(n, jnp.inf, dtype),
        first_wall=jnp.full(4, jnp.inf, dtype),
        happened=jnp.zeros((), jnp.int32),
        status=event.initial_status(world, state),
    )
    asked = step_count(times - state.time, dt)

    def until(carry: _Carry, step: jax.Array) -> tuple[_Carry, tuple[jax.Array, jax.Array, jax.Array]]:
        carry = lax.while_loop(
            lambda c: (c.step < step) & (c.status == 0), lambda c: _step(world, state.time, c, dt, rules), carry
        )
        return carry, (carry.pos, carry.vel, carry.alive)

    end, (pos, vel, alive) = lax.scan(until, start, asked)
    return Trajectory(
        times=times,
        pos=pos,
        vel=vel,
        alive=alive,
        first_hit=end.first_hit,
        first_wall=end.first_wall,
        events=None,
        event_count=end.happened,
        status=end.status,
    )


def _step(world: World, start: jax.Array, carry: _Carry, dt: float, rules: Rules) -> _Carry:
    step = carry.step + 1
    now = start + step.astype(carry.pos.dtype) * dt
    vel = _decelerate(carry.vel, motion.deceleration(world) * dt)
    pos = carry.pos + 0.5 * (carry.vel + vel) * dt
    pos, vel, walls = _mirror(world, pos, vel)
    captured = carry.alive & jnp.any(_inside_pockets(world, pos), axis=-1)
    alive = carry.alive & ~captured
    vel = jnp.where(alive[:, None], vel, 0)

    first, second = pairs(pos.shape[0])
    overlap = alive[first] & alive[second] & (event.pair_gaps(world, pos) <= 0)
    vel, hits, failed = _impacts(pos, vel, world.mass, overlap, rules.v_snap)

    walls = walls & alive[:, None]
    cue = hits[: pos.shape[0] - 1]
    never = jnp.full(1, jnp.inf, now.dtype)
    finite = jnp.all(jnp.isfinite(pos)) & jnp.all(jnp.isfinite(vel))
    bits = jnp.where(finite, 0, int(Status.NONFINITE)) | jnp.where(failed, int(Status.SOLVER), 0)
    happened = jnp.sum(walls, dtype=jnp.int32) + jnp.sum(hits, dtype=jnp.int32) + jnp.sum(captured, dtype=jnp.int32)
    return _Carry(
        step=step,
        pos=pos,
        vel=vel,
        alive=alive,
        first_hit=jnp.minimum(carry.first_hit, jnp.concatenate([never, jnp.where(cue, now, jnp.inf)])),
        first_wall=jnp.minimum(carry.first_wall, jnp.where(walls[0], now, jnp.inf)),
        happened=carry.happened + happened,
        status=carry.status | bits.astype(jnp.int32),
    )


def _decelerate(vel: jax.Array, loss: jax.Array) -> jax.Array:
    """Velocities (n, 2) after their speeds drop by `loss`, to zero at most."""
    speed, heading = norm_and_direction(vel)
    return heading * jnp.maximum(speed - loss, 0)[:, None]


def _mirror(world: World, pos: jax.Array, vel: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Fold balls back that went through a wall; also which of `WALLS` each ball hit, (n, 4)."""
    low, high = world.radius[:, None], world.size[None] - world.radius[:, None]
    bounded = jnp.isfinite(high)
    below, above = bounded & (pos < low) & (vel < 0), bounded & (pos > high) & (vel > 0)
    plane = jnp.where(below, low, jnp.where(bounded, high, 0))
    struck = below | above
    walls = jnp.stack([above[:, 1], below[:, 1], below[:, 0], above[:, 0]], axis=-1)
    return jnp.where(struck, 2 * plane - pos, pos), jnp.where(struck, -vel, vel), walls


def _inside_pockets(world: World, pos: jax.Array) -> jax.Array:
    """(n, p) bool."""
    offset = world.pocket_pos[None] - pos[:, None, :]
    return jnp.sum(offset * offset, axis=-1) <= world.pocket_radius[None] ** 2


def _impacts(
    pos: jax.Array, vel: jax.Array, mass: jax.Array, overlap: jax.Array, v_snap: float
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Joint impacts among overlapping pairs: velocities, which pairs took part, and whether a cap was reached.

    The loop runs once at most; as a loop, a batch solves only where some scene has an overlap.
    """
    walls = jnp.zeros(4 * pos.shape[0], bool)

    def solve(carry: _Solved) -> _Solved:
        after, impulse, _, failed = impact.resolve(pos, carry[1], mass, jnp.concatenate([walls, overlap]), v_snap)
        return jnp.zeros((), bool), after, impulse[walls.shape[0] :] > 0, failed

    start = (jnp.any(overlap), vel, jnp.zeros_like(overlap), jnp.zeros((), bool))
    _, vel, hits, failed = lax.while_loop(lambda carry: carry[0], solve, start)
    return vel, hits, failed
