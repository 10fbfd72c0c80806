"""The event loop of one planar scene: exact free motion from event to event, and the law of each pair at its contact.

Repeat: find the next event (a body stops, begins to roll or stops spinning, or two bodies meet), advance all bodies to
it, and apply what it means, until the end time. Laws act on pairs: a body that meets two others at the same instant
sets `TIE`, because no law says what happens then. Batch with `jax.vmap`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxphys_kernels.planar import motion, separation
from jaxphys_kernels.planar.laws import After, Body, Law
from jaxphys_kernels.planar.model import Events, Kind, Rules, State, Trajectory, World
from jaxphys_kernels.plane import pairs
from jaxphys_kernels.status import Status

OVERLAP = {jnp.dtype("float64"): 1e-9, jnp.dtype("float32"): 1e-4}
"""Depth (m) beyond which bodies that may not pass through each other overlap, by precision."""


class _Carry(NamedTuple):
    state: State
    path: State
    events: Events
    status: jax.Array
    passes: jax.Array


def simulate(
    world: World,
    state: State,
    times: jax.Array,
    *,
    table: Sequence[Law],
    rules: Rules = Rules(),
    reverse: bool = False,
) -> Trajectory:
    """Run one scene and return it at the asked times (t,), ascending.

    A problem ends the scene early and sets its bit in `status`; nothing is raised. An asked time at which something
    happens is after it.

    Args:
        world: constants. state: the scene as it starts. times: s.
        table: the laws, in the order of `World.law`.
        rules: static numbers.
        reverse: always make all passes, so that reverse-mode derivatives exist; forward-mode ones do in any case.
    """
    t, dtype = times.shape[0], state.pos.dtype
    status = initial_status(world, state)
    state = motion.quieten(world, state)
    start = _Carry(
        state=state,
        path=jax.tree.map(lambda x: jnp.broadcast_to(x, (t, *jnp.shape(x))), state),
        events=empty_events(rules.max_events, dtype),
        status=status,
        passes=jnp.zeros((), jnp.int32),
    )
    horizon = times[-1]
    # Every pass but the last logs an event.
    most = rules.max_events + 2

    def running(carry: _Carry) -> jax.Array:
        # The first pass is always made: what touches as it starts has met, even if only the start is asked for.
        left = (carry.state.time < horizon) | (carry.passes == 0)
        return left & (carry.status == 0) & (carry.passes < most)

    def body(carry: _Carry) -> _Carry:
        return _pass(world, carry, times, table, rules)

    if reverse:

        def masked(carry: _Carry, _: None) -> tuple[_Carry, None]:
            going = running(carry)
            return jax.tree.map(lambda new, old: jnp.where(going, new, old), body(carry), carry), None

        end, _ = lax.scan(masked, start, None, length=most)
    else:
        end = lax.while_loop(running, body, start)
    stuck = (end.status == 0) & (end.state.time < horizon)
    late = times >= end.state.time
    path = jax.tree.map(lambda rows, last: jnp.where(_wide(late, rows), last, rows), end.path, end.state)
    return Trajectory(
        times=times,
        path=path.replace(time=times),
        events=end.events,
        status=end.status | jnp.where(stuck, int(Status.SOLVER), 0),
    )


def empty_events(m: int, dtype: jnp.dtype) -> Events:
    """An event list of m unused slots."""
    pair = jnp.zeros((m, 2, 2), dtype)
    looks = jnp.full((m, 2), -1, jnp.int32)
    return Events(
        time=jnp.full(m, jnp.inf, dtype),
        kind=jnp.full(m, -1, jnp.int32),
        bodies=looks,
        pos=pair,
        normal=jnp.zeros((m, 2), dtype),
        point=jnp.zeros((m, 2), dtype),
        vel_before=pair,
        vel_after=pair,
        spin_before=jnp.zeros((m, 2), dtype),
        spin_after=jnp.zeros((m, 2), dtype),
        look_before=looks,
        look_after=looks,
        through=jnp.zeros(m, bool),
        count=jnp.zeros((), jnp.int32),
    )


def initial_status(world: World, state: State) -> jax.Array:
    """() int32: `NONFINITE` and `OVERLAP` of a scene as it stands."""
    leaves = (state.pos, state.vel, state.yaw, state.spin, state.roll, world.half, world.rounding, world.mu, world.g)
    finite = jnp.all(jnp.stack([jnp.all(jnp.isfinite(leaf)) for leaf in leaves]))
    gaps = separation.touch(*separation.poses(world, state)).gap
    return jnp.where(finite, 0, int(Status.NONFINITE)).astype(jnp.int32) | _overlap(world, state, gaps)


def _overlap(world: World, state: State, gaps: jax.Array) -> jax.Array:
    deep = jnp.any((gaps < -OVERLAP[gaps.dtype]) & separation.may_touch(world, state))
    return jnp.where(deep, int(Status.OVERLAP), 0).astype(jnp.int32)


def _wide(mask: jax.Array, like: jax.Array) -> jax.Array:
    """A mask over the first axis, with as many axes as `like`."""
    return mask.reshape(mask.shape + (1,) * (like.ndim - mask.ndim))


def _pass(world: World, carry: _Carry, times: jax.Array, table: Sequence[Law], rules: Rules) -> _Carry:
    """Advance to the next event, or to the end, and apply what happens."""
    state = carry.state
    left = times[-1] - state.time
    phase = motion.phase(world, state)
    meets, unsolved = separation.contact_times(world, state, phase, left, rules.v_snap)
    soonest = jnp.min(jnp.concatenate([phase.stop, phase.roll, phase.spin_end, meets]))
    happens = soonest <= left
    dt = jnp.where(happens, soonest, left)
    now = jnp.where(happens, state.time + dt, times[-1])

    asked = (times >= state.time) & (times < now)
    moments = jnp.where(asked, times - state.time, 0)
    between = jax.vmap(motion.drift, in_axes=(None, None, 0))(state, phase, moments)
    path = jax.tree.map(lambda rows, new: jnp.where(_wide(asked, rows), new, rows), carry.path, between)

    due = soonest + rules.tie_window
    stops, rolls, spin_ends = (happens & (t <= due) for t in (phase.stop, phase.roll, phase.spin_end))
    contacts = happens & (meets <= due)
    before = motion.settle(world, motion.drift(state, phase, dt), stops, rolls, spin_ends).replace(time=now)
    where = separation.touch(*separation.poses(world, before))
    struck, tie = apply_laws(world, before, contacts, where, table)
    # What no law says is not made up: a tie leaves everything as it was.
    struck = jax.tree.map(lambda new, old: jnp.where(tie, old, new), struck, before)
    after = motion.quieten(world, struck)
    events = _record(carry.events, (stops, rolls, spin_ends, contacts), before, after, where)

    # Asked of what the laws left: next to a NaN there is no speed, which friction would hold.
    finite = jnp.all(jnp.stack([jnp.all(jnp.isfinite(x)) for x in (struck.pos, struck.vel, struck.spin, struck.roll)]))
    bits = (
        jnp.where(events.count > rules.max_events, int(Status.EVENT_CAP), 0)
        | jnp.where(finite, 0, int(Status.NONFINITE))
        | jnp.where(jnp.any(unsolved), int(Status.SOLVER), 0)
        | jnp.where(tie, int(Status.TIE), 0)
    )
    status = carry.status | bits.astype(jnp.int32) | _overlap(world, after, where.gap)
    return _Carry(after, path, events, status, carry.passes + 1)


def apply_laws(
    world: World, state: State, contacts: jax.Array, where: separation.Touch, table: Sequence[Law]
) -> tuple[State, jax.Array]:
    """The scene after the pairs in `contacts` (c,) have met, and whether some body met two others at once."""
    first, second = pairs(state.pos.shape[0])
    n = state.pos.shape[0]

    def body_of(index: np.ndarray) -> Body:
        return Body(
            vel=state.vel[index],
            spin=state.spin[index],
            roll=state.roll[index],
            look=state.look[index],
            mass=world.mass[index],
            inertia=world.inertia[index],
            size=world.rounding[index] + jnp.max(world.half[index], axis=-1),
            arm=where.point - state.pos[index],
            attrs={name: values[index] for name, values in world.attrs.items()},
        )

    # Pairs that do not meet get bodies that do no harm: the derivative of a law may be infinite where they are.
    meeting = jax.tree.map(
        lambda x: jnp.where(_wide(contacts, x), x, jnp.ones((), x.dtype)),
        (body_of(first), body_of(second), where.normal, world.params),
    )
    after = jax.vmap(lambda *args: _choose_law(table, *args))(world.law, *meeting)

    def put(old: jax.Array, new_a: jax.Array, new_b: jax.Array) -> jax.Array:
        # A pair that does not meet writes out of range, which drops it.
        to_a, to_b = jnp.where(contacts, first, n), jnp.where(contacts, second, n)
        return old.at[to_a].set(new_a.astype(old.dtype), mode="drop").at[to_b].set(new_b.astype(old.dtype), mode="drop")

    fields = {name: put(getattr(state, name), getattr(after.a, name), getattr(after.b, name)) for name in CHANGES}
    tie = jnp.any(separation.involved(contacts, n) > 1)
    return state.replace(**fields, through=state.through | (contacts & after.through)), tie


CHANGES = ("vel", "spin", "roll", "look")
"""What a law may change of a body."""


def _choose_law(
    table: Sequence[Law], law: jax.Array, a: Body, b: Body, normal: jax.Array, params: dict[str, jax.Array]
) -> After:
    """What the law with that number says of one pair; whatever it leaves open keeps its shape and type."""

    def branch(row: Law, a: Body, b: Body, normal: jax.Array, params: dict[str, jax.Array]) -> After:
        after = row.function(a, b, normal, params)
        return After(_changed(a, after.a), _changed(b, after.b), jnp.asarray(after.through, bool))

    branches = [lambda *args, row=row: branch(row, *args) for row in table]
    return lax.switch(law, branches, a, b, normal, params)  # type: ignore[no-any-return]


def _changed(old: Body, new: Body) -> Body:
    """The body with what a law may change, in the shapes and types that it had."""
    values = {name: (getattr(new, name), getattr(old, name)) for name in CHANGES}
    return old.replace(
        **{name: jnp.broadcast_to(value, like.shape).astype(like.dtype) for name, (value, like) in values.items()}
    )


def _record(
    events: Events,
    happened: tuple[jax.Array, jax.Array, jax.Array, jax.Array],
    before: State,
    after: State,
    where: separation.Touch,
) -> Events:
    """Append one group of simultaneous events, already in the listing order (kind, bodies)."""
    n = before.pos.shape[0]
    first, second = pairs(n)
    alone = np.arange(n, dtype=np.int32)
    one = np.concatenate([alone, alone, alone, first])
    other = np.concatenate([np.full(3 * n, -1, np.int32), second])
    kinds = np.repeat(np.array([k.value for k in Kind], np.int32), [n, n, n, len(first)])
    is_pair = jnp.asarray(other >= 0)
    dtype = before.pos.dtype

    def both(leaf: jax.Array) -> jax.Array:
        rows = jnp.stack([leaf[one], leaf[np.maximum(other, 0)]], axis=1)
        absent = jnp.stack([jnp.zeros_like(is_pair), ~is_pair], axis=1)
        empty = -1 if jnp.issubdtype(leaf.dtype, jnp.integer) else 0
        return jnp.where(_wide(absent, rows), empty, rows)

    def contact_only(leaf: jax.Array) -> jax.Array:
        return jnp.concatenate([jnp.zeros((3 * n, *leaf.shape[1:]), leaf.dtype), leaf])

    rows = Events(
        time=jnp.broadcast_to(before.time, kinds.shape).astype(dtype),
        kind=jnp.asarray(kinds),
        bodies=jnp.asarray(np.stack([one, other], axis=1)),
        pos=both(before.pos),
        normal=contact_only(where.normal),
        point=contact_only(where.point),
        vel_before=both(before.vel),
        vel_after=both(after.vel),
        spin_before=both(before.spin),
        spin_after=both(after.spin),
        look_before=both(before.look),
        look_after=both(after.look),
        through=contact_only(after.through & ~before.through),
        count=events.count,
    )
    flags = jnp.concatenate(happened)
    # Slots beyond the capacity, and what did not happen, are dropped by the out-of-range index.
    slot = jnp.where(flags, events.count + jnp.cumsum(flags, dtype=jnp.int32) - 1, events.time.shape[0])
    count = events.count + jnp.sum(flags, dtype=jnp.int32)
    filled = {
        name: getattr(events, name).at[slot].set(getattr(rows, name), mode="drop")
        for name in vars(events)
        if name != "count"
    }
    return Events(**filled, count=count)
