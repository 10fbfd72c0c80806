"""The files of `jaxphys execute`: one folder per scene, whole or not there, and tables of all of them.

Public: `Wanted`, `begin`, `is_done`, `store`, `film`, `finish`, `outcome_of`, `told_of`, `digest_of`.
"""

import hashlib
import importlib.util
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, executed_films, layout, motions
from jaxphys_adapters.environment import made_with
from jaxphys_benchmarks.embodied import Embodied, Executed, Filmed
from jaxphys_benchmarks.protocol import Answer, Decided, Question, Spec

EXECUTION, OUTCOME, MOTION = "execution.json", "outcome.json", "motion.npz"
OUTCOMES, TABLE, DECISIONS, METRICS, TALLY = (
    "outcomes.json", "outcomes.parquet", "decisions.jsonl", "metrics.json", "tally.json",
)  # fmt: skip
FORMAT = 1
MISSING = Answer(None, "error", "no answer was given")


@dataclass(frozen=True)
class Wanted:
    """One answer that is to be carried out.

    Attributes:
        spec, labels: of the scene. question: that it answers. answer: as parsed; None where there is none.
    """

    spec: Spec
    labels: Any
    question: Question
    answer: Answer | None

    @property
    def digest(self) -> str:
        """What tells answers apart, and scenes of one name."""
        value = None if self.answer is None else self.answer.value
        told = json.dumps([self.spec.model_dump(mode="json"), value], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def digest_of(spec: Spec) -> str:
    """What tells scenes of one name apart, however they are asked about."""
    told = json.dumps(spec.model_dump(mode="json", exclude={"config_hash"}), sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def plain(name: str) -> str:
    """A name with nothing in it that would harm a path."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60].strip("_") or "unnamed"


def begin(out: Path, what: Mapping[str, Any]) -> None:
    """Say in `execution.json` what a folder holds; one that holds something else is refused.

    Raises:
        ValueError: the folder holds outcomes of other answers, or carried out otherwise; names the field.
        StorageError: it cannot be written.
    """
    path = out / EXECUTION
    content = {"format": FORMAT, **what}
    if path.exists():
        before = layout.read_json(path)
        for name, value in _flat(content).items():
            there = _flat(before).get(name)
            if there != value:
                raise ValueError(
                    f"{path}: {name}: {value!r:.80}, but {there!r:.80} there; choose another folder with --out"
                )
        return
    atomic.write(path, layout.to_json({**content, "made_with": made_with()}))


def _flat(content: Mapping[str, Any]) -> dict[str, Any]:
    """What tells executions apart, by name; threads and batches change how long it takes, and nothing else.

    Data sets are moved, and every outcome knows its scene.
    """
    options = content.get("options")
    own = options if isinstance(options, Mapping) else {}
    named = {f"options: {name}": value for name, value in own.items() if name not in ("threads", "batch")}
    return {name: content.get(name) for name in ("format", "benchmark", "answers")} | named


def is_done(out: Path, one: Wanted, columns: Mapping[str, Any]) -> bool:
    """Whether the outcome of this very answer is stored, whole; `columns` are those of the benchmark's outcomes."""
    path = out / one.spec.id / OUTCOME
    if not path.is_file():
        return False
    try:
        content = layout.read_json(path)
    except ValueError:
        return False
    outcome = content.get("outcome")
    whole = isinstance(outcome, dict) and outcome.keys() == columns.keys()
    known = content.get("answer") == one.digest and content.get("digest") == digest_of(one.spec)
    return whole and known and isinstance(content.get("told"), dict)


def store(out: Path, one: Wanted, executed: Executed) -> None:
    """Store what came of an answer; an outcome that is there goes first and the new one comes last: one means whole.

    Raises:
        StorageError: it cannot be written.
    """
    folder = out / one.spec.id
    atomic.make_folder(folder)
    with atomic.explained(folder):
        for stale in (folder / OUTCOME, *folder.glob("*.mp4"), folder / MOTION):
            stale.unlink(missing_ok=True)
    if executed.motion is not None and len(executed.motion.times):
        motions.write(folder / MOTION, executed.motion)
    told = {"title": executed.told.title, "lines": [list(line) for line in executed.told.lines]}
    content = {"scene": one.spec.id, "digest": digest_of(one.spec), "answer": one.digest}
    atomic.write(folder / OUTCOME, layout.to_json({**content, "outcome": dict(executed.outcome), "told": told}))


def film(benchmark: Any, out: Path, one: Wanted, kinds: Sequence[str], scale: float) -> str:
    """Draw films of what is stored; those that are there are kept.

    Returns:
        Why this scene has no films; empty where it has them.

    Raises:
        ValueError: the benchmark has none. StorageError: they cannot be written. OSError: nothing here can draw.
        ModuleNotFoundError: PyAV is not installed.
    """
    if not isinstance(benchmark, Filmed):
        raise ValueError("videos: what this benchmark's robot does cannot be drawn")
    folder = out / one.spec.id
    try:
        motion = motions.read(folder / MOTION)
    except ValueError as error:
        return f"{error}; delete {folder / OUTCOME} and run `jaxphys execute` again"
    try:
        executed_films.store(benchmark, folder, one.spec, one.labels, motion, kinds, scale=scale)
    except ValueError as error:
        return f"{folder}: {error}"
    return ""


def outcome_of(out: Path, scene: str) -> dict[str, Any]:
    """The stored outcome of a scene.

    Raises:
        ValueError: there is none, or it cannot be read.
    """
    path = out / scene / OUTCOME
    outcome = layout.read_json(path).get("outcome")
    if not isinstance(outcome, dict):
        raise ValueError(f"{path}: outcome: missing; delete the file and run `jaxphys execute` again")
    return outcome


def told_of(path: Path, spec: Spec) -> tuple[str, list[tuple[str, str]]]:
    """A stored outcome of a scene in words: its title, and headings with their sentences.

    Raises:
        ValueError: there are none, they are about another scene of the same name, or the file cannot be read.
    """
    content = layout.read_json(path)
    if content.get("digest") != digest_of(spec):
        raise ValueError(f"{path}: is about another {spec.id} than this one; run `jaxphys execute` on its data set")
    told = content.get("told")
    if not isinstance(told, dict) or not isinstance(told.get("lines"), list):
        raise ValueError(f"{path}: told: missing; delete the file and run `jaxphys execute` again")
    pairs = [line for line in told["lines"] if isinstance(line, list) and len(line) == 2]
    return str(told.get("title", "")), [(str(head), str(text)) for head, text in pairs]


def finish(benchmark: Any, wanted: Sequence[Wanted], out: Path, whose: str) -> None:
    """Write the tables of all outcomes.

    Raises:
        ValueError: an outcome cannot be read. StorageError: a table cannot be written.
    """
    found = [(one, outcome_of(out, one.spec.id)) for one in wanted]
    atomic.write(out / OUTCOMES, layout.to_json([{"scene": one.spec.id, **outcome} for one, outcome in found]))
    scores = [
        benchmark.with_outcome(benchmark.score(one.question, one.labels, one.answer or MISSING), outcome)
        for one, outcome in found
    ]
    atomic.write(out / METRICS, layout.to_json(benchmark.aggregate(scores)))
    atomic.write(
        out / TALLY, layout.to_json(benchmark.tally([(one.spec, one.labels, outcome) for one, outcome in found]))
    )
    if isinstance(benchmark, Decided):
        lines = [_decision(benchmark, one, outcome, whose) for one, outcome in found]
        atomic.write(out / DECISIONS, "".join(lines).encode())
    if importlib.util.find_spec("pyarrow") is not None:
        _write_table(benchmark, found, out / TABLE)


def _decision(benchmark: Any, one: Wanted, outcome: Mapping[str, Any], whose: str) -> str:
    """The decision record of an answer with what was measured on the executed plan, as a line."""
    record = benchmark.decision(one.question, one.labels, one.answer or MISSING, model=whose)
    whole = benchmark.decision_executed(record, outcome)
    return json.dumps({"id": one.question.id, **whole}, allow_nan=False) + "\n"


def _write_table(benchmark: Embodied, found: Sequence[tuple[Wanted, Mapping[str, Any]]], path: Path) -> None:
    from jaxphys_adapters.parquet import write_table

    columns = {"scene": "string", **benchmark.outcome_columns}

    def rows() -> Iterator[dict[str, Any]]:
        for one, outcome in found:
            yield {"scene": one.spec.id, **{name: outcome.get(name) for name in benchmark.outcome_columns}}

    with atomic.explained(path):
        draft = path.with_name(f"{atomic.PREFIX}{path.name}-draft")
        try:
            write_table(draft, columns, rows())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
