"""The language of scripts: what the robot is to do with which things (ENACT specification, section 14).

A script is a tuple of skills. Every skill drives the robot to where it is needed. A hand is "left", "right" or "",
which leaves it to the hands of the episode. Things are named as in the house; lengths in metres, times in seconds.
Public: the skills, `Skill`, and `take`, `put_on`, `put_in`, which are a few skills in one.
"""

from dataclasses import dataclass
from typing import Literal

Hand = Literal["", "left", "right"]


@dataclass(frozen=True)
class Goto:
    """Drives to where the thing can be reached, and looks at it."""

    thing: str


@dataclass(frozen=True)
class Look:
    """Turns the head to a thing."""

    thing: str


@dataclass(frozen=True)
class Wait:
    """Does nothing."""

    seconds: float


@dataclass(frozen=True)
class Grasp:
    """Takes hold of a thing; what stands on it or in it comes along when it is lifted."""

    thing: str
    hand: Hand = ""


@dataclass(frozen=True)
class Lift:
    """Brings a held thing up, out of where it was, and before the chest."""

    thing: str


@dataclass(frozen=True)
class PlaceOn:
    """Sets a held thing down on another one, still holding it.

    Attributes:
        thing: what is held. on: what it is set down on.
        at: u and v, from -1 to 1, on that surface; None for a free spot. level: number of the surface, of those on it;
            None for the first with room. yaw: against what it stands on (rad); None for the nearest square one.
    """

    thing: str
    on: str
    at: tuple[float, float] | None = None
    level: int | None = None
    yaw: float | None = None


@dataclass(frozen=True)
class PlaceIn:
    """As `PlaceOn`, in a container, on one of the surfaces that lie within it."""

    thing: str
    into: str
    at: tuple[float, float] | None = None
    level: int | None = None
    yaw: float | None = None


@dataclass(frozen=True)
class Release:
    """Opens the hand that holds a thing and draws it back."""

    thing: str


@dataclass(frozen=True)
class Open:
    """Opens a door, lid or drawer by its handle.

    Attributes:
        thing: whose it is. link: its name; "" for the first. fraction: of its span.
    """

    thing: str
    link: str = ""
    fraction: float = 1.0


@dataclass(frozen=True)
class Close:
    """Closes a door, lid or drawer."""

    thing: str
    link: str = ""


@dataclass(frozen=True)
class Press:
    """Keeps a fingertip on a button until it has flipped."""

    thing: str
    button: int = 0


@dataclass(frozen=True)
class Cut:
    """Strikes through a thing with a held knife."""

    thing: str
    knife: str


@dataclass(frozen=True)
class Pour:
    """Tilts a held thing over another one until its particles have fallen."""

    source: str
    into: str


@dataclass(frozen=True)
class WaitHeat:
    """Waits until a thing is cooked, or a system of cooked particles exists.

    Attributes:
        what: name of the thing or the system. limit: after which the skill has failed (s).
    """

    what: str
    limit: float = 60.0


@dataclass(frozen=True)
class Handover:
    """Gives a held thing to the other hand."""

    thing: str


Skill = (
    Goto | Look | Wait | Grasp | Lift | PlaceOn | PlaceIn | Release | Open | Close | Press | Cut | Pour | WaitHeat
    | Handover
)  # fmt: skip


def take(thing: str, hand: Hand = "") -> tuple[Skill, ...]:
    """Takes a thing and brings it before the chest."""
    return (Grasp(thing, hand), Lift(thing))


def put_on(
    thing: str, on: str, at: tuple[float, float] | None = None, level: int | None = None, yaw: float | None = None
) -> tuple[Skill, ...]:
    """Sets a held thing down on another one and lets it go."""
    return (PlaceOn(thing, on, at, level, yaw), Release(thing))


def put_in(
    thing: str, into: str, at: tuple[float, float] | None = None, level: int | None = None, yaw: float | None = None
) -> tuple[Skill, ...]:
    """Sets a held thing down in a container and lets it go."""
    return (PlaceIn(thing, into, at, level, yaw), Release(thing))
