"""What the independent simulators take and give: `Scene`, `Event`, `Result`.

SI units, NumPy float64, one scene. Walls are named TOP, BOTTOM, LEFT, RIGHT (y = H, y = 0, x = 0, x = W). A
size of inf means that there are no walls along that axis.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

WALLS = ("TOP", "BOTTOM", "LEFT", "RIGHT")
KINDS = ("stop", "pocket", "wall", "ball")
"""Kinds of event, in the order in which simultaneous ones are resolved."""


@dataclass(frozen=True)
class Scene:
    """A table and its balls.

    Attributes:
        pos, vel: (n, 2) m, m/s.
        radius, mass: (n,) m, kg.
        a: deceleration mu g (m/s²).
        size: width and height (m).
        pockets: (x, y, capture radius) of each pocket (m).
    """

    pos: Floats
    vel: Floats
    radius: Floats
    mass: Floats
    a: float
    size: tuple[float, float] = (2.0, 1.0)
    pockets: Sequence[tuple[float, float, float]] = ()

    @staticmethod
    def equal(
        pos: npt.ArrayLike,
        vel: npt.ArrayLike,
        *,
        radius: float = 0.03,
        a: float = 0.0196,
        size: tuple[float, float] = (2.0, 1.0),
        pockets: Sequence[tuple[float, float, float]] = (),
    ) -> "Scene":
        """A scene of equal balls of 1 kg."""
        pos, vel = np.asarray(pos, float), np.asarray(vel, float)
        n = len(pos)
        return Scene(pos, vel, np.full(n, radius), np.ones(n), a, size, pockets)


@dataclass(frozen=True)
class Event:
    """One event: `bodies` are two balls, ball and wall, ball and pocket, or the ball alone for a stop."""

    time: float
    kind: str
    bodies: tuple[int, ...]
    impulse: float = 0.0

    @property
    def name(self) -> tuple[str, tuple[int, ...]]:
        """What happened, without the time."""
        return self.kind, self.bodies


@dataclass
class Result:
    """The scene at the end time, what happened, and the path length of each ball (n,) m."""

    pos: Floats
    vel: Floats
    alive: npt.NDArray[np.bool_]
    path: Floats
    events: list[Event] = field(default_factory=list)

    def sequence(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names of the events in order."""
        return [event.name for event in self.events]

    def first_hit(self, n: int) -> Floats:
        """(n,) time of the first impulse between ball 0 and each ball; inf if none."""
        times = np.full(n, np.inf)
        for event in reversed(self.events):
            if event.kind == "ball" and event.bodies[0] == 0:
                times[event.bodies[1]] = event.time
        return times

    def first_wall(self) -> Floats:
        """(4,) time of the first impulse between ball 0 and each of `WALLS`; inf if none."""
        times = np.full(4, np.inf)
        for event in reversed(self.events):
            if event.kind == "wall" and event.bodies[0] == 0:
                times[event.bodies[1]] = event.time
        return times
