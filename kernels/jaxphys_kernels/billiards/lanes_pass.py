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
from jaxphys_kernels.billiards import lanes_resolve as lr
from jaxphys_kernels.billiards.lanes_math import Balls, Table, Tolerances
from jaxphys_kernels.billiards.lanes_resolve import Choice, Decision, Trio
from jaxphys_kernels.billiards.lanes_stage import chain, pick, stage
from jaxphys_kernels.billiards.model import Rules
from jaxphys_kernels.status import Status

TIE = 1 << 16
"""Status bit, never shown to the caller: the scene needs the joint impact rule."""

MAX_IDLE = 64
"""Passes in a row without an event before `SOLVER` is set."""

Record = tuple[jax.Array, jax.Array, jax.Array]


class Lanes(NamedTuple):
    """What changes in the lanes; l lanes, n balls. Few arrays, because a loop copies each of them.

    Attributes:
        motion: (5, n, l) x, y, heading x, heading y, speed of the balls.
        alive: (n, l) bool.
        clock: (2n + 6, l) s: time now; start of the present group of simultaneous events; n times: start of the group
            in which a ball last had an impact, -inf if none; n + 4 times: the cue ball's first impact with each ball
            and each of `WALLS`, inf if none.
        counters: (3, l) int32: events, passes since the last event, status bits.
    """

    motion: jax.Array
    alive: jax.Array
    clock: jax.Array
    counters: jax.Array

    @property
    def balls(self) -> Balls:
        """The balls, as views."""
        return Balls(*self.motion, self.alive)

    @property
    def time(self) -> jax.Array:
        """(l,) s."""
        return self.clock[0]

    @property
    def first(self) -> jax.Array:
        """(n + 4, l) times of the cue ball's first impacts."""
        return self.clock[2 + self.alive.shape[0] :]

    @property
    def count(self) -> jax.Array:
        """(l,) events so far."""
        return self.counters[0]

    @property
    def status(self) -> jax.Array:
        """(l,) status bits."""
        return self.counters[2]


class Nearest(NamedTuple):
    """Of each ball, over the shifts: smallest bound, next smallest, and shift of the smallest, (n, l) each."""

    best: jax.Array
    second: jax.Array
    shift: jax.Array


def running(lanes: Lanes, table: Table) -> jax.Array:
    """(l,) bool: the lane has not reached its end and has no status bit."""
    return (lanes.time < table.horizon) & (lanes.status == 0)


def run_pass(
    lanes: Lanes, table: Table, on: jax.Array, *, rules: Rules, log: bool
) -> tuple[Lanes, Record | None]:
    """Take every running lane to its next event; also the records of these events when `log`."""
    n, dtype = lanes.alive.shape[0], lanes.motion.dtype
    tol = lm.TOLERANCES[dtype]
    own_times = stage(on, _own_times, lanes, table, rules=rules, tol=tol)
    soonest, limit = stage(on, _first_own, own_times, lanes, table)
    wrapped = stage(on, _wrap, lanes.motion, lanes.alive, table.radius)
    bounds = stage(on, _pair_bounds, *wrapped, table.a, limit, n=n, rules=rules, tol=tol)
    nearest = stage(on, _nearest, bounds)
    choice = stage(on, _choose, nearest, own_times)
    trio = Trio(*stage(on, _pick_trio, lanes.motion, table.radius, table.mass, choice))
    contact = stage(on, _contact_time, trio, table.a, choice, limit, rules=rules, tol=tol)
    decision = stage(on, _decide, trio, table, choice, soonest, limit, contact, lanes, rules=rules, tol=tol)
    what = stage(on, lr.what_happens, trio, table, choice, decision, own_times, rules=rules, tol=tol)
    impulse = stage(on, lr.push, trio, table.a, decision, tol=tol)
    new = stage(on, lr.outcome, trio, table, decision, what, impulse)
    polar = stage(on, lr.polar, new, v_snap=rules.v_snap)
    motion, alive = stage(on, _move, lanes.motion, lanes.alive, table.a, choice, decision, what, new, polar)
    near = stage(on, _touches_another, motion, alive, table.radius, choice, decision, what, new, rules=rules, tol=tol)
    clock, counters = stage(on, _account, lanes, table, trio, choice, decision, what, near, rules=rules)
    record = None
    if log:
        record = stage(on, lr.record, trio, table, choice, decision, what, impulse, new, clock[1])
    return Lanes(motion, alive, clock, counters), record


def _own_times(lanes: Lanes, table: Table, *, rules: Rules, tol: Tolerances) -> jax.Array:
    """(n, l) time of each ball's first event by itself; -1 if it is outside the table."""
    balls = lanes.balls
    own = lm.own_event(balls, table.radius, table, rules.tie_window, rules.v_snap)
    return jnp.where(balls.alive & (own.outside > tol.touch), -1, own.time)


def _first_own(own_times: jax.Array, lanes: Lanes, table: Table) -> tuple[jax.Array, jax.Array]:
    """Time of the first own event, and how far to look: not beyond it, nor beyond the end."""
    soonest = chain(jnp.minimum, own_times)
    left = jnp.where(running(lanes, table), table.horizon - lanes.time, 0)
    return soonest, jnp.clip(soonest, 0, left)


def _wrap(motion: jax.Array, alive: jax.Array, radius: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Repeat the first half of the balls, so that ball i + k modulo n is a plain slice for every shift k."""
    half = alive.shape[0] // 2
    return (
        jnp.concatenate([motion, motion[:, :half]], axis=1),
        jnp.concatenate([alive, alive[:half]]),
        jnp.concatenate([radius, radius[:half]]),
    )


def _pair_bounds(
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
    one = Balls(*motion[:, :n], alive[:n])
    if n == 1:
        return (jnp.full_like(one.x, jnp.inf),)
    bounds = []
    for k in range(1, n // 2 + 1):
        two = Balls(*motion[:, k : k + n], alive[k : k + n])
        bound = lm.pair_bound(one, two, radius[:n] + radius[k : k + n], a[None], limit[None], rules.v_snap, tol)
        if 2 * k == n:
            bound = jnp.where(jnp.arange(n)[:, None] < k, bound, jnp.inf)
        bounds.append(bound)
    return tuple(bounds)


def _nearest(bounds: tuple[jax.Array, ...]) -> Nearest:
    best, second = bounds[0], jnp.full_like(bounds[0], jnp.inf)
    shift = jnp.ones(best.shape, jnp.int32)
    for k, bound in enumerate(bounds[1:], 2):
        second = jnp.minimum(second, jnp.maximum(best, bound))
        shift = jnp.where(bound < best, k, shift)
        best = jnp.minimum(best, bound)
    return Nearest(best + 0, second, shift)


def _choose(nearest: Nearest, own_times: jax.Array) -> Choice:
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


def _pick_trio(motion: jax.Array, radius: jax.Array, mass: jax.Array, choice: Choice) -> tuple[jax.Array, ...]:
    """The fields of `Trio`: the chosen pair and the ball with the first own event, in each lane."""
    balls = (choice.i, choice.j, choice.loner)
    rows = jnp.swapaxes(motion, 0, 1)
    return (
        *(pick(rows, index) for index in balls),
        jnp.stack([pick(radius, index) for index in balls]),
        jnp.stack([pick(mass, index) for index in balls]),
    )


def _contact_time(
    trio: Trio, a: jax.Array, choice: Choice, limit: jax.Array, *, rules: Rules, tol: Tolerances
) -> jax.Array:
    f = lm.quartic(trio.one, trio.two, trio.reach, a)
    return lm.refine(f, choice.bound, jnp.clip(choice.other_bound, 0, limit), rules.v_snap, tol)


def _decide(
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
    run = running(lanes, table)
    bad = run & (jnp.minimum(choice.bound, soonest) < 0)
    go = run & ~bad
    limit = jnp.clip(choice.other_bound, 0, limit)
    f = lm.quartic(trio.one, trio.two, trio.reach, table.a)
    hit = go & (contact <= limit) & lm.touches(f, contact, rules.v_snap, tol)
    dt = jnp.where(go, jnp.minimum(limit, contact), 0)
    return Decision(dt=dt, hit=hit, own=go & ~hit & (soonest <= dt), bad=bad)


def _move(
    motion: jax.Array,
    alive: jax.Array,
    a: jax.Array,
    choice: Choice,
    decision: Decision,
    what: jax.Array,
    new: jax.Array,
    polar: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """All balls after the step: those concerned get their new state, the others move freely."""
    there = lm.advance(Balls(*motion, alive), a[None], decision.dt[None])
    ball = jnp.arange(alive.shape[0], dtype=jnp.int32)[:, None]
    one, two = lr.concerned(choice, decision)
    is_one, is_two = ball == one[None], ball == two[None]
    states = [jnp.concatenate([new[k, :2], polar[k]]) for k in range(2)]
    moved = [
        jnp.where(is_one, p[None], jnp.where(is_two, q[None], free))
        for p, q, free in zip(*states, there[:5], strict=True)
    ]
    return jnp.stack(moved), alive & ~(is_one & lr.has(what, lr.CAPTURE)[None])


def _touches_another(
    motion: jax.Array,
    alive: jax.Array,
    radius: jax.Array,
    choice: Choice,
    decision: Decision,
    what: jax.Array,
    new: jax.Array,
    *,
    rules: Rules,
    tol: Tolerances,
) -> jax.Array:
    """(l,) bool: a struck or captured ball touches, or is about to touch, a ball that is not part of the event.

    The margin is what any two balls of the lane can close within the tie window.
    """
    one, two = lr.concerned(choice, decision)
    margin = tol.touch + 4 * rules.tie_window * chain(jnp.add, motion[4])
    sizes = [pick(radius, index) + margin for index in (one, two)]
    found = jnp.zeros(margin.shape, bool)
    for k in range(alive.shape[0]):
        near = jnp.zeros(margin.shape, bool)
        for index, place, size in zip((one, two), (new[0], new[1]), sizes, strict=True):
            dx, dy, reach = motion[0, k] - place[0], motion[1, k] - place[1], radius[k] + size
            near = near | ((index >= 0) & (dx * dx + dy * dy <= reach * reach))
        found = found | (near & alive[k] & (one != k) & (two != k))
    return found & (what != lr.STOP)


def _account(
    lanes: Lanes,
    table: Table,
    trio: Trio,
    choice: Choice,
    decision: Decision,
    what: jax.Array,
    near: jax.Array,
    *,
    rules: Rules,
) -> tuple[jax.Array, jax.Array]:
    """`clock` and `counters` after a pass: labels, counts and status bits."""
    n = lanes.alive.shape[0]
    last_group, struck, loner = lanes.clock[1], lanes.clock[2 : 2 + n], trio.loner
    run = running(lanes, table)
    ends = decision.dt >= table.horizon - lanes.time
    time = jnp.where(run, jnp.where(ends & ~decision.bad, table.horizon, lanes.time + decision.dt), lanes.time)
    happened = decision.hit | decision.own
    group = jnp.where(happened & (time > last_group + rules.tie_window), time, last_group)

    ball = jnp.arange(n, dtype=jnp.int32)[:, None]
    one, two = lr.concerned(choice, decision)
    involved = ((ball == one[None]) | (ball == two[None])) & (what != lr.STOP)[None]
    again = chain(jnp.logical_or, involved & (struck == group[None]))
    impact = lr.has(what, lr.HIT | lr.WALL_X | lr.WALL_Y)

    slot = jnp.arange(n + 4, dtype=jnp.int32)[:, None]
    cue_hit, cue_own = decision.hit & (choice.i == 0), decision.own & (choice.loner == 0)
    at_x, at_y = cue_own & lr.has(what, lr.WALL_X), cue_own & lr.has(what, lr.WALL_Y)
    marked = (
        (cue_hit[None] & (slot == choice.j[None]))
        | (at_x[None] & (slot == n + lr.wall_index(True, loner)[None]))
        | (at_y[None] & (slot == n + lr.wall_index(False, loner)[None]))
    )
    corner = (what & (lr.WALL_X | lr.WALL_Y)) == (lr.WALL_X | lr.WALL_Y)
    count = lanes.count + lr.either(happened, 1, 0) + lr.either(corner, 1, 0)
    idle = jnp.where(happened | ~run, 0, lanes.counters[1] + 1)
    tie = near | again | lr.has(what, lr.NEEDS_JOINT_RULE)
    bits = (
        lr.either(decision.bad, int(Status.OVERLAP), 0)
        | lr.either(count > rules.max_events, int(Status.EVENT_CAP), 0)
        | lr.either(idle > MAX_IDLE, int(Status.SOLVER), 0)
        | lr.either(tie, TIE, 0)
    )
    return (
        jnp.concatenate([
            time[None],
            group[None],
            jnp.where(involved & impact[None], group[None], struck),
            jnp.where(marked, jnp.minimum(lanes.first, group[None]), lanes.first),
        ]),
        jnp.stack([count, idle, lanes.status | bits]),
    )
