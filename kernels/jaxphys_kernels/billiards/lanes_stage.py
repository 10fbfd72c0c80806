"""Stages: how a long elementwise program is cut so that XLA computes each thing once.

XLA on CPUs fuses elementwise work into one kernel per result and computes what two results share twice; left
alone, a pass of the lanes repeats most of its work inside forty kernels and is forty times slower. It does not
fuse across control flow, so a stage is the branch of a conditional that is always taken: its results are kept
in memory (optimisation barriers are removed before fusion and do not help). A stage should have few results, or
results that share little.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def stage(on: jax.Array, work: Callable[..., Any], *operands: Any, **static: Any) -> Any:
    """Return `work(*operands, **static)`, computed as a unit of its own.

    `on` is a () bool that is true whenever there is work, and that the compiler cannot know. Accelerators fuse
    several results into one kernel, so there the call is a plain one.
    """
    branch = functools.partial(work, **static)
    if jax.default_backend() != "cpu":
        return branch(*operands)
    shapes = jax.eval_shape(branch, *operands)

    def nothing(*_: Any) -> Any:
        return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)

    return lax.cond(on, branch, nothing, *operands)


def chain(combine: Callable[[jax.Array, jax.Array], jax.Array], rows: jax.Array) -> jax.Array:
    """Reduce (n, l) to (l,) row by row: unlike a reduction over n, this runs in whole vectors of lanes."""
    return functools.reduce(combine, (rows[k] for k in range(rows.shape[0])))


def pick(rows: jax.Array, index: jax.Array) -> jax.Array:
    """Row `index` (l,) of each lane of (n, l), by selection: a gather would go lane by lane."""
    out = rows[0]
    for k in range(1, rows.shape[0]):
        out = jnp.where(index == k, rows[k], out)
    return out
