"""A house: things with names and places, what is parked until it comes to exist, and where the robot starts.

A thing that stands on another one knows it; poses are absolute, in metres, z up, and the floor is z = 0. The number of
a thing in `placed` is its number in every array about the house. Public: `Placed`, `System`, `House`, `mirror`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from jaxphys_benchmarks.enact.world.things import (
    UPRIGHT,
    Part,
    Quat,
    Thing,
    flipped,
    flipped_turn,
    mirrored,
    moved,
    product,
    rotation,
)
from jaxphys_benchmarks.stage import Vector

ROBOT = "robot_r1"
AGENT = "agent"
"""Name and category of the robot in a graph."""


@dataclass(frozen=True)
class Placed:
    """A thing in its place.

    Attributes:
        name: `category_modelid_n`. thing: what it is.
        pos: (3,) m, of the middle of its underside. quat: its turn.
        on: name of what it stands on or in; "" where it is the room's.
        inside: it stands in that, not on it.
        joints: values of its links, of those that are not closed (rad or m).
        toggled: it is switched on. parked: it does not exist yet.
        parents: names of what it comes from, for what is parked.
    """

    name: str
    thing: Thing
    pos: Vector
    quat: Quat = UPRIGHT
    on: str = ""
    inside: bool = False
    joints: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    toggled: bool = False
    parked: bool = False
    parents: tuple[str, ...] = ()

    def at(self, point: Vector | np.ndarray, link: str = "") -> np.ndarray:
        """Where a point of the thing, or of a link, is in the house: (3,) m."""
        spot = np.asarray(point, float)
        if link:
            shift, turn = moved(self.thing.link(link), self.joints.get(link, 0.0))
            spot = shift + rotation(turn) @ spot
        found: np.ndarray = np.asarray(self.pos) + rotation(self.quat) @ spot
        return found


@dataclass(frozen=True)
class System:
    """Particles of one kind.

    Attributes:
        name: such as `diced__onion`. source: name of the thing, or system, that it comes from; "" if it is there from
            the start. at: name of what the particles are in or on at the start; "" while they do not exist.
        count: of particles. size: half extent of one (m). colour: of them.
    """

    name: str
    source: str = ""
    at: str = ""
    count: int = 32
    size: float = 0.009
    colour: str = "#e8e0c8"


@dataclass(frozen=True, eq=False)
class House:
    """Everything of a house but what happens in it.

    Attributes:
        room: name of the room. placed: n things. systems: of particles.
        backdrop: what is drawn but is no object: walls, and furniture that has no part in the activity.
        floor: colour of the floor.
        start: x, y (m) and heading (rad) of the robot; it looks along (cos, sin) of the heading.
        mirrored: left and right are exchanged.
    """

    room: str
    placed: tuple[Placed, ...]
    systems: tuple[System, ...] = ()
    backdrop: tuple[Part, ...] = ()
    floor: str = "#b79f82"
    start: tuple[float, float, float] = (0.0, 0.0, 0.5 * np.pi)
    mirrored: bool = False

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Number of each thing by its name."""
        return MappingProxyType({placed.name: k for k, placed in enumerate(self.placed)})

    def index(self, name: str) -> int:
        """The number of a thing.

        Raises:
            KeyError: there is none of this name; tells those that there are.
        """
        if name not in self.numbers:
            raise KeyError(f"no {name!r} in this house; there are {', '.join(self.numbers)}")
        return self.numbers[name]

    def __getitem__(self, name: str) -> Placed:
        return self.placed[self.index(name)]

    @cached_property
    def joints(self) -> tuple[tuple[int, str], ...]:
        """Number of the thing and name of the link of every joint, in the order of all arrays of joints."""
        return tuple((k, link.name) for k, placed in enumerate(self.placed) for link in placed.thing.links)


def mirror(house: House) -> House:
    """The mirror image of a house: x changes its sign, doors hinge on the other side."""
    x, y, heading = house.start
    return replace(
        house,
        placed=tuple(
            replace(placed, thing=mirrored(placed.thing), pos=flipped(placed.pos), quat=flipped_turn(placed.quat))
            for placed in house.placed
        ),
        backdrop=tuple(replace(part, pos=flipped(part.pos), quat=flipped_turn(part.quat)) for part in house.backdrop),
        start=(0.0 - x, y, float(np.pi) - heading),
        mirrored=not house.mirrored,
    )


def parts_at(thing: Thing, pos: Vector, quat: Quat) -> tuple[Part, ...]:
    """What is drawn of a thing that is off with its joints closed, in the frame of the house."""
    turn = rotation(quat)
    found = []
    for part in thing.parts:
        if part.flows:
            continue
        x, y, z = (float(value) for value in np.asarray(pos) + turn @ np.asarray(part.pos))
        found.append(replace(part, pos=(x, y, z), quat=product(quat, part.quat), link=""))
    return tuple(found)
