"""How compiled code is built and spread over threads: the cached compiler and the chunk runner.

Compiled functions release the interpreter lock, so plain Python threads run them side by side. numba's own
parallel loops are not used: their thread layers abort the process when two threads call them at once.
"""

import hashlib
import itertools
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

SERIAL_BELOW = 64
"""Batches smaller than this run on the calling thread: starting others would cost more than they save."""

_pool: ThreadPoolExecutor | None = None


OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False, "_nrt": False}
"""Strict IEEE arithmetic without the interpreter lock; a division by zero gives inf, not an exception.

Without numba's reference counts (`_nrt`), which would cost a quarter of the time and be shared between threads:
compiled code allocates nothing, and its caller keeps every array alive.
"""


def jit(function: Function) -> Function:
    """Compile a part of the loop; it becomes part of the entry that calls it."""
    compiled: Function = numba.njit(**OPTIONS)(function)
    return compiled


def jit_inline(function: Function) -> Function:
    """Compile a part of the innermost loop; it is merged into its caller, whatever its size."""
    compiled: Function = numba.njit(forceinline=True, **OPTIONS)(function)
    return compiled


def jit_entry(function: Function) -> Function:
    """Compile an entry and keep the machine code on disk, if there is a place to write to.

    numba notices a change of the entry's own module only, so an entry that calls other modules must refer to their
    `fingerprint` by a closure: closures are part of the key under which the code is kept.
    """
    try:
        compiled: Function = numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # a read-only installation, and no cache folder of the user's own
        compiled = numba.njit(**OPTIONS)(function)
    return compiled


def fingerprint(folder: Path) -> int:
    """Of everything in a folder, and here, that goes into its compiled entries: modules named `compiled*.py`."""
    digest = hashlib.sha256()
    for path in [Path(__file__), *sorted(folder.glob("compiled*.py"))]:
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:7], "big")


def run_chunks(work: Callable[[int, int], None], count: int, threads: int | None = None) -> None:
    """Call `work(start, stop)` until [0, count) is covered, on `threads` threads (default: one per usable core).

    Chunks are contiguous and claimed as threads become free; which thread runs a chunk must not matter. The
    calling thread takes part, so calls from several threads at once cannot block each other. The first error is
    raised after all threads have ended.
    """
    threads = usable_cores() if threads is None else threads
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    if threads == 1 or count < SERIAL_BELOW:
        work(0, count)
        return
    chunk = max(32, min(1024, -(-count // (8 * threads))))
    claims = itertools.count(0, chunk)

    def worker() -> None:
        for start in claims:
            if start >= count:
                return
            work(start, min(start + chunk, count))

    others: list[Future[None]] = [_executor().submit(worker) for _ in range(threads - 1)]
    try:
        worker()
    finally:
        # Tasks that have not begun find nothing left; they are not worth waiting for.
        wait([other for other in others if not other.cancel()])
    for other in others:
        if not other.cancelled():
            other.result()


def usable_cores() -> int:
    """Number of cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _executor() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(max_workers=max(32, usable_cores()), thread_name_prefix="jaxphys")
    return _pool


def _forget_pool() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)
