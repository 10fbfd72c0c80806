"""`jaxphys score`: score answers that were obtained elsewhere, without a model client.

Each line of the answers is a JSON object: `{"id": "t3s/scene_00012/task1", "reply": "..."}`, or `{"scene": ...,
"task": ..., "reply" or "answer": ...}`, where `answer` is the JSON object that was asked for instead of a text that
holds it; `finish` may say how the reply ended. A folder of `jaxphys eval --out` is read as well. Lines that cannot be
used are reported with their numbers; a question without a usable line counts as wrong.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxphys_adapters import layout
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import say
from jaxphys_adapters.query import reading, results, scores_file
from jaxphys_adapters.query.options import ScoreOptions
from jaxphys_adapters.query.records import RUN, AnswerFolder
from jaxphys_adapters.query.source import Scenes, Source, load
from jaxphys_adapters.query.variants import split
from jaxphys_benchmarks.protocol import Reply

__all__ = ["ScoreOptions", "run", "score"]

FINISHES = frozenset({"stop", "length", "content_filter", "timeout", "error"})
MISSING = Reply("", "error")
SHOWN = 20
"""Faulty lines that are reported one by one."""


@dataclass
class Replies:
    """Replies by question id, and what could not be used."""

    by_id: dict[str, Reply] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def run(options: ScoreOptions) -> int:
    """Score, print the table, and with `json` one object as the last line; faulty lines go to the error stream.

    Returns:
        0: done. 1: done, but some lines could not be used.

    Raises:
        ValueError, LookupError, OSError: as `score`.
    """
    found, faults = score(options)
    for fault in faults[:SHOWN]:
        say(fault)
    if len(faults) > SHOWN:
        say(f"... and {len(faults) - SHOWN} more")
    results.show(found, results.console())
    if options.json:
        print(results.to_line(found), flush=True)
    return 1 if faults else 0


def _model_of(answers: Path) -> str:
    """The model that an evaluation's folder names; "unnamed" where there is none."""
    path = answers / RUN
    return str(layout.read_json(path).get("model", "unnamed")) if path.is_file() else "unnamed"


def score(options: ScoreOptions) -> tuple[results.Result, list[str]]:
    """The result, and one message for every line that could not be used.

    Raises:
        ValueError, LookupError: bad options or data, or no line could be used.
        OSError: a file cannot be read or written.
    """
    data, styles, bands = str(options.data.resolve()), split(options.styles), split(options.bands)
    own = json.dumps(parse_options(options.option))
    scenes = load(Source(options.benchmark, scenes=options.scenes, options=own, data=data, styles=styles, bands=bands))
    known = {question.id for question in scenes.questions}
    if options.answers.is_dir():
        replies = keep(AnswerFolder(options.answers).replies(), known)
    else:
        with options.answers.open("rb") as lines:
            replies = read_lines(lines, known)
    if not replies.by_id:
        raise ValueError(f"answers: {options.answers} answers none of the questions; " + "; ".join(replies.faults[:3]))
    rows = rows_of(scenes, replies.by_id)
    missing = len(known) - len(replies.by_id)
    notes = [f"{missing} questions have no usable line and count as wrong."] if missing else []
    extract = scenes.benchmark.asking["extract"] if options.extract is None else options.extract
    found = results.result(scenes, options.model or _model_of(options.answers), rows, extract, notes)
    if options.out is not None:
        results.save(found, options.out)
        scores_file.save(scenes, rows, extract, options.out)
    return found, replies.faults


def rows_of(scenes: Scenes, replies: Mapping[str, Reply]) -> list[reading.Row]:
    """Every question's reply, read and scored; a missing one is read as a failed call."""
    rows: list[reading.Row] = []
    for scene in scenes.by_id.values():
        for question in scene.questions:
            reply = replies.get(question.id, MISSING)
            rows.append((question.id, reading.readings(scenes.benchmark, question, scene.labels, reply)))
    return rows


def read_lines(lines: Iterable[bytes], known: Iterable[str]) -> Replies:
    """Replies of a JSONL file; of two lines about one question the later one counts.

    Args:
        lines: untrusted. known: ids of all questions.
    """
    known, replies, seen = set(known), Replies(), dict[str, int]()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            question_id, reply = parse_line(line)
        except ValueError as error:
            replies.faults.append(f"line {number}: {error}")
            continue
        if question_id not in known:
            replies.faults.append(f"line {number}: no question {question_id[:80]!r} in the data set")
            continue
        if question_id in seen:
            replies.faults.append(
                f"line {number}: {question_id} again, first in line {seen[question_id]}; this one counts"
            )
        seen[question_id] = number
        replies.by_id[question_id] = reply
    return replies


def parse_line(line: bytes) -> tuple[str, Reply]:
    """Question id and reply of one line.

    Raises:
        ValueError: says what is wrong with it.
    """
    try:
        content = json.loads(line)
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{type(content).__name__} instead of an object {{...}}")
    question_id = content.get("id")
    if question_id is None and "scene" in content and "task" in content:
        question_id = f"{content['scene']}/{content['task']}"
    if not isinstance(question_id, str):
        raise ValueError("no 'id', nor 'scene' and 'task'")
    finish = content.get("finish", "stop")
    if not isinstance(finish, str) or finish not in FINISHES:
        raise ValueError(f"finish: {finish!r}; give one of {', '.join(sorted(FINISHES))}")
    return question_id, Reply(_text(content), finish)


def keep(found: Iterable[tuple[str, Reply]], known: Iterable[str]) -> Replies:
    """The replies to known questions."""
    known, replies = set(known), Replies()
    for question_id, reply in found:
        if question_id in known:
            replies.by_id[question_id] = reply
        else:
            replies.faults.append(f"{question_id}: no such question in the data set")
    return replies


def _text(content: Mapping[str, Any]) -> str:
    """The reply's text: `reply` as it is, or `answer` written as JSON."""
    reply = content.get("reply")
    if isinstance(reply, str):
        return reply
    if reply is not None:
        raise ValueError(f"reply: {type(reply).__name__} instead of a text")
    if "answer" not in content:
        raise ValueError("neither 'reply' nor 'answer'")
    answer = content["answer"]
    return answer if isinstance(answer, str) else json.dumps(answer)
