"""Solids that come and go together, as arrays: what stages of a scene are made of, and what is counted in them.

A room, its furniture, a figure or the components of a body are described piece by piece; views and bands of a scene
share most of them, so they are made once, and only joined for each view. Public: `Piece`, `Solids`, `Block`, `block`,
`apart`, `joined`, `forms_of`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from jaxphys_benchmarks.stage import Look, Solid
from jaxphys_benchmarks.visible import Forms, forms

Piece = tuple[Solid, Look, np.ndarray, np.ndarray]
"""A solid, its look, and where it is: (f or 1, 3) m, (f or 1, 4)."""


@dataclass(frozen=True, eq=False)
class Solids:
    """Solids and their looks, wherever they are."""

    solids: tuple[Solid, ...]
    looks: tuple[Look, ...]

    @cached_property
    def forms(self) -> Forms:
        """For `visible.counts`."""
        return forms(self.solids)


class Block(NamedTuple):
    """Solids somewhere: pos (f or 1, n, 3) m, quat (f or 1, n, 4)."""

    of: Solids
    pos: np.ndarray
    quat: np.ndarray


def block(pieces: Iterable[Piece]) -> Block:
    """Pieces side by side; their arrays are read only, since blocks are shared."""
    rows = list(pieces)
    pos, quat = _stacked([row[2] for row in rows], 3), _stacked([row[3] for row in rows], 4)
    return Block(Solids(tuple(row[0] for row in rows), tuple(row[1] for row in rows)), pos, quat)


def apart(one: Block) -> Iterator[Piece]:
    """The pieces of a block."""
    for k, (solid, look) in enumerate(zip(one.of.solids, one.of.looks, strict=True)):
        yield solid, look, one.pos[:, k], one.quat[:, k]


def joined(blocks: Sequence[Block], frames: int) -> tuple[np.ndarray, np.ndarray]:
    """Places (f, n, 3) and orientations (f, n, 4) of all solids of some blocks, in f frames."""
    n = sum(len(one.of.solids) for one in blocks)
    pos, quat, first = np.empty((frames, n, 3)), np.empty((frames, n, 4)), 0
    for one in blocks:
        last = first + len(one.of.solids)
        pos[:, first:last], quat[:, first:last], first = one.pos, one.quat, last
    return pos, quat


def forms_of(blocks: Sequence[Block]) -> Forms:
    """The forms of all solids of some blocks."""
    parts = [one.of.forms for one in blocks]
    return Forms(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("number", "half", "ratio")))


def _stacked(arrays: Sequence[np.ndarray], width: int) -> np.ndarray:
    frames = max((len(array) for array in arrays), default=1)
    found = np.empty((frames, len(arrays), width))
    for k, array in enumerate(arrays):
        found[:, k] = array
    found.setflags(write=False)
    return found
