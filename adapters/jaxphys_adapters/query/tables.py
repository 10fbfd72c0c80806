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


def of_sensitivity(values: Values) -> list[Table]:
    """One row for each threshold that a benchmark's reading of answers hangs on; see `reading.SENSITIVITY`."""
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for name, value in values.items():
        for heading, mark in reading.SENSITIVITY.items():
            task, found, rest = name.partition(mark)
            threshold, _, way = rest.rpartition("_")
            if found and "/" not in task and ":" not in task and way in ("less", "more"):
                rows.setdefault((task, threshold), {})[f"{heading}, {way}"] = value
    if not rows:
        return []
    ways = [f"{heading}, {way}" for heading in reading.SENSITIVITY for way in ("less", "more")]
    table = _empty("what hangs on each threshold: half as large, or half as large again", "threshold", ways)
    for (_, threshold), row in rows.items():
        table.add_row(threshold.replace("_", " "), *(number(row.get(way)) for way in ways))
    return [table]


def of_contrast(values: Values, groups: Sequence[str]) -> Table:
    """What a benchmark says of several runs, over all groups; those within groups are in the JSON object."""
    table = _empty("what the benchmark says of these runs", "metric", ["value", "95 % interval", "p"])
    for name in reading.headlines(values, groups):
        if not name.endswith("/p"):
            low, high = values.get(f"{name}/low"), values.get(f"{name}/high")
            table.add_row(name, number(values[name]), interval(low, high), number(values.get(f"{name}/p")))
    return table


def side_by_side(models: Mapping[str, Values], groups: Sequence[str], most: int = 7) -> list[Table]:
    """One row for each of several models, with the metrics that come first."""
    longest = max(models.values(), key=len)
    names = [name for name in reading.headlines(longest, groups) if name != "mean"][:most]
    table = _empty(
        f"{len(models)} models or people", "who", [name.rpartition("/")[2].replace("_", " ") for name in names]
    )
    for model, values in models.items():
        table.add_row(model, *(number(values.get(name)) for name in names))
    return [table]


def interval(low: float | None, high: float | None) -> str:
    """`0.250 to 0.750`, or nothing."""
    return "" if low is None or high is None else f"{low:.3f} to {high:.3f}"


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
