"""Compiled: which lines a solid stops, the light that it takes from the floor, and the floor that is left of it.

Forms are those of `jaxphys_benchmarks.stage.Solid`. All is in one module, because what is kept on disk is made anew
only when its own module changes; what other modules define comes in as an argument. Nothing here allocates.
"""

import math
from collections.abc import Mapping

import numpy as np

from jaxphys_benchmarks.stage import Form
from jaxphys_kernels.compiled_runtime import jit, jit_entry, jit_inline

SPHERE, BOX, CYLINDER, CAPSULE, TAPER, WEDGE = range(6)
NUMBERS: Mapping[Form, int] = {
    "sphere": SPHERE,
    "ellipsoid": SPHERE,
    "box": BOX,
    "cylinder": CYLINDER,
    "tube": CYLINDER,
    "capsule": CAPSULE,
    "taper": TAPER,
    "wedge": WEDGE,
}
"""Of forms. What little light falls through a tube along its axis is left out."""
LEVEL = 1e-9
"""Slopes below this count as none."""


@jit_inline
def _between(at: float, along: float, half: float) -> tuple[float, float]:
    """Where |at + t along| <= half: from, to; from > to for nowhere."""
    if abs(along) < LEVEL:
        return (-math.inf, math.inf) if abs(at) <= half else (math.inf, -math.inf)
    one, other = (-half - at) / along, (half - at) / along
    return min(one, other), max(one, other)


@jit_inline
def _round(a: float, b: float, c: float) -> tuple[float, float]:
    """Where a t² + 2 b t + c <= 0, for a >= 0: from, to; from > to for nowhere."""
    if a < LEVEL:
        return (-math.inf, math.inf) if c <= 0 else (math.inf, -math.inf)
    inside = b * b - a * c
    if inside < 0:
        return math.inf, -math.inf
    root = math.sqrt(inside)
    return (-b - root) / a, (-b + root) / a


@jit_inline
def _near(x: float, y: float, z: float, u: float, v: float, w: float, radius: float) -> bool:
    """Whether a line passes the origin within a radius."""
    enter, leave = _round(u * u + v * v + w * w, x * u + y * v + z * w, x * x + y * y + z * z - radius * radius)
    return enter <= leave


@jit
def stops(
    form: int, a: float, b: float, c: float, ratio: float,
    x: float, y: float, z: float, u: float, v: float, w: float,
) -> bool:  # fmt: skip
    """Whether the line through (x, y, z) along (u, v, w) meets a solid of half extents a, b, c at the origin (m).

    Args:
        form: one of `NUMBERS`. a, b, c: half extents. ratio: of a taper's top to its bottom.
        x, y, z: a point of the line. u, v, w: its direction, of any length but zero.
    """
    if form == CAPSULE:
        straight = max(c - a, 0.0)
        if _near(x, y, z - straight, u, v, w, a) or _near(x, y, z + straight, u, v, w, a):
            return True
        c = straight
        if c <= 0:
            return False
    x, y, z, u, v, w = x / a, y / b, z / c, u / a, v / b, w / c
    if form == SPHERE:
        return _near(x, y, z, u, v, w, 1.0)
    enter, leave = _between(z, w, 1.0)
    if form == TAPER:
        if enter > leave:
            return False
        fall = (1 - ratio) / 2
        wide, narrowing = (1 + ratio) / 2 - fall * z, -fall * w
        square = u * u + v * v - narrowing * narrowing
        mixed = x * u + y * v - wide * narrowing
        rest = x * x + y * y - wide * wide
        # Between the ends the line is inside where a quadratic is <= 0, so at one of the ends or at its least value.
        if (square * enter + 2 * mixed) * enter + rest <= 0 or (square * leave + 2 * mixed) * leave + rest <= 0:
            return True
        least = min(max(-mixed / square, enter), leave) if square > LEVEL else enter
        return (square * least + 2 * mixed) * least + rest <= 0
    if form in (CYLINDER, CAPSULE):
        one, other = _round(u * u + v * v, x * u + y * v, x * x + y * y - 1)
        return max(enter, one) <= min(leave, other)
    one, other = _between(x, u, 1.0)
    enter, leave = max(enter, one), min(leave, other)
    one, other = _between(y, v, 1.0)
    enter, leave = max(enter, one), min(leave, other)
    if form == WEDGE and enter <= leave:
        # On its slope y + z = 0, which the line may cross; one end on the inner side is enough.
        return y + z + enter * (v + w) <= 0 or y + z + leave * (v + w) <= 0
    return enter <= leave


@jit_entry
def shade(
    form: int, half: np.ndarray, ratio: float, turn: np.ndarray, height: float, texel: float,
    directions: np.ndarray, shares: np.ndarray, windows: np.ndarray, low: int, left: int, taken: np.ndarray,
) -> None:  # fmt: skip
    """Add up the light that a solid above the origin takes from the floor.

    Args:
        form: one of `NUMBERS`. half: (3,) m. ratio: of a taper's top to its bottom. turn: (3, 3) its axes as columns.
        height: of its centre (m). texel: m.
        directions: (k, 3) towards the light. shares: (k,) of it.
        windows: (k, 4) int, first and last column and first and last row where a ray may be stopped, in texels.
        low, left: row and column where `taken` begins, in texels. taken: (rows, columns) float32 receives the shares.
    """
    for k in range(directions.shape[0]):
        d0, d1, d2 = directions[k, 0], directions[k, 1], directions[k, 2]
        u = turn[0, 0] * d0 + turn[1, 0] * d1 + turn[2, 0] * d2
        v = turn[0, 1] * d0 + turn[1, 1] * d1 + turn[2, 1] * d2
        w = turn[0, 2] * d0 + turn[1, 2] * d1 + turn[2, 2] * d2
        for row in range(windows[k, 2], windows[k, 3] + 1):
            y = row * texel
            for column in range(windows[k, 0], windows[k, 1] + 1):
                x = column * texel
                if stops(
                    form, half[0], half[1], half[2], ratio,
                    turn[0, 0] * x + turn[1, 0] * y - turn[2, 0] * height,
                    turn[0, 1] * x + turn[1, 1] * y - turn[2, 1] * height,
                    turn[0, 2] * x + turn[1, 2] * y - turn[2, 2] * height,
                    u, v, w,
                ):  # fmt: skip
                    taken[row - low, column - left] += shares[k]


@jit_entry
def darken(taken: np.ndarray, row: float, column: float, light: np.ndarray, reached: np.ndarray) -> None:
    """Take a shade, moved to a place between texels, from the light on the floor.

    Args:
        taken: (rows, columns) float32. row, column: of its first texel on the floor.
        light: (n, n) float32, multiplied by what the shade leaves.
        reached: (4,) int, first and last row and column that are not fully lit so far, widened by this shade's.
    """
    r, c = math.floor(row), math.floor(column)
    a, b = np.float32(row - r), np.float32(column - c)
    one, zero = np.float32(1), np.float32(0)
    rows, columns = taken.shape
    r0, r1 = max(int(r), 0), min(int(r) + rows, light.shape[0] - 1)
    c0, c1 = max(int(c), 0), min(int(c) + columns, light.shape[1] - 1)
    for i in range(r0, r1 + 1):
        k = i - int(r)
        for j in range(c0, c1 + 1):
            m = j - int(c)
            here = taken[k, m] if k < rows and m < columns else zero
            up = taken[k - 1, m] if k > 0 and m < columns else zero
            back = taken[k, m - 1] if k < rows and m > 0 else zero
            both = taken[k - 1, m - 1] if k > 0 and m > 0 else zero
            moved = (one - b) * ((one - a) * here + a * up) + b * ((one - a) * back + a * both)
            light[i, j] *= one - moved
    if r0 <= r1 and c0 <= c1:
        reached[0], reached[1] = min(reached[0], r0), max(reached[1], r1)
        reached[2], reached[3] = min(reached[2], c0), max(reached[3], c1)


@jit_entry
def paint(bare: np.ndarray, light: np.ndarray, reached: np.ndarray, painted: np.ndarray) -> None:
    """Colour the floor by the light on it.

    Args:
        bare: (n, n, 3) float32 colours in full light. light: (n, n) float32, its rows in the opposite order.
        reached: (4,) int, first and last row and column of `light` that are not fully lit.
        painted: (n, n, 3) uint8, its colours in full light; those that are not are replaced.
    """
    last = light.shape[0] - 1
    for i in range(reached[0], reached[1] + 1):
        for j in range(reached[2], reached[3] + 1):
            for channel in range(3):
                painted[last - i, j, channel] = np.uint8(np.rint(bare[last - i, j, channel] * light[i, j]))
