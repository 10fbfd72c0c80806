"""What is above and below what: vertical rays from the middles of things, in closed form (ENACT specification, 3.2).

A ray passes through things, to the tenth and 5 m by default. The alternative compares boxes: b is below a if the middle
of a is over the box of b and the box of b is lower.
"""

from typing import Any

from jaxphys_kernels.household.layout import BOX, SPHERE, Layout, Thresholds
from jaxphys_kernels.household.poses import least

STEEP = 1e-12
"""Directions smaller than this are taken as parallel to a face."""


def crossings(xp: Any, layout: Layout, start: Any, pos: Any, turn: Any) -> tuple[Any, Any]:
    """Where vertical lines enter and leave forms.

    Args:
        xp: array module. layout: of the forms. start: (f, n, 3) m, points on the lines.
        pos, turn: (f, g, 3), (f, g, 3, 3) of the forms.

    Returns:
        (f, n, g) twice: heights over the start (m), the lower first; infinite where a line misses: (inf, -inf).
    """
    half = xp.asarray(layout.form_half, dtype=pos.dtype)[None, None]
    kind = xp.asarray(layout.form_kind)[None, None]
    away = start[:, :, None, :] - pos[:, None, :, :]
    up = turn[:, None, :, 2, :]
    # In the axes of each form: columns of its turn are its axes.
    local = [(away * turn[:, None, :, :, k]).sum(-1) for k in range(3)]
    enter, leave = xp.full(away.shape[:-1], -xp.inf, pos.dtype), xp.full(away.shape[:-1], xp.inf, pos.dtype)
    for k in range(3):
        slope, reach = up[..., k], half[..., k]
        flat = xp.abs(slope) < STEEP
        safe = xp.where(flat, 1, slope)
        one, two = (-reach - local[k]) / safe, (reach - local[k]) / safe
        within = xp.abs(local[k]) <= reach
        lower = xp.where(flat, xp.where(within, -xp.inf, xp.inf), xp.minimum(one, two))
        upper = xp.where(flat, xp.where(within, xp.inf, -xp.inf), xp.maximum(one, two))
        enter, leave = xp.maximum(enter, lower), xp.minimum(leave, upper)
    hit = enter <= leave
    boxed = (xp.where(hit, enter, xp.inf), xp.where(hit, leave, -xp.inf))
    round_low, round_high = _round(xp, half, kind, away, turn)
    flat_kind = kind == BOX
    return xp.where(flat_kind, boxed[0], round_low), xp.where(flat_kind, boxed[1], round_high)


def _round(xp: Any, half: Any, kind: Any, away: Any, turn: Any) -> tuple[Any, Any]:
    """As `crossings`, for spheres and capsules: a ball swept along a rod, of length zero for a sphere."""
    radius = half[..., 0]
    rod = xp.where(kind == SPHERE, 0, half[..., 2] - radius)
    axis = turn[:, None, :, :, 2]
    low, high = xp.full(away.shape[:-1], xp.inf, away.dtype), xp.full(away.shape[:-1], -xp.inf, away.dtype)
    for sign in (-1.0, 1.0):
        one, two = _ball(xp, away - sign * rod[..., None] * axis, radius)
        low, high = xp.minimum(low, one), xp.maximum(high, two)
    # The mantle: the distance from the rod's line is a quadratic in the height.
    slant = axis[..., 2]
    across = 1 - slant * slant
    along = (away * axis).sum(-1)
    b = away[..., 2] - along * slant
    c = (away * away).sum(-1) - along * along - radius * radius
    steep = across > STEEP
    safe = xp.where(steep, across, 1)
    inner = b * b - safe * c
    fits = steep & (inner >= 0)
    root = xp.sqrt(xp.where(fits, inner, 0))
    for sign in (-1.0, 1.0):
        height = (-b + sign * root) / safe
        on_rod = fits & (xp.abs(along + height * slant) <= rod)
        low = xp.where(on_rod, xp.minimum(low, height), low)
        high = xp.where(on_rod, xp.maximum(high, height), high)
    return low, high


def _ball(xp: Any, away: Any, radius: Any) -> tuple[Any, Any]:
    flat = away[..., 0] ** 2 + away[..., 1] ** 2
    inner = radius * radius - flat
    root = xp.sqrt(xp.where(inner >= 0, inner, 0))
    hit = inner >= 0
    return xp.where(hit, -away[..., 2] - root, xp.inf), xp.where(hit, -away[..., 2] + root, -xp.inf)


def by_rays(
    xp: Any, layout: Layout, middle: Any, pos: Any, turn: Any, exists: Any, limits: Thresholds
) -> tuple[Any, Any]:
    """What rays from the middles of things hit.

    Args:
        xp: array module. layout: of the forms. middle: (f, n, 3) m. pos, turn: of the forms. exists: (f, n) bool.
        limits: of hits and length.

    Returns:
        above, below: (f, n, n) bool; `above[f, a, b]`: the ray up from a hits b.
    """
    low, high = crossings(xp, layout, middle, pos, turn)
    hit = low <= high
    # From within a form, a ray meets it where it leaves it.
    ups = xp.where(hit & (high > 0), xp.where(low > 0, low, high), xp.inf)
    downs = xp.where(hit & (low < 0), -xp.where(high < 0, high, low), xp.inf)
    both = exists[:, :, None] & exists[:, None, :] & ~xp.eye(layout.things, dtype=bool)[None]
    up, down = (_first(xp, least(xp, layout, way, axis=2), both, limits) for way in (ups, downs))
    return up, down


def _first(xp: Any, distance: Any, both: Any, limits: Thresholds) -> Any:
    """(f, n, n): things that exist, near enough, and among the first of each ray."""
    near = both & (distance <= limits.ray_max_len)
    ranked = xp.sort(xp.where(near, distance, xp.inf), -1)
    last = ranked[..., min(limits.ray_max_hits, ranked.shape[-1]) - 1]
    return near & (distance <= last[..., None])


def by_boxes(xp: Any, layout: Layout, low: Any, high: Any, exists: Any) -> tuple[Any, Any]:
    """As `by_rays`, from the boxes around things (f, n, 3): the middle of a lies over b, whose middle is higher."""
    middle = (low + high) / 2
    spot = middle[:, :, None, :2]
    over = ((spot >= low[:, None, :, :2]) & (spot <= high[:, None, :, :2])).all(-1)
    both = exists[:, :, None] & exists[:, None, :] & ~xp.eye(layout.things, dtype=bool)[None]
    higher = middle[:, None, :, 2] > middle[:, :, None, 2]
    return over & both & higher, over & both & ~higher
