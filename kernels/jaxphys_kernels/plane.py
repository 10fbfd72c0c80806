"""What every engine in the plane needs: pairs of bodies, and vectors taken apart into length and direction."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.cache
def pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices (n(n-1)/2,) of the first and the second body of every pair, first < second, in lexicographic order."""
    first, second = np.triu_indices(n, 1)
    return first.astype(np.int32), second.astype(np.int32)


def norm_and_direction(v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Length (...) and unit direction (..., 2) of vectors (..., 2); of zero 0 and (0, 0), with zero derivative.

    The inner `where` keeps the square root away from zero, so that no NaN reaches the gradient.
    """
    square = jnp.sum(v * v, axis=-1)
    some = square > 0
    length = jnp.where(some, jnp.sqrt(jnp.where(some, square, 1)), 0)
    return length, jnp.where(some[..., None], v / jnp.where(some, length, 1)[..., None], 0)
