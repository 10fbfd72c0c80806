"""Images of questions: frames of an episode with a label burnt in (ENACT specification, section 6.4).

The label is bold, of size max(40, H / 10), in (255, 20, 20) with a white outline of 3 px, its upper left corner at
(15, 15). Where no frame is recorded, `blank` gives a plain picture, which tells nothing of its frame: models see it.
"""

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from jaxphys_adapters import frames
from jaxphys_adapters.coverage import FONT_FILE
from jaxphys_adapters.enact.store import is_name
from jaxphys_benchmarks.enact.config import DEFAULT

COLOUR, OUTLINE = (255, 20, 20), (255, 255, 255)
OUTLINE_PX, BOLD_PX = 3, 1
CORNER_PX = (15, 15)
LEAST_PX = 40
GREY, INK = (128, 128, 128), (32, 32, 32)

Picture = Callable[[str, str], Image.Image | None]
"""(task, frame id) -> the recorded frame, RGB; None where there is none."""


def labelled(picture: Image.Image, label: str) -> Image.Image:
    """A copy with a label in its upper left corner.

    Args:
        picture: any mode; the copy is RGB.
        label: short text.
    """
    copy = picture.convert("RGB")
    draw, bold = ImageDraw.Draw(copy), font(max(LEAST_PX, copy.height // 10))
    # The font has one weight: a stroke of its own colour makes it bold.
    draw.text(CORNER_PX, label, OUTLINE, bold, stroke_width=OUTLINE_PX + BOLD_PX, stroke_fill=OUTLINE)
    draw.text(CORNER_PX, label, COLOUR, bold, stroke_width=BOLD_PX, stroke_fill=COLOUR)
    return copy


def blank() -> Image.Image:
    """The plain picture of a frame that is not recorded."""
    size = DEFAULT.image_size_px
    picture = Image.new("RGB", (size, size), GREY)
    ImageDraw.Draw(picture).text((CORNER_PX[0], size // 2), "no picture was recorded", INK, font(size // 25))
    return picture


def recorded(replayed: Path, sensor: str = DEFAULT.sensor) -> Picture:
    """The frames of the published folders, `{task}/{sensor}/00059.png`; None also for what is no picture.

    Args:
        replayed: root folder.
        sensor: the camera.
    """

    def read(task: str, frame: str) -> Image.Image | None:
        if not is_name(task) or not frame.isascii() or not frame.isdigit():
            return None
        try:
            with Image.open(replayed / task / sensor / f"{int(frame):05d}.png") as picture:
                return picture.convert("RGB")
        except (OSError, ValueError, Image.DecompressionBombError):
            return None

    return read


def png(picture: Image.Image) -> bytes:
    """The bytes of a PNG file; equal pictures give equal bytes.

    Args:
        picture: RGB.
    """
    return frames.encode(np.asarray(picture.convert("RGB")))


def font(size: int) -> ImageFont.FreeTypeFont:
    """The packaged font in a size (px)."""
    with as_file(files("jaxphys_adapters") / "fonts" / FONT_FILE) as path:
        return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
