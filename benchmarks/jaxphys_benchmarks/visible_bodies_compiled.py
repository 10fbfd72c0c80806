"""The loop of `visible_bodies`, compiled: the nearest solid of every pixel, counted by the bodies that own them.

It calls the rays of another module, whose changes numba does not notice; so their source is part of the entry's key.
"""

import hashlib
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from jaxphys_benchmarks.visible_rays import BLOCK, DEPTH, FAR, FLOOR_SLACK, MET, PX, PY, X, Y, tried
from jaxphys_kernels.compiled_runtime import jit_entry

_RAYS = int.from_bytes(hashlib.sha256(Path(__file__).with_name("visible_rays.py").read_bytes()).digest()[:6], "big")


def _made(source: int) -> Callable[..., None]:
    @jit_entry
    def identify(
        form: np.ndarray, half: np.ndarray, ratio: np.ndarray, of: np.ndarray, local: np.ndarray, bounds: np.ndarray,
        floor: np.ndarray, lens: np.ndarray, size: np.ndarray, near: float,
        rays: np.ndarray, pick: np.ndarray, owner: np.ndarray, order: np.ndarray, found: np.ndarray,
    ) -> None:  # fmt: skip
        """Count the pixels of every body in every frame.

        Args:
            form, half, ratio, local, bounds, floor, lens, size, near: as `visible_rays.count`.
            of: (n,) number of the body of each solid, or -1.
            rays: (`ROWS`, `BLOCK`), pick, owner: (`BLOCK`,) int and order: (n,) int are scratch.
            found: (f, b, 5) int64, the result: pixels, xmin, ymin, xmax, ymax.
        """
        key = source  # part of what the machine code is kept under
        wide, high = size[0], size[1]
        for k in range(local.shape[0]):
            there = 0
            for i in range(len(form)):
                if bounds[k, i, 0] < wide and bounds[k, i, 1] > 0 and bounds[k, i, 2] < high and bounds[k, i, 3] > 0:
                    order[there] = i
                    there += 1
            for b in range(found.shape[1]):
                found[k, b, 0] = 0
                for corner in range(1, 5):
                    found[k, b, corner] = -1
            for first in range(0, wide * high, BLOCK):
                n = min(BLOCK, wide * high - first)
                row, column = first // wide, first % wide
                for r in range(n):
                    rays[PX, r], rays[PY, r] = column + 0.5, row + 0.5
                    row, column = (row, column + 1) if column + 1 < wide else (row + 1, 0)
                    x, y = (rays[PX, r] - lens[0]) / lens[2], (rays[PY, r] - lens[1]) / lens[2]
                    rays[X, r], rays[Y, r] = x, y
                    # What is below the floor is hidden by it.
                    down = floor[k, 0] * x + floor[k, 1] * y + floor[k, 2]
                    above = floor[k, 3] > 0 and down < 0
                    rays[DEPTH, r] = -(floor[k, 3] + FLOOR_SLACK) / down if above else FAR
                    owner[r] = -1
                for j in range(there):
                    i = order[j]
                    m = tried(i, n, near, form, half, ratio, local[k], bounds[k], rays, pick)
                    for r in range(m):
                        if rays[MET, r] < rays[DEPTH, pick[r]]:
                            rays[DEPTH, pick[r]] = rays[MET, r]
                            owner[pick[r]] = of[i]
                for r in range(n):
                    b = owner[r]
                    if b < 0:
                        continue
                    x_px, y_px = math.floor(rays[PX, r]), math.floor(rays[PY, r])
                    if found[k, b, 0] == 0:
                        found[k, b, 1], found[k, b, 2] = x_px, y_px
                    found[k, b, 1], found[k, b, 2] = min(found[k, b, 1], x_px), min(found[k, b, 2], y_px)
                    found[k, b, 3], found[k, b, 4] = max(found[k, b, 3], x_px), max(found[k, b, 4], y_px)
                    found[k, b, 0] += 1 if key >= 0 else 0

    return identify


identify = _made(_RAYS)
