"""Poses: turns about the vertical and about x, extents of a turned body, and numbers rounded as specs store them.

Vectors are (3,) float64 arrays, quaternions w, x, y, z. A body is turned from the pose in which it rests: upright, a
capsule along x. A positive tilt about +x lets its top lean towards -Y.
"""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman import colliders
from jaxphys_benchmarks.reacthuman.scene import Quaternion, ShapeName, Vector
from jaxphys_kernels.rigid import prism

Array = NDArray[np.float64]

DECIMALS = 6
"""Of every number that enters a spec (section 2)."""


def number(value: float) -> float:
    """A number as a spec stores it; never a negative zero."""
    return round(float(value), DECIMALS) + 0.0


def vector(values: Iterable[float]) -> Vector:
    """Three numbers as a spec stores them."""
    x, y, z = (number(value) for value in values)
    return (x, y, z)


def turn(yaw: float = 0.0, tilt: float = 0.0) -> Array:
    """(3, 3) turn by `tilt` about x, then by `yaw` about the vertical (rad)."""
    c, s, ct, st = math.cos(yaw), math.sin(yaw), math.cos(tilt), math.sin(tilt)
    return np.array([[c, -s * ct, s * st], [s, c * ct, -c * st], [0.0, st, ct]])


def quaternion(yaw: float = 0.0, tilt: float = 0.0, rest: Quaternion = colliders.UPRIGHT) -> Quaternion:
    """Orientation, rounded, of a body that rests in `rest` and is turned as by `turn`."""
    c, s, ct, st = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(tilt / 2), math.sin(tilt / 2)
    w, x, y, z = (number(value) for value in _product((c * ct, c * st, s * st, s * ct), rest))
    return (w, x, y, z)


def leading(shape: ShapeName, size: Vector) -> float:
    """Distance (m) of the leading bottom edge of an upright box or prism from its axis."""
    return size[1] * (prism.APOTHEM if shape == "prism" else 1.0)


def reach(shape: ShapeName, size: Vector, turned: Array, direction: Vector) -> float:
    """How far (m) a body turned by (3, 3) extends from its centre in a unit direction of the world."""
    local = turned.T @ np.array(direction)
    if shape == "sphere":
        return size[0]
    if shape == "box":
        return float(np.abs(local) @ np.array(size))
    if shape == "capsule":
        return size[0] + size[2] * abs(float(local[0]))
    return float(np.max((prism.UNIT * np.array(size)) @ local))


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    w, x, y, z = a
    p, q, r, s = b
    return (
        w * p - x * q - y * r - z * s,
        w * q + x * p + y * s - z * r,
        w * r - x * s + y * p + z * q,
        w * s + x * r - y * q + z * p,
    )
