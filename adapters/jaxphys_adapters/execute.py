"""`jaxphys execute`: a robot carries out answers to the questions of a data set, and outcomes are stored.

    OUT/execution.json                   which data set, whose answers, how they are carried out
    OUT/<scene>/outcome.json             what came of one answer, as a record and in words
    OUT/<scene>/motion.npz               what moved, for films and replays
    OUT/<scene>/<kind>.mp4               films, with `videos`
    OUT/outcomes.json outcomes.parquet   all outcomes as one table; parquet where the extra `data` is installed
    OUT/decisions.jsonl metrics.json     decision records and metrics, with what was measured on the executed plans
    OUT/tally.json                       counts by group

Answers are those of a built-in baseline, of `jaxphys eval --out`, or of a file as `jaxphys score` reads it. A scene is
stored whole or not at all; a run that is repeated goes on where it ended, and carries out anew what has another answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.table import Table

from jaxphys_adapters import atomic, execution_files, layout
from jaxphys_adapters.execution_files import Wanted
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import bar, say
from jaxphys_adapters.query import answers_file, given, results
from jaxphys_adapters.query.records import AnswerFolder
from jaxphys_adapters.query.source import Scenes, Source, load
from jaxphys_benchmarks.embodied import Embodied, Executed
from jaxphys_benchmarks.protocol import Answer, Reply

ORACLE = "oracle"
LARGEST = 4.0
"""Of the size of films."""
TOLD = 5
"""Scenes without films that are named."""


@dataclass(frozen=True)
class Execute:
    """Let a robot carry out answers, and store what comes of them."""

    data: Annotated[Path, tyro.conf.Positional]
    """Folder of a generated data set."""
    out: Annotated[Path | None, tyro.conf.DisallowNone] = None
    """Folder for outcomes, motions and films; unset: DATA/executed/<whose answers>."""
    answers: Annotated[Path | None, tyro.conf.DisallowNone] = None
    """Answers: a folder of `jaxphys eval --out`, or a file as `jaxphys score` reads it."""
    baseline: Annotated[str | None, tyro.conf.DisallowNone] = None
    """Answers of a built-in baseline of the benchmark; unset, and without `answers`: oracle."""
    model: str = ""
    """Whose answers, where a file holds those of several."""
    scenes: Annotated[int | None, tyro.conf.DisallowNone] = None
    """How many scenes, spread evenly over the groups; unset: all."""
    option: Annotated[list[str], tyro.conf.UseAppendAction] = field(default_factory=list)
    """How answers are carried out, each as name=value; may be repeated: seconds, policy, backend, threads, ..."""
    seed: int = 0
    """Of baselines that draw."""
    videos: bool = False
    """Store films."""
    kinds: str = ""
    """Which films, as egocentric_film,overhead_film; empty: all of the benchmark."""
    scale: float = 0.5
    """Size of films over that of the pictures that models are shown; films that are there are kept as they are."""
    quiet: bool = False
    """No progress bar."""
    json: bool = False
    """Print the counts as one JSON object in the last line."""


def run(command: Execute) -> int:
    """Carry out the command; returns the exit code.

    Returns:
        0: done. 1: done, but some records of answers could not be used, or some films not be made.

    Raises:
        ValueError, LookupError: bad options, data or answers. ImportError: an extra is missing.
        StorageError: `out` cannot be written.
    """
    if command.answers is not None and command.baseline is not None:
        raise ValueError("answers, baseline: give one of them")
    if command.scenes is not None and command.scenes < 1:
        raise ValueError(f"scenes: {command.scenes}; give 1 or more, or leave it out for all")
    data = layout.open_data_set(command.data)
    own = results.one_line(data.config["options"])
    source = Source(data.benchmark, scenes=command.scenes or 0, options=own, data=str(command.data.resolve()))
    scenes = load(source)
    benchmark = scenes.benchmark
    if not isinstance(benchmark, Embodied):
        raise ValueError(f"benchmark: no robot carries out answers to {benchmark.name}")
    options = benchmark.execution_type(**parse_options(command.option)).model_dump(mode="json")
    whose, answers, faults = _answers(command, scenes)
    for fault in faults:
        say(fault)
    out = command.out or command.data / "executed" / whose
    atomic.make_folder(out)
    execution_files.begin(
        out, {"benchmark": benchmark.name, "data": str(command.data), "answers": whose, "options": options}
    )
    wanted = [
        Wanted(scene.spec, scene.labels, scene.questions[0], answers.get(scene.questions[0].id))
        for scene in scenes.by_id.values()
    ]
    kinds = _kinds(benchmark, command) if command.videos else ()
    if kinds and not options.get("record_steps", 1):
        raise ValueError("videos: nothing is kept for films with record_steps=0; give at least 1")
    _carry_out(benchmark, wanted, out, options, command.quiet)
    execution_files.finish(benchmark, wanted, out, whose)
    unfilmed = _draw(benchmark, wanted, out, kinds, command) if kinds else []
    for fault in unfilmed[:TOLD]:
        say(f"videos: {fault}")
    if unfilmed[TOLD:]:
        say(f"videos: and {len(unfilmed) - TOLD} further scenes")
    tally = layout.read_json(out / execution_files.TALLY)
    _show(tally, f"{benchmark.title}: {whose}, {len(wanted)} scenes")
    if command.json:
        print(results.one_line({"benchmark": benchmark.name, "answers": whose, "out": str(out), "tally": tally}))
    return 1 if faults or unfilmed else 0


def _answers(command: Execute, scenes: Scenes) -> tuple[str, dict[str, Answer], Sequence[str]]:
    """Whose answers they are, the answers by id of the question, and what could not be used."""
    extractor = scenes.benchmark.asking["extract"]

    def read(question_id: str, said: Reply | Answer) -> Answer:
        _, question = scenes.find(question_id)
        return said if isinstance(said, Answer) else scenes.benchmark.parse(question, said, extractor=extractor)

    if command.answers is None:
        name = command.baseline or ORACLE
        baselines = scenes.benchmark.baselines()
        if name not in baselines:
            raise ValueError(f"baseline: {name!r}; choose from {', '.join(baselines)}")
        said: Mapping[str, Reply | Answer] = {
            question.id: Reply(baselines[name](scene.spec, scene.labels, question, command.seed))
            for scene in scenes.by_id.values()
            for question in scene.questions
        }
        return name, {key: read(key, reply) for key, reply in said.items()}, ()
    whose, said, faults = _said(command.answers, command.model, scenes)
    return whose, {key: read(key, reply) for key, reply in said.items()}, faults


def _said(path: Path, model: str, scenes: Scenes) -> tuple[str, Mapping[str, Reply | Answer], Sequence[str]]:
    """What a folder or a file of answers holds."""
    known = {question.id for question in scenes.questions}
    if path.is_dir():
        found = {key: reply for key, reply in AnswerFolder(path).replies() if key in known}
        return execution_files.plain(model or path.resolve().name), found, ()
    by_whom, faults = given.sort(answers_file.records(path), scenes)
    if not by_whom:
        raise ValueError(f"answers: {path} answers none of the questions; {'; '.join(faults[:3]) or 'it is empty'}")
    if model not in by_whom and len(by_whom) > 1:
        raise ValueError(f"model: {path} holds answers of {', '.join(map(repr, list(by_whom)[:20]))}; name one of them")
    name = model if model in by_whom else next(iter(by_whom))
    return execution_files.plain(model or name or path.stem), by_whom[name].by_id, faults


def _carry_out(benchmark: Any, wanted: Sequence[Wanted], out: Path, options: Mapping[str, Any], quiet: bool) -> None:
    """Carry out what is not stored yet, some scenes at a time."""
    todo = [one for one in wanted if not execution_files.is_done(out, one, benchmark.outcome_columns)]
    with bar(quiet, len(wanted) - len(todo), len(wanted), "executed") as advance:
        for at in range(0, len(todo), int(options["batch"])):
            part = todo[at : at + int(options["batch"])]
            found: Sequence[Executed] = benchmark.execute(
                [(one.spec, one.labels) for one in part], [one.answer for one in part], **options
            )
            for one, executed in zip(part, found, strict=True):
                execution_files.store(out, one, executed)
                advance()


def _draw(benchmark: Any, wanted: Sequence[Wanted], out: Path, kinds: Sequence[str], command: Execute) -> list[str]:
    """Draw the films that are asked for; returns why scenes have none, where they could not be made."""
    faults: list[str] = []
    with bar(command.quiet, 0, len(wanted), "films") as advance:
        for one in wanted:
            fault = execution_files.film(benchmark, out, one, kinds, command.scale)
            faults += [fault] if fault else []
            advance()
    return faults


def _kinds(benchmark: Any, command: Execute) -> tuple[str, ...]:
    """Kinds of films that are asked for."""
    if not 0 < command.scale <= LARGEST:
        raise ValueError(f"scale: {command.scale:g}; give a number > 0 and <= {LARGEST:g}")
    names = tuple(name.strip() for name in command.kinds.split(",") if name.strip()) or tuple(benchmark.films)
    strange = [name for name in names if name not in benchmark.films]
    if strange:
        raise ValueError(f"kinds: {strange[0]!r}; choose from {', '.join(benchmark.films)}")
    return names


def _show(tally: Mapping[str, Mapping[str, float]], title: str) -> None:
    """The counts as a table."""
    names = list(next(iter(tally.values()), {}))
    table = Table("group", *(name.replace("_", " ") for name in names), title=title, title_justify="left")
    for group, row in tally.items():
        table.add_row(group, *(f"{row[name]:g}" for name in names))
    results.console().print(table)
