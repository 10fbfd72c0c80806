"""Variants of pictures: lens, height of the camera, appearance of the robot, realism (ENACT specification, 9.2 and 13).

A variant changes pixels and nothing else: all are drawn from the same stored states. `variant(name, config)` gives one
of `names(config)`: `baseline`, `aperture30` ..., `fisheye`, `high`, `low`, `white`, `random`, `skin`, `flat`, `rich`.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.config_world import Camera
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.robot import BLACK
from jaxphys_benchmarks.enact.world.things import Part

Appearance = Literal["own", "white", "random", "skin"]
Realism = Literal["flat", "baseline", "rich"]

WHITE = ("#f4f4f2", "#e2e4e6")
SKIN = ("#e0ac84", "#d49b72")
"""Colours of what is black and of what is white of the robot."""

BASELINE = "baseline"
BOARD, LENGTH, GAP = 0.24, 1.6, 0.008
"""Width and length of a floor board, and what is between two (m)."""
DARK = 22
"""Steps of `shade` from a board to a gap."""
TILE = 0.2
"""Side of a tile (m)."""


@dataclass(frozen=True)
class Variant:
    """How pictures are taken.

    Attributes:
        name: what it is called. head: the camera. fisheye: its lens is one.
        arms: appearance of the robot. realism: `flat` has neither shadows nor gloss, `rich` also boards, tiles and 16
            samples a pixel.
    """

    name: str
    head: Camera
    fisheye: bool = False
    arms: Appearance = "own"
    realism: Realism = "baseline"

    @property
    def scale(self) -> int:
        """How many times finer pictures are drawn than they are."""
        return 2 if self.realism == "rich" else 1


def variant(name: str, config: EnactConfig) -> Variant:
    """The variant of a name.

    Args:
        name: one of `names(config)`. config: camera, and other apertures and heights.

    Raises:
        ValueError: there is none of this name.
    """
    table = _table(config)
    if name not in table:
        raise ValueError(f"variant: {name!r} is none of {', '.join(table)}")
    return table[name]


def names(config: EnactConfig) -> tuple[str, ...]:
    """All variants, the baseline first."""
    return tuple(_table(config))


def _table(config: EnactConfig) -> Mapping[str, Variant]:
    head, ablation = config.camera, config.ablation
    plain = Variant(BASELINE, head)
    apertures = sorted({head.aperture, *ablation.apertures})
    found = [
        plain,
        *(Variant(f"aperture{one:g}", head.model_copy(update={"aperture": one})) for one in apertures),
        replace(plain, name="fisheye", fisheye=True),
    ]
    # Names tell on which side of the usual height the other one is.
    for height in ablation.heights:
        name = "high" if height > head.height else "low"
        found.append(Variant(name, head.model_copy(update={"height": height})))
    found += [replace(plain, name=arms, arms=arms) for arms in ("white", "random", "skin")]
    found += [replace(plain, name=realism, realism=realism) for realism in ("flat", "rich")]
    return {one.name: one for one in found}


def painted(arms: Appearance, frame: int, number: int, colour: str) -> str:
    """Colour of a part of the robot.

    Args:
        arms: appearance. frame: number of the frame. number: of the part. colour: its own.
    """
    pairs: Mapping[str, tuple[str, str]] = {"white": WHITE, "skin": SKIN}
    rules: Mapping[str, Callable[[], str]] = {
        "own": lambda: colour,
        "random": lambda: "#" + hashlib.sha256(f"{frame}/{number}".encode()).hexdigest()[:6],
    }
    if arms in rules:
        return rules[arms]()
    return pairs[arms][0 if colour == BLACK else 1]


def texture(house: House, reach: tuple[float, float]) -> tuple[Part, ...]:
    """Gaps between the boards of the floor, and tiles on the back wall, thinner than a hair.

    Boards themselves are the floor: solids on it would hide the shadows that fall there.

    Args:
        house: whose. reach: half extents of its floor (m).
    """
    a, b = reach
    colour = shade(house.floor, DARK)
    found = []
    for k in range(round(2 * b / BOARD)):
        y = -b + k * BOARD
        found.append(Part("box", (a, 0.5 * GAP, 0.0002), (0.0, y, 0.0003), colour))
        # Ends of neighbouring boards are never side by side.
        ends = np.arange(-a + (0.37 * LENGTH * k) % LENGTH, a, LENGTH)
        half, middle = (0.5 * GAP, 0.5 * BOARD, 0.0002), y + 0.5 * BOARD
        found += [Part("box", half, (float(end), middle, 0.0003), colour) for end in ends]
    if any(part.half[2] > 1.0 for part in house.backdrop):
        for k in range(round(2 * a / TILE)):
            for j in range(3):
                x, z = -a + (k + 0.5) * TILE, 0.95 + (j + 0.5) * TILE
                colour = shade("#e8eef0", (3 * k + j) % 4)
                found.append(Part("box", (0.5 * TILE - 0.004, 0.001, 0.5 * TILE - 0.004), (x, b - 0.001, z), colour))
    return tuple(found)


def shade(colour: str, step: int) -> str:
    """A colour made darker in small steps."""
    scale = 1 - 0.035 * step
    return "#" + "".join(f"{int(int(colour[k : k + 2], 16) * scale):02x}" for k in (1, 3, 5))
