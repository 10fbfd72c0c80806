"""Where a lane goes next: the first event of its balls, or a safe time on the way there.

Walls, pockets and stops are closed forms, ball by ball. For the pairs one safe step gives a bound each; the pair with
the smallest bound is converged, and the lane goes no further than the bound of any other. Every function is a
stage of `lanes_pass`.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxphys_kernels.billiards import lanes_math as lm
from jaxphys_kernels.billiards.lanes_math import Table, Tolerances
from jaxphys_kernels.billiards.lanes_resolve import Choice, Decision, Trio
from jaxphys_kernels.billiards.lanes_stage import chain, pick
from jaxphys_kernels.billiards.lanes_state import Lanes, running
from jaxphys_kernels.billiards.model import Rules


class Nearest(NamedTuple):
    """Of each ball, over the shifts: smallest bound, next smallest, and shift of the smallest, (n, l) each."""

    best: jax.Array
    second: jax.Array
    shift: jax.Array


def own_times(lanes: Lanes, table: Table, *, rules: Rules, tol: Tolerances) -> jax.Array:
    """(n, l) time of each ball's first event by itself; -1 if it is outside the table."""
    balls = lanes.balls
    own = lm.own_event(balls, table.radius, table, rules.tie_window, rules.v_snap)
    return jnp.where(balls.alive & (own.outside > tol.touch), -1, own.time)


def first_own(own_times: jax.Array, lanes: Lanes, table: Table) -> tuple[jax.Array, jax.Array]:
    """Time of the first own event, and how far to look: not beyond it, nor beyond the end."""
    soonest = chain(jnp.minimum, own_times)
    left = jnp.where(running(lanes, table), table.horizon - lanes.time, 0)
    return soonest, jnp.clip(soonest, 0, left)


def wrap(motion: jax.Array, alive: jax.Array, radius: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Repeat the first half of the balls, so that ball i + k modulo n is a plain slice for every shift k."""
    half = alive.shape[0] // 2
    return (
        jnp.concatenate([motion, motion[:, :half]], axis=1),
        jnp.concatenate([alive, alive[:half]]),
        jnp.concatenate([radius, radius[:half]]),
    )


def pair_bounds(
    motion: jax.Array,
    alive: jax.Array,
    radius: jax.Array,
    a: jax.Array,
    limit: jax.Array,
    *,
    n: int,
    rules: Rules,
    tol: Tolerances,
) -> tuple[jax.Array, ...]:
    """For each shift k = 1 … n/2, the bounds (n, l) of the pairs (i, i + k modulo n): every pair once."""
    one = lm.balls_of(motion[:, :n], alive[:n])
    if n == 1:
        return (jnp.full_like(one.x, jnp.inf),)
    bounds = []
    for k in range(1, n // 2 + 1):
        two = lm.balls_of(motion[:, k : k + n], alive[k : k + n])
        bound = lm.pair_bound(one, two, radius[:n] + radius[k : k + n], a[None], limit[None], rules.v_snap, tol)
        if 2 * k == n:
            bound = jnp.where(jnp.arange(n)[:, None] < k, bound, jnp.inf)
        bounds.append(bound)
    return tuple(bounds)


def nearest(bounds: tuple[jax.Array, ...]) -> Nearest:
    """The nearest partner of each ball among the shifts, and the bound of the one after it."""
    best, second = bounds[0], jnp.full_like(bounds[0], jnp.inf)
    shift = jnp.ones(best.shape, jnp.int32)
    for k, bound in enumerate(bounds[1:], 2):
        second = jnp.minimum(second, jnp.maximum(best, bound))
        shift = jnp.where(bound < best, k, shift)
        best = jnp.minimum(best, bound)
    return Nearest(best, second, shift)


def choose(nearest: Nearest, own_times: jax.Array) -> Choice:
    """Over the balls of each lane: the pair that may meet first, and the ball with the first event of its own."""
    best, second, shift = nearest
    n, lanes = best.shape
    bound, other, k = best[0], second[0], shift[0]
    i, loner, soonest = jnp.zeros(lanes, jnp.int32), jnp.zeros(lanes, jnp.int32), own_times[0]
    for r in range(1, n):
        other = jnp.minimum(jnp.minimum(other, second[r]), jnp.maximum(bound, best[r]))
        better = best[r] < bound
        i, k = jnp.where(better, r, i), jnp.where(better, shift[r], k)
        bound = jnp.minimum(bound, best[r])
        loner = jnp.where(own_times[r] < soonest, r, loner)
        soonest = jnp.minimum(soonest, own_times[r])
    j = jnp.where(i + k >= n, i + k - n, i + k)
    return Choice(bound=bound, other_bound=other, i=jnp.minimum(i, j), j=jnp.maximum(i, j), loner=loner)


def pick_trio(motion: jax.Array, radius: jax.Array, mass: jax.Array, choice: Choice) -> tuple[jax.Array, ...]:
    """The fields of `Trio`: the chosen pair and the ball with the first own event, in each lane."""
    balls = (choice.i, choice.j, choice.loner)
    rows = jnp.swapaxes(motion, 0, 1)
    return (
        *(pick(rows, index) for index in balls),
        jnp.stack([pick(radius, index) for index in balls]),
        jnp.stack([pick(mass, index) for index in balls]),
    )


def contact_time(
    trio: Trio, a: jax.Array, choice: Choice, limit: jax.Array, *, rules: Rules, tol: Tolerances
) -> jax.Array:
    """(l,) time of the chosen pair's contact as far as it has converged; inf if there is none."""
    f = lm.separation(trio.one, trio.two, trio.reach, a)
    return lm.refine(f, choice.bound, jnp.clip(choice.other_bound, 0, limit), rules.v_snap, tol)


def decide(
    trio: Trio,
    table: Table,
    choice: Choice,
    soonest: jax.Array,
    limit: jax.Array,
    contact: jax.Array,
    lanes: Lanes,
    *,
    rules: Rules,
    tol: Tolerances,
) -> Decision:
    """How far each lane goes: to the contact, the first own event, the end, or as far as it is safe."""
    run = running(lanes, table)
    bad = run & (jnp.minimum(choice.bound, soonest) < 0)
    go = run & ~bad
    limit = jnp.clip(choice.other_bound, 0, limit)
    f = lm.separation(trio.one, trio.two, trio.reach, table.a)
    hit = go & (contact <= limit) & lm.touches(f, contact, rules.v_snap, tol)
    dt = jnp.where(go, jnp.minimum(limit, contact), 0)
    return Decision(dt=dt, hit=hit, own=go & ~hit & (soonest <= dt), bad=bad)
