"""Quadratic air drag as an explicit force (ReactHuman specification, section 15.6).

MuJoCo's own fluid model has an effective area of its own and MJX does not combine it with the implicit integrator;
this force is the same on every back end.
"""

import jax
import jax.numpy as jnp

AIR_DENSITY = 1.2
"""kg/m³."""


def drag(drag_area: jax.Array, vel: jax.Array) -> jax.Array:
    """Force (n, 3) in N on bodies of drag coefficient times area (n,) m² with velocities (n, 3) m/s."""
    square = jnp.sum(vel**2, axis=-1)
    # The root has no derivative at rest, where there is no force.
    moving = square > 0
    speed = jnp.where(moving, jnp.sqrt(jnp.where(moving, square, 1)), 0)
    return -0.5 * AIR_DENSITY * (drag_area * speed)[:, None] * vel
