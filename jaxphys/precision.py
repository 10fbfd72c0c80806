"""Precision, as a scope: `with jaxphys.x64():` and never a global switch on import."""

from collections.abc import Iterator
from contextlib import contextmanager

import jax
import numpy as np


@contextmanager
def x64() -> Iterator[None]:
    """Run a block in 64-bit mode; arrays made and programs traced in it keep float64.

    Labels and published data are float64. Differentiating or jitting your own function of a float64 rollout
    needs the scope around the call.
    """
    with jax.enable_x64(True):
        yield


@contextmanager
def precision_of(array: jax.Array | np.ndarray) -> Iterator[None]:
    """The scope that keeps `array`'s dtype: 64-bit mode for float64, the caller's mode for float32."""
    if np.dtype(array.dtype) == np.float64:
        with x64():
            yield
    else:
        yield
