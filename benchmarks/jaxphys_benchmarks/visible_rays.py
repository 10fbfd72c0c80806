"""Rays through pixels, compiled: where each form of a `stage.Solid` is entered, and how many samples show some solids.

A ray runs along `right * x + down * y + forward` from the camera, so its parameter is the depth (m). Forms are convex
but for the tube. Rays are cast in blocks: of a block, those that a solid may be met by are picked first, so that each
form's loop runs straight over them. Everything is in one module, because what is kept on disk is made anew only when
its own module changes; what other modules define comes in as an argument. Nothing here allocates.
"""

import math
from collections.abc import Callable

import numpy as np

from jaxphys_kernels.compiled_runtime import jit, jit_entry, jit_inline

SPHERE, BOX, CYLINDER, CAPSULE, TAPER, WEDGE, TUBE = range(7)
"""Numbers of the forms; an ellipsoid is a sphere of three half extents."""

GOLDEN = 0.6180339887498949
FLOOR_SLACK = 1e-6
"""What lies this much below the floor counts as on it (m)."""
EPSILON = 1e-12
FAR = math.inf

BLOCK = 256
"""Rays that are cast together: they stay in the cache while all solids are tried."""
PX, PY, X, Y, DEPTH, PICKED_X, PICKED_Y, MET = range(8)
KEPT, ROWS = PICKED_X, MET + 1
"""Rows of a block: of all its rays the pixel's place (px), the direction and the depth found (m); of those that a solid
is tried on the direction and the depth at which they meet it. Rays that go on keep the first `KEPT` rows."""

Interval = tuple[float, float]
"""From, to; from > to for nowhere."""
Triple = tuple[float, float, float]


@jit_inline
def _slab(o: float, d: float, half: float) -> Interval:
    """Where |o + t d| <= half."""
    if abs(d) < EPSILON:
        return (-FAR, FAR) if abs(o) <= half else (FAR, -FAR)
    one, other = (-half - o) / d, (half - o) / d
    return min(one, other), max(one, other)


@jit_inline
def _above(at: float, along: float, enter: float, leave: float) -> Interval:
    """The part of [enter, leave] where at + t along <= 0."""
    if abs(along) < EPSILON:
        return (enter, leave) if at <= 0 else (FAR, -FAR)
    edge = -at / along
    return (enter, min(leave, edge)) if along > 0 else (max(enter, edge), leave)


@jit_inline
def _round(a: float, b: float, c: float) -> Interval:
    """Where a t² + 2 b t + c <= 0, for a >= 0."""
    if a < EPSILON:
        return (-FAR, FAR) if c <= 0 else (FAR, -FAR)
    inside = b * b - a * c
    if inside < 0:
        return FAR, -FAR
    root = math.sqrt(inside)
    return (-b - root) / a, (-b + root) / a


@jit_inline
def _both(one: Interval, other: Interval) -> Interval:
    """What two intervals have in common."""
    return max(one[0], other[0]), min(one[1], other[1])


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


# Of each form: where a ray o + t d of the solid's own axes, both over its half extents, enters and leaves it.


@jit_inline
def _sphere(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    (x, y, z), (u, v, w) = o, d
    return _round(u * u + v * v + w * w, x * u + y * v + z * w, x * x + y * y + z * z - 1)


@jit_inline
def _box(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    return _both(_both(_slab(o[0], d[0], 1.0), _slab(o[1], d[1], 1.0)), _slab(o[2], d[2], 1.0))


@jit_inline
def _cylinder(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    (x, y, z), (u, v, w) = o, d
    return _both(_round(u * u + v * v, x * u + y * v, x * x + y * y - 1), _slab(z, w, 1.0))


@jit_inline
def _capsule(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    (x, y, z), (u, v, w) = o, d
    # Lengths along its axis in radii.
    tall, straight = half[2] / half[0], (half[2] - half[0]) / half[0]
    z, w = z * tall, w * tall
    enter, leave = _both(_round(u * u + v * v, x * u + y * v, x * x + y * y - 1), _slab(z, w, straight))
    enter = enter if enter <= leave else FAR
    square = u * u + v * v + w * w
    for side in (-straight, straight):
        end = z - side
        first, _ = _round(square, x * u + y * v + end * w, x * x + y * y + end * end - 1)
        enter = min(enter, first)
    return enter, FAR


@jit_inline
def _taper(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    (x, y, z), (u, v, w) = o, d
    enter, leave = _slab(z, w, 1.0)
    # Its width falls from 1 at the bottom to `ratio` at the top.
    slope = 0.5 * (ratio - 1)
    width, narrowing = 0.5 * (1 + ratio) + slope * z, slope * w
    square = u * u + v * v - narrowing * narrowing
    mixed = x * u + y * v - width * narrowing
    return _tapered(square, mixed, x * x + y * y - width * width, enter, leave), leave


@jit_inline
def _wedge(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    enter, leave = _slab(o[0], d[0], 1.0)
    enter, leave = _above(-1 - o[1], -d[1], enter, leave)
    enter, leave = _above(-1 - o[2], -d[2], enter, leave)
    return _above(o[1] + o[2], d[1] + d[2], enter, leave)


@jit_inline
def _tube(o: Triple, d: Triple, half: Triple, ratio: float) -> Interval:
    (x, y, z), (u, v, w) = o, d
    square, mixed, rest = u * u + v * v, x * u + y * v, x * x + y * y
    enter, leave = _both(_round(square, mixed, rest - 1), _slab(z, w, 1.0))
    one, other = _round(square, mixed, rest - ratio * ratio)
    return other if one < enter < other else enter, leave


@jit_inline
def _each(
    inside: Callable[..., Interval], m: int, near: float, half: Triple, ratio: float, at: np.ndarray, rays: np.ndarray
) -> None:
    """Depths (m) at which the first m picked rays meet a solid's surface from outside, inf for never."""
    (a, b, c), start = half, (at[0] / half[0], at[1] / half[1], at[2] / half[2])
    for r in range(m):
        x, y = rays[PICKED_X, r], rays[PICKED_Y, r]
        along = (
            (at[3] * x + at[4] * y + at[5]) / a,
            (at[6] * x + at[7] * y + at[8]) / b,
            (at[9] * x + at[10] * y + at[11]) / c,
        )
        enter, leave = inside(start, along, half, ratio)
        rays[MET, r] = enter if near <= enter <= leave else FAR


@jit
def _met(form: int, m: int, near: float, half: Triple, ratio: float, at: np.ndarray, rays: np.ndarray) -> None:
    """`_each` of a form: every form has a loop of its own, which is compiled to a straight run."""
    if form == SPHERE:
        _each(_sphere, m, near, half, ratio, at, rays)
    elif form == BOX:
        _each(_box, m, near, half, ratio, at, rays)
    elif form == CYLINDER:
        _each(_cylinder, m, near, half, ratio, at, rays)
    elif form == CAPSULE:
        _each(_capsule, m, near, half, ratio, at, rays)
    elif form == TAPER:
        _each(_taper, m, near, half, ratio, at, rays)
    elif form == WEDGE:
        _each(_wedge, m, near, half, ratio, at, rays)
    else:
        _each(_tube, m, near, half, ratio, at, rays)


@jit
def tried(
    i: int, n: int, near: float, form: np.ndarray, half: np.ndarray, ratio: np.ndarray, local: np.ndarray,
    bounds: np.ndarray, rays: np.ndarray, pick: np.ndarray,
) -> int:  # fmt: skip
    """How many of a block's n rays may meet solid i before their depth; which, and at what depth they do."""
    m = 0
    left, right, top, bottom = bounds[i, 0], bounds[i, 1], bounds[i, 2], bounds[i, 3]
    # Rays are in the order of their y.
    if n == 0 or rays[PY, n - 1] < top or rays[PY, 0] > bottom:
        return 0
    for r in range(n):
        x, y = rays[PX, r], rays[PY, r]
        pick[m] = r
        rays[PICKED_X, m], rays[PICKED_Y, m] = rays[X, r], rays[Y, r]
        m += (left <= x) & (x <= right) & (top <= y) & (y <= bottom) & (bounds[i, 4] <= rays[DEPTH, r])
    _met(form[i], m, near, (half[i, 0], half[i, 1], half[i, 2]), ratio[i], local[i], rays)
    return m


@jit
def _kept(n: int, rays: np.ndarray) -> int:
    """Leave out the rays of a block with an infinite depth; how many are left."""
    left = 0
    for r in range(n):
        for row in range(KEPT):
            rays[row, left] = rays[row, r]
        left += rays[DEPTH, left] < FAR
    return left


@jit_entry
def count(
    form: np.ndarray, half: np.ndarray, ratio: np.ndarray, counted: np.ndarray, local: np.ndarray, bounds: np.ndarray,
    floor: np.ndarray, lens: np.ndarray, size: np.ndarray, near: float, samples: int,
    rays: np.ndarray, order: np.ndarray, pick: np.ndarray, found: np.ndarray,
) -> None:  # fmt: skip
    """How many pixels of each frame show counted solids.

    Args:
        form: (n,) numbers of forms. half: (n, 3) m. ratio: (n,) of a taper its top to its bottom, of a tube inner to
            outer. counted: (n,) bool.
        local, bounds: (f, n, ...) as `visible_bounds.bound` gives them.
        floor: (f, 4) the upward parts of the camera's right, down and forward, and its height (m).
        lens: (3,) middle of the picture in x and y, and focal length (px). size: (2,) int, width and height (px).
        near: surfaces nearer than this are not seen (m).
        samples: most rays of a frame; where pixels are more, these are spread evenly over them.
        rays: (`ROWS`, `BLOCK`), order: (n,) int and pick: (`BLOCK`,) int are scratch. found: (f,) int64, the result.
    """
    for k in range(local.shape[0]):
        left, right, top, bottom, back = FAR, -FAR, FAR, -FAR, -FAR
        for i in range(len(form)):
            if counted[i]:
                left, right = min(left, bounds[k, i, 0]), max(right, bounds[k, i, 1])
                top, bottom = min(top, bounds[k, i, 2]), max(bottom, bounds[k, i, 3])
                back = max(back, bounds[k, i, 5])
        found[k] = 0
        if not (left < size[0] and right > 0 and top < size[1] and bottom > 0):
            continue
        x0, x1 = int(max(math.floor(left), 0.0)), int(min(math.ceil(right), float(size[0])))
        y0, y1 = int(max(math.floor(top), 0.0)), int(min(math.ceil(bottom), float(size[1])))
        # Counted solids first, then whatever may hide them.
        own, there = 0, 0
        for wanted in (True, False):
            for i in range(len(form)):
                inside = bounds[k, i, 0] < x1 and bounds[k, i, 1] > x0 and bounds[k, i, 2] < y1 and bounds[k, i, 3] > y0
                if counted[i] == wanted and inside and bounds[k, i, 4] <= back:
                    order[there] = i
                    there += 1
            if wanted:
                own = there
        wide, high = x1 - x0, y1 - y0
        pixels = wide * high
        shot = min(pixels, samples)
        hits = 0
        for first in range(0, shot, BLOCK):
            n = min(BLOCK, shot - first)
            if shot == pixels:
                row, column = first // wide, first % wide
                for r in range(n):
                    rays[PX, r], rays[PY, r] = x0 + column + 0.5, y0 + row + 0.5
                    row, column = (row, column + 1) if column + 1 < wide else (row + 1, 0)
            else:
                for r in range(n):
                    turn = (first + r) * GOLDEN
                    rays[PX, r] = x0 + wide * (turn - math.floor(turn))
                    rays[PY, r] = y0 + high * (first + r + 0.5) / shot
            for r in range(n):
                rays[X, r], rays[Y, r] = (rays[PX, r] - lens[0]) / lens[2], (rays[PY, r] - lens[1]) / lens[2]
                rays[DEPTH, r] = FAR
            for j in range(there):
                n = _kept(n, rays) if j == own else n
                m = tried(order[j], n, near, form, half, ratio, local[k], bounds[k], rays, pick)
                if j < own:
                    for r in range(m):
                        rays[DEPTH, pick[r]] = min(rays[DEPTH, pick[r]], rays[MET, r])
                    continue
                stopped = 0
                for r in range(m):
                    if rays[MET, r] < rays[DEPTH, pick[r]]:
                        rays[DEPTH, pick[r]] = FAR
                        stopped += 1
                n = _kept(n, rays) if stopped else n
            for r in range(n):
                depth, down = rays[DEPTH, r], floor[k, 0] * rays[X, r] + floor[k, 1] * rays[Y, r] + floor[k, 2]
                hits += depth < FAR and not (floor[k, 3] > 0 and floor[k, 3] + depth * down < -FLOOR_SLACK)
        found[k] = round(hits * (pixels / shot))
