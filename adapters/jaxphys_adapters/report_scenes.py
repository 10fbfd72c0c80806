"""The scenes on the report page: pictures, what happened, what was asked, what each model answered."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import frames, layout, report_explained, report_strips
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.report_asked import Asked
from jaxphys_adapters.report_drawing import MARGIN, drawing, readable
from jaxphys_adapters.report_events import happened
from jaxphys_adapters.report_results import Results
from jaxphys_adapters.report_words import VIEWS, plain
from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.explanation import Explained
from jaxphys_benchmarks.protocol import Answer, Benchmark, Decided, Question, Reply, Spec, View

VERDICTS: Mapping[tuple[str, bool], tuple[str, str]] = {
    ("right", True): ("right", "all right"),
    ("wrong", True): ("wrong", "not all right"),
    ("right", False): ("right", "right"),
    ("wrong", False): ("wrong", "wrong"),
    ("none", True): ("none", "no answer"),
}
"""Class and words of each verdict; an answer that is counted by its parts may be right in some of them."""


def scenes_section(
    benchmark: Benchmark, data: layout.DataSet, ids: Sequence[str], results: Sequence[Results], count: int
) -> str:
    """The first scenes of every group; those that some model was asked about come first.

    Raises:
        ValueError: a scene is damaged.
    """
    chosen = choose(ids, results, benchmark.tasks, count)
    if not chosen:
        return ""
    note = f'<p class="note">{len(chosen)} of {html.number(len(ids))} scenes, spread over the groups.</p>'
    asked = Asked(benchmark, data.config["options"])
    return note + "".join(_scene(asked, data.root, scene, results) for scene in chosen)


def choose(ids: Sequence[str], results: Sequence[Results], tasks: Sequence[str], count: int) -> list[str]:
    """The first `count` scenes in the order (asked about, index), groups in the order of `ids`."""

    def rank(scene: str) -> tuple[bool, str]:
        return not any(one.asked(scene, tasks) for one in results), scene.rpartition("/")[2]

    return sorted(ids, key=rank)[:count]


def _scene(asked: Asked, root: Path, scene: str, results: Sequence[Results]) -> str:
    benchmark = asked.default.benchmark
    spec, labels = layout.read_scene(benchmark, root, scene)
    row = benchmark.row(spec, labels)
    facts = f"attempt {row['attempt']}" if row.get("attempt") else ""
    questions = asked.questions(spec)
    seen = report_strips.views(benchmark, spec, labels) or _stills(benchmark, root, spec, labels, row)
    told = ""
    if isinstance(benchmark, Explained):
        facts = benchmark.truth(spec, labels).title
        told = report_explained.truth(benchmark, spec, labels)
        told += "".join(_explained(benchmark, benchmark, spec, labels, question, results) for question in questions)
    tasks = "".join(_question(asked, spec, labels, question, results) for question in questions)
    title = "What was asked" + (" and answered" if results else "")
    return (
        f'<article class="card scene"><header><h3>{html.esc(scene)}</h3><span class="note">{html.esc(facts)}</span>'
        f"</header>{seen}{told}<details><summary>{title}</summary>{tasks}</details></article>"
    )


def _stills(benchmark: Benchmark, root: Path, spec: Spec, labels: Any, row: Mapping[str, Any]) -> str:
    """The pictures of a scene, and beside them what happened."""
    views = "".join(_still(benchmark, root, spec, labels, view) for view in benchmark.views)
    return f'<div class="views">{views}{happened(row)}</div>'


def _explained(
    benchmark: Benchmark, teller: Explained, spec: Spec, labels: Any, question: Question, results: Sequence[Results]
) -> str:
    """The verdict on every answer to a question, and why."""
    blocks = []
    for one in results:
        said = _said(benchmark, one, question)
        if said is not None:
            _, answer = said
            verdict, _ = _verdict(benchmark, question, labels, answer)
            words = VERDICTS[verdict, verdict == "none"]
            blocks.append(report_explained.answer(teller, spec, question, labels, answer, one, words))
    return "".join(blocks)


def _still(benchmark: Benchmark, root: Path, spec: Spec, labels: Any, view: str) -> str:
    """A picture with what it shows: a display list as a drawing with larger text, else as a file."""
    alt, caption = f"{spec.id}, {view}", VIEWS.get(view, plain(view))
    picture = benchmark.picture(spec, labels, View(view))
    if isinstance(picture, Canvas):
        seen = drawing(readable(picture), alt, MARGIN * picture.width_px)
        return f'<figure><div class="picture">{seen}</div><figcaption>{html.esc(caption)}</figcaption></figure>'
    path = root / spec.id / f"{view}.png"
    return html.picture(path.read_bytes() if path.exists() else frames.png(picture), caption, alt)


def _question(asked: Asked, spec: Spec, labels: Any, question: Question, results: Sequence[Results]) -> str:
    """A question as the models got it, and the reply of each model with its verdict."""
    if not question.parts:
        body = f"<pre>{html.esc(html.shorten(question.prompt))}</pre>"
        return _folded(f"{question.task}: the prompt", body) + _replies(asked, question, labels, results)
    pieces = []
    for body, models in asked.shown(spec, question, results):
        names = ", ".join(one.model for one in models) if len(models) < len(results) else ""
        title = f"{question.task}: what {names} got" if names else f"{question.task}: what the model gets"
        pieces.append(_folded(title, body) + _replies(asked, question, labels, models))
    return "".join(pieces)


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{html.esc(title)}</summary>{body}</details>"


def _replies(asked: Asked, question: Question, labels: Any, results: Sequence[Results]) -> str:
    return "".join(_reply(asked.default.benchmark, question, labels, one) for one in results)


def _reply(benchmark: Benchmark, question: Question, labels: Any, one: Results) -> str:
    said = _said(benchmark, one, question)
    if said is None:
        return ""
    text, answer = said
    verdict, detail = _verdict(benchmark, question, labels, answer)
    css, words = VERDICTS[verdict, bool(detail) or verdict == "none"]
    return (
        f'<div class="reply"><div class="who">{html.esc(one.model)}'
        f'<span class="verdict {css}">{words}</span><span class="verdict">{html.esc(detail)}</span></div>'
        f"<pre>{html.esc(html.shorten(_tidy(text))) or '(empty)'}</pre></div>"
    )


def _said(benchmark: Benchmark, one: Results, question: Question) -> tuple[str, Answer] | None:
    """What a model said and what was read of it, or the decision that was told; None where there is no record."""
    record, decision = one.record(question.id), one.decisions.get(question.id)
    if record is not None:
        told = record.get("reply")
        given = told if isinstance(told, dict) else {}
        reply = Reply(str(given.get("text", "")), str(given.get("finish", "stop")))
        return reply.text, benchmark.parse(question, reply, extractor=one.extract)
    if decision is None or not isinstance(benchmark, Decided):
        return None
    try:
        return json.dumps(decision), benchmark.told(question, decision)
    except ValueError as error:
        return json.dumps(decision), Answer(None, "invalid", str(error))


def _verdict(benchmark: Benchmark, question: Question, labels: Any, answer: Answer) -> tuple[str, str]:
    """Key of `VERDICTS`, and the counts behind it or the reason why there is no answer."""
    if answer.status != "ok":
        return "none", f"{answer.status}: {answer.reason}" if answer.reason else answer.status
    values = benchmark.score(question, labels, answer).values
    counts = f"{values['correct']:g} of {values['n']:g} right" if {"correct", "n"} <= set(values) else ""
    return ("right" if values.get("exact") else "wrong"), counts


def _tidy(text: str) -> str:
    """A reply that is one JSON object on one line gets line breaks between its entries."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return (
        "\n".join(f"{key}: " + json.dumps(value, ensure_ascii=False) for key, value in content.items())
        if isinstance(content, dict)
        else text
    )
