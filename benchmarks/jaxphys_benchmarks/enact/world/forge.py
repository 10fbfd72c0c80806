"""Puts things together: each call adds a solid, drawn, colliding or both, to one that is being made.

Every piece takes its size and the place of its middle in the thing's frame. `made` gives the thing; what is not said of
its places and grips follows from its box. Public: `Forge`, `model_id`.
"""

import hashlib
import string
from dataclasses import dataclass, field
from typing import Any

from jaxphys_benchmarks.enact.world.things import (
    UPRIGHT,
    Button,
    Edge,
    Fill,
    Grip,
    Heat,
    Kind,
    Link,
    Part,
    Quat,
    Shape,
    Surface,
    Thing,
)
from jaxphys_benchmarks.stage import Finish, Form, Vector

FINGERS = 0.02
"""How deep under the top of a thing the hand takes it (m)."""

MARKER = 0.022
"""Half extent of a button's marker (m)."""

HEAPED = 0.04
"""How far above the rim of an open box things are still inside (m)."""

OFF = "#c0392b"
"""Colour of a button."""


def model_id(category: str) -> str:
    """Six letters that tell models apart; they are none of the words of the category."""
    for attempt in range(100):
        digest = hashlib.sha256(f"{category}/{attempt}".encode()).digest()
        letters = "".join(string.ascii_lowercase[byte % 26] for byte in digest[:6])
        if letters not in category.split("_"):
            return letters
    raise ValueError(f"no model id for {category!r}")


@dataclass(eq=False)
class Forge:
    """A thing that is being made."""

    category: str
    parts: list[Part] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    surfaces: list[Surface] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    grips: list[Grip] = field(default_factory=list)
    heat: Heat | None = None
    edge: Edge | None = None

    def draw(
        self,
        form: Form,
        half: Vector,
        at: Vector,
        colour: str,
        *,
        turn: Quat = UPRIGHT,
        link: str = "",
        finish: Finish = "rubber",
        lit: str = "",
        flows: bool = False,
    ) -> int:
        """A solid that is drawn only; returns its number."""
        self.parts.append(Part(form, half, at, colour, turn, finish, link, lit, flows))
        return len(self.parts) - 1

    def bound(
        self,
        half: Vector,
        at: Vector,
        *,
        kind: Kind = "box",
        turn: Quat = UPRIGHT,
        link: str = "",
        meets: bool = True,
    ) -> None:
        """A form that is not drawn: it collides if it meets other things."""
        self.shapes.append(Shape(kind, half, at, turn, link, meets))

    def box(
        self,
        half: Vector,
        at: Vector,
        colour: str,
        *,
        turn: Quat = UPRIGHT,
        link: str = "",
        finish: Finish = "rubber",
    ) -> int:
        """A box that is drawn and collides; returns the number of its drawing."""
        self.bound(half, at, turn=turn, link=link)
        return self.draw("box", half, at, colour, turn=turn, link=link, finish=finish)

    def fill(self, half: Vector, at: Vector, link: str = "") -> None:
        """A box in which things are inside."""
        self.fills.append(Fill(at, half, link))

    def top(self, half_x: float, half_y: float, at: Vector, link: str = "") -> None:
        """A place to put things on."""
        self.surfaces.append(Surface(at, (half_x, half_y), link))

    def hinge(self, name: str, at: Vector, axis: Vector, span: float, handle: Vector) -> None:
        """A door or lid."""
        self.links.append(Link(name, "hinge", at, axis, span, handle))

    def slide(self, name: str, axis: Vector, span: float, handle: Vector) -> None:
        """A drawer."""
        self.links.append(Link(name, "slide", handle, axis, span, handle, carries=True))

    def button(self, at: Vector, *, needs_closed: bool = False, colour: str = OFF) -> None:
        """A button with its marker."""
        part = self.draw("sphere", (MARKER, MARKER, MARKER), at, colour)
        self.buttons.append(Button(at, part, needs_closed))

    def grip(self, at: Vector, side: Vector = (0.0, 0.0, 1.0)) -> None:
        """A place to take it."""
        self.grips.append(Grip(at, side))

    def cavity(
        self,
        half: Vector,
        at: Vector,
        floor: float,
        colour: str,
        *,
        wall: float = 0.0,
        inner: str = "",
        front: bool = False,
    ) -> None:
        """The walls of a box open at its front, or at its top; `half` is that of the outside.

        The fill site is the inside; its floor, of a thickness of its own, is a place to put things.
        """
        a, b, c = half
        x, y, z = at
        lined, wall = inner or colour, wall or floor
        self.box((a, b, floor / 2), (x, y, z - c + floor / 2), lined)
        deep, up = c - floor / 2, z + floor / 2
        for side in (-1, 1):
            self.box((wall / 2, b, deep), (x + side * (a - wall / 2), y, up), colour)
        self.box((a - wall, wall / 2, deep), (x, y + b - wall / 2, up), lined)
        if front:
            self.box((a - wall, b - wall / 2, wall / 2), (x, y - wall / 2, z + c - wall / 2), colour)
        else:
            self.box((a - wall, wall / 2, deep), (x, y - b + wall / 2, up), colour)
        # What looks over the rim of an open box is inside it.
        over = -wall if front else HEAPED
        self.fill((a - wall, b - wall, deep + over / 2), (x, y, up + over / 2))
        self.top(a - wall, b - wall, (x, y, z - c + floor))

    def made(self, mass: float = 0.3, *, fixed: bool = False, **rest: Any) -> Thing:
        """The thing; without a grip it is taken at the middle of its top."""
        thing = Thing(
            self.category,
            model_id(self.category),
            tuple(self.parts),
            tuple(self.shapes),
            mass,
            fixed,
            tuple(self.fills),
            tuple(self.surfaces),
            tuple(self.links),
            tuple(self.buttons),
            tuple(self.grips),
            self.heat,
            self.edge,
            **rest,
        )
        if fixed or thing.grips:
            return thing
        low, high = thing.box
        middle = (low + high) / 2
        self.grips.append(Grip((float(middle[0]), float(middle[1]), float(high[2]) - FINGERS)))
        return self.made(mass, fixed=fixed, **rest)
