"""A plain event simulator of primitives on a plane, one scene in NumPy float64, written to be read.

It shares no code and no root finder with the product. Contacts are found by creeping along the smooth motion between
two changes of friction, never further than the bodies can have come closer, and halving the last step; so none is
missed that lasts longer than `LEAST_STEP`. The model is that of the InPhyRe specification, section 3.
"""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from tests.oracle import planar_gap
from tests.oracle.planar_laws import LAWS
from tests.oracle.planar_scene import KINDS, Body, Event, Floats, Pair, Result, Scene

V_SNAP = 1e-9
"""Slower approaches of touching bodies are no contact (m/s)."""
QUIET = 1e-12
"""Speeds and spins below this, after a contact, are rounding (m/s, rad/s)."""
TOUCH = 1e-9
"""Bodies this close touch (m)."""
LEAST_STEP = 1e-5
TIE_WINDOW = 1e-9
MAX_GROUPS = 500


class TieError(Exception):
    """Two contacts of one instant share a body: the laws do not say what happens."""


def simulate(scene: Scene, horizon: float, most: int = MAX_GROUPS) -> Result:
    """Run a scene to time `horizon`.

    Raises:
        TieError: contacts of one instant that share a body.
        RuntimeError: after `most` groups of events.
    """
    result = Result([body.copy() for body in scene.bodies], [], set())
    for index, body in enumerate(result.bodies):
        body.look = index if body.look < 0 else body.look
    time = 0.0
    for _ in range(most):
        due = [(t, kind, i) for i, body in enumerate(result.bodies) for kind, t in changes(body, scene.g)]
        window = min([t for t, _, _ in due] + [horizon - time])
        meetings = list(_meetings(scene, result, window))
        soonest = min([t for t, _ in meetings] + [window])
        now = [c for c in due if c[0] <= soonest + TIE_WINDOW]
        hit = sorted(pair for t, pair in meetings if t <= soonest + TIE_WINDOW)
        for body in result.bodies:
            move(body, soonest, scene.g)
        time += soonest
        for _, kind, i in sorted(now, key=lambda c: (KINDS.index(c[1]), c[2])):
            settle(result.bodies[i], kind)
            result.events.append(Event(time, kind, (i,)))
        if len(set(itertools.chain(*hit))) < 2 * len(hit):
            raise TieError(f"contacts {hit} at {time} s")
        result.events += [_collide(scene, result, pair, time) for pair in hit]
        if not now and not hit:
            return result
    raise RuntimeError(f"more than {most} groups of events before t = {horizon}")


def slip(body: Body) -> Floats:
    """Velocity (2,) of the lowest point of a body over the floor."""
    return body.vel - body.roll if body.shape == "sphere" else body.vel


def pull(body: Body, g: float) -> tuple[Floats, Floats]:
    """Accelerations (2,) of `vel` and `roll`: friction against the slip; 5/2 of it speeds up a sphere's rolling."""
    sliding = slip(body)
    speed, rolling = math.hypot(*sliding), math.hypot(*body.vel)
    if speed > 0:
        push = -body.mu * g * sliding / speed
        return push, (-2.5 * push if body.shape == "sphere" else np.zeros(2))
    if body.shape == "sphere" and rolling > 0:
        brake = -body.mu_roll * g * body.vel / rolling
        return brake, brake
    return np.zeros(2), np.zeros(2)


def twist(body: Body, g: float) -> float:
    """Angular acceleration about z: -kappa mu g / reach against the spin; a sphere is not slowed."""
    if body.shape == "sphere" or body.spin == 0:
        return 0.0
    return -math.copysign(body.kappa * body.mu * g / min(body.half), body.spin)


def changes(body: Body, g: float) -> Iterator[tuple[str, float]]:
    """Kinds and times of the changes of friction that lie ahead."""
    push, roll = pull(body, g)
    sliding = slip(body)
    if sliding.any() and push.any():
        # Along its own direction the slip falls at a steady rate.
        kind = "roll" if body.shape == "sphere" else "stop"
        yield kind, math.hypot(*sliding) / math.hypot(*(push - roll))
    elif push.any():
        yield "stop", math.hypot(*body.vel) / math.hypot(*push)
    if slowing := twist(body, g):
        yield "spin_end", -body.spin / slowing


def settle(body: Body, kind: str) -> None:
    """Write down exactly what a change of friction means, which the motion reaches only to rounding."""
    if kind == "stop":
        body.vel, body.roll = np.zeros(2), np.zeros(2)
    elif kind == "roll":
        # v + 2/5 roll is conserved while a sphere slides: (5 v + 2 r w)/7.
        speed = (5 * body.vel + 2 * body.roll) / 7
        body.vel = body.roll = speed if math.hypot(*speed) >= QUIET else np.zeros(2)
    else:
        body.spin = 0.0


def move(body: Body, dt: float, g: float) -> None:
    """Free motion over a time in which friction does not change."""
    (push, roll), slowing = pull(body, g), twist(body, g)
    body.pos = body.pos + body.vel * dt + 0.5 * push * dt * dt
    body.vel, body.roll = body.vel + push * dt, body.roll + roll * dt
    body.yaw += body.spin * dt + 0.5 * slowing * dt * dt
    body.spin += slowing * dt


def _after(body: Body, dt: float, g: float) -> Body:
    moved = body.copy()
    move(moved, dt, g)
    return moved


def _fastest(body: Body, window: float, g: float) -> float:
    """A bound on the speed of every point of a body during the window."""
    later = _after(body, window, g)
    reach = math.hypot(*body.half) if body.shape == "cube" else 0.0
    return max(math.hypot(*body.vel), math.hypot(*later.vel)) + max(abs(body.spin), abs(later.spin)) * reach


def _meetings(scene: Scene, result: Result, window: float) -> Iterator[tuple[float, Pair]]:
    """First contact of every pair within the window, as (time until it, pair)."""
    for pair in itertools.combinations(range(len(result.bodies)), 2):
        a, b = (result.bodies[k] for k in pair)
        if pair in result.through or (a.mass == math.inf and b.mass == math.inf):
            continue
        bound = _fastest(a, window, scene.g) + _fastest(b, window, scene.g)
        if bound > 0 and (t := _first_touch(a, b, window, bound, scene.g)) is not None:
            yield t, pair


def _first_touch(a: Body, b: Body, window: float, bound: float, g: float) -> float | None:
    def apart(t: float) -> float:
        return planar_gap.gap(_after(a, t, g), _after(b, t, g))

    def closing(t: float) -> float:
        return planar_gap.closing(_after(a, t, g), _after(b, t, g))

    low, height = 0.0, apart(0.0)
    if height <= TOUCH and closing(0.0) > V_SNAP:
        return 0.0
    while low < window:
        high = min(low + max(max(height, 0.0) / bound, LEAST_STEP), window)
        deeper = apart(high)
        if deeper < 0 <= height and closing(found := _halve(apart, low, high)) > V_SNAP:
            return found
        if deeper < -TOUCH <= height:
            return low
        low, height = high, deeper
    return None


def _halve(apart: Callable[[float], float], low: float, high: float) -> float:
    """The last time before a change of sign."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if apart(middle) >= 0 else (low, middle)
    return low


def _collide(scene: Scene, result: Result, pair: Pair, time: float) -> Event:
    a, b = (result.bodies[k] for k in pair)
    along = planar_gap.normal(a, b)
    place = planar_gap.meeting_place(a, b, along)
    before = (a.copy(), b.copy())
    name, params = scene.law(pair)
    through = LAWS[name](a, b, along, params)
    if through:
        result.through.add(pair)
    for body in (a, b):
        _quieten(body)
    return Event(time, "contact", pair, along, place, before, (a.copy(), b.copy()), through)


def _quieten(body: Body) -> None:
    """What an exchange leaves by rounding is nothing."""
    if math.hypot(*body.vel) < QUIET:
        body.vel = np.zeros(2)
    if abs(body.spin) < QUIET:
        body.spin = 0.0
