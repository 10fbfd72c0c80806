"""One pass of the lanes: every lane goes to its next event and resolves it.

Single contacts, walls, corners, stops and captures are resolved here. A lane that meets contacts which must be
resolved jointly (two impacts within the tie window that share a body, or a struck ball that touches another
body) is marked `TIE` and left alone: the readable event loop runs its scene from the start, with the joint rule.

A pass may also end at a safe time without an event, when the nearest contact has not converged or another
pair may come first.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxphys_kernels.billiards import lanes_math as lm
from jaxphys_kernels.billiards.lanes_math import Balls, Table, Tolerances
from jaxphys_kernels.billiards.lanes_resolve import Change, Choice, Decision, apply, record, resolve, to_polar
from jaxphys_kernels.billiards.lanes_stage import chain, pick, stage
from jaxphys_kernels.billiards.model import Rules
from jaxphys_kernels.status import Status

TIE = 1 << 16
"""Status bit, never shown to the caller: the scene needs the joint impact rule."""

MAX_IDLE = 64
"""Passes in a row without an event before `SOLVER` is set."""


class Lanes(NamedTuple):
    """What the lanes hold; l lanes, n balls.

    Attributes:
        balls, table: of the scene in each lane.
        time, group: (l,) time now and at the start of the present group of simultaneous events (s).
        struck: (n, l) start of the group in which a ball last had an impact; -inf if none.
        first: (n + 4, l) time of the cue ball's first impact with each ball and each of `WALLS`; inf if none.
        count, idle, status: (l,) int32 events, passes since the last event, status bits.
    """

    balls: Balls
    table: Table
    time: jax.Array
    group: jax.Array
    struck: jax.Array
    first: jax.Array
    count: jax.Array
    idle: jax.Array
    status: jax.Array


def running(lanes: Lanes) -> jax.Array:
    """(l,) bool: the lane has not reached its end and has no status bit."""
    return (lanes.time < lanes.table.horizon) & (lanes.status == 0)


def run_pass(lanes: Lanes, on: jax.Array, *, rules: Rules, log: bool) -> tuple[Lanes, tuple[jax.Array, ...] | None]:
    """Take every running lane to its next event; also the records of these events when `log`."""
    balls, table = lanes.balls, lanes.table
    tol = lm.TOLERANCES[balls.x.dtype]
    run = running(lanes)
    left = jnp.where(run, table.horizon - lanes.time, 0)

    own_times = stage(on, _own_times, balls, table, rules=rules, tol=tol)
    soonest, limit = stage(on, _first_own, own_times, left)
    wrapped = stage(on, _wrap, balls)
    bounds = stage(on, _pair_bounds, wrapped, table.a, limit, n=balls.x.shape[0], rules=rules, tol=tol)
    nearest = stage(on, _nearest, bounds)
    choice = stage(on, _choose, nearest, own_times)
    one, two, loner = stage(on, _pick_three, balls, choice)
    contact = stage(on, _contact_time, one, two, table.a, choice, limit, rules=rules, tol=tol)
    decision = stage(on, _decide, one, two, table.a, choice, soonest, limit, contact, run, rules=rules, tol=tol)
    change = stage(on, resolve, one, two, loner, table, choice, decision, own_times, rules=rules, tol=tol)
    polar = stage(on, to_polar, change, v_snap=rules.v_snap)
    moved = stage(on, apply, balls, table.a, decision.dt, change, polar)
    clock = jnp.where(decision.dt >= left, table.horizon, lanes.time + decision.dt)
    time = jnp.where(run, clock, lanes.time)
    near = stage(on, _touches_another, moved, change, rules=rules, tol=tol)
    after = stage(on, _account, lanes, moved, time, decision, change, near, rules=rules)
    if not log:
        return after, None
    return after, stage(on, record, one, two, loner, table, choice, decision, change, polar, moved, after.group)


def _own_times(balls: Balls, table: Table, *, rules: Rules, tol: Tolerances) -> jax.Array:
    """(n, l) time of each ball's first event by itself; -1 if it is outside the table."""
    own = lm.own_event(balls, table, rules.tie_window, rules.v_snap)
    return jnp.where(balls.alive & (own.outside > tol.touch), -1, own.time)


def _first_own(own_times: jax.Array, left: jax.Array) -> tuple[jax.Array, jax.Array]:
    soonest = chain(jnp.minimum, own_times)
    return soonest, jnp.clip(soonest, 0, left)


def _wrap(balls: Balls) -> Balls:
    """Repeat the first half of the balls, so that ball i + k modulo n is a plain slice for every shift k."""
    return jax.tree.map(lambda v: jnp.concatenate([v, v[: v.shape[0] // 2]]), balls)


def _pair_bounds(
    wrapped: Balls, a: jax.Array, limit: jax.Array, *, n: int, rules: Rules, tol: Tolerances
) -> tuple[jax.Array, ...]:
    """For each shift k = 0 … n/2, the bounds (n, l) of the pairs (i, i + k modulo n): every pair once, 0 is inf."""
    one = jax.tree.map(lambda v: v[:n], wrapped)
    bounds = [jnp.full_like(one.x, jnp.inf)]
    for k in range(1, n // 2 + 1):
        two = jax.tree.map(lambda v, k=k: v[k : k + n], wrapped)
        bound = lm.pair_bound(one, two, a[None], limit[None], rules.v_snap, tol)
        if 2 * k == n:
            bound = jnp.where(jnp.arange(n)[:, None] < k, bound, jnp.inf)
        bounds.append(bound)
    return tuple(bounds)


def _nearest(bounds: tuple[jax.Array, ...]) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Over the shifts: smallest bound, next smallest bound and shift of the smallest, (n, l) each."""
    best = second = bounds[0]
    shift = jnp.zeros(best.shape, jnp.int32)
    for k, bound in enumerate(bounds[1:], 1):
        second = jnp.minimum(second, jnp.maximum(best, bound))
        shift = jnp.where(bound < best, k, shift)
        best = jnp.minimum(best, bound)
    return best, second, shift


def _choose(nearest: tuple[jax.Array, jax.Array, jax.Array], own_times: jax.Array) -> Choice:
    best, second, shift = nearest
    n, l = best.shape
    bound, other, k = best[0], second[0], shift[0]
    i, loner, soonest = jnp.zeros(l, jnp.int32), jnp.zeros(l, jnp.int32), own_times[0]
    for r in range(1, n):
        other = jnp.minimum(jnp.minimum(other, second[r]), jnp.maximum(bound, best[r]))
        better = best[r] < bound
        i, k = jnp.where(better, r, i), jnp.where(better, shift[r], k)
        bound = jnp.minimum(bound, best[r])
        loner = jnp.where(own_times[r] < soonest, r, loner)
        soonest = jnp.minimum(soonest, own_times[r])
    j = jnp.where(i + k >= n, i + k - n, i + k)
    return Choice(bound=bound, other_bound=other, i=jnp.minimum(i, j), j=jnp.maximum(i, j), loner=loner)


def _pick_three(balls: Balls, choice: Choice) -> tuple[Balls, Balls, Balls]:
    """The chosen pair and the ball with the first own event, one of each per lane."""
    one, two, loner = (
        jax.tree.map(lambda v, index=index: pick(v, index), balls) for index in (choice.i, choice.j, choice.loner)
    )
    return one, two, loner


def _contact_time(
    one: Balls, two: Balls, a: jax.Array, choice: Choice, limit: jax.Array, *, rules: Rules, tol: Tolerances
) -> jax.Array:
    limit = jnp.clip(choice.other_bound, 0, limit)
    return lm.refine(lm.quartic(one, two, a), choice.bound, limit, rules.v_snap, tol)


def _decide(
    one: Balls,
    two: Balls,
    a: jax.Array,
    choice: Choice,
    soonest: jax.Array,
    limit: jax.Array,
    contact: jax.Array,
    run: jax.Array,
    *,
    rules: Rules,
    tol: Tolerances,
) -> Decision:
    bad = run & (jnp.minimum(choice.bound, soonest) < 0)
    go = run & ~bad
    limit = jnp.clip(choice.other_bound, 0, limit)
    f = lm.quartic(one, two, a)
    hit = go & (contact <= limit) & lm.touches(f, contact, rules.v_snap, tol)
    dt = jnp.where(go, jnp.minimum(limit, contact), 0)
    return Decision(dt=dt, hit=hit, own=go & ~hit & (soonest <= dt), bad=bad)


def _touches_another(balls: Balls, change: Change, *, rules: Rules, tol: Tolerances) -> jax.Array:
    """(l,) bool: a struck or captured ball touches, or is about to touch, a ball that is not part of the event.

    The margin is what any two balls of the lane can close within the tie window.
    """
    margin = tol.touch + 4 * rules.tie_window * chain(jnp.add, balls.speed)

    def close(place: tuple[jax.Array, ...], radius: jax.Array, k: int) -> jax.Array:
        dx, dy = balls.x[k] - place[0], balls.y[k] - place[1]
        reach = balls.radius[k] + radius + margin
        return dx * dx + dy * dy <= reach * reach

    found = jnp.zeros(margin.shape, bool)
    for k in range(balls.x.shape[0]):
        other = balls.alive[k] & (change.one != k) & (change.two != k)
        near = close(change.new_one, change.radius_one, k) | (
            (change.two >= 0) & close(change.new_two, change.radius_two, k)
        )
        found = found | (other & near)
    return found & (change.impact | change.captured)


def _account(
    lanes: Lanes,
    moved: Balls,
    time: jax.Array,
    decision: Decision,
    change: Change,
    near: jax.Array,
    *,
    rules: Rules,
) -> Lanes:
    """Clocks, counters, labels and status bits after a pass."""
    n, dtype = moved.x.shape[0], moved.x.dtype
    happened = decision.hit | decision.own
    fresh = time > lanes.group + jnp.asarray(rules.tie_window, dtype)
    group = jnp.where(happened & fresh, time, lanes.group)
    ball = jnp.arange(n, dtype=jnp.int32)[:, None]
    involved = ((ball == change.one[None]) | (ball == change.two[None])) & (change.impact | change.captured)[None]
    again = chain(jnp.logical_or, involved & (lanes.struck == group[None]))
    slot = jnp.arange(n + 4, dtype=jnp.int32)[:, None]
    marked = (slot == change.slot_one[None]) | (slot == change.slot_two[None])
    count = lanes.count + jnp.where(happened, 1 + (change.wall_x & change.wall_y).astype(jnp.int32), 0)
    run = running(lanes)
    idle = jnp.where(happened | ~run, 0, lanes.idle + 1)
    bits = (
        jnp.where(decision.bad, int(Status.OVERLAP), 0)
        | jnp.where(count > rules.max_events, int(Status.EVENT_CAP), 0)
        | jnp.where(idle > MAX_IDLE, int(Status.SOLVER), 0)
        | jnp.where(near | change.tie | again, TIE, 0)
    )
    return lanes._replace(
        balls=moved,
        time=time,
        group=group,
        struck=jnp.where(involved & change.impact[None], group[None], lanes.struck),
        first=jnp.where(marked, jnp.minimum(lanes.first, group[None]), lanes.first),
        count=count,
        idle=idle,
        status=lanes.status | bits.astype(jnp.int32),
    )
