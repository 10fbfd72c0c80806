"""`Numbers`: uniform random numbers of many samples, taken one by one in a fixed order.

Row k holds the numbers of one try of one sample, from a stream of its own. Everything made of them is elementwise and
exactly rounded, so a sample does not depend on which others are drawn with it.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Numbers:
    """Takes columns of a block of numbers in [0, 1).

    Attributes:
        block: (m, width) one row for each sample.
        used: columns taken so far.
    """

    def __init__(self, block: Floats) -> None:
        self.block = block
        self.used = 0

    def __len__(self) -> int:
        return len(self.block)

    def unit(self) -> Floats:
        """(m,) the next number of each row.

        Raises:
            LookupError: the block is too narrow, which is a mistake in the recipe that takes from it.
        """
        if self.used == self.block.shape[1]:
            raise LookupError(f"block: has {self.used} columns, all taken; draw a wider one")
        self.used += 1
        return np.ascontiguousarray(self.block[:, self.used - 1])

    def uniform(self, low: Floats | float, high: Floats | float) -> Floats:
        """(m,) uniform in [low, high)."""
        return np.asarray(low + (high - low) * self.unit())

    def index(self, n: int) -> Ints:
        """(m,) one of 0 ... n - 1."""
        return np.minimum((n * self.unit()).astype(np.int64), n - 1)

    def sign(self) -> Floats:
        """(m,) -1 or 1."""
        return np.where(self.unit() < 0.5, -1.0, 1.0)

    def flag(self, share: float = 0.5) -> Bools:
        """(m,) true in this share of the draws."""
        return np.asarray(self.unit() < share)

    def order(self, n: int) -> Ints:
        """(m, n) a permutation of 0 ... n - 1."""
        return np.argsort(np.stack([self.unit() for _ in range(n)], axis=1), axis=1, kind="stable")
