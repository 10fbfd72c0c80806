"""Free motion: uniform deceleration along a fixed direction, in closed form.

Between events a ball travels s(t) = |v| t - a t²/2 along its heading until it stops at t = |v|/a. All functions
are elementwise over balls, valid at a = 0 and at rest, and have finite derivatives there (BilliardPhys-Bench
specification, section 4.1).
"""

import jax
import jax.numpy as jnp

from jaxphys_kernels.billiards.model import World
from jaxphys_kernels.plane import norm_and_direction


def deceleration(world: World) -> jax.Array:
    """() m/s²: mu g, the same for every ball whatever its mass."""
    return world.mu * world.g


def stop_time(speed: jax.Array, a: jax.Array) -> jax.Array:
    """Time until rest; inf for a ball at rest or without friction."""
    stops = (speed > 0) & (a > 0)
    return jnp.where(stops, speed / jnp.where(a > 0, a, 1), jnp.inf)


def arc_length(speed: jax.Array, a: jax.Array, t: jax.Array) -> jax.Array:
    """Path travelled in time t >= 0, which may lie past the stop."""
    stop = stop_time(speed, a)
    stopped = t >= stop
    rolling = speed * t - 0.5 * a * t * t
    whole = 0.5 * speed * speed / jnp.where(a > 0, a, 1)
    return jnp.where(stopped, whole, jnp.where(speed > 0, rolling, 0))


def time_to_arc(speed: jax.Array, a: jax.Array, s: jax.Array) -> jax.Array:
    """Time to travel s >= 0, as 2s / (|v| + √(|v|² - 2as)); inf when the ball never gets there moving.

    The form has no cancellation for small s and none at a = 0. Reaching s with exactly zero speed counts as not
    getting there: such a touch carries no impulse.
    """
    square = speed * speed - 2 * a * s
    gets_there = (speed > 0) & (square > 0)
    root = jnp.sqrt(jnp.where(gets_there, square, 1))
    return jnp.where(gets_there, 2 * jnp.where(gets_there, s, 0) / (jnp.where(gets_there, speed, 1) + root), jnp.inf)


def drift(pos: jax.Array, vel: jax.Array, a: jax.Array, t: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Positions and velocities (n, 2) after free motion for time t >= 0, () or (n,)."""
    speed, heading = norm_and_direction(vel)
    t = jnp.broadcast_to(t, speed.shape)
    left = jnp.where(t >= stop_time(speed, a), 0, jnp.maximum(speed - a * t, 0))
    return pos + heading * arc_length(speed, a, t)[..., None], heading * left[..., None]
