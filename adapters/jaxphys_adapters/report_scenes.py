"""The scenes on the report page: pictures, what happened, what was asked, what each model answered."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import frames, layout
from jaxphys_adapters import report_parts as html
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
    return note + "".join(_scene(benchmark, root, scene, results) for scene in chosen)


def choose(ids: Sequence[str], results: Sequence[Results], tasks: Sequence[str], count: int) -> list[str]:
    """The first `count` scenes in the order (asked about, index, group)."""

    def rank(scene: str) -> tuple[bool, str, str]:
        group, _, name = scene.rpartition("/")
        return not any(one.asked(scene, tasks) for one in results[:1]), name, group

    return sorted(ids, key=rank)[:count]


def _scene(benchmark: Benchmark, root: Path, scene: str, results: Sequence[Results]) -> str:
    spec, labels = layout.read_scene(benchmark, root, scene)
    row = benchmark.row(spec, labels)
    pictures = "".join(
        html.picture(_picture(benchmark, root, spec, labels, view), view, f"{scene}, {view}")
        for view in benchmark.views
    )
    questions = benchmark.ask(spec, AskOptions())
    tasks = "".join(_question(benchmark, question, labels, results) for question in questions)
    facts = f"attempt {row['attempt']}" if row.get("attempt") else ""
    return (
        f'<article class="card scene"><header><h3>{html.esc(scene)}</h3><span class="note">{html.esc(facts)}</span>'
        f'</header><div class="views">{pictures}{_events(row)}</div>'
        f"<details><summary>What was asked{' and answered' if results else ''}</summary>{tasks}</details></article>"
    )


def _picture(benchmark: Benchmark, root: Path, spec: Spec, labels: Any, view: str) -> bytes:
    """The stored picture, or the same drawn now."""
    path = root / spec.id / f"{view}.png"
    return path.read_bytes() if path.exists() else frames.png(benchmark.picture(spec, labels, View(view)))


def _events(row: Mapping[str, Any]) -> str:
    """What happened, as a table; empty for benchmarks without an event list."""
    events = row.get("events")
    if events is None:
        return ""
    heads = ["time (s)", "what", "who", "where (m)"]
    rows = []
    for event in events:
        who = " and ".join(f"ball {ball}" for ball in event["ids"])
        where = event.get("wall") or (f"pocket {event['pocket']}" if event.get("pocket") is not None else "")
        places = ", ".join("(" + ", ".join(f"{value:.4f}" for value in place) + ")" for place in event["pos"])
        rows.append([f"{event['t']:.6f}", event["kind"], f"{who}{', ' + where if where else ''}", places])
    count = f"{len(rows)} event{'s' if len(rows) != 1 else ''}"
    body = html.table(heads, rows) if rows else '<p class="note">Nothing is hit and nothing stops.</p>'
    return f"<div><h3>What happened: {count}</h3>{body}</div>"


def _question(benchmark: Benchmark, question: Question, labels: Any, results: Sequence[Results]) -> str:
    """A question with its prompt, and the reply of each model with its verdict."""
    replies = "".join(_reply(benchmark, question, labels, one) for one in results)
    return (
        f"<details><summary>{html.esc(question.task)}: the prompt</summary>"
        f"<pre>{html.esc(html.shorten(question.prompt))}</pre></details>{replies}"
    )


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
