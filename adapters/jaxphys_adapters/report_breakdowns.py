"""Metrics broken down, as a benchmark that explains itself asks for: a main table, charts with intervals, all numbers.

Models are the rows of the main table; in the other tables strata are, so that a page for a narrow screen can show them.
Metrics that no model has are left out, and so are tables without any.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import floor, log10

from jaxphys_adapters import report_parts as html
from jaxphys_adapters import report_words as words
from jaxphys_adapters.report_results import Results
from jaxphys_benchmarks.explanation import Breakdown

LEFT, WIDTH, TOP, BOTTOM = 152, 340, 8, 22
"""Of a chart: where the axis begins, its whole width, and what lies above and below the rows (px)."""
ROW, STEP = 20, 5
"""Least height of a row, and between the marks of two models in one (px)."""

_MEASURED = re.compile(r"^(executed_)?(d_(end|min|close|at_impact)|catch_miss|tti$|\w+_error)(_|$)")
"""Last parts of the names of metrics in metres, seconds or pixels: a value below 1 does not make them rates."""


def main_table(results: Sequence[Results], breakdown: Breakdown) -> str:
    """Models by rows; a bar shows a rate."""
    columns = known(results, breakdown)
    heads = "".join(f"<th>{html.esc(name)}</th>" for name in columns)
    rows = "".join(
        f'<tr><th class="model">{html.esc(one.model)}</th>'
        + "".join(cell(one, metric, is_rate(results, metric)) for metric in columns.values())
        + "</tr>"
        for one in results
    )
    return (
        f'<div class="scroll card lead-table group-table"><table><caption>{html.esc(breakdown.title)}</caption>'
        f"<thead><tr><th>model</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{note(columns.values())}"
    )


def note(metrics: Iterable[str]) -> str:
    """What the metrics of a table or chart say; empty where none needs a word."""
    said = "".join(f"<li>{html.esc(line)}</li>" for line in words.told(metrics))
    return f'<ul class="note">{said}</ul>' if said else ""


def charts(results: Sequence[Results], breakdowns: Sequence[Breakdown], told: Collection[str] = ()) -> str:
    """A chart of each table, one legend for all that stays in sight; the numbers are folded below.

    Args:
        results: of the models. breakdowns: one for each chart. told: metrics that were explained before.
    """
    shown = [one for one in breakdowns if known(results, one)]
    if not shown:
        return ""
    figures = "".join(chart(results, one, told) for one in shown)
    tables = "".join(table(results, one) for one in shown)
    return (
        f'<div class="charted">{html.legend(one.model for one in results)}'
        '<p class="note">A dot for each model; lines are 95 % intervals.</p>'
        f'<div class="charts stacked">{figures}</div></div>'
        f"<details><summary>The numbers of these charts</summary>{tables}</details>"
    )


def known(results: Sequence[Results], breakdown: Breakdown) -> dict[str, str]:
    """The columns that some model has."""
    return {name: metric for name, metric in breakdown.columns.items() if any(metric in one.metrics for one in results)}


def chart(results: Sequence[Results], breakdown: Breakdown, told: Collection[str] = ()) -> str:
    """Strata from top to bottom, a dot for each model with its interval, as inline SVG; `told` needs no word."""
    rows = known(results, breakdown)
    known_words = {metric.rpartition("/")[2] for metric in told}
    said = note(metric for metric in rows.values() if metric.rpartition("/")[2] not in known_words)
    most = _most(results, rows.values())
    tall = max(ROW, STEP * len(results) + 10)
    height = TOP + tall * len(rows) + BOTTOM
    span = WIDTH - LEFT - 12

    def x(value: float) -> float:
        return LEFT + span * min(max(value / most, 0.0), 1.0)

    marks = [
        f'<line class="grid" x1="{x(v):.1f}" x2="{x(v):.1f}" y1="{TOP}" y2="{height - BOTTOM}"/>'
        f'<text x="{x(v):.1f}" y="{height - 6}" text-anchor="middle">{v:g}</text>'
        for v in (0, most / 2, most)
    ]
    for row, (name, metric) in enumerate(rows.items()):
        middle = TOP + tall * (row + 0.5)
        marks.append(f'<text x="{LEFT - 10}" y="{middle + 4:.1f}" text-anchor="end">{html.esc(name)}</text>')
        for k, one in enumerate(results):
            y = middle + STEP * (k - (len(results) - 1) / 2)
            marks += _mark(one.metrics, metric, x, y, f"var(--s{k % html.COLOURS})")
    svg = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.esc(breakdown.title)}">'
    return f'<figure class="card"><h3>{html.esc(breakdown.title)}</h3>{said}{svg}{"".join(marks)}</svg></figure>'


def _mark(metrics: Mapping[str, float], metric: str, x: Callable[[float], float], y: float, colour: str) -> list[str]:
    """The dot of a model, and its interval where it is known."""
    if metric not in metrics:
        return []
    low, high = metrics.get(f"{metric}/low"), metrics.get(f"{metric}/high")
    line = (
        [f'<line x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{y:.1f}" y2="{y:.1f}" style="stroke:{colour}"/>']
        if low is not None and high is not None
        else []
    )
    return [*line, f'<circle cx="{x(metrics[metric]):.1f}" cy="{y:.1f}" r="3" style="fill:{colour}"/>']


def _most(results: Sequence[Results], metrics: Iterable[str]) -> float:
    """End of an axis: 1 for rates, else a round number above all values."""
    pairs = [(one.metrics, name) for name in metrics for one in results if name in one.metrics]
    top = max((values.get(f"{name}/high", values[name]) for values, name in pairs), default=1.0)
    if top <= 1:
        return 1.0
    power: float = 10 ** floor(log10(top))
    return next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= top)


def table(results: Sequence[Results], breakdown: Breakdown) -> str:
    """Strata by rows, models by columns."""
    heads = "".join(f"<th>{html.esc(one.model)}</th>" for one in results)
    columns = known(results, breakdown)
    values = [one.metrics[metric] for metric in columns.values() for one in results if metric in one.metrics]
    counts = all(value == round(value) for value in values) and max(values) > 1
    rows = "".join(
        f"<tr><th>{html.esc(name)}{_count(results, metric)}</th>"
        + "".join(cell(one, metric, not counts and is_rate(results, metric), count=counts) for one in results)
        + "</tr>"
        for name, metric in columns.items()
    )
    return (
        f'<div class="scroll score-table"><table><caption>{html.esc(breakdown.title)}</caption>'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _count(results: Sequence[Results], metric: str) -> str:
    """How many decisions a stratum has, where all models have as many."""
    counts = {one.metrics[f"{metric}/n"] for one in results if f"{metric}/n" in one.metrics}
    return f"<small>{counts.pop():g} answers</small>" if len(counts) == 1 else ""


def cell(one: Results, name: str, bar: bool, interval: bool = True, *, count: bool = False) -> str:
    """A metric of a model, with its interval and a bar; a count has no decimals."""
    value = one.metrics.get(name)
    if value is None:
        return '<td class="score">–</td>'
    low, high = one.metrics.get(f"{name}/low"), one.metrics.get(f"{name}/high")
    small = f"<small>{low:.3f} – {high:.3f}</small>" if interval and low is not None and high is not None else ""
    line = f'<i style="--v:{value:.4f}"></i>' if bar else ""
    return f'<td class="score">{value:.{0 if count else 3}f}{small}{line}</td>'


def is_rate(results: Sequence[Results], name: str) -> bool:
    """Whether a metric is a share, within [0, 1] for every model, so that a bar can show it."""
    if _MEASURED.search(name.rpartition("/")[2]):
        return False
    return all(0 <= one.metrics[name] <= 1 for one in results if name in one.metrics)
