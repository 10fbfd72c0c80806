"""The map of a sweep: one cell for each value, coloured by what happens to A, with a mark where that changes."""

import itertools
from collections.abc import Sequence

import numpy as np

from jaxphys_benchmarks.charts import FONT, SMALL
from jaxphys_benchmarks.display import Canvas, Item, Polyline, Rectangle, Text
from jaxphys_benchmarks.inphyre.numbers import Ints

WIDTH = 1090
LEFT, TOP, RIGHT = 190.0, 70.0, 40.0
PAGE, TEXT, NO_LABEL = "#ffffff", "#222222", "#f0f0f0"

COLOURS = ("#4c78a8", "#f2a65a", "#72b679", "#b8b8b8")
"""Of the four meanings, in their order."""

UNITS = {"speed": "launch speed of A (m/s)", "mass_ratio": "mass of B / mass of A", "omega": "omega (rad/s)"}


def sweep_canvas(
    title: str, axis: str, values: Sequence[float], rows: Sequence[str], found: Ints, names: Sequence[str]
) -> Canvas:
    """A map of answers.

    Args:
        title: above it. axis: name of the last axis. values: (k,) of it. rows: (r,) names.
        found: (..., k) with r rows in all; index into `names`, -1 where there is no answer.
        names: of the four meanings.
    """
    codes = found.reshape(-1, len(values))
    cell_w, cell_h = (WIDTH - LEFT - RIGHT) / len(values), min(40.0, 420.0 / len(codes))
    items: list[Item] = [Text((40, 30), title, 20, TEXT, "lm")]
    for r, name in enumerate(rows):
        y = TOP + r * cell_h
        # Runs of equal answers are one box: few items, and no seams.
        edges = [0, *(np.flatnonzero(np.diff(codes[r])) + 1).tolist(), len(values)]
        for start, stop in itertools.pairwise(edges):
            x, code = LEFT + start * cell_w, int(codes[r, start])
            box = ((stop - start) * cell_w, max(cell_h - 1, 0.5))
            items.append(Rectangle((x, y), box, NO_LABEL if code < 0 else COLOURS[code]))
            if start:
                items.append(Polyline(((x, y), (x, y + box[1])), TEXT, 1.5))
        if cell_h >= SMALL or r % max(1, round(SMALL * 1.5 / cell_h)) == 0:
            items.append(Text((LEFT - 10, y + cell_h / 2), name, SMALL, TEXT, "rm"))
    bottom = TOP + len(codes) * cell_h
    shown = sorted({round(u * (len(values) - 1) / 8) for u in range(9)})
    items += [Text((LEFT + (k + 0.5) * cell_w, bottom + 14), f"{values[k]:.3g}", SMALL, TEXT) for k in shown]
    items.append(Text(((LEFT + WIDTH - RIGHT) / 2, bottom + 36), UNITS.get(axis, axis), FONT, TEXT))
    legend = [*zip(names, COLOURS, strict=True), ("no answer", NO_LABEL)]
    for k, (name, colour) in enumerate(legend):
        x, y = 40 + 205.0 * k, bottom + 66
        items += [
            Rectangle((x, y - 7), (14, 14), colour, TEXT),
            Text((x + 22, y), name.replace("_", " "), SMALL, TEXT, "lm"),
        ]
    return Canvas(WIDTH, int(bottom + 90), PAGE, tuple(items))
