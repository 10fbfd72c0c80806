"""Composed shapes of balls, told apart by seams, stripes and spots; for the arguments see `shapes_kitchen`.

The core of a ball is a little smaller than its collider, so that its marks lie within it; they show how it spins.
"""

import numpy as np

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import (
    ALONG_X,
    ALONG_Y,
    BLACK,
    CREAM,
    DARK,
    RED,
    STEEL,
    UPRIGHT,
    WHITE,
    Shape,
    tinted,
)  # fmt: skip

CORE = 0.955
"""Radius of the core over that of the ball."""
GOLDEN = (1 + 5**0.5) / 2


def _core(shape: Shape, half: Vector) -> float:
    r = half[0]
    shape.add("sphere", (CORE * r,) * 3)
    return r


def _band(
    shape: Shape,
    r: float,
    quat: tuple[float, float, float, float],
    at: float,
    half: float,
    colour: str,
    proud: float = 1.008,
) -> None:
    """A stripe around the ball's axis `quat`: its middle at a share `at` of the radius, `half` of the radius to a side.

    It is `proud` times as wide as the core where it meets it first.
    """
    wide = proud * r * float(np.sqrt(CORE**2 - max(abs(at) - half, 0.0) ** 2))
    x, y, z = (at * r * part for part in _axis(quat))
    shape.detail("cylinder", (wide, wide, half * r), (x, y, z), colour, quat, "rubber")


def _axis(quat: tuple[float, float, float, float]) -> Vector:
    w, x, y, z = quat
    return (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))


def _spot(shape: Shape, r: float, direction: np.ndarray, wide: float, colour: str, out: float = 1.0) -> None:
    """A round mark: a smaller ball that comes out of the core within a circle of `wide` radii, up to `out` radii."""
    core, outer = CORE * r, out * r
    at = (outer**2 - core**2) / (2 * (outer - core * (1 - wide**2) ** 0.5))
    x, y, z = (float(part) for part in at * direction / np.linalg.norm(direction))
    shape.detail("sphere", (outer - at,) * 3, (x, y, z), colour, finish="rubber")


def striped(shape: Shape, half: Vector) -> None:
    """A toy ball with two stripes."""
    r = _core(shape, half)
    _band(shape, r, UPRIGHT, 0.0, 0.17, WHITE)
    _band(shape, r, UPRIGHT, 0.0, 0.08, "#2a6fc9", 1.02)
    for side in (1.0, -1.0):
        _spot(shape, r, np.array([0, 0, side]), 0.3, "#f2c230")


def tennis(shape: Shape, half: Vector) -> None:
    """White seams."""
    r = _core(shape, half)
    _band(shape, r, ALONG_X, 0.45, 0.04, WHITE)
    _band(shape, r, ALONG_X, -0.45, 0.04, WHITE)
    _band(shape, r, UPRIGHT, 0.0, 0.04, WHITE)


def baseball(shape: Shape, half: Vector) -> None:
    """Two red seams, with stitches."""
    r = _core(shape, half)
    for side in (0.42, -0.42):
        _band(shape, r, ALONG_X, side, 0.03, RED)
        for k in range(10):
            angle = 0.2 * np.pi * k
            out = 0.945 * r * (1 - side**2) ** 0.5
            place = (side * r, out * float(np.cos(angle)), out * float(np.sin(angle)))
            shape.detail("box", (0.06 * r, 0.025 * r, 0.025 * r), place, RED)


def cricket(shape: Shape, half: Vector) -> None:
    """A raised white seam around the middle, in three rows."""
    r = _core(shape, half)
    for at in (-0.13, 0.0, 0.13):
        _band(shape, r, ALONG_Y, at, 0.035, CREAM)


def billiard(shape: Shape, half: Vector) -> None:
    """White spots with a dark middle, and a gloss."""
    r = _core(shape, half)
    for direction in np.concatenate([np.eye(3), -np.eye(3)]):
        _spot(shape, r, direction, 0.42, WHITE)
        _spot(shape, r, direction, 0.14, BLACK, 1.005)


def bowling(shape: Shape, half: Vector) -> None:
    """Three finger holes, and a swirl of colour."""
    r = _core(shape, half)
    for place in ((-0.22, -0.75, 0.62), (0.22, -0.75, 0.62), (0.0, -0.97, 0.25)):
        _spot(shape, r, np.array(place), 0.17, "#7d838b")
        _spot(shape, r, np.array(place), 0.1, BLACK, 1.005)
    _band(shape, r, ALONG_X, 0.0, 0.05, "#7b3fd0")
    _spot(shape, r, np.array([0, 1, 0.3]), 0.4, "#7b3fd0")


def football(shape: Shape, half: Vector) -> None:
    """Black patches where the corners of an icosahedron are."""
    r = _core(shape, half)
    for a in (-1.0, 1.0):
        for b in (-GOLDEN, GOLDEN):
            for corner in ((0.0, a, b), (a, b, 0.0), (b, 0.0, a)):
                _spot(shape, r, np.array(corner), 0.36, BLACK)


def steel(shape: Shape, half: Vector) -> None:
    """A polished ball of a bearing with an engraved line."""
    r = _core(shape, half)
    _band(shape, r, UPRIGHT, 0.0, 0.03, DARK)


def bob(shape: Shape, half: Vector) -> None:
    """A wrecking ball: a flange around it and an eye on top."""
    r = half[0]
    shape.add("sphere", (0.95 * r,) * 3)
    shape.detail("cylinder", (r, r, 0.06 * r), colour=tinted(shape.colour, 0.3))
    shape.detail("cylinder", (0.3 * r, 0.3 * r, 0.06 * r), (0, 0, 0.92 * r), STEEL)
    for direction in ((0.7, -0.6, 0.4), (-0.7, -0.6, -0.4), (0.0, -0.8, 0.6), (0.0, 0.9, 0.45), (0.3, -0.8, -0.5)):
        _spot(shape, r, np.array(direction), 0.12, tinted(shape.colour, 0.45), 0.99)
