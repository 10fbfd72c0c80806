"""Display lists as SVG inside a page: sharp at any size and small, where a picture would be neither.

Sizes and colours are those of the display list; text is in the face of the page. Everything is escaped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import hypot
from typing import Any

from jaxphys_adapters.report_parts import esc
from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Item, Point, Polyline, Rectangle, Text

ANCHORS: Mapping[str, str] = {"l": "start", "m": "middle", "r": "end"}
"""Of SVG, by the first letter of a text's anchor."""
DROPS: Mapping[str, float] = {"t": 0.8, "a": 0.8, "m": 0.35, "s": 0.0, "b": 0.0, "d": -0.2}
"""From where a text is anchored to its base line, in sizes of the text, by the second letter."""
HALF_HEAD = 0.42
"""Half the width of an arrow's head, in its lengths."""


LEAST, MOST = 0.02, 1.4
"""Least size of a text in widths of a drawing, and how much larger a text is made for that at most."""
MARGIN = 0.006
"""What larger texts at the edges of a drawing need there, in its widths."""


def readable(canvas: Canvas) -> Canvas:
    """A display list for a place that is narrower than it: small texts are larger, but for those on discs."""
    discs = {item.centre_px for item in canvas.items if isinstance(item, Disc)}
    items = tuple(
        replace(item, size_px=max(item.size_px, min(MOST * item.size_px, LEAST * canvas.width_px)))
        if isinstance(item, Text) and item.at_px not in discs
        else item
        for item in canvas.items
    )
    return replace(canvas, items=items)


def drawing(canvas: Canvas, alt: str, margin_px: float = 0.0) -> str:
    """A display list as one SVG element, as wide as the place that it stands in.

    Args:
        canvas: what to draw. alt: what it shows, for who cannot see it. margin_px: added on every side.
    """
    width, height = canvas.width_px + 2 * margin_px, canvas.height_px + 2 * margin_px
    corner = f"{-margin_px:g}" if margin_px else "0"
    body = "".join(DRAWN[type(item)](item) for item in canvas.items)
    return (
        f'<svg class="drawing" role="img" aria-label="{esc(alt)}" viewBox="{corner} {corner} {width:g} {height:g}">'
        f'<rect x="{corner}" y="{corner}" width="{width:g}" height="{height:g}" fill="{esc(canvas.background)}"/>'
        f"{body}</svg>"
    )


def _disc(item: Disc) -> str:
    radius = max(item.radius_px - item.width_px / 2, 0.0)
    x, y = item.centre_px
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{esc(item.fill)}" stroke="{esc(item.outline)}"'
        f' stroke-width="{item.width_px:g}"/>'
    )


def _polyline(item: Polyline) -> str:
    return (
        f'<polyline points="{_points(item.points_px)}" fill="none" stroke="{esc(item.colour)}"'
        f' stroke-width="{item.width_px:.4g}" stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _arrow(item: Arrow) -> str:
    """Nothing where it has no length; one shorter than its head has a smaller head."""
    (ax, ay), (bx, by) = item.start_px, item.end_px
    length = hypot(bx - ax, by - ay)
    if length == 0:
        return ""
    head, ux, uy = min(item.head_px, length), (bx - ax) / length, (by - ay) / length
    neck = (bx - ux * head, by - uy * head)
    half = head * HALF_HEAD
    corners = ((bx, by), (neck[0] - uy * half, neck[1] + ux * half), (neck[0] + uy * half, neck[1] - ux * half))
    shaft = _polyline(Polyline((item.start_px, neck), item.colour, item.width_px))
    return f'{shaft}<polygon points="{_points(corners)}" fill="{esc(item.colour)}"/>'


def _rectangle(item: Rectangle) -> str:
    (x, y), (width, height) = item.corner_px, item.size_px
    stroke = f' stroke="{esc(item.outline)}" stroke-width="{item.width_px:g}"' if item.outline else ""
    fill = esc(item.fill) if item.fill else "none"
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{stroke}/>'


def _text(item: Text) -> str:
    x, y = item.at_px
    anchor = ANCHORS.get(item.anchor[:1], "middle")
    down = y + DROPS.get(item.anchor[1:2], 0.35) * item.size_px
    # A style, because the style sheet has a rule for all texts of charts.
    return (
        f'<text x="{x:.1f}" y="{down:.1f}" text-anchor="{anchor}"'
        f' style="font-size:{item.size_px:g}px;fill:{esc(item.colour)}">{esc(item.text)}</text>'
    )


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


DRAWN: Mapping[type[Item], Callable[[Any], str]] = {
    Disc: _disc,
    Polyline: _polyline,
    Arrow: _arrow,
    Rectangle: _rectangle,
    Text: _text,
}
"""How each item is drawn."""
