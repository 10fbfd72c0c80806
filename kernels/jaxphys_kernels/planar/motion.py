"""Free motion on the floor, in closed form: sliding, rolling and spinning with Coulomb friction.

Until its next phase ends every body has a constant acceleration, so its path is a parabola. A box or an upright
cylinder is braked against its velocity. A sphere is braked against the slip of its lowest point, vel - roll, while the
same force spins it up, until it rolls; then only `mu_roll` brakes it. Spin about z is braked by itself, a sphere's
not at all (InPhyRe specification, sections 3.1, 3.2). Elementwise over bodies; finite derivatives at rest.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from jaxphys_kernels.planar.model import Shape, State, World
from jaxphys_kernels.plane import norm_and_direction

SPIN_UP = 2.5
"""A force F on a solid sphere's rim changes roll by 5/2 F/m."""

SLIP_LOSS = 1 + SPIN_UP
"""The slip of a sliding sphere shrinks by 7/2 mu g per second."""


QUIET = {jnp.dtype("float64"): 1e-12, jnp.dtype("float32"): 1e-6}
"""Speeds, slips (m/s) and spins (rad/s) below this are rounding, by precision."""


class Phase(NamedTuple):
    """How bodies move until something changes.

    Attributes:
        acc: (n, 2) m/s². roll_acc: (n, 2) m/s² of `State.roll`. spin_acc: (n,) rad/s².
        stop, roll, spin_end: (n,) s until a body stops, begins to roll, stops spinning; inf if it does not.
    """

    acc: jax.Array
    roll_acc: jax.Array
    spin_acc: jax.Array
    stop: jax.Array
    roll: jax.Array
    spin_end: jax.Array


def reach(world: World) -> jax.Array:
    """(n,) radius, or shorter half extent (m)."""
    return world.rounding + jnp.min(world.half, axis=-1)


def phase(world: World, state: State) -> Phase:
    """Accelerations and times of change of all bodies."""
    sphere = world.shape == int(Shape.SPHERE)
    speed, heading = norm_and_direction(state.vel)
    slip, slip_heading = norm_and_direction(state.vel - state.roll)
    slides = sphere & (slip > 0)
    rolls = sphere & ~slides
    brake = jnp.where(rolls, world.mu_roll, world.mu) * world.g
    acc = -brake[:, None] * jnp.where(slides[:, None], slip_heading, heading)
    roll_acc = jnp.where(slides[:, None], -SPIN_UP * acc, jnp.where(rolls[:, None], acc, 0))
    turning = jnp.sign(state.spin)
    spin_brake = jnp.where(sphere, 0, world.kappa * world.mu * world.g / reach(world))
    return Phase(
        acc=acc,
        roll_acc=roll_acc,
        spin_acc=-spin_brake * turning,
        stop=_until(speed, jnp.where(slides, 0, brake)),
        roll=_until(jnp.where(slides, slip, 0), SLIP_LOSS * brake),
        spin_end=_until(jnp.abs(state.spin), spin_brake),
    )


def _until(amount: jax.Array, rate: jax.Array) -> jax.Array:
    """Time until an amount that shrinks at a rate is used up; inf if it is zero or does not shrink."""
    shrinks = (amount > 0) & (rate > 0)
    return jnp.where(shrinks, amount / jnp.where(rate > 0, rate, 1), jnp.inf)


def drift(state: State, phase: Phase, t: jax.Array) -> State:
    """The bodies after time t >= 0 (), which no phase ends before; `time` is left alone."""
    return state.replace(
        pos=state.pos + state.vel * t + 0.5 * phase.acc * (t * t),
        vel=state.vel + phase.acc * t,
        yaw=state.yaw + state.spin * t + 0.5 * phase.spin_acc * (t * t),
        spin=state.spin + phase.spin_acc * t,
        roll=state.roll + phase.roll_acc * t,
    )


def settle(world: World, state: State, stops: jax.Array, rolls: jax.Array, spin_ends: jax.Array) -> State:
    """Bodies whose phase ends (n,), put exactly into the next one."""
    sphere = (world.shape == int(Shape.SPHERE))[:, None]
    vel = jnp.where(stops[:, None], 0, state.vel)
    rolling = jnp.where(rolls[:, None] | (stops[:, None] & sphere), vel, state.roll)
    return state.replace(vel=vel, roll=rolling, spin=jnp.where(spin_ends, 0, state.spin))


def quieten(world: World, state: State) -> State:
    """A state without speeds, slips and spins that are rounding alone, such as an exchange of velocities leaves.

    Derivatives become those of what follows: what friction holds does not move when its velocity changes a little, and
    a sphere that rolls goes on with (5 vel + 2 roll)/7 when they change apart.
    """
    quiet = QUIET[state.vel.dtype]
    speed, slip = (norm_and_direction(lax.stop_gradient(v))[0] for v in (state.vel, state.vel - state.roll))
    sphere = world.shape == int(Shape.SPHERE)
    friction = world.mu * world.g > 0
    rolls = sphere & (slip < quiet)
    held = (speed < quiet) & jnp.where(sphere, rolls & (world.mu_roll * world.g > 0), friction)
    turns_not = jnp.abs(state.spin) < quiet
    stuck = turns_not & ~sphere & friction & (world.kappa > 0)

    now = jnp.where((speed < quiet)[:, None], 0, lax.stop_gradient(state.vel))
    common = (SPIN_UP * state.vel + state.roll) / SLIP_LOSS
    vel = jnp.where((rolls & friction)[:, None], _valued(now, common), _valued(now, state.vel))
    roll = jnp.where((rolls & friction)[:, None], _valued(now, common), state.roll)
    return state.replace(
        vel=jnp.where(held[:, None], 0, vel),
        roll=jnp.where((held | ~sphere)[:, None], 0, roll),  # Whatever a law wrote, only spheres roll.
        spin=jnp.where(stuck, 0, jnp.where(turns_not, _valued(jnp.zeros_like(state.spin), state.spin), state.spin)),
    )


def _valued(value: jax.Array, like: jax.Array) -> jax.Array:
    """The value, with the derivative of `like`."""
    return value + (like - lax.stop_gradient(like))
