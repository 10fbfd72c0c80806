"""The bounce law: a sphere meets the floor or a static box and leaves with -e times its normal velocity.

MuJoCo has no coefficient of restitution (ReactHuman specification, section 15.4), so the law acts between its steps.
A step of the semi-implicit Euler method moves a free body along an exact parabola whose velocity is v + h a/2; on it
the contact is found, at its own time inside the step, and the rest of the step is flown with the new velocity. Thus
no energy is made or lost by the size of the step. MuJoCo's own contact never sees such a meeting: at the beginning of
the step the two are apart, at its end they are apart again.

Along the surface, Coulomb friction acts during the impact as long as the sphere slips. Rebounds slower than
`REST * h * g` are left to the soft contact, on which the sphere then rests.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

from jaxphys_kernels.rigid.frames import rotate, unrotate
from jaxphys_kernels.rigid.model import FLOOR, Shape, State, World

REST = 3.0
"""Rebounds that gravity undoes within this many steps are no rebounds."""

PASSES = 3
"""Surfaces that a sphere can meet in one step."""

HALVINGS, POLISH = 4, 3
"""Steps of the contact search: bisection against the corners of boxes, then Newton's method."""

TOUCH = 1e-7
"""Overlap that is rounding (m); what overlaps more rests on the soft contact."""


class Meeting(struct.PyTreeNode):
    """What happened in a step: the state after it, (c,) which pairs met, and (c,) the normal impulses (N s)."""

    state: State
    touching: jax.Array
    impulse: jax.Array


class _Flight(struct.PyTreeNode):
    """A sphere on its parabola: place and velocity now, spin in the world frame, time left in the step."""

    pos: jax.Array
    vel: jax.Array
    spin: jax.Array
    left: jax.Array


def bounce(world: World, before: State, after: State, h: float, touchable: tuple[tuple[int, int], ...]) -> Meeting:
    """Correct a step for the rebounds in it.

    Args:
        world: the scene.
        before: its state at the beginning of the step.
        after: what MuJoCo made of it.
        h: length of the step (s).
        touchable: the pairs that may touch, c of them; of a body, the floor and the static boxes stand together.
    """
    c, surfaces = len(touchable), world.static_half.shape[0] + 1
    floors = [(k, i) for k, (i, partner) in enumerate(touchable) if partner == FLOOR]
    first, bodies = (np.array([row[column] for row in floors], np.int32) for column in (0, 1))
    where = first[:, None] + np.arange(surfaces)
    one = functools.partial(_body, world, h=h)
    qpos, qvel, met, impulse = jax.vmap(one)(
        jnp.asarray(bodies), before.qpos[bodies], before.qvel[bodies], after.qpos[bodies], after.qvel[bodies],
        world.pair_friction[where],
    )  # fmt: skip
    return Meeting(
        state=after.replace(qpos=after.qpos.at[bodies].set(qpos), qvel=after.qvel.at[bodies].set(qvel)),
        touching=jnp.zeros(c, bool).at[where].set(met),
        impulse=jnp.zeros(c, impulse.dtype).at[where].set(impulse),
    )


def _body(
    world: World,
    i: jax.Array,
    qpos: jax.Array,
    qvel: jax.Array,
    qpos_after: jax.Array,
    qvel_after: jax.Array,
    friction: jax.Array,
    *,
    h: float,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """One body: its qpos, qvel, and (s + 1,) which surfaces it met with what impulse."""
    radius, mass, e = world.size[i, 0], world.mass[i], world.restitution[i]
    acc = (qvel_after[:3] - qvel[:3]) / h
    start = _Flight(
        pos=qpos[:3],
        vel=qvel[:3] + 0.5 * h * acc,
        spin=rotate(qpos[3:], qvel[3:]),
        left=jnp.asarray(h, qpos.dtype),
    )

    def one(flight: _Flight, _: None) -> tuple[_Flight, tuple[jax.Array, jax.Array]]:
        flight, hit, push = _next_rebound(world, flight, acc, radius, e, friction, h)
        return flight, (hit, push)

    flight, (hits, pushes) = jax.lax.scan(one, start, None, length=PASSES)
    met, impulse = jnp.any(hits, axis=0), mass * jnp.sum(pushes, axis=0)
    bounced = jnp.any(met) & (world.shape[i] == int(Shape.SPHERE)) & (e > 0)
    pos = flight.pos + flight.left * flight.vel + 0.5 * flight.left**2 * acc
    vel = flight.vel + flight.left * acc - 0.5 * h * acc
    spin = unrotate(qpos_after[3:], flight.spin)
    return (
        jnp.where(bounced, qpos_after.at[:3].set(pos), qpos_after),
        jnp.where(bounced, jnp.concatenate([vel, spin]), qvel_after),
        met & bounced,
        jnp.where(bounced, impulse, 0),
    )


def _next_rebound(
    world: World,
    flight: _Flight,
    acc: jax.Array,
    radius: jax.Array,
    e: jax.Array,
    friction: jax.Array,
    h: float,
) -> tuple[_Flight, jax.Array, jax.Array]:
    """Fly to the first surface that is met in what is left of the step and leave it; nothing where there is none."""
    times = _meeting_times(world, flight, acc, radius)
    k = jnp.argmin(times)
    t = times[k]
    meets = t < jnp.inf
    # Twice `where`: what is not met must not send infinity through the derivative.
    t = jnp.where(meets, t, 0)
    pos, vel = flight.pos + t * flight.vel + 0.5 * t**2 * acc, flight.vel + t * acc
    _, normals = _gaps(world, pos[None], radius)
    normal = normals[k]
    inward = -jnp.dot(vel, normal)
    rebounds = meets & (e * inward > REST * h * jnp.abs(world.gravity))
    push = (1 + e) * inward
    # The point of contact slips with u; an impulse of 2/7 m u stops the slip of a solid sphere.
    arm = -radius * normal
    slip = vel + inward * normal + jnp.cross(flight.spin, arm)
    square = jnp.dot(slip, slip)
    slips = square > 1e-18
    speed = jnp.sqrt(jnp.where(slips, square, 1))
    drag = jnp.where(slips, jnp.minimum(friction[k] * push, 2 / 7 * speed) / speed, 0)
    left = vel + push * normal - drag * slip
    spin = flight.spin - 2.5 / jnp.where(radius > 0, radius, 1) ** 2 * drag * jnp.cross(arm, slip)
    new = _Flight(pos=pos, vel=left, spin=spin, left=flight.left - t)
    chosen = jax.tree.map(lambda a, b: jnp.where(rebounds, a, b), new, flight)
    here = (jnp.arange(times.shape[0]) == k) & rebounds
    return chosen, here, jnp.where(here, push, 0)


def _gaps(world: World, points: jax.Array, radius: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Distances of spheres from the surfaces, sphere k from surface k.

    Args:
        world: the scene.
        points: (s + 1, 3) centres (m), or (1, 3) for one sphere and all surfaces.
        radius: of the spheres (m).

    Returns:
        (s + 1,) distances (m), and unit vectors (s + 1, 3) from the surfaces to the centres.
    """
    points = jnp.broadcast_to(points, (world.static_half.shape[0] + 1, 3))
    local = unrotate(world.static_quat, points[1:] - world.static_pos)
    off = local - jnp.clip(local, -world.static_half, world.static_half)
    square = jnp.sum(off**2, axis=-1)
    outside = square > 0
    length = jnp.sqrt(jnp.where(outside, square, 1))
    # A fast sphere's centre may end a step inside a box, where the nearest side counts.
    above = jnp.abs(local) - world.static_half
    side = jax.nn.one_hot(jnp.argmax(above, axis=-1), 3, dtype=points.dtype) * jnp.where(local < 0, -1, 1)
    normals = rotate(world.static_quat, jnp.where(outside[:, None], off / length[:, None], side))
    up = jnp.array([[0, 0, 1]], points.dtype)
    there = jnp.any(world.static_half > 0, axis=-1)
    gaps = jnp.where(there, jnp.where(outside, length, jnp.max(above, axis=-1)) - radius, jnp.inf)
    return jnp.concatenate([points[:1, 2] - radius, gaps]), jnp.concatenate([up, normals])


def _meeting_times(world: World, flight: _Flight, acc: jax.Array, radius: jax.Array) -> jax.Array:
    """When within the time left each surface is met (s), inf where it is not."""

    def place(t: jax.Array) -> jax.Array:
        return flight.pos[None] + t[:, None] * flight.vel[None] + 0.5 * t[:, None] ** 2 * acc[None]

    now, _ = _gaps(world, flight.pos[None], radius)
    high = jnp.zeros_like(now) + flight.left
    low = jnp.zeros_like(now)
    then, _ = _gaps(world, place(high), radius)
    # Apart at the beginning (or just leaving another surface), together at the end.
    crosses = (now >= -TOUCH) & (then < 0) & jnp.isfinite(now)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        apart = _gaps(world, place(middle), radius)[0] >= 0
        low, high = jnp.where(apart, middle, low), jnp.where(apart, high, middle)
    t = 0.5 * (low + high)
    for _ in range(POLISH):
        gap, normals = _gaps(world, place(t), radius)
        rate = jnp.sum(normals * (flight.vel[None] + t[:, None] * acc[None]), axis=-1)
        closing = crosses & (rate < 0)
        step = jnp.where(closing, gap, 0) / jnp.where(closing, rate, 1)
        t = jnp.clip(t - step, 0, flight.left)
    return jnp.where(crosses, t, jnp.inf)
