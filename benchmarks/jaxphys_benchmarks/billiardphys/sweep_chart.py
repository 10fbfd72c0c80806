"""The map of a speed sweep: for each question one panel, a cell for each speed, and a mark where the answer flips.

Public: `Answers`, `sweep_canvas`.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.billiardphys.palette import PALETTES
from jaxphys_benchmarks.charts import FONT, SMALL
from jaxphys_benchmarks.display import Canvas, Item, Polyline, Rectangle, Text

WIDTH = 1090
LEFT, RIGHT = 120.0, 40.0
LOOK = PALETTES["plain"]
COLOURS = (LOOK.bar_faint, *LOOK.paths, LOOK.cue)
"""Of the sets of labels; all that are rarer than the last but one share the last."""
NO_LABEL = "#f0f0f0"
ACROSS = 4
"""Entries of a legend side by side."""


@dataclass(frozen=True)
class Answers:
    """What is true at each speed.

    Attributes:
        title: what is asked.
        codes: (r, k) index into `names`, -1 where there is no label.
        names: of the sets of labels, the empty one first and the most frequent one next.
    """

    title: str
    codes: NDArray[np.int64]
    names: Sequence[str]


def sweep_canvas(speeds: Sequence[float], rows: Sequence[str], asked: Sequence[Answers]) -> Canvas:
    """A map of label sets: one cell for each (row, speed), one colour for each set, a mark where the set flips.

    Args:
        speeds: (k,) ascending (m/s). rows: (r,) names. asked: one for each panel.
    """
    items: list[Item] = []
    bottom = 0.0
    for answers in asked:
        panel, bottom = _panel(bottom + 30, speeds, rows, answers)
        items += panel
    return Canvas(WIDTH, int(bottom + 14), LOOK.page, tuple(items))


def _panel(top: float, speeds: Sequence[float], rows: Sequence[str], answers: Answers) -> tuple[list[Item], float]:
    """Title, cells, axis and legend of a question, and where they end."""
    items: list[Item] = [Text((40, top), answers.title, 18, LOOK.text, "lm")]
    top += 26
    cell_w, cell_h = (WIDTH - LEFT - RIGHT) / len(speeds), min(40.0, 420.0 / len(rows))
    for r, name in enumerate(rows):
        y = top + r * cell_h
        # Runs of equal labels are one box: few items, and no seams.
        flips = [0, *(np.flatnonzero(np.diff(answers.codes[r])) + 1).tolist(), len(speeds)]
        for start, stop in itertools.pairwise(flips):
            corner, size = (LEFT + start * cell_w, y), ((stop - start) * cell_w, cell_h - 1)
            items.append(Rectangle(corner, size, _colour(int(answers.codes[r, start]))))
            if start:
                items.append(Polyline(((corner[0], y), (corner[0], y + cell_h - 1)), LOOK.text, 1.5))
        if cell_h >= SMALL or r % max(1, round(SMALL * 1.5 / cell_h)) == 0:
            items.append(Text((LEFT - 10, y + cell_h / 2), name, SMALL, LOOK.text, "rm"))
    bottom = top + len(rows) * cell_h
    shown = sorted({round(u * (len(speeds) - 1) / 8) for u in range(9)})
    items += [Text((LEFT + (k + 0.5) * cell_w, bottom + 14), f"{speeds[k]:.3g}", SMALL, LOOK.text) for k in shown]
    items.append(Text(((LEFT + WIDTH - RIGHT) / 2, bottom + 36), "cue speed (m/s)", FONT, LOOK.text))
    legend = _legend(answers)
    for k, (name, colour) in enumerate(legend):
        x, y = LEFT + 230 * (k % ACROSS), bottom + 64 + 26 * (k // ACROSS)
        items += [Rectangle((x, y - 7), (14, 14), colour), Text((x + 22, y), name, SMALL, LOOK.text, "lm")]
    return items, bottom + 64 + 26 * ((len(legend) - 1) // ACROSS) + 10


def _colour(code: int) -> str:
    return NO_LABEL if code < 0 else COLOURS[min(code, len(COLOURS) - 1)]


def _legend(answers: Answers) -> list[tuple[str, str]]:
    """Names and colours of what the map shows, and of nothing else."""
    last = len(COLOURS) - 1
    present = set(np.unique(answers.codes).tolist())
    shown = [(answers.names[code], _colour(code)) for code in sorted(present) if 0 <= code < last]
    others = [answers.names[code] for code in sorted(present) if code >= last]
    if others:
        shown.append((others[0] if len(others) == 1 else f"{len(others)} other sets", COLOURS[last]))
    return [*shown, ("no label", NO_LABEL)] if -1 in present else shown
