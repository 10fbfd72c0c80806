"""How leaves are drawn: one uniform per leaf, in the order of a table of ranges, whatever the leaf is used for.

A range is that of ReactHuman specification, section 7.2 or 7.4; `ReactHumanConfig.ranges` may replace it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families.pose import DECIMALS
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn
from jaxphys_benchmarks.reacthuman.premise import raised
from jaxphys_benchmarks.reacthuman.spec import Room

Hints = Mapping[str, str]
Ranges = Mapping[str, "Range"]
Draw = Callable[[np.random.Generator, Object, Room, Hints, ReactHumanConfig], dict[str, float]]
Build = Callable[[Drawn, float, ReactHumanConfig], Draft]

F = TypeVar("F", Draw, Build)


@dataclass(frozen=True)
class Range:
    """Where a leaf is drawn from.

    Attributes:
        low, high: SI units.
        provenance: "early_generator" or "assumed".
        tall: a hint {"height": "low" | "high"} moves it.
    """

    low: float
    high: float
    provenance: Literal["early_generator", "assumed"] = "assumed"
    tall: bool = False

    def span(self, hints: Hints) -> tuple[float, float]:
        """Low and high, moved by a hint at the height if the leaf is one."""
        return raised(self.low, self.high, hints.get("height")) if self.tall else (self.low, self.high)


def early(low: float, high: float, *, tall: bool = False) -> Range:
    """A range of the early generator."""
    return Range(low, high, "early_generator", tall)


def within(limit: float) -> Range:
    """A range of the early generator from -limit to limit."""
    return Range(-limit, limit, "early_generator")


def drawing(family: str, ranges: Callable[[Object, Room, ReactHumanConfig], Ranges]) -> Draw:
    """The `draw` of a family whose leaves have these ranges in this room."""

    def draw(
        rng: np.random.Generator, thing: Object, room: Room, hints: Hints, config: ReactHumanConfig
    ) -> dict[str, float]:
        table = ranges(thing, room, config)
        own = {key.partition(".")[2]: span for key, span in config.ranges.items() if key.partition(".")[0] == family}
        strange = [name for name in own if name not in table]
        if strange:
            raise ValueError(f"ranges: {family} draws no {strange[0]!r}; choose from {', '.join(table)}")
        spans = {name: own.get(name, entry.span(hints)) for name, entry in table.items()}
        return {name: round(float(rng.uniform(*span)), DECIMALS) for name, span in spans.items()}

    return draw


def by_variant(repaired: F, early: F) -> F:
    """One function of the two that the parametrisations of a family have; its last argument is the configuration."""
    table = {"repaired": repaired, "early": early}

    def chosen(*args):  # type: ignore[no-untyped-def]
        return table[args[-1].variant](*args)

    return chosen
