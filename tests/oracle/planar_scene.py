"""What the independent planar simulator takes and gives: `Body`, `Scene`, `Event`, `Result`.

SI units, plain floats and NumPy float64, one scene. Bodies are spheres, upright cylinders and cubes on the plane
z = 0, seen from above (InPhyRe specification, section 3).
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Pair = tuple[int, int]

KINDS = ("stop", "roll", "spin_end", "contact")
"""Kinds of event, in the order in which simultaneous ones are listed."""


@dataclass
class Body:
    """One body.

    Attributes:
        shape: "sphere", "cylinder" or "cube".
        half: half extents along its own axes (m); of a round body its radius, twice.
        pos, vel: (2,) m, m/s. yaw, spin: rad, rad/s about z.
        roll: (2,) m/s, of a sphere the velocity at which its spin would roll without slipping.
        mass: kg, inf for what nothing moves. inertia: kg m² about z.
        mu: friction with the floor. mu_roll: deceleration of rolling over g. kappa: spin friction.
        look: whose appearance it has. red: whether it is red.
    """

    shape: str
    half: tuple[float, float]
    pos: Floats
    vel: Floats
    yaw: float = 0.0
    spin: float = 0.0
    roll: Floats = field(default_factory=lambda: np.zeros(2))
    mass: float = 1.0
    inertia: float = 1.0
    mu: float = 0.0
    mu_roll: float = 0.0
    kappa: float = 0.0
    look: int = -1
    red: bool = False

    def copy(self) -> "Body":
        """A body of its own; arrays are shared, as nobody writes into them."""
        return copy.copy(self)


@dataclass(frozen=True)
class Scene:
    """Bodies, gravity (m/s²), and the law of each pair as (name, parameters); pairs not named obey "regular"."""

    bodies: list[Body]
    g: float = 9.8
    laws: Mapping[Pair, tuple[str, Mapping[str, float]]] = field(default_factory=dict)

    def law(self, pair: Pair) -> tuple[str, Mapping[str, float]]:
        """Name and parameters of the law of a pair."""
        return self.laws.get(pair, ("regular", {}))


@dataclass(frozen=True)
class Event:
    """One event; a contact has two bodies, a normal from the first to the second, and both states around it."""

    time: float
    kind: str
    bodies: tuple[int, ...]
    normal: Floats | None = None
    point: Floats | None = None
    before: tuple[Body, Body] | None = None
    after: tuple[Body, Body] | None = None
    through: bool = False


@dataclass
class Result:
    """The bodies at the end time, what happened, and the pairs that pass through each other."""

    bodies: list[Body]
    events: list[Event]
    through: set[Pair]

    def sequence(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names of the events in order."""
        return [(event.kind, event.bodies) for event in self.events]

    def stack(self, name: str) -> Any:
        """One attribute of all bodies as an array that leads with n."""
        return np.array([getattr(body, name) for body in self.bodies])
