"""Films: a stage of many frames becomes an MP4 file, and a stored file is checked for being whole."""

from jaxphys_benchmarks.protocol import Picture
from jaxphys_benchmarks.stage import Stage

_INDEX = b"moov"
"""The box without which an MP4 file cannot be played; it says where the frames lie."""


def encode(picture: Picture) -> bytes:
    """The MP4 file of a film; equal input gives equal bytes.

    Raises:
        TypeError: a flat picture, which does not move.
        ModuleNotFoundError: PyAV or the renderer is not installed.
    """
    from jaxphys_adapters.stages import render
    from jaxphys_adapters.video import mp4

    if not isinstance(picture, Stage):
        raise TypeError(f"a film is made of a Stage, not of a {type(picture).__name__}")
    return mp4(render(picture), picture.fps)


def is_whole(data: bytes) -> bool:
    """Whether the boxes of an MP4 file fill it exactly, and its index is among them (ISO/IEC 14496-12)."""
    at, kinds = 0, []
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        if size < 8:
            return False
        kinds.append(kind)
        at += size
    return at == len(data) and _INDEX in kinds
