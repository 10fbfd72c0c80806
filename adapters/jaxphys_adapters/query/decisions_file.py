"""`decisions.jsonl`: what each answer of a run amounts to, one record a line, where the benchmark has such records.

The forms are the benchmark's (`Decided.decision`); `jaxphys score --answers decisions.jsonl` reads them back.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jaxphys_adapters import atomic
from jaxphys_adapters.query import reading
from jaxphys_adapters.query.source import Scenes
from jaxphys_benchmarks.embodied import Embodied
from jaxphys_benchmarks.protocol import Decided

DECISIONS = "decisions.jsonl"


def save(
    scenes: Scenes,
    rows: Sequence[reading.Row],
    extract: str,
    model: str,
    folder: Path,
    outcomes: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> None:
    """Write the decisions that one extractor gives; nothing where the benchmark has none.

    Args:
        scenes: that were asked about. rows: how replies were read. extract: the extractor. model: who answered.
        folder: to write into. outcomes: by question, what came of answers that were carried out.

    Raises:
        StorageError: the folder cannot be written.
    """
    benchmark = scenes.benchmark
    if not isinstance(benchmark, Decided):
        return
    lines = []
    for question_id, found in rows:
        scene, question = scenes.find(question_id)
        answer = reading.answer_of(found, extract)
        record = benchmark.decision(question, scene.labels, answer, model=model)
        if question_id in outcomes and isinstance(benchmark, Embodied):
            record = benchmark.decision_executed(record, outcomes[question_id])
        lines.append(json.dumps({"id": question_id, **record}, allow_nan=False) + "\n")
    atomic.write(folder / DECISIONS, "".join(lines).encode())
