"""Rooms: where their furniture stands, and their walls.

A room is a table of slots. Furniture that an activity does not ask for is drawn, so that a kitchen looks like one, but
is no object. The robot works between the back wall (greatest y) and what stands in the middle. Public: `Room`, `Slot`,
`ROOMS`, `room`.
"""

from collections.abc import Collection, Mapping
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
        only: it is not drawn unless it is asked for. instead: the place of which it takes the room.
    """

    category: str
    pos: Vector
    yaw: float = FRONT
    key: str = ""
    only: bool = False
    instead: str = ""

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
        scenery: what else is drawn.
        walls, floors: colours, of which a house takes one each. height: of the walls; 0 outdoors.
    """

    name: str
    half: tuple[float, float]
    slots: tuple[Slot, ...]
    start: tuple[float, float, float]
    middle: tuple[float, float] = (0.0, 0.0)
    scenery: tuple[Part, ...] = ()
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

    def taken(self, used: Collection[str]) -> frozenset[str]:
        """Places that are used, and those of which they take the room."""
        return frozenset(used) | {slot.instead for slot in self.slots if slot.name in used}

    def shell(self, colour: str) -> tuple[Part, ...]:
        """Its four walls, if it has any, with a skirting board, and the scenery."""
        if not self.height:
            return self.scenery
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
        return (*found, *self.scenery)


WALLED = 2.0
"""Of y, the back wall's inside (m)."""


def _against(depth: float) -> float:
    """y of the middle of what stands at the back wall and is so deep from its middle."""
    return WALLED - depth - 0.01


def window(x: float, z: float, half: tuple[float, float]) -> tuple[Part, ...]:
    """A window in the back wall."""
    a, c = half
    y = WALLED - 0.005
    return (
        Part("box", (a + 0.05, 0.02, c + 0.05), (x, y, z), "#fbfaf5"),
        Part("box", (a, 0.022, c), (x, y, z), "#a9d3ee"),
        Part("box", (0.015, 0.026, c), (x, y, z), "#fbfaf5"),
        Part("box", (a, 0.026, 0.015), (x, y, z), "#fbfaf5"),
    )


def picture(x: float, z: float, half: tuple[float, float], colour: str) -> tuple[Part, ...]:
    """A picture on the back wall."""
    a, c = half
    y = WALLED - 0.005
    return (
        Part("box", (a, 0.015, c), (x, y, z), "#6b4628"),
        Part("box", (a - 0.03, 0.017, c - 0.03), (x, y, z), "#f4efe2"),
        Part("box", (a - 0.09, 0.019, c - 0.09), (x, y, z), colour),
    )


def rug(x: float, y: float, half: tuple[float, float], colour: str) -> tuple[Part, ...]:
    """A rug."""
    a, b = half
    return (
        Part("box", (a, b, 0.002), (x, y, 0.001), colour),
        Part("box", (a - 0.08, b - 0.08, 0.002), (x, y, 0.002), "#e9e2d3"),
        Part("box", (a - 0.16, b - 0.16, 0.002), (x, y, 0.003), colour),
    )


LAWN = (
    Part("box", (20.0, 20.0, 0.001), (0.0, 0.0, -0.012), "#7fa45f"),
    Part("box", (0.1, 3.2, 1.6), (-2.15, 1.0, 1.6), "#e3d3b8"),
    Part("box", (0.11, 3.2, 0.12), (-2.15, 1.0, 0.12), "#9a8f80"),
    Part("box", (0.11, 0.5, 0.4), (-2.15, 3.0, 1.5), "#a9d3ee"),
    Part("box", (3.9, 0.25, 0.5), (0.0, 4.4, 0.5), "#5f8f4a"),
    Part("box", (0.25, 3.9, 0.4), (3.9, 0.6, 0.4), "#5f8f4a"),
)

KITCHEN = Room(
    "kitchen",
    (2.6, 2.0),
    (
        Slot("fridge", (-2.15, _against(0.33), 0.0)),
        Slot("cabinet", (-2.17, _against(0.26), 0.0), key="wall_cabinet", only=True, instead="fridge"),
        Slot("countertop", (-1.15, _against(0.32), 0.0)),
        Slot("breakfast_table", (-1.15, _against(0.38), 0.0), key="wall_table", only=True, instead="countertop"),
        Slot("burner", (-0.18, _against(0.32), 0.0)),
        Slot("sink", (0.7, _against(0.32), 0.0)),
        Slot("countertop", (1.85, _against(0.32), 0.0), key="second_countertop"),
        Slot("microwave", (1.62, _against(0.24), 0.9), only=True),
        Slot("oven", (-0.17, _against(0.32), 0.0), only=True, instead="burner"),
        Slot("cabinet", (2.34, -0.6, 0.0), RIGHT),
        Slot("pantry", (2.31, -0.6, 0.0), RIGHT, only=True, instead="cabinet"),
        Slot("dishwasher", (0.7, _against(0.32), 0.0), only=True, instead="sink"),
        Slot("freezer", (-2.25, 0.5, 0.0), LEFT, only=True),
        Slot("shelf", (-2.38, 0.3, 0.0), LEFT, only=True),
        Slot("breakfast_table", (-0.55, -0.6, 0.0), BACK),
        Slot("kitchen_island", (-0.55, -0.6, 0.0), BACK, only=True, instead="breakfast_table"),
        Slot("straight_chair", (-0.9, -1.3, 0.0), BACK),
        Slot("straight_chair", (-0.2, -1.3, 0.0), BACK, key="second_chair"),
    ),
    (-0.5, 0.45, 0.5 * np.pi),
    scenery=(*window(0.7, 1.75, (0.5, 0.35)), *picture(-1.15, 1.7, (0.22, 0.28), "#d98f4a")),
)

LIVING_ROOM = Room(
    "living_room",
    (2.6, 2.0),
    (
        Slot("bookcase", (-1.95, _against(0.18), 0.0)),
        Slot("console_table", (-0.6, _against(0.22), 0.0)),
        Slot("sofa", (0.95, _against(0.41), 0.0)),
        Slot("television", (-0.6, _against(0.2), 0.8)),
        Slot("christmas_tree", (2.1, -0.55, 0.0), only=True),
        Slot("cabinet", (2.34, 0.5, 0.0), RIGHT, only=True),
        Slot("shelf", (-2.39, 0.3, 0.0), LEFT, only=True),
        Slot("side_table", (2.2, 1.6, 0.0)),
        Slot("coffee_table", (-0.4, -0.55, 0.0), BACK),
        Slot("bed", (1.0, _against(1.0), 0.0), only=True, instead="sofa"),
        Slot("door", (0.0, -1.9, 0.0), BACK),
    ),
    (-0.4, 0.5, 0.5 * np.pi),
    scenery=(*window(0.95, 1.7, (0.6, 0.4)), *rug(-0.4, -0.4, (1.1, 0.8), "#b5574a")),
)

OFFICE = Room(
    "office",
    (2.4, 2.0),
    (
        Slot("bookcase", (-1.75, _against(0.18), 0.0)),
        Slot("desk", (-0.35, _against(0.37), 0.0)),
        Slot("monitor", (-0.75, _against(0.14), 0.75)),
        Slot("shelf", (1.0, _against(0.2), 0.0)),
        Slot("cabinet", (2.14, 0.6, 0.0), RIGHT, only=True),
        Slot("wall_rack", (-2.2, 0.5, 0.0), LEFT, only=True),
        Slot("conference_table", (-0.3, -0.65, 0.0), BACK),
        Slot("swivel_chair", (-0.5, -1.35, 0.0), BACK),
    ),
    (-0.3, 0.45, 0.5 * np.pi),
    scenery=(*window(1.0, 1.85, (0.5, 0.35)), *picture(0.15, 1.6, (0.2, 0.26), "#5f86b5")),
)

BATHROOM = Room(
    "bathroom",
    (2.2, 2.0),
    (
        Slot("bathroom_sink", (-0.7, _against(0.32), 0.0)),
        Slot("bathroom_counter", (0.3, _against(0.32), 0.0)),
        Slot("medicine_cabinet", (1.6, _against(0.17), 0.45)),
        Slot("washer", (-1.65, _against(0.32), 0.0)),
        Slot("shelf", (1.98, 0.4, 0.0), RIGHT, only=True),
        Slot("side_table", (-0.9, -0.6, 0.0), BACK),
        Slot("console_table", (0.1, -0.6, 0.0), BACK),
    ),
    (-0.3, 0.45, 0.5 * np.pi),
    walls=("#d8e8ec", "#e6eee6", "#ece4e0", "#dfe3f0"),
    scenery=picture(-0.7, 1.6, (0.35, 0.42), "#c3dbe6"),
    floors=("#9fb0b5", "#b5b0a5", "#a3b0a0"),
)

GARAGE = Room(
    "garage",
    (2.6, 2.0),
    (
        Slot("workbench", (-1.1, _against(0.32), 0.0)),
        Slot("shelf", (0.5, _against(0.2), 0.0)),
        Slot("cabinet", (1.75, _against(0.25), 0.0)),
        Slot("wall_rack", (-2.4, 0.4, 0.0), LEFT),
        Slot("washer", (2.25, 0.5, 0.0), RIGHT, only=True, instead="freezer"),
        Slot("freezer", (2.25, 0.5, 0.0), RIGHT, only=True),
        Slot("tree_stump", (-0.3, -0.5, 0.0), BACK, only=True, instead="garden_table"),
        Slot("garden_table", (-0.4, -0.6, 0.0), BACK),
    ),
    (-0.4, 0.45, 0.5 * np.pi),
    scenery=window(-1.1, 1.75, (0.5, 0.3)),
    floors=("#8f9194", "#9a958e", "#868c8f"),
)

DRIVEWAY = Room(
    "driveway",
    (4.0, 4.5),
    (
        Slot("car", (0.0, 2.6, 0.0)),
        Slot("garden_table", (-0.2, -0.75, 0.0), BACK),
        Slot("door", (-1.95, 1.3, 0.0), LEFT),
        Slot("garden_table", (1.5, 1.45, 0.0), FRONT, key="side_garden_table", only=True),
        Slot("fridge", (2.55, 1.45, 0.0), FRONT, only=True),
        Slot("shelf", (-1.75, -0.1, 0.0), LEFT, only=True),
        Slot("tree_stump", (1.3, -0.4, 0.0), RIGHT),
    ),
    (-0.1, 0.15, 0.5 * np.pi),
    scenery=LAWN,
    floors=("#a3a099", "#98a08f", "#aaa39a"),
    height=0.0,
)

ROOMS: Mapping[str, Room] = {room.name: room for room in (KITCHEN, LIVING_ROOM, OFFICE, BATHROOM, GARAGE, DRIVEWAY)}


def room(name: str) -> Room:
    """The room of a name.

    Raises:
        ValueError: there is none; tells those that there are.
    """
    if name not in ROOMS:
        raise ValueError(f"no room is called {name!r}; there are {', '.join(ROOMS)}")
    return ROOMS[name]
