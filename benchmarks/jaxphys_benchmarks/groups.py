"""Metrics over groups of variants of one scene: the same layout at several speeds, looks, or wordings.

Variants are brought together by a key, never by their place in a list, so shuffled results give the same
numbers (BilliardPhys-Bench specification, section 5.4).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from jaxphys_benchmarks.protocol import Score

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def by_key(rows: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Values of each key, keys and values in the order of first appearance."""
    groups: dict[Key, list[Value]] = defaultdict(list)
    for key, value in rows:
        groups[key].append(value)
    return dict(groups)


def all_match(rows: Iterable[tuple[Key, Value]]) -> dict[Key, bool]:
    """Whether all values of a key are equal."""
    return {key: all(value == values[0] for value in values) for key, values in by_key(rows).items()}


def group_metrics(scores: Sequence[Score], group_of: Mapping[str, Hashable]) -> dict[str, float]:
    """How whole groups fare.

    Args:
        scores: with the value `exact`, 1 if everything of the question was right.
        group_of: group of each scene id; scenes that are not in it are left out.

    Returns:
        Per task: `<task>/groups` their number, `<task>/all_exact` the share of groups in which every variant is
        exact, `<task>/some_exact` the share in which at least one is.
    """
    metrics: dict[str, float] = {}
    for task in sorted({score.task for score in scores}):
        scenes = ((score.question.rsplit("/", 1)[0], score) for score in scores if score.task == task)
        groups = by_key((group_of[scene], bool(score.values["exact"])) for scene, score in scenes if scene in group_of)
        if groups:
            metrics[f"{task}/groups"] = float(len(groups))
            metrics[f"{task}/all_exact"] = sum(map(all, groups.values())) / len(groups)
            metrics[f"{task}/some_exact"] = sum(map(any, groups.values())) / len(groups)
    return metrics
