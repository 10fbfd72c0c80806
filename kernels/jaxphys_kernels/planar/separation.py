"""How far apart two bodies are, which way they face each other, and when they meet.

Every body is a rectangle with rounded corners, see `model`. The gap of two such bodies is the distance of their cores
less both roundings; that of two convex polygons is the least distance between a corner of one and the other
(InPhyRe specification, section 3.3). Elementwise over pairs: every argument leads with the pair axis c.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxphys_kernels.advance import Gap, polish, search
from jaxphys_kernels.planar.model import State, World
from jaxphys_kernels.planar.motion import Phase, reach
from jaxphys_kernels.plane import norm_and_direction, pairs

SIGNS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
FACE = {jnp.dtype("float64"): 1e-7, jnp.dtype("float32"): 1e-4}
"""Gap of two boxes (m) below which their normal is that of the face that parts them."""
SHARED = {jnp.dtype("float64"): 1e-9, jnp.dtype("float32"): 1e-5}
"""Corners that are nearest to within this (m) share a contact: its place is the middle of theirs."""

ITERATIONS = 256
LEAST_STEP = 2.0**-9
"""Longest least step of the search for spinning boxes (s): a corner that comes and goes within it is at most 20 µm
deep."""
LEAST_TRAVEL = 0.1
"""Share of the narrower body by which the two may move in a least step: what is fast must not jump through."""


class Pose(NamedTuple):
    """A body of every pair: centre (c, 2), yaw (c,), velocity (c, 2), spin (c,), half (c, 2), rounding (c,)."""

    pos: jax.Array
    yaw: jax.Array
    vel: jax.Array
    spin: jax.Array
    half: jax.Array
    rounding: jax.Array


class Touch(NamedTuple):
    """Where bodies are nearest: gap (c,) m, unit normal (c, 2) from the first, place (c, 2), rate of the gap (c,)."""

    gap: jax.Array
    normal: jax.Array
    point: jax.Array
    rate: jax.Array


def poses(world: World, state: State) -> tuple[Pose, Pose]:
    """First and second body of every pair of a scene."""

    def take(index: np.ndarray) -> Pose:
        return Pose(
            state.pos[index], state.yaw[index], state.vel[index], state.spin[index],
            world.half[index], world.rounding[index],
        )  # fmt: skip

    first, second = pairs(state.pos.shape[0])
    return take(first), take(second)


def may_touch(world: World, state: State) -> jax.Array:
    """(c,) bool: not pairs that pass through each other, nor two bodies that nothing moves, such as crossing walls."""
    first, second = pairs(state.pos.shape[0])
    fixed = jnp.isinf(world.mass)
    return ~(state.through | (fixed[first] & fixed[second]))


def involved(contacts: jax.Array, n: int) -> jax.Array:
    """(n,) int32 in how many of the contacts (c,) each body takes part."""
    first, second = pairs(n)
    one = contacts.astype(jnp.int32)
    return jnp.zeros(n, jnp.int32).at[first].add(one).at[second].add(one)


def turn(angle: jax.Array, v: jax.Array) -> jax.Array:
    """Vectors (..., 2) turned by angles (...)."""
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    return jnp.stack([cos * v[..., 0] - sin * v[..., 1], sin * v[..., 0] + cos * v[..., 1]], axis=-1)


def touch(a: Pose, b: Pose) -> Touch:
    """Gap, normal and place of contact of every pair."""
    dtype = a.pos.dtype
    offset = b.pos - a.pos
    signs = jnp.asarray(SIGNS, dtype)[None]
    corners_a = turn(a.yaw[:, None], signs * a.half[:, None, :])
    corners_b = turn(b.yaw[:, None], signs * b.half[:, None, :])
    to_b, inside_a = _outside(a, offset[:, None, :] + corners_b)
    to_a, inside_b = _outside(b, corners_a - offset[:, None, :])
    ways = jnp.concatenate([to_b, -to_a], axis=1)  # (c, 8, 2) from a to b
    lengths, directions = norm_and_direction(ways)
    nearest = jnp.argmin(lengths, axis=1)[:, None]
    distance = jnp.take_along_axis(lengths, nearest, axis=1)[:, 0]
    direction = jnp.take_along_axis(directions, nearest[..., None], axis=1)[:, 0]
    parting, face = _parting(a, b, offset)

    round_pair = a.rounding + b.rounding
    apart = parting > 0
    core = jnp.where(apart, distance, parting)
    by_corner = apart & ((round_pair > 0) | (distance > FACE[dtype]))
    normal = jnp.where(by_corner[:, None], direction, face)

    places = jnp.concatenate(
        [
            offset[:, None, :] + corners_b - (b.rounding[:, None] * normal)[:, None, :],
            corners_a + (a.rounding[:, None] * normal)[:, None, :],
        ],
        axis=1,
    )
    deep = jnp.concatenate([inside_a, inside_b], axis=1)
    shared = jnp.where(apart[:, None], lengths <= distance[:, None] + SHARED[dtype], deep)
    arm_a, rate = _place(a, b, offset, places, shared, normal)
    return Touch(core - round_pair, normal, a.pos + arm_a, rate)


def _place(
    a: Pose, b: Pose, offset: jax.Array, places: jax.Array, shared: jax.Array, normal: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Place of contact (c, 2) from the centre of a, and rate (c,) of the gap.

    Of two faces it is the middle of the stretch on which they touch, or, where only turning brings them together, the
    end of it that comes first.
    """
    side = jnp.stack([-normal[:, 1], normal[:, 0]], axis=-1)
    some, count = jnp.any(shared, axis=1), jnp.maximum(jnp.sum(shared, axis=1, dtype=normal.dtype), 1)
    out = jnp.sum(jnp.where(shared, jnp.sum(places * normal[:, None, :], axis=-1), 0), axis=1) / count
    along = jnp.sum(places * side[:, None, :], axis=-1)
    low = jnp.where(some, jnp.min(jnp.where(shared, along, jnp.inf), axis=1), 0)
    high = jnp.where(some, jnp.max(jnp.where(shared, along, -jnp.inf), axis=1), 0)

    straight = out[:, None] * normal
    slide = b.vel + _swing(b.spin, straight - offset) - a.vel - _swing(a.spin, straight)
    level, slope = jnp.sum(slide * normal, axis=-1), a.spin - b.spin
    middle, end = 0.5 * (low + high), jnp.where(slope > 0, low, high)
    rate = level + slope * end
    where = jnp.where((level + slope * middle >= 0) & (rate < 0), end, middle)
    return straight + where[:, None] * side, rate


def _swing(spin: jax.Array, arm: jax.Array) -> jax.Array:
    """Velocity (c, 2) of a place at `arm` from the centre of a spinning body."""
    return spin[:, None] * jnp.stack([-arm[:, 1], arm[:, 0]], axis=-1)


def _outside(box: Pose, points: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Vectors (c, 4, 2) from the core of a box to points given from its centre; whether they are inside or on it."""
    local = turn(-box.yaw[:, None], points)
    beyond = jnp.maximum(jnp.abs(local) - box.half[:, None, :], 0)
    return turn(box.yaw[:, None], jnp.sign(local) * beyond), jnp.all(beyond <= SHARED[points.dtype], axis=-1)


def _parting(a: Pose, b: Pose, offset: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Largest distance of the cores along a face normal of either, negative when they overlap, and that normal."""
    axes = jnp.eye(2, dtype=offset.dtype)[None]
    normals = jnp.concatenate([turn(a.yaw[:, None], axes), turn(b.yaw[:, None], axes)], axis=1)
    along = jnp.sum(normals * offset[:, None, :], axis=-1)
    widths = _support(a, normals) + _support(b, normals)
    distances = jnp.abs(along) - widths
    best = jnp.argmax(distances, axis=1)[:, None]
    side = jnp.where(along >= 0, 1, -1).astype(offset.dtype)
    face = jnp.take_along_axis(normals * side[..., None], best[..., None], axis=1)[:, 0]
    return jnp.take_along_axis(distances, best, axis=1)[:, 0], face


def _support(box: Pose, normals: jax.Array) -> jax.Array:
    """(c, k) how far a core reaches from its centre along unit normals (c, k, 2)."""
    local = turn(-box.yaw[:, None], normals)
    return jnp.sum(jnp.abs(local) * box.half[:, None, :], axis=-1)


class Approach:
    """How the gap of every pair changes while no phase ends.

    Attributes:
        swing: (c,) the fastest at which corners sweep towards the other body by spinning (m/s).
    """

    def __init__(self, world: World, state: State, phase: Phase) -> None:
        first, second = pairs(state.pos.shape[0])
        self.a, self.b = poses(world, state)
        self.acc = phase.acc[first], phase.acc[second]
        self.turning = phase.spin_acc[first], phase.spin_acc[second]
        self.swing = _sweep(self.a) + _sweep(self.b)
        self.spins = tuple(jnp.where(body.spin != 0, 1, 0).astype(body.spin.dtype) for body in (self.a, self.b))

    def gap_at(self, t: jax.Array) -> Gap:
        """The gap at times (c,) from now."""
        a = _moved(self.a, self.acc[0], self.turning[0], t)
        b = _moved(self.b, self.acc[1], self.turning[1], t)
        found = touch(a, b)
        # The bodies lie on two sides of a line across the normal: while that line moves with them, they are apart.
        straight, rises = (jnp.sum(v * found.normal, axis=-1) for v in (b.vel - a.vel, self.acc[1] - self.acc[0]))
        normal = found.normal[:, None, :]
        reserve = self.spins[0] * (_diagonal(a) - _support(a, normal)[:, 0]) + self.spins[1] * (
            _diagonal(b) - _support(b, normal)[:, 0]
        )
        return Gap(found.gap, found.rate, straight, -rises, self.swing, reserve)


def _diagonal(body: Pose) -> jax.Array:
    return norm_and_direction(body.half)[0]


def _sweep(body: Pose) -> jax.Array:
    return jnp.abs(body.spin) * jnp.max(body.half, axis=-1)


def _moved(body: Pose, acc: jax.Array, turning: jax.Array, t: jax.Array) -> Pose:
    wide = t[:, None]
    return body._replace(
        pos=body.pos + body.vel * wide + 0.5 * acc * (wide * wide),
        vel=body.vel + acc * wide,
        yaw=body.yaw + body.spin * t + 0.5 * turning * (t * t),
        spin=body.spin + turning * t,
    )


def contact_times(
    world: World, state: State, phase: Phase, limit: jax.Array, v_snap: float
) -> tuple[jax.Array, jax.Array]:
    """Times (c,) at which pairs meet within the phase, not after `limit` (); inf if they do not.

    Returns:
        times, and which searches (c,) reached their iteration cap.
    """
    first, second = pairs(state.pos.shape[0])
    resting = ~jnp.any((state.vel != 0) | (phase.acc != 0), axis=-1) & (state.spin == 0)
    never = (resting[first] & resting[second]) | ~may_touch(world, state)

    # The search finds where the contact is, Newton's method says exactly when: only that is differentiated.
    approach = Approach(world, state, phase)
    frozen = Approach(*jax.tree.map(lax.stop_gradient, (world, state, phase)))
    ends = jnp.minimum(phase.stop, jnp.minimum(phase.roll, phase.spin_end))
    until = lax.stop_gradient(jnp.minimum(limit, jnp.minimum(ends[first], ends[second])))
    least = lax.stop_gradient(_least_step(world, state, frozen.swing))
    found = search(frozen.gap_at, until, never, v_snap, iterations=ITERATIONS, least_step=least)
    return polish(approach.gap_at, found), found.unsolved


def _least_step(world: World, state: State, swing: jax.Array) -> jax.Array:
    """(c,) s; zero for pairs of which no corner swings."""
    first, second = pairs(state.pos.shape[0])
    # What a sphere's spin about its rolling axis may make of its velocity lies between the two.
    speed = jnp.maximum(norm_and_direction(state.vel)[0], norm_and_direction(state.roll)[0])
    narrow = reach(world)
    travel = speed[first] + speed[second] + swing
    time = LEAST_TRAVEL * jnp.minimum(narrow[first], narrow[second]) / jnp.where(swing > 0, travel, 1)
    return jnp.where(swing > 0, jnp.minimum(LEAST_STEP, time), 0)
