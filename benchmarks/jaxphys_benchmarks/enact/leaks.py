"""Whether answers can be had without looking: from names and numbers of files and records (ENACT specification, 17).

A leak baseline orders what is shown by something that is no part of the question's meaning: the names of the images,
the digits of the id, the length of the texts. Each must do no better than chance: its share of exact answers must lie
within the 95 % interval of guessing, and so must its share of right positions. What the texts of the actions alone
give is reported beside them, and is not held to chance: what is cut must have been whole.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.enact import prompts
from jaxphys_benchmarks.enact.baselines import text_matcher
from jaxphys_benchmarks.enact.items import Item

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Leak:
    """How a way to answer without looking fares.

    Attributes:
        name: of the way. items: questions. exact, positions: shares that are right.
        chance_exact, chance_positions: what guessing a permutation gives on these questions.
        band_exact, band_positions: half widths of the 95 % intervals of guessing.
    """

    name: str
    items: int
    exact: float
    positions: float
    chance_exact: float
    chance_positions: float
    band_exact: float
    band_positions: float

    @property
    def within(self) -> bool:
        """Whether it is as good as guessing."""
        return (
            abs(self.exact - self.chance_exact) <= self.band_exact
            and abs(self.positions - self.chance_positions) <= self.band_positions
        )


def by_name(item: Item) -> list[int]:
    """Images, or actions, in the order of the names of their files."""
    names = item.images[1:]
    return [int(k) + 1 for k in np.argsort(np.array(names), kind="stable")]


def by_digits(item: Item) -> list[int]:
    """An order that the last characters of the id spell: its number among all permutations."""
    n = len(item.gt_answer)
    number = int(item.id.rsplit("_", 1)[-1], 16) % math.factorial(n)
    left, order = list(range(1, n + 1)), []
    for size in range(n, 0, -1):
        place, number = divmod(number, math.factorial(size - 1))
        order.append(left.pop(place))
    return order


def by_length(item: Item) -> list[int]:
    """Actions by the length of their texts; forward, the lengths of the names of the images."""
    listed = prompts.actions_of(item.question) if item.inverse else item.images[1:]
    if len(listed) != len(item.gt_answer):
        return list(range(1, len(item.gt_answer) + 1))
    return [int(k) + 1 for k in np.argsort([len(text) for text in listed], kind="stable")]


def as_listed(item: Item) -> list[int]:
    """As they are listed."""
    return list(range(1, len(item.gt_answer) + 1))


def by_text(item: Item) -> list[int]:
    """By what the texts of the actions say of each other."""
    return [int(part) for part in text_matcher(item, 0).strip("[]").split(",")]


FILES: dict[str, Callable[[Item], list[int]]] = {
    "file names": by_name,
    "digits of the id": by_digits,
    "as listed": as_listed,
}
"""Ways that must be as good as guessing."""
TEXTS: dict[str, Callable[[Item], list[int]]] = {"length of texts": by_length, "texts of actions": by_text}
"""Ways that are reported only."""


def leak(name: str, way: Callable[[Item], list[int]], items: Sequence[Item]) -> Leak:
    """How one way fares on questions.

    The interval of guessing comes from the spread of both shares over random permutations, exactly: of n positions one
    is right on average, with variance one.

    Args:
        name: of the way. way: gives an order. items: questions, at least one.
    """
    exact, right, steps = 0, 0, 0
    mean_exact, spread_exact = 0.0, 0.0
    for item in items:
        answer, truth = way(item), list(item.gt_answer)
        n = len(truth)
        exact += answer == truth
        right += sum(a == b for a, b in zip(answer, truth, strict=True))
        steps += n
        chance = 1 / math.factorial(n)
        mean_exact += chance
        spread_exact += chance * (1 - chance)
    count = len(items)
    # The number of fixed points of a random permutation of two or more has mean 1 and variance 1.
    spread = sum(len(item.gt_answer) > 1 for item in items)
    return Leak(
        name,
        count,
        exact / count,
        right / steps,
        mean_exact / count,
        count / steps,
        Z95 * math.sqrt(spread_exact) / count,
        Z95 * math.sqrt(spread) / steps,
    )


def leaks(items: Sequence[Item]) -> tuple[list[Leak], list[Leak]]:
    """Ways through files and records, which must be as good as guessing, and ways through texts.

    Args:
        items: questions of either direction, at least one.
    """
    return (
        [leak(name, way, items) for name, way in FILES.items()],
        [leak(name, way, items) for name, way in TEXTS.items()],
    )
