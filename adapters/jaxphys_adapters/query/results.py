"""The result of an evaluation: a table for people, one JSON object for programs, a file of all metrics.

Metric names are the benchmark's. Endings are read: `/low` and `/high` are a 95 % interval, `/answered` counts only
questions with an answer; a first part that is a group (`t3s/...`) is the metric within that group, else it is the mean
over groups; `<extractor>:...` is what another extractor would give. Styles and bands have tables of their own, see
`tables` and, for the names of their metrics, `compare`.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.query import compare, reading, tables
from jaxphys_adapters.query.records import METRICS
from jaxphys_adapters.query.source import Scenes
from jaxphys_benchmarks import advice
from jaxphys_benchmarks.protocol import EXTRACTORS

WIDE = 140
"""Characters of a table that is not printed on a terminal."""

ROWS = 16
"""Metrics of a task that a table shows; files and pages hold all."""


@dataclass(frozen=True)
class Result:
    """What an evaluation gave.

    Attributes:
        benchmark, title, model: names.
        scenes, questions: how many were asked about; each variant of a scene counts, a further look of it does not.
        extract: whose metrics these are.
        groups: names of the groups, in order.
        metrics: by name.
        failures: questions without an answer, by reason, in all looks.
        styles, bands: the looks and variants that were compared; none where there was one only.
        seed: of the scenes. options: of the benchmark, defaults included.
        shown: how pictures and films were sent; empty where nothing was asked here.
        reading: what each extractor takes as the answer.
        notes: what else a reader must know.
    """

    benchmark: str
    title: str
    model: str
    scenes: int
    questions: int
    extract: str
    groups: Sequence[str]
    metrics: Mapping[str, float]
    failures: Mapping[str, int]
    notes: Sequence[str] = field(default_factory=tuple)
    styles: Sequence[str] = ()
    bands: Sequence[str] = ()
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    shown: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(EXTRACTORS, "as the benchmark says"))

    def summary(self) -> dict[str, object]:
        """`{benchmark, model, n, metrics}`; n counts scenes."""
        return {"benchmark": self.benchmark, "model": self.model, "n": self.scenes, "metrics": dict(self.metrics)}


def result(
    scenes: Scenes,
    model: str,
    rows: Sequence[reading.Row],
    extract: str,
    notes: Sequence[str],
    shown: Mapping[str, Any] = MappingProxyType({}),
) -> Result:
    """Metrics of all replies."""
    plain = compare.plain(scenes, rows)
    return Result(
        benchmark=scenes.benchmark.name,
        title=scenes.benchmark.title,
        model=model,
        scenes=len({question_id.rpartition("/")[0] for question_id, _ in plain}),
        questions=len(rows),
        extract=extract,
        groups=reading.groups(rows, extract),
        metrics=reading.metrics(scenes.benchmark, plain, extract) | compare.metrics(scenes, rows, extract),
        failures=reading.failures(rows, extract),
        notes=(*notes, *advice.cautions(scenes.benchmark, scenes.asked)),
        styles=scenes.styles if len(scenes.styles) > 1 else (),
        bands=scenes.bands,
        seed=scenes.seed,
        options=scenes.options,
        shown=shown,
        reading=scenes.benchmark.reading,
    )


def save(found: Result, folder: Path) -> None:
    """Write all metrics into a folder.

    Raises:
        StorageError: it cannot be written.
    """
    content = {
        **found.summary(),
        "questions": found.questions,
        "extract": found.extract,
        "failures": dict(found.failures),
        "notes": list(found.notes),
        "seed": found.seed,
        "options": dict(found.options),
        "shown": dict(found.shown),
    }
    atomic.make_folder(folder)
    atomic.write(folder / METRICS, layout.to_json(content))


def show(found: Result, console: Console) -> None:
    """The table of a result, as far as the console is wide, and what it means."""
    values = found.metrics
    columns: dict[str, Callable[[str], str]] = {
        "mean": lambda name: tables.number(values.get(name)),
        "95 % interval": lambda name: tables.interval(values.get(f"{name}/low"), values.get(f"{name}/high")),
    }
    if found.failures:
        columns["answered only"] = lambda name: tables.number(values.get(f"{name}/answered"))
    for other in (name for name in EXTRACTORS if values.get(f"{name}:differs")):
        columns[other] = lambda name, other=other: tables.number(values.get(f"{other}:{name}"))  # type: ignore[misc]
    worthy = [name for name in reading.headlines(values, found.groups) if _worth_a_row(name, values[name])]
    names = _first_of_each_task(worthy)
    by_group = {
        group: (lambda name, group=group: tables.number(values.get(f"{group}/{name}"))) for group in found.groups
    }
    room = console.width - max(map(len, names), default=0) - 2
    if len(found.groups) > 1 and sum(max(len(heading), 6) + 2 for heading in (*columns, *by_group)) <= room:
        columns |= by_group
    table = Table(title=f"{found.title}: {found.model}", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("metric", no_wrap=True)
    for heading in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    for name in names:
        table.add_row(name, *(value(name) for value in columns.values()))
    console.print(table)
    if len(worthy) > len(names):
        more_of_them = (
            f"{len(worthy) - len(names)} more metrics: --json, {METRICS} in the folder of --out, or the report."
        )
        console.print(more_of_them, highlight=False, markup=False, soft_wrap=True)
    for more in (
        *tables.of_sensitivity(values),
        *tables.of_styles(values, found.styles),
        *tables.of_bands(values, found.bands),
    ):
        console.print(more)
    for line in _legend(found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _first_of_each_task(names: Sequence[str]) -> list[str]:
    """As many metrics of each task as a person reads; the main ones come first."""
    tasks = Counter[str]()
    kept = []
    for name in names:
        task = name.partition("/")[0]
        tasks[task] += 1
        if tasks[task] <= ROWS:
            kept.append(name)
    return kept


def _worth_a_row(name: str, value: float) -> bool:
    """Counts of questions are in the legend, thresholds in a table; that no call failed says nothing."""
    if any(mark in name for mark in reading.SENSITIVITY.values()):
        return False
    return not name.endswith(("/n", "/n_answered")) and bool(value or not name.endswith(("/failed", "/lost")))


def console() -> Console:
    """The output: a terminal as wide as it is, anything else wide enough for all columns.

    Names of models come from files: square brackets in them are text, not markup.
    """
    return Console(markup=False, emoji=False, width=None if sys.stdout.isatty() else WIDE)


def to_line(found: Result) -> str:
    """The summary as one line of JSON."""
    return one_line(found.summary())


def one_line(content: Mapping[str, object]) -> str:
    """One line of JSON without NaN."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def _legend(found: Result) -> list[str]:
    asked = f"{found.scenes} scenes{' in every look' if found.styles else ''}, {found.questions} questions"
    lost = sum(value for name, value in found.metrics.items() if name.endswith("/lost") and ":" not in name)
    left_out = f" {lost:.0f} calls that failed are left out." if lost else ""
    lines = [
        f"{asked}. A missing answer counts as wrong"
        + (", but not in 'answered only'." if found.failures else ".")
        + left_out,
        f"Replies are read by '{found.extract}': {found.reading[found.extract]}.",
    ]
    for other in EXTRACTORS:
        differs = found.metrics.get(f"{other}:differs")
        if differs:
            lines.append(f"'{other}' ({found.reading[other]}) reads {differs:.0f} items differently.")
    if found.failures:
        lines.append("Without an answer: " + ", ".join(f"{n} {reason}" for reason, n in found.failures.items()) + ".")
    if found.styles:
        lines.append("'consistent' is the share of answers that are the same as in the plain look, after mapping back.")
    if found.bands:
        lines.append(
            "Over all pairs of bands of a scene: 'flips' counts those with different truths, 'followed' is the share of"
            " them with different answers, 'steady' the share of equal answers among the others."
        )
    return [*lines, *found.notes]
