"""A sweep as a table for people: one row for each cell, with the values of its axes and what happens there.

Columns are the facts that a benchmark tells of every cell; where it tells none, the arrays of flags, as the places that
are set. Facts of the sweep as a whole stand above, the short ones. Public: `lines`, `table`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table

from jaxphys_benchmarks.protocol import Sweep

ROWS = 40
"""Most rows of a table."""
SHORT = 90
"""Most characters of a fact that is shown in a line."""
NOTHING = "–"


def lines(swept: Sweep) -> list[str]:
    """The short facts of a sweep as a whole, empty ones left out, and how much its table leaves out."""
    cells = _by_cell(swept)
    told = []
    for name, value in swept.facts.items():
        text = value if isinstance(value, str) else json.dumps(value)
        if name != "axes" and name not in cells and re.search(r"\w", text) and len(text) <= SHORT:
            told.append(f"{name.replace('_', ' ')}: {text}")
    count = int(np.prod(_shape(swept)))
    if count > ROWS:
        told.append(f"the first {ROWS} of {count} cells; --json and --out tell all")
    return told


def table(swept: Sweep) -> Table:
    """One row for each of the first `ROWS` cells; axes of one value are left out."""
    axes, cells = swept.facts["axes"], _by_cell(swept)
    shown = [name for name, values in axes.items() if len(values) > 1] or list(axes)
    made = Table(box=SIMPLE_HEAD)
    for name in (*shown, *cells):
        made.add_column(name.replace("_", " "))
    for k, values in zip(range(ROWS), product(*axes.values()), strict=False):
        at = dict(zip(axes, values, strict=True))
        made.add_row(*(_written(at[name]) for name in shown), *(_written(column[k]) for column in cells.values()))
    return made


def _shape(swept: Sweep) -> tuple[int, ...]:
    return tuple(len(values) for values in swept.facts["axes"].values())


def _by_cell(swept: Sweep) -> Mapping[str, Sequence[Any]]:
    """What is told of every cell, by name, cells in the order of the axes."""
    shape = _shape(swept)
    found = {name: _flat(value, shape) for name, value in swept.facts.items() if name != "axes"}
    told = {name: column for name, column in found.items() if column and any(cell != [] for cell in column)}
    flags = {name: array for name, array in swept.arrays.items() if array.dtype == bool}
    return told or {
        name: [np.flatnonzero(cell).tolist() for cell in array.reshape(int(np.prod(shape)), -1)]
        for name, array in flags.items()
        if array.shape[: len(shape)] == shape
    }


def _flat(value: Any, shape: tuple[int, ...]) -> list[Any] | None:
    """The cells of nested lists of this shape in one list; None for anything else."""
    if not shape:
        return [value]
    if not isinstance(value, list) or len(value) != shape[0]:
        return None
    parts = [_flat(part, shape[1:]) for part in value]
    return None if any(part is None for part in parts) else [cell for part in parts for cell in part or ()]


def _written(value: Any) -> str:
    """A value in a cell of the table."""
    if value is None or value == []:
        return NOTHING
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    if isinstance(value, bool | str):
        return str(value)
    return f"{value:.4g}"
