"""A question as a model gets it: its texts, pictures and films in their order, on a page.

Films appear as the frames that are sent. Pictures are shown smaller than they are sent, as JPEG, so that a page stays
light; nothing else is left out or added.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import Any

from PIL import Image

from jaxphys_adapters import frames, video
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.query import images, replay
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_benchmarks.protocol import Question, Shown, Spec

STILL_PX, FRAME_PX = 360, 150
"""Widths of a picture and of a frame of a film."""

QUALITY = 82


def prompt(
    pictures: Pictures,
    spec: Spec,
    question: Question,
    *,
    still_px: int = STILL_PX,
    frame_px: int = FRAME_PX,
    captions: bool = True,
) -> str:
    """The parts of a question about a scene, as a model gets it.

    Args:
        pictures: of the benchmark. spec: the scene. question: about it.
        still_px, frame_px, captions: see `shown`.
    """
    parts = question.parts or (question.prompt, *([Shown(spec, question.view)] if question.view else ()))
    return shown(pictures, parts, still_px=still_px, frame_px=frame_px, captions=captions)


def shown(
    pictures: Pictures,
    parts: Sequence[str | Shown],
    *,
    still_px: int = STILL_PX,
    frame_px: int = FRAME_PX,
    captions: bool = True,
) -> str:
    """Texts and pictures in order; pictures are drawn without labels.

    Args:
        pictures: of the benchmark. parts: what is shown.
        still_px, frame_px: widths of a picture and of a frame of a film.
        captions: name below each picture the scene that it shows.
    """
    pieces = []
    for part in parts:
        if isinstance(part, Shown):
            drawn = pictures.stills(part)
            times = drawn.times if len(drawn.files) > 1 else ()
            shots = [Shot(path.read_bytes(), times[k] if times else None) for k, path in enumerate(drawn.files)]
            caption = _caption(part.spec.id, part.view.kind) if captions else ""
            pieces.append(strip(shots, caption, still_px, frame_px))
        else:
            pieces.append(_said(part))
    return f'<div class="prompt">{"".join(pieces)}</div>'


def recorded(record: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    """What a model got, from the record of a question.

    Args:
        record: untrusted. files: pictures by hash; one that is not among them is named instead of shown.

    Raises:
        ValueError: the record does not tell the parts.
    """
    pieces = []
    for (caption, _), run in groupby(replay.show(record), key=_belongs):
        entries = list(run)
        shots = [Shot(files.get(sent.sha256), sent.time) for sent in entries if isinstance(sent, replay.Sent)]
        if shots:
            pieces.append(strip(shots, caption, STILL_PX, FRAME_PX))
        pieces += [_said(text) for text in entries if isinstance(text, str)]
    return f'<div class="prompt">{"".join(pieces)}</div>'


@dataclass(frozen=True)
class Shot:
    """A picture as a PNG or MP4 file, None where it is not at hand, and the time of the frame (s) if it has one."""

    data: bytes | None
    time: float | None = None


def _belongs(part: "str | replay.Sent") -> tuple[str, int]:
    """What tells a film from the next one: texts stand alone, and a film begins with its frame 0."""
    if isinstance(part, str):
        return "", -1
    return _caption(part.scene, part.view), part.frames


def _caption(scene: str, view: str) -> str:
    return f"{scene}, {view.replace('_', ' ')}"


def _said(text: str) -> str:
    return f'<p class="said">{html.esc(text.strip())}</p>' if text.strip() else ""


def strip(shots: Sequence[Shot], caption: str, still_px: int, frame_px: int) -> str:
    """A picture, or the frames of a film side by side, each with its time where it has one."""
    count = len(shots)
    width_px = still_px if count == 1 else frame_px
    name = f"{caption}, " if caption else ""
    pieces = "".join(_shot(shot, width_px, f"{name}{k + 1} of {count}") for k, shot in enumerate(shots))
    words = caption if count == 1 else f"{caption}: {count} frames"
    below = f"<figcaption>{html.esc(words)}</figcaption>" if caption else ""
    return f'<figure class="strip"><div>{pieces}</div>{below}</figure>'


def _shot(shot: Shot, width_px: int, alt: str) -> str:
    label = "" if shot.time is None else f"<span>{shot.time:.2f} s</span>"
    if shot.data is None:
        return f'<span class="lost">not the picture that is drawn today{label}</span>'
    if images.is_film(shot.data):
        poster = thumbnail(frames.encode(video.frames_of(shot.data)[0]), STILL_PX)
        return f"<span>{html.video(shot.data, alt, poster)}{label}</span>"
    return f"<span>{html.jpeg(thumbnail(shot.data, width_px), alt)}{label}</span>"


def thumbnail(png: bytes, width_px: int) -> bytes:
    """A picture as JPEG, at most this wide."""
    with Image.open(BytesIO(png)) as picture:
        small = picture.convert("RGB")
        if small.width > width_px:
            small = small.resize((width_px, round(small.height * width_px / small.width)), Image.Resampling.LANCZOS)
    return _jpeg(small)


def squeezed(pixels: frames.Pixels) -> bytes:
    """Pixels as JPEG."""
    return _jpeg(Image.fromarray(pixels))


def _jpeg(picture: Image.Image) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
