"""The readable event loop of one scene, with every rule: the reference for the faster back ends.

Repeat: find the earliest event of every ball and pair, advance all balls to it, resolve the group of
simultaneous events (stops, then captures, then impacts jointly), until the end time. Exact in arc length; array
order never decides a result (BilliardPhys-Bench specification, sections 4.5 to 4.8).

Batch with `jax.vmap`. It runs as long as its slowest scene, so `lanes` and `compiled` are the fast forms.
"""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxphys_kernels.billiards import contact, impact, motion
from jaxphys_kernels.billiards.model import Events, Kind, Outcome, Rules, State, World
from jaxphys_kernels.plane import norm_and_direction, pairs
from jaxphys_kernels.status import Status

TOUCH = {jnp.dtype("float64"): 1e-9, jnp.dtype("float32"): 1e-5}
"""Gap (m) below which bodies touch, and depth beyond which they overlap, by precision."""

SLOWEST = {jnp.dtype("float64"): 0.0, jnp.dtype("float32"): 1e-6}
"""Least `v_snap` (m/s) that the precision can tell from rest."""

# int32 in both precisions: JAX keeps index arithmetic traced in the other mode.
WALL_AXIS = np.array([1, 1, 0, 0], np.int32)
WALL_SIDE = np.array([1.0, -1.0, -1.0, 1.0])
"""Axis and outward side of each of `WALLS`."""


class _Carry(NamedTuple):
    state: State
    first_hit: jax.Array
    first_wall: jax.Array
    events: Events
    status: jax.Array
    passes: jax.Array


class _Times(NamedTuple):
    """Time until each event, inf if never: stops (n,), captures (n, p), walls (n, 4), pairs (n(n-1)/2,)."""

    stop: jax.Array
    pocket: jax.Array
    wall: jax.Array
    pair: jax.Array
    unsolved: jax.Array


def simulate(world: World, state: State, horizon: jax.Array, *, rules: Rules = Rules(), log: bool = True) -> Outcome:
    """Run one scene to time `horizon` ().

    A problem ends the scene early and sets its bit in `status`; nothing is raised.
    """
    n, dtype = state.pos.shape[0], state.pos.dtype
    slots = rules.max_events if log else 0
    start = _Carry(
        state=state,
        first_hit=jnp.full(n, jnp.inf, dtype),
        first_wall=jnp.full(4, jnp.inf, dtype),
        events=empty_events(slots, dtype),
        status=initial_status(world, state),
        passes=jnp.zeros((), jnp.int32),
    )
    snap = max(rules.v_snap, SLOWEST[dtype])
    rules = dataclasses.replace(rules, v_snap=snap)
    # Each pass logs an event or, at a hair's breadth, none; twice the capacity is never needed in practice.
    most = 2 * rules.max_events + 16

    def running(carry: _Carry) -> jax.Array:
        return (carry.state.time < horizon) & (carry.status == 0) & (carry.passes < most)

    def body(carry: _Carry) -> _Carry:
        return _pass(world, carry, horizon, rules)

    end = lax.while_loop(running, body, start)
    stuck = (end.status == 0) & (end.state.time < horizon)
    status = end.status | jnp.where(stuck, int(Status.SOLVER), 0)
    return Outcome(
        state=end.state,
        first_hit=end.first_hit,
        first_wall=end.first_wall,
        events=end.events if log else None,
        event_count=end.events.count,
        status=status,
    )


def empty_events(m: int, dtype: jnp.dtype) -> Events:
    """An event list of m unused slots."""
    return Events(
        time=jnp.full(m, jnp.inf, dtype),
        kind=jnp.full(m, -1, jnp.int32),
        bodies=jnp.full((m, 2), -1, jnp.int32),
        pos=jnp.zeros((m, 2, 2), dtype),
        vel=jnp.zeros((m, 2, 2), dtype),
        impulse=jnp.zeros(m, dtype),
        rounds=jnp.zeros(m, jnp.int32),
        count=jnp.zeros((), jnp.int32),
    )


def wall_gaps(world: World, pos: jax.Array) -> jax.Array:
    """(n, 4) distance of each ball's rim from each wall; inf where the table has no wall."""
    side, radius = _wall_side(pos.dtype), world.radius[:, None]
    plane = jnp.where(side > 0, world.size[None, WALL_AXIS] - radius, radius)
    return jnp.where(jnp.isfinite(world.size)[None, WALL_AXIS], side * (plane - pos[:, WALL_AXIS]), jnp.inf)


def _wall_side(dtype: jnp.dtype) -> jax.Array:
    return jnp.asarray(WALL_SIDE, dtype)[None, :]


def pair_gaps(world: World, pos: jax.Array) -> jax.Array:
    """(n(n-1)/2,) distance between the rims of every pair."""
    first, second = pairs(pos.shape[0])
    offset = pos[second] - pos[first]
    return jnp.sqrt(jnp.sum(offset * offset, axis=-1)) - world.radius[first] - world.radius[second]


def initial_status(world: World, state: State) -> jax.Array:
    """() int32: `NONFINITE` and `OVERLAP` of a scene as it stands."""
    living, touch = state.alive[:, None], TOUCH[state.pos.dtype]
    finite = jnp.all(jnp.isfinite(jnp.where(living, state.pos, 0)) & jnp.isfinite(jnp.where(living, state.vel, 0)))
    for constant in (world.radius, world.mass, world.mu, world.g, world.pocket_pos, world.pocket_radius):
        finite &= jnp.all(jnp.isfinite(constant))
    finite &= ~jnp.any(jnp.isnan(world.size))
    first, second = pairs(state.pos.shape[0])
    both = state.alive[first] & state.alive[second]
    overlap = jnp.any(both & (pair_gaps(world, state.pos) < -touch))
    outside = jnp.any(living & (wall_gaps(world, state.pos) < -touch))
    bits = jnp.where(finite, 0, int(Status.NONFINITE)) | jnp.where(overlap | outside, int(Status.OVERLAP), 0)
    return bits.astype(jnp.int32)


def _times(world: World, state: State, left: jax.Array, rules: Rules) -> _Times:
    a = motion.deceleration(world)
    speed, heading = norm_and_direction(jnp.where(state.alive[:, None], state.vel, 0))
    first, second = pairs(state.pos.shape[0])
    both = state.alive[first] & state.alive[second]
    offset = state.pos[second] - state.pos[first]
    reach = world.radius[first] + world.radius[second]
    s1, s2, h1, h2 = speed[first], speed[second], heading[first], heading[second]
    one = jnp.where(
        s1 > 0,
        contact.disc_time(offset, reach, h1, s1, a, rules.v_snap),
        contact.disc_time(-offset, reach, h2, s2, a, rules.v_snap),
    )
    two_move = both & (s1 > 0) & (s2 > 0)
    two, unsolved = contact.pair_time(
        offset,
        state.vel[second] - state.vel[first],
        (h1, h2),
        (jnp.where(two_move, s1, 0), jnp.where(two_move, s2, 0)),
        reach,
        a,
        left,
        rules.v_snap,
    )
    to_pocket = world.pocket_pos[None] - state.pos[:, None, :]
    return _Times(
        stop=motion.stop_time(speed, a),
        pocket=jnp.where(
            state.alive[:, None],
            contact.capture_time(to_pocket, world.pocket_radius[None], heading[:, None, :], speed[:, None], a),
            jnp.inf,
        ),
        wall=contact.wall_time(
            wall_gaps(world, state.pos),
            _wall_side(speed.dtype) * heading[:, WALL_AXIS],
            speed[:, None],
            a,
            rules.v_snap,
        ),
        pair=jnp.where(both & ((s1 > 0) | (s2 > 0)), jnp.where(two_move, two, one), jnp.inf),
        unsolved=jnp.any(unsolved & two_move),
    )


def _pass(world: World, carry: _Carry, horizon: jax.Array, rules: Rules) -> _Carry:
    """Advance to the next event, or to the horizon, and resolve it."""
    state, touch = carry.state, TOUCH[carry.state.pos.dtype]
    left = horizon - state.time
    times = _times(world, state, left, rules)
    soonest = jnp.min(jnp.concatenate([t.ravel() for t in times[:4]]))
    happens = soonest <= left
    dt = jnp.minimum(soonest, left)
    pos, vel = motion.drift(state.pos, state.vel, motion.deceleration(world), dt)
    pos, vel = jnp.where(state.alive[:, None], pos, state.pos), jnp.where(state.alive[:, None], vel, 0)
    time = jnp.where(happens, state.time + dt, horizon)

    due = soonest + rules.tie_window
    stops = happens & (times.stop <= due)
    vel = jnp.where(stops[:, None], 0, vel)
    falls = happens & (times.pocket <= due)
    captured = jnp.any(falls, axis=-1)
    came = vel
    alive = state.alive & ~captured
    vel = jnp.where(captured[:, None], 0, vel)

    # A ball captured before it reaches a wall has no wall event.
    walls = happens & (times.wall <= due) & alive[:, None]
    pos = _snap_to_walls(world, pos, walls)
    first, second = pairs(pos.shape[0])
    both = alive[first] & alive[second]
    touching = jnp.concatenate(
        [
            (walls | (jnp.abs(wall_gaps(world, pos)) <= touch) & alive[:, None]).ravel(),
            happens & (times.pair <= due) & both | both & (pair_gaps(world, pos) <= touch),
        ]
    )
    after, impulse, rounds, failed = impact.resolve(pos, vel, world.mass, touching & happens, rules.v_snap)

    n = pos.shape[0]
    wall_impulse, pair_impulse = impulse[: 4 * n].reshape(n, 4), impulse[4 * n :]
    now = jnp.where(happens, time, jnp.inf)
    cue_hit = jnp.concatenate([jnp.full(1, jnp.inf, now.dtype), jnp.where(pair_impulse[: n - 1] > 0, now, jnp.inf)])
    events = _record(
        world, carry.events, time, (stops, falls, captured, came), (wall_impulse, pair_impulse, rounds), pos, after
    )
    capped = events.count > rules.max_events
    overlap = jnp.any(both & (pair_gaps(world, pos) < -touch)) | jnp.any(
        alive[:, None] & (wall_gaps(world, pos) < -touch)
    )
    finite = jnp.all(jnp.isfinite(pos)) & jnp.all(jnp.isfinite(after))
    bits = (
        jnp.where(capped, int(Status.EVENT_CAP), 0)
        | jnp.where(overlap, int(Status.OVERLAP), 0)
        | jnp.where(finite, 0, int(Status.NONFINITE))
        | jnp.where(failed | times.unsolved, int(Status.SOLVER), 0)
    )
    return _Carry(
        state=State(time=time, pos=pos, vel=after, alive=alive),
        first_hit=jnp.minimum(carry.first_hit, cue_hit),
        first_wall=jnp.minimum(carry.first_wall, jnp.where(wall_impulse[0] > 0, now, jnp.inf)),
        events=events,
        status=carry.status | bits.astype(jnp.int32),
        passes=carry.passes + 1,
    )


def _snap_to_walls(world: World, pos: jax.Array, walls: jax.Array) -> jax.Array:
    """Put balls that meet a wall exactly onto its plane, so that no gap grows over many bounces."""
    top, bottom, left, right = (walls[:, k] for k in range(4))
    low, high = world.radius[:, None], world.size[None] - world.radius[:, None]
    to_low = jnp.stack([left, bottom], axis=-1)
    to_high = jnp.stack([right, top], axis=-1)
    return jnp.where(to_high, high, jnp.where(to_low, low, pos))


def _record(
    world: World,
    events: Events,
    time: jax.Array,
    ends: tuple[jax.Array, jax.Array, jax.Array, jax.Array],
    impacts: tuple[jax.Array, jax.Array, jax.Array],
    pos: jax.Array,
    vel: jax.Array,
) -> Events:
    """Append one group of simultaneous events, already in the listing order (kind, bodies)."""
    stops, falls, captured, came = ends
    wall_impulse, pair_impulse, rounds = impacts
    n, p = falls.shape
    ball = jnp.arange(n, dtype=jnp.int32)
    first, second = pairs(n)
    wall_ball, wall_index = np.divmod(np.arange(4 * n, dtype=np.int32), 4)
    pocket = jnp.argmax(falls, axis=-1).astype(jnp.int32) if p else jnp.zeros(n, jnp.int32)
    pocket_pos = world.pocket_pos[pocket] if p else pos
    outward = jnp.asarray(impact.WALL_NORMALS, pos.dtype)[wall_index]
    rim = pos[wall_ball] + outward * world.radius[wall_ball, None]
    zero = jnp.zeros_like(vel)

    def both(one: jax.Array, other: jax.Array) -> jax.Array:
        return jnp.stack([one, other], axis=1)

    happened = jnp.concatenate([stops, captured, wall_impulse.ravel() > 0, pair_impulse > 0])
    kinds = np.repeat(np.array([k.value for k in Kind], np.int32), [n, n, 4 * n, len(first)])
    bodies = jnp.concatenate(
        [
            both(ball, jnp.full(n, -1, jnp.int32)),
            both(ball, pocket),
            jnp.asarray(np.stack([wall_ball, wall_index], axis=1)),
            jnp.asarray(np.stack([first, second], axis=1)),
        ]
    )
    places = jnp.concatenate(
        [both(pos, pos), both(pos, pocket_pos), both(pos[wall_ball], rim), both(pos[first], pos[second])]
    )
    speeds = jnp.concatenate(
        [both(vel, zero), both(zero, came), both(vel[wall_ball], zero[wall_ball]), both(vel[first], vel[second])]
    )
    impulse = jnp.concatenate([jnp.zeros(2 * n, pos.dtype), wall_impulse.ravel(), pair_impulse])
    all_rounds = jnp.concatenate([jnp.zeros(2 * n, jnp.int32), rounds])

    # Slots beyond the capacity, and what did not happen, are dropped by the out-of-range index.
    slot = jnp.where(happened, events.count + jnp.cumsum(happened, dtype=jnp.int32) - 1, events.time.shape[0])
    return Events(
        time=events.time.at[slot].set(time, mode="drop"),
        kind=events.kind.at[slot].set(jnp.asarray(kinds), mode="drop"),
        bodies=events.bodies.at[slot].set(bodies, mode="drop"),
        pos=events.pos.at[slot].set(places, mode="drop"),
        vel=events.vel.at[slot].set(speeds, mode="drop"),
        impulse=events.impulse.at[slot].set(impulse, mode="drop"),
        rounds=events.rounds.at[slot].set(all_rounds, mode="drop"),
        count=events.count + jnp.sum(happened, dtype=jnp.int32),
    )
