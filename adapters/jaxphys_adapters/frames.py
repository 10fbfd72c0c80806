"""Frames: a picture becomes pixels, and pixels become a PNG file.

`rasterise(picture)` returns uint8 (h, w, 3); `png(picture, text)` the bytes of a PNG file. A display list is painted
here; of a stage, the first frame is rendered (`stages`). Equal input gives
equal bytes: a packaged font, basic text layout, a fixed compression level and no time stamp. Items are painted
from back to front, with antialiased edges placed to a fraction of a pixel (`coverage`); colours are mixed in
sRGB. The outline of a disc or box lies inside it, so a ball is as large as its radius says. Specification:
BilliardPhys-Bench, section 7.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from typing import Any

import numpy as np
from PIL import Image, ImageColor
from PIL.PngImagePlugin import PngInfo

from jaxphys_adapters import coverage
from jaxphys_adapters.coverage import Array, Mask
from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Item, Polyline, Rectangle, Text
from jaxphys_benchmarks.protocol import Picture
from jaxphys_benchmarks.stage import Stage

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

MAX_PIXELS = 64_000_000
COMPRESS_LEVEL = 6
RUN_LENGTHS = 3
"""zlib's Z_RLE: flat pictures come out as small as with a search for repeats, in two thirds of the time."""
MOVING = (Disc, Arrow)
"""Items that differ from scene to scene; what lies under the first of them is painted once and kept."""
SPARSE_ABOVE = 20_000  # pixels of a mask: a long thin line touches few of the pixels in its box


@lru_cache(maxsize=256)
def _rgb(colour: str) -> Array:
    return np.asarray(ImageColor.getrgb(colour)[:3], dtype=np.float32)


def _paint(pixels: Pixels, mask: Mask, colour: str) -> None:
    """Mix `colour` into the pixels under the mask; what lies outside the picture is cut off."""
    height, width = pixels.shape[:2]
    rows, columns = mask.alpha.shape
    x0, y0 = max(mask.left, 0), max(mask.top, 0)
    x1, y1 = min(mask.left + columns, width), min(mask.top + rows, height)
    if x0 >= x1 or y0 >= y1:
        return
    alpha = mask.alpha[y0 - mask.top : y1 - mask.top, x0 - mask.left : x1 - mask.left]
    where = np.nonzero(alpha) if alpha.size > SPARSE_ABOVE else (slice(None), slice(None))
    box = pixels[y0:y1, x0:x1]
    under = box[where].astype(np.float32)
    box[where] = np.rint(under + (_rgb(colour) - under) * alpha[where][..., None]).astype(np.uint8)


def _flood(pixels: Pixels, colour: str) -> None:
    """Set all pixels of a view; whole rows are copied, which is much faster than pixel by pixel."""
    pixels[:] = np.tile(_rgb(colour).astype(np.uint8), (pixels.shape[1], 1))


def _paint_box(pixels: Pixels, x0: float, y0: float, x1: float, y1: float, colour: str) -> None:
    """Whole pixels are set at once, the partly covered ones at the four edges are mixed."""
    left, top, right, bottom = ceil(x0), ceil(y0), floor(x1), floor(y1)
    if left >= right or top >= bottom:
        _paint(pixels, coverage.box((x0, y0), (x1 - x0, y1 - y0)), colour)
        return
    _flood(pixels[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)], colour)
    for (ax, ay), (bx, by) in (
        ((x0, y0), (x1, top)),
        ((x0, bottom), (x1, y1)),
        ((x0, top), (left, bottom)),
        ((right, top), (x1, bottom)),
    ):
        if bx > ax and by > ay:
            _paint(pixels, coverage.box((ax, ay), (bx - ax, by - ay)), colour)


def _union(masks: list[Mask]) -> Mask:
    """One mask of several, so that a line crossing itself is not painted twice."""
    left, top = min(m.left for m in masks), min(m.top for m in masks)
    right = max(m.left + m.alpha.shape[1] for m in masks)
    bottom = max(m.top + m.alpha.shape[0] for m in masks)
    alpha = np.zeros((bottom - top, right - left), dtype=np.float32)
    for m in masks:
        rows = slice(m.top - top, m.top - top + m.alpha.shape[0])
        columns = slice(m.left - left, m.left - left + m.alpha.shape[1])
        np.maximum(alpha[rows, columns], m.alpha, out=alpha[rows, columns])
    return Mask(left, top, alpha)


def _disc(pixels: Pixels, item: Disc) -> None:
    _paint(pixels, coverage.disc(item.centre_px, item.radius_px), item.outline)
    if item.radius_px > item.width_px:
        _paint(pixels, coverage.disc(item.centre_px, item.radius_px - item.width_px), item.fill)


def _polyline(pixels: Pixels, item: Polyline) -> None:
    if item.points_px:
        _paint(pixels, _union(coverage.segments(item.points_px, item.width_px)), item.colour)


def _arrow(pixels: Pixels, item: Arrow) -> None:
    """Shaft and head as one mask; an arrow shorter than its head is drawn with a smaller head."""
    (ax, ay), (bx, by) = item.start_px, item.end_px
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    if length == 0:
        return
    ux, uy = (bx - ax) / length, (by - ay) / length
    head = min(item.head_px, length)
    neck = (bx - ux * head, by - uy * head)
    half = head * 0.42
    corners = ((bx, by), (neck[0] - uy * half, neck[1] + ux * half), (neck[0] + uy * half, neck[1] - ux * half))
    inside = (bx - ux * head * 0.7, by - uy * head * 0.7)
    shaft = coverage.segments((item.start_px, inside), item.width_px)
    _paint(pixels, _union([*shaft, coverage.polygon(corners)]), item.colour)


def _rectangle(pixels: Pixels, item: Rectangle) -> None:
    (x, y), (w, h), edge = item.corner_px, item.size_px, item.width_px
    if item.fill is not None:
        _paint_box(pixels, x, y, x + w, y + h, item.fill)
    if item.outline is not None:
        _paint_box(pixels, x, y, x + w, y + edge, item.outline)
        _paint_box(pixels, x, y + h - edge, x + w, y + h, item.outline)
        _paint_box(pixels, x, y + edge, x + edge, y + h - edge, item.outline)
        _paint_box(pixels, x + w - edge, y + edge, x + w, y + h - edge, item.outline)


def _text(pixels: Pixels, item: Text) -> None:
    if item.text:
        _paint(pixels, coverage.text(item.at_px, item.text, item.size_px, item.anchor), item.colour)


PAINTERS: Mapping[type[Item], Callable[[Pixels, Any], None]] = {
    Disc: _disc,
    Polyline: _polyline,
    Arrow: _arrow,
    Rectangle: _rectangle,
    Text: _text,
}


def rasterise(picture: Picture) -> Pixels:
    """The pixels of a display list, or of the first frame of a stage.

    Returns:
        uint8 (h, w, 3), sRGB.

    Raises:
        ValueError: the picture is empty or larger than `MAX_PIXELS`.
        OSError: a stage, and nothing here can draw one; the text says what to install.
    """
    return _first(picture) if isinstance(picture, Stage) else _painted(picture)


def _first(stage: Stage) -> Pixels:
    # Renderers are loaded only where they are needed.
    from jaxphys_adapters import stages

    pixels: Pixels = stages.render(stage.only([0]))[0]
    return pixels


def _painted(canvas: Canvas) -> Pixels:
    if canvas.width_px < 1 or canvas.height_px < 1 or canvas.width_px * canvas.height_px > MAX_PIXELS:
        raise ValueError(f"canvas: {canvas.width_px} x {canvas.height_px} px; give 1 to {MAX_PIXELS} pixels")
    items = canvas.items
    still = next((k for k, item in enumerate(items) if isinstance(item, MOVING)), len(items))
    pixels = _backdrop(canvas.width_px, canvas.height_px, canvas.background, items[:still]).copy()
    for item in items[still:]:
        PAINTERS[type(item)](pixels, item)
    return pixels


@lru_cache(maxsize=8)
def _backdrop(width: int, height: int, background: str, items: tuple[Item, ...]) -> Pixels:
    """The items before the first one that moves: table, axes and ticks, which the pictures of a data set share."""
    pixels: Pixels = np.empty((height, width, 3), dtype=np.uint8)
    _flood(pixels, background)
    for item in items:
        PAINTERS[type(item)](pixels, item)
    return pixels


def encode(pixels: Pixels, text: Mapping[str, str] | None = None) -> bytes:
    """A PNG file of uint8 (h, w, 3) pixels; `text` goes into its text chunks, in key order."""
    info = PngInfo()
    for key, value in sorted((text or {}).items()):
        info.add_itxt(key, value) if not value.isascii() else info.add_text(key, value)
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", pnginfo=info, compress_level=COMPRESS_LEVEL, compress_type=RUN_LENGTHS)
    return buffer.getvalue()


def png(picture: Picture, text: Mapping[str, str] | None = None) -> bytes:
    """A PNG file of a picture; see `rasterise` and `encode`."""
    return encode(rasterise(picture), text)
