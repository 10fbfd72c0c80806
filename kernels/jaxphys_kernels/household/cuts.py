"""Whether the edge of a knife has passed through a thing (ENACT specification, section 3.2, Transition)."""

from typing import Any


def passes(xp: Any, before: Any, now: Any, middle: Any, half: Any, turn: Any, dt: float, speed: float) -> Any:
    """The edge lies in the middle of the thing and moves fast enough.

    Args:
        xp: array module. before, now: (..., 2, 3) m, ends of the edge in two frames.
        middle: (..., 3) m, half: (..., 3) m, turn: (..., 3, 3) of the box around the thing.
        dt: between the frames (s). speed: least one (m/s).

    Returns:
        (...) bool: some point of the edge is in the box, below its upper third, and the edge moved at that speed.
    """
    moved = xp.sqrt((((now - before).mean(-2)) ** 2).sum(-1))
    local = [((now - middle[..., None, :]) * turn[..., None, :, k]).sum(-1) for k in range(3)]
    # The part of the edge, from 0 to 1, that is within the box, cut by one pair of faces after the other.
    first, last = xp.zeros_like(local[0][..., 0]), xp.ones_like(local[0][..., 0])
    for k in range(3):
        start, run = local[k][..., 0], local[k][..., 1] - local[k][..., 0]
        upper = half[..., k] / 3 if k == 2 else half[..., k]
        flat = xp.abs(run) < 1e-12
        safe = xp.where(flat, 1, run)
        one, two = (-half[..., k] - start) / safe, (upper - start) / safe
        within = (start >= -half[..., k]) & (start <= upper)
        first = xp.maximum(first, xp.where(flat, xp.where(within, 0, 2), xp.minimum(one, two)))
        last = xp.minimum(last, xp.where(flat, xp.where(within, 1, -1), xp.maximum(one, two)))
    return (first <= last) & (moved / dt >= speed)
