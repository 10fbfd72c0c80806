"""Times of contact: when a ball meets a wall, a pocket or another ball, if nothing happens before.

Every function is elementwise, returns inf where there is no contact, and never an approach slower than
`v_snap`: the impact rule would ignore it, and the loop would meet it again at once (BilliardPhys-Bench
specification, sections 4.2 to 4.5).
"""

import jax
import jax.numpy as jnp
from jax import lax

from jaxphys_kernels.billiards.motion import stop_time, time_to_arc

ITERATIONS = 32
"""Cap of the search for a contact of two moving balls; 22 is the most that grazing pairs were seen to need."""

CLOSE = {jnp.dtype("float64"): 1e-11, jnp.dtype("float32"): 1e-6}
"""Gap (m) at which the search hands over to Newton's method, by precision.

At 1e-6 m grazing pairs become undecidable. Whether a pair that is tangent to within this gap touches is a matter of
rounding, and back ends may differ; the impulse is then negligible.
"""


_Search = tuple[jax.Array, jax.Array, jax.Array, jax.Array]
"""time reached, hit, miss, iterations done."""


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

    Conservative advancement: the gap obeys r'' >= -α with α = a |û_j - û_i|, so it stays open for at least the
    time a ball thrown against α would need; repeating this never passes the contact. Newton's method on
    |d|² - reach² finishes it.

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

    def separation(t: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        d = offset + relative * t[..., None] + curve * (t * t)[..., None]
        rate = relative + 2 * curve * t[..., None]
        r = jnp.sqrt(jnp.sum(d * d, axis=-1))
        return r, jnp.sum(d * rate, axis=-1) / jnp.where(r > 0, r, 1), jnp.sum(d * d, axis=-1)

    def advance(carry: _Search) -> _Search:
        t, hit, miss, count = carry
        r, rate, _ = separation(t)
        gap = r - reach
        hit_now = (gap <= close) & (rate < -v_snap)
        # A touching pair that hardly moves must still get on; the floor is far below the touch tolerance.
        safe_gap = jnp.maximum(gap, 0.1 * close)
        root = jnp.sqrt(rate * rate + 2 * alpha * safe_gap)
        closing = rate <= 0
        below = jnp.where(closing, root - rate, alpha)
        step = jnp.where(closing, 2 * safe_gap, rate + root) / jnp.where(below > 0, below, 1)
        ahead = t + jnp.where(below > 0, step, jnp.inf)
        going = ~hit & ~miss
        return (
            jnp.where(going & ~hit_now, jnp.minimum(ahead, limit), t),
            hit | (going & hit_now),
            miss | (going & ~hit_now & (ahead > limit)),
            count + 1,
        )

    def unfinished(carry: _Search) -> jax.Array:
        _, hit, miss, count = carry
        return jnp.any(~hit & ~miss) & (count < ITERATIONS)

    close = CLOSE[reach.dtype]
    start = jnp.zeros_like(reach)
    never = ~((speeds[0] > 0) & (speeds[1] > 0))
    t, hit, miss, _ = lax.while_loop(
        unfinished, advance, (start, jnp.zeros_like(never), never, jnp.zeros((), jnp.int32))
    )
    for _ in range(3):
        _, rate, square = separation(t)
        r = jnp.sqrt(square)
        slope = 2 * r * rate
        t = jnp.where(hit & (slope < 0), t - (square - reach * reach) / jnp.where(slope < 0, slope, -1), t)
    return jnp.where(hit, jnp.maximum(t, 0), jnp.inf), ~hit & ~miss
