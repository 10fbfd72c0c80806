"""Verdicts on many answers in one call, equal to those of `compat` and `strict` (ENACT specification, section 3.2).

Changes come as bit sets (`facts.ChangeTable`), one table per episode; a step holds if one bit set is within another.
Answers of the right length are one jitted gather and subset test, the others one jitted alignment. Lanes lead, and are
padded to few sizes, so that a new number of answers does not compile anew. Items must be well formed: the true answer
a permutation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.enact import batch_kernels
from jaxphys_benchmarks.enact.facts import ChangeTable
from jaxphys_benchmarks.enact.strict import is_permutation
from jaxphys_benchmarks.enact.verdict import Asked, Malformed

Mode = Literal["compat", "strict"]
Ints = NDArray[np.int32]

LANES = 4096
"""Answers per compiled call, of up to `ENTRIES` entries; of longer ones fewer."""

ENTRIES = 16
FEWEST_PAIRS, FEWEST_WORDS = 1024, 8
FEWEST_FRAMES = 10
"""Frames of the longest published items."""
LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Verdicts:
    """Of N answers.

    Attributes:
        exact, semantic: bool[N]. pairwise: float64[N]. hits: int32[N], steps that hold; of aligned chains 0.
    """

    exact: NDArray[np.bool_]
    semantic: NDArray[np.bool_]
    pairwise: NDArray[np.float64]
    hits: Ints

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Task accuracy, bool[N]."""
        return np.asarray(self.exact | self.semantic)


class Verifier:
    """Items and the changes of their episodes, ready to verify answers.

    Attributes:
        items: what may be answered, in the order in which `verify` names them.
    """

    def __init__(self, items: Sequence[Asked], tables: Sequence[ChangeTable], episode: Sequence[int]) -> None:
        """Put the tables one behind the other and look the frames up.

        Args:
            items: well-formed items.
            tables: of the episodes; with `orphans="error"` for mode `compat`, "parentless" for `strict`.
            episode: for each item, its place in `tables`.

        Raises:
            Malformed: the true answer of an item is no permutation.
        """
        self.items = tuple(items)
        longest = max([FEWEST_FRAMES, *(len(item.frames) for item in items)])
        count = len(self.items)
        sizes = [len(table.frames) for table in tables]
        bases = np.concatenate([[0], np.cumsum(np.square(sizes))]).astype(np.int64)
        if bases[-1] > LIMIT // 2:
            raise ValueError(f"tables of {bases[-1]} pairs of frames are too large; verify fewer episodes at once")
        places = [{frame: k for k, frame in enumerate(table.frames)} for table in tables]
        frames, board = np.zeros((2, count, longest), np.int32)
        truth, deck = np.zeros((2, count, longest - 1), np.int32)
        known = np.ones(count, bool)
        for row, (item, k) in enumerate(zip(self.items, episode, strict=True)):
            n = len(item.frames) - 1
            if n < 1 or not is_permutation(item.truth, n):
                raise Malformed(f"gt_answer: {list(item.truth)!r:.80} is no permutation of 1 to {max(n, 0)}")
            found = [places[k].get(frame, -1) for frame in item.frames]
            known[row] = min(found) >= 0
            frames[row, : n + 1] = found
            truth[row, :n] = item.truth
            deck[row, truth[row, :n] - 1] = np.arange(n)
            board[row, 0] = found[0]
            board[row, truth[row, :n]] = found[1:]
        of = np.asarray(episode, np.int64).reshape(-1)
        self._lanes = batch_kernels.Lanes(
            frames=np.maximum(frames, 0),
            board=np.maximum(board, 0),
            truth=truth,
            deck=deck,
            n=np.array([len(item.frames) - 1 for item in self.items], np.int32),
            inverse=np.array([item.inverse for item in self.items], bool),
            known=known,
            base=bases[:-1][of].astype(np.int32),
            size=np.asarray(sizes, np.int32)[of],
        )
        self._changes = batch_kernels.Table(
            partial=jnp.asarray(_stacked([table.partial for table in tables])),
            full=jnp.asarray(_stacked([table.full for table in tables])),
            orphan=jnp.asarray(_flags([table.orphan for table in tables])),
            wordless=jnp.asarray(_flags([table.wordless for table in tables])),
        )

    def verify(self, rows: Any, orders: Ints, lengths: Any, mode: Mode = "compat") -> Verdicts:
        """The verdicts on N answers.

        Args:
            rows: int[N], the item of each answer.
            orders: int32[N, A], positions, as `pack` gives them.
            lengths: int[N], entries of each order; -1 where there is none, which is wrong.
            mode: `strict` demands a permutation, and knows no orphans and no wordless steps.

        Returns:
            As `compat.judge` and `strict.judge` of each; where there is no order nothing holds, in either mode.
        """
        rows, lengths = np.asarray(rows, np.int64), np.asarray(lengths, np.int64)
        n = self._lanes.n[rows]
        width = self._lanes.truth.shape[1]
        equal = lengths == n
        if mode == "strict":
            equal &= _permutations(orders, n)
        exact = np.zeros(len(rows), bool)
        semantic, hits, pairwise = exact.copy(), np.zeros(len(rows), np.int32), np.zeros(len(rows))
        chosen = np.flatnonzero(equal)
        if chosen.size:
            told = _fitted(orders[chosen], width)
            kernel = partial(batch_kernels.equal, self._changes, strict=mode == "strict")
            exact[chosen], semantic[chosen], hits[chosen] = self._run(kernel, rows[chosen], told)
            accepted = exact[chosen] | semantic[chosen]
            pairwise[chosen] = np.where(accepted, 1.0, hits[chosen] / n[chosen])
        others = ~equal & (lengths > 0) if mode == "compat" else np.zeros(len(rows), bool)
        below, entries = 0, ENTRIES
        while below < lengths[others].max(initial=0):
            chosen = np.flatnonzero(others & (lengths > below) & (lengths <= entries))
            if chosen.size:
                told = _fitted(orders[chosen], entries)
                kernel = partial(batch_kernels.aligned, self._changes)
                matched, longer = self._run(kernel, rows[chosen], told, lengths[chosen].astype(np.int32))
                pairwise[chosen] = matched / np.maximum(longer, 1)
            below, entries = entries, 4 * entries
        return Verdicts(exact, semantic, pairwise, hits)

    def _run(self, kernel: Any, rows: NDArray[np.int64], *arrays: Ints) -> list[NDArray[Any]]:
        """Call a kernel on lanes of one size, and put its results together."""
        results = []
        lanes = max(1, LANES * ENTRIES // max(ENTRIES, arrays[0].shape[1]))
        for start in range(0, len(rows), lanes):
            part = slice(start, start + lanes)
            real = len(rows[part])
            picked = self._lanes.take(_padded(rows[part], lanes))
            found = kernel(picked, *(jnp.asarray(_padded(array[part], lanes)) for array in arrays))
            results.append([np.asarray(one)[:real] for one in found])
        return [np.concatenate(column) for column in zip(*results, strict=True)]


def pack(orders: Sequence[Sequence[int] | None]) -> tuple[Ints, NDArray[np.int64]]:
    """Orders as an array: int32[N, A] and int64[N] lengths, -1 for None.

    Args:
        orders: of integers; those beyond 32 bits are cut to 32 bits, and are no positions in either form.

    Raises:
        TypeError: an entry is no integer.
    """
    lengths = np.array([-1 if order is None else len(order) for order in orders], np.int64)
    packed = np.zeros((len(orders), max(1, int(lengths.max(initial=1)))), np.int32)
    for row, order in zip(packed, orders, strict=True):
        if order:
            if not all(isinstance(entry, int) for entry in order):
                raise TypeError(f"order {order!r:.80} holds entries that are no integers")
            row[: len(order)] = [min(max(entry, -LIMIT), LIMIT) for entry in order]
    return packed, lengths


def _rounded(number: int, least: int) -> int:
    """The next power of two, at least `least`, which is one."""
    return max(least, 1 << max(number - 1, 0).bit_length())


def _stacked(bits: Sequence[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """Bit sets of all pairs of all episodes: uint32[P, W], both rounded up."""
    widest = _rounded(max((one.shape[-1] for one in bits), default=0), FEWEST_WORDS)
    flat = [one.reshape(-1, one.shape[-1]) for one in bits]
    stacked = np.zeros((_rounded(sum(map(len, flat)), FEWEST_PAIRS), widest), np.uint32)
    start = 0
    for one in flat:
        stacked[start : start + len(one), : one.shape[1]] = one
        start += len(one)
    return stacked


def _flags(flags: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Flags of all pairs of all episodes: bool[P], rounded up."""
    flat = np.concatenate([*(one.ravel() for one in flags), np.zeros(0, bool)])
    return np.pad(flat, (0, _rounded(len(flat), FEWEST_PAIRS) - len(flat)))


def _fitted(orders: Ints, width: int) -> Ints:
    """Orders cut or padded with zeros to a number of entries."""
    return np.pad(orders[:, :width], ((0, 0), (0, max(0, width - orders.shape[1]))))


def _padded(array: NDArray[Any], lanes: int) -> NDArray[Any]:
    """Padded with copies of the first lane."""
    return np.concatenate([array, np.repeat(array[:1], lanes - len(array), axis=0)])


def _permutations(orders: Ints, n: Ints) -> NDArray[np.bool_]:
    """Whether the first n entries are 1 ... n, each once."""
    place = np.arange(orders.shape[1])
    inside = place < n[:, None]
    in_order = np.sort(np.where(inside, orders, LIMIT), axis=1)
    return np.asarray(np.all(~inside | (in_order == place + 1), axis=1))
