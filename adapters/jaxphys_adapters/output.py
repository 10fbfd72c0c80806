"""Where results of single commands go: a file, whole or not at all, or standard output."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.progress import say


def deliver(content: Mapping[str, Any], out: Path | None) -> None:
    """Write a result as JSON to `out`, or to standard output.

    Raises:
        StorageError: the file cannot be written.
    """
    data = layout.to_json(content)
    if out is None:
        sys.stdout.write(data.decode())
        sys.stdout.flush()
        return
    if out.parent != Path():
        atomic.make_folder(out.parent)
    atomic.write(out, data)
    say(f"wrote {out}")
