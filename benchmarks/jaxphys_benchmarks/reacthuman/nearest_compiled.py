"""The bisection of `nearest`, compiled: for every state of every body by itself, with the arithmetic of the text there.

Everything is in one module, because what is kept on disk is made anew only when its own module changes. Nothing here
allocates. Public: `bisect`.
"""

import math

import numpy as np

from jaxphys_kernels.compiled_runtime import jit_entry, jit_inline


@jit_inline
def _beyond(place: float, half: float) -> float:
    """How far a coordinate lies beyond a stretch around 0, with its sign."""
    return place - min(max(place, -half), half)


@jit_inline
def _slope(
    upright: bool, a: float, b: float, c: float, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> float:  # fmt: skip
    """Half the derivative of the squared distance by the height."""
    if upright:
        out = math.sqrt(x * x + y * y)
        beyond = max(out - a, 0.0) / (out if out > 0 else 1.0)
        return beyond * (x * dx + y * dy) + _beyond(z, c) * dz
    return _beyond(x, a) * dx + _beyond(y, b) * dy + _beyond(z, c) * dz


@jit_inline
def _halved(
    upright: bool, half: np.ndarray, ox: np.ndarray, oy: np.ndarray, oz: np.ndarray,
    dx: np.ndarray, dy: np.ndarray, dz: np.ndarray, lower: np.ndarray, upper: np.ndarray,
) -> None:  # fmt: skip
    """Halve the stretches of all states of a body once."""
    a, b, c = half[0], half[1], half[2]
    for t in range(len(lower)):
        middle = 0.5 * (lower[t] + upper[t])
        x, y, z = ox[t] + middle * dx[t], oy[t] + middle * dy[t], oz[t] + middle * dz[t]
        rising = _slope(upright, a, b, c, x, y, z, dx[t], dy[t], dz[t]) >= 0
        lower[t] = lower[t] if rising else middle
        upper[t] = middle if rising else upper[t]


@jit_entry
def bisect(
    upright: bool, half: np.ndarray, ox: np.ndarray, oy: np.ndarray, oz: np.ndarray,
    dx: np.ndarray, dy: np.ndarray, dz: np.ndarray, bisections: int, lower: np.ndarray, upper: np.ndarray,
) -> None:  # fmt: skip
    """Heights at which vertical lines are nearest to boxes or upright cylinders.

    Args:
        upright: cylinders, else boxes. half: (b, 3) half extents, of a cylinder the radius first (m).
        ox, oy, oz: (b, t) of the body frame, where the line is at height 0 (m). dx, dy, dz: (b, t) of the line there.
        bisections: how often the stretch is halved.
        lower, upper: (b, t) ends of the line (m), then of the stretch that is left.
    """
    for k in range(lower.shape[0]):
        for _ in range(bisections):
            if upright:
                _halved(True, half[k], ox[k], oy[k], oz[k], dx[k], dy[k], dz[k], lower[k], upper[k])
            else:
                _halved(False, half[k], ox[k], oy[k], oz[k], dx[k], dy[k], dz[k], lower[k], upper[k])
