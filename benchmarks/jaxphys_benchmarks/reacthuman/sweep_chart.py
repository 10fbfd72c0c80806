"""The map of a sweep: one cell for each value, coloured by what should be done, with the time to impact in it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.charts import FONT, SMALL
from jaxphys_benchmarks.display import Canvas, Item, Polyline, Rectangle, Text

WIDTH = 1090
LEFT, TOP, RIGHT = 190.0, 70.0, 40.0
PAGE, TEXT, NO_LABEL = "#ffffff", "#222222", "#f0f0f0"

COLOURS = {"catch": "#72b679", "dodge": "#f2a65a", "no action": "#b8b8b8"}
"""By action, in the order of `counterfactual.ACTIONS`."""

UNITS = {
    "speed": "multiple of the normal band",
    "mass": "mass of the object (kg)",
    "drag_area": "drag coefficient times area (m²)",
    "floor_friction": "friction of the floor",
}

CROWDED = 40.0
"""Narrowest cell in which a time is written (px)."""


def sweep_canvas(
    title: str,
    axis: str,
    values: Sequence[float],
    rows: Sequence[str],
    actions: NDArray[np.int64],
    times: NDArray[np.float64],
) -> Canvas:
    """A map of actions.

    Args:
        title: above it. axis: name of the last axis. values: (k,) of it. rows: (r,) names.
        actions: (..., k) with r rows in all; index into `COLOURS`, -1 where there is none.
        times: (..., k) of the impact (s), NaN for none.
    """
    codes, told = actions.reshape(-1, len(values)), times.reshape(-1, len(values))
    cell_w, cell_h = (WIDTH - LEFT - RIGHT) / len(values), min(40.0, 420.0 / len(codes))
    palette = list(COLOURS.values())
    items: list[Item] = [Text((40, 30), title, 20, TEXT, "lm")]
    for r, name in enumerate(rows):
        y = TOP + r * cell_h
        for k, code in enumerate(codes[r].tolist()):
            x, height = LEFT + k * cell_w, max(cell_h - 1, 0.5)
            items.append(Rectangle((x, y), (cell_w, height), NO_LABEL if code < 0 else palette[code]))
            if k and codes[r, k - 1] != code:
                items.append(Polyline(((x, y), (x, y + height)), TEXT, 1.5))
            if cell_w >= CROWDED and cell_h >= SMALL and np.isfinite(told[r, k]):
                items.append(Text((x + cell_w / 2, y + cell_h / 2), f"{told[r, k]:.2f} s", SMALL, TEXT))
        if cell_h >= SMALL or r % max(1, round(SMALL * 1.5 / cell_h)) == 0:
            items.append(Text((LEFT - 10, y + cell_h / 2), name, SMALL, TEXT, "rm"))
    bottom = TOP + len(codes) * cell_h
    shown = sorted({round(u * (len(values) - 1) / 8) for u in range(9)})
    items += [Text((LEFT + (k + 0.5) * cell_w, bottom + 14), f"{values[k]:.3g}", SMALL, TEXT) for k in shown]
    items.append(Text(((LEFT + WIDTH - RIGHT) / 2, bottom + 36), UNITS.get(axis, axis.replace("_", " ")), FONT, TEXT))
    for k, (name, colour) in enumerate({**COLOURS, "no label": NO_LABEL}.items()):
        x, y = 40 + 205.0 * k, bottom + 66
        items += [Rectangle((x, y - 7), (14, 14), colour, TEXT), Text((x + 22, y), name, SMALL, TEXT, "lm")]
    return Canvas(WIDTH, int(bottom + 90), PAGE, tuple(items))
