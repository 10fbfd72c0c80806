"""Replies to scores: each reply read by all extractors, and metrics over many replies.

Needs no model client, so answers obtained elsewhere are scored by the same code.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jaxphys_benchmarks.agreement import disagreement
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Benchmark, Question, Reply, Score

Readings = Mapping[str, Mapping[str, Any]]
"""By extractor: value, status, reason and repairs of the answer; group and values of its score."""

ENDINGS = ("/low", "/high", "/answered")
"""Endings of a metric's name: the 95 % interval, and the value over answered questions only."""

SENSITIVITY = {"answers that change": "/sensitivity_", "accuracy": "/saa_if_"}
"""Beginnings of metrics that say how much hangs on a threshold, and what they say; they have a table of their own."""

Row = tuple[str, Readings]
"""Question id, and how its reply was read."""


def readings(benchmark: Benchmark, question: Question, labels: Any, reply: Reply | Answer) -> dict[str, dict[str, Any]]:
    """Read and score one reply, by extractor, ready for JSON; an answer that was no reply is the same for all."""
    found = {}
    for name in EXTRACTORS:
        if isinstance(reply, Answer):
            answer = replace(reply, extractor=name)
        else:
            answer = benchmark.parse(question, reply, extractor=name)
        score = benchmark.score(question, labels, answer)
        found[name] = {
            "value": answer.value,
            "status": answer.status,
            "reason": answer.reason,
            "repairs": list(answer.repairs),
            "group": score.group,
            "values": dict(score.values),
        }
    return found


def answer_of(found: Readings, extractor: str) -> Answer:
    """The answer that an extractor read."""
    own = found[extractor]
    return Answer(own["value"], own["status"], own["reason"], extractor, tuple(own["repairs"]))


def scores(rows: Iterable[Row], extractor: str) -> list[Score]:
    """The scores of one extractor."""
    return [
        Score(
            question=question_id,
            task=question_id.rpartition("/")[2],
            group=found[extractor]["group"],
            values=found[extractor]["values"],
            status=found[extractor]["status"],
        )
        for question_id, found in rows
    ]


def metrics(benchmark: Benchmark, rows: Sequence[Row], extractor: str) -> dict[str, float]:
    """Metrics of the chosen extractor, and beside them those of the others as far as they hold for all groups.

    The others' names start with `<extractor>:`. `<extractor>:differs` counts the items, flags or places, that an
    extractor reads differently from the chosen one (BilliardPhys-Bench specification, section 8.3).
    """
    values = benchmark.aggregate(scores(rows, extractor))
    chosen = dict(values)
    for other in EXTRACTORS:
        if other != extractor:
            read = {name: [found[name]["value"] for _, found in rows] for name in (other, extractor)}
            beside = chosen if read[other] == read[extractor] else benchmark.aggregate(scores(rows, other))
            values[f"{other}:differs"] = float(disagreement(read)[f"{other}/{extractor}"])
            values |= {f"{other}:{name}": beside[name] for name in headlines(beside, groups(rows, extractor))}
    return values


def groups(rows: Sequence[Row], extractor: str) -> list[str]:
    """Names of the groups, sorted."""
    return sorted({found[extractor]["group"] for _, found in rows})


def headlines(values: Iterable[str], groups: Sequence[str]) -> list[str]:
    """Names of the metrics over all groups, without intervals, variants, reasons of failure and other extractors."""
    return [
        name
        for name in values
        if ":" not in name
        and name.partition("/")[0] not in groups
        and not name.endswith(ENDINGS)
        and "/failed/" not in name
    ]


def leading(names: Iterable[str]) -> list[str]:
    """Of metrics over all groups, the mean and the main metric of each task, which comes first."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(name.partition("/")[0], name)
    return list(first.values())


def failures(rows: Sequence[Row], extractor: str) -> dict[str, int]:
    """How many questions have no answer, by reason, most frequent first."""
    counts: dict[str, int] = {}
    for _, found in rows:
        status = found[extractor]["status"]
        if status != "ok":
            counts[status] = counts.get(status, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
