"""What a thing of a house is: its solids, collision forms, joints, places to put things, buttons and edges.

ENACT specification, sections 3.2 and 12. A thing has its own frame, in metres: the origin in the middle of its
underside, x to its right, its front (doors, drawers, buttons) towards -y, z up. All positions are those with its
joints closed. Collision forms are boxes, spheres and capsules only, so that what is above and below them has a closed
form and all back ends agree. Public: the records, `mirrored`, `moved`, and turns.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from jaxphys_benchmarks.stage import Finish, Form, Vector

Quat = tuple[float, float, float, float]
UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
Kind = Literal["box", "sphere", "capsule"]


@dataclass(frozen=True)
class Shape:
    """A collision form.

    Attributes:
        kind: box, sphere, or capsule about its z with the round ends within.
        half: half extents of the box around it. pos, quat: its pose. link: what it moves with; "" the thing itself.
        meets: things collide with it; foliage gives way, though what lies below it is under it.
    """

    kind: Kind
    half: Vector
    pos: Vector
    quat: Quat = UPRIGHT
    link: str = ""
    meets: bool = True


@dataclass(frozen=True)
class Part:
    """A drawn solid, as `jaxphys_benchmarks.stage.Solid`.

    Attributes:
        lit: its colour while the thing is on, if it has another one then.
        flows: it is only there while the thing is on, as the water of a tap.
    """

    form: Form
    half: Vector
    pos: Vector
    colour: str
    quat: Quat = UPRIGHT
    finish: Finish = "rubber"
    link: str = ""
    lit: str = ""
    flows: bool = False


@dataclass(frozen=True)
class Fill:
    """A box in which things are inside."""

    pos: Vector
    half: Vector
    link: str = ""


@dataclass(frozen=True)
class Surface:
    """A level rectangle on which things may be put; `pos` is its middle."""

    pos: Vector
    half: tuple[float, float]
    link: str = ""


@dataclass(frozen=True)
class Link:
    """A door, lid or drawer on a hinge or slide.

    Attributes:
        name: unique in the thing. kind, pos, axis: the joint; its value runs from 0, closed, to `span` (rad or m).
        handle: where a hand takes it. carries: things rest on it, as on a drawer.
    """

    name: str
    kind: Literal["hinge", "slide"]
    pos: Vector
    axis: Vector
    span: float
    handle: Vector
    carries: bool = False


@dataclass(frozen=True)
class Button:
    """What a fingertip toggles; `part` is the drawn marker."""

    pos: Vector
    part: int
    needs_closed: bool = False


@dataclass(frozen=True)
class Heat:
    """The box that heats what has its centre in it while the thing is on."""

    pos: Vector
    half: Vector


@dataclass(frozen=True)
class Edge:
    """A knife's edge."""

    start: Vector
    end: Vector


@dataclass(frozen=True)
class Grip:
    """Where a hand takes a thing, and the direction, seen from the thing, that it comes from."""

    pos: Vector
    side: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Thing:
    """One kind of object.

    Attributes:
        category: as in the graph. model: six letters.
        parts: what is drawn. shapes: what collides. mass: kg. fixed: it cannot be moved.
        fills, surfaces, links, buttons: see there. grips: at least one unless it is fixed.
        heat: where it cooks. edge: what it cuts with.
        halves: category of the two things that a cut makes of it. dices: system that a cut makes of it.
        cooks: it may become cooked. browned: colour of a cooked one.
    """

    category: str
    model: str
    parts: tuple[Part, ...]
    shapes: tuple[Shape, ...]
    mass: float = 0.3
    fixed: bool = False
    fills: tuple[Fill, ...] = ()
    surfaces: tuple[Surface, ...] = ()
    links: tuple[Link, ...] = ()
    buttons: tuple[Button, ...] = ()
    grips: tuple[Grip, ...] = ()
    heat: Heat | None = None
    edge: Edge | None = None
    halves: str = ""
    dices: str = ""
    cooks: bool = False
    browned: str = ""

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest corner of the box around its collision forms, joints closed: (3,), (3,) m."""
        pairs = [bounds(shape.half, shape.pos, shape.quat) for shape in self.shapes]
        return np.min([low for low, _ in pairs], axis=0), np.max([high for _, high in pairs], axis=0)

    def link(self, name: str) -> Link:
        """Raises KeyError naming the thing and the links that it has."""
        for link in self.links:
            if link.name == name:
                return link
        raise KeyError(f"{self.category} has no link {name!r}; it has {[link.name for link in self.links]}")


def bounds(half: Vector, pos: Vector, quat: Quat = UPRIGHT) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest corner of the axis-aligned box around a turned box."""
    reach = np.abs(rotation(quat)) @ np.asarray(half)
    return np.asarray(pos) - reach, np.asarray(pos) + reach


def rotation(quat: Quat | np.ndarray) -> np.ndarray:
    """(3, 3) matrix of a unit quaternion, w first."""
    w, x, y, z = (float(value) for value in quat)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def product(first: Quat, second: Quat) -> Quat:
    """The turn that is `second` followed by `first`."""
    a, b, c, d = first
    w, x, y, z = second
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def about(axis: Vector, angle: float) -> Quat:
    """A turn about a unit axis (rad)."""
    s = float(np.sin(angle / 2))
    return (float(np.cos(angle / 2)), s * axis[0], s * axis[1], s * axis[2])


def flipped(pos: Vector) -> Vector:
    """The mirror image of a point or direction: x changes its sign."""
    return (0.0 - pos[0], pos[1], pos[2])


def flipped_turn(quat: Quat) -> Quat:
    """The mirror image of an attitude; every drawn form is its own mirror image."""
    return (quat[0], quat[1], 0.0 - quat[2], 0.0 - quat[3])


def mirrored(thing: Thing) -> Thing:
    """The mirror image of a thing: its left and right are exchanged."""
    spun = {"hinge": lambda a: (a[0], 0.0 - a[1], 0.0 - a[2]), "slide": flipped}
    edge = thing.edge and Edge(flipped(thing.edge.start), flipped(thing.edge.end))
    heat = thing.heat and replace(thing.heat, pos=flipped(thing.heat.pos))
    return replace(
        thing,
        parts=tuple(replace(part, pos=flipped(part.pos), quat=flipped_turn(part.quat)) for part in thing.parts),
        shapes=tuple(replace(shape, pos=flipped(shape.pos), quat=flipped_turn(shape.quat)) for shape in thing.shapes),
        fills=tuple(replace(fill, pos=flipped(fill.pos)) for fill in thing.fills),
        surfaces=tuple(replace(surface, pos=flipped(surface.pos)) for surface in thing.surfaces),
        links=tuple(
            replace(link, pos=flipped(link.pos), axis=spun[link.kind](link.axis), handle=flipped(link.handle))
            for link in thing.links
        ),
        buttons=tuple(replace(button, pos=flipped(button.pos)) for button in thing.buttons),
        grips=tuple(Grip(flipped(grip.pos), flipped(grip.side)) for grip in thing.grips),
        heat=heat,
        edge=edge,
    )


def moved(link: Link, value: float) -> tuple[np.ndarray, Quat]:
    """The pose, in the thing's frame, of a link's frame, which coincides with it when the joint is closed.

    Args:
        link: the joint. value: rad or m.

    Returns:
        (3,) m, and the turn.
    """
    if link.kind == "slide":
        return value * np.asarray(link.axis, float), UPRIGHT
    turn = about(link.axis, value)
    pivot = np.asarray(link.pos, float)
    return pivot - rotation(turn) @ pivot, turn
