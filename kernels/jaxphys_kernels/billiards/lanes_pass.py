"""One pass of the lanes: every lane goes to its next event and resolves it.

Single contacts, walls, corners, stops and captures are resolved here. A lane that meets contacts which must be
resolved jointly (two impacts within the tie window that share a body, or a struck ball that touches another
body) is marked `TIE` and left alone: the readable event loop runs its scene from the start, with the joint rule.
So is a lane that would lose an event by taking one at a time: several at the end of the scene, or balls that come
to rest at the same moment.

A pass may also end at a safe time without an event, when the nearest contact has not converged or another
pair may come first.
"""

import jax
import jax.numpy as jnp

from jaxphys_kernels.billiards import lanes_math as lm
from jaxphys_kernels.billiards import lanes_resolve as lr
from jaxphys_kernels.billiards import lanes_search as ls
from jaxphys_kernels.billiards.lanes_math import Table, Tolerances
from jaxphys_kernels.billiards.lanes_resolve import Choice, Decision, Trio
from jaxphys_kernels.billiards.lanes_stage import chain, pick, stage
from jaxphys_kernels.billiards.lanes_state import Lanes, running
from jaxphys_kernels.billiards.model import Rules
from jaxphys_kernels.status import Status

TIE = 1 << 16
"""Status bit, never shown to the caller: the scene needs the joint impact rule."""

MAX_IDLE = 64
"""Passes in a row without an event before `SOLVER` is set."""

Record = tuple[jax.Array, jax.Array, jax.Array]


def run_pass(lanes: Lanes, table: Table, on: jax.Array, *, rules: Rules, log: bool) -> tuple[Lanes, Record | None]:
    """Take every running lane to its next event; also the records of these events when `log`."""
    n, dtype = lanes.alive.shape[0], lanes.motion.dtype
    tol = lm.TOLERANCES[dtype]
    own_times = stage(on, ls.own_times, lanes, table, rules=rules, tol=tol)
    soonest, limit = stage(on, ls.first_own, own_times, lanes, table)
    wrapped = stage(on, ls.wrap, lanes.motion, lanes.alive, table.radius)
    bounds = stage(on, ls.pair_bounds, *wrapped, table.a, limit, n=n, rules=rules, tol=tol)
    nearest = stage(on, ls.nearest, bounds)
    choice = stage(on, ls.choose, nearest, own_times)
    trio = Trio(*stage(on, ls.pick_trio, lanes.motion, table.radius, table.mass, choice))
    contact = stage(on, ls.contact_time, trio, table.a, choice, limit, rules=rules, tol=tol)
    decision = stage(on, ls.decide, trio, table, choice, soonest, limit, contact, lanes, rules=rules, tol=tol)
    what = stage(on, lr.what_happens, trio, table, choice, decision, own_times, rules=rules, tol=tol)
    impulse = stage(on, lr.push, trio, table.a, decision, tol=tol)
    new = stage(on, lr.outcome, trio, table, decision, what, impulse)
    polar = stage(on, lr.polar, new, v_snap=rules.v_snap)
    motion, alive = stage(on, _move, lanes.motion, lanes.alive, table.a, choice, decision, what, new, polar)
    near = stage(on, _touches_another, motion, alive, table.radius, choice, decision, what, new, rules=rules, tol=tol)
    lost = stage(on, _loses_another, near, lanes, table, motion, own_times, choice, decision, contact, rules=rules)
    clock, counters = stage(on, _account, lanes, table, trio, choice, decision, what, lost, rules=rules)
    record = None
    if log:
        record = stage(on, lr.record, trio, table, choice, decision, what, impulse, new, clock[1])
    return Lanes(motion, alive, clock, counters), record


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
    there = lm.advance(lm.balls_of(motion, alive), a[None], decision.dt[None])
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


def _loses_another(
    near: jax.Array,
    lanes: Lanes,
    table: Table,
    motion: jax.Array,
    own_times: jax.Array,
    choice: Choice,
    decision: Decision,
    contact: jax.Array,
    *,
    rules: Rules,
) -> jax.Array:
    """(l,) bool: an event of bodies that are not concerned would never be found by the passes that follow.

    A ball that this step brings to rest has no stop any more. And what belongs to the group of an event at the end
    of the scene, up to the tie window after it, has no pass to come.
    """
    one, two = lr.concerned(choice, decision)
    last = (decision.hit | decision.own) & (table.horizon - lanes.time <= decision.dt + rules.tie_window)
    due = jnp.where(last, decision.dt + rules.tie_window, -jnp.inf)
    found = near | (choice.other_bound <= due) | (decision.own & (contact <= due))
    for k in range(motion.shape[1]):
        rests = (lanes.motion[4, k] > 0) & (motion[4, k] == 0)
        found = found | ((rests | (own_times[k] <= due)) & (one != k) & (two != k))
    return found


def _account(
    lanes: Lanes,
    table: Table,
    trio: Trio,
    choice: Choice,
    decision: Decision,
    what: jax.Array,
    joint: jax.Array,
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
    count = lanes.events + lr.either(happened, 1, 0) + lr.either(corner, 1, 0)
    idle = jnp.where(happened | ~run, 0, lanes.counters[1] + 1)
    tie = joint | again | lr.has(what, lr.NEEDS_JOINT_RULE)
    bits = (
        lr.either(decision.bad, int(Status.OVERLAP), 0)
        | lr.either(count > rules.max_events, int(Status.EVENT_CAP), 0)
        | lr.either(idle > MAX_IDLE, int(Status.SOLVER), 0)
        | lr.either(tie, TIE, 0)
    )
    return (
        jnp.concatenate(
            [
                time[None],
                group[None],
                jnp.where(involved & impact[None], group[None], struck),
                jnp.where(marked, jnp.minimum(lanes.first, group[None]), lanes.first),
            ]
        ),
        jnp.stack([count, idle, lanes.status | bits]),
    )
