"""Rooms: where their furniture stands, and their walls.

A room is a table of slots. Furniture that an activity does not ask for is drawn, so that a kitchen looks like one, but
is no object. The robot works between the back wall (greatest y) and what stands in the middle. Public: `Room`, `Slot`,
`ROOMS`, `room`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.enact.world.things import Part
from jaxphys_benchmarks.stage import Vector

FRONT = 0.0
"""Turn of what stands with its back to the back wall (rad)."""
BACK = float(np.pi)
LEFT, RIGHT = 0.5 * np.pi, -0.5 * np.pi
"""Turn of what stands with its back to the left wall, or to the right one."""


@dataclass(frozen=True)
class Slot:
    """A place for a fixture.

    Attributes:
        category: of the thing. pos: (m). yaw: about z (rad). key: what it is asked for by, if not the category.
        only: it is not drawn unless it is asked for.
    """

    category: str
    pos: Vector
    yaw: float = FRONT
    key: str = ""
    only: bool = False

    @property
    def name(self) -> str:
        """What it is asked for by."""
        return self.key or self.category


@dataclass(frozen=True)
class Room:
    """A room.

    Attributes:
        name: what it is. half: half extents of its floor (m). middle: of the floor.
        slots: places of its fixtures. start: x, y and heading of the robot.
        walls, floors: colours, of which a house takes one each. height: of the walls; 0 outdoors.
    """

    name: str
    half: tuple[float, float]
    slots: tuple[Slot, ...]
    start: tuple[float, float, float]
    middle: tuple[float, float] = (0.0, 0.0)
    walls: tuple[str, ...] = ("#e9e2d3", "#d8e3e6", "#e3ddd8", "#dfe6d6")
    floors: tuple[str, ...] = ("#b79f82", "#a8a39b", "#c2ae94", "#9aa0a3")
    height: float = 2.6

    def slot(self, name: str) -> Slot:
        """The place of this name.

        Raises:
            ValueError: there is none; tells those that there are.
        """
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise ValueError(f"the {self.name} has no {name!r}; it has {', '.join(slot.name for slot in self.slots)}")

    def shell(self, colour: str) -> tuple[Part, ...]:
        """Its four walls, with a skirting board."""
        if not self.height:
            return ()
        (a, b), (x, y), c = self.half, self.middle, self.height / 2
        thick = 0.05
        found = []
        for sign in (-1.0, 1.0):
            across = (x + sign * (a + thick), y, c)
            along = (x, y + sign * (b + thick), c)
            found.append(Part("box", (thick, b + 2 * thick, c), across, colour))
            found.append(Part("box", (a, thick, c), along, colour))
            found.append(Part("box", (thick + 0.01, b, 0.04), (across[0], y, 0.04), "#f4f1ea"))
            found.append(Part("box", (a, thick + 0.01, 0.04), (x, along[1], 0.04), "#f4f1ea"))
        return tuple(found)


KITCHEN = Room(
    "kitchen",
    (2.5, 2.0),
    (
        Slot("fridge", (-1.75, 1.65, 0.0)),
        Slot("countertop", (-0.7, 1.66, 0.0)),
        Slot("burner", (0.3, 1.66, 0.0)),
        Slot("breakfast_table", (-0.3, -0.75, 0.0), BACK),
    ),
    (-0.4, 0.4, 0.5 * np.pi),
)

ROOMS: Mapping[str, Room] = {room.name: room for room in (KITCHEN,)}


def room(name: str) -> Room:
    """The room of a name.

    Raises:
        ValueError: there is none; tells those that there are.
    """
    if name not in ROOMS:
        raise ValueError(f"no room is called {name!r}; there are {', '.join(ROOMS)}")
    return ROOMS[name]
