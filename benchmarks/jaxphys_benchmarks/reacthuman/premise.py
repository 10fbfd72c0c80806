"""`Premise`: what a scene is about, without any number (ReactHuman specification, section 5).

`{family, object, room, hints}`, from the tables or from a text description through a language model. All numbers come
from the seeded sampler afterwards.
"""

from typing import Literal, get_args

from pydantic import Field, field_validator

from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.scene import Part
from jaxphys_benchmarks.reacthuman.spec import BANDS

Height = Literal["low", "normal", "high"]

HINTS: dict[str, tuple[str, ...]] = {"speed": tuple(BANDS), "height": get_args(Height)}
"""Hints by name, and what they may say. Speed names the band that a description speaks of: a group has all its bands
whatever is said, and the scene of that band is the one described (`ReactHumanSpec.described`). Height moves the range
of mount height, shelf height and start step by `raised`."""

TABLE = "table"
"""`Premise.planned_by` of the table-driven sampler."""


class Premise(Part):
    """What a four-band group is about.

    Attributes:
        family, object, room: names. hints: see `HINTS`; a hint that is absent says "normal".
        description: the text that it was made of, or "".
        planned_by: "table", or the name of the model that read the description.
    """

    family: str = Field(min_length=1, max_length=40)
    object: str = Field(min_length=1, max_length=40)
    room: str = Field(min_length=1, max_length=40)
    hints: dict[str, str] = Field(default_factory=dict)
    description: str = Field(default="", max_length=2000)
    planned_by: str = Field(default=TABLE, min_length=1, max_length=120)

    @field_validator("hints")
    @classmethod
    def _known(cls, hints: dict[str, str]) -> dict[str, str]:
        for name, value in hints.items():
            if name not in HINTS:
                raise ValueError(f"{name!r} is no hint; give {' or '.join(HINTS)}")
            if value not in HINTS[name]:
                raise ValueError(f"{name}: {value!r}; give one of {', '.join(HINTS[name])}")
        return hints

    def check(self, objects: Catalogue, allowed: tuple[str, ...]) -> None:
        """Whether the tables know it all.

        Args:
            objects: where the object must be found.
            allowed: types of rooms.

        Raises:
            ValueError: names the field, its value, and what would do.
        """
        known = catalogue.families()
        if self.family not in known:
            raise ValueError(f"family: {self.family!r} is unknown; choose from {', '.join(known)}")
        objects.get(self.object, self.family)
        rooms.get(self.room)
        open_to = [room for room in rooms.rooms_of(self.family) if room in allowed]
        if self.room not in open_to:
            raise ValueError(f"room: {self.family} does not happen in {self.room!r}; choose from {', '.join(open_to)}")


def raised(low: float, high: float, height: str | None) -> tuple[float, float]:
    """A range of heights under a hint: low -> (low - 0.3 span, low), high -> (high, high + 0.3 span) (section 5)."""
    span = 0.3 * (high - low)
    return {"low": (low - span, low), "high": (high, high + span)}.get(height or "", (low, high))
