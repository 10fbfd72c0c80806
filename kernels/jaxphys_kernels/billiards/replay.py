"""A known event list, read again: states at any time, and exact derivatives.

`states_at` evaluates the free motion after each ball's last event. `replay` goes through the list once more and
recomputes its numbers from world and state: which bodies meet, and in which order, is taken from the list
and not differentiated; when, where and how hard they meet is. Each event time gets one Newton step with
frozen slope, t - f(t, θ)/f'(t), whose value is t and whose derivative is -(∂f/∂θ)/(∂f/∂t): the implicit function
theorem (BilliardPhys-Bench specification, section 4.10). One pass serves every back end, in both
modes of differentiation.

A derivative is that of the event list at hand. It is meaningless where the list is about to change: see
`contact_margins`.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from jaxphys_kernels.billiards import motion
from jaxphys_kernels.billiards.event import WALL_AXIS, WALL_SIDE
from jaxphys_kernels.billiards.model import Events, Kind, State, World
from jaxphys_kernels.plane import norm_and_direction


def states_at(world: World, state: State, events: Events, times: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Positions (t, n, 2), velocities (t, n, 2) and alive (t, n) of one scene at `times` (t,).

    An event at exactly an asked time has happened. The event list must be complete up to the last time.
    """
    n, m = state.pos.shape[0], events.time.shape[0]
    ball = jnp.arange(n, dtype=jnp.int32)
    of_first = events.bodies[:, :1] == ball[None]
    of_second = (events.kind[:, None] == Kind.BALL) & (events.bodies[:, 1:] == ball[None])
    # Row 0 is the start of the scene, row k + 1 event k; the last row that has happened holds the motion.
    start_time = jnp.broadcast_to(state.time, (1, n))
    time = jnp.concatenate([start_time, jnp.broadcast_to(events.time[:, None], (m, n))])
    pos = jnp.concatenate([state.pos[None], _of_ball(events.pos, of_second)])
    vel = jnp.concatenate([state.vel[None], _of_ball(events.vel, of_second)])
    involved = jnp.concatenate([jnp.ones((1, n), bool), of_first | of_second])
    happened = involved[None] & ((time[None] <= times[:, None, None]) | (jnp.arange(m + 1) == 0)[None, :, None])
    row = jnp.max(jnp.where(happened, jnp.arange(m + 1, dtype=jnp.int32)[None, :, None], 0), axis=1)
    since = jnp.maximum(times[:, None] - jnp.take_along_axis(time, row, axis=0), 0)
    start, launch = (jnp.take_along_axis(x, row[..., None], axis=0) for x in (pos, vel))
    fell = involved[1:] & (events.kind == Kind.POCKET)[:, None]
    captured = jnp.any(fell[None] & (events.time[None, :, None] <= times[:, None, None]), axis=1)
    alive = state.alive[None] & ~captured
    here, now = motion.drift(start, launch, motion.deceleration(world), since)
    return jnp.where(alive[..., None], here, start), jnp.where(alive[..., None], now, 0), alive


def _of_ball(rows: jax.Array, of_second: jax.Array) -> jax.Array:
    """(m, n, 2): of each event, the row of the second body where a ball is that, else of the first."""
    return jnp.where(of_second[..., None], rows[:, None, 1], rows[:, None, 0])


def first_contacts(events: Events, n: int) -> tuple[jax.Array, jax.Array]:
    """Times of the cue ball's first impulse with each ball (n,) and each wall (4,); inf if none."""

    def first(kind: Kind, count: int) -> jax.Array:
        mine = (events.kind == kind) & (events.bodies[:, 0] == 0)
        match = mine[:, None] & (events.bodies[:, 1:] == jnp.arange(count, dtype=jnp.int32)[None])
        return jnp.min(jnp.where(match, events.time[:, None], jnp.inf), axis=0, initial=jnp.inf)

    return first(Kind.BALL, n), first(Kind.WALL, 4)


def contact_margins(events: Events) -> jax.Array:
    """(m,) squared cosine of the angle of incidence at each contact and capture; 1 for head-on and for stops.

    It is D/(4R²) of the specification. Towards 0 the contact grazes: it is about to be lost, and derivatives
    grow like the inverse of its root. It is 0 where contacts of one group share a body: their order is
    about to matter.
    """
    offset = events.pos[:, 1] - events.pos[:, 0]
    relative = events.vel[:, 1] - events.vel[:, 0]
    normal = jnp.sum(offset * relative, axis=-1)
    square = jnp.sum(offset * offset, axis=-1) * jnp.sum(relative * relative, axis=-1)
    contact = events.kind >= Kind.POCKET
    measured = contact & (square > 0)
    cosine = jnp.where(measured, normal * normal, 1) / jnp.where(measured, square, 1)
    return jnp.where(_shares_a_body(events), 0, cosine)


def _shares_a_body(events: Events, window: float = 1e-9) -> jax.Array:
    """(m,) whether an impact has a body in common with another impact of the same time."""
    impact = events.kind >= Kind.WALL
    time = jnp.where(impact, events.time, 0)
    same = impact[:, None] & impact[None] & (jnp.abs(time[:, None] - time[None]) <= window)
    balls = jnp.where(jnp.stack([impact, events.kind == Kind.BALL], axis=1), events.bodies, -1)
    common = (balls[:, None, :, None] == balls[None, :, None, :]) & (balls >= 0)[:, None, :, None]
    return jnp.any(same & jnp.any(common, axis=(2, 3)) & ~jnp.eye(len(impact), dtype=bool), axis=1)


class _Motion(NamedTuple):
    """Each ball at its own last event: time (n,), pos (n, 2), vel (n, 2)."""

    time: jax.Array
    pos: jax.Array
    vel: jax.Array


def replay(world: World, state: State, events: Events) -> Events:
    """The same event list with time, pos, vel and impulse as differentiable functions of world and state."""
    events = jax.tree.map(lax.stop_gradient, events)
    joint = _shares_a_body(events)
    n = state.pos.shape[0]
    start = _Motion(jnp.broadcast_to(state.time, (n,)), state.pos, state.vel)

    def step(balls: _Motion, row: tuple[Events, jax.Array]) -> tuple[_Motion, tuple[jax.Array, ...]]:
        event, is_joint = row
        used = event.kind >= 0
        i = jnp.maximum(event.bodies[0], 0)
        j = jnp.where(event.kind == Kind.BALL, jnp.maximum(event.bodies[1], 0), i)
        pair = jnp.stack([i, j])
        about = jnp.where(used, event.time, jnp.max(balls.time[pair]))
        gap, slope = _contact_function(world, balls, event, pair, about)
        slope = lax.stop_gradient(slope)
        steep = used & (slope != 0)
        time = about - jnp.where(steep, gap, 0) / jnp.where(steep, slope, 1)
        pos, vel = _at(world, balls, pair, time)
        after, impulse = _outcome(world, event, pair, pos, vel)
        after = jnp.where(is_joint, event.vel, after)
        impulse = jnp.where(is_joint, event.impulse, impulse)
        second = event.kind == Kind.BALL
        place = jnp.stack([pos[0], jnp.where(second, pos[1], _other_place(world, event, i, pos[0]))])

        def put(old: jax.Array, new: jax.Array) -> jax.Array:
            old = old.at[i].set(jnp.where(used, new[0], old[i]))
            return old.at[j].set(jnp.where(used & second, new[1], old[j]))

        both = jnp.stack([time, time])
        moved = _Motion(put(balls.time, both), put(balls.pos, pos), put(balls.vel, after))
        came = jnp.where(event.kind == Kind.POCKET, vel[0], 0)
        shown = jnp.stack([after[0], jnp.where(second, after[1], came)])
        return moved, (
            jnp.where(used, time, jnp.inf),
            jnp.where(used, place, 0),
            jnp.where(used, shown, 0),
            jnp.where(used, impulse, 0),
        )

    _, (time, pos, vel, impulse) = lax.scan(step, start, (events.replace(count=jnp.zeros_like(events.rounds)), joint))
    return events.replace(time=time, pos=pos, vel=vel, impulse=impulse)


def _at(world: World, balls: _Motion, pair: jax.Array, time: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Positions and velocities (2, 2) of two balls at a time."""
    since = jnp.broadcast_to(time, (2,)) - balls.time[pair]
    return motion.drift(balls.pos[pair], balls.vel[pair], motion.deceleration(world), since)


def _contact_function(
    world: World, balls: _Motion, event: Events, pair: jax.Array, time: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """f and its rate at `time`: zero when the event happens."""
    # A stop is where the speed itself reaches zero; just before, so that its direction still exists.
    since = time - balls.time[pair[0]]
    a = motion.deceleration(world)
    speed, _ = norm_and_direction(balls.vel[pair[:1]])
    pos, vel = _at(world, balls, pair, time)
    axis = jnp.asarray(WALL_AXIS)[jnp.clip(event.bodies[1], 0, 3)]
    side = jnp.asarray(WALL_SIDE, pos.dtype)[jnp.clip(event.bodies[1], 0, 3)]
    plane = jnp.where(side > 0, world.size[axis] - world.radius[pair[0]], world.radius[pair[0]])
    plane = jnp.where(event.kind == Kind.WALL, plane, 0)
    centre, reach = _pocket(world, event, pos[0])
    offset, to_pocket = pos[1] - pos[0], centre - pos[0]
    reach_of_pair = world.radius[pair[0]] + world.radius[pair[1]]
    gaps = jnp.stack(
        [
            speed[0] - a * since,
            jnp.sum(to_pocket * to_pocket) - reach * reach,
            side * (plane - pos[0, axis]),
            jnp.sum(offset * offset) - reach_of_pair * reach_of_pair,
        ]
    )
    rates = jnp.stack(
        [
            -a,
            -2 * jnp.sum(to_pocket * vel[0]),
            -side * vel[0, axis],
            2 * jnp.sum(offset * (vel[1] - vel[0])),
        ]
    )
    kind = jnp.maximum(event.kind, 0)
    return gaps[kind], rates[kind]


def _outcome(
    world: World, event: Events, pair: jax.Array, pos: jax.Array, vel: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Velocities (2, 2) after an event alone in its group, and the impulse of its contact."""
    mass = world.mass[pair]
    offset = pos[1] - pos[0]
    square = jnp.sum(offset * offset)
    normal = offset / jnp.sqrt(jnp.where(square > 0, square, 1))
    approach = jnp.sum((vel[0] - vel[1]) * normal)
    ball_impulse = 2 * approach / jnp.sum(1 / mass)
    kick = ball_impulse * normal
    wall = jnp.clip(event.bodies[1], 0, 3)
    axis = jnp.asarray(WALL_AXIS)[wall]
    wall_impulse = 2 * mass[0] * vel[0, axis] * jnp.asarray(WALL_SIDE, vel.dtype)[wall]
    rest = jnp.zeros_like(vel)
    kind = jnp.maximum(event.kind, 0)
    after = jnp.stack([rest, rest, vel.at[0, axis].multiply(-1), vel + jnp.stack([-kick, kick]) / mass[:, None]])
    zero = jnp.zeros_like(ball_impulse)
    return after[kind], jnp.stack([zero, zero, wall_impulse, ball_impulse])[kind]


def _pocket(world: World, event: Events, at: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Centre (2,) and capture radius () of the pocket of an event; the place `at` where there is none."""
    p = world.pocket_radius.shape[0]
    if p == 0:
        return at, jnp.zeros_like(at[0])
    index = jnp.clip(event.bodies[1], 0, p - 1)
    return world.pocket_pos[index], world.pocket_radius[index]


def _other_place(world: World, event: Events, ball: jax.Array, at: jax.Array) -> jax.Array:
    """Second row of `Events.pos` for events other than BALL."""
    wall = jnp.clip(event.bodies[1], 0, 3)
    step = jnp.asarray(WALL_SIDE, at.dtype)[wall] * world.radius[ball]
    rim = at.at[jnp.asarray(WALL_AXIS)[wall]].add(step)
    return jnp.stack([at, _pocket(world, event, at)[0], rim])[jnp.clip(event.kind, 0, 2)]
