"""The event loop of one scene in 60-digit arithmetic, with a general polynomial root finder (mpmath).

The judge where two float64 programs differ. One contact at a time (and both walls of a corner): a scene in which
other contacts coincide raises `TieError`, because its answer is a matter of the joint impact rule, which closed
forms and `numpy_loop` cover. Balls may differ in radius and mass; no pockets.
"""

import itertools
from dataclasses import dataclass

import mpmath
import numpy as np
from mpmath import mpf

from tests.oracle.scene import KINDS, Event, Result, Scene

DIGITS = 60
TIE = 1e-9
MAX_EVENTS = 2_000

Vector = list[mpf]


class TieError(ValueError):
    """Two contacts closer in time than the tie window."""


@dataclass
class _Ball:
    pos: Vector
    vel: Vector
    radius: mpf
    mass: mpf
    path: mpf

    @property
    def speed(self) -> mpf:
        return mpmath.hypot(*self.vel)

    @property
    def heading(self) -> Vector:
        speed = self.speed
        return [c / speed if speed else mpf(0) for c in self.vel]

    def advance(self, a: mpf, dt: mpf) -> None:
        speed, heading = self.speed, self.heading
        if not speed:
            return
        length = speed * dt - a * dt * dt / 2
        self.pos = [x + h * length for x, h in zip(self.pos, heading, strict=True)]
        self.vel = [h * max(speed - a * dt, mpf(0)) for h in heading]
        self.path += length


def simulate(scene: Scene, horizon: float, digits: int = DIGITS) -> Result:
    """Run a scene to time `horizon` and round the answer to float64.

    Raises:
        TieError: if two contacts coincide. RuntimeError: after `MAX_EVENTS` events.
    """
    with mpmath.workdps(digits):
        balls = [
            _Ball(
                [mpf(c) for c in scene.pos[i]],
                [mpf(c) for c in scene.vel[i]],
                mpf(scene.radius[i]),
                mpf(scene.mass[i]),
                mpf(0),
            )
            for i in range(len(scene.pos))
        ]
        a, time, events = mpf(scene.a), mpf(0), list[Event]()
        for _ in range(MAX_EVENTS):
            left = mpf(horizon) - time
            due = _due(scene, balls, a, left)
            soonest = min((c[0] for c in due), default=mpmath.inf)
            for ball in balls:
                ball.advance(a, min(soonest, left))
            if soonest > left:
                return Result(
                    np.array([[float(c) for c in ball.pos] for ball in balls]),
                    np.array([[float(c) for c in ball.vel] for ball in balls]),
                    np.ones(len(balls), bool),
                    np.array([float(ball.path) for ball in balls]),
                    events,
                )
            time += soonest
            group = [(kind, bodies) for t, kind, bodies in due if t <= soonest + mpf(TIE)]
            _refuse_ties(group)
            for kind, bodies in sorted(group, key=lambda c: (KINDS.index(c[0]), c[1])):
                events.append(Event(float(time), kind, bodies, float(_happen(scene, balls, kind, bodies))))
        raise RuntimeError(f"more than {MAX_EVENTS} events before t = {horizon}")


def _refuse_ties(group: list[tuple[str, tuple[int, ...]]]) -> None:
    for (kind, one), (other_kind, other) in itertools.combinations(group, 2):
        shared = set(one if kind == "ball" else one[:1]) & set(other if other_kind == "ball" else other[:1])
        corner = kind == other_kind == "wall"
        if shared and not corner:
            raise TieError(f"{kind} {one} and {other_kind} {other} coincide")


def _due(scene: Scene, balls: list[_Ball], a: mpf, left: mpf) -> list[tuple[mpf, str, tuple[int, ...]]]:
    due: list[tuple[mpf, str, tuple[int, ...]]] = []
    for i, ball in enumerate(balls):
        if not ball.speed:
            continue
        if a > 0:
            due.append((ball.speed / a, "stop", (i,)))
        for wall, (axis, sign) in enumerate(((1, 1), (1, -1), (0, -1), (0, 1))):
            plane = mpf(scene.size[axis]) - ball.radius if sign > 0 else ball.radius
            if ball.vel[axis] * sign > 0 and np.isfinite(scene.size[axis]):
                due.append(
                    (_travel_time(ball.speed, (plane - ball.pos[axis]) / ball.heading[axis], a), "wall", (i, wall))
                )
    limit = min([left, *(c[0] for c in due)]) + mpf(TIE)
    for i, j in itertools.combinations(range(len(balls)), 2):
        due.append((_pair_time(balls[i], balls[j], a, limit), "ball", (i, j)))
    return due


def _travel_time(speed: mpf, length: mpf, a: mpf) -> mpf:
    square = speed * speed - 2 * a * length
    return 2 * length / (speed + mpmath.sqrt(square)) if square > 0 else mpf(mpmath.inf)


def _pair_time(one: _Ball, other: _Ball, a: mpf, limit: mpf) -> mpf:
    """First approaching root of |d(t)|² = (r1 + r2)² up to `limit` or the first stop, in full generality.

    A ball at rest has no acceleration; then and without friction the quartic is a parabola, as it must be.
    """
    moving = [ball.speed for ball in (one, other) if ball.speed]
    offset = [q - p for p, q in zip(one.pos, other.pos, strict=True)]
    reach = one.radius + other.radius
    if not moving or mpmath.hypot(*offset) - reach > sum(moving) * limit:
        return mpf(mpmath.inf)
    relative = [q - p for p, q in zip(one.vel, other.vel, strict=True)]
    curve = [(p - q) * a / 2 for p, q in zip(one.heading, other.heading, strict=True)]
    quartic = [  # ascending powers
        mpmath.fdot(offset, offset) - reach * reach,
        2 * mpmath.fdot(offset, relative),
        mpmath.fdot(relative, relative) + 2 * mpmath.fdot(offset, curve),
        2 * mpmath.fdot(relative, curve),
        mpmath.fdot(curve, curve),
    ]
    while not quartic[-1]:
        quartic.pop()
        if len(quartic) == 1:
            return mpf(mpmath.inf)
    slope = [k * c for k, c in enumerate(quartic)][1:]
    roots = mpmath.polyroots(quartic, maxsteps=400, extraprec=200, asc=True)
    limit = min([limit, *(v / a for v in moving)]) if a > 0 else limit
    # After an impact the pair stands at distance `reach` and separates: its root at 0 has a positive slope.
    times = [
        r.real
        for r in map(mpmath.mpmathify, roots)
        if abs(mpmath.im(r)) < mpf(10) ** (-DIGITS // 2)
        and -mpf(TIE) < mpmath.re(r) <= limit
        and mpmath.polyval(slope, mpmath.re(r), asc=True) < 0
    ]
    return max(min(times, default=mpf(mpmath.inf)), mpf(0))


def _happen(scene: Scene, balls: list[_Ball], kind: str, bodies: tuple[int, ...]) -> mpf:
    """Resolve one event; the impulse."""
    one = balls[bodies[0]]
    if kind == "stop":
        one.vel = [mpf(0), mpf(0)]
        return mpf(0)
    if kind == "wall":
        axis = 1 if bodies[1] < 2 else 0
        one.vel[axis] = -one.vel[axis]
        return 2 * one.mass * abs(one.vel[axis])
    other = balls[bodies[1]]
    offset = [q - p for p, q in zip(one.pos, other.pos, strict=True)]
    normal = [c / mpmath.hypot(*offset) for c in offset]
    approach = mpmath.fdot(normal, [p - q for p, q in zip(one.vel, other.vel, strict=True)])
    impulse = 2 * approach / (1 / one.mass + 1 / other.mass)
    one.vel = [v - impulse / one.mass * n for v, n in zip(one.vel, normal, strict=True)]
    other.vel = [v + impulse / other.mass * n for v, n in zip(other.vel, normal, strict=True)]
    # What a float64 program sets to rest is at rest here too.
    for ball in (one, other):
        ball.vel = ball.vel if ball.speed >= mpf("1e-12") else [mpf(0), mpf(0)]
    return impulse
