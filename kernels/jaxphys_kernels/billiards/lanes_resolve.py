"""What an event does to the balls of a lane, and what is written about it.

One event per lane and pass: an elastic impact of two balls, a wall or an exact corner, a capture, a stop
(BilliardPhys-Bench specification, sections 4.2, 4.5 and 4.6). Arrays are (l,), one entry per lane.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxphys_kernels.billiards import lanes_math as lm
from jaxphys_kernels.billiards.lanes_math import Balls, Table, Tolerances
from jaxphys_kernels.billiards.lanes_stage import pick
from jaxphys_kernels.billiards.model import WALLS, Kind, Rules

TOP, BOTTOM, LEFT, RIGHT = range(len(WALLS))

STOP, WALL_X, WALL_Y, CAPTURE, HIT, NEEDS_JOINT_RULE = 0, 1, 2, 4, 8, 16
"""Bits of what happens in a lane; a stop or nothing is 0."""


class Trio(NamedTuple):
    """The chosen pair and the ball with the first event of its own, one of each per lane.

    Attributes:
        one_motion, two_motion, loner_motion: (5, l) as in `Lanes.motion`.
        radius, mass: (3, l) m, kg.
    """

    one_motion: jax.Array
    two_motion: jax.Array
    loner_motion: jax.Array
    radius: jax.Array
    mass: jax.Array

    @property
    def one(self) -> Balls:
        """The first ball of the pair."""
        return _living(self.one_motion)

    @property
    def two(self) -> Balls:
        """The second ball of the pair."""
        return _living(self.two_motion)

    @property
    def loner(self) -> Balls:
        """The ball with the first event of its own."""
        return _living(self.loner_motion)

    @property
    def reach(self) -> jax.Array:
        """(l,) sum of the pair's radii (m)."""
        return self.radius[0] + self.radius[1]


def _living(motion: jax.Array) -> Balls:
    # Only living balls have events.
    return lm.balls_of(motion, jnp.ones(motion.shape[1:], bool))


class Choice(NamedTuple):
    """The pair i < j with the smallest bound, the next smallest bound, and the ball with the first own event."""

    bound: jax.Array
    other_bound: jax.Array
    i: jax.Array
    j: jax.Array
    loner: jax.Array


class Decision(NamedTuple):
    """How far a lane goes (s); whether a pair's impact or a ball's own event is there, or something overlaps."""

    dt: jax.Array
    hit: jax.Array
    own: jax.Array
    bad: jax.Array


def either(condition: jax.Array, yes: int, no: int) -> jax.Array:
    """One of two small integers, int32 whatever the mode."""
    return jnp.where(condition, yes, no).astype(jnp.int32)


def has(what: jax.Array, bit: int) -> jax.Array:
    """Whether a bit is set."""
    return (what & bit) != 0


def what_happens(
    trio: Trio, table: Table, choice: Choice, decision: Decision, own_times: jax.Array, *, rules: Rules, tol: Tolerances
) -> jax.Array:
    """(l,) int32 bits of the event at the end of the step; the states are those at its beginning."""
    dt, loner, radius = decision.dt, trio.loner, trio.radius[2]
    own = lm.own_event(loner, radius, table, rules.tie_window, rules.v_snap)
    arc = jnp.minimum(jnp.minimum(own.arc_x, own.arc_y), own.arc_pocket)
    reached = jnp.where(arc < jnp.inf, arc, 0)
    slack = rules.tie_window * loner.speed
    captured = decision.own & own.moving & (own.arc_pocket <= reached + slack)
    wall = decision.own & own.moving & ~captured

    def meets(length: jax.Array, heading: jax.Array) -> jax.Array:
        # The other wall counts too when it is met within the tie window or touched already.
        extra = jnp.where(length < jnp.inf, length, 0) - reached
        return wall & (length < jnp.inf) & ((extra <= slack) | (extra * jnp.abs(heading) <= tol.touch))

    # Something else happens to one of the two within the tie window, or one of them touches a wall.
    soon = dt + rules.tie_window
    busy = (pick(own_times, choice.i) <= soon) | (pick(own_times, choice.j) <= soon)
    for ball, r in ((trio.one, trio.radius[0]), (trio.two, trio.radius[1])):
        there = lm.advance(ball, table.a, dt)
        gap_x = jnp.minimum(table.width - r - there.x, there.x - r)
        gap_y = jnp.minimum(table.height - r - there.y, there.y - r)
        busy = busy | ((table.width < jnp.inf) & (gap_x <= tol.touch))
        busy = busy | ((table.height < jnp.inf) & (gap_y <= tol.touch))

    return (
        either(meets(own.arc_x, loner.hx), WALL_X, 0)
        | either(meets(own.arc_y, loner.hy), WALL_Y, 0)
        | either(captured, CAPTURE, 0)
        | either(decision.hit, HIT, 0)
        | either(decision.hit & busy, NEEDS_JOINT_RULE, 0)
    )


def push(trio: Trio, a: jax.Array, decision: Decision, *, tol: Tolerances) -> jax.Array:
    """Impulse of the pair's elastic impact divided by the distance of the centres (N s/m)."""
    one, two = (lm.advance(b, a, decision.dt) for b in (trio.one, trio.two))
    nx, ny = two.x - one.x, two.y - one.y
    ux, uy = one.hx * one.speed - two.hx * two.speed, one.hy * one.speed - two.hy * two.speed
    reduced = 2 * trio.mass[0] * trio.mass[1] / (trio.mass[0] + trio.mass[1])
    return reduced * (ux * nx + uy * ny) / jnp.maximum(nx * nx + ny * ny, tol.tiny)


def outcome(trio: Trio, table: Table, decision: Decision, what: jax.Array, impulse: jax.Array) -> jax.Array:
    """(2, 4, l) new x, y, vx, vy of the ball `one` (or the loner), and of the ball `two`."""
    one, two, loner = (lm.advance(b, table.a, decision.dt) for b in (trio.one, trio.two, trio.loner))
    nx, ny = two.x - one.x, two.y - one.y
    p1, p2 = impulse / trio.mass[0], impulse / trio.mass[1]
    wall_x, wall_y = has(what, WALL_X), has(what, WALL_Y)
    edge_x = jnp.where(loner.hx > 0, table.width - trio.radius[2], trio.radius[2])
    edge_y = jnp.where(loner.hy > 0, table.height - trio.radius[2], trio.radius[2])
    speed = jnp.where(wall_x | wall_y, loner.speed, 0)
    alone = (
        jnp.where(wall_x, edge_x, loner.x),
        jnp.where(wall_y, edge_y, loner.y),
        speed * jnp.where(wall_x, -loner.hx, loner.hx),
        speed * jnp.where(wall_y, -loner.hy, loner.hy),
    )
    pair = (one.x, one.y, one.hx * one.speed - p1 * nx, one.hy * one.speed - p1 * ny)
    other = (two.x, two.y, two.hx * two.speed + p2 * nx, two.hy * two.speed + p2 * ny)
    first = [jnp.where(decision.hit, p, q) for p, q in zip(pair, alone, strict=True)]
    return jnp.stack([*first, *other]).reshape(2, 4, -1)


def polar(new: jax.Array, *, v_snap: float) -> jax.Array:
    """(2, 3, l) heading and speed of both velocities; below `v_snap` a ball comes to rest."""
    vx, vy = new[:, 2], new[:, 3]
    speed = jnp.sqrt(vx * vx + vy * vy)
    speed = jnp.where(speed < v_snap, 0, speed)
    inverse = jnp.where(speed > 0, 1 / jnp.where(speed > 0, speed, 1), 0)
    return jnp.stack([vx * inverse, vy * inverse, speed], axis=1)


def concerned(choice: Choice, decision: Decision) -> tuple[jax.Array, jax.Array]:
    """The one or two balls to which something happens, (l,) int32; -1 for nobody."""
    one = jnp.where(decision.hit, choice.i, jnp.where(decision.own, choice.loner, -1))
    return one, jnp.where(decision.hit, choice.j, -1)


def wall_index(across_x: jax.Array | bool, loner: Balls) -> jax.Array:
    """Index into `WALLS` of the wall ahead of the loner."""
    return jnp.where(across_x, either(loner.hx > 0, RIGHT, LEFT), either(loner.hy > 0, TOP, BOTTOM))


def record(
    trio: Trio,
    table: Table,
    choice: Choice,
    decision: Decision,
    what: jax.Array,
    impulse: jax.Array,
    new: jax.Array,
    group: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Up to two events of the pass, the second one only at a corner.

    Returns:
        happened (2, l) bool; numbers (2, 10, l): time, two places, two velocities, impulse;
        labels (2, 3, l) int32: kind and bodies.
    """
    hit, loner, radius = decision.hit, trio.loner, trio.radius[2]
    wall_x, wall_y, captured = has(what, WALL_X), has(what, WALL_Y), has(what, CAPTURE)
    (x, y, vx, vy), (x2, y2, vx2, vy2) = new[0], new[1]
    distance = jnp.sqrt((x2 - x) * (x2 - x) + (y2 - y) * (y2 - y))
    wall = wall_x | wall_y

    hole, hole_x, hole_y = jnp.zeros_like(choice.i), x, y
    first = jnp.full_like(group, jnp.inf)
    for k, (px, py, reach) in enumerate(zip(table.pocket_x, table.pocket_y, table.pocket_radius, strict=True)):
        arc = lm.pocket_arc(loner, px, py, reach)
        better = arc < first
        hole, first = jnp.where(better, k, hole), jnp.where(better, arc, first)
        hole_x, hole_y = jnp.where(better, px, hole_x), jnp.where(better, py, hole_y)

    def choose(pair: jax.Array, at_wall: jax.Array, at_pocket: jax.Array, at_stop: jax.Array) -> jax.Array:
        return jnp.where(hit, pair, jnp.where(wall, at_wall, jnp.where(captured, at_pocket, at_stop)))

    zero, one, two = jnp.zeros_like(group), *concerned(choice, decision)
    came = lm.advance(loner, table.a, decision.dt)
    kinds = [jnp.full_like(one, int(kind)) for kind in (Kind.BALL, Kind.WALL, Kind.POCKET, Kind.STOP)]
    # Simultaneous walls are listed in the order of WALLS: top and bottom first.
    numbers, labels = [], []
    for across_x in (wall_x & ~wall_y, jnp.ones_like(wall)):
        rim_x = jnp.where(across_x, x + jnp.where(loner.hx > 0, radius, -radius), x)
        rim_y = jnp.where(across_x, y, y + jnp.where(loner.hy > 0, radius, -radius))
        bounce = 2 * trio.mass[2] * jnp.abs(jnp.where(across_x, vx, vy))
        numbers.append(jnp.stack([
            group, x, y, choose(x2, rim_x, hole_x, x), choose(y2, rim_y, hole_y, y), vx, vy,
            choose(vx2, zero, came.hx * came.speed, zero), choose(vy2, zero, came.hy * came.speed, zero),
            choose(impulse * distance, bounce, zero, zero),
        ]))  # fmt: skip
        index = wall_index(across_x, loner)
        labels.append(jnp.stack([choose(*kinds), one, choose(two, index, hole, jnp.full_like(one, -1))]))
    return jnp.stack([hit | decision.own, wall_x & wall_y]), jnp.stack(numbers), jnp.stack(labels)
