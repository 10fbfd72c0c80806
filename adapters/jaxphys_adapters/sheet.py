"""`jaxphys sheet DIR --out sheet.html`: questions for people, on paper, and how their answers are scored.

    sheet.html           instructions, and one question after the other: what is asked, and room for the answer
    sheet.answers.jsonl  one line per question with an empty reply, to be filled in
    sheet.key.jsonl      the same lines with the right replies; keep it away from whoever answers

What is asked is what a model gets, unless the benchmark asks people in its own way (`jaxphys_benchmarks.people`): then
a box is ticked, and the lines have that field in place of the reply.

`jaxphys score BENCHMARK --data DIR --answers sheet.answers.jsonl --scenes N` scores the filled-in file as it scores a
model, so that both stand in one table. A sheet shows the same texts and pictures in the same order; films appear as
strips of frames. Nothing on it depends on the truth, and questions have numbers for names.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic, layout
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import bar, say
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.retrieval import retrieving
from jaxphys_adapters.report_prompt import prompt, shown
from jaxphys_benchmarks.people import Peopled, form_of
from jaxphys_benchmarks.protocol import AskOptions, Benchmark

ORACLE = "oracle"
STILL_PX, FRAME_PX = 480, 200
"""Widths of a picture and of a frame of a film, finer than on a screen."""


@dataclass(frozen=True)
class Sheet:
    """Make a printable sheet of questions for a human baseline, a file for the answers, and the key."""

    data: Annotated[Path, tyro.conf.Positional]
    """Folder that `jaxphys generate` has made."""
    out: Path
    """The page, for example sheet.html; the answers and the key lie beside it."""
    scenes: int = 20
    """How many scenes are asked about: the first of each group, then the second, and so on."""
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """Options of the benchmark that say how to ask, as NAME=VALUE, for example shots=0; may be repeated."""
    film_frames: int = 6
    """Frames of each film."""
    quiet: bool = False
    """No progress bar."""


@dataclass
class _Pages:
    """What is written: the questions as HTML, the lines of both files, and what their fields may say, by name."""

    questions: list[str] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    key: list[dict[str, Any]] = field(default_factory=list)
    fields: dict[str, Sequence[str]] = field(default_factory=dict)


def run(command: Sheet) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: no data set or a damaged one, or bad options. StorageError: a file cannot be written.
    """
    from jaxphys_benchmarks import registry

    if command.scenes < 1:
        raise ValueError(f"scenes: {command.scenes}; give at least 1")
    ask = AskOptions(film_frames=command.film_frames)
    data = layout.open_data_set(command.data)
    benchmark = registry.get(data.benchmark, **{**data.config["options"], **parse_options(command.option)})
    ids = layout.scene_ids_of(benchmark, data.root)[: command.scenes]
    pages = _fill(data, benchmark, ids, ask, command.quiet)
    if command.out.parent != Path():
        atomic.make_folder(command.out.parent)
    paths = {kind: command.out.with_suffix(f".{kind}.jsonl") for kind in ("answers", "key")}
    score = (
        f"jaxphys score {data.benchmark} --data {command.data} --answers {paths['answers'].name} --scenes {len(ids)}"
        + "".join(f" --option {option}" for option in command.option)
        + " --model people"
    )
    body = _instructions(benchmark, pages, paths["answers"].name, score) + "".join(pages.questions)
    atomic.write(command.out, html.page(f"{benchmark.title}: questions", body, sheet="sheet.css").encode())
    atomic.write(paths["answers"], _lines(pages.answers))
    atomic.write(paths["key"], _lines(pages.key))
    say(f"wrote {command.out} with {len(pages.answers)} questions, {paths['answers'].name} and {paths['key'].name}")
    say(f"to score: {score}")
    return 0


def _fill(data: layout.DataSet, benchmark: Benchmark, ids: list[str], ask: AskOptions, quiet: bool) -> _Pages:
    """The questions about these scenes, numbered from 1."""
    pages, pictures, oracle = _Pages(), Pictures(benchmark), benchmark.baselines()[ORACLE]
    ask = retrieving(benchmark, pictures, ask)
    with bar(quiet, 0, len(ids), "scenes") as advance:
        for scene in ids:
            spec, labels = layout.read_scene(benchmark, data.root, scene)
            for question in benchmark.ask(spec, ask):
                number, form = len(pages.answers) + 1, form_of(benchmark, spec, question)
                line: dict[str, Any] = {"number": number, "id": question.id}
                if form is not None and isinstance(benchmark, Peopled):
                    asked = shown(pictures, form.parts, still_px=STILL_PX, frame_px=FRAME_PX, captions=False)
                    boxes = [f"{word}: {meaning}" for word, meaning in form.choices.items()]
                    name, right = form.field, benchmark.right_choice(question, labels)
                    pages.fields[name] = tuple(dict.fromkeys((*pages.fields.get(name, ()), *form.choices)))
                else:
                    # No ids: that of a scene tells its group, and so which law it obeys.
                    asked = prompt(pictures, spec, question, still_px=STILL_PX, frame_px=FRAME_PX, captions=False)
                    boxes, name, right = _letters(question.reads), "reply", oracle(spec, labels, question, 0)
                    pages.fields.setdefault(name, ())
                pages.questions.append(_question(asked, boxes, number))
                pages.answers.append({**line, name: ""})
                pages.key.append({**line, name: right})
            advance()
    return pages


def _instructions(benchmark: Benchmark, pages: _Pages, answers: str, score: str) -> str:
    """The first page: who answers, how, and what happens with the answers."""
    count = len(pages.answers)
    values = " or ".join(
        f"<code>{html.esc(name)}</code>" + (f" ({html.esc(', '.join(words))})" if words else "")
        for name, words in pages.fields.items()
    )
    return (
        f'<section class="first"><p class="eyebrow">{html.esc(benchmark.title)}</p><h1>{count} questions</h1>'
        '<ul class="who"><li>Name or code</li><li>Date</li><li>Minutes needed</li></ul>'
        "<p>Answer the questions in order, each from what is shown with it alone. Several pictures in a row are the"
        " frames of one film; the time stands below each. If you are not sure, give the answer that you think most"
        " likely; leave none out.</p>"
        f'<p class="note">For whoever scores: write each answer into its line of {html.esc(answers)}, as the value of'
        f" {values}, then run <code>{html.esc(score)}</code>.</p></section>"
    )


def _question(asked: str, boxes: Sequence[str], number: int) -> str:
    """A question, and below it boxes or room for the answer."""
    marks = "".join(f"<li><i></i>{html.esc(box)}</li>" for box in boxes)
    room = f'<ul class="boxes">{marks}</ul>' if boxes else '<div class="room"></div>'
    return f"<article><h2>{number}</h2>{asked}{room}</article>"


def _letters(reads: Mapping[str, Any]) -> list[str]:
    """The letters to choose from, where the question is one of choice."""
    options = reads.get("options")
    return list(options) if isinstance(options, Mapping) else []


def _lines(entries: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode()
