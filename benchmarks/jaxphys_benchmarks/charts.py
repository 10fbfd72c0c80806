"""Charts as display lists: bars and histograms in panels, which the reports of the benchmarks are made of.

Every bar carries its count, so that a chart can be checked by eye. A panel is a corner and a size in pixels; its title
and the names of its bars stand below it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxphys_benchmarks.display import Item, Polyline, Rectangle, Text

Place = tuple[float, float]

FONT, SMALL = 15.0, 13.0
"""Sizes of titles and of numbers (px)."""

HEADROOM = 40
"""Pixels above the tallest bar, for its count."""


@dataclass(frozen=True)
class Ink:
    """Colours of bars and of text."""

    bar: str
    text: str


def histogram(
    at: Place, size: Place, title: str, edges: Sequence[float], counts: Sequence[int], ink: Ink
) -> list[Item]:
    """Counts between edges, of which about five are named."""
    items = _panel(at, size, title, ink)
    (x, y), (width, height), most = at, size, max([*counts, 1])
    bar = width / len(counts)
    for k, count in enumerate(counts):
        tall = (height - HEADROOM) * count / most
        items.append(Rectangle((x + k * bar + 1, y + height - tall), (bar - 2, tall), ink.bar))
        items.append(Text((x + (k + 0.5) * bar, y + height - tall - 9), str(count), SMALL - 2, ink.text))
    shown = range(0, len(edges), max(1, len(edges) // 5))
    return items + [Text((x + k * bar, y + height + 14), f"{edges[k]:.3g}", SMALL, ink.text) for k in shown]


def bars(at: Place, size: Place, title: str, counts: Mapping[str, int], ink: Ink) -> list[Item]:
    """One bar for each name."""
    items = _panel(at, size, title, ink)
    if not counts:
        return [*items, Text((at[0] + size[0] / 2, at[1] + size[1] / 2), "none", FONT, ink.text)]
    (x, y), (width, height), most = at, size, max([*counts.values(), 1])
    slot = width / len(counts)
    bar = min(0.7 * slot, 60.0)
    for k, (name, count) in enumerate(counts.items()):
        tall, middle = (height - HEADROOM) * count / most, x + (k + 0.5) * slot
        items.append(Rectangle((middle - bar / 2, y + height - tall), (bar, tall), ink.bar))
        items.append(Text((middle, y + height - tall - 9), str(count), SMALL, ink.text))
        items.append(Text((middle, y + height + 14), name, SMALL, ink.text))
    return items


def _panel(at: Place, size: Place, title: str, ink: Ink) -> list[Item]:
    base = at[1] + size[1]
    return [
        Polyline(((at[0], base), (at[0] + size[0], base)), ink.text, 1.2),
        Text((at[0] + size[0] / 2, base + 36), title, FONT, ink.text),
    ]
