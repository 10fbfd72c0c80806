"""Distances between bodies and the robot's axis: the nearest points of a vertical line and a convex body.

Along the line the distance to a convex body is a convex function of the height; its minimum is found by bisection of
the derivative, always with the same number of steps, so that the result of a scene does not depend on its batch. A
sphere is a point with a radius, a capsule a stretch with a radius; a prism counts as its cylinder (section 15.5).

Public functions: `nearest`, `along`.
"""

import numpy as np
from numpy.typing import NDArray

from jaxphys_kernels.quaternions import Entries, entries
from jaxphys_kernels.rigid.model import Shape

Floats = NDArray[np.float64]

EXACT, FINE, COARSE = 44, 26, 14
"""Bisections of the height: from a few metres down to 1e-12 m, for places; from one metre to 1e-8 m, for distances,
whose error is of second order; and to 1e-4 m, for searches."""


def along(rows: Entries, local: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """A vector of the body frame, by components, in the world frame."""
    return tuple(row[0] * local[0] + row[1] * local[1] + row[2] * local[2] for row in rows)


def nearest(
    shape: int,
    size: Floats,
    pos: Floats,
    quat: Floats,
    axis: Floats,
    span: tuple[float, float],
    bisections: int = EXACT,
) -> tuple[Floats, Floats]:
    """The point of a body that is nearest to a vertical line, and its distance from it.

    Of several nearest points it is the lowest one.

    Args:
        shape: a `Shape`, of all. size: (b, 3) m. pos: (b, t, 3) m. quat: (b, t, 4). axis: (b, 2) x and y of the line
            (m). span: lower and upper end of the line (m). bisections: of the height.

    Returns:
        points (b, t, 3) m, on the surface or on the line where that is inside; distances (b, t) m, 0 inside.
    """
    rows = entries(quat)
    offset = (axis[:, None, 0] - pos[..., 0], axis[:, None, 1] - pos[..., 1], -pos[..., 2])
    # The line in the body frame: base + height * direction.
    base = tuple(rows[0][k] * offset[0] + rows[1][k] * offset[1] + rows[2][k] * offset[2] for k in range(3))
    direction = rows[2]
    half, radius = _core(shape, size)
    high = _lowest(shape, half, base, direction, span, bisections)
    on_line = tuple(b + high * d for b, d in zip(base, direction, strict=True))
    on_core = _clipped(shape, on_line, half)
    gap = tuple(p - q for p, q in zip(on_line, on_core, strict=True))
    far = np.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2)
    # Towards the line by the radius, but not beyond it.
    share = np.minimum(radius / np.where(far > 0, far, 1.0), 1.0)
    local = tuple(q + share * g for q, g in zip(on_core, gap, strict=True))
    points = np.stack(along(rows, local), axis=-1) + pos
    return points, np.maximum(far - radius, 0.0)


def _core(shape: int, size: Floats) -> tuple[tuple[Floats, ...], Floats]:
    """Half extents of the body without its rounding, and the radius of that; (b, 1) each."""
    x, y, z = (size[:, None, k] for k in range(3))
    none = np.zeros_like(x)
    if shape == Shape.SPHERE:
        return (none, none, none), x
    if shape == Shape.CAPSULE:
        return (none, none, z), x
    return (x, y, z), none


def _lowest(
    shape: int,
    half: tuple[Floats, ...],
    base: tuple[Floats, ...],
    direction: tuple[Floats, ...],
    span: tuple[float, float],
    bisections: int,
) -> Floats:
    """(b, t) the lowest of the heights of the line at which it is nearest to the core (m)."""
    # The compiler takes longer to import than all that measure nothing.
    from jaxphys_benchmarks.reacthuman.nearest_compiled import bisect

    low, high = (np.full(base[0].shape, end) for end in span)
    extents = np.concatenate(half, axis=1)
    x, y, z, u, v, w = (np.ascontiguousarray(leaf) for leaf in (*base, *direction))
    bisect(shape == Shape.PRISM, extents, x, y, z, u, v, w, bisections, low, high)
    return high


def _clipped(shape: int, point: tuple[Floats, ...], half: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """The point of the core that is nearest to a point of the body frame."""
    z = np.clip(point[2], -half[2], half[2])
    if shape != Shape.PRISM:
        return (np.clip(point[0], -half[0], half[0]), np.clip(point[1], -half[1], half[1]), z)
    out = np.sqrt(point[0] ** 2 + point[1] ** 2)
    share = np.minimum(half[0] / np.where(out > 0, out, 1.0), 1.0)
    return (share * point[0], share * point[1], z)
