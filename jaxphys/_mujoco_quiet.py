"""MuJoCo without its warnings: what goes wrong is told by status bits, not by a file in the working directory."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_quiet: dict[str, Any] = {"blocks": 0, "before": None}
"""MuJoCo has one handler for the whole process: how many blocks are open in all threads, and what it was before."""


@contextmanager
def silent() -> Iterator[None]:
    """A block in which MuJoCo neither prints warnings nor writes them to MUJOCO_LOG.TXT; blocks may overlap."""
    import mujoco

    with _lock:
        if not _quiet["blocks"]:
            _quiet["before"] = mujoco.get_mju_user_warning()
            mujoco.set_mju_user_warning(_ignore)
        _quiet["blocks"] += 1
    try:
        yield
    finally:
        with _lock:
            _quiet["blocks"] -= 1
            if not _quiet["blocks"]:
                before: Callable[[str], None] | None = _quiet["before"]
                mujoco.set_mju_user_warning(before)


def _ignore(_: str) -> None:
    """Nothing."""
