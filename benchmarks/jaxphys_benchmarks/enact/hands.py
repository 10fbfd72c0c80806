"""Left and right: how well each hand's grasps are found, and how often one is taken for the other (section 9.1).

Sections are those of the ENACT specification.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from jaxphys_benchmarks.enact.taxonomy import Compared, Component

PREDICATES = {"left": "LeftGrasping", "right": "RightGrasping"}
OTHER_HAND = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Rate:
    """A share and its standard error, sqrt(p (1 - p) / n); both 0 of nothing."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def error(self) -> float:
        """Its standard error."""
        return math.sqrt(self.value * (1 - self.value) / self.whole) if self.whole else 0.0

    def facts(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"value": self.value, "standard_error": self.error, "part": self.part, "whole": self.whole}


@dataclass(frozen=True)
class Hand:
    """What became of one hand's grasps.

    Attributes:
        precision: matched of those answered. recall: matched of the true ones.
        mixing: true ones lost in a step that made the other hand grasp, and this one not, of the true ones.
    """

    precision: Rate
    recall: Rate
    mixing: Rate


def hands(steps: Iterable[Compared]) -> dict[str, Hand]:
    """Both hands over many steps.

    Args:
        steps: compared steps; the start and the end of a grasp count alike.
    """
    steps = list(steps)
    found = {}
    for hand, predicate in PREDICATES.items():
        matched = missing = hallucinated = mixed = 0
        for step in steps:
            lost = _count(step.missing, predicate)
            made_up = _count(step.hallucinated, predicate)
            matched += _count(step.matched, predicate)
            missing += lost
            hallucinated += made_up
            if not made_up and _count(step.hallucinated, PREDICATES[OTHER_HAND[hand]]):
                mixed += lost
        true = matched + missing
        found[hand] = Hand(Rate(matched, matched + hallucinated), Rate(matched, true), Rate(mixed, true))
    return found


def table(steps: Iterable[Compared]) -> dict[str, Any]:
    """Both hands, ready for JSON."""
    return {
        hand: {"precision": one.precision.facts(), "recall": one.recall.facts(), "mixing": one.mixing.facts()}
        for hand, one in hands(steps).items()
    }


def _count(components: Iterable[Component], predicate: str) -> int:
    return sum(one.predicate == predicate for one in components)
