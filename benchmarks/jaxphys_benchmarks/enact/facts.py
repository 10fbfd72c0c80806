"""Facts and changes as bits: `bool[T, K]` over a vocabulary, and all C(i, j), F(i, j) of M frames as bit sets.

With the bit sets, whether the change of one pair of frames is in that of another is one gather and one jitted subset
test for any number of answers (ENACT specification, section 3.2). A flag tells the pairs with an orphan system.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.enact.atoms import OrphanSystem
from jaxphys_benchmarks.enact.episode import Episode, Orphans
from jaxphys_benchmarks.enact.graph import Binary, Graph, Unary

BITS = 32
"""Bits of a word: 64 are not the default of JAX."""

BoolArray = NDArray[np.bool_]
WordArray = NDArray[np.uint32]
Fact = Unary | Binary


@dataclass(frozen=True)
class FactTable:
    """What is true in each frame.

    Attributes:
        ids: ids of the T frames.
        vocabulary: the K facts that are true anywhere, sorted.
        facts: bool[T, K].
    """

    ids: tuple[int, ...]
    vocabulary: tuple[Fact, ...]
    facts: BoolArray


def fact_table(frames: Iterable[tuple[str, Graph]]) -> FactTable:
    """The facts of frames, which may come one by one from a file too large for memory.

    Args:
        frames: ids and graphs, in the order of time.
    """
    index: dict[Fact, int] = {}
    ids: list[int] = []
    rows: list[NDArray[np.int32]] = []
    before: Graph | None = None
    for frame, graph in frames:
        ids.append(int(frame))
        if before is not None and graph.unary == before.unary and graph.binary == before.binary:
            rows.append(rows[-1])  # as most frames of a recording
            continue
        before = graph
        true = [index.setdefault(fact, len(index)) for facts in (graph.unary, graph.binary) for fact in facts]
        rows.append(np.array(true, np.int32))
    vocabulary = sorted(index, key=lambda fact: (len(fact), fact))
    place = np.empty(len(index), np.int32)
    place[[index[fact] for fact in vocabulary]] = np.arange(len(index))
    facts = np.zeros((len(rows), len(index)), bool)
    for row, true_here in zip(facts, rows, strict=True):
        row[place[true_here]] = True
    return FactTable(tuple(ids), tuple(vocabulary), facts)


@dataclass(frozen=True)
class ChangeTable:
    """All changes between M frames, each a bit set over the strings of the episode.

    Attributes:
        frames: ids of the M frames.
        words: the strings, sorted; string k is bit k % 32 of word k // 32.
        partial: uint32[M, M, W]: C(i, j).
        full: uint32[M, M, W]: F(i, j).
        orphan: bool[M, M]: a system came from nothing.
        wordless: bool[M, M]: both frames show a change that no sentence tells.
    """

    frames: tuple[str, ...]
    words: tuple[str, ...]
    partial: WordArray
    full: WordArray
    orphan: BoolArray
    wordless: BoolArray


def change_table(episode: Episode, frames: Sequence[str] | None = None, orphans: Orphans = "error") -> ChangeTable:
    """The changes between all pairs of frames, in both directions.

    Args:
        episode: holds the frames.
        frames: ids of the M frames; None for all of the episode.
        orphans: pairs with a system that came from nothing have empty sets (`error`), or those of an added object
            without parents (`parentless`); they are flagged in either case.

    Raises:
        KeyError: the episode lacks a frame.
    """
    ids = tuple(episode.frames if frames is None else frames)
    size = len(ids)
    orphan, wordless = np.zeros((2, size, size), bool)
    sets: dict[tuple[int, int], tuple[frozenset[str], frozenset[str]]] = {}
    for i, first in enumerate(ids):
        for j, second in enumerate(ids):
            try:
                sets[i, j] = episode.partial(first, second), episode.full(first, second)
                wordless[i, j] = not sets[i, j][0] and episode.wordless(first, second)
            except OrphanSystem:
                orphan[i, j] = True
                if orphans == "parentless":
                    sets[i, j] = episode.partial_free(first, second), episode.full_free(first, second)
                    wordless[i, j] = episode.wordless(first, second, orphans)
    words = tuple(sorted(set().union(*(strings for both in sets.values() for strings in both))))
    index = {string: k for k, string in enumerate(words)}
    bits = np.zeros((2, size, size, len(words)), bool)
    for (i, j), both in sets.items():
        for kind, strings in enumerate(both):
            bits[kind, i, j, [index[string] for string in strings]] = True
    partial, full = pack_bits(bits)
    return ChangeTable(ids, words, partial, full, orphan, wordless)


def pack_bits(bits: BoolArray) -> WordArray:
    """Words of 32 bits, the first in the lowest place: bool[..., K] to uint32[..., W], W = max(1, ceil(K / 32)).

    Args:
        bits: bool[..., K].
    """
    size = bits.shape[-1]
    width = max(1, -(-size // BITS))
    padded = np.zeros((*bits.shape[:-1], width * BITS), bool)
    padded[..., :size] = bits
    return np.packbits(padded, axis=-1, bitorder="little").view("<u4")


@jax.jit
def is_subset(small: jax.Array, large: jax.Array) -> jax.Array:
    """Whether each bit set is in another.

    Args:
        small: uint32[..., W].
        large: uint32[..., W].

    Returns:
        bool[...].
    """
    return jnp.all((small & ~large) == 0, axis=-1)


@jax.jit
def changes_within(small: jax.Array, large: jax.Array, required: jax.Array, given: jax.Array) -> jax.Array:
    """Whether the changes of some pairs of frames are in those of others.

    Args:
        small: uint32[M, M, W], the table of what is required.
        large: uint32[M, M, W], the table of what is given.
        required: int32[..., 2], pairs of places in `small`.
        given: int32[..., 2], pairs of places in `large`.

    Returns:
        bool[...].
    """
    inside: jax.Array = is_subset(small[required[..., 0], required[..., 1]], large[given[..., 0], given[..., 1]])
    return inside
