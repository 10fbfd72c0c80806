"""Key-frame trajectory synthesis: paths over key frames on which every step is an action (ENACT specification, 6.3).

Paths are counted in Python integers, for there are more than 2^63 in a long episode, and drawn by their rank, so that
every path is equally likely. Frames are in the order of time; an edge leads from an earlier to a later one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.enact.episode import Episode, Orphans

BoolArray = NDArray[np.bool_]
Counts = list[list[int]]


def edge_matrix(episode: Episode, frames: Sequence[str], orphans: Orphans = "parentless") -> BoolArray:
    """Between which key frames there is an action.

    Args:
        episode: holds the frames.
        frames: ids of the M key frames, in the order of time.
        orphans: what to do about systems that came from nothing.

    Returns:
        bool[M, M]: from (row) to (column), above the diagonal.

    Raises:
        KeyError: the episode lacks a frame.
        OrphanSystem: a system came from nothing, and `orphans` is `error`.
    """
    edges = np.zeros((len(frames), len(frames)), bool)
    for i, first in enumerate(frames):
        for j in range(i + 1, len(frames)):
            edges[i, j] = episode.has_edge(first, frames[j], orphans)
    return edges


def counts(edges: BoolArray, length: int) -> Counts:
    """How many paths end in each frame.

    Args:
        edges: bool[M, M], as `edge_matrix` gives it.
        length: L, frames of a path, at least 1.

    Returns:
        L rows of M numbers: row l - 1 tells of the paths of l frames.

    Raises:
        ValueError: an edge does not lead forward, or `length` is less than 1.
    """
    if length < 1:
        raise ValueError(f"a path has at least 1 frame, not {length}")
    if np.tril(edges).any():
        raise ValueError("edges must lead from earlier to later frames")
    before = [np.flatnonzero(column).tolist() for column in edges.T]
    rows = [[1] * len(before)]
    for _ in range(length - 1):
        last = rows[-1]
        rows.append([sum(last[j] for j in earlier) for earlier in before])
    return rows


def path(edges: BoolArray, rows: Counts, rank: int) -> tuple[int, ...]:
    """The path of a rank: a one-to-one map from 0 ... total - 1.

    Args:
        edges: bool[M, M].
        rows: what `counts` gave for them.
        rank: from 0 to the sum of the last row, exclusive.

    Raises:
        ValueError: the rank is out of range.
    """
    if not 0 <= rank < sum(rows[-1]):
        raise ValueError(f"rank {rank} is not from 0 to {sum(rows[-1]) - 1}")
    place, rank = _pick(range(len(rows[-1])), rows[-1], rank)
    found = [place]
    for row in rows[-2::-1]:
        place, rank = _pick(np.flatnonzero(edges[:, place]).tolist(), row, rank)
        found.append(place)
    return tuple(reversed(found))


def sample(
    frames: Sequence[str],
    edges: BoolArray,
    length: int,
    requested: int,
    rng: np.random.Generator,
    *,
    attempts_factor: int = 10,
) -> list[tuple[str, ...]]:
    """Distinct paths, each drawn uniformly from all of them, in the order in which they were drawn.

    Args:
        frames: ids of the M key frames.
        edges: bool[M, M], as `edge_matrix` gives it.
        length: L, frames of a path.
        requested: how many are wanted; fewer come where there are fewer, or where draws repeat too often.
        rng: draws the ranks.
        attempts_factor: draws for each path wanted, at most.

    Raises:
        ValueError: as `counts`.
    """
    rows = counts(edges, length)
    total = sum(rows[-1])
    want = min(requested, total)
    ranks: dict[int, None] = {}
    for _ in range(attempts_factor * want):
        if len(ranks) == want:
            break
        ranks.setdefault(below(rng, total))
    return [tuple(frames[k] for k in path(edges, rows, rank)) for rank in ranks]


def below(rng: np.random.Generator, limit: int) -> int:
    """A uniform integer from 0 to `limit`, exclusive, however large.

    Args:
        rng: gives the bits.
        limit: at least 1.
    """
    bits = (limit - 1).bit_length()
    size = (bits + 7) // 8
    while True:
        drawn = int.from_bytes(rng.bytes(size), "little") & ((1 << bits) - 1)
        if drawn < limit:
            return drawn


def _pick(places: Sequence[int] | range, weights: list[Any], rank: int) -> tuple[int, int]:
    """Which of the places holds the rank, and the rank inside it."""
    for place in places:
        if rank < weights[place]:
            return place, rank
        rank -= weights[place]
    raise AssertionError("the counts do not belong to these edges")
