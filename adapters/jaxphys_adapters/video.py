"""Frames become an MP4 file, and back: H.264 in 4:2:0, which every browser plays, through PyAV.

The index comes first, so that playing starts before the file is loaded, and equal frames give equal bytes: one thread,
no date, no name of the writer. Frame k is shown from k / fps on; fps is kept as an exact fraction. Every frame can
be sought within a second or so. Needs the extra `jaxphys[video]`.
"""

import tempfile
from collections.abc import Iterable
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from jaxphys_adapters.frames import Pixels

MISSING = "films need PyAV, which is not installed: pip install '.[video]' in the checkout"
QUALITY = {
    "crf": "20",
    "preset": "faster",
    "g": "32",
    "bf": "0",
    "threads": "1",
    "flags": "+bitexact",
    "x264-params": "mbtree=0",
}
"""Of the encoder. No B frames: the first frame is then at time zero without an edit list. No macroblock tree: it reads
memory that was never written, so that the bytes would depend on what the process did before."""
LIMIT = 100_000
"""Largest denominator of a frame rate (25.6 is 128/5), and largest rate."""
_BT601, _LIMITED = 6, 1
"""Numbers of ITU-T H.273 for colours of standard definition, and of FFmpeg for studio levels."""


def library() -> Any:
    """PyAV.

    Raises:
        ModuleNotFoundError: it is not installed; the text says how to get it.
    """
    try:
        import av
    except ImportError as error:
        raise ModuleNotFoundError(MISSING, name="av") from error
    return av


def mp4(frames: Iterable[Pixels], fps: float | Fraction) -> bytes:
    """An MP4 file.

    Args:
        frames: uint8 (f, h, w, 3), sRGB, at least one; an odd side is made even by repeating its last row or column.
        fps: frames per second.

    Raises:
        ValueError: no frames, frames of differing or impossible shapes, or a frame rate that is none.
        OSError: the temporary folder is full.
        ModuleNotFoundError: PyAV is not installed.
    """
    av = library()
    if not 1 / LIMIT <= fps <= LIMIT:
        raise ValueError(f"fps: {fps}; give a number between {1 / LIMIT:g} and {LIMIT}")
    rate = Fraction(fps).limit_denominator(LIMIT)
    shots = [_checked(frame) for frame in frames]
    if len({shot.shape for shot in shots}) != 1:
        raise ValueError(
            f"frames: {len(shots)} of {len({shot.shape for shot in shots})} sizes; give at least one, alike"
        )
    # To move the index to the front, the writer reads again what it has written: that takes a file.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        with av.open(path, "w", format="mp4", options={"movflags": "+faststart", "fflags": "+bitexact"}) as container:
            stream = _stream(container, shots[0].shape, rate)
            for k, shot in enumerate(shots):
                picture = av.VideoFrame.from_ndarray(_even(shot), format="rgb24")
                picture.pts, picture.time_base = k, 1 / rate
                container.mux(stream.encode(picture.reformat(format="yuv420p", dst_colorspace="ITU601")))
            container.mux(stream.encode())
        return path.read_bytes()


def frames_of(data: bytes) -> Pixels:
    """The frames of a film, uint8 (f, h, w, 3).

    Raises:
        ValueError: this is no film.
        ModuleNotFoundError: PyAV is not installed.
    """
    av = library()
    try:
        with av.open(BytesIO(data)) as container:
            return np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])
    except (av.FFmpegError, IndexError) as error:
        raise ValueError(f"this is not a film that can be played: {error}") from error


def _checked(frame: Pixels) -> Pixels:
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
        raise ValueError(f"frames: {frame.dtype} {frame.shape}; give uint8 (height, width, 3)")
    return frame


def _stream(container: Any, shape: tuple[int, ...], rate: Fraction) -> Any:
    stream = container.add_stream("libx264", rate=rate, options=QUALITY)
    stream.height, stream.width = (side + side % 2 for side in shape[:2])
    stream.pix_fmt = "yuv420p"
    context = stream.codec_context
    context.colorspace = context.color_primaries = context.color_trc = _BT601
    context.color_range = _LIMITED
    return stream


def _even(frame: Pixels) -> Pixels:
    height, width = frame.shape[:2]
    if height % 2 or width % 2:
        return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(frame)
