"""A plain event simulator of one scene in NumPy float64, written to be read.

It shares no code and no root finder with the product: two moving balls meet at a root that `numpy.roots` finds,
and joint impacts are solved by trying every set of active contacts (`joint_impact`). The model is that of the
BilliardPhys-Bench specification, section 4.
"""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from tests.oracle.joint_impact import WALL_NORMALS, Contact, resolve
from tests.oracle.scene import Event, Floats, Result, Scene

TIE_WINDOW = 1e-9
V_SNAP = 1e-12
TOUCH = 1e-9
MAX_EVENTS = 10_000

Candidate = tuple[float, str, tuple[int, ...]]


def simulate(scene: Scene, horizon: float) -> Result:
    """Run a scene to time `horizon`.

    Raises:
        RuntimeError: after `MAX_EVENTS` groups of events.
    """
    n = len(scene.pos)
    result = Result(scene.pos.copy(), scene.vel.copy(), np.ones(n, bool), np.zeros(n))
    time = 0.0
    for _ in range(MAX_EVENTS):
        speed = np.sqrt((result.vel * result.vel).sum(axis=1))
        due = list(_lone_times(scene, result, speed))
        # No pair matters that meets later than this.
        limit = min((c[0] for c in due), default=math.inf) + TIE_WINDOW
        due += _pair_times(scene, result, speed, min(limit, horizon - time))
        soonest = min((c[0] for c in due), default=math.inf)
        if soonest > horizon - time:
            _advance(scene.a, result, horizon - time)
            return result
        _advance(scene.a, result, soonest)
        time += soonest
        group = [c for c in due if c[0] <= soonest + TIE_WINDOW]
        result.events += _happen(scene, result, group, time)
    raise RuntimeError(f"more than {MAX_EVENTS} groups of events before t = {horizon}")


def _advance(a: float, result: Result, dt: float) -> None:
    """Free motion: s(t) = v t - a t²/2 along the heading, until rest at v/a."""
    for i, v in enumerate(result.vel):
        speed = float(np.linalg.norm(v))
        if speed == 0.0:
            continue
        stops = a > 0 and dt >= speed / a
        length = speed * speed / (2 * a) if stops else (speed - 0.5 * a * dt) * dt
        result.pos[i] += v / speed * length
        result.vel[i] *= 0.0 if stops else (speed - a * dt) / speed
        result.path[i] += length


def _lone_times(scene: Scene, result: Result, speed: Floats) -> Iterator[Candidate]:
    """Stops, captures and walls, with the time until each (s)."""
    a, pos, vel = scene.a, result.pos, result.vel
    balls = [i for i in range(len(pos)) if result.alive[i]]
    for i in balls:
        if speed[i] == 0.0:
            yield from ((0.0, "pocket", (i, k)) for k in range(len(scene.pockets)) if _inside(scene, pos[i], k))
            continue
        if a > 0:
            yield float(speed[i]) / a, "stop", (i,)
        for k, (x, y, reach) in enumerate(scene.pockets):
            t = 0.0 if _inside(scene, pos[i], k) else _disc_time(pos[i], vel[i], np.array([x, y]), reach, a)
            yield t, "pocket", (i, k)
        for wall, t in _wall_times(scene, i, pos[i], vel[i], float(speed[i])):
            yield t, "wall", (i, wall)


def _pair_times(scene: Scene, result: Result, speed: Floats, limit: float) -> Iterator[Candidate]:
    """Contacts of two balls, at least one of them moving, not after `limit`."""
    a, pos, vel = scene.a, result.pos, result.vel
    balls = [i for i in range(len(pos)) if result.alive[i]]
    for i, j in itertools.combinations(balls, 2):
        reach = float(scene.radius[i] + scene.radius[j])
        if np.linalg.norm(pos[j] - pos[i]) - reach > (speed[i] + speed[j]) * limit:
            continue  # Too far apart; this also leaves out two balls at rest.
        if speed[i] > 0 and speed[j] > 0:
            t = _pair_time(pos[[i, j]], vel[[i, j]], speed[[i, j]], reach, a, limit)
        elif speed[i] > 0 or speed[j] > 0:
            mover, target = (i, j) if speed[i] > 0 else (j, i)
            t = _disc_time(pos[mover], vel[mover], pos[target], reach, a)
        else:
            continue
        yield t, "ball", (i, j)


def _inside(scene: Scene, pos: Floats, pocket: int) -> bool:
    x, y, reach = scene.pockets[pocket]
    return bool(np.linalg.norm(pos - (x, y)) <= reach)


def _travel_time(speed: float, length: float, a: float) -> float:
    """Time to travel a length; inf when the ball stops before it, or on it."""
    square = speed * speed - 2 * a * length
    return 2 * length / (speed + math.sqrt(square)) if square > 0 else math.inf


def _wall_times(scene: Scene, ball: int, pos: Floats, vel: Floats, speed: float) -> Iterator[tuple[int, float]]:
    for wall, normal in enumerate(WALL_NORMALS):
        axis = int(np.flatnonzero(normal)[0])
        side = scene.size[axis]
        plane = side - scene.radius[ball] if normal[axis] > 0 else scene.radius[ball]
        toward = vel[axis] * normal[axis]
        if toward > V_SNAP and math.isfinite(side):
            gap = max((plane - pos[axis]) * normal[axis], 0.0)
            yield wall, _travel_time(speed, gap * speed / toward, scene.a)


def _disc_time(pos: Floats, vel: Floats, target: Floats, reach: float, a: float) -> float:
    """Time until a moving centre comes within `reach` of a point at rest: a quadratic in path length."""
    speed, offset = float(np.linalg.norm(vel)), target - pos
    heading = vel / speed
    along = float(offset @ heading)
    across = offset - along * heading
    room = reach * reach - across @ across
    if room <= 0 or along <= 0 or speed * along / np.linalg.norm(offset) <= V_SNAP:
        return math.inf
    return _travel_time(speed, max(along - math.sqrt(room), 0.0), a)


def _pair_time(pos: Floats, vel: Floats, speed: Floats, reach: float, a: float, left: float) -> float:
    """First approaching root of |d(t)|² = reach², a quartic in time, before either ball stops."""
    offset, relative = pos[1] - pos[0], vel[1] - vel[0]
    curve = -0.5 * a * (vel[1] / speed[1] - vel[0] / speed[0])
    limit = min(left, float(speed.min()) / a) if a > 0 else left
    touching = np.linalg.norm(offset) <= reach
    if touching and offset @ relative < -V_SNAP * reach:
        return 0.0
    return _first_root(offset, relative, curve, reach, limit)


def _first_root(offset: Floats, relative: Floats, curve: Floats, reach: float, limit: float) -> float:
    quartic = np.array(
        [
            curve @ curve,
            2 * relative @ curve,
            relative @ relative + 2 * offset @ curve,
            2 * offset @ relative,
            offset @ offset - reach * reach,
        ]
    )
    slope = quartic[:4] * (4, 3, 2, 1)
    best = math.inf
    for root in np.roots(quartic):
        t = float(root.real)
        if abs(root.imag) > 1e-6 * max(1.0, abs(t)):
            continue
        for _ in range(2):
            rate = np.polyval(slope, t)
            t -= np.polyval(quartic, t) / rate if rate != 0 else 0.0
        # A real root to rounding, and an approach there: d/dt |d|² = 2 reach times the approach speed.
        if 0 < t <= min(limit, best) and np.polyval(slope, t) < -2 * reach * V_SNAP:
            best = t if abs(np.polyval(quartic, t)) < 1e-13 else best
    return best


def _happen(scene: Scene, result: Result, group: list[Candidate], time: float) -> list[Event]:
    """Resolve simultaneous events: stops, then captures, then all impacts jointly; the list in (kind, ids) order."""
    events = []
    for _, kind, bodies in sorted(group, key=lambda c: c[2]):
        if kind in ("stop", "pocket") and result.alive[bodies[0]]:
            result.vel[bodies[0]] = 0.0
            result.alive[bodies[0]] = kind == "stop"
            events.append(Event(time, kind, bodies))
    # `sorted` is stable: stops come before captures, each by ball.
    events.sort(key=lambda event: event.kind != "stop")
    struck = {(kind, bodies) for _, kind, bodies in group if kind in ("wall", "ball")}
    struck = {c for c in struck if all(result.alive[i] for i in (c[1] if c[0] == "ball" else c[1][:1]))}
    if not struck:
        return events
    for kind, (ball, wall) in struck:
        if kind == "wall":
            axis = int(np.flatnonzero(WALL_NORMALS[wall])[0])
            high = WALL_NORMALS[wall][axis] > 0
            result.pos[ball, axis] = scene.size[axis] - scene.radius[ball] if high else scene.radius[ball]
    contacts = sorted(struck | set(_touching(scene, result)), key=lambda c: (c[0] == "ball", c[1]))
    impulses = resolve(result.pos, result.vel, scene.mass, contacts, V_SNAP)
    return events + [Event(time, *contact, j) for contact, j in zip(contacts, impulses, strict=True) if j > 0]


def _touching(scene: Scene, result: Result) -> Iterator[Contact]:
    """Contacts that exist anywhere in the scene, moving or not."""
    low = result.pos - scene.radius[:, None]
    high = np.asarray(scene.size) - scene.radius[:, None] - result.pos
    for wall, gap in enumerate((high[:, 1], low[:, 1], low[:, 0], high[:, 0])):
        if math.isfinite(scene.size[1 if wall < 2 else 0]):
            yield from (("wall", (int(i), wall)) for i in np.flatnonzero((np.abs(gap) <= TOUCH) & result.alive))
    for i, centre in enumerate(result.pos):
        offset = result.pos[i + 1 :] - centre
        gap = np.sqrt((offset * offset).sum(axis=1)) - scene.radius[i + 1 :] - scene.radius[i]
        for j in np.flatnonzero((gap <= TOUCH) & result.alive[i + 1 :]):
            if result.alive[i]:
                yield "ball", (i, i + 1 + int(j))
