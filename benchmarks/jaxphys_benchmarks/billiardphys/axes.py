"""The frame of a picture: pixel mapping, table, axes and ticks (BilliardPhys-Bench specification, section 7).

The mapping is the one documented in `picture`; everything here is drawn in the constant margin around the table
area, or under the balls.
"""

import math
from dataclasses import dataclass

from jaxphys_benchmarks.billiardphys.palette import Palette
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Point
from jaxphys_benchmarks.display import Disc, Item, Polyline, Rectangle, Text

LEFT, TOP, RIGHT, BOTTOM = 62.0, 34.0, 28.0, 52.0
"""Margin around the table area (pixels at scale 1)."""

RAIL = 5.0
TICK = 6.0
FONT = 15.0

_STEPS = (1.0, 2.0, 2.5, 5.0)
_MOST_TICKS = 10


@dataclass(frozen=True)
class Frame:
    """Pixel mapping of a W x H table (m) with `density` pixels per metre, times `scale`."""

    W: float
    H: float
    density: float
    scale: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return (
            round(self.scale * (LEFT + self.density * self.W + RIGHT)),
            round(self.scale * (TOP + self.density * self.H + BOTTOM)),
        )

    def to_px(self, pos: Point) -> Point:
        """Pixel coordinates of a place (m)."""
        return (
            self.scale * (LEFT + self.density * pos[0]),
            self.scale * (TOP + self.density * (self.H - pos[1])),
        )

    def from_px(self, at_px: Point) -> Point:
        """Place (m) of a pixel coordinate: the inverse of `to_px`."""
        return (
            (at_px[0] / self.scale - LEFT) / self.density,
            self.H - (at_px[1] / self.scale - TOP) / self.density,
        )

    def length_px(self, length: float) -> float:
        """Pixels of a length (m)."""
        return self.scale * self.density * length

    def px(self, size: float) -> float:
        """Pixels of a size given at scale 1."""
        return self.scale * size

    def margin_text(self, text: str, colour: str, place: str) -> Text:
        """A line in the margin above the table, at its "left", "middle" or "right"."""
        x, anchor = {"left": (0.0, "lm"), "middle": (self.W / 2, "mm"), "right": (self.W, "rm")}[place]
        return Text((self.to_px((x, 0))[0], self.px(0.5 * (TOP - RAIL))), text, self.px(FONT), colour, anchor)


def backdrop(spec: BilliardSpec, frame: Frame, palette: Palette) -> list[Item]:
    """Table, walls, pockets, grid, axes with ticks and names."""
    corner, far = frame.to_px((0.0, frame.H)), frame.to_px((frame.W, 0.0))
    area = (far[0] - corner[0], far[1] - corner[1])
    rail, step = frame.px(RAIL), tick_step(max(frame.W, frame.H))
    items: list[Item] = [
        # The inner edge of the rail is the edge of the table.
        Rectangle((corner[0] - rail, corner[1] - rail), (area[0] + 2 * rail, area[1] + 2 * rail), palette.rail),
        Rectangle(corner, area, palette.cloth),
    ]
    lines = [((x, 0.0), (x, frame.H)) for x in ticks(frame.W, step)]
    lines += [((0.0, y), (frame.W, y)) for y in ticks(frame.H, step)]
    items += [Polyline((frame.to_px(a), frame.to_px(b)), palette.grid, frame.px(1.0)) for a, b in lines]
    for pocket in spec.pockets:
        centre, radius = frame.to_px(pocket.centre), frame.length_px(pocket.radius)
        items.append(Disc(centre, radius, palette.pocket, palette.pocket))
    if spec.pockets:
        items += _clean_margin(frame, palette)
    return items + _axes(frame, palette)


def _clean_margin(frame: Frame, palette: Palette) -> list[Item]:
    """Page-coloured boxes around the rail: a pocket is shown as far as the rail only."""
    (width, height), edge = frame.size_px, frame.px(RAIL)
    (x0, y0), (x1, y1) = frame.to_px((0.0, frame.H)), frame.to_px((frame.W, 0.0))
    boxes = (
        ((0.0, 0.0), (float(width), y0 - edge)),
        ((0.0, y1 + edge), (float(width), height - y1 - edge)),
        ((0.0, 0.0), (x0 - edge, float(height))),
        ((x1 + edge, 0.0), (width - x1 - edge, float(height))),
    )
    return [Rectangle(corner, size, palette.page) for corner, size in boxes]


def tick_step(length: float) -> float:
    """Round distance between ticks, so that at most eleven fit on a length."""
    power = math.floor(math.log10(length)) - 1
    steps = [base * 10.0**power for base in _STEPS] + [10.0 ** (power + 1)]
    return next(step for step in steps if length / step <= _MOST_TICKS + 1e-9)


def ticks(length: float, step: float) -> list[float]:
    """Multiples of a step from 0 to a length."""
    digits = max(0, 2 - math.floor(math.log10(step)))
    return [round(k * step, digits) for k in range(math.floor(length / step + 1e-9) + 1)]


def _axes(frame: Frame, palette: Palette) -> list[Item]:
    items: list[Item] = []
    start, end = frame.px(RAIL), frame.px(RAIL + TICK)
    size, step = frame.px(FONT), tick_step(max(frame.W, frame.H))
    for x in ticks(frame.W, step):
        at_x, at_y = frame.to_px((x, 0))
        items.append(Polyline(((at_x, at_y + start), (at_x, at_y + end)), palette.text, frame.px(1.2)))
        items.append(Text((at_x, at_y + end + frame.px(11)), f"{x:g}", size, palette.text))
    for y in ticks(frame.H, step):
        at_x, at_y = frame.to_px((0, y))
        items.append(Polyline(((at_x - end, at_y), (at_x - start, at_y)), palette.text, frame.px(1.2)))
        items.append(Text((at_x - end - frame.px(5), at_y), f"{y:g}", size, palette.text, "rm"))
    bottom, left = frame.to_px((frame.W / 2, 0)), frame.to_px((0, frame.H / 2))
    items.append(Text((bottom[0], bottom[1] + frame.px(BOTTOM - 9)), "x (m)", size, palette.text))
    items.append(Text((left[0] - frame.px(LEFT - 8), frame.px(0.5 * (TOP - RAIL))), "y (m)", size, palette.text, "lm"))
    return items
