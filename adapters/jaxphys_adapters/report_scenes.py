"""The scenes on the report page: pictures, what happened, what was asked, what each model answered."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import frames, layout
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.report_events import happened
from jaxphys_adapters.report_prompt import prompt
from jaxphys_adapters.report_results import Results
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Question, Reply, Spec, View

VERDICTS: Mapping[str, tuple[str, str]] = {
    "right": ("right", "all right"),
    "wrong": ("wrong", "not all right"),
    "none": ("none", "no answer"),
}
"""Class and words of each verdict."""


def scenes_section(benchmark: Benchmark, root: Path, ids: Sequence[str], results: Sequence[Results], count: int) -> str:
    """The first scenes of every group; those that the best model was asked about come first.

    Raises:
        ValueError: a scene is damaged.
    """
    chosen = choose(ids, results, benchmark.tasks, count)
    if not chosen:
        return ""
    note = f'<p class="note">{len(chosen)} of {html.number(len(ids))} scenes: the first of each group.</p>'
    pictures = Pictures(benchmark)
    return note + "".join(_scene(benchmark, pictures, root, scene, results) for scene in chosen)


def choose(ids: Sequence[str], results: Sequence[Results], tasks: Sequence[str], count: int) -> list[str]:
    """The first `count` scenes in the order (asked about, index, group)."""

    def rank(scene: str) -> tuple[bool, str, str]:
        group, _, name = scene.rpartition("/")
        return not any(one.asked(scene, tasks) for one in results[:1]), name, group

    return sorted(ids, key=rank)[:count]


def _scene(benchmark: Benchmark, pictures: Pictures, root: Path, scene: str, results: Sequence[Results]) -> str:
    spec, labels = layout.read_scene(benchmark, root, scene)
    row = benchmark.row(spec, labels)
    views = "".join(
        html.picture(_picture(benchmark, root, spec, labels, view), view, f"{scene}, {view}")
        for view in benchmark.views
    )
    questions = benchmark.ask(spec, AskOptions())
    tasks = "".join(_question(benchmark, pictures, spec, labels, question, results) for question in questions)
    facts = f"attempt {row['attempt']}" if row.get("attempt") else ""
    return (
        f'<article class="card scene"><header><h3>{html.esc(scene)}</h3><span class="note">{html.esc(facts)}</span>'
        f'</header><div class="views">{views}{happened(row)}</div>'
        f"<details><summary>What was asked{' and answered' if results else ''}</summary>{tasks}</details></article>"
    )


def _picture(benchmark: Benchmark, root: Path, spec: Spec, labels: Any, view: str) -> bytes:
    """The stored picture, or the same drawn now."""
    path = root / spec.id / f"{view}.png"
    return path.read_bytes() if path.exists() else frames.png(benchmark.picture(spec, labels, View(view)))


def _question(
    benchmark: Benchmark, pictures: Pictures, spec: Spec, labels: Any, question: Question, results: Sequence[Results]
) -> str:
    """A question as the model gets it, and the reply of each model with its verdict."""
    replies = "".join(_reply(benchmark, question, labels, one) for one in results)
    if question.parts:
        asked, body = "what the model gets", prompt(pictures, spec, question)
    else:
        asked, body = "the prompt", f"<pre>{html.esc(html.shorten(question.prompt))}</pre>"
    return f"<details><summary>{html.esc(question.task)}: {asked}</summary>{body}</details>{replies}"


def _reply(benchmark: Benchmark, question: Question, labels: Any, one: Results) -> str:
    record = one.record(question.id)
    if record is None:
        return ""
    reply = record.get("reply")
    text, finish = (
        (str(reply.get("text", "")), str(reply.get("finish", "stop"))) if isinstance(reply, dict) else ("", "")
    )
    verdict, detail = _verdict(benchmark, question, labels, Reply(text, finish), one.extract)
    css, words = VERDICTS[verdict]
    return (
        f'<div class="reply"><div class="who">{html.esc(one.model)}'
        f'<span class="verdict {css}">{words}</span><span class="verdict">{html.esc(detail)}</span></div>'
        f"<pre>{html.esc(html.shorten(_tidy(text))) or '(empty)'}</pre></div>"
    )


def _verdict(benchmark: Benchmark, question: Question, labels: Any, reply: Reply, extractor: str) -> tuple[str, str]:
    """Key of `VERDICTS`, and the counts behind it or the reason why there is no answer."""
    answer = benchmark.parse(question, reply, extractor=extractor)
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
