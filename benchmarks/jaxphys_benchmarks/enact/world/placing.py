"""Puts things into a room, seeded and without overlaps.

Things stand upright on level surfaces: a surface that lies in a fill site of its thing is inside it, the others are on
it. Public: `Placing`, `within`.
"""

from dataclasses import replace

import numpy as np

from jaxphys_benchmarks.enact.world import catalogue, rooms
from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.house import House, Placed, System, parts_at
from jaxphys_benchmarks.enact.world.things import Fill, Part, Surface, Thing, about, bounds, moved, rotation
from jaxphys_benchmarks.stage import Vector

CLEARANCE = 0.025
"""Between things on one surface (m)."""

ATTEMPTS = 400
"""Places tried for a thing before it is said not to fit."""

LIFTED = 0.0005
"""Things start this far above what they stand on, so that none begins in it (m)."""

PARK = (-8.0, 25.0, -8.0)
"""Where what does not exist is kept (m): below the floor and aside, out of the reach of every ray."""
PARK_STEP = 0.8

UP = (0.0, 0.0, 1.0)
JUST_ABOVE = (0.0, 0.0, 0.02)


class Placing:
    """A house that is being furnished.

    Args:
        room: its name. rng: of all places and colours.
    """

    def __init__(self, room: str, rng: np.random.Generator) -> None:
        self.room = rooms.room(room)
        self.rng = rng
        self.placed: dict[str, Placed] = {}
        self.systems: list[System] = []
        self._used: set[str] = set()
        self._taken: dict[tuple[str, int], list[tuple[np.ndarray, np.ndarray]]] = {}
        self._counts: dict[str, int] = {}
        self._wall, self._floor = (str(rng.choice(colours)) for colours in (self.room.walls, self.room.floors))
        self.floor = self._add(_floor(self.room, self._floor), (0.0, 0.0, 0.0), 0.0)

    def fixture(self, slot: str) -> str:
        """Furniture of the room that takes part; returns its name.

        Raises:
            ValueError: the room has no such place, or it is taken.
        """
        place = self.room.slot(slot)
        if slot in self._used:
            raise ValueError(f"{slot}: it is asked for twice")
        if slot in self.room.taken(self._used) or place.instead in self._used:
            raise ValueError(f"{slot}: its place is taken by another of {', '.join(sorted(self._used))}")
        self._used.add(slot)
        return self._add(catalogue.thing(place.category), place.pos, place.yaw)

    def put(
        self,
        category: str,
        *,
        on: str = "",
        inside: str = "",
        at: tuple[float, float] | None = None,
        level: int | None = None,
        yaw: float | None = None,
        spread: float = 1.0,
    ) -> str:
        """A thing on or in another one, or on the floor; returns its name.

        Args:
            category: of the thing.
            on, inside: name of what it stands on or in; the floor without either.
            at: place on the surface, u and v from -1 to 1 along its x and y; None for a seeded one.
            level: number of the surface among those that are on, or in, it; None for the first that has room.
            yaw: turn against what it stands on (rad); None for a seeded one of up to 0.3 rad.
            spread: of seeded places, the part of the surface that is used, from its middle.

        Raises:
            ValueError: it does not fit there.
        """
        thing = catalogue.thing(category)
        below = inside or on or self.floor
        if below not in self.placed:
            raise ValueError(f"{category}: there is no {below!r}; there are {', '.join(self.placed)}")
        support = self.placed[below]
        levels = [k for k, top in enumerate(support.thing.surfaces) if within(top, support.thing) == bool(inside)]
        if not levels or (level is not None and not 0 <= level < len(levels)):
            where = "in" if inside else "on"
            raise ValueError(f"{category}: {below} has {len(levels)} places {where} it; level {level} is none of them")
        for number in levels if level is None else [levels[level]]:
            spot = self._spot(thing, support, number, at, yaw, spread)
            if spot is not None:
                pos, turn, box = spot
                self._taken.setdefault((below, number), []).append(box)
                return self._add(thing, pos, turn, on=below, inside=bool(inside))
        raise ValueError(f"{category}: no free place for it {'in' if inside else 'on'} {below}")

    def parked(self, category: str, *parents: str) -> str:
        """A thing that does not exist yet, and what it comes from; returns its name."""
        name = self._add(catalogue.thing(category), self._park(), 0.0)
        self.placed[name] = replace(self.placed[name], parked=True, parents=parents)
        return name

    def halves(self, name: str) -> tuple[str, str]:
        """The two halves of a thing, which do not exist yet.

        Raises:
            ValueError: it cannot be cut in halves.
        """
        thing = self.placed[name].thing
        if not thing.halves:
            raise ValueError(f"{name}: it cannot be cut in halves")
        return self.parked(thing.halves, name), self.parked(thing.halves, name)

    def system(self, name: str, source: str = "", at: str = "", count: int = 32) -> str:
        """Particles, of a system of the catalogue; see `System`."""
        look = catalogue.substance(name)
        self.systems.append(System(name, source, at, count, look.size, look.colour))
        return name

    def joint(self, name: str, link: str, value: float) -> None:
        """Leaves a door, lid or drawer open by a value (rad or m)."""
        placed = self.placed[name]
        placed.thing.link(link)
        self.placed[name] = replace(placed, joints={**placed.joints, link: value})

    def toggle(self, name: str) -> None:
        """Leaves a thing switched on."""
        self.placed[name] = replace(self.placed[name], toggled=True)

    def house(self) -> House:
        """The house as furnished so far."""
        backdrop: list[Part] = list(self.room.shell(self._wall))
        taken = self.room.taken(self._used)
        for slot in self.room.slots:
            if slot.name not in taken and not slot.only:
                backdrop += parts_at(catalogue.thing(slot.category), slot.pos, about(UP, slot.yaw))
        return House(
            self.room.name,
            tuple(self.placed.values()),
            tuple(self.systems),
            tuple(backdrop),
            self._floor,
            self.room.start,
        )

    def _add(self, thing: Thing, pos: Vector, yaw: float, on: str = "", inside: bool = False) -> str:
        count = self._counts.get(thing.category, 0)
        self._counts[thing.category] = count + 1
        name = f"{thing.category}_{thing.model}_{count}"
        self.placed[name] = Placed(name, thing, pos, about(UP, yaw), on, inside)
        return name

    def _park(self) -> Vector:
        k = sum(placed.parked for placed in self.placed.values())
        return (PARK[0] + PARK_STEP * (k % 20), PARK[1] + PARK_STEP * (k // 20), PARK[2] + LIFTED)

    def _standing(self, support: Placed, top: Surface) -> list[tuple[np.ndarray, np.ndarray]]:
        """What fixtures, such as a microwave, take of a surface that they stand on, in its thing's frame."""
        found = []
        height = support.pos[2] + top.pos[2]
        back = rotation(support.quat).T
        for other in self.placed.values():
            above = other.pos[2] > JUST_ABOVE[2] and other.name != support.name
            if other.thing.fixed and above and abs(other.pos[2] - height) < JUST_ABOVE[2]:
                low, high = other.thing.box
                middle = back @ (other.at((low + high) / 2) - np.asarray(support.pos))
                reach = np.abs(back @ rotation(other.quat)) @ ((high - low) / 2)
                found.append(((middle - reach)[:2], (middle + reach)[:2]))
        return found

    def _spot(
        self,
        thing: Thing,
        support: Placed,
        number: int,
        at: tuple[float, float] | None,
        yaw: float | None,
        spread: float,
    ) -> tuple[Vector, float, tuple[np.ndarray, np.ndarray]] | None:
        """A free place on a surface, the turn there, and the box that it takes on the surface."""
        top = support.thing.surfaces[number]
        taken = [*self._taken.get((support.name, number), []), *self._standing(support, top)]
        low, high = thing.box
        for _ in range(1 if at is not None and yaw is not None else ATTEMPTS):
            turn = float(self.rng.uniform(-0.3, 0.3)) if yaw is None else yaw
            near, far = bounds(tuple((high - low) / 2), (0.0, 0.0, 0.0), about(UP, turn))
            room = np.asarray(top.half) - far[:2]
            if (room < 0).any():
                continue
            middle = np.asarray(at) if at is not None else spread * self.rng.uniform(-1, 1, 2)
            centre = np.asarray(top.pos[:2]) + middle * room
            box = (centre + near[:2], centre + far[:2])
            if any(((box[0] < b + CLEARANCE) & (a < box[1] + CLEARANCE)).all() for a, b in taken):
                continue
            shift, _ = moved(support.thing.link(top.link), support.joints.get(top.link, 0.0)) if top.link else (0.0, 0)
            spot = support.at(np.array([*centre, top.pos[2] + LIFTED]) + shift)
            whole = turn + _yaw(support)
            # The middle of the box over the origin of the thing, which need not be its middle.
            from_middle = np.array([*(low + high)[:2] / 2, 0.0])
            pos = spot - rotation(about(UP, whole)) @ from_middle
            return (float(pos[0]), float(pos[1]), float(pos[2])), whole, box
        return None


def _yaw(placed: Placed) -> float:
    return float(2 * np.arctan2(placed.quat[3], placed.quat[0]))


def within(top: Surface, thing: Thing) -> bool:
    """Whether what stands on this surface is inside the thing."""
    return any(_holds(fill, np.add(top.pos, JUST_ABOVE)) for fill in thing.fills if fill.link == top.link)


def _holds(fill: Fill, point: np.ndarray) -> bool:
    return bool((np.abs(point - np.asarray(fill.pos)) <= np.asarray(fill.half)).all())


def _floor(room: rooms.Room, colour: str) -> Thing:
    forge = Forge("floors" if room.height else "driveway")
    (a, b), (x, y) = room.half, room.middle
    forge.bound((a, b, 0.1), (x, y, -0.1))
    forge.draw("box", (a, b, 0.002), (x, y, -0.0025), colour)
    forge.top(a, b, (x, y, 0.0))
    return forge.made(fixed=True)
