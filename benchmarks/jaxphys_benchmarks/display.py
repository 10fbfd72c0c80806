"""Display lists: what a 2-D picture shows, in pixels, without drawing it.

A benchmark describes a picture as a `Canvas` of items drawn in order; `jaxphys_adapters.frames` rasterises it.
Pixel coordinates are continuous: x to the right, y DOWN, the centre of the upper left pixel is (0.5, 0.5).
Colours are "#rrggbb".
"""

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Disc:
    """A filled disc with an outline."""

    centre_px: Point
    radius_px: float
    fill: str
    outline: str = "#000000"
    width_px: float = 1.0


@dataclass(frozen=True)
class Polyline:
    """Connected straight lines."""

    points_px: tuple[Point, ...]
    colour: str
    width_px: float = 1.0


@dataclass(frozen=True)
class Arrow:
    """A straight arrow; the head is part of the length."""

    start_px: Point
    end_px: Point
    colour: str
    width_px: float = 2.0
    head_px: float = 10.0


@dataclass(frozen=True)
class Rectangle:
    """An axis-aligned box; `fill` None draws the outline alone."""

    corner_px: Point
    size_px: Point
    fill: str | None
    outline: str | None = None
    width_px: float = 1.0


@dataclass(frozen=True)
class Text:
    """A line of text; `anchor` is Pillow's two letters, "mm" is centred."""

    at_px: Point
    text: str
    size_px: float
    colour: str = "#000000"
    anchor: str = "mm"


Item = Disc | Polyline | Arrow | Rectangle | Text


@dataclass(frozen=True)
class Canvas:
    """A picture: its size, its background, and its items from back to front."""

    width_px: int
    height_px: int
    background: str
    items: tuple[Item, ...]
