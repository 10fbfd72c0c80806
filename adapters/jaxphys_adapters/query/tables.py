"""The tables of styles and of bands: scores side by side, and how the answers hang together."""

from collections.abc import Callable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from jaxphys_adapters.query import reading

Values = Mapping[str, float]

WHOLE: dict[str, Callable[[float | None], str]] = {
    "groups": lambda value: count(value),
    "all_exact": lambda value: number(value),
    "some_exact": lambda value: number(value),
    "flips": lambda value: count(value),
    "followed": lambda value: number(value),
    "steady": lambda value: number(value),
}
"""Metrics of scenes as wholes of their bands, and how they are written."""


def number(value: float | None) -> str:
    """Three decimals, or nothing."""
    return "" if value is None else f"{value:.3f}"


def count(value: float | None) -> str:
    """A whole number, or nothing."""
    return "" if value is None else f"{value:.0f}"


def of_styles(values: Values, styles: Sequence[str]) -> list[Table]:
    """One row per style: the main scores, and the share of answers that are the same as in the plain look."""
    if not styles:
        return []
    prefixes = {style: f"style/{style}:" for style in styles}
    consistent = {name: None for prefix in prefixes.values() for name in _under(prefix, values, "/consistent")}
    scores = reading.leading(name for name in _under(prefixes[styles[0]], values) if name not in consistent)
    return [_table("the same scenes in other looks", "style", prefixes, [*scores, *consistent], values)]


def of_bands(values: Values, bands: Sequence[str]) -> list[Table]:
    """One row per band with the main scores; one row per task for scenes as wholes."""
    if not bands:
        return []
    prefixes = {band: f"band/{band}:" for band in bands}
    scores = _table("by band", "band", prefixes, reading.leading(_under(prefixes[bands[0]], values)), values)
    whole = _empty("scenes as wholes of their bands", "task", [name.replace("_", " ") for name in WHOLE])
    for task in dict.fromkeys(name.partition("/")[0] for name in _under("bands:", values)):
        whole.add_row(task, *(write(values.get(f"bands:{task}/{name}")) for name, write in WHOLE.items()))
    return [scores, whole]


def _under(prefix: str, values: Values, ending: str = "") -> list[str]:
    return [name.removeprefix(prefix) for name in values if name.startswith(prefix) and name.endswith(ending)]


def _table(title: str, what: str, prefixes: Mapping[str, str], names: Sequence[str], values: Values) -> Table:
    table = _empty(title, what, [name.replace("/consistent", " consistent") for name in names])
    for row, prefix in prefixes.items():
        table.add_row(row, *(number(values.get(prefix + name)) for name in names))
    return table


def _empty(title: str, what: str, headings: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(what, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table
