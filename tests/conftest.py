"""Strict JAX for every test: no silent promotion, a compilation cache, programs kept between runs.

64-bit mode is a scope here as for users: the `x64` fixture enters it, nothing flips it globally.
"""

import gc
import os
import pathlib
from collections.abc import Iterator

os.environ.setdefault("JAXPHYS_CACHE_DIR", str(pathlib.Path(__file__).parent.parent / ".cache" / "jaxphys"))

from jaxphys import runtime

runtime.prepare_process()

import jax
import pytest

import jaxphys

jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")


@pytest.fixture
def x64() -> Iterator[None]:
    """64-bit mode for one test."""
    with jaxphys.x64():
        yield


MAPS = pathlib.Path("/proc/self/maps")
"""Pieces of memory of this process, where the system tells them; a process may have 65,530 by default."""

MANY_MAPS = 30_000


@pytest.fixture(scope="module", autouse=True)
def _programs_are_let_go() -> Iterator[None]:
    """A process that holds all programs of all tests runs out of pieces of memory, and dies in the compiler."""
    yield
    if MAPS.exists() and MAPS.read_bytes().count(b"\n") > MANY_MAPS:
        jax.clear_caches()
        gc.collect()
