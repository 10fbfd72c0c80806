"""The scores on the report page: charts over the groups, and one table of all metrics of all models."""

import re
from collections.abc import Sequence

from jaxphys_adapters import report_parts as html
from jaxphys_adapters.report_breakdowns import cell, charts, is_rate, main_table, note
from jaxphys_adapters.report_results import Results, shown_metrics
from jaxphys_adapters.report_words import counted
from jaxphys_benchmarks.explanation import Breakdown

_NUMBERED = re.compile(r"\d")


def scores_section(results: Sequence[Results], groups: Sequence[str], breakdowns: Sequence[Breakdown] = ()) -> str:
    """Charts and table; empty when no model was asked.

    Args:
        results: of the models. groups: of the data set.
        breakdowns: as the benchmark asks for, the main one first; without any, the leading metrics over the groups.
    """
    if not results:
        return ""
    names = shown_metrics(results, groups)
    asked = sorted({one.scenes for one in results})
    span = str(asked[0]) if len(asked) == 1 else f"{asked[0]} to {asked[-1]}"
    intro = (
        f'<p class="note">Each result is over {span} {counted(asked[-1], "scene")}. What was asked and not answered'
        " counts as wrong. A bar shows a rate between 0 and 1; what has a unit has no bar.</p>"
    )
    full = f"<details><summary>All {len(names)} metrics</summary>{_table(results, names)}</details>"
    if breakdowns:
        main, *others = breakdowns
        return (
            intro
            + main_table(results, main)
            + _failures(results)
            + charts(results, others, main.columns.values())
            + full
        )
    return intro + _lead_table(results, names) + _failures(results) + _charts(results, groups, names) + full


def _leading(names: Sequence[str], each: int = 1) -> list[str]:
    """The first metrics of each task."""
    first: dict[str, list[str]] = {}
    for name in names:
        if "/" in name:
            first.setdefault(name.partition("/")[0], []).append(name)
    return [name for found in first.values() for name in found[:each]]


def _lead_table(results: Sequence[Results], names: Sequence[str]) -> str:
    """Models by rows, the mean and the two leading metrics of each task by columns."""
    columns = [name for name in names if "/" not in name] + _leading(names, each=2)
    heads = "".join(f"<th>{html.esc(title_of(name))}</th>" for name in columns)
    bars = {name: is_rate(results, name) for name in columns}
    rows = [
        f'<tr><th class="model">{html.esc(one.model)}</th>'
        + "".join(cell(one, name, bars[name], interval=False) for name in columns)
        + "</tr>"
        for one in results
    ]
    return (
        f'<div class="scroll card lead-table"><table><thead><tr><th>model</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{note(columns)}"
    )


def title_of(name: str) -> str:
    """A metric's name for people: `q1/per_ball` becomes `Q1 per ball`, `choice/accuracy` becomes `Choice accuracy`."""
    task, _, rest = name.rpartition("/")
    return f"{task[:1].upper()}{task[1:]} {rest.replace('_', ' ')}".strip()


def _charts(results: Sequence[Results], groups: Sequence[str], names: Sequence[str]) -> str:
    """The leading metric of each task over the groups; left out where only one group was asked about.

    Groups with a number in their names, such as windows of time, have an order, and lines join them; others make a
    table.
    """
    leading = _leading(names)
    answered = [
        group for group in groups if any(f"{group}/{name}" in one.metrics for one in results for name in leading)
    ]
    if len(answered) < 2:
        return ""
    if not all(_NUMBERED.search(group) for group in answered):
        return "".join(_group_table(results, name, answered) for name in leading)
    figures = []
    for name in leading:
        series = {one.model: [one.metrics.get(f"{group}/{name}") for group in answered] for one in results}
        if any(value is not None for values in series.values() for value in values):
            figures.append(html.lines(title_of(name), answered, series))
    legend = html.legend(one.model for one in results)
    return f'<div class="charted">{legend}<div class="charts">{"".join(figures)}</div></div>'


def _group_table(results: Sequence[Results], name: str, groups: Sequence[str]) -> str:
    """A metric of each model by group; empty if no model has it in any."""
    if not any(f"{group}/{name}" in one.metrics for one in results for group in groups):
        return ""
    heads = "".join(f"<th>{html.esc(group)}</th>" for group in groups)
    bar = all(is_rate(results, f"{group}/{name}") for group in groups)
    rows = "".join(
        f'<tr><th class="model">{html.esc(one.model)}</th>'
        + "".join(cell(one, f"{group}/{name}", bar, interval=False) for group in groups)
        + "</tr>"
        for one in results
    )
    return (
        f'<div class="scroll card lead-table group-table"><table><caption>{html.esc(title_of(name))}</caption>'
        f"<thead><tr><th>model</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _table(results: Sequence[Results], names: Sequence[str]) -> str:
    """Metrics by rows, models by columns, a heading for each task."""
    heads = "".join(f"<th>{html.esc(one.model)}</th>" for one in results)
    rows, task = [], ""
    for name in names:
        prefix = name.partition("/")[0] if "/" in name else ""
        if prefix != task:
            task = prefix
            rows.append(f'<tr class="task"><th colspan="{len(results) + 1}">{html.esc(task)}</th></tr>')
        label = name.partition("/")[2] or name
        rate = is_rate(results, name)
        cells = "".join(cell(one, name, rate) for one in results)
        rows.append(f"<tr><th>{html.esc(label.replace('_', ' '))}</th>{cells}</tr>")
    return (
        '<div class="scroll score-table"><table><caption>Small figures are 95 % intervals.</caption>'
        f"<thead><tr><th>metric</th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _failures(results: Sequence[Results]) -> str:
    """Questions without an answer, where there are any."""
    lines = [
        f"{one.model}: " + ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in one.failures.items())
        for one in results
        if one.failures
    ]
    return f'<p class="note">Without an answer: {html.esc("; ".join(lines))}.</p>' if lines else ""
