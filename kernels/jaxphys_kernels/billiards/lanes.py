"""Event-driven billiards as one XLA program for CPU, GPU and TPU: `simulate` on a batch of scenes.

Inside, scenes lie on the last axis and run through lanes that refill (`lanes_queue`): on two CPU cores that is
more than ten times faster than `vmap` of the readable loop. Scenes that need the joint impact rule are rare; they
leave the lanes and are run by the readable loop (`event`), so both give the same physics.

Batches are cut into chunks and padded to `BUCKETS`, so a batch size never compiles anew, and a scene's bits depend
neither on the batch, nor on its place in it, nor on the number of host threads. Gradients are not defined through
the loop; `replay` makes them from the event list.
"""

import functools
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxphys_kernels.billiards import event
from jaxphys_kernels.billiards.lanes_pass import TIE
from jaxphys_kernels.billiards.lanes_queue import run_queue
from jaxphys_kernels.billiards.model import Outcome, Rules, State, World
from jaxphys_kernels.compiled_runtime import usable_cores

LANES = 128
"""Scenes in flight per chunk: enough to hide the cost of starting a kernel, few enough for the cache."""

BUCKETS = (256, 1024, 8192)
"""Capacities of a chunk's queue."""

TIE_GROUP = 8
"""Scenes with ties that are run together."""


def simulate(
    world: World,
    state: State,
    horizon: Any,
    *,
    rules: Rules = Rules(),
    log: bool = False,
    lanes: int = LANES,
    threads: int | None = None,
) -> Outcome:
    """Run b scenes to time `horizon` (b,) (s).

    Args:
        world, state: scenes; every leaf leads with b. The dtype of `state.pos`, float64 or float32, is that of the
            run; float64 needs JAX's 64-bit mode.
        horizon: (b,) end times (s).
        rules: static numbers of the event loop.
        log: keep the event list.
        lanes: scenes in flight per chunk. Results may differ in the last bit between values.
        threads: host threads that run chunks side by side (XLA releases the interpreter lock); None takes all
            cores that this process may use. Ignored inside a trace.

    Returns:
        Outcome with leaves leading with b, NumPy arrays outside a trace. A scene whose `status` is not 0 has no valid
        result.

    Raises:
        ValueError: `threads` is below 1.
    """
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    leaves = jax.tree.leaves((world, state, horizon))
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return _traced(world, state, jnp.asarray(horizon), rules, log, lanes)
    world, state, horizon = jax.tree.map(np.asarray, (world, state, horizon))
    b = state.pos.shape[0]
    workers = usable_cores() if threads is None else threads
    pieces = _pieces(b, workers, lanes)
    out = _run_pieces((world, state, horizon), pieces, rules, log, lanes, workers)
    return _with_ties(out, (world, state, horizon), rules, log)


def _bucket(count: int) -> int:
    return next((size for size in BUCKETS if count <= size), BUCKETS[-1])


def _pieces(b: int, workers: int, lanes: int) -> list[slice]:
    """Even shares of a batch: one for each worker while they can fill their lanes, none above the largest bucket."""
    wanted = min(workers, max(1, b // lanes))
    number = max(1, -(-b // BUCKETS[-1]))
    number = -(-number // wanted) * wanted
    edges = [b * k // number for k in range(number + 1)]
    return [slice(low, high) for low, high in itertools.pairwise(edges)]


def _run_pieces(
    scenes: tuple[Any, ...], pieces: list[slice], rules: Rules, log: bool, lanes: int, workers: int
) -> Outcome:
    bits64 = bool(jax.config.read("jax_enable_x64"))

    def run(piece: slice) -> Outcome:
        # The 64-bit mode is a property of the calling thread.
        with jax.enable_x64(bits64):
            count = piece.stop - piece.start
            size = _bucket(count)
            padded = jax.tree.map(lambda x: _padded(x[piece], size), scenes)
            out = run_queue(*padded, np.int32(count), rules=rules, log=log, lanes=lanes)
            rows: Outcome = jax.tree.map(lambda x: np.asarray(x)[:count], out)
            return rows

    if len(pieces) == 1 or workers == 1:
        parts = [run(piece) for piece in pieces]
    else:
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(run, pieces))
    if len(parts) == 1:
        return parts[0]
    whole: Outcome = jax.tree.map(lambda *xs: np.concatenate(xs), *parts)
    return whole


def _padded(x: np.ndarray, size: int) -> np.ndarray:
    """`x` with rows of ones appended: finite, and never run."""
    if len(x) == size:
        return x
    return np.concatenate([x, np.ones((size - len(x), *x.shape[1:]), x.dtype)])


@functools.partial(jax.jit, static_argnames=("rules", "log"))
def _run_tie_group(world: World, state: State, horizon: jax.Array, *, rules: Rules, log: bool) -> Outcome:
    """The readable loop on a few scenes."""
    return jax.vmap(lambda w, s, h: event.simulate(w, s, h, rules=rules, log=log))(world, state, horizon)


def _with_ties(out: Outcome, scenes: tuple[Any, ...], rules: Rules, log: bool) -> Outcome:
    """Replace the scenes marked `TIE` by what the readable loop gives."""
    marked = np.flatnonzero(out.status & TIE)
    if not len(marked):
        return out
    out = jax.tree.map(np.array, out)
    for start in range(0, len(marked), TIE_GROUP):
        rows = marked[start : start + TIE_GROUP]
        padded = np.pad(rows, (0, TIE_GROUP - len(rows)), mode="edge")
        group = jax.tree.map(lambda x, padded=padded: x[padded], scenes)
        again = _run_tie_group(*group, rules=rules, log=log)
        for target, source in zip(jax.tree.leaves(out), jax.tree.leaves(again), strict=True):
            target[rows] = np.asarray(source)[: len(rows)]
    return out


def _traced(world: World, state: State, horizon: jax.Array, rules: Rules, log: bool, lanes: int) -> Outcome:
    """The same inside a trace: chunks one after the other, then the marked scenes, a few at a time."""
    b = state.pos.shape[0]
    size = _bucket(b)
    chunks = -(-b // size)
    scenes = (world, state, horizon)

    def padded(x: jax.Array) -> jax.Array:
        rows = jnp.concatenate([x, jnp.ones((chunks * size - b, *x.shape[1:]), x.dtype)])
        return rows.reshape(chunks, size, *x.shape[1:])

    counts = jnp.clip(b - size * jnp.arange(chunks, dtype=jnp.int32), 0, size)

    def one_chunk(chunk: tuple[Any, ...]) -> Outcome:
        out: Outcome = run_queue(*chunk, rules=rules, log=log, lanes=lanes)
        return out

    out: Outcome = lax.map(one_chunk, (*jax.tree.map(padded, scenes), counts))
    out = jax.tree.map(lambda x: x.reshape(chunks * size, *x.shape[2:])[:b], out)

    def any_marked(out: Outcome) -> jax.Array:
        return jnp.any((out.status & TIE) != 0)

    def resolve(out: Outcome) -> Outcome:
        rows = jnp.nonzero((out.status & TIE) != 0, size=TIE_GROUP, fill_value=b)[0]
        group = jax.tree.map(lambda x: x[jnp.minimum(rows, b - 1)], scenes)
        again = _run_tie_group(*group, rules=rules, log=log)
        merged: Outcome = jax.tree.map(lambda x, new: x.at[rows].set(new, mode="drop"), out, again)
        return merged

    resolved: Outcome = lax.while_loop(any_marked, resolve, out)
    return resolved
