"""The chart of a window as a display list.

Public: `report_canvas`.
"""

from collections.abc import Mapping
from typing import Any

from jaxphys_benchmarks.billiardphys.palette import PALETTES
from jaxphys_benchmarks.charts import Ink, bars, histogram
from jaxphys_benchmarks.display import Canvas, Item, Text

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
