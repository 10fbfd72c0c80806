"""Which way to leave a hazard, by somebody who knows how the robot walks (humanoid specification, section 8.7).

A retreat is a walking command that is held for a while. Of all that are tried, those count that keep the robot clear of
the hazard at all times, the robot moving as it was measured to (`walking`) and the hazard as its velocity at the impact
says: straight on, falling freely before, or about its hinge. Of these the one is taken whose command leads out of the
hazard's way first. Where nothing keeps clear, what keeps the most distance counts. Places are (forward, left, up) from
the pelvis at the start, in m. Public: `Threat`, `threat_of`, `retreat`.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.scene import Hinge, Thing, Vector
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.walking import displaced

Floats = NDArray[np.float64]

CLEAR = 1.5
"""A retreat goes on until the robot's axis is this far from the hazard's way (m)."""
ONWARD = 1.0
"""For so long a hazard goes straight on from the point of impact (s)."""
INSTANTS = 61
"""Times at which a retreat is looked at."""
LEAST = 0.5
"""Least time of a retreat (s)."""
RADIUS, HEIGHT = 0.25, 1.32
"""Of the robot (m, section 3.2)."""
PELVIS = 0.79
"""Height of the pelvis (m)."""
SAFE, ALIKE = 0.15, 0.04
"""A distance that is enough, and by how much distances may differ that are alike (m)."""
GRAVITY = 9.81
SHARES = (0.25, 0.5, 0.75, 1.0)
"""Places on a panel, from its hinge to the point of impact."""


@dataclass(frozen=True)
class Threat:
    """A hazard at the impact, as the robot sees it.

    Attributes:
        place: m. velocity: (forward, left, up) m/s; None: it stays. time: of the impact (s); None: it is over.
        radius: of the hazard (m). hinge: a point of its axis (m) and the direction of that; None: it is free.
    """

    place: Vector
    velocity: Vector | None = None
    time: float | None = None
    radius: float = 0.0
    hinge: tuple[Vector, Vector] | None = None

    def places(self, times: Floats) -> Floats:
        """(t, k, 3) places of points of it at some times (s)."""
        place = np.array(self.place)
        if self.velocity is None:
            return np.tile(place, (len(times), 1, 1))
        since = times - (self.time or 0.0)
        velocity = np.array(self.velocity)
        if self.hinge is not None:
            return _swung(place, velocity, np.array(self.hinge[0]), np.array(self.hinge[1]), since)
        way = place + since[:, None] * velocity
        way[:, 2] -= 0.5 * GRAVITY * since**2
        return np.asarray(way[:, None])


def threat_of(spec: ReactHumanSpec, labels: Labels) -> Threat | None:
    """The hazard of a scene, from its labels; None where it meets nothing."""
    if labels.impact_point is None:
        return None
    name = labels.impact_body or spec.tracked
    thing = next((thing for thing in spec.scene.things if thing.name == name), spec.scene.things[0])
    velocity = labels.impact_velocity
    return Threat(
        place=to_body(labels.impact_point, spec.robot_root),
        velocity=None if velocity is None else (velocity[1], -velocity[0], velocity[2]),
        time=labels.tti,
        radius=_radius(thing),
        hinge=None if thing.hinge is None else _hinge(thing.hinge, spec.robot_root),
    )


def _radius(thing: Thing) -> float:
    """How far it reaches from the point of impact; that of a hinged body lies on its surface."""
    return 0.0 if thing.hinge is not None else max(thing.size[:2])


def _hinge(hinge: Hinge, root: Vector) -> tuple[Vector, Vector]:
    x, y, z = hinge.axis
    return to_body(hinge.anchor, root), (y, -x, z)


def _swung(place: Floats, velocity: Floats, anchor: Floats, axis: Floats, since: Floats) -> Floats:
    """(t, k, 3) places of points between a hinge and the point of impact, turning at the rate of that moment."""
    arm = place - anchor
    along = axis * (arm @ axis)
    out = arm - along
    rate = float(np.cross(axis, out) @ velocity) / max(float(out @ out), 1e-9)
    angle = rate * since[:, None]
    turned = along + np.cos(angle) * out + np.sin(angle) * np.cross(axis, out)
    return np.stack([anchor + share * turned for share in SHARES], axis=1)


def retreat(threat: Threat, max_vx: float, max_vy: float, max_time: float) -> tuple[float, float, float]:
    """The command (forward, left) m/s and how long it is held (s); never forwards.

    Args:
        threat: what is left. max_vx, max_vy: fastest commands (m/s). max_time: longest time (s).
    """
    # Straight back first: of retreats that are equally fast it is the one that is taken.
    commands = [(-max_vx, max_vy * share) for share in (0.0, 0.5, -0.5, 1.0, -1.0)]
    commands += [(back * max_vx, max_vy * side) for back in (-0.5, 0.0) for side in (1.0, -1.0)]
    kept = [_kept(threat, command) for command in commands]
    enough = min(max(kept), SAFE) - ALIKE
    good = [command for command, distance in zip(commands, kept, strict=True) if distance >= enough]
    times = np.linspace(0.0, max_time, INSTANTS)
    way = _way(threat)

    def clear(command: tuple[float, float]) -> tuple[float, float]:
        """When a robot as fast as its command is clear of the way, and minus its distance at the end."""
        apart = np.linalg.norm(times[:, None, None] * np.array(command) - way, axis=-1).min(axis=1)
        free = np.flatnonzero(apart >= CLEAR)
        return (float(times[free[0]]) if free.size else math.inf, -float(apart[-1]))

    vx, vy = min(good, key=clear)
    apart = np.linalg.norm(displaced((vx, vy), times)[:, None] - way, axis=-1).min(axis=1)
    free = np.flatnonzero(apart >= CLEAR)
    return vx, vy, max(float(times[free[0]]), LEAST) if free.size else max_time


def _way(threat: Threat) -> Floats:
    """(k, 2) horizontal places that the hazard passes after the impact."""
    ahead = np.zeros(2) if threat.velocity is None else np.array(threat.velocity[:2])
    return np.array([threat.place[:2]]) + np.linspace(0.0, ONWARD, INSTANTS)[:, None] * ahead


def _kept(threat: Threat, command: tuple[float, float]) -> float:
    """Least distance between robot and hazard while it could be hit (m); below 0 it is."""
    last = (threat.time or 0.0) + ONWARD
    times = np.linspace(0.0, last, INSTANTS)
    places = threat.places(times)
    away = np.linalg.norm(displaced(command, times)[:, None] - places[..., :2], axis=-1)
    low = places[..., 2] < HEIGHT - PELVIS + threat.radius
    return float(np.where(low, away, np.inf).min()) - RADIUS - threat.radius
