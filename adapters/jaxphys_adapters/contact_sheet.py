"""Contact sheets: frames of a film side by side with their times, so that a person sees a whole film at a glance."""

from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np

from jaxphys_adapters import frames, stages
from jaxphys_adapters.frames import Pixels
from jaxphys_benchmarks.display import Canvas, Text
from jaxphys_benchmarks.stage import Stage

MARGIN_PX = 6
CAPTION_PX = 18
LETTER = 0.6
"""Width of a letter, in units of the height of the letters."""
PAPER, INK = "#ffffff", "#202020"


def sheet(shots: Sequence[tuple[Pixels, str]], columns: int) -> bytes:
    """A PNG file of pictures in reading order, each with its caption below.

    Args:
        shots: picture, uint8 (h, w, 3) of one size, and caption.
        columns: pictures per row.

    Raises:
        ValueError: no pictures, pictures of different sizes, or fewer than one column.
    """
    if not shots or len({shot.shape for shot, _ in shots}) != 1 or columns < 1:
        raise ValueError("contact sheet: give at least one picture, all of one size, and at least one column")
    height, width = shots[0][0].shape[:2]
    across, down = width + MARGIN_PX, height + CAPTION_PX + MARGIN_PX
    rows = ceil(len(shots) / columns)
    corners = [(MARGIN_PX + across * (k % columns), MARGIN_PX + down * (k // columns)) for k in range(len(shots))]
    captions = tuple(
        Text((x + width / 2, y + height + CAPTION_PX / 2), caption, _size(caption, width), INK)
        for (x, y), (_, caption) in zip(corners, shots, strict=True)
    )
    page = frames.rasterise(Canvas(MARGIN_PX + across * columns, MARGIN_PX + down * rows, PAPER, captions))
    for (x, y), (shot, _) in zip(corners, shots, strict=True):
        page[y : y + height, x : x + width] = shot
    return frames.encode(page)


def _size(caption: str, width_px: int) -> float:
    """Height of a caption's letters, small enough for it to fit below its picture (px)."""
    return min(0.7 * CAPTION_PX, width_px / (LETTER * max(1, len(caption))))


def of_film(stage: Stage, count: int = 12, columns: int = 4, also: Iterable[int] = ()) -> bytes:
    """A contact sheet of frames spread evenly from first to last, and of those in `also`; the times are captions.

    Raises:
        ValueError: fewer than one frame or column. IndexError: a frame that the film has not.
        OSError: nothing here can draw a stage.
    """
    spread = np.linspace(0, len(stage) - 1, min(count, len(stage)))
    shown = sorted({round(at) for at in spread} | {range(len(stage))[k] for k in also})
    drawn = stages.render(stage.only(shown))
    return sheet([(p, f"{stage.times[k]:.3f} s") for k, p in zip(shown, drawn, strict=True)], columns)
