"""What a record of an answer obtained elsewhere says: which question it answers, whose answer it is, and what it is.

    {"id": "t3s/scene_00012/task1", "reply": "..."}            a reply, read like that of any model
    {"scene": ..., "task": ..., "answer": {...}}               the JSON object that was asked for (or its text)
    {"sid": ..., "m": "model-key", "act": ..., "dend": ...}    a decision record, where the benchmark has them
    {"scene": ..., "person": ..., "action": ..., ...}          what a person answered, likewise

A question is named by `id`, by `scene` and `task`, or by any name that the benchmark knows its scene by, as `sid` or
`scene`. `finish` may say how a reply ended. Whose answer it is stands in `m`, `model` or `person`. Of two records about
one question by one of them the later one counts. Records are untrusted; one that cannot be used is told.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jaxphys_adapters.query.answers_file import Record
from jaxphys_adapters.query.source import Scenes
from jaxphys_benchmarks.protocol import PLAIN, Answer, Decided, Question, Reply

FINISHES = frozenset({"stop", "length", "content_filter", "timeout", "error"})
WHOSE = ("m", "model", "person")
"""Keys that may name who answered."""
ACTIONS = ("act", "action")
"""Keys of records that are no replies."""
NUMBER = "number"
"""Key that the lines of a sheet have: an empty one was left out by whoever answered."""
SHOWN = 80
"""Characters of a name that are shown."""


@dataclass
class Given:
    """Answers of one model or person.

    Attributes:
        by_id: by id of the question. told: records that are no replies, by id. places: where each was found.
    """

    by_id: dict[str, Reply | Answer] = field(default_factory=dict)
    told: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def names_of(scenes: Scenes) -> dict[str, Question]:
    """Questions by every name that a record may call them by; ids come first."""
    names = {question.id: question for question in scenes.questions}
    if isinstance(scenes.benchmark, Decided):
        for scene in scenes.by_id.values():
            if scene.style == PLAIN and len(scene.questions) == 1:
                for name in scenes.benchmark.known_as(scene.questions[0]):
                    names.setdefault(name, scene.questions[0])
    return names


def sort(records: Iterable[Record], scenes: Scenes) -> tuple[dict[str, Given], list[str]]:
    """Answers by who gave them ("" where that is not said), and one message for every record that cannot be used."""
    names, found, faults = names_of(scenes), dict[str, Given](), list[str]()
    for record in records:
        try:
            if record.content is None:
                raise ValueError(record.fault)
            question, whose = _question(record.content, names), _whose(record.content)
            said = _said(record.content, scenes, question)
        except ValueError as error:
            faults.append(f"{record.place}: {error}")
            continue
        given = found.setdefault(whose, Given())
        if question.id in given.places:
            before = given.places[question.id]
            faults.append(f"{record.place}: {question.id} again, first in {before}; this one counts")
        given.places[question.id] = record.place
        given.by_id[question.id] = said
        if isinstance(said, Answer):
            given.told[question.id] = record.content
    return found, faults


def _question(content: Mapping[str, Any], names: Mapping[str, Question]) -> Question:
    name = content.get("id")
    if name is None and "scene" in content and "task" in content:
        name = f"{content['scene']}/{content['task']}"
    by_scene = len(names) > len({question.id for question in names.values()})
    if name is None and by_scene:
        name = content.get("scene") if content.get("sid") is None else content["sid"]
    if not isinstance(name, str):
        raise ValueError("no 'id', 'scene' or 'sid'" if by_scene else "no 'id', nor 'scene' and 'task'")
    if name not in names:
        raise ValueError(f"no question {name[:SHOWN]!r} in the data set")
    return names[name]


def _whose(content: Mapping[str, Any]) -> str:
    name = next((content[key] for key in WHOSE if content.get(key) is not None), "")
    if not isinstance(name, str):
        raise ValueError(f"{', '.join(WHOSE)}: {type(name).__name__} instead of a name")
    # It is printed: what a terminal would obey is left out.
    plain = "".join(letter if letter.isprintable() else " " for letter in name).strip()
    # Long names that begin alike stay two.
    return plain if len(plain) <= SHOWN else f"{plain[: SHOWN - 9]}~{hashlib.sha256(plain.encode()).hexdigest()[:8]}"


def _said(content: Mapping[str, Any], scenes: Scenes, question: Question) -> Reply | Answer:
    """`reply` as it is, `answer` or `plan` written as JSON, or else what the benchmark makes of the record."""
    finish = content.get("finish", "stop")
    if not isinstance(finish, str) or finish not in FINISHES:
        raise ValueError(f"finish: {finish!r}; give one of {', '.join(sorted(FINISHES))}")
    reply = content.get("reply")
    if reply == "" and any(content.get(name) for name in ("answer", "plan", *ACTIONS)):
        reply = None  # a form with room for a reply, which was filled in elsewhere
    if NUMBER in content and not any(content.get(name) for name in ("reply", "answer", "plan", *ACTIONS)):
        return Reply("", "unanswered")
    if isinstance(reply, str):
        return Reply(reply, finish)
    if reply is not None:
        raise ValueError(f"reply: {type(reply).__name__} instead of a text")
    for name in ("answer", "plan"):
        if content.get(name) is not None:
            answer = content[name]
            return Reply(answer if isinstance(answer, str) else json.dumps(answer), finish)
    if isinstance(scenes.benchmark, Decided):
        try:
            return scenes.benchmark.told(question, content)
        except ValueError as error:
            raise ValueError(f"neither 'reply' nor 'answer', and as a decision: {error}") from None
    raise ValueError("neither 'reply' nor 'answer'")
