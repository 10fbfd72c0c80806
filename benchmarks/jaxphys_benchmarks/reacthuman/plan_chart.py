"""A scene and a plan as seen from above and from the side, in metres: what was observed, the impact, hands and walk.

The robot faces up in the view from above and to the right in that from the side. Hands are drawn with the root at its
start, as the published distances are measured; the walk is drawn apart from them. Both views have one scale.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Item, Point, Polyline, Rectangle, Text
from jaxphys_benchmarks.reacthuman.distances import hands, sampled, to_world, walked
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.plan import REST, Plan
from jaxphys_benchmarks.reacthuman.scene import Box
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.quaternions import matrices

Array = np.ndarray

WIDTH, HEIGHT = 560, 322
VIEW = (264.0, 250.0)
"""Size of a view (px)."""
CORNERS = ((8.0, 30.0), (288.0, 30.0))
"""Upper left corners of the views."""

FARTHEST = 2.4
"""What is farther from the robot than this is not drawn (m)."""
LEAST = 1.7
"""Least extent of a view (m)."""
MARGIN = 0.16

PAPER, INK, SOFT, FRAME = "#ffffff", "#1c2724", "#5d6a66", "#dfe4e0"
ROBOT, SOLID, EDGE = "#cfd6d2", "#f1ece3", "#cbbfa9"
HAZARD, SEEN, IMPACT = "#b26a00", "#edc98f", "#c93f2d"
HANDS = ("#2d5d8c", "#7d4b9a")
"""Left and right."""


def chart(spec: ReactHumanSpec, labels: Labels, plan: Plan | None = None) -> Canvas:
    """The drawing.

    Args:
        spec: the scene. labels: for the observed frames and the impact. plan: of an answer, if there is one.
    """
    root = np.array(spec.robot_root)
    places = _trail(spec, labels)
    impact = None if labels.impact_point is None else np.array(labels.impact_point)
    paths = [] if plan is None else list(_hands(plan, spec))
    walk = np.zeros((1, 3)) if plan is None else _walk(plan)
    near = [root + side for side in ((0.3, 0, 0.6), (-0.3, -0.3, -0.79), (0, 0.7, 0))]
    near += [place for place in (*places, impact) if place is not None and _close(place, root)]
    near += [point for path in paths for point in path] + list(root + walk)
    items: list[Item] = []
    for axes, corner, title in zip(((0, 1), (1, 2)), CORNERS, ("from above", "from the side"), strict=True):
        panel = _fitted(np.array(near), axes, corner)
        items += _backdrop(panel, title)
        items += _solids(panel, spec.scene.boxes)
        items += _robot(panel, root)
        items += _reach(panel, root, spec.robot.reach_offset)
        items += _hazard(panel, [place for place in places if _close(place, root)])
        items += _walked(panel, root, walk)
        for path, colour in zip(paths, HANDS, strict=False):
            items += _path(panel, path, colour)
        if impact is not None and _close(impact, root):
            items += _gap(panel, [path[-1] for path in paths], impact) + _cross(panel, impact)
    items += _legend(plan is not None, impact is not None)
    return Canvas(WIDTH, HEIGHT, PAPER, (*items, *_measure(panel.scale)))


@dataclass(frozen=True)
class _View:
    """One of the views: two axes of the world, the first to the right and the second up."""

    axes: tuple[int, int]
    corner: Point
    scale: float
    middle: Array

    def at(self, place: Array) -> Point:
        """Where a place is drawn (px)."""
        right, up = (place[list(self.axes)] - self.middle) * self.scale
        return (self.corner[0] + VIEW[0] / 2 + float(right), self.corner[1] + VIEW[1] / 2 - float(up))

    def kept(self, place: Array) -> Point:
        """The same, moved to the edge where it lies outside."""
        x, y = self.at(place)
        low, high = self.corner, (self.corner[0] + VIEW[0], self.corner[1] + VIEW[1])
        return (min(max(x, low[0]), high[0]), min(max(y, low[1]), high[1]))


def _fitted(points: Array, axes: tuple[int, int], corner: Point) -> _View:
    """A view that holds all points, at the scale that all views can have."""
    low, high = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    span = np.maximum(high - low, LEAST)
    scale = min(VIEW[0] / max(span[0], span[1]), VIEW[1] / max(span[1], span[2]))
    return _View(axes, corner, float(scale), ((low + high) / 2)[list(axes)])


def _close(place: Array, root: Array) -> bool:
    return bool(np.hypot(*(place - root)[:2]) <= FARTHEST)


def _trail(spec: ReactHumanSpec, labels: Labels) -> list[Array]:
    """Centres of the tracked body at the observed frames (m)."""
    if labels.track is None:
        return []
    index = [thing.name for thing in spec.scene.things].index(spec.tracked)
    return [np.array(row[index]) for row in labels.track.pos]


def _hands(plan: Plan, spec: ReactHumanSpec) -> Iterator[Array]:
    """(k, 3) of either hand in the world, from its rest through the key frames (m)."""
    knots = np.array([frame.t for frame in plan.keyframes])
    body = np.concatenate([[REST], hands(plan, knots)])
    for side in range(2):
        yield to_world(body[:, side], spec.robot_root)


def _walk(plan: Plan) -> Array:
    """(k, 3) of the root from its start (m)."""
    times = sampled(np.array([0.0, max(plan.walking_duration, 1e-3)]))[::12]
    along, _ = walked(plan, np.append(times, plan.walking_duration))
    return np.concatenate([along, np.zeros((len(along), 1))], axis=1)


def _backdrop(panel: _View, title: str) -> list[Item]:
    items: list[Item] = [
        Rectangle(panel.corner, VIEW, None, FRAME),
        Text((panel.corner[0], panel.corner[1] - 14), title, 15, SOFT, "lm"),
    ]
    if panel.axes == (1, 2):
        left, _ = panel.corner
        _, floor = panel.at(np.zeros(3))
        if panel.corner[1] <= floor <= panel.corner[1] + VIEW[1]:
            items.append(Polyline(((left, floor), (left + VIEW[0], floor)), SOFT, 1.5))
    return items


def _solids(panel: _View, boxes: Sequence[Box]) -> Iterator[Item]:
    """Furniture, as far as it is within the view; walls would hide the rest."""
    for box in boxes:
        if box.name == "wall":
            continue
        signs = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        corners = np.array(box.pos) + (signs * np.array(box.half)) @ matrices(box.quat).T
        outline = _hull([panel.kept(corner) for corner in corners])
        if len(outline) > 2:
            yield Polyline((*outline, outline[0]), EDGE, 1.5)


def _hull(points: Sequence[Point]) -> list[Point]:
    """Convex hull in order (Andrew's monotone chain)."""
    ordered = sorted({(round(x, 3), round(y, 3)) for x, y in points})

    def half(chain: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in chain:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _robot(panel: _View, root: Array) -> list[Item]:
    """Shoulders and head from above; legs, trunk and head from the side."""
    head = np.array([root[0], root[1] + 0.02, 1.22])
    if panel.axes == (0, 1):
        sides = tuple(panel.at(root + np.array([x, 0.0, 0.0])) for x in (-0.2, 0.2))
        return [
            Polyline(sides, ROBOT, 0.16 * panel.scale),
            Disc(panel.at(head), 0.1 * panel.scale, ROBOT, SOFT, 1.2),
            Arrow(panel.at(root), panel.at(root + np.array([0.0, 0.22, 0.0])), SOFT, 1.5, 6.0),
        ]
    feet, hips, neck = (np.array([root[0], root[1], z]) for z in (0.0, root[2], 1.12))
    return [
        Polyline((panel.at(feet), panel.at(hips)), ROBOT, 0.11 * panel.scale),
        Polyline((panel.at(hips), panel.at(neck)), ROBOT, 0.18 * panel.scale),
        Disc(panel.at(head), 0.1 * panel.scale, ROBOT, SOFT, 1.2),
    ]


def _reach(panel: _View, root: Array, offset: float) -> list[Item]:
    """The reach plane."""
    ends = ((-1.0, 0.0), (1.0, 0.0)) if panel.axes == (0, 1) else ((0.0, 0.05 - root[2]), (0.0, 2.0 - root[2]))
    line = tuple(panel.kept(root + np.array([x, offset, z])) for x, z in ends)
    return [Polyline(line, FRAME, 1.5)]


def _hazard(panel: _View, places: Sequence[Array]) -> list[Item]:
    """Where the body was seen; the largest dot is the last frame, the freeze."""
    points = [panel.at(place) for place in places]
    items: list[Item] = [Polyline(tuple(points), SEEN, 2.0)] if len(points) > 1 else []
    items += [Disc(point, 3.5, SEEN, HAZARD, 1.0) for point in points[:-1]]
    return items + [Disc(point, 5.5, HAZARD, INK, 1.0) for point in points[-1:]]


def _walked(panel: _View, root: Array, walk: Array) -> list[Item]:
    if np.linalg.norm(walk[-1]) < 0.02:
        return []
    at_hip = [panel.at(root + step) for step in walk]
    ahead = Arrow(at_hip[-2], at_hip[-1], INK, 2.0, 9.0) if len(at_hip) > 1 else None
    return [Polyline(tuple(at_hip), INK, 2.0), *([ahead] if ahead else []), Disc(at_hip[-1], 4.0, PAPER, INK, 2.0)]


def _path(panel: _View, path: Array, colour: str) -> list[Item]:
    points = [panel.at(place) for place in path]
    items: list[Item] = [Polyline(tuple(points), colour, 2.5)]
    items += [Disc(point, 3.0, PAPER, colour, 1.5) for point in points[:-1]]
    return [*items, Disc(points[-1], 4.5, colour, colour, 1.0)]


def _gap(panel: _View, ends: Sequence[Array], impact: Array) -> list[Item]:
    """From the hand that ends nearer to the impact: what d_end measures."""
    if not ends:
        return []
    nearer = min(ends, key=lambda end: float(np.linalg.norm(end - impact)))
    return [Polyline((panel.at(nearer), panel.at(impact)), SOFT, 1.0)]


def _cross(panel: _View, place: Array) -> list[Item]:
    x, y = panel.at(place)
    return [Polyline(((x - 6, y - 6 * s), (x + 6, y + 6 * s)), IMPACT, 3.0) for s in (-1, 1)]


def _legend(planned: bool, impact: bool) -> list[Item]:
    """What the colours mean, below the views."""
    words = [("as observed", HAZARD)]
    words += [("impact", IMPACT)] if impact else []
    words += [("left hand", HANDS[0]), ("right hand", HANDS[1]), ("walk", INK)] if planned else []
    items: list[Item] = []
    x, y = CORNERS[0][0] + 6.0, HEIGHT - 20.0
    for word, colour in words:
        items += [Disc((x, y), 5.0, colour, colour), Text((x + 11, y), word, 14, SOFT, "lm")]
        x += 28 + 7.4 * len(word)
    return items


def _measure(scale: float) -> list[Item]:
    """How long half a metre is, in both views."""
    x, y, length = WIDTH - 8.0, HEIGHT - 20.0, 0.5 * scale
    return [
        Text((x - length - 8, y), "0.5 m", 14, SOFT, "rm"),
        Polyline(((x - length, y), (x, y)), SOFT, 2.0),
    ]
