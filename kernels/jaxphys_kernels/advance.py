"""Conservative advancement: the first time at which the gap between two bodies closes.

The gap is known as a function of time together with the worst that its rate and its second derivative can be from
then on; a step that assumes both never passes a contact. Newton's method finishes. Shared by discs and rectangles,
whatever their motion. Elementwise; every function works on any batch shape.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

CLOSE = {jnp.dtype("float64"): 1e-11, jnp.dtype("float32"): 1e-6}
"""Gap (m) at which the search hands over to Newton's method, by precision.

At 1e-6 m grazing pairs become undecidable. Whether a pair that is tangent to within this gap touches is a matter of
rounding, and back ends may differ; the impulse is then negligible.
"""

NEWTON_STEPS = 3
BISECTIONS = 60


class Gap(NamedTuple):
    """Gap between two bodies at some time.

    Attributes:
        size: m, negative when they overlap. rate: its time derivative (m/s).
        straight: the part of the rate that is not due to rotation (m/s), and
        bend: how fast that part can fall from now on (m/s²), negative where it surely rises.
        swing: the most by which rotation can change it (m/s), and
        reserve: the most by which rotation can ever shorten the gap (m); None for bodies that do not turn.
    """

    size: jax.Array
    rate: jax.Array
    straight: jax.Array
    bend: jax.Array
    swing: jax.Array | None = None
    reserve: jax.Array | None = None


class Search(NamedTuple):
    """Result of `search`.

    Attributes:
        time: s, to within `CLOSE` of the contact where there is one. hit: there is one.
        unsolved: the iteration cap was reached before it was known.
    """

    time: jax.Array
    hit: jax.Array
    unsolved: jax.Array


_Carry = tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]
"""time reached, latest time seen apart, hit, miss, crossed, iterations done."""


def search(
    gap_at: Callable[[jax.Array], Gap],
    limit: jax.Array,
    never: jax.Array,
    v_snap: float,
    *,
    iterations: int,
    least_step: jax.Array | None = None,
) -> Search:
    """First time at which the gap is closed while it closes faster than `v_snap`, not after `limit`.

    Args:
        gap_at: the gap at times of the shape of `limit`.
        limit: longest times of interest (s).
        never: pairs that are not looked at.
        v_snap: slower approaches are no contact (m/s).
        iterations: cap.
        least_step: s, where positive a step is at least this long, and a contact that it passes is found by bisection:
            for rotating bodies, whose bound is so pessimistic next to a contact that nothing would move.
    """
    close = CLOSE[limit.dtype]
    least = jnp.zeros_like(limit) if least_step is None else least_step

    def body(carry: _Carry) -> _Carry:
        t, apart, hit, miss, crossed, count = carry
        now = gap_at(t)
        gap, rate = now.size, now.rate
        going = ~hit & ~miss & ~crossed
        passed = (least > 0) & (gap < -close) & (t > apart)
        hit_now = (gap <= close) & (rate < -v_snap) & ~passed
        # A touching pair that hardly moves must still get on; the floor is far below the touch tolerance.
        safe_gap = jnp.maximum(gap, 0.1 * close)
        step = _worst(safe_gap, now.straight if now.swing is None else now.straight - now.swing, now.bend)
        if now.reserve is not None:
            # Far enough apart, corners cannot reach however they turn.
            spare = gap - now.reserve
            free = spare > 0
            step = jnp.maximum(step, jnp.where(free, _worst(jnp.where(free, spare, 1), now.straight, now.bend), 0))
        ahead = t + jnp.maximum(step, least)
        stays = hit_now | passed
        # With a least step, the last stretch before the limit is looked at too.
        over = jnp.where(least > 0, t >= limit, ahead > limit)
        return (
            jnp.where(going & ~stays, jnp.minimum(ahead, limit), t),
            jnp.where(going & ~stays, t, apart),
            hit | (going & hit_now),
            miss | (going & ~stays & over),
            crossed | (going & passed),
            count + 1,
        )

    def unfinished(carry: _Carry) -> jax.Array:
        _, _, hit, miss, crossed, count = carry
        return jnp.any(~hit & ~miss & ~crossed) & (count < iterations)

    start, no = jnp.zeros_like(limit), jnp.zeros_like(never)
    t, apart, hit, miss, crossed, _ = lax.while_loop(
        unfinished, body, (start, start, no, never, no, jnp.zeros((), jnp.int32))
    )
    if least_step is not None:
        t = _bisect(gap_at, apart, t, crossed)
    return Search(t, hit | crossed, ~hit & ~miss & ~crossed)


def _worst(gap: jax.Array, rate: jax.Array, bend: jax.Array) -> jax.Array:
    """Time for which a gap > 0 certainly stays open; inf if it never closes."""
    square = rate * rate + 2 * bend * gap
    root = jnp.sqrt(jnp.maximum(square, 0))
    closing = rate <= 0
    below = jnp.where(closing, root - rate, bend)
    closes = (square >= 0) & (below > 0)
    time = jnp.where(closing, 2 * gap, rate + root) / jnp.where(closes, below, 1)
    return jnp.where(closes, time, jnp.inf)


def _bisect(gap_at: Callable[[jax.Array], Gap], low: jax.Array, high: jax.Array, wanted: jax.Array) -> jax.Array:
    """The time in [low, high] at which the gap changes sign, where wanted; else `high`."""

    def body(carry: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        low, high, count = carry
        middle = 0.5 * (low + high)
        apart = gap_at(middle).size > 0
        return jnp.where(wanted & apart, middle, low), jnp.where(wanted & ~apart, middle, high), count + 1

    def unfinished(carry: tuple[jax.Array, jax.Array, jax.Array]) -> jax.Array:
        return jnp.any(wanted) & (carry[2] < BISECTIONS)

    return lax.while_loop(unfinished, body, (low, high, jnp.zeros((), jnp.int32)))[1]


def polish(gap_at: Callable[[jax.Array], Gap], found: Search) -> jax.Array:
    """Time of contact (s) to rounding, inf where there is none.

    The derivative of the last step is that of the implicit function theorem, so this is also what makes the time
    differentiable: the search itself need not be.
    """

    def newton(_: jax.Array, t: jax.Array) -> jax.Array:
        now = gap_at(t)
        gap, rate = now.size, now.rate
        closing = found.hit & (rate < 0)
        return jnp.where(closing, t - gap / jnp.where(closing, rate, -1), t)

    # A loop, although a short one: written out, its copies of `gap_at` were much of what there is to compile.
    t = lax.fori_loop(0, NEWTON_STEPS, newton, found.time)
    return jnp.where(found.hit, jnp.maximum(t, 0), jnp.inf)
