"""Coverage: how much of every pixel a shape fills, from its exact signed distance, in a small box around it.

`coverage(item)` style functions return a `Mask`: an upper left corner in whole pixels and a float32 array of
values in [0, 1], for the pixels whose centres (i + 0.5, j + 0.5) lie near the shape. A pixel is filled by
0.5 - d, cut to [0, 1], where d is the signed distance of its centre from the edge: one pixel wide, exact for
straight edges along the axes, and placed to a small fraction of a pixel for discs. Only additions,
multiplications and square roots are used, so the values are the same on every machine.

Masks are cached: axes, tick labels and ball numbers recur in every picture of a data set.
"""

from functools import lru_cache
from importlib.resources import as_file, files
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Array = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Point = tuple[float, float]

FONT_FILE = "Roboto-Regular-subset.ttf"
FINER = 4
LONGEST_PX = 96.0  # a line is covered piece by piece, so that a diagonal does not cost the whole picture


class Mask(NamedTuple):
    """Coverage of the pixels of a box: `left`, `top` in whole pixels, `alpha` (h, w) float32 in [0, 1]."""

    left: int
    top: int
    alpha: Array


def _grid(x0: float, y0: float, x1: float, y1: float) -> tuple[int, int, Array, Array]:
    """Corner and pixel-centre coordinates (1, w) and (h, 1) of the box, one pixel larger than asked."""
    left, top = floor(x0) - 1, floor(y0) - 1
    xs = np.arange(left, ceil(x1) + 1, dtype=np.float32) + np.float32(0.5)
    ys = np.arange(top, ceil(y1) + 1, dtype=np.float32) + np.float32(0.5)
    return left, top, xs[None, :], ys[:, None]


def _fill(distance: Array) -> Array:
    return np.asarray(np.clip(np.float32(0.5) - distance, 0, 1), dtype=np.float32)


@lru_cache(maxsize=4096)
def disc(centre: Point, radius: float) -> Mask:
    """A filled disc."""
    (cx, cy), r = centre, radius
    left, top, x, y = _grid(cx - r, cy - r, cx + r, cy + r)
    dx, dy = x - np.float32(cx), y - np.float32(cy)
    return Mask(left, top, _fill(np.sqrt(dx * dx + dy * dy) - np.float32(r)))


@lru_cache(maxsize=4096)
def segment(start: Point, end: Point, width: float) -> Mask:
    """A straight line with round ends; a point when both ends are equal."""
    (ax, ay), (bx, by), r = start, end, width / 2
    left, top, x, y = _grid(min(ax, bx) - r, min(ay, by) - r, max(ax, bx) + r, max(ay, by) + r)
    ux, uy = np.float32(bx - ax), np.float32(by - ay)
    length2 = ux * ux + uy * uy
    dx, dy = x - np.float32(ax), y - np.float32(ay)
    along = np.clip((dx * ux + dy * uy) / length2, 0, 1) if length2 > 0 else np.zeros_like(dx * dy)
    ex, ey = dx - along * ux, dy - along * uy
    return Mask(left, top, _fill(np.sqrt(ex * ex + ey * ey) - np.float32(r)))


def segments(points: tuple[Point, ...], width: float) -> list[Mask]:
    """The pieces of a polyline; where they overlap, the larger coverage counts."""
    pieces: list[Mask] = []
    for (ax, ay), (bx, by) in zip(points, points[1:] or points, strict=False):
        count = max(1, ceil(max(abs(bx - ax), abs(by - ay)) / LONGEST_PX))
        stops = [(ax + (bx - ax) * k / count, ay + (by - ay) * k / count) for k in range(count + 1)]
        pieces += [segment(start, end, width) for start, end in pairwise(stops)]
    return pieces


@lru_cache(maxsize=1024)
def polygon(corners: tuple[Point, ...]) -> Mask:
    """A filled convex polygon, corners in either order."""
    xs, ys = [p[0] for p in corners], [p[1] for p in corners]
    left, top, x, y = _grid(min(xs), min(ys), max(xs), max(ys))
    ring = [*corners, corners[0]]
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(ring))
    turn = 1.0 if area > 0 else -1.0
    distance = np.full((y.shape[0], x.shape[1]), -np.inf, dtype=np.float32)
    for (ax, ay), (bx, by) in pairwise(ring):
        ux, uy = bx - ax, by - ay
        length = (ux * ux + uy * uy) ** 0.5
        if length > 0:
            nx, ny = np.float32(turn * uy / length), np.float32(-turn * ux / length)
            distance = np.maximum(distance, (x - np.float32(ax)) * nx + (y - np.float32(ay)) * ny)
    return Mask(left, top, _fill(distance))


@lru_cache(maxsize=1024)
def box(corner: Point, size: Point) -> Mask:
    """A filled axis-aligned box, with the exact covered area of every pixel."""
    (x0, y0), (w, h) = corner, size
    left, top, x, y = _grid(x0, y0, x0 + w, y0 + h)
    half = np.float32(0.5)

    def overlap(centres: Array, low: float, high: float) -> Array:
        inside = np.minimum(centres + half, np.float32(high)) - np.maximum(centres - half, np.float32(low))
        return np.asarray(np.clip(inside, 0, 1), dtype=np.float32)

    return Mask(left, top, overlap(x, x0, x0 + w) * overlap(y, y0, y0 + h))


@lru_cache(maxsize=32)
def font(size: float) -> ImageFont.FreeTypeFont:
    """The packaged font; basic layout, so that no shaping library changes the pixels."""
    with as_file(files("jaxphys_adapters") / "fonts" / FONT_FILE) as path:
        return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def text(at: Point, words: str, size: float, anchor: str) -> Mask:
    """A line of text at a subpixel place; an empty line covers nothing.

    Drawn finer and averaged: at its own size, hinting would move glyphs by up to a pixel.
    """
    face = font(size * FINER)
    x0, y0, x1, y1 = (edge / FINER for edge in face.getbbox(words, anchor=anchor))
    left, top = floor(at[0] + x0) - 1, floor(at[1] + y0) - 1
    width, height = ceil(at[0] + x1) + 1 - left, ceil(at[1] + y1) + 1 - top
    image = Image.new("L", (max(width, 1) * FINER, max(height, 1) * FINER))
    place = ((at[0] - left) * FINER, (at[1] - top) * FINER)
    ImageDraw.Draw(image).text(place, words, fill=255, font=face, anchor=anchor)
    return Mask(left, top, np.asarray(image.reduce(FINER), dtype=np.float32) / np.float32(255))
