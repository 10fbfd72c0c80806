"""The compiled part of `batch`: lanes of answers, each a few gathers from the table of changes.

All arrays lead with the lanes. n is the number of steps of a lane's item, at most S; entries beyond are padding.
"""

from dataclasses import fields, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

from jaxphys_benchmarks.enact.facts import is_subset


class Table(struct.PyTreeNode):
    """Changes between pairs of frames, P pairs of all episodes in a row.

    Attributes:
        partial: uint32[P, W], C. full: uint32[P, W], F. orphan, wordless: bool[P].
    """

    partial: jax.Array
    full: jax.Array
    orphan: jax.Array
    wordless: jax.Array


class Lanes(struct.PyTreeNode):
    """The item of each lane.

    Attributes:
        frames: int32[N, S + 1], places of the frames in the episode's table, in true order. board: as shuffled.
        truth: int32[N, S], the true answer. deck: int32[N, S], the true step at each shuffled position.
        n: int32[N]. inverse: bool[N]. known: bool[N], no frame is missing.
        base, size: int32[N], the episode's first pair, and its number of frames.
    """

    frames: Any
    board: Any
    truth: Any
    deck: Any
    n: Any
    inverse: Any
    known: Any
    base: Any
    size: Any

    def take(self, rows: np.ndarray) -> "Lanes":
        """The items of these rows."""
        return replace(self, **{field.name: jnp.asarray(getattr(self, field.name)[rows]) for field in fields(self)})


def _pairs(lanes: Lanes, first: jax.Array, second: jax.Array) -> jax.Array:
    """Places of pairs of frames in the table."""
    places: jax.Array = lanes.base[:, None] + first * lanes.size[:, None] + second
    return places


def _pick(values: jax.Array, places: jax.Array) -> jax.Array:
    picked: jax.Array = jnp.take_along_axis(values, places, axis=1, mode="clip")
    return picked


def _true_pairs(lanes: Lanes) -> tuple[jax.Array, jax.Array]:
    """The true steps, int32[N, S], and which of them there are."""
    inside = jnp.arange(lanes.truth.shape[1])[None] < lanes.n[:, None]
    return jnp.where(inside, _pairs(lanes, lanes.frames[:, :-1], lanes.frames[:, 1:]), 0), inside


def _given_pairs(lanes: Lanes, orders: jax.Array, inside: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The steps along answered frames, and whether all positions exist; negative ones count from the end."""
    last = lanes.n[:, None]
    there = (orders >= -last - 1) & (orders <= last)
    frames = _pick(lanes.board, jnp.where(orders < 0, orders + last + 1, orders))
    before = jnp.concatenate([lanes.board[:, :1], frames[:, :-1]], axis=1)
    return jnp.where(inside & there, _pairs(lanes, before, frames), 0), jnp.all(there | ~inside, axis=1)


@partial(jax.jit, static_argnames="strict")
def equal(table: Table, lanes: Lanes, orders: jax.Array, *, strict: bool) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Answers of the right length.

    Args:
        table: of changes.
        lanes: the items.
        orders: int32[N, S].
        strict: there are no orphans and no wordless steps.

    Returns:
        exact bool[N], semantic bool[N], hits int32[N]; 0 after an error.
    """
    true, inside = _true_pairs(lanes)
    exact = jnp.all((orders == lanes.truth) | ~inside, axis=1)
    given, there = _given_pairs(lanes, orders, inside)
    valid = inside & (orders >= 1) & (orders <= lanes.n[:, None])
    # Of an inverse answer, entries that do not exist are dropped, and the rest moves up.
    place = jnp.cumsum(valid.astype(jnp.int32), axis=1) - 1
    inverse = lanes.inverse[:, None]
    inner = jnp.where(inverse, _pick(true, _pick(lanes.deck, orders - 1)), true)
    outer = jnp.where(inverse, _pick(true, place), given)
    counted = jnp.where(inverse, valid, inside)
    held = counted & is_subset(table.partial[inner], table.full[outer])
    error = ~lanes.known
    if not strict:
        orphan = jnp.any(inside & (table.orphan[true] | (~inverse & table.orphan[given])), axis=1)
        error |= orphan | jnp.where(lanes.inverse, _unspoken(table, lanes, true, orders, valid, inside), ~there)
    hits = jnp.where(error, 0, jnp.sum(held, axis=1, dtype=jnp.int32))
    semantic = ~error & jnp.all(held | ~inside, axis=1)
    return exact, semantic, jnp.where(exact & (error | strict), lanes.n, hits)


def _unspoken(
    table: Table, lanes: Lanes, true: jax.Array, orders: jax.Array, valid: jax.Array, inside: jax.Array
) -> jax.Array:
    """Whether the reference runs out of texts: an entry, or its place, is beyond the number of steps with words."""
    spoken = lanes.n - jnp.sum(inside & table.wordless[true], axis=1, dtype=jnp.int32)
    place = jnp.arange(orders.shape[1])[None]
    return jnp.any(valid & ((place >= spoken[:, None]) | (orders > spoken[:, None])), axis=1)


@jax.jit
def aligned(table: Table, lanes: Lanes, orders: jax.Array, lengths: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Answers of another length.

    Args:
        table: of changes.
        lanes: the items.
        orders: int32[N, A].
        lengths: int32[N], from 1 to A.

    Returns:
        matched steps int32[N], 0 after an error, and the number of steps of the longer chain int32[N].
    """
    true, inside = _true_pairs(lanes)
    column = jnp.arange(orders.shape[1])[None]
    told = column < lengths[:, None]
    given, there = _given_pairs(lanes, orders, told)
    valid = told & (orders >= 1) & (orders <= lanes.n[:, None])
    kept = jnp.argsort(~valid, axis=1, stable=True)
    played = _pick(_pick(true, _pick(lanes.deck, orders - 1)), kept)
    count = jnp.where(lanes.inverse, jnp.sum(valid, axis=1, dtype=jnp.int32), lengths)
    late = jnp.any(valid & (column >= lanes.n[:, None]), axis=1)
    orphan = jnp.any(inside & table.orphan[true], axis=1)
    orphan |= ~lanes.inverse & jnp.any(told & table.orphan[given], axis=1)
    error = ~lanes.known | orphan | jnp.where(lanes.inverse, late, ~there)
    inverse = lanes.inverse[:, None]
    offered = jnp.where(inverse[..., None], table.partial[played], table.full[given])
    best = jnp.zeros((orders.shape[0], orders.shape[1] + 1), jnp.int32)
    for step in range(true.shape[1]):
        wanted, around = table.partial[true[:, step]][:, None], table.full[true[:, step]][:, None]
        fits = is_subset(wanted, offered) | (inverse & is_subset(offered, around))
        fits &= inside[:, step, None] & (column < count[:, None])
        # max(best above, best to the left, best before + fit), the left one by a running maximum.
        row = jnp.maximum(best[:, 1:], best[:, :-1] + fits.astype(jnp.int32))
        best = jnp.pad(jax.lax.cummax(row, axis=1), ((0, 0), (1, 0)))
    matched = jnp.where(error, 0, best[:, -1])
    return matched, jnp.maximum(lanes.n, count)
