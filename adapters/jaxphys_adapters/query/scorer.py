"""inspect-ai's scorer and metrics: every reply is read by all extractors and scored by the benchmark.

A sample's score carries the readings of all extractors in its metadata; metrics are the benchmark's own, over all
samples at once. The labels are looked up in `source` by the sample's id.
"""

import json
from collections.abc import Sequence

from inspect_ai.scorer import SampleScore
from inspect_ai.scorer import Score as SampleValue
from inspect_ai.solver import TaskState

from jaxphys_adapters.query import compare, reading
from jaxphys_adapters.query.loop_records import JOURNAL, OUTCOME, add_outcome
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.solver import REPLY
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.protocol import Reply


async def score(state: TaskState, source: Source, settings: Settings) -> SampleValue:
    """Read and score the reply to the sample's question."""
    scenes = load(source)
    scene, question = scenes.find(str(state.sample_id))
    kept = state.store.get(REPLY) or {"text": state.output.completion}
    found = reading.readings(scenes.benchmark, question, scene.labels, Reply(**kept))
    outcome, journal = state.store.get(OUTCOME), state.store.get(JOURNAL)
    if outcome is not None:
        add_outcome(found, scenes.benchmark, question, scene.labels, outcome, journal)
    chosen = found[settings.extract]
    return SampleValue(
        value=dict(chosen["values"]),
        answer=None if chosen["value"] is None else json.dumps(chosen["value"]),
        explanation=": ".join(part for part in (chosen["status"], chosen["reason"]) if part),
        metadata={
            "source": source.to_json(),
            "extract": settings.extract,
            "readings": found,
            **({} if outcome is None else {OUTCOME: outcome, JOURNAL: journal}),
        },
    )


def tally(scores: Sequence[SampleScore]) -> dict[str, float]:
    """The benchmark's metrics over all samples and groups, of the extractor that was chosen, and by style and band."""
    if not scores:
        return {}
    rows = [(str(sample.sample_id), (sample.score.metadata or {})["readings"]) for sample in scores]
    first = scores[0].score.metadata or {}
    scenes, extract = load(Source.from_json(first["source"])), first["extract"]
    return compare.scores(scenes, compare.plain(scenes, rows), extract) | compare.metrics(scenes, rows, extract)
