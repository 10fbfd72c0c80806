"""Kinematic particles: they ride on what carries them, are poured from it, and fall on what is below.

ENACT specification, sections 3.2 and 12. A particle has a carrier and a place in its frame, or is in the air on its way
to one. Arrays are over the p particles of a house, in the order of its systems. Public: `Particles`, `heap`.
"""

from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.enact.world.house import House, System
from jaxphys_benchmarks.enact.world.things import Thing
from jaxphys_kernels.quaternions import Floats, matrices

IN_AIR = -1
SPREAD = 0.07
"""Half width of a heap on a flat surface (m)."""
FALL = 0.4
"""Time that a particle is in the air (s)."""
DENSE = 2.1
"""Distance of neighbours in a heap over their half extent."""


@dataclass(eq=False)
class Flight:
    """A particle in the air: from `start` to the place `end` in the frame of `carrier`, `age` of `FALL` over (s)."""

    start: Floats
    carrier: int
    end: Floats
    age: float = 0.0


class Particles:
    """The particles of a house.

    Args:
        house: whose. rng: of the order in heaps.

    Attributes:
        system, carrier: (p,) int; the carrier is `IN_AIR` on the way. local: (p, 3) m in the carrier's frame, or in the
            world in the air. alive: (p,) bool.
    """

    def __init__(self, house: House, rng: np.random.Generator) -> None:
        self.house, self.rng = house, rng
        counts = [system.count for system in house.systems]
        self.system = np.repeat(np.arange(len(counts)), counts)
        self.local = np.zeros((sum(counts), 3))
        self.carrier = np.full(sum(counts), IN_AIR)
        self.alive = np.zeros(sum(counts), np.bool_)
        self.flights: dict[int, Flight] = {}
        for number, system in enumerate(house.systems):
            if system.at:
                carrier = house.index(system.at)
                self.settle(self.of(number), carrier, heap(house.placed[carrier].thing, system, system.count, rng))

    def of(self, system: int) -> np.ndarray:
        """Numbers of the particles of a system."""
        return np.flatnonzero(self.system == system)

    def settle(self, which: np.ndarray, carrier: int, places: Floats) -> None:
        """Puts particles on a thing, at places (k, 3) in its frame."""
        self.local[which], self.carrier[which], self.alive[which] = places, carrier, True

    def on(self, thing: int) -> np.ndarray:
        """Numbers of the particles that a thing carries."""
        return np.flatnonzero(self.alive & (self.carrier == thing))

    def places(self, pos: Floats, quat: Floats) -> Floats:
        """(p, 3) m in the world, from the poses of all things."""
        carried = self.carrier >= 0
        c = np.where(carried, self.carrier, 0)
        moved = pos[c] + (matrices(quat[c]) * self.local[:, None, :]).sum(-1)
        found: Floats = np.where(carried[:, None], moved, self.local)
        return found

    def drop(self, which: int, start: Floats, carrier: int, end: Floats) -> None:
        """Lets a particle fall from a place in the world to one in the frame of a thing."""
        self.carrier[which], self.local[which] = IN_AIR, start
        self.flights[which] = Flight(start, carrier, end)

    def fly(self, dt: float, pos: Floats, quat: Floats) -> None:
        """Moves what is in the air by a frame, and settles what arrives."""
        for which, flight in list(self.flights.items()):
            flight.age += dt
            share = flight.age / FALL
            if share >= 1:
                self.local[which], self.carrier[which] = flight.end, flight.carrier
                del self.flights[which]
                continue
            goal = pos[flight.carrier] + matrices(quat[flight.carrier]) @ flight.end
            place = flight.start + share * (goal - flight.start)
            # Falling: slow at first, fast at the end.
            place[2] = flight.start[2] + share**2 * (goal[2] - flight.start[2])
            self.local[which] = place


def heap(
    thing: Thing,
    system: System,
    count: int,
    rng: np.random.Generator,
    *,
    around: Floats | None = None,
    below: int = 0,
    spread: float = SPREAD,
) -> Floats:
    """Places of particles in or on a thing: in its last fill site from the bottom, or else on its last surface.

    Args:
        thing: what carries them. system: their size. count: how many. rng: of their order in each layer.
        around: (3,) m, in the thing's frame, where on a surface; None for its middle. below: how many lie there.
        spread: half width of the heap (m).

    Returns:
        (count, 3) m in the thing's frame.
    """
    step = DENSE * system.size
    open_top = [surface for surface in thing.surfaces if not surface.link]
    if thing.fills and around is None:
        fill = thing.fills[-1]
        middle, half = np.asarray(fill.pos), np.asarray(fill.half[:2])
        floor = middle[2] - fill.half[2]
        if open_top and all(abs(open_top[-1].pos[k] - middle[k]) <= fill.half[k] for k in range(3)):
            floor = open_top[-1].pos[2]
    elif open_top:
        top = open_top[-1]
        middle, half, floor = np.asarray(top.pos), np.asarray(top.half), top.pos[2]
    else:
        low, high = thing.box
        middle, half, floor = (low + high) / 2, (high - low)[:2] / 2, high[2]
    if around is not None:
        middle = np.clip(around[:2], middle[:2] - half + 1e-3, middle[:2] + half - 1e-3)
    room = np.minimum(half - system.size, spread)
    sides = np.maximum(np.floor(2 * room / step).astype(int) + 1, 1)
    layer = int(sides.prod())
    found = np.empty((count, 3))
    order = rng.permutation(layer)
    for k in range(count):
        high_up, spot = divmod(below + k, layer)
        i, j = divmod(int(order[spot]), int(sides[1]))
        # A heap: upper layers are pulled to its middle.
        pull = 0.8**high_up
        offset = pull * (np.array([i, j]) - (sides - 1) / 2) * step + rng.uniform(-0.15, 0.15, 2) * system.size
        found[k] = [*(middle[:2] + offset), floor + system.size * (1 + 1.6 * high_up)]
    return found
