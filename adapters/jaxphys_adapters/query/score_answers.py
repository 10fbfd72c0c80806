"""`jaxphys score`: score answers that were obtained elsewhere, without a model client.

Answers are a file of records, see `answers_file` for its forms and `given` for what a record may say; or a folder of
`jaxphys eval --out`, with what came of its scenes where it is one of a closed loop. Records that cannot be used are
reported with their places. A question without a usable record is not answered: it counts as wrong, or as the benchmark
counts calls that failed. Answers of several models or people in one file are scored apart and then put side by side.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from jaxphys_adapters import layout
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import say
from jaxphys_adapters.query import (
    answers_file,
    decisions_file,
    given,
    loop_records,
    reading,
    results,
    scores_file,
    tables,
)
from jaxphys_adapters.query.given import Given
from jaxphys_adapters.query.loop_records import Finished
from jaxphys_adapters.query.options import ScoreOptions
from jaxphys_adapters.query.records import RUN, AnswerFolder
from jaxphys_adapters.query.source import Scenes, Source, load
from jaxphys_adapters.query.variants import split
from jaxphys_benchmarks.protocol import Answer, Decided, Reply, Run

__all__ = ["ScoreOptions", "Scored", "run", "score", "score_all"]

MISSING = Reply("", "unanswered")
UNNAMED = "unnamed"
SHOWN = 20
"""Faulty records that are reported one by one."""


@dataclass(frozen=True)
class Scored:
    """What a file of answers amounts to.

    Attributes:
        results: one for each model or person, in the order in which they come in the file.
        contrast: what the benchmark says of several of them. faults: messages about records that could not be used.
    """

    results: Sequence[results.Result]
    contrast: Mapping[str, float]
    faults: Sequence[str]


def run(options: ScoreOptions) -> int:
    """Score, print the tables, and with `json` one object as the last line; faulty records go to the error stream.

    Returns:
        0: done. 1: done, but some records could not be used.

    Raises:
        ValueError, LookupError, OSError: as `score_all`.
    """
    found = score_all(options)
    for fault in found.faults[:SHOWN]:
        say(fault)
    if len(found.faults) > SHOWN:
        say(f"... and {len(found.faults) - SHOWN} more")
    console = results.console()
    if len(found.results) == 1:
        results.show(found.results[0], console)
        line = results.to_line(found.results[0])
    else:
        for table in tables.side_by_side({one.model: one.metrics for one in found.results}, found.results[0].groups):
            console.print(table)
        console.print(tables.of_contrast(found.contrast, found.results[0].groups))
        models = {one.model: one.summary() for one in found.results}
        line = results.one_line({"benchmark": options.benchmark, "models": models, "contrast": dict(found.contrast)})
    if options.json:
        print(line, flush=True)
    return 1 if found.faults else 0


def score(options: ScoreOptions) -> tuple[results.Result, Sequence[str]]:
    """The result of the one model or person who answered, and one message for every record that could not be used.

    Raises:
        ValueError: several have answered, and `model` names none of them; or as `score_all`.
    """
    found = score_all(options)
    if len(found.results) > 1:
        names = ", ".join(one.model for one in found.results[:SHOWN])
        raise ValueError(f"model: {options.answers} holds answers of {names}; name one of them")
    return found.results[0], found.faults


def score_all(options: ScoreOptions) -> Scored:
    """The results of all who answered, or of the one that `model` names.

    Raises:
        ValueError, LookupError: bad options or data, or no record could be used.
        OSError: a file cannot be read or written.
    """
    data, styles, bands = str(options.data.resolve()), split(options.styles), split(options.bands)
    own = results.one_line(parse_options(options.option))
    scenes = load(Source(options.benchmark, scenes=options.scenes, options=own, data=data, styles=styles, bands=bands))
    loops: Mapping[str, Finished] = {}
    if options.answers.is_dir():
        known, folder = {question.id for question in scenes.questions}, AnswerFolder(options.answers)
        one, faults = keep(folder.replies(), known)
        loops = loop_records.closed(folder, scenes)
        by_whom = {_model_of(options.answers): one} if one.by_id else {}
    else:
        by_whom, faults = given.sort(answers_file.records(options.answers), scenes)
    if not by_whom:
        why = "; ".join(faults[:3]) or "it is empty"
        raise ValueError(f"answers: {options.answers} answers none of the questions; {why}")
    if options.model and options.model in by_whom:
        by_whom = {options.model: by_whom[options.model]}
    elif len(by_whom) == 1:
        (said,) = by_whom.values()
        by_whom = {options.model or next(iter(by_whom)) or UNNAMED: said}
    elif options.model:
        raise ValueError(f"model: {options.model!r} is none of {', '.join(map(repr, list(by_whom)[:SHOWN]))}")
    if "" in by_whom:
        # Somebody may be called so.
        title = next(name for k in range(len(by_whom)) if (name := UNNAMED + f" {k + 1}" * bool(k)) not in by_whom)
        by_whom = {name or title: said for name, said in by_whom.items()}
    extract = scenes.benchmark.asking["extract"] if options.extract is None else options.extract
    folders = _folders(options.out, list(by_whom))
    rows = {name: rows_of(scenes, said.by_id, loops) for name, said in by_whom.items()}
    outcomes = {question_id: done.outcome for question_id, done in loops.items()}
    found = []
    for name, said in by_whom.items():
        one_found = results.result(scenes, name, rows[name], extract, _notes(scenes, said, rows[name]))
        found.append(one_found)
        if folders:
            results.save(one_found, folders[name])
            scores_file.save(scenes, rows[name], extract, folders[name])
            decisions_file.save(scenes, rows[name], extract, one_found.model, folders[name], outcomes)
    several = {name: Run(scenes.options, reading.scores(rows[name], extract)) for name in by_whom}
    contrast = scenes.benchmark.contrast(several) if len(several) > 1 else {}
    return Scored(found, contrast, faults)


def _model_of(answers: Path) -> str:
    """The model that an evaluation's folder names; "unnamed" where there is none."""
    path = answers / RUN
    return str(layout.read_json(path).get("model", UNNAMED)) if path.is_file() else UNNAMED


def _folders(out: Path | None, names: Sequence[str]) -> dict[str, Path]:
    """Where each result goes: the folder itself for one, a folder in it for each of several."""
    if out is None:
        return {}
    if len(names) == 1:
        return {names[0]: out}
    folders: dict[str, Path] = {}
    for number, name in enumerate(names, start=1):
        # A name is somebody's text: only what is harmless in a path is kept.
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60].strip("_") or UNNAMED
        while out / plain in folders.values():
            plain = f"{plain}_{number}"
        folders[name] = out / plain
    return folders


def _notes(scenes: Scenes, said: Given, rows: Sequence[reading.Row]) -> list[str]:
    """What else a reader must know of the answers of one model or person."""
    missing = len(rows) - len(said.by_id)
    notes = [f"{missing} questions have no usable line and are not answered."] if missing else []
    benchmark = scenes.benchmark
    if said.told and isinstance(benchmark, Decided):
        notes.append(f"{len(said.told)} answers came without a reply: their actions are taken as they were told.")
        differing: dict[str, list[str]] = {}
        for question_id, record in said.told.items():
            scene, question = scenes.find(question_id)
            answer = said.by_id[question_id]
            assert isinstance(answer, Answer)
            own = benchmark.decision(question, scene.labels, answer)
            for name in benchmark.judged:
                if name in record and record[name] != own[name]:
                    differing.setdefault(name, []).append(question_id)
        for name, where in differing.items():
            notes.append(f"'{name}' of {len(where)} records is another than ours, first in {where[0]}.")
    return notes


def rows_of(
    scenes: Scenes, replies: Mapping[str, Reply | Answer], loops: Mapping[str, Finished] = MappingProxyType({})
) -> list[reading.Row]:
    """Every question's reply, read and scored; a missing one is not answered.

    Args:
        scenes: that were asked about. replies: by question. loops: what came of scenes of closed loops, by question.
    """
    rows: list[reading.Row] = []
    for scene in scenes.by_id.values():
        for question in scene.questions:
            reply = replies.get(question.id, MISSING)
            found = reading.readings(scenes.benchmark, question, scene.labels, reply)
            if question.id in loops:
                done = loops[question.id]
                loop_records.add_outcome(found, scenes.benchmark, question, scene.labels, done.outcome, done.journal)
            rows.append((question.id, found))
    return rows


def keep(found: Iterable[tuple[str, Reply]], known: Iterable[str]) -> tuple[Given, list[str]]:
    """The replies to known questions, and a message for each other one."""
    known, replies, faults = set(known), Given(), list[str]()
    for question_id, reply in found:
        if question_id in known:
            replies.by_id[question_id] = reply
        else:
            faults.append(f"{question_id}: no such question in the data set")
    return replies, faults
