"""What is kept of an evaluation in its folder, and how a repeated run takes up the finished part.

    run.json                               what was run: model, questions, limits
    <group>/<idx>_<task>.json              one question: its parts, every call, the reply that counts, how it was read
    metrics.json                           all metrics of all extractors
    scores.jsonl                           the score of every question, see `scores_file`
    logs/                                  inspect-ai's log

`<group>/scene_<idx>` is the scene's id (BilliardPhys-Bench specification, section 8.2). A question is finished when
there is a reply, a refusal, or no valid reply after all attempts; a call that failed or ran out of time is not, and is
made again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.query.policy import Attempt, Outcome
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Question, Reply

RUN, METRICS, LOGS = "run.json", "metrics.json", "logs"
UNFINISHED = frozenset({"error", "timeout"})


@dataclass(frozen=True)
class AnswerFolder:
    """The folder of an evaluation."""

    root: Path

    def path(self, question_id: str) -> Path:
        """Where the record of a question lies: `t3s/scene_00012/task1` in `t3s/00012_task1.json`."""
        scene, _, task = question_id.rpartition("/")
        group, _, name = scene.rpartition("/")
        return self.root / group / f"{name.removeprefix('scene_')}_{task}.json"

    def save(
        self,
        question: Question,
        fingerprint: str,
        outcome: Outcome,
        answers: Mapping[str, Answer],
        parts: Sequence[Mapping[str, Any]],
    ) -> None:
        """Keep a question's record; `parts` are as in `parts.sent`.

        Raises:
            StorageError: the folder cannot be written.
        """
        path = self.path(question.id)
        with atomic.explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(path, layout.to_json(record(question, fingerprint, outcome, answers, parts)))

    def finished(self, question_id: str, fingerprint: str) -> Outcome | None:
        """The outcome of a question that was asked in just this way and needs no repetition, else None."""
        try:
            kept = layout.read_json(self.path(question_id))
            reply = Reply(**kept["reply"])
            if kept["fingerprint"] != fingerprint or reply.finish in UNFINISHED:
                return None
            return Outcome(reply, [Attempt(**attempt) for attempt in kept["attempts"]])
        except (ValueError, KeyError, TypeError):
            return None

    def open(self, run: Mapping[str, Any]) -> None:
        """Create the folder, or check that it belongs to the same run.

        Raises:
            StorageError: it cannot be written. ValueError: it holds the answers of another model or benchmark.
        """
        atomic.make_folder(self.root)
        path = self.root / RUN
        if path.exists():
            kept = layout.read_json(path)
            for name in ("benchmark", "model"):
                if kept.get(name) != run[name]:
                    raise ValueError(f"out: {self.root} holds answers of {name} {kept.get(name)}; give another folder")
        atomic.write(path, layout.to_json(run))

    def replies(self) -> Iterator[tuple[str, Reply]]:
        """Question id and reply of every record, sorted by path.

        Raises:
            ValueError: a record cannot be read; the text names the file.
        """
        for path, kept in self.records():
            try:
                yield str(kept["id"]), Reply(str(kept["reply"]["text"]), str(kept["reply"]["finish"]))
            except (KeyError, TypeError) as error:
                raise ValueError(f"{path}: not the record of a question ({error!r})") from error

    def records(self) -> Iterator[tuple[Path, Any]]:
        """Path and content of every record, sorted by path; ValueError where a file is not JSON."""
        for path in sorted(self.root.glob("*/*_*.json")):
            yield path, layout.read_json(path)


def record(
    question: Question,
    fingerprint: str,
    outcome: Outcome,
    answers: Mapping[str, Answer],
    parts: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """A question's record, ready for JSON."""
    return {
        "id": question.id,
        "scene": question.scene,
        "task": question.task,
        "prompt_hash": question.prompt_hash,
        "fingerprint": fingerprint,
        "prompt": question.prompt,
        "parts": list(parts),
        "reply": asdict(outcome.reply),
        "answers": {name: asdict(answers[name]) for name in EXTRACTORS if name in answers},
        "attempts": [asdict(attempt) for attempt in outcome.attempts],
    }
