"""Arithmetic of the lane program: when a ball is on its own, and when two of them may meet.

Everything is elementwise over arrays whose last axis is the lanes, so that whole vectors of scenes run through
each operation. Times are durations from now (s), inf where nothing happens.

Pairs use the squared distance f(t) = |d(t)|² - reach². With m a lower bound of f'', the parabola
f + f' h + m h²/2 lies below f for the rest of the interval, so its first root never passes the first contact, and
a parabola without a root certifies a miss. One step gives a safe bound for every pair; only the pair with the
smallest bound is worth converging (performance specification, section 4).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Balls(NamedTuple):
    """Balls of all lanes, (n, l) each, or one ball per lane, (l,): heading (hx, hy) is a unit vector or zero."""

    x: jax.Array
    y: jax.Array
    hx: jax.Array
    hy: jax.Array
    speed: jax.Array
    alive: jax.Array


class Table(NamedTuple):
    """Constants of each lane's scene.

    Attributes:
        radius, mass: (n, l) m, kg.
        width, height, a, horizon: (l,) m, deceleration (m/s²), end time (s).
        pocket_x, pocket_y, pocket_radius: (p, l) m.
    """

    radius: jax.Array
    mass: jax.Array
    width: jax.Array
    height: jax.Array
    a: jax.Array
    horizon: jax.Array
    pocket_x: jax.Array
    pocket_y: jax.Array
    pocket_radius: jax.Array


class Tolerances(NamedTuple):
    """Numbers that depend on the precision.

    Attributes:
        contact: f below contact · reach² counts as touching.
        guard: relative lowering of m against rounding.
        touch: gap (m) below which bodies touch, and depth beyond which they overlap.
        tiny: smallest positive divisor.
        slow: a pair in contact that is pulled together is next looked at when its rims close at this speed (m/s).
    """

    contact: float
    guard: float
    touch: float
    tiny: float
    slow: float


TOLERANCES = {
    jnp.dtype("float64"): Tolerances(contact=3e-14, guard=1e-12, touch=1e-9, tiny=1e-300, slow=1e-9),
    # Single precision cannot resolve 1e-9 m on a table of metres; 1e-5 m is some fifty of its steps there.
    jnp.dtype("float32"): Tolerances(contact=1e-5, guard=1e-5, touch=1e-5, tiny=1e-30, slow=1e-6),
}

NEWTON_STEPS = 3
"""Minorant steps for the chosen pair; what has not converged makes a safe pass without an event."""


class Own(NamedTuple):
    """What a ball meets by itself: arc lengths to the walls across x and y and to each pocket, and the time.

    Attributes:
        time: time to the first of them, or to rest.
        arc_x, arc_y: arc length to the wall ahead along each axis.
        arc_pocket: arc length to the first pocket ahead.
        moving: the arc is reached before the ball comes to rest.
        outside: depth by which the centre lies beyond a wall plane; negative inside.
    """

    time: jax.Array
    arc_x: jax.Array
    arc_y: jax.Array
    arc_pocket: jax.Array
    moving: jax.Array
    outside: jax.Array


def balls_of(motion: jax.Array, alive: jax.Array) -> Balls:
    """Balls as views of packed rows (5, …): x, y, heading x, heading y, speed."""
    return Balls(motion[0], motion[1], motion[2], motion[3], motion[4], alive)


def wall_arc(
    place: jax.Array, heading: jax.Array, speed: jax.Array, low: jax.Array, high: jax.Array, v_snap: float
) -> jax.Array:
    """Arc length to the wall plane ahead along one axis, whose planes are `low` and `high` (inf: no walls)."""
    size = jnp.abs(heading)
    gap = jnp.maximum(jnp.where(heading > 0, high - place, place - low), 0)
    meets = (size * speed > v_snap) & (high < jnp.inf)
    return jnp.where(meets, gap / jnp.where(meets, size, 1), jnp.inf)


def pocket_arc(ball: Balls, x: jax.Array, y: jax.Array, reach: jax.Array) -> jax.Array:
    """Arc length until a centre enters the circle `reach` around (x, y); 0 when inside, moving or not."""
    dx, dy = x - ball.x, y - ball.y
    along = dx * ball.hx + dy * ball.hy
    ex, ey = dx - along * ball.hx, dy - along * ball.hy
    room = reach * reach - (ex * ex + ey * ey)
    arc = along - jnp.sqrt(jnp.maximum(room, 0))
    inside = dx * dx + dy * dy <= reach * reach
    enters = (room > 0) & (along > 0) & (ball.speed > 0)
    return jnp.where(inside, 0, jnp.where(enters, jnp.maximum(arc, 0), jnp.inf))


def own_event(ball: Balls, radius: jax.Array, table: Table, tie_window: float, v_snap: float) -> Own:
    """First wall, pocket or stop of each ball, left to itself.

    A wall that would be met less than the tie window before rest is not met: the stop comes first in a group, and a
    ball at rest does not approach.
    """
    low_x = low_y = radius
    high_x, high_y = row(table.width, ball.x) - radius, row(table.height, ball.x) - radius
    arc_x = wall_arc(ball.x, ball.hx, ball.speed, low_x, high_x, v_snap)
    arc_y = wall_arc(ball.y, ball.hy, ball.speed, low_y, high_y, v_snap)
    arc_pocket = jnp.full_like(arc_x, jnp.inf)
    for x, y, reach in zip(table.pocket_x, table.pocket_y, table.pocket_radius, strict=True):
        arc_pocket = jnp.minimum(arc_pocket, pocket_arc(ball, *(row(v, ball.x) for v in (x, y, reach))))
    ahead = jnp.minimum(jnp.minimum(arc_x, arc_y), arc_pocket)
    arc = jnp.where(ahead < jnp.inf, ahead, 0)
    a = row(table.a, ball.x)
    square = ball.speed * ball.speed - 2 * a * arc
    late = a * tie_window
    moving = (ahead < jnp.inf) & (square > late * late)
    top = jnp.where(moving, 2 * arc, ball.speed)
    below = jnp.where(moving, ball.speed + jnp.sqrt(jnp.maximum(square, 0)), a)
    time = jnp.where((ball.speed > 0) & (below > 0), top / jnp.where(below > 0, below, 1), jnp.inf)
    captured = arc_pocket <= 0
    time = jnp.where(ball.alive, jnp.where(captured, 0, time), jnp.inf)
    beyond_x = jnp.where(high_x < jnp.inf, jnp.maximum(ball.x - high_x, low_x - ball.x), -jnp.inf)
    beyond_y = jnp.where(high_y < jnp.inf, jnp.maximum(ball.y - high_y, low_y - ball.y), -jnp.inf)
    return Own(time, arc_x, arc_y, arc_pocket, moving | captured, jnp.maximum(beyond_x, beyond_y))


def row(lanes: jax.Array, like: jax.Array) -> jax.Array:
    """A (l,) array shaped to go with (n, l) ones, or itself."""
    return lanes.reshape((1,) * (like.ndim - 1) + lanes.shape)


class Separation(NamedTuple):
    """d(t) = d + u t + w t² of two balls and their reach; f(t) = |d(t)|² - reach² is a quartic.

    f is always formed from the components of d(t): from its coefficients it would lose three digits, and a grazing
    contact with it.
    """

    dx: jax.Array
    dy: jax.Array
    ux: jax.Array
    uy: jax.Array
    wx: jax.Array
    wy: jax.Array
    reach: jax.Array

    def value_slope(self, t: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return f(t) and f'(t)."""
        x, y = self.dx + (self.ux + self.wx * t) * t, self.dy + (self.uy + self.wy * t) * t
        vx, vy = self.ux + 2 * self.wx * t, self.uy + 2 * self.wy * t
        return x * x + y * y - self.reach * self.reach, 2 * (x * vx + y * vy)

    def bend(self, limit: jax.Array, guard: float) -> jax.Array:
        """Lower bound of f'' = 2 |u|² + 4 d·w + 12 u·w t + 12 |w|² t² on [0, limit]."""
        u2 = self.ux * self.ux + self.uy * self.uy
        m = 2 * (u2 + 2 * (self.dx * self.wx + self.dy * self.wy))
        m = m + jnp.minimum(12 * (self.ux * self.wx + self.uy * self.wy) * limit, 0)
        return m - guard * jnp.abs(m)


def separation(one: Balls, two: Balls, reach: jax.Array, a: jax.Array) -> Separation:
    """Relative motion of two balls, as long as both keep moving or resting as now."""
    return Separation(
        dx=one.x - two.x,
        dy=one.y - two.y,
        ux=one.hx * one.speed - two.hx * two.speed,
        uy=one.hy * one.speed - two.hy * two.speed,
        wx=-0.5 * a * (one.hx - two.hx),
        wy=-0.5 * a * (one.hy - two.hy),
        reach=reach,
    )


def safe_step(
    value: jax.Array, slope: jax.Array, bend: jax.Array, slowest: jax.Array, close: jax.Array, ahead: jax.Array
) -> jax.Array:
    """First root of the parabola from here on; inf if it has none. Approaches below `slowest` do not count.

    Values up to `close` are contact: the step is zero, or, if the pair does not approach, to where a parabola that
    bends down comes back, and at least so far that its slope falls by `ahead` (more than `slowest`): without that, two
    pairs that meet at once would pass the last 1e-18 s to and fro. Neither form has a cancellation.
    """
    value = jnp.where(value <= close, 0, value)
    slope = jnp.where((slope < 0) & (slope > -slowest), 0, slope)
    square = slope * slope - 2 * bend * value
    # The square root has one user, else XLA makes it a kernel of its own and repeats what leads to it.
    larger = jnp.abs(slope) + jnp.sqrt(jnp.maximum(square, 0))
    apart = slope >= 0
    top = jnp.where(apart, jnp.maximum(larger, ahead), 2 * value)
    below = jnp.where(apart, -bend, larger)
    exists = (square >= 0) & (below > 0)
    return jnp.where(exists, top / jnp.where(exists, below, 1), jnp.inf)


def start_slope(reach: jax.Array, v_snap: float, tol: Tolerances) -> jax.Array:
    """Slope at which a pair that is pulled together from rest approaches fast enough to count."""
    return 4 * max(v_snap, tol.slow) * reach


def pair_bound(
    one: Balls, two: Balls, reach: jax.Array, a: jax.Array, limit: jax.Array, v_snap: float, tol: Tolerances
) -> jax.Array:
    """Time before which two balls cannot touch, looking no further than `limit`; -1 if they overlap."""
    f = separation(one, two, reach, a)
    value = f.dx * f.dx + f.dy * f.dy - reach * reach
    slope = 2 * (f.dx * f.ux + f.dy * f.uy)
    close, slowest = tol.contact * reach * reach, 2 * reach * v_snap
    bound = safe_step(value, slope, f.bend(limit, tol.guard), slowest, close, start_slope(reach, v_snap, tol))
    bound = jnp.where(value < -2 * tol.touch * reach, -1, bound)
    return jnp.where(one.alive & two.alive, bound, jnp.inf)


def refine(f: Separation, start: jax.Array, limit: jax.Array, v_snap: float, tol: Tolerances) -> jax.Array:
    """Follow safe steps from `start` towards the contact, not beyond `limit`; inf if there is none.

    A pair that is in contact at `start` stays there; the others go on to the last digit.
    """
    bend, slowest = f.bend(limit, tol.guard), 2 * f.reach * v_snap
    value, slope = f.value_slope(jnp.where(start < jnp.inf, start, 0))
    settled = (value <= tol.contact * f.reach * f.reach) & (slope < -slowest)
    t = start
    for _ in range(NEWTON_STEPS):
        value, slope = f.value_slope(jnp.where(t < jnp.inf, t, 0))
        step = safe_step(value, slope, bend, slowest, jnp.zeros_like(bend), start_slope(f.reach, v_snap, tol))
        t = jnp.where(t <= limit, t + step, t)
    return jnp.where(settled, start, t)


def touches(f: Separation, t: jax.Array, v_snap: float, tol: Tolerances) -> jax.Array:
    """Whether the balls are in contact and approaching at time t."""
    value, slope = f.value_slope(jnp.where(t < jnp.inf, t, 0))
    close = value <= tol.contact * f.reach * f.reach
    return (t < jnp.inf) & close & (slope < -2 * f.reach * v_snap)


def advance(ball: Balls, a: jax.Array, dt: jax.Array) -> Balls:
    """Free motion for a time not beyond the first stop."""
    arc = jnp.where(ball.speed > 0, ball.speed * dt - 0.5 * a * dt * dt, 0)
    return ball._replace(x=ball.x + ball.hx * arc, y=ball.y + ball.hy * arc, speed=jnp.maximum(ball.speed - a * dt, 0))
