"""Rooms and the furniture that stands in them (ReactHuman specification, section 3.1), and who may use which."""

from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.spec import Room

ROOMS: dict[str, Room] = {
    room.type: room
    for room in (
        Room(type="dining", width=5.0, depth=4.5, height=2.8),
        Room(type="kitchen", width=4.0, depth=3.5, height=2.6),
        Room(type="living", width=6.0, depth=5.0, height=2.8),
        Room(type="office", width=4.0, depth=3.5, height=2.7),
        Room(type="stair_landing", width=5.0, depth=5.0, height=2.8),
    )
}
"""By type (early generator)."""

LIVED_IN = ("dining", "kitchen", "living", "office")

ROOMS_OF: dict[str, tuple[str, ...]] = {"stair_tumble": ("stair_landing",)}
"""Rooms of the families that do not happen in all of `LIVED_IN` (assumed)."""

TABLE_HALF: Vector = (0.60, 0.40, 0.02)
"""Half extents of the default table top (m, early generator)."""

TABLE_HEIGHT = 0.77
"""Height of its upper surface (m, early generator)."""

STAIRS = 7
STAIR_RISE, STAIR_RUN, STAIR_WIDTH = 0.18, 0.28, 1.2
"""Number, rise, run and width (m) of the steps of the landing (early generator)."""

WALL_THICKNESS = 0.12
"""Of walls (m, assumed)."""


def rooms_of(family: str) -> tuple[str, ...]:
    """Types of the rooms that a family may happen in."""
    return ROOMS_OF.get(family, LIVED_IN)


def get(room: str) -> Room:
    """A room by type.

    Raises:
        ValueError: no such room; names the field and what there is.
    """
    if room not in ROOMS:
        raise ValueError(f"room: {room!r} is unknown; choose from {', '.join(ROOMS)}")
    return ROOMS[room]
