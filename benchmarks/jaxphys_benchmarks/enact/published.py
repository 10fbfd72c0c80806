"""Published results, and what must hold of them: a guard of how scores are aggregated.

A table cell is a percentage of the items of one direction and length, so that cell and number of items give back how
many were right. Summed over the lengths these counts give the overall scores that were published apart (ENACT
specification, section 10).
"""

from collections.abc import Sequence

from jaxphys_benchmarks.enact.aggregate import weighted

LENGTHS = (3, 4, 5, 6, 7, 8, 9, 10)
ITEMS = (572, 574, 575, 574, 573, 570, 548, 500)
"""Items of each length, in each direction (derived from the published shares)."""

README = {
    ("Human Performance", "overall"): (0.8859786000891663, 0.9492396096497747),
    ("Human Performance", "forward"): (0.879402585822559, 0.9481513916311064),
    ("Human Performance", "inverse"): (0.8925546143557735, 0.9503278276684429),
    ("GPT-5 mini", "overall"): (0.3695, 0.6474),
}
"""Task and pairwise accuracy over all lengths, by model and direction."""

MISPRINTS = (("Cosmos-Reason1", "inverse", 5), ("Human Performance", "inverse", 9))
"""Cells of task accuracy that no number of items gives: one item was skipped, and a digit is wrong."""

_HALF = 0.005 + 1e-9
"""Half a unit of the last printed digit, in percent, and rounding of binary fractions."""


def correct(percentage: float, items: int) -> int:
    """How many items were right.

    Args:
        percentage: a cell of the table of task accuracy.
        items: of this direction and length.
    """
    return round(percentage * items / 100)


def fits(percentage: float, items: int) -> bool:
    """Whether some number of items gives the cell, as printed with two digits.

    Args:
        percentage: a cell of the table of task accuracy.
        items: of this direction and length.
    """
    return abs(100 * correct(percentage, items) / items - percentage) <= _HALF


def task_accuracy(percentages: Sequence[float]) -> float:
    """Task accuracy of one direction, from the counts behind its cells.

    Args:
        percentages: cells by length.
    """
    return sum(map(correct, percentages, ITEMS)) / sum(ITEMS)


def pairwise_accuracy(percentages: Sequence[float]) -> float:
    """Macro pairwise accuracy of one direction, within rounding of its cells.

    Args:
        percentages: cells by length.
    """
    return weighted(percentages, ITEMS) / 100
