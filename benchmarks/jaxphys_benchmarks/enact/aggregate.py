"""Task and pairwise accuracy over many verdicts, by direction and length (ENACT specification, sections 7.5 and 8).

`compat_report` has the keys and the macro mean of the reference's output file; `strict_report` adds the micro mean of
the paper, the exact rate, the diagnostics of accepted subsets and the level of chance. L always means frames.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jaxphys_benchmarks.enact.verdict import Verdict

DIRECTIONS = {"forward_world_modeling": "forward", "inverse_world_modeling": "inverse"}
"""Sections of a report and the word of an item's type that puts it there."""


@dataclass(frozen=True)
class Judged:
    """A verdict and what it counts under: the item's `type`, and `steps`, the length of its true answer."""

    type: str
    steps: int
    verdict: Verdict


def compat_report(judged: Sequence[Judged]) -> dict[str, Any]:
    """Sections `overall`, `forward_world_modeling`, `inverse_world_modeling`; one without items is absent."""
    return _by_direction(judged, lambda some: _macro([one.verdict for one in some]))


def strict_report(judged: Sequence[Judged]) -> dict[str, Any]:
    """The sections of `compat_report` with more in each: see the module's first lines."""
    return _by_direction(judged, _all_metrics)


def _by_direction(judged: Sequence[Judged], measure: Callable[[Sequence[Judged]], dict[str, Any]]) -> dict[str, Any]:
    report: dict[str, Any] = {}
    for section, word in {"overall": "", **DIRECTIONS}.items():
        if some := [one for one in judged if word in one.type.lower()]:
            by_length: dict[int, list[Judged]] = defaultdict(list)
            for one in some:
                by_length[one.steps + 1].append(one)
            per_step = {f"{length}_steps": measure(by_length[length]) for length in sorted(by_length)}
            report[section] = {**measure(some), "per_step": per_step}
    return report


def _macro(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Means over items."""
    return {
        "count": len(verdicts),
        "task_accuracy": sum(one.accepted for one in verdicts) / len(verdicts),
        "pairwise_accuracy": sum(one.pairwise for one in verdicts) / len(verdicts),
    }


def _all_metrics(some: Sequence[Judged]) -> dict[str, Any]:
    verdicts = [one.verdict for one in some]
    accepted, hits = sum(one.accepted for one in verdicts), sum(one.hits for one in verdicts)
    macro = _macro(verdicts)
    return {
        "count": macro["count"],
        "task_accuracy": macro["task_accuracy"],
        "pairwise_accuracy": hits / sum(one.steps for one in verdicts),
        "pairwise_accuracy_macro": macro["pairwise_accuracy"],
        "exact_rate": sum(one.exact for one in verdicts) / len(verdicts),
        "subset_only_items": _share(sum(one.subset_only for one in verdicts), accepted),
        "subset_only_pairs": _share(sum(one.strict_hits for one in verdicts), hits),
        "reasons": dict(sorted(Counter(one.reason for one in verdicts if one.reason).items())),
        "chance": chance(Counter(one.steps for one in some)),
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def chance(items_by_steps: Mapping[int, int]) -> dict[str, float]:
    """What guessing a permutation earns, weighted with the numbers of items.

    Args:
        items_by_steps: number of items for each n = L - 1.

    Returns:
        `task_accuracy`, the share of exact answers, 1 / n!; and `positions`, the share of right positions, 1 / n. Real
        accuracies of a guesser are higher, because subsets are accepted too.
    """
    total = sum(items_by_steps.values())
    return {
        "task_accuracy": sum(count / math.factorial(n) for n, count in items_by_steps.items()) / total,
        "positions": sum(count / n for n, count in items_by_steps.items()) / total,
    }


def weighted(percentages: Iterable[float], counts: Iterable[int]) -> float:
    """Mean of rates per length, weighted with the numbers of items: how a table gives a score over all lengths."""
    pairs = list(zip(percentages, counts, strict=True))
    return sum(rate * count for rate, count in pairs) / sum(count for _, count in pairs)
