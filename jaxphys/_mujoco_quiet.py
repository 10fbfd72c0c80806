"""MuJoCo without its warnings: what goes wrong is told by status bits, not by a file in the working directory."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silent() -> Iterator[None]:
    """A block in which MuJoCo neither prints warnings nor writes them to MUJOCO_LOG.TXT."""
    import mujoco

    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)
