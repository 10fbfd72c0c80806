"""The lane program: a queue of scenes run through a fixed number of lanes that refill as scenes finish.

A lockstep batch waits for its longest scene. Here a lane that has finished hands in its scene and takes the next
one; which one follows from a prefix sum over the finished lanes, so timing plays no part (performance
specification, section 3.4). The number of lanes and the capacity of the queue are static, the number of scenes in
it is not: one program serves every batch, and a scene meets the same instructions in each.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from jaxphys_kernels.billiards.lanes_math import Table
from jaxphys_kernels.billiards.lanes_pass import run_pass
from jaxphys_kernels.billiards.lanes_state import Lanes, running
from jaxphys_kernels.billiards.model import Events, Outcome, Rules, State, World
from jaxphys_kernels.status import Status

REFILL_SHARE = 4
"""Lanes refill when one in so many of those in use has finished."""


class _Carry(NamedTuple):
    """`scene` (l,): queue index in each lane, `count` or more for none; `following`: the next one to start.

    The last row of every output takes what belongs to no scene.
    """

    scene: jax.Array
    following: jax.Array
    lanes: Lanes
    table: Table
    numbers: jax.Array
    labels: jax.Array
    events: tuple[jax.Array, jax.Array] | None


@functools.partial(jax.jit, static_argnames=("rules", "log", "lanes"))
def run_queue(
    world: World, state: State, horizon: jax.Array, count: jax.Array, *, rules: Rules, log: bool, lanes: int
) -> Outcome:
    """Run the first `count` of q scenes to time `horizon` (q,); rows beyond them are meaningless.

    `status` carries `TIE` where the scene needs the joint impact rule, and then nothing else holds.
    """
    q, n, _ = state.pos.shape
    dtype = state.pos.dtype
    queue = _pack(world, state, horizon)
    on = count > 0
    spare = jnp.full(lanes, q, jnp.int32)
    lane = jnp.arange(lanes, dtype=jnp.int32)
    first_lanes, first_table = _load(queue, lane, lane < count, n)
    start = _Carry(
        scene=lane,
        following=jnp.minimum(jnp.asarray(lanes, jnp.int32), count),
        lanes=first_lanes,
        table=first_table,
        numbers=jnp.zeros((q + 1, 5 * n + 5), dtype),
        labels=jnp.zeros((q + 1, n + 2), jnp.int32),
        events=_empty_log(q + 1, rules.max_events, dtype) if log else None,
    )

    def passes(carry: _Carry) -> _Carry:
        busy = carry.scene < count
        enough = jnp.maximum(1, jnp.sum(busy, dtype=jnp.int32))

        def few_finished(state: tuple[Lanes, tuple[jax.Array, jax.Array] | None]) -> jax.Array:
            return jnp.sum(busy & ~running(state[0], carry.table), dtype=jnp.int32) * REFILL_SHARE < enough

        def one_pass(
            state: tuple[Lanes, tuple[jax.Array, jax.Array] | None],
        ) -> tuple[Lanes, tuple[jax.Array, jax.Array] | None]:
            before, events = state
            after, records = run_pass(before, carry.table, on, rules=rules, log=log)
            if events is not None and records is not None:
                row = jnp.where(busy & running(before, carry.table), carry.scene, spare)
                events = _write_log(events, records, row, before.events)
            return after, events

        advanced, events = lax.while_loop(few_finished, one_pass, (carry.lanes, carry.events))
        return carry._replace(lanes=advanced, events=events)

    def refill(carry: _Carry) -> _Carry:
        done = (carry.scene < count) & ~running(carry.lanes, carry.table)
        row = jnp.where(done, carry.scene, spare)
        numbers, labels = _unload(carry.lanes)
        rank = jnp.cumsum(done, dtype=jnp.int32)
        scene = jnp.where(done, jnp.minimum(carry.following + rank - 1, count), carry.scene)
        fresh = _load(queue, scene, scene < count, n)
        lanes_now, table_now = jax.tree.map(
            lambda new, old: jnp.where(done, new, old), fresh, (carry.lanes, carry.table)
        )
        return carry._replace(
            scene=scene,
            following=jnp.minimum(carry.following + rank[-1], count),
            lanes=lanes_now,
            table=table_now,
            numbers=carry.numbers.at[row].set(numbers.T),
            labels=carry.labels.at[row].set(labels.T),
        )

    end = lax.while_loop(lambda c: jnp.any(c.scene < count), lambda c: refill(passes(c)), start)
    return _outcome(end, n)


def _pack(world: World, state: State, horizon: jax.Array) -> jax.Array:
    """(q, fields) one row per scene, so that a lane takes its scene with one gather."""
    a = world.mu * world.g
    finite = _finite(world, state, a)
    pos = jnp.where(finite[:, None, None], state.pos, 0)
    vel = jnp.where(finite[:, None, None] & state.alive[..., None], state.vel, 0)
    columns = [
        pos[..., 0], pos[..., 1], vel[..., 0], vel[..., 1], world.radius, world.mass, state.alive.astype(pos.dtype),
        world.size, a[:, None], horizon[:, None], state.time[:, None],
        finite[:, None].astype(pos.dtype),
        world.pocket_pos[..., 0], world.pocket_pos[..., 1], world.pocket_radius,
    ]  # fmt: skip
    return jnp.concatenate(columns, axis=1)


def _finite(world: World, state: State, a: jax.Array) -> jax.Array:
    """(q,) bool: constants and living balls are finite; only `size` may be inf, for a table without walls."""
    constants = [world.radius, world.mass, a[:, None], world.pocket_radius, world.pocket_pos[..., 0],
                 world.pocket_pos[..., 1]]  # fmt: skip
    known = jnp.all(jnp.isfinite(jnp.concatenate(constants, axis=1)), axis=1) & ~jnp.any(jnp.isnan(world.size), axis=1)
    return known & _living_finite(state.pos, state.vel, state.alive)


def _living_finite(pos: jax.Array, vel: jax.Array, alive: jax.Array) -> jax.Array:
    """(q,) bool: where a dead ball lies does not matter."""
    there = jnp.all(jnp.isfinite(pos) & jnp.isfinite(vel), axis=-1)
    return jnp.all(there | ~alive, axis=1)


def _load(queue: jax.Array, scene: jax.Array, there: jax.Array, n: int) -> tuple[Lanes, Table]:
    """Lanes at the start of their scenes; those without one have nothing left to do."""
    fields = queue[jnp.minimum(scene, queue.shape[0] - 1)].T
    x, y, vx, vy, radius, mass, alive = (fields[k * n : (k + 1) * n] for k in range(7))
    width, height, a, horizon, time, finite = fields[7 * n : 7 * n + 6]
    p = (fields.shape[0] - 7 * n - 6) // 3
    pockets = [fields[7 * n + 6 + k * p : 7 * n + 6 + (k + 1) * p] for k in range(3)]
    living = alive > 0
    speed = jnp.where(living, jnp.sqrt(vx * vx + vy * vy), 0)
    inverse = jnp.where(speed > 0, 1 / jnp.where(speed > 0, speed, 1), 0)
    lanes = scene.shape[0]
    table = Table(radius, mass, width, height, a, jnp.where(there, horizon, time), *pockets)
    fresh = Lanes(
        motion=jnp.stack([x, y, vx * inverse, vy * inverse, speed]),
        alive=living,
        clock=jnp.concatenate(
            [
                time[None],
                jnp.full((n + 1, lanes), -jnp.inf, queue.dtype),
                jnp.full((n + 4, lanes), jnp.inf, queue.dtype),
            ]
        ),
        counters=jnp.zeros((3, lanes), jnp.int32).at[2].set(jnp.where(finite > 0, 0, int(Status.NONFINITE))),
    )
    return fresh, table


def _unload(lanes: Lanes) -> tuple[jax.Array, jax.Array]:
    """(fields, l) floats and int32 of the scenes as they are."""
    x, y, hx, hy, speed = lanes.motion
    numbers = jnp.concatenate([x, y, hx * speed, hy * speed, lanes.first, lanes.time[None]])
    return numbers, jnp.concatenate([lanes.alive.astype(jnp.int32), lanes.events[None], lanes.status[None]])


def _outcome(end: _Carry, n: int) -> Outcome:
    numbers, labels = end.numbers[:-1], end.labels[:-1]
    count, status = labels[:, n], labels[:, n + 1]
    x, y, vx, vy = (numbers[:, k * n : (k + 1) * n] for k in range(4))
    pos, vel, alive = jnp.stack([x, y], axis=-1), jnp.stack([vx, vy], axis=-1), labels[:, :n] > 0
    nonfinite = jnp.where(_living_finite(pos, vel, alive), 0, int(Status.NONFINITE)).astype(jnp.int32)
    return Outcome(
        state=State(time=numbers[:, -1], pos=pos, vel=vel, alive=alive),
        first_hit=numbers[:, 4 * n : 5 * n],
        first_wall=numbers[:, 5 * n : 5 * n + 4],
        events=None if end.events is None else _sorted_events(end.events, count),
        event_count=count,
        status=status | nonfinite,
    )


def _empty_log(rows: int, m: int, dtype: jnp.dtype) -> tuple[jax.Array, jax.Array]:
    numbers = jnp.zeros((rows, m, 10), dtype).at[:, :, 0].set(jnp.inf)
    return numbers, jnp.full((rows, m, 3), -1, jnp.int32)


def _write_log(
    log: tuple[jax.Array, jax.Array], records: tuple[jax.Array, ...], row: jax.Array, slot: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Put the events of a pass where they belong; what did not happen or has no room is dropped."""
    numbers, labels = log
    happened, new_numbers, new_labels = records
    beyond = numbers.shape[1]
    slots = jnp.stack([slot, slot + 1])
    slots = jnp.where(happened & (row < numbers.shape[0] - 1)[None], slots, beyond)
    rows = jnp.stack([row, row])
    return (
        numbers.at[rows, slots].set(jnp.swapaxes(new_numbers, 1, 2), mode="drop"),
        labels.at[rows, slots].set(jnp.swapaxes(new_labels, 1, 2), mode="drop"),
    )


def _sorted_events(log: tuple[jax.Array, jax.Array], count: jax.Array) -> Events:
    """The event list; events of one group, which share their time, are listed by (kind, bodies)."""
    numbers, labels = log[0][:-1], log[1][:-1]
    time, keys = numbers[..., 0], [labels[..., k] for k in range(3)]
    # Most lists are in order as they were written, and sorting costs more than the simulation.
    later = jnp.zeros((numbers.shape[0], numbers.shape[1] - 1), bool)
    for key in reversed(keys):
        before, after = key[:, :-1], key[:, 1:]
        later = (before > after) | ((before == after) & later)
    disorder = jnp.any(later & (time[:, :-1] == time[:, 1:]) & (time[:, 1:] < jnp.inf))

    def ordered(numbers: jax.Array, labels: jax.Array) -> tuple[jax.Array, jax.Array]:
        slot = jnp.broadcast_to(jnp.arange(numbers.shape[1], dtype=jnp.int32), numbers.shape[:2])
        *_, slot = lax.sort((numbers[..., 0], *(labels[..., k] for k in range(3)), slot), dimension=1, num_keys=4)
        row = slot[..., None]
        return jnp.take_along_axis(numbers, row, axis=1), jnp.take_along_axis(labels, row, axis=1)

    numbers, labels = lax.cond(disorder, ordered, lambda *x: x, numbers, labels)
    two = (*numbers.shape[:2], 2, 2)
    return Events(
        time=numbers[..., 0],
        kind=labels[..., 0],
        bodies=labels[..., 1:],
        pos=numbers[..., 1:5].reshape(two),
        vel=numbers[..., 5:9].reshape(two),
        impulse=numbers[..., 9],
        rounds=jnp.zeros(labels.shape[:2], jnp.int32),
        count=count,
    )
