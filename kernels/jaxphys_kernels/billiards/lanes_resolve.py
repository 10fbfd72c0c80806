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

ENDS = (int(Kind.POCKET), int(Kind.STOP))
TOP, BOTTOM, LEFT, RIGHT = range(len(WALLS))


class Choice(NamedTuple):
    """The pair i < j with the smallest bound, the next smallest bound, and the ball with the first own event."""

    bound: jax.Array
    other_bound: jax.Array
    i: jax.Array
    j: jax.Array
    loner: jax.Array


class Decision(NamedTuple):
    """How far a lane goes (s), and whether a pair's impact or a ball's own event is there; `bad`: overlap."""

    dt: jax.Array
    hit: jax.Array
    own: jax.Array
    bad: jax.Array


class Change(NamedTuple):
    """What an event does.

    Attributes:
        one, two: the balls concerned; -1 for nobody.
        new_one, new_two: their x, y, vx, vy. radius_one, radius_two: their radii.
        impact, captured, wall_x, wall_y: kind of the event; none of them: a stop.
        slot_one, slot_two: rows of the label table that get this time; -1 for none.
        impulse: size of the impulse (N s), for a corner that of the wall across x.
        tie: the event needs the joint rule.
    """

    one: jax.Array
    two: jax.Array
    new_one: tuple[jax.Array, ...]
    new_two: tuple[jax.Array, ...]
    radius_one: jax.Array
    radius_two: jax.Array
    impact: jax.Array
    captured: jax.Array
    wall_x: jax.Array
    wall_y: jax.Array
    slot_one: jax.Array
    slot_two: jax.Array
    tie: jax.Array


def _either(condition: jax.Array, yes: int, no: int) -> jax.Array:
    """One of two small integers, int32 whatever the mode."""
    return jnp.where(condition, yes, no).astype(jnp.int32)


def _cartesian(ball: Balls) -> tuple[jax.Array, ...]:
    return ball.x, ball.y, ball.hx * ball.speed, ball.hy * ball.speed


def _collide(one: Balls, two: Balls, tiny: float) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...], jax.Array]:
    """Elastic impact along the line of centres: new x, y, vx, vy of both, and the impulse."""
    x1, y1, vx1, vy1 = _cartesian(one)
    x2, y2, vx2, vy2 = _cartesian(two)
    nx, ny = x2 - x1, y2 - y1
    square = jnp.maximum(nx * nx + ny * ny, tiny)
    reduced = 2 * one.mass * two.mass / (one.mass + two.mass)
    # Impulse over distance: the normal need not be normalised.
    push = reduced * ((vx1 - vx2) * nx + (vy1 - vy2) * ny) / square
    p1, p2 = push / one.mass, push / two.mass
    return (
        (x1, y1, vx1 - p1 * nx, vy1 - p1 * ny),
        (x2, y2, vx2 + p2 * nx, vy2 + p2 * ny),
        push * jnp.sqrt(square),
    )


def resolve(
    one: Balls,
    two: Balls,
    loner: Balls,
    table: Table,
    choice: Choice,
    decision: Decision,
    own_times: jax.Array,
    *,
    rules: Rules,
    tol: Tolerances,
) -> Change:
    """The event at the end of the step: states before it are those at its beginning."""
    n = own_times.shape[0]
    dt, hit, own = decision.dt, decision.hit, decision.own
    one_there, two_there = (lm.advance(b, table.a, dt) for b in (one, two))
    pair_one, pair_two, _ = _collide(one_there, two_there, tol.tiny)

    what = lm.own_event(loner, table, rules.tie_window, rules.v_snap)
    there = lm.advance(loner, table.a, dt)
    arc = jnp.minimum(jnp.minimum(what.arc_x, what.arc_y), what.arc_pocket)
    reached = jnp.where(arc < jnp.inf, arc, 0)
    slack = rules.tie_window * loner.speed
    captured = own & what.moving & (what.arc_pocket <= reached + slack)
    wall = own & what.moving & ~captured

    def meets(length: jax.Array, heading: jax.Array) -> jax.Array:
        # The other wall counts too when it is met within the tie window or touched already.
        extra = jnp.where(length < jnp.inf, length, 0) - reached
        return wall & (length < jnp.inf) & ((extra <= slack) | (extra * jnp.abs(heading) <= tol.touch))

    wall_x, wall_y = meets(what.arc_x, loner.hx), meets(what.arc_y, loner.hy)
    right, top = loner.hx > 0, loner.hy > 0
    edge_x = jnp.where(right, table.width - loner.radius, loner.radius)
    edge_y = jnp.where(top, table.height - loner.radius, loner.radius)
    speed = jnp.where(wall, there.speed, 0)
    alone = (
        jnp.where(wall_x, edge_x, there.x),
        jnp.where(wall_y, edge_y, there.y),
        speed * jnp.where(wall_x, -loner.hx, loner.hx),
        speed * jnp.where(wall_y, -loner.hy, loner.hy),
    )

    # Something else happens to one of the two within the tie window, or one of them touches a wall.
    soon = dt + rules.tie_window
    busy = (pick(own_times, choice.i) <= soon) | (pick(own_times, choice.j) <= soon)
    for ball in (one_there, two_there):
        gap_x = jnp.minimum(table.width - ball.radius - ball.x, ball.x - ball.radius)
        gap_y = jnp.minimum(table.height - ball.radius - ball.y, ball.y - ball.radius)
        busy = busy | ((table.width < jnp.inf) & (gap_x <= tol.touch)) | ((table.height < jnp.inf) & (gap_y <= tol.touch))

    cue_pair, cue_own = hit & (choice.i == 0), choice.loner == 0
    return Change(
        one=jnp.where(hit, choice.i, jnp.where(own, choice.loner, -1)),
        two=jnp.where(hit, choice.j, -1),
        new_one=tuple(jnp.where(hit, p, a) for p, a in zip(pair_one, alone, strict=True)),
        new_two=pair_two,
        radius_one=jnp.where(hit, one.radius, loner.radius),
        radius_two=two.radius,
        impact=hit | wall_x | wall_y,
        captured=captured,
        wall_x=wall_x,
        wall_y=wall_y,
        slot_one=jnp.where(cue_pair, choice.j, jnp.where(cue_own & wall_x, n + _either(right, RIGHT, LEFT), -1)),
        slot_two=jnp.where(cue_own & wall_y, n + _either(top, TOP, BOTTOM), -1),
        tie=hit & busy,
    )


def to_polar(change: Change, *, v_snap: float) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]]:
    """Heading and speed (hx, hy, speed) of the balls concerned; balls slower than `v_snap` come to rest."""

    def polar(vx: jax.Array, vy: jax.Array) -> tuple[jax.Array, ...]:
        speed = jnp.sqrt(vx * vx + vy * vy)
        speed = jnp.where(speed < v_snap, 0, speed)
        inverse = jnp.where(speed > 0, 1 / jnp.where(speed > 0, speed, 1), 0)
        return vx * inverse, vy * inverse, speed

    return polar(*change.new_one[2:]), polar(*change.new_two[2:])


def apply(
    balls: Balls,
    a: jax.Array,
    dt: jax.Array,
    change: Change,
    polar: tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]],
) -> Balls:
    """All balls after the step: those concerned get their new state, the others move freely."""
    there = lm.advance(balls, a[None], dt[None])
    ball = jnp.arange(balls.x.shape[0], dtype=jnp.int32)[:, None]
    is_one, is_two = ball == change.one[None], ball == change.two[None]
    new_one, new_two = (*change.new_one[:2], *polar[0]), (*change.new_two[:2], *polar[1])
    moved = [
        jnp.where(is_one, p[None], jnp.where(is_two, q[None], free))
        for p, q, free in zip(new_one, new_two, there[:5], strict=True)
    ]
    return Balls(*moved, alive=balls.alive & ~(is_one & change.captured[None]), radius=balls.radius, mass=balls.mass)


def record(
    one: Balls,
    two: Balls,
    loner: Balls,
    table: Table,
    choice: Choice,
    decision: Decision,
    change: Change,
    polar: tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]],
    moved: Balls,
    group: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Up to two events of the pass, the second one only at a corner.

    Returns:
        happened (2, l) bool; numbers (2, 10, l): time, two places, two velocities, impulse;
        labels (2, 3, l) int32: kind and bodies.
    """
    hit, zero = decision.hit, jnp.zeros_like(group)
    x, y, vx, vy = change.new_one
    (hx, hy, speed), (hx2, hy2, speed2) = polar
    vx, vy = hx * speed, hy * speed
    corner = change.wall_x & change.wall_y
    only_x = change.wall_x & ~change.wall_y
    _, _, push = _collide(*(lm.advance(b, table.a, decision.dt) for b in (one, two)), 1e-30)

    hole, hole_x, hole_y = jnp.zeros_like(change.one), x, y
    first = jnp.full_like(group, jnp.inf)
    for k, (px, py, reach) in enumerate(zip(table.pocket_x, table.pocket_y, table.pocket_radius, strict=True)):
        arc = lm.pocket_arc(loner, px, py, reach)
        better = arc < first
        hole, first = jnp.where(better, k, hole), jnp.where(better, arc, first)
        hole_x, hole_y = jnp.where(better, px, hole_x), jnp.where(better, py, hole_y)

    def wall_event(across_x: jax.Array) -> tuple[jax.Array, ...]:
        right, top = loner.hx > 0, loner.hy > 0
        index = jnp.where(across_x, _either(right, RIGHT, LEFT), _either(top, TOP, BOTTOM))
        rim_x = jnp.where(across_x, x + jnp.where(right, loner.radius, -loner.radius), x)
        rim_y = jnp.where(across_x, y, y + jnp.where(top, loner.radius, -loner.radius))
        impulse = 2 * loner.mass * jnp.abs(jnp.where(across_x, vx, vy))
        return index, rim_x, rim_y, impulse

    wall = change.wall_x | change.wall_y
    events = []
    # Simultaneous walls are listed in the order of WALLS: top and bottom first.
    for across_x in (only_x, jnp.ones_like(corner)):
        index, rim_x, rim_y, impulse = wall_event(across_x)
        kind = jnp.where(hit, int(Kind.BALL), jnp.where(wall, int(Kind.WALL), _either(change.captured, *ENDS)))
        second = jnp.where(hit, change.two, jnp.where(wall, index, jnp.where(change.captured, hole, -1)))
        other_x = jnp.where(hit, change.new_two[0], jnp.where(wall, rim_x, jnp.where(change.captured, hole_x, x)))
        other_y = jnp.where(hit, change.new_two[1], jnp.where(wall, rim_y, jnp.where(change.captured, hole_y, y)))
        numbers = (
            group, x, y, other_x, other_y, vx, vy,
            jnp.where(hit, hx2 * speed2, zero), jnp.where(hit, hy2 * speed2, zero),
            jnp.where(hit, push, jnp.where(wall, impulse, zero)),
        )
        events.append((jnp.stack(numbers), jnp.stack([kind.astype(jnp.int32), change.one, second])))
    del choice, moved
    happened = jnp.stack([hit | decision.own, corner])
    return happened, jnp.stack([e[0] for e in events]), jnp.stack([e[1] for e in events])
