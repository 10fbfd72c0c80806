"""The 12-sided prism that stands for an upright cylinder: MJX collides no cylinder with a box.

Its base has the area of the circle; flat sides face ±x and ±y. The moving scenes of one signature share the topology of
a mesh and differ in the places of its corners only (ReactHuman specification, section 15.5).
"""

import jax
import jax.numpy as jnp
import numpy as np

SIDES = 12

_ANGLES = (np.arange(SIDES) + 0.5) * (2 * np.pi / SIDES)

CIRCUMRADIUS = float(np.sqrt(2 * np.pi / (SIDES * np.sin(2 * np.pi / SIDES))))
"""Of a prism whose base has the area of the unit circle."""

APOTHEM = CIRCUMRADIUS * float(np.cos(np.pi / SIDES))
"""Distance of its flat sides from the axis."""

UNIT = np.array(
    [[CIRCUMRADIUS * np.cos(a), CIRCUMRADIUS * np.sin(a), z] for z in (-1.0, 1.0) for a in _ANGLES], dtype=np.float64
)
"""(24, 3) corners of the prism of the cylinder of radius 1 and half height 1."""


def vertices(size: jax.Array) -> jax.Array:
    """Corners (..., 24, 3) of prisms of size (..., 3): radius twice, then half height (m)."""
    return jnp.asarray(UNIT, size.dtype) * size[..., None, :]


def half_extents(size: jax.Array) -> jax.Array:
    """Half extents (..., 3) of the box around a prism (m)."""
    return size * jnp.array([APOTHEM, APOTHEM, 1], size.dtype)
