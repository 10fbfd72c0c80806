"""Pictures and films on their way to a model: data URIs, the size that providers accept, making a picture smaller.

Providers limit the base64-encoded size, not the file's: 4 characters for every 3 bytes begun. The usual limit of
5 MiB is therefore reached by a file of 3.75 MiB.
"""

import base64
import hashlib
from collections.abc import Sequence
from io import BytesIO

from PIL import Image

MIB = 1024 * 1024
DEFAULT_LIMIT = 5 * MIB
"""Largest base64-encoded picture that the common providers take (bytes)."""

PREFIX = "data:image/png;base64,"
FILM_PREFIX = "data:video/mp4;base64,"
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


def is_film(data: bytes) -> bool:
    """Whether these are the bytes of an MP4 file (ISO/IEC 14496-12: its first box is `ftyp`)."""
    return data[4:8] == b"ftyp"


def data_uri(data: bytes) -> str:
    """`data:image/png;base64,...`, of an MP4 file `data:video/mp4;base64,...`."""
    return (FILM_PREFIX if is_film(data) else PREFIX) + base64.b64encode(data).decode("ascii")


def from_data_uri(uri: str) -> bytes:
    """The bytes of a picture or film made by `data_uri`.

    Raises:
        ValueError: it is something else.
    """
    for prefix in (PREFIX, FILM_PREFIX):
        if uri.startswith(prefix):
            return base64.b64decode(uri[len(prefix) :])
    raise ValueError(f"image: expected a PNG data URI, got {uri[:40]!r}")


def sha256(data: bytes) -> str:
    """Hash of a picture or film, hex."""
    return hashlib.sha256(data).hexdigest()


def digest(media: Sequence[bytes]) -> str:
    """One hash of pictures and films in order: empty of none, of one its own, of several that of their hashes."""
    hashes = [sha256(data) for data in media]
    return "".join(hashes) if len(hashes) < 2 else sha256("".join(hashes).encode())
