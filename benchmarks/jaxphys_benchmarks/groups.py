"""Metrics over groups of variants of one scene: the same layout at several speeds, looks, or wordings.

Variants are brought together by a key, never by their place in a list, so shuffled results give the same
numbers (BilliardPhys-Bench specification, sections 5.4 and 7).
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from jaxphys_benchmarks.protocol import Answer, Question, Score

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

Agree = Callable[[Question, Answer, Answer], bool]
"""`Benchmark.agree`."""


@dataclass(frozen=True)
class Variant:
    """An answer about one variant of a scene.

    Attributes:
        key: of the scene. question: as asked about the variant.
        truth: the answer that is right. said: the answer that was given.
    """

    key: Hashable
    question: Question
    truth: Answer
    said: Answer


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
        rows = [(group_of[scene], bool(score.values["exact"])) for scene, score in scenes if scene in group_of]
        some = {key: any(exact) for key, exact in by_key(rows).items()}
        if some:
            metrics[f"{task}/groups"] = float(len(some))
            metrics[f"{task}/all_exact"] = sum(some[key] for key, same in all_match(rows).items() if same) / len(some)
            metrics[f"{task}/some_exact"] = sum(some.values()) / len(some)
    return metrics


def consistency(agree: Agree, looks: Iterable[tuple[Question, Answer, Answer]]) -> dict[str, float]:
    """Share of answers that stay the same when the same scene is shown differently.

    Args:
        agree: says whether two answers are the same.
        looks: the question in the plain look, its answer, and the answer in the other look.

    Returns:
        Per task: `<task>/consistent`, the share among the questions answered in both looks; and `<task>/compared`,
        their number. Tasks without any are left out.
    """
    answered = ((question, a, b) for question, a, b in looks if a.value is not None and b.value is not None)
    agreed = by_key((question.task, agree(question, a, b)) for question, a, b in answered)
    metrics: dict[str, float] = {}
    for task, same in sorted(agreed.items()):
        metrics |= {f"{task}/consistent": sum(same) / len(same), f"{task}/compared": float(len(same))}
    return metrics


def flips(agree: Agree, variants: Iterable[Variant]) -> dict[str, float]:
    """Whether the answers change where the truth changes, over all pairs of variants of one scene.

    Returns:
        Per task: `<task>/flips`, the number of pairs whose truths differ, and `<task>/followed`, the share of them
        in which the answers differ too; `<task>/steady`, the share of the other pairs in which the answers agree.
        A pair with a missing answer neither follows nor is steady. A share of nothing is left out.
    """
    groups = by_key(((variant.question.task, variant.key), variant) for variant in variants)
    followed, steady = defaultdict[str, list[bool]](list), defaultdict[str, list[bool]](list)
    for (task, _), group in groups.items():
        for one, other in combinations(group, 2):
            given = one.said.value is not None and other.said.value is not None
            if agree(one.question, one.truth, other.truth):
                steady[task].append(given and agree(one.question, one.said, other.said))
            else:
                followed[task].append(given and not agree(one.question, one.said, other.said))
    metrics: dict[str, float] = {}
    for task in sorted({task for task, _ in groups}):
        metrics[f"{task}/flips"] = float(len(followed[task]))
        if followed[task]:
            metrics[f"{task}/followed"] = sum(followed[task]) / len(followed[task])
        if steady[task]:
            metrics[f"{task}/steady"] = sum(steady[task]) / len(steady[task])
    return metrics
