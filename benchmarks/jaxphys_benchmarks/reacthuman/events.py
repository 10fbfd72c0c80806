"""The events that end the stories of the families (ReactHuman specification, sections 7.2 and 7.4), as a table.

An event is a condition on the states of scenes; it happens at the first state at which the condition holds. Those whose
name starts with `early_` are the thresholds of the early generator. A new family adds a row, or uses one.

Public: `EVENTS`, `first`, `floor_heights`.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.colliders import extent
from jaxphys_benchmarks.reacthuman.tracking import Story, tracked_points
from jaxphys_kernels.quaternions import entries
from jaxphys_kernels.rigid.model import Shape

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

NEVER = -1
"""State of an event that does not happen."""

Event = Callable[[Story, Ints, Floats], Bools]
"""(scenes, index (b,) of the tracked body, y (b,) of the reach plane) -> (b, t + 1) whether the condition holds."""


def first(holds: Bools) -> Ints:
    """(b,) the first state at which a condition (b, t + 1) holds, `NEVER` where there is none."""
    return np.where(holds.any(axis=1), holds.argmax(axis=1), NEVER)


def floor_heights(story: Story, body: Ints, track: str) -> Floats:
    """(b, t + 1) heights that tell when the floor is met (m): of the lowest point, or of the lower edge of the top."""
    if track == "top_edge":
        return tracked_points(story, body, "top_edge", np.zeros((story.b, 2)))[0][..., 2]
    return story.of(story.lowest, body)


def after_rising(low: Bools) -> Bools:
    """(b, t + 1) what is left of a condition once it has held and stopped holding."""
    was = np.maximum.accumulate(low, axis=1)
    return np.asarray(low & np.maximum.accumulate(was & ~low, axis=1))


def _floor(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(floor_heights(story, body, "com") < _touch(story))


def _top_edge_floor(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(floor_heights(story, body, "top_edge") < _touch(story))


def _top_item_floor(story: Story, body: Ints, plane: Floats) -> Bools:
    heights = np.where(story.objects, story.pos[:, 0, :, 2], -np.inf)
    return _floor(story, heights.argmax(axis=1), plane)


def _low_end(story: Story, body: Ints, plane: Floats) -> Bools:
    """The centre is beyond the lower end of the box "ramp", seen from above."""
    ramp = [[box.name for box in scene.boxes].index("ramp") for scene in story.run.scenes]
    rows = np.arange(story.b)
    world = story.run.world
    centre, half = np.asarray(world.static_pos)[rows, ramp], np.asarray(world.static_half)[rows, ramp]
    (xx, xy, _), (yx, yy, _), (zx, zy, _) = entries(np.asarray(world.static_quat)[rows, ramp])
    # The slope falls along the longer of the two sides of its surface, whichever end is the lower one.
    long_y = half[:, 1] >= half[:, 0]
    length = np.where(long_y, half[:, 1], half[:, 0])
    along_x, along_y, rise = (np.where(long_y, b, a) for a, b in ((xx, xy), (yx, yy), (zx, zy)))
    down = -np.sign(rise)
    away = story.of(story.pos, body)[..., :2] - centre[:, None, :2]
    flat = along_x**2 + along_y**2
    ahead = (away[..., 0] * (down * along_x)[:, None] + away[..., 1] * (down * along_y)[:, None]) / flat[:, None]
    return np.asarray(ahead > length[:, None])


def _ladder_down(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(_centre(story, body) < _size(story, body)[:, None, 1] + 0.15)


def _door_closed(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(story.of(story.run.qpos, body)[..., 0] < np.deg2rad(20.0))


def _bottom(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(story.of(story.run.qpos, body)[..., 0] < 0.0)


def _reach_plane(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(story.of(story.pos, body)[..., 1] < plane[:, None])


def _plane_after_bounce(story: Story, body: Ints, plane: Floats) -> Bools:
    low = _floor(story, body, plane)
    bounced = np.maximum.accumulate(np.maximum.accumulate(low, axis=1) & ~low, axis=1)
    return np.asarray(bounced & _reach_plane(story, body, plane))


def _below(margin: float, side: int | None) -> Event:
    """The centre is lower than a half extent at rest plus a margin; `side` is the axis of that extent."""

    def event(story: Story, body: Ints, plane: Floats) -> Bools:
        level = np.zeros(story.b)
        if side is not None:
            shape = story.shape[np.arange(story.b), body].tolist()
            names = {kind.value: kind.name.lower() for kind in Shape}
            sizes = _size(story, body).tolist()
            level = np.array([extent(names[k], tuple(size))[side] for k, size in zip(shape, sizes, strict=True)])  # type: ignore[arg-type]
        return np.asarray(_centre(story, body) < level[:, None] + margin)

    return event


def _early_south(story: Story, body: Ints, plane: Floats) -> Bools:
    return np.asarray(story.of(story.pos, body)[..., 1] < 0.0)


def _early_bounce(story: Story, body: Ints, plane: Floats) -> Bools:
    """The ball is low again after rising."""
    return after_rising(np.asarray(_centre(story, body) < _size(story, body)[:, None, 0] + 0.04))


def _touch(story: Story) -> float:
    return story.run.kind.judging.floor_touch


def _centre(story: Story, body: Ints) -> Floats:
    return story.of(story.pos, body)[..., 2]


def _size(story: Story, body: Ints) -> Floats:
    return story.size[np.arange(story.b), body]


EVENTS: Mapping[str, Event] = {
    "floor": _floor,
    "top_edge_floor": _top_edge_floor,
    "top_item_floor": _top_item_floor,
    "low_end": _low_end,
    "ladder_down": _ladder_down,
    "door_closed": _door_closed,
    "bottom": _bottom,
    "reach_plane": _reach_plane,
    "plane_after_bounce": _plane_after_bounce,
    "early_low": _below(0.05, None),
    "early_floor": _below(0.05, 2),
    "early_target": _below(0.05, 2),
    "early_shelf": _below(0.04, 2),
    "early_roll": _below(0.03, 2),
    "early_tip": _below(0.05, 0),
    "early_stair": _below(0.08, 2),
    "early_ladder": _below(0.12, 0),
    "early_south": _early_south,
    "early_bounce": _early_bounce,
}
"""Conditions by name."""
