"""Where and when the hazard reaches the robot (ReactHuman specification, section 8.2).

The first crossing of the reach plane by the tracked point counts, or the first contact with the floor if that comes
earlier or alone. ceiling_drop has the height of the head instead of the plane; a door counts when its panel touches the
robot. Between two states everything is linear, and the crossing is interpolated; the state after it is kept too.
`impact = "com"` takes the centre at the early generator's interception instead (section 7.2), not interpolated.

Public: `Impact`, `impacts`, `floor_contact`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.events import EVENTS, NEVER, first, floor_heights
from jaxphys_benchmarks.reacthuman.family import Family
from jaxphys_benchmarks.reacthuman.nearest import nearest
from jaxphys_benchmarks.reacthuman.tracking import LINE, Story, Track, tracked_points

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

Kind = Literal["plane", "head_plane", "panel", "floor", "com", "undefined"]

PANEL_HEIGHT = 1.10
"""Height at which a door is said to hit (m; section 7.4)."""


@dataclass(frozen=True, eq=False)
class Impact:
    """Of b scenes.

    Attributes:
        kind: (b,) names. body: (b,) index of the body. state: (b,) first state at or behind the impact, `NEVER` where
            there is none. time: (b,) s, inf where there is none. point, velocity: (b, 3) m and m/s, NaN where there is
            none.
        enters: (b,) whether a tracked point ever crosses the reach window, whatever comes first.
        floor_state, floor_time: (b,) first contact of the tracked body with the floor, behind the bounce where one is
            waited for: the state, and s.
    """

    kind: NDArray[np.str_]
    body: Ints
    state: Ints
    time: Floats
    point: Floats
    velocity: Floats
    enters: Bools
    floor_state: Ints
    floor_time: Floats


@dataclass(frozen=True, eq=False)
class _Hit:
    """Something of b scenes that happens between states: the later state, and the share of the step before it."""

    state: Ints
    share: Floats
    dt: float

    @property
    def time(self) -> Floats:
        """(b,) s, inf for never."""
        return np.where(self.state == NEVER, np.inf, (self.state - 1 + self.share) * self.dt)

    def of(self, leaf: Floats) -> Floats:
        """(b, ...) a leaf (b, t + 1, ...) at that moment, NaN for never."""
        rows, after = np.arange(len(self.state)), np.maximum(self.state, 0)
        here, before = leaf[rows, after], leaf[rows, np.maximum(after - 1, 0)]
        wide = (len(rows),) + (1,) * (here.ndim - 1)
        share = self.share.reshape(wide)
        return np.where((self.state == NEVER).reshape(wide), np.nan, before + share * (here - before))


def impacts(story: Story, family: Family, body: Ints, robot: Floats, reach: Floats) -> Impact:
    """The impacts of scenes of one kind.

    Args:
        story: the scenes. family: theirs. body: (b,) index of the tracked body. robot: (b, 2) x and y of the robot (m).
        reach: (b,) distance of the reach plane from it (m).
    """
    if story.run.kind.impact == "com":
        return _intercepted(story, family, body, robot, reach)
    if not family.each:
        return _one(story, family, body, robot, reach)
    found = [_one(story, family, np.full(story.b, k), robot, reach) for k in range(story.run.n)]
    times = np.stack([np.where(story.objects[:, k], one.time, np.inf) for k, one in enumerate(found)])
    pick, rows = times.argmin(axis=0), np.arange(story.b)

    def of(leaf: Callable[[Impact], Any], which: Ints) -> Any:
        return np.stack([leaf(one) for one in found])[which, rows]

    return Impact(
        kind=of(lambda one: one.kind, pick),
        body=pick,
        state=of(lambda one: one.state, pick),
        time=of(lambda one: one.time, pick),
        point=of(lambda one: one.point, pick),
        velocity=of(lambda one: one.velocity, pick),
        enters=np.any([one.enters & story.objects[:, k] for k, one in enumerate(found)], axis=0),
        floor_state=of(lambda one: one.floor_state, body),
        floor_time=of(lambda one: one.floor_time, body),
    )


def floor_contact(story: Story, family: Family, body: Ints) -> tuple[Ints, Floats, Floats]:
    """The first contact of the tracked body with the floor: state (b,), time (b,) s, and place (b, 3) m of its centre,
    or of the lower edge of its top; `NEVER`, inf and NaN where there is none."""
    hit = _floor_hit(story, family, body, np.zeros(story.b, np.int64))
    track: Track = "top_edge" if family.track == "top_edge" else "com"
    points, _ = tracked_points(story, body, track, np.zeros((story.b, 2)))
    return hit.state, hit.time, hit.of(points)


def _one(story: Story, family: Family, body: Ints, robot: Floats, reach: Floats) -> Impact:
    points, velocity = tracked_points(story, body, family.track, robot)
    since = AFTER[family.after](story, body)
    after_floor = story.run.kind.judging.plane_after_floor
    plane, enters = MEETINGS[family.impact](story, body, points, robot, reach, since)
    floor = _floor_hit(story, family, body, since)
    early = floor.time < (np.where(plane.state == NEVER, np.inf, -np.inf) if after_floor else plane.time)
    none = (plane.state == NEVER) & (floor.state == NEVER)
    hit = _Hit(np.where(early, floor.state, plane.state), np.where(early, floor.share, plane.share), story.run.dt)
    point = hit.of(points)
    if family.impact == "panel":
        point[:, 2] = np.where(none, np.nan, PANEL_HEIGHT)
    return Impact(
        kind=np.where(none, "undefined", np.where(early, "floor", family.impact)),
        body=body,
        state=hit.state,
        time=hit.time,
        point=point,
        velocity=hit.of(velocity),
        enters=enters,
        floor_state=floor.state,
        floor_time=floor.time,
    )


def _crossing(values: Floats, level: Floats, valid: Callable[[_Hit], Bools] | None, since: Ints, dt: float) -> _Hit:
    """The first time that values (b, t + 1) fall to a level (b,), in a step that ends behind the state `since`."""
    above = values - level[:, None]
    falls = np.zeros(values.shape, np.bool_)
    falls[:, 1:] = (above[:, :-1] > 0) & (above[:, 1:] <= 0)
    falls &= np.arange(values.shape[1]) > since[:, None]
    rows = np.arange(len(values))
    while True:
        state = first(falls)
        after = np.maximum(state, 1)
        drop = above[rows, after - 1] - above[rows, after]
        hit = _Hit(state, np.where(state == NEVER, 0.0, above[rows, after - 1] / np.where(drop > 0, drop, 1.0)), dt)
        refused = (state != NEVER) & (False if valid is None else ~valid(hit))
        if not np.any(refused):
            return hit
        # A crossing outside the window does not count; the next one may.
        falls[np.flatnonzero(refused), state[refused]] = False


def _plane(story: Story, body: Ints, points: Floats, robot: Floats, reach: Floats, since: Ints) -> tuple[_Hit, Bools]:
    judging = story.run.kind.judging

    def valid(hit: _Hit) -> Bools:
        place = hit.of(points)
        near = np.abs(place[:, 0] - robot[:, 0]) <= judging.reach_width
        return np.asarray(near & (place[:, 2] >= judging.reach_low) & (place[:, 2] <= judging.reach_high))

    hit = _crossing(points[..., 1], robot[:, 1] + reach, valid, since, story.run.dt)
    return hit, np.asarray(hit.state != NEVER)


def _head(story: Story, body: Ints, points: Floats, robot: Floats, reach: Floats, since: Ints) -> tuple[_Hit, Bools]:
    judging = story.run.kind.judging

    def valid(hit: _Hit) -> Bools:
        away = hit.of(points)[:, :2] - robot
        return np.asarray(np.abs(away).max(axis=1) <= judging.reach_width)

    hit = _crossing(points[..., 2], np.full(story.b, judging.robot_height), valid, since, story.run.dt)
    return hit, np.asarray(hit.state != NEVER)


def _panel(story: Story, body: Ints, points: Floats, robot: Floats, reach: Floats, since: Ints) -> tuple[_Hit, Bools]:
    rows = np.arange(story.b)
    shape, size = story.shape[rows, body], story.size[rows, body]
    away = np.empty(points.shape[:2])
    for kind in np.unique(shape).tolist():
        some = shape == kind
        pos, quat = story.of(story.pos, body)[some], story.of(story.quat, body)[some]
        away[some] = nearest(kind, size[some], pos, quat, robot[some], LINE)[1]
    hit = _crossing(away, np.full(story.b, story.run.kind.judging.robot_radius), None, since, story.run.dt)
    return hit, np.asarray(hit.state != NEVER)


MEETINGS: Mapping[str, Callable[[Story, Ints, Floats, Floats, Floats, Ints], tuple[_Hit, Bools]]] = {
    "plane": _plane,
    "head_plane": _head,
    "panel": _panel,
}
"""Where a hazard meets the robot, by `Family.impact`: the meeting, and whether there is one."""


def _from_start(story: Story, body: Ints) -> Ints:
    return np.zeros(story.b, np.int64)


def _from_bounce(story: Story, body: Ints) -> Ints:
    """The state at which the body has left the floor for the first time after touching it; the last one if never."""
    low = story.of(story.lowest, body) < story.run.kind.judging.floor_touch
    left = first(np.maximum.accumulate(low, axis=1) & ~low)
    return np.where(left == NEVER, low.shape[1] - 1, left)


def _from_support(story: Story, body: Ints) -> Ints:
    """The last state before the floor at which the body touches a static box."""
    boxes = [partner for partner in range(story.run.n, story.run.n + story.run.s)]
    order = list(story.touches)
    rows, states = np.arange(story.b), np.arange(len(story.run.time))
    touching = np.zeros((story.b, len(states)), np.bool_)
    for k in np.unique(body).tolist():
        pairs = [order.index((k, partner)) for partner in boxes]
        some = body == k
        touching[some, 1:] = story.run.touching[some][:, :, pairs].any(axis=-1)
    landed = first(story.of(story.lowest, body) < story.run.kind.judging.floor_touch)
    touching &= states < np.where(landed == NEVER, len(states), landed)[:, None]
    last = len(states) - 1 - touching[rows, ::-1].argmax(axis=1)
    return np.where(touching.any(axis=1), last, 0)


AFTER: Mapping[str, Callable[[Story, Ints], Ints]] = {
    "": _from_start,
    "bounce": _from_bounce,
    "last_support": _from_support,
}
"""The state behind which impacts count, by `Family.after`."""


def _floor_hit(story: Story, family: Family, body: Ints, since: Ints) -> _Hit:
    """The first contact with the floor; at the start itself if the body is there."""
    heights, touch = floor_heights(story, body, family.track), story.run.kind.judging.floor_touch
    hit = _crossing(heights, np.full(story.b, touch), None, since, story.run.dt)
    there = (since == 0) & (heights[:, 0] < touch)
    return _Hit(np.where(there, 0, hit.state), np.where(there, 1.0, hit.share), story.run.dt)


def _intercepted(story: Story, family: Family, body: Ints, robot: Floats, reach: Floats) -> Impact:
    """The early generator's interception point of each scene: the centre at some state."""
    plane = robot[:, 1] + reach
    kind = INTERCEPTIONS.get(family.name, "event")
    if kind == "event":
        holds = EVENTS[family.event_of(story.run.kind.variant)](story, body, plane)
    else:
        level = np.zeros(story.b) if kind == "south" else _edges(story)
        holds = story.of(story.pos, body)[..., 1] <= level[:, None]
    state = first(np.asarray(holds))
    hit = _Hit(state, np.ones(story.b), story.run.dt)
    own = _one(story, family, body, robot, reach)
    return Impact(
        kind=np.where(state == NEVER, "undefined", "com"),
        body=body,
        state=state,
        time=hit.time,
        point=hit.of(story.of(story.pos, body)),
        velocity=hit.of(story.of(story.vel, body)),
        enters=own.enters,
        floor_state=own.floor_state,
        floor_time=own.floor_time,
    )


def _edges(story: Story) -> Floats:
    """y of the south edge of the first box of each scene, which is what the object lies on (m)."""
    world = story.run.world
    return np.asarray(world.static_pos[:, 0, 1] - world.static_half[:, 0, 1])


INTERCEPTIONS: Mapping[str, Literal["edge", "south"]] = {
    "object_drop": "edge",
    "rolling_ball": "edge",
    "shelf_slide": "edge",
    "thrown_object": "south",
    "bouncing_object": "south",
    "chain_reaction": "south",
}
"""Early interception points that are not those of the event: the edge of the support, or y = 0 (section 7.2)."""
