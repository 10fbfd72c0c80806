"""An activity while it is written: its furnished room and its script, side by side (ENACT specification, section 14).

What stands where at the start is told first, then what the robot does. Every draw has the generator of the episode, so
that an episode of a seed is the same in every process. Public: `Scene`.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from jaxphys_benchmarks.enact.play import script
from jaxphys_benchmarks.enact.play.script import Hand, Skill
from jaxphys_benchmarks.enact.world import rooms
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.placing import Placing, within
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_benchmarks.enact.world.substances import COOKED, DICED

Chosen = TypeVar("Chosen")
Spot = tuple[float, float]

SPREADS = (0.0, *(0.05 + 0.02 * k for k in range(90)))
"""How far around its place, in u and v, room for a thing is sought, try by try."""
TURN = 0.2
"""Greatest seeded turn of things that need not stand square (rad)."""
APART = 0.7
"""Of the robot, at the start, from the front of the first fixture (m)."""


class Scene:
    """A room that is being furnished, and a script for it that grows.

    Args:
        spec: of the episode. room: its name. attempt: number of the draw.

    Raises:
        ValueError: of every method: no such thing, place or room, or it does not fit.
    """

    def __init__(self, spec: EpisodeSpec, room: str, attempt: int = 0) -> None:
        self.rng = spec.rng("activity", attempt)
        self.placing = Placing(room, spec.rng("placing", attempt))
        self.script: list[Skill] = []
        self._homes: dict[str, tuple[Spot | None, float | None]] = {}

    # What there is.

    @property
    def floor(self) -> str:
        """Name of the floor."""
        return self.placing.floor

    def fixture(self, slot: str) -> str:
        """Furniture of the room that takes part; returns its name."""
        return self.placing.fixture(slot)

    def put(
        self, category: str, *, on: str = "", inside: str = "", at: Spot | None = None, level: int | None = None,
        yaw: float | None = None,
    ) -> str:  # fmt: skip
        """A thing that is there at the start; returns its name.

        It stands at `at`, or as near to it as there is room; see `Placing.put`.
        """
        if at is None:
            return self._kept(self.placing.put(category, on=on, inside=inside, level=level, yaw=yaw), None, yaw)
        for spread in SPREADS:
            u, v = np.clip(np.asarray(at) + spread * self.rng.uniform(-1, 1, 2), -1, 1)
            spot = (float(u), float(v))
            turn = float(self.rng.uniform(-TURN, TURN)) if yaw is None else yaw
            with contextlib.suppress(ValueError):
                name = self.placing.put(category, on=on, inside=inside, at=spot, level=level, yaw=turn)
                return self._kept(name, spot, yaw)
        raise ValueError(f"{category}: no free place for it around {at} of {on or inside or self.floor}")

    def row(self, categories: Sequence[str], on: str, places: Sequence[Spot]) -> list[str]:
        """Things on a surface, in a seeded order over its places; returns their names in the order of `categories`."""
        pairs = zip(categories, self.shuffled(places), strict=False)
        return [self.put(category, on=on, at=_shaken(self.rng, at)) for category, at in pairs]

    def cuttable(self, name: str, *, diced: bool = True) -> tuple[str, str]:
        """What cutting a thing makes: its two halves, whose names are returned, and the particles of these."""
        halves = self.placing.halves(name)
        dices = self.placing.placed[name].thing.dices
        if any(system.name == dices for system in self.placing.systems):
            raise ValueError(f"{name}: something else is diced to {dices}; dice one of a kind only")
        if diced and dices:
            self.placing.system(dices, source=name)
        return halves

    def cookable(self, diced: str) -> str:
        """The cooked form of particles; returns its name."""
        return self.placing.system(f"{COOKED}{diced}", source=diced)

    def filled(self, name: str, system: str) -> str:
        """Particles that are in, or on, a thing from the start; returns the name of their system."""
        return self.placing.system(system, at=name)

    def ground(self, x: float, y: float, around: float = 0.1) -> Spot:
        """The spot of the floor at x and y (m) for a thing that reaches `around` from its middle."""
        room: rooms.Room = self.placing.room
        (a, b), (mx, my) = room.half, room.middle
        return (x - mx) / (a - around), (y - my) / (b - around)

    def shuffled(self, of: Sequence[Chosen]) -> list[Chosen]:
        """All of them in a seeded order."""
        return [of[int(k)] for k in self.rng.permutation(len(of))]

    def some(self, of: Sequence[Chosen], count: int) -> list[Chosen]:
        """A seeded choice, in a seeded order."""
        return self.shuffled(of)[:count]

    def one(self, of: Sequence[Chosen]) -> Chosen:
        """One of them."""
        return self.some(of, 1)[0]

    def count(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def _kept(self, name: str, at: Spot | None, yaw: float | None) -> str:
        self._homes[name] = (at, yaw)
        return name

    # What is done.

    def do(self, *skills: Skill) -> None:
        """Any skills of the script language."""
        self.script += skills

    def take(self, thing: str, hand: Hand = "") -> None:
        """A hand takes a thing and holds it before the chest; "": the hand whose turn it is."""
        self.do(*script.take(thing, hand))

    def place(
        self, thing: str, *, on: str = "", into: str = "", at: Spot | None = None, level: int | None = None,
        yaw: float | None = None,
    ) -> None:  # fmt: skip
        """What is held is put on or into something and let go."""
        if bool(on) == bool(into):
            raise ValueError(f"{thing}: give either on or into")
        if (on or into) not in self.placing.placed:
            raise ValueError(f"{thing}: nothing can be put {'into' if into else 'on'} {on or into}")
        below = self.placing.placed[on or into].thing
        if not any(within(top, below) == bool(into) for top in below.surfaces):
            raise ValueError(f"{thing}: nothing can be put {'into' if into else 'on'} {on or into}")
        if on:
            self.do(*script.put_on(thing, on, at=at, level=level, yaw=yaw))
        else:
            self.do(*script.put_in(thing, into, at=at, level=level, yaw=yaw))

    def move(
        self, thing: str, *, on: str = "", into: str = "", at: Spot | None = None, level: int | None = None,
        yaw: float | None = None, hand: Hand = "",
    ) -> None:  # fmt: skip
        """Take and place."""
        self.take(thing, hand)
        self.place(thing, on=on, into=into, at=at, level=level, yaw=yaw)

    def back(self, thing: str) -> None:
        """What is held is put where it stood at the start."""
        if thing not in self._homes:
            raise ValueError(f"{thing}: it stood nowhere at the start, and cannot be put back")
        at, yaw = self._homes[thing]
        placed = self.placing.placed[thing]
        if placed.inside:
            self.place(thing, into=placed.on, at=at, yaw=yaw)
        else:
            self.place(thing, on=placed.on, at=at, yaw=yaw)

    def open(self, thing: str, link: str = "") -> None:
        """A door, drawer or lid is opened."""
        self.do(script.Open(thing, link))

    def close(self, thing: str, link: str = "") -> None:
        """A door, drawer or lid is closed."""
        self.do(script.Close(thing, link))

    def press(self, thing: str) -> None:
        """A button is pressed."""
        self.do(script.Press(thing))

    def cut(self, thing: str, knife: str) -> None:
        """What is held cuts a thing."""
        self.do(script.Cut(thing, knife))

    def chop(self, whole: str, halves: Sequence[str], knife: str, *, hand: Hand = "") -> None:
        """A knife is taken and cuts a thing in halves, and these in pieces; the knife is held on."""
        self.take(knife, hand)
        for what in (whole, *halves):
            self.cut(what, knife)

    def pour(self, source: str, into: str) -> None:
        """What is held is tipped over something."""
        self.do(script.Pour(source, into))

    def heat(self, what: str) -> None:
        """Waits until a thing, or a system, is cooked."""
        self.do(script.WaitHeat(what))

    def handover(self, thing: str) -> None:
        """What is held changes hands."""
        self.do(script.Handover(thing))

    def wait(self, seconds: float) -> None:
        """Nothing is done for a while."""
        self.do(script.Wait(seconds))

    def look(self, thing: str) -> None:
        """The robot goes and looks at a thing."""
        self.do(script.Look(thing))

    def made(self) -> tuple[House, tuple[Skill, ...]]:
        """The house and the script."""
        return replace(self.placing.house(), start=self._start()), tuple(self.script)

    def _start(self) -> tuple[float, float, float]:
        """Before the furniture that the script begins at, facing it; the room's own place without any."""
        placed = self.placing.placed
        names = [getattr(skill, "thing", "") for skill in self.script]
        name = next((name for name in names if name), self.floor)
        while placed[name].on:
            name = placed[name].on
        first = placed[name]
        if name == self.floor or first.pos[2] > 0:
            return self.placing.room.start
        x, y, _ = first.at((0.0, float(first.thing.box[0][1]) - APART, 0.0))
        yaw = 2 * float(np.arctan2(first.quat[3], first.quat[0]))
        return float(x), float(y), yaw + 0.5 * np.pi


def _shaken(rng: np.random.Generator, at: Spot) -> Spot:
    u, v = np.clip(np.asarray(at) + rng.uniform(-1, 1, 2) * (0.04, 0.06), -1, 1)
    return float(u), float(v)


def diced(food: str) -> str:
    """Name of the particles of a food."""
    return f"{DICED}{food}"


def spots(columns: int, rows: int = 1, *, u: Spot = (-0.9, 0.9), v: Spot = (-0.6, 0.6)) -> list[Spot]:
    """A grid of spots on a surface, from its left to its right, the nearer rows first."""
    across = np.linspace(u[0], u[1], columns)
    along = np.linspace(v[0], v[1], rows) if rows > 1 else np.array([(v[0] + v[1]) / 2])
    return [(float(a), float(b)) for b in along for a in across]
