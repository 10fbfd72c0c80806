"""Files that are made when they are opened: `jaxphys://...` as an fsspec file system, for reading only.

inspect-ai opens the pictures of a sample when its turn comes, and any solver gets them, so a run starts at once, holds
only the pictures under way, and its log names them.
"""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import fsspec  # type: ignore[import-untyped]

SCHEME = "jaxphys"

_makers: dict[str, Callable[[], bytes]] = {}


def address(name: str, make: Callable[[], bytes]) -> str:
    """The URI under which `make()` is read from now on; `name` is a path of its own, with the ending of its format."""
    _makers[name] = make
    return f"{SCHEME}://{name}"


def is_address(uri: str) -> bool:
    """Whether this is a URI made by `address`."""
    return uri.startswith(f"{SCHEME}://")


def read(uri: str) -> bytes:
    """The content of an address.

    Raises:
        FileNotFoundError: nothing is known by that name in this process.
    """
    make = _makers.get(uri.removeprefix(f"{SCHEME}://"))
    if make is None:
        raise FileNotFoundError(f"{uri}: no such picture in this process")
    return make()


class OnDemand(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """The file system behind the addresses."""

    protocol = SCHEME
    cachable = False

    def _open(self, path: str, mode: str = "rb", *args: Any, **options: Any) -> BytesIO:
        return BytesIO(read(path))


fsspec.register_implementation(SCHEME, OnDemand, clobber=True)
