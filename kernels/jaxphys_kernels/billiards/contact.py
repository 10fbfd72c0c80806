"""Times of contact: when a ball meets a wall, a pocket or another ball, if nothing happens before.

Every function is elementwise, returns inf where there is no contact, and never an approach slower than
`v_snap`: the impact rule would ignore it, and the loop would meet it again at once (BilliardPhys-Bench
specification, sections 4.2 to 4.5).
"""

import jax
import jax.numpy as jnp

from jaxphys_kernels.advance import Gap, polish, search
from jaxphys_kernels.billiards.motion import stop_time, time_to_arc

ITERATIONS = 32
"""Cap of the search for a contact of two moving balls; 22 is the most that grazing pairs were seen to need."""


def disc_time(
    offset: jax.Array, reach: jax.Array, heading: jax.Array, speed: jax.Array, a: jax.Array, v_snap: float
) -> jax.Array:
    """Time until a moving point comes within `reach` of a fixed point that lies at `offset` (..., 2) from it.

    With b the offset along the heading and e the offset across it, contact is at arc length b - √(reach² - e²).
    The discriminant is formed from e, which keeps its digits where b² - |offset|² + reach² would lose them.
    """
    along = jnp.sum(offset * heading, axis=-1)
    across = offset - along[..., None] * heading
    room = reach * reach - jnp.sum(across * across, axis=-1)
    root = jnp.sqrt(jnp.where(room > 0, room, 1))
    # Inside or touching already: the approach is that of the present offset.
    touching = along <= root
    distance = jnp.sqrt(jnp.sum(offset * offset, axis=-1))
    approach = speed * along / jnp.where(distance > 0, distance, 1)
    meets = (room > 0) & (along > 0) & ~(touching & (approach <= v_snap))
    arc = jnp.where(meets, jnp.maximum(along - root, 0), 0)
    return jnp.where(meets, time_to_arc(speed, a, arc), jnp.inf)


def capture_time(offset: jax.Array, reach: jax.Array, heading: jax.Array, speed: jax.Array, a: jax.Array) -> jax.Array:
    """Time until a ball's centre enters the circle `reach` around a pocket at `offset` (..., 2); 0 when inside."""
    inside = jnp.sum(offset * offset, axis=-1) <= reach * reach
    return jnp.where(inside, 0, disc_time(offset, reach, heading, speed, a, 0.0))


def wall_time(gap: jax.Array, toward: jax.Array, speed: jax.Array, a: jax.Array, v_snap: float) -> jax.Array:
    """Time until a plane at distance `gap` is met, `toward` being the heading's component to it."""
    meets = jnp.isfinite(gap) & (toward * speed > v_snap)
    arc = jnp.where(meets, jnp.maximum(gap, 0), 0) / jnp.where(meets, toward, 1)
    return jnp.where(meets, time_to_arc(speed, a, arc), jnp.inf)


def pair_time(
    offset: jax.Array,
    relative: jax.Array,
    headings: tuple[jax.Array, jax.Array],
    speeds: tuple[jax.Array, jax.Array],
    reach: jax.Array,
    a: jax.Array,
    limit: jax.Array,
    v_snap: float,
) -> tuple[jax.Array, jax.Array]:
    """Time at which two moving balls touch while approaching, not after `limit` or the first stop.

    The gap obeys r'' >= -α with α = a |û_j - û_i|, see `jaxphys_kernels.advance`.

    Args:
        offset, relative: (..., 2) position and velocity of the second ball relative to the first.
        headings, speeds: of the two balls.
        reach: sum of the radii. limit: () or (...) longest time of interest.

    Returns:
        time (inf if none) and a flag that the iteration cap was reached.
    """
    curve = -0.5 * a * (headings[1] - headings[0])
    alpha = a * jnp.sqrt(jnp.sum((headings[1] - headings[0]) ** 2, axis=-1))
    limit = jnp.minimum(limit, jnp.minimum(stop_time(speeds[0], a), stop_time(speeds[1], a)))

    def gap_at(t: jax.Array) -> Gap:
        d = offset + relative * t[..., None] + curve * (t * t)[..., None]
        square = jnp.sum(d * d, axis=-1)
        r = jnp.sqrt(square)
        rate = jnp.sum(d * (relative + 2 * curve * t[..., None]), axis=-1) / jnp.where(r > 0, r, 1)
        # The difference of squares keeps digits that r - reach would lose.
        return Gap((square - reach * reach) / (r + reach), rate, rate, alpha)

    never = ~((speeds[0] > 0) & (speeds[1] > 0))
    found = search(gap_at, limit, never, v_snap, iterations=ITERATIONS)
    return polish(gap_at, found), found.unsolved
