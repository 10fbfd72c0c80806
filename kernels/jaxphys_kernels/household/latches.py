"""States that stay: buttons that a finger toggles, temperatures, and what has been cooked (ENACT specification, 3.2).

One frame at a time, pure; arrays of n things lead with any shape.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Latches:
    """What is remembered from frame to frame.

    Attributes:
        near: (..., n) int, frames for which a finger has been at the button. toggled: (..., n) bool.
        temperature: (..., n) °C. cooked: (..., n) bool.
    """

    near: Any
    toggled: Any
    temperature: Any
    cooked: Any


@dataclass(frozen=True)
class Heating:
    """Temperatures in °C and times in s.

    Attributes:
        ambient: of the room. source: what a heat source tends to. time: constant of heating. cooling: of cooling.
        cook: at which a thing is cooked.
    """

    ambient: float = 20.0
    source: float = 180.0
    time: float = 12.0
    cooling: float = 60.0
    cook: float = 70.0


def toggle(xp: Any, state: Latches, finger: Any, shut: Any, frames: int) -> Latches:
    """A button flips once when a finger has stayed for some frames, and again only after it has left.

    Args:
        xp: array module. state: of the frame before.
        finger: (..., n) bool, a fingertip is near enough to the button.
        shut: (..., n) bool, whether the thing may be on: one that needs to be closed goes off when it is opened.
        frames: for which the finger must stay.
    """
    near = xp.where(finger, state.near + 1, 0)
    flips = near == frames
    toggled = xp.where(flips, ~state.toggled, state.toggled) & shut
    return Latches(near, toggled, state.temperature, state.cooked)


def warm(xp: Any, state: Latches, heated: Any, cooks: Any, heating: Heating, dt: float) -> Latches:
    """Temperatures tend to that of what is around, exactly over the step; a thing once cooked stays so.

    Args:
        xp: array module. state: of the frame before.
        heated: (..., n) bool, in or on a heat source that is on. cooks: (..., n) bool, what can be cooked.
        heating: constants. dt: between frames (s).
    """
    towards = xp.where(heated, heating.source, heating.ambient)
    time = xp.where(heated, heating.time, heating.cooling)
    temperature = towards + (state.temperature - towards) * xp.exp(-dt / time)
    return Latches(state.near, state.toggled, temperature, state.cooked | (cooks & (temperature >= heating.cook)))
