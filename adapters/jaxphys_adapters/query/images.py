"""Pictures on their way to a model: data URIs, the size that providers accept, and making a picture smaller.

Providers limit the base64-encoded size, not the file's: 4 characters for every 3 bytes begun. The usual limit of
5 MiB is therefore reached by a file of 3.75 MiB.
"""

import base64
import hashlib
from io import BytesIO

from PIL import Image

MIB = 1024 * 1024
DEFAULT_LIMIT = 5 * MIB
"""Largest base64-encoded picture that the common providers take (bytes)."""

PREFIX = "data:image/png;base64,"
SMALLEST_PX = 32


def encoded_size(raw: int) -> int:
    """Length of the base64 form of `raw` bytes."""
    return 4 * ((raw + 2) // 3)


def fits(raw: int, limit: int = DEFAULT_LIMIT) -> bool:
    """Whether a file of `raw` bytes may be sent."""
    return encoded_size(raw) <= limit


def shrink(png: bytes) -> bytes:
    """The same picture with both sides halved.

    Raises:
        ValueError: a side would fall below `SMALLEST_PX`.
    """
    with Image.open(BytesIO(png)) as picture:
        width, height = picture.width // 2, picture.height // 2
        if min(width, height) < SMALLEST_PX:
            raise ValueError(f"picture of {picture.width} x {picture.height} px cannot be made smaller")
        smaller = picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    buffer = BytesIO()
    smaller.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def fit(png: bytes, limit: int = DEFAULT_LIMIT) -> bytes:
    """The picture itself if it may be sent, else halved until it may.

    Raises:
        ValueError: no size that can still be recognised fits.
    """
    while not fits(len(png), limit):
        png = shrink(png)
    return png


def data_uri(png: bytes) -> str:
    """`data:image/png;base64,...`."""
    return PREFIX + base64.b64encode(png).decode("ascii")


def from_data_uri(uri: str) -> bytes:
    """The bytes of a picture made by `data_uri`.

    Raises:
        ValueError: it is something else.
    """
    if not uri.startswith(PREFIX):
        raise ValueError(f"image: expected a PNG data URI, got {uri[:40]!r}")
    return base64.b64decode(uri[len(PREFIX) :])


def sha256(png: bytes | None) -> str:
    """Hash of a picture, hex; empty when there is none."""
    return "" if png is None else hashlib.sha256(png).hexdigest()
