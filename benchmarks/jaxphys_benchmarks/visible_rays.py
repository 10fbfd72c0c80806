"""Rays through pixels, compiled: where each form of a `stage.Solid` is entered, and how many samples show some solids.

A ray runs along `right * x + down * y + forward` from the camera, so its parameter is the depth (m). Forms are convex
but for the tube. Everything is in one module, because what is kept on disk is made anew only when its own module
changes; what other modules define (`stage.TAPER`, `stage.TUBE`) comes in as an argument. Nothing here allocates.
"""

import math
from collections.abc import Mapping

import numpy as np

from jaxphys_benchmarks.stage import Form
from jaxphys_kernels.compiled_runtime import jit, jit_entry, jit_inline

SPHERE, BOX, CYLINDER, CAPSULE, TAPER, WEDGE, TUBE = range(7)
"""Numbers of the forms; an ellipsoid is a sphere of three half extents."""

NUMBERS: Mapping[Form, int] = {
    "sphere": SPHERE,
    "ellipsoid": SPHERE,
    "box": BOX,
    "cylinder": CYLINDER,
    "capsule": CAPSULE,
    "taper": TAPER,
    "wedge": WEDGE,
    "tube": TUBE,
}

NEAR = 0.1
"""Surfaces nearer than this are not drawn (m): the near plane of both renderers."""

GOLDEN = 0.6180339887498949
FLOOR_SLACK = 1e-6
"""What lies this much below the floor counts as on it (m)."""
EPSILON = 1e-12
FAR = math.inf


@jit_inline
def _slab(o: float, d: float, half: float) -> tuple[float, float]:
    """Where |o + t d| <= half: from, to; from > to for nowhere."""
    if abs(d) < EPSILON:
        return (-FAR, FAR) if abs(o) <= half else (FAR, -FAR)
    one, other = (-half - o) / d, (half - o) / d
    return min(one, other), max(one, other)


@jit_inline
def _above(at: float, along: float, enter: float, leave: float) -> tuple[float, float]:
    """The part of [enter, leave] where at + t along <= 0."""
    if abs(along) < EPSILON:
        return (enter, leave) if at <= 0 else (FAR, -FAR)
    edge = -at / along
    return (enter, min(leave, edge)) if along > 0 else (max(enter, edge), leave)


@jit_inline
def _round(a: float, b: float, c: float) -> tuple[float, float]:
    """Where a t² + 2 b t + c <= 0, for a >= 0."""
    if a < EPSILON:
        return (-FAR, FAR) if c <= 0 else (FAR, -FAR)
    inside = b * b - a * c
    if inside < 0:
        return FAR, -FAR
    root = math.sqrt(inside)
    return (-b - root) / a, (-b + root) / a


@jit_inline
def _tapered(a: float, b: float, c: float, enter: float, leave: float) -> float:
    """The first t of [enter, leave] with a t² + 2 b t + c <= 0, for any a."""
    if enter > leave:
        return FAR
    if (a * enter + 2 * b) * enter + c <= 0:
        return enter
    if abs(a) < EPSILON:
        first = -0.5 * c / b if b < 0 else FAR
        return first if first <= leave else FAR
    inside = b * b - a * c
    if inside < 0:
        return FAR
    root = math.sqrt(inside)
    low, high = min((-b - root) / a, (-b + root) / a), max((-b - root) / a, (-b + root) / a)
    # It is positive where the interval begins: of a cup the inside starts at the low root, of a cap at the high one.
    first = low if a > 0 else high
    return first if enter <= first <= leave else FAR


@jit
def _entry(
    form: int, a: float, b: float, c: float, ratio: float,
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float,
) -> float:  # fmt: skip
    """Depth at which a ray of the solid's own frame meets its surface from outside (m), inf for never."""
    x, y, u, v = ox / a, oy / b, dx / a, dy / b
    z, w = oz / c, dz / c
    if form == SPHERE:
        enter, leave = _round(u * u + v * v + w * w, x * u + y * v + z * w, x * x + y * y + z * z - 1)
    elif form == BOX:
        enter, leave = _slab(x, u, 1.0)
        one, other = _slab(y, v, 1.0)
        enter, leave = max(enter, one), min(leave, other)
        one, other = _slab(z, w, 1.0)
        enter, leave = max(enter, one), min(leave, other)
    elif form == CAPSULE:
        straight = c - a
        enter, leave = _round(u * u + v * v, x * u + y * v, x * x + y * y - 1)
        one, other = _slab(oz, dz, straight)
        enter, leave = max(enter, one), min(leave, other)
        enter = enter if enter <= leave else FAR
        for side in (-1.0, 1.0):
            z, w = (oz - side * straight) / a, dz / a
            one, other = _round(u * u + v * v + w * w, x * u + y * v + z * w, x * x + y * y + z * z - 1)
            enter = min(enter, one)
        leave = FAR
    elif form == TAPER:
        enter, leave = _slab(z, w, 1.0)
        # Its width falls from 1 at the bottom to `ratio` at the top.
        slope = 0.5 * (ratio - 1)
        width, narrowing = 0.5 * (1 + ratio) + slope * z, slope * w
        square = u * u + v * v - narrowing * narrowing
        mixed = x * u + y * v - width * narrowing
        enter = _tapered(square, mixed, x * x + y * y - width * width, enter, leave)
    elif form == WEDGE:
        enter, leave = _slab(x, u, 1.0)
        enter, leave = _above(-1 - y, -v, enter, leave)
        enter, leave = _above(-1 - z, -w, enter, leave)
        enter, leave = _above(y + z, v + w, enter, leave)
    else:
        square, mixed, rest = u * u + v * v, x * u + y * v, x * x + y * y
        enter, leave = _round(square, mixed, rest - 1)
        one, other = _slab(z, w, 1.0)
        enter, leave = max(enter, one), min(leave, other)
        if form == TUBE:
            one, other = _round(square, mixed, rest - ratio * ratio)
            if one < enter < other:
                enter = other
    return enter if NEAR <= enter <= leave else FAR


@jit
def _bounds(k: int, i: int, half: np.ndarray, local: np.ndarray, lens: np.ndarray, bounds: np.ndarray) -> None:
    """Where the box around solid i can be seen: least and greatest x and y (px), none where it is behind the camera."""
    left, right, top, bottom = FAR, -FAR, FAR, -FAR
    for corner in range(8):
        signs = (2 * (corner & 1) - 1, (corner & 2) - 1, ((corner & 4) >> 1) - 1)
        # Of the camera's frame: o are the camera's coordinates in the solid's frame, columns its axes.
        x, y, z = _seen(k, i, half, local, signs[0], signs[1], signs[2])
        if z >= NEAR:
            px, py = lens[0] + lens[2] * x / z, lens[1] + lens[2] * y / z
            left, right, top, bottom = min(left, px), max(right, px), min(top, py), max(bottom, py)
            continue
        for axis in range(3):
            flipped = (
                -signs[0] if axis == 0 else signs[0],
                -signs[1] if axis == 1 else signs[1],
                -signs[2] if axis == 2 else signs[2],
            )
            ox, oy, oz = _seen(k, i, half, local, flipped[0], flipped[1], flipped[2])
            if oz > NEAR:
                share = (NEAR - z) / (oz - z)
                px = lens[0] + lens[2] * (x + share * (ox - x)) / NEAR
                py = lens[1] + lens[2] * (y + share * (oy - y)) / NEAR
                left, right, top, bottom = min(left, px), max(right, px), min(top, py), max(bottom, py)
    bounds[k, i, 0], bounds[k, i, 1], bounds[k, i, 2], bounds[k, i, 3] = left, right, top, bottom


@jit_inline
def _seen(
    k: int, i: int, half: np.ndarray, local: np.ndarray, sx: float, sy: float, sz: float
) -> tuple[float, float, float]:
    """A corner of the box around solid i in the camera's frame: right, down, forward (m)."""
    x = half[i, 0] * sx - local[k, i, 0]
    y = half[i, 1] * sy - local[k, i, 1]
    z = half[i, 2] * sz - local[k, i, 2]
    return (
        x * local[k, i, 3] + y * local[k, i, 6] + z * local[k, i, 9],
        x * local[k, i, 4] + y * local[k, i, 7] + z * local[k, i, 10],
        x * local[k, i, 5] + y * local[k, i, 8] + z * local[k, i, 11],
    )


@jit
def _place(
    k: int, i: int, pos: np.ndarray, quat: np.ndarray, eye: np.ndarray, turned: np.ndarray, local: np.ndarray
) -> None:
    """The camera in the frame of solid i: 3 coordinates (m), then its axes, one row for each axis of the solid."""
    w, x, y, z = quat[k, i, 0], quat[k, i, 1], quat[k, i, 2], quat[k, i, 3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    rows = (
        (1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
        (s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
        (s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)),
    )
    away = (eye[0] - pos[k, i, 0], eye[1] - pos[k, i, 1], eye[2] - pos[k, i, 2])
    for axis in range(3):
        row = rows[axis]
        local[k, i, axis] = row[0] * away[0] + row[1] * away[1] + row[2] * away[2]
        for column in range(3):
            local[k, i, 3 + 3 * axis + column] = (
                row[0] * turned[0, column] + row[1] * turned[1, column] + row[2] * turned[2, column]
            )


@jit_inline
def _meets(
    k: int, i: int, x: float, y: float, form: np.ndarray, half: np.ndarray, ratio: np.ndarray, local: np.ndarray
) -> float:
    """Depth at which the ray (x, y, 1) of the camera meets solid i (m), inf for never."""
    return _entry(
        form[i], half[i, 0], half[i, 1], half[i, 2], ratio[i],
        local[k, i, 0], local[k, i, 1], local[k, i, 2],
        local[k, i, 3] * x + local[k, i, 4] * y + local[k, i, 5],
        local[k, i, 6] * x + local[k, i, 7] * y + local[k, i, 8],
        local[k, i, 9] * x + local[k, i, 10] * y + local[k, i, 11],
    )  # fmt: skip


@jit_entry
def count(
    form: np.ndarray, half: np.ndarray, ratio: np.ndarray, counted: np.ndarray, pos: np.ndarray, quat: np.ndarray,
    eye: np.ndarray, turned: np.ndarray, lens: np.ndarray, size: np.ndarray, samples: int,
    local: np.ndarray, bounds: np.ndarray, near: np.ndarray, found: np.ndarray,
) -> None:  # fmt: skip
    """How many pixels of each frame show counted solids.

    Args:
        form: (n,) numbers of forms. half: (n, 3) m. ratio: (n,) of a taper its top to its bottom, of a tube inner to
            outer. counted: (n,) bool. pos: (f, n, 3) m. quat: (f, n, 4).
        eye: (3,) m. turned: (3, 3), columns are the camera's right, down and forward. lens: middle of the picture in x
            and y, and focal length (px). size: (2,) int, width and height (px).
        samples: most rays of a frame; where pixels are more, these are spread evenly over them.
        local: (f, n, 12), bounds: (f, n, 4) and near: (n,) int are scratch. found: (f,) int64 receives the numbers.
    """
    for k in range(pos.shape[0]):
        left, right, top, bottom = FAR, -FAR, FAR, -FAR
        for i in range(pos.shape[1]):
            _place(k, i, pos, quat, eye, turned, local)
            _bounds(k, i, half, local, lens, bounds)
            if counted[i]:
                left, right = min(left, bounds[k, i, 0]), max(right, bounds[k, i, 1])
                top, bottom = min(top, bounds[k, i, 2]), max(bottom, bounds[k, i, 3])
        found[k] = 0
        if not (left < size[0] and right > 0 and top < size[1] and bottom > 0):
            continue
        x0, x1 = int(max(math.floor(left), 0.0)), int(min(math.ceil(right), float(size[0])))
        y0, y1 = int(max(math.floor(top), 0.0)), int(min(math.ceil(bottom), float(size[1])))
        # Counted solids first, then whatever may hide them.
        own, there = 0, 0
        for wanted in (True, False):
            for i in range(pos.shape[1]):
                inside = bounds[k, i, 0] < x1 and bounds[k, i, 1] > x0 and bounds[k, i, 2] < y1 and bounds[k, i, 3] > y0
                if counted[i] == wanted and inside:
                    near[there] = i
                    there += 1
            if wanted:
                own = there
        pixels = (x1 - x0) * (y1 - y0)
        rays = min(pixels, samples)
        hits = 0
        for ray in range(rays):
            if rays == pixels:
                px, py = x0 + ray % (x1 - x0) + 0.5, y0 + ray // (x1 - x0) + 0.5
            else:
                turn = ray * GOLDEN
                px, py = x0 + (x1 - x0) * (turn - math.floor(turn)), y0 + (y1 - y0) * (ray + 0.5) / rays
            x, y = (px - lens[0]) / lens[2], (py - lens[1]) / lens[2]
            depth = FAR
            for j in range(own):
                i = near[j]
                if bounds[k, i, 0] <= px <= bounds[k, i, 1] and bounds[k, i, 2] <= py <= bounds[k, i, 3]:
                    depth = min(depth, _meets(k, i, x, y, form, half, ratio, local))
            if depth == FAR:
                continue
            down = turned[2, 0] * x + turned[2, 1] * y + turned[2, 2]
            clear = not (eye[2] > 0 and eye[2] + depth * down < -FLOOR_SLACK)
            for j in range(own, there):
                i = near[j]
                if not clear:
                    break
                if bounds[k, i, 0] <= px <= bounds[k, i, 1] and bounds[k, i, 2] <= py <= bounds[k, i, 3]:
                    clear = _meets(k, i, x, y, form, half, ratio, local) >= depth
            hits += clear
        found[k] = round(hits * (pixels / rays))
