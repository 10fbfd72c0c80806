"""Arrays of numpy or of jax.numpy, one code for both.

The kernels of the humanoid must hold under JAX's strict rules, where neither types nor ranks are promoted silently:
constants are brought to the type and the rank of the array they meet by `lift`, and matrices are applied by products
and sums of entries, which XLA fuses on a CPU where batched matrix products of size 3 cost a call each.
"""

from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import jax
import numpy as np

Array: TypeAlias = Any
"""A `numpy.ndarray` or a `jax.Array`, as `xp` says."""

Tree = TypeVar("Tree")


def lift(xp: ModuleType, constant: Array, like: Array) -> Array:
    """A constant in the type of `like`, with ones before its shape until it has the rank of `like`."""
    value = xp.asarray(constant, like.dtype)
    return value.reshape((1,) * (like.ndim - value.ndim) + value.shape)


def cast(xp: ModuleType, tree: Tree, dtype: Any) -> Tree:
    """The tree with its floating-point leaves as strongly typed arrays of `dtype`; other leaves keep their type.

    A weakly typed leaf would cost a second compilation at the second tick (humanoid specification, section 6.4).

    Args:
        xp: numpy or jax.numpy.
        tree: nested arrays or numbers.
        dtype: a floating-point type.
    """

    def one(leaf: Array) -> Array:
        kind = np.asarray(leaf).dtype if not hasattr(leaf, "dtype") else leaf.dtype
        return xp.asarray(leaf, kind if kind == np.bool_ else dtype)

    cast_tree: Tree = jax.tree.map(one, tree)
    return cast_tree


def number(xp: ModuleType, truth: Array, like: Array) -> Array:
    """1 where true, 0 elsewhere, in the type of `like`."""
    return xp.asarray(truth).astype(like.dtype)


def apply(matrix: Array, vector: Array) -> Array:
    """Matrix (…, r, c) times vector (…, c)."""
    return (matrix * vector[..., None, :]).sum(-1)


def product(a: Array, b: Array) -> Array:
    """Matrix (…, r, m) times matrix (…, m, c)."""
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


def cross(xp: ModuleType, a: Array, b: Array) -> Array:
    """Cross product (…, 3); `xp.cross` would take more passes over the data."""
    x, y, z = (a[..., k] for k in range(3))
    u, v, w = (b[..., k] for k in range(3))
    return xp.stack([y * w - z * v, z * u - x * w, x * v - y * u], -1)


def tame(xp: ModuleType, value: Array, limit: float) -> Array:
    """The value clipped to ±limit, and 0 where it is not finite: no robot's accident may spoil its controller."""
    return xp.where(xp.isfinite(value), xp.clip(value, -limit, limit), 0.0 * xp.ones_like(value))
