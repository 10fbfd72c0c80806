"""Strict JAX for every test: no silent promotion, a compilation cache, programs kept between runs.

64-bit mode is a scope here as for users: the `x64` fixture enters it, nothing flips it globally.
"""

import ctypes
import gc
import os
import pathlib
from collections import Counter
from collections.abc import Iterator

os.environ.setdefault("JAXPHYS_CACHE_DIR", str(pathlib.Path(__file__).parent.parent / ".cache" / "jaxphys"))

from jaxphys import runtime

runtime.prepare_process()

import jax
import pytest

import jaxphys

jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")


FIRST = (
    "tests/adapters/query/test_demo.py",
    "tests/test_guide.py",
    "tests/adapters/query/test_reacthuman_in_a_closed_loop.py",
    "tests/adapters/enact/test_seen_in_pictures.py",
    "tests/adapters/enact/test_generate.py",
    "tests/benchmarks/enact/activities/test_activities_acceptance.py",
    "tests/benchmarks/enact/world/test_both_engines.py",
    "tests/jaxphys/test_rigid_mjx.py",
    "tests/jaxphys/test_planar_grad.py",
    "tests/jaxphys/humanoid/test_humanoid_mjx.py",
    "tests/jaxphys/test_grad.py",
    "tests/jaxphys/test_law_table.py",
    "tests/jaxphys/test_planar_batches.py",
    "tests/adapters/query/test_billiards.py",
    "tests/adapters/test_simulate_planar.py",
    "tests/adapters/query/test_reacthuman_resumed.py",
    "tests/benchmarks/reacthuman/env/test_env_training.py",
)
"""Files of few tests that take long: begun last, one process would run them while the others have nothing to do."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, then those of many tests: files are handed out in this order, one to a process."""
    root = pathlib.Path(__file__).parent.parent
    files = [item.path.relative_to(root).as_posix() for item in items]
    counts = Counter(files)
    rank = {file: k for k, file in enumerate(FIRST)}
    order = sorted(range(len(items)), key=lambda k: (rank.get(files[k], len(FIRST)), -counts[files[k]], files[k]))
    items[:] = [items[k] for k in order]


@pytest.fixture
def x64() -> Iterator[None]:
    """64-bit mode for one test."""
    with jaxphys.x64():
        yield


MAPS, PAGES = pathlib.Path("/proc/self/maps"), pathlib.Path("/proc/self/statm")
"""Pieces of memory of this process, and its pages, where the system tells them; a process may have 65,530 pieces."""

MANY_MAPS = 30_000
MUCH, GROWN = 2_000_000_000, 1.25
"""Resident bytes from which programs are let go, and growth since then from which they are let go again."""

_kept = {"bytes": 0.0}
"""Resident bytes after programs were last let go."""


def _resident() -> int:
    return int(PAGES.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture(scope="module", autouse=True)
def _programs_are_let_go() -> Iterator[None]:
    """A process that holds all programs of all tests runs out of memory, or of pieces of it and dies in the compiler.

    Programs are kept on disk, so that those that are wanted again are soon back. What they leave is handed back to the
    system: freed pieces between others would be kept, which was two thirds of what is given back here.
    """
    yield
    if not (MAPS.exists() and PAGES.exists()):
        return
    if MAPS.read_bytes().count(b"\n") > MANY_MAPS or _resident() > max(MUCH, GROWN * _kept["bytes"]):
        jax.clear_caches()
        gc.collect()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
        _kept["bytes"] = _resident()
