"""Evaluation results for the report page: which models answered, what they scored, what they said.

Reads the folders that `jaxphys eval --out` and `jaxphys score --out` write (metrics.json, run.json, one record per
question, or decisions.jsonl where nobody was asked), wherever they lie below the data set. Files are untrusted: what
cannot be read is left out and named.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from jaxphys_adapters import layout
from jaxphys_adapters.query.decisions_file import DECISIONS
from jaxphys_adapters.query.reading import headlines
from jaxphys_adapters.query.records import METRICS, AnswerFolder

DEEPEST = 4
"""Folders below the data set in which results are looked for."""
LARGEST = 1e15
"""No metric is larger; axes of charts are made for such."""


@dataclass(frozen=True)
class Results:
    """Results of one model.

    Attributes:
        root: the folder. model: its name, on a page unlike all others, see `told_apart`.
        scenes: how many it was asked about.
        metrics: by name. failures: questions without an answer, by reason. extract: how replies were read.
        seed: of the scenes, None where it is not recorded.
    """

    root: Path
    model: str
    scenes: int
    metrics: Mapping[str, float]
    failures: Mapping[str, int]
    extract: str
    seed: int | None = None

    def record(self, question: str) -> dict[str, Any] | None:
        """What was asked and answered, None where there is no readable record."""
        path = AnswerFolder(self.root).path(question)
        try:
            return layout.read_json(path)
        except ValueError:
            return None

    def asked(self, scene: str, tasks: Sequence[str]) -> bool:
        """Whether there is a record of some question about a scene."""
        names = [f"{scene}/{task}" for task in tasks]
        return any(AnswerFolder(self.root).path(name).exists() or name in self.decisions for name in names)

    @cached_property
    def decisions(self) -> Mapping[str, Mapping[str, Any]]:
        """Decision records by id of the question, of a run that asked nobody; empty where there are none to be read."""
        try:
            text = (self.root / DECISIONS).read_text("utf-8")
            records = [json.loads(line) for line in text.splitlines()]
        except (OSError, ValueError, RecursionError):
            return {}
        return {str(record["id"]): record for record in records if isinstance(record, dict) and "id" in record}


def find_results(root: Path, benchmark: str) -> tuple[list[Results], list[str]]:
    """All results below a folder for a benchmark, best first, and what was wrong with those left out."""
    found, faults = [], []
    patterns = ["*/" * depth + METRICS for depth in range(DEEPEST + 1)]
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        try:
            content = layout.read_json(path)
            if content.get("benchmark") == benchmark:
                found.append(_read(path.parent, content))
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            faults.append(f"{path.relative_to(root)}: {error}")
    return sorted(found, key=lambda r: (-r.metrics.get("mean", 0.0), r.model)), faults


def _read(root: Path, content: Mapping[str, Any]) -> Results:
    metrics = {str(name): float(value) for name, value in content["metrics"].items()} if "metrics" in content else {}
    for name, value in metrics.items():
        if not abs(value) <= LARGEST:
            raise ValueError(f"metrics: {name}: {value:g}; give a number within ±{LARGEST:g}")
    seed = content.get("seed")
    failures = {str(reason): int(number) for reason, number in (content.get("failures") or {}).items()}
    return Results(
        root,
        str(content.get("model", root.name)),
        int(content.get("n", 0)),
        metrics,
        failures,
        str(content.get("extract", "robust")),
        seed if isinstance(seed, int) else None,
    )


def told_apart(results: Sequence[Results]) -> list[Results]:
    """The results, those of one model that was asked in several ways named by their folders too."""
    count = Counter(one.model for one in results)
    named = [replace(one, model=f"{one.model} ({one.root.name})") if count[one.model] > 1 else one for one in results]
    again = Counter(one.model for one in named)
    return [
        replace(new, model=f"{old.model} ({old.root})") if again[new.model] > 1 else new
        for old, new in zip(results, named, strict=True)
    ]


def shown_metrics(results: Sequence[Results], groups: Sequence[str]) -> list[str]:
    """Names of the metrics over all groups that some model has, in the order of the benchmark."""
    names: dict[str, None] = {}
    # A run about some groups only may lack metrics; the fullest one knows their order.
    for one in sorted(results, key=lambda r: -len(r.metrics)):
        names |= dict.fromkeys(headlines(one.metrics, groups))
    return [name for name in names if not name.endswith(("/n", "/n_answered", "/failed"))]
