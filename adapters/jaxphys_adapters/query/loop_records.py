"""What is kept of a closed loop in the folder of an evaluation, beside the records of `records`.

    <group>/<idx>_<task>.json                  the scene's own question: its first reply, and what came of the scene
    <group>/<idx>_<task>.rounds/<number>.json  one question of a round, as soon as it is answered

The first file is written when a scene is over. An interrupted scene begins again at the freeze, and takes the replies
of its rounds from their files as far as they were asked in just this way: nothing is asked twice.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.query.policy import Attempt, Outcome
from jaxphys_adapters.query.records import UNFINISHED, AnswerFolder, record
from jaxphys_adapters.query.source import Scenes
from jaxphys_benchmarks.embodied import Embodied
from jaxphys_benchmarks.looped import Moment, looped_of
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Benchmark, Question, Reply, Score

ROUNDS = ".rounds"
OUTCOME, JOURNAL = "outcome", "journal"
"""Keys of a record, and of a sample's store, that closed loops add."""
DAMAGE = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""What reading a damaged record raises."""


@dataclass(frozen=True)
class Finished:
    """A scene that is over.

    Attributes:
        first: the reply to its first question. outcome, journal: what came of it, ready for JSON.
    """

    first: Outcome
    outcome: Mapping[str, Any]
    journal: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class LoopFolder:
    """The records of closed loops in an evaluation's folder."""

    answers: AnswerFolder

    def _round(self, question_id: str, number: int) -> Path:
        return self.answers.path(question_id).with_suffix(ROUNDS) / f"{number:03d}.json"

    def kept(self, question_id: str, number: int, fingerprint: str) -> tuple[Outcome, float] | None:
        """The outcome of a round that was asked in just this way, and how long it took (s); else None."""
        try:
            content = _sound(layout.read_json(self._round(question_id, number)))
            reply, seconds = Reply(**content["reply"]), float(content["seconds"])
            if content["fingerprint"] != fingerprint or reply.finish in UNFINISHED:
                return None
            if not isinstance(reply.text, str) or not (math.isfinite(seconds) and seconds >= 0):
                return None
            return Outcome(reply, [Attempt(**one) for one in content["attempts"]]), seconds
        except DAMAGE:
            return None

    def keep(
        self,
        question_id: str,
        moment: Moment,
        fingerprint: str,
        outcome: Outcome,
        seconds: float,
        answers: Mapping[str, Answer],
        parts: Sequence[Mapping[str, Any]],
    ) -> None:
        """Keep a round.

        Args:
            question_id: of the scene's own question. moment: what was asked. fingerprint: of how it was asked.
            outcome: what came. seconds: how long it took. answers: readings by extractor. parts: as in `parts.sent`.

        Raises:
            StorageError: the folder cannot be written.
        """
        path = self._round(question_id, moment.number)
        with atomic.explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        content = record(moment.question, fingerprint, outcome, answers, parts)
        atomic.write(path, layout.to_json({**content, "time": moment.time, "seconds": seconds}))

    def finished(self, question_id: str, fingerprint: str) -> Finished | None:
        """A scene that is over and needs no repetition, else None."""
        try:
            content = _sound(layout.read_json(self.answers.path(question_id)))
            first = self.answers.finished(question_id, fingerprint)
            if first is None or any(entry["status"] in UNFINISHED for entry in content[JOURNAL]):
                return None
            return Finished(first, dict(content[OUTCOME]), list(content[JOURNAL]))
        except DAMAGE:
            return None

    def finish(self, question: Question, fingerprint: str, done: Finished, answers: Mapping[str, Answer]) -> None:
        """Keep a scene that is over.

        Args:
            question: the scene's own. fingerprint: of how it was asked. done: what came of it.
            answers: readings of the first reply by extractor.

        Raises:
            StorageError: the folder cannot be written.
        """
        path = self.answers.path(question.id)
        with atomic.explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        readable = {name: answers[name] for name in EXTRACTORS if name in answers}
        content = record(question, fingerprint, done.first, readable, [])
        atomic.write(path, layout.to_json({**content, OUTCOME: dict(done.outcome), JOURNAL: list(done.journal)}))


def _sound(content: dict[str, Any]) -> dict[str, Any]:
    """The content of a file, if all of its numbers are finite: 1e999 is read as infinity, which nobody has written.

    Raises:
        ValueError: they are not.
    """
    json.dumps(content, allow_nan=False)
    return content


def closed(folder: AnswerFolder, scenes: Scenes) -> dict[str, Finished]:
    """What came of the scenes of a closed loop, by question; none for a folder of another mode.

    Raises:
        ValueError: a record of a known question is damaged; names the file.
    """
    known, found = {question.id for question in scenes.questions}, {}
    for path, kept in folder.records():
        if kept.get("id") not in known or not {OUTCOME, JOURNAL} & kept.keys():
            continue
        scene, question = scenes.find(kept["id"])
        try:
            first = Outcome(Reply(**kept["reply"]), [])
            done = Finished(first, dict(_sound(kept)[OUTCOME]), list(kept[JOURNAL]))
        except DAMAGE:
            done = None
        if done is None or not fits(done, scenes.benchmark, question, scene.labels):
            raise ValueError(f"{path}: the record of a closed loop is damaged; repeat the evaluation, which mends it")
        found[question.id] = done
    return found


def fits(done: Finished, benchmark: Benchmark, question: Question, labels: Any) -> bool:
    """Whether a kept scene has all that is read of it, which a damaged record has not.

    Args:
        done: as it was kept. benchmark: of the scene. question: its own. labels: of it.
    """
    if isinstance(benchmark, Embodied) and done.outcome.keys() != benchmark.outcome_columns.keys():
        return False
    unread = {"unread": {"group": "", "values": {}, "status": ""}}
    try:
        add_outcome(unread, benchmark, question, labels, done.outcome, done.journal)
    except (*DAMAGE, AttributeError):
        return False
    return True


def add_outcome(
    found: dict[str, dict[str, Any]],
    benchmark: Benchmark,
    question: Question,
    labels: Any,
    outcome: Mapping[str, Any],
    journal: Sequence[dict[str, Any]],
) -> None:
    """Add the numbers of what came of a scene to the values of its readings.

    Args:
        found: readings by extractor, see `reading`; changed. benchmark: of the scene. question: its own.
        labels: of the scene. outcome, journal: what came of it.
    """
    more = looped_of(benchmark).loop_values(question, labels, journal)
    for one in found.values():
        score = Score(question.id, question.task, one["group"], one["values"], one["status"])
        if isinstance(benchmark, Embodied):
            score = benchmark.with_outcome(score, outcome)
        one["values"] = {**score.values, **more}
