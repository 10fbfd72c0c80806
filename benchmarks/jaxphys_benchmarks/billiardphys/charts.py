"""Charts as display lists: the report of a window, and the map of a speed sweep.

Public functions: `report_canvas`, `sweep_canvas`.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.billiardphys.palette import PALETTES
from jaxphys_benchmarks.charts import FONT, SMALL, Ink, bars, histogram
from jaxphys_benchmarks.display import Canvas, Item, Polyline, Rectangle, Text

WIDTH, HEIGHT = 1090, 760
LOOK = PALETTES["plain"]
INK = Ink(LOOK.bar, LOOK.text)


def report_canvas(facts: Mapping[str, Any]) -> Canvas:
    """Six panels: cue speeds, hits, balls hit, wall sets, chain depth, margins and rejected draws."""
    edges, counts = facts["v0"]["edges"], facts["v0"]["counts"]
    margin = facts["margin"]
    screen = {
        "flag": margin["flag"], "q1": margin["q1"], "q2": margin["q2"], "q3": margin["q3"],
        "redrawn": facts["rejected_draws"],
    }  # fmt: skip
    hits = {"hit": facts["collision"]["with"], "no hit": facts["collision"]["without"]}
    head = f"t = {facts['t']:g} s   {facts['labelled']} of {facts['scenes']} scenes labelled"
    items: list[Item] = [Text((40, 30), head, 20, LOOK.text, "lm")]
    items += histogram((40, 60), (640, 300), "cue speed (m/s)", edges, counts, INK)
    items += bars((730, 60), (320, 300), "cue ball hits a ball", hits, INK)
    items += bars((40, 430), (440, 270), "walls hit by the cue ball", _largest(_initials(facts["wall_sets"]), 9), INK)
    items += bars((520, 430), (240, 270), "chain depth of balls", facts["chain_depth"], INK)
    items += bars((800, 430), (250, 270), "margins, redrawn scenes", screen, INK)
    return Canvas(WIDTH, HEIGHT, LOOK.page, tuple(items))


def sweep_canvas(
    speeds: Sequence[float], rows: Sequence[str], codes: NDArray[np.int64], names: Sequence[str]
) -> Canvas:
    """A map of label sets: one cell for each (row, speed), one colour for each set, a mark where the set flips.

    Args:
        speeds: (k,) ascending (m/s). rows: (r,) names. codes: (r, k) index into `names`, -1 where there is no label.
        names: of the label sets, most frequent first.
    """
    left, top, cell_w = 120.0, 70.0, (WIDTH - 160.0) / len(speeds)
    cell_h = min(40.0, 420.0 / len(rows))
    items: list[Item] = [Text((40, 30), "balls hit by the cue ball", 20, LOOK.text, "lm")]
    for r, name in enumerate(rows):
        y = top + r * cell_h
        # Runs of equal labels are one box: few items, and no seams.
        flips = [0, *(np.flatnonzero(np.diff(codes[r])) + 1).tolist(), len(speeds)]
        for start, stop in itertools.pairwise(flips):
            corner, size = (left + start * cell_w, y), ((stop - start) * cell_w, cell_h - 1)
            items.append(Rectangle(corner, size, _set_colour(int(codes[r, start]))))
            if start:
                items.append(Polyline(((corner[0], y), (corner[0], y + cell_h - 1)), LOOK.text, 1.5))
        if cell_h >= SMALL or r % max(1, round(SMALL * 1.5 / cell_h)) == 0:
            items.append(Text((left - 10, y + cell_h / 2), name, SMALL, LOOK.text, "rm"))
    bottom = top + len(rows) * cell_h
    shown = sorted({round(u * (len(speeds) - 1) / 8) for u in range(9)})
    items += [Text((left + (k + 0.5) * cell_w, bottom + 14), f"{speeds[k]:.3g}", SMALL, LOOK.text) for k in shown]
    items.append(Text((left + len(speeds) * cell_w / 2, bottom + 36), "cue speed (m/s)", FONT, LOOK.text))
    items += _legend((left, bottom + 64), names)
    return Canvas(
        WIDTH, int(bottom + 64 + 26 * (1 + (min(len(names), len(_SETS)) - 1) // 4) + 14), LOOK.page, tuple(items)
    )


_SETS = (LOOK.bar_faint, *LOOK.paths, LOOK.cue)
_NO_LABEL = "#f0f0f0"


def _set_colour(code: int) -> str:
    return _NO_LABEL if code < 0 else _SETS[min(code, len(_SETS) - 1)]


def _legend(at: tuple[float, float], names: Sequence[str]) -> list[Item]:
    shown = list(names[: len(_SETS)])
    if len(names) > len(_SETS):
        shown[-1] = f"{len(names) - len(_SETS) + 1} other sets"
    items: list[Item] = []
    for k, name in enumerate(shown):
        x, y = at[0] + 230 * (k % 4), at[1] + 26 * (k // 4)
        items += [Rectangle((x, y - 7), (14, 14), _set_colour(k)), Text((x + 22, y), name, SMALL, LOOK.text, "lm")]
    return items


def _initials(sets: Mapping[str, int]) -> dict[str, int]:
    """Wall sets by their initials, `TOP+LEFT` as `TL`."""
    return {
        name if name == "none" else "".join(wall[0] for wall in name.split("+")): count for name, count in sets.items()
    }


def _largest(counts: Mapping[str, int], most: int) -> dict[str, int]:
    """The most frequent entries, and the rest as one."""
    ordered = sorted(counts.items(), key=lambda entry: -entry[1])
    rest = sum(count for _, count in ordered[most:])
    return dict(ordered[:most]) | ({"rest": rest} if rest else {})
