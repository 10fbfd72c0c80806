"""Processes that work for another one, and end with it, however it ends.

A process of a pool waits for orders for ever; where the one that gives them is killed, it would stay, with all it
holds in memory. Public: `pool`.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread


def pool(workers: int) -> ProcessPoolExecutor:
    """Fresh processes, which share nothing with this one and do not outlive it.

    Args:
        workers: how many, 1 or more.

    Raises:
        ValueError: `workers` is less than 1.
    """
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_follow)


def _follow() -> None:
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        # Nothing is to be tidied up: files appear whole or not at all, and nobody waits for what this process has.
        os._exit(1)
