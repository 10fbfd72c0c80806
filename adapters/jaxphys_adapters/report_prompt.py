"""A question as a model gets it: its texts, pictures and films in their order, on a page.

Films appear as the frames that are sent. Pictures are shown smaller than they are sent, as JPEG, so that a page stays
light; nothing else is left out or added.
"""

from collections.abc import Iterable
from io import BytesIO

from PIL import Image

from jaxphys_adapters import report_parts as html
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_benchmarks.protocol import Question, Shown, Spec

STILL_PX, FRAME_PX = 360, 150
"""Widths of a picture and of a frame of a film."""

QUALITY = 82


def prompt(
    pictures: Pictures, spec: Spec, question: Question, *, still_px: int = STILL_PX, frame_px: int = FRAME_PX
) -> str:
    """The parts of a question about a scene, in order; pictures are drawn without labels."""
    pieces = []
    for part in question.parts or (question.prompt, *([Shown(spec, question.view)] if question.view else ())):
        if isinstance(part, Shown):
            pieces.append(strip(pictures, part, still_px if part.view.frames == 1 else frame_px))
        elif part.strip():
            pieces.append(f'<p class="said">{html.esc(part.strip())}</p>')
    return f'<div class="prompt">{"".join(pieces)}</div>'


def strip(pictures: Pictures, shown: Shown, width_px: int) -> str:
    """The frames of a picture or film, side by side, each with its time where it has one."""
    drawn = pictures.stills(shown)
    times = drawn.times if len(drawn.files) > 1 else ()
    what = f"{shown.spec.id}, {shown.view.kind.replace('_', ' ')}"
    frames = "".join(
        _frame(path.read_bytes(), width_px, f"{what}, frame {k + 1} of {len(drawn.files)}", times[k : k + 1])
        for k, path in enumerate(drawn.files)
    )
    caption = what if len(drawn.files) == 1 else f"{what}: {len(drawn.files)} frames"
    return f'<figure class="strip"><div>{frames}</div><figcaption>{html.esc(caption)}</figcaption></figure>'


def _frame(png: bytes, width_px: int, alt: str, time: Iterable[float]) -> str:
    label = "".join(f"<span>{at:.2f} s</span>" for at in time)
    return f"<span>{html.jpeg(thumbnail(png, width_px), alt)}{label}</span>"


def thumbnail(png: bytes, width_px: int) -> bytes:
    """A picture as JPEG, at most this wide."""
    with Image.open(BytesIO(png)) as picture:
        small = picture.convert("RGB")
        if small.width > width_px:
            small = small.resize((width_px, round(small.height * width_px / small.width)), Image.Resampling.LANCZOS)
    buffer = BytesIO()
    small.save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
