"""Pictures of a scene as display lists: initial, final, overlay (BilliardPhys-Bench specification, section 7).

The three have one canvas and one ball radius. Pixel mapping, with s the scale (configuration times view times
style) and p = canvas width / W pixels per metre (500 by default):

    x_px = s (LEFT + p x),    y_px = s (TOP + p (H - y))

The table area is p W s by p H s pixels; the constant margin around it (`LEFT`, `TOP`, `RIGHT`, `BOTTOM`, pixels at
scale 1) holds axes and ticks. Pixel coordinates are continuous, the centre of the upper left pixel is (0.5, 0.5).

Public functions: `picture`, `to_px`, `from_px`, `size_px`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from jaxphys_benchmarks.billiardphys.axes import BOTTOM, LEFT, RIGHT, TOP, Frame, backdrop
from jaxphys_benchmarks.billiardphys.labels import CUE, Labels
from jaxphys_benchmarks.billiardphys.palette import PALETTES, Palette
from jaxphys_benchmarks.billiardphys.perturb import seen, seen_labels, style_of
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Point
from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Item, Polyline, Text
from jaxphys_benchmarks.protocol import View

VIEWS = ("initial", "final", "overlay")
"""Kinds of picture: the start with the cue arrow, the end, and the paths between."""

ID_SIZE = 1.05
"""Height of an id's font in radii of a ball."""

__all__ = ["BOTTOM", "LEFT", "RIGHT", "TOP", "VIEWS", "from_px", "picture", "size_px", "to_px"]


def picture(spec: BilliardSpec, labels: Labels | None, view: View) -> Canvas:
    """The display list of a scene.

    Args:
        spec: the scene as drawn from its seed. labels: needed for all but "initial".
        view: kind, scale and style.

    Raises:
        ValueError: unknown kind or style, a scale that is not positive, or labels missing.
    """
    if view.kind not in _LAYERS:
        raise ValueError(f"view: {view.kind!r} is unknown; give one of {', '.join(VIEWS)}")
    if labels is None and view.kind != "initial":
        raise ValueError(f"labels: needed for the {view.kind} picture of {spec.id}; simulate and label the scene first")
    shown = seen(spec, view.style)
    truth = None if labels is None else seen_labels(spec, labels, view.style)
    frame = frame_of(shown, view.scale)
    palette = PALETTES[style_of(view.style).palette]
    items = [*backdrop(shown, frame, palette), *_LAYERS[view.kind](_Scene(shown, truth, frame, palette))]
    width_px, height_px = frame.size_px
    return Canvas(width_px, height_px, palette.page, tuple(items))


def size_px(spec: BilliardSpec, scale: float = 1.0) -> tuple[int, int]:
    """Width and height of the whole picture, margin included, in the plain style."""
    return frame_of(spec, scale).size_px


def to_px(spec: BilliardSpec, pos: Point, scale: float = 1.0) -> Point:
    """Pixel coordinates of a place on the table (m), in the plain style."""
    return frame_of(spec, scale).to_px(pos)


def from_px(spec: BilliardSpec, at_px: Point, scale: float = 1.0) -> Point:
    """Place on the table (m) of a pixel coordinate, in the plain style."""
    return frame_of(spec, scale).from_px(at_px)


def frame_of(spec: BilliardSpec, scale: float) -> Frame:
    """The pixel mapping of a scene; `scale` comes on top of the canvas scale of the spec."""
    if not scale > 0:
        raise ValueError(f"scale: {scale}; give a number > 0")
    return Frame(spec.table.W, spec.table.H, spec.canvas.width_px / spec.table.W, spec.canvas.scale * scale)


@dataclass(frozen=True)
class _Scene:
    """What the layers draw: the scene as seen, its truth, the mapping and the colours."""

    spec: BilliardSpec
    labels: Labels | None
    frame: Frame
    palette: Palette

    @property
    def truth(self) -> Labels:
        assert self.labels is not None  # checked by `picture`
        return self.labels


def _initial(scene: _Scene) -> list[Item]:
    items: list[Item] = []
    arrow = _arrow(scene)
    # From the centre, but under the discs: ids stay readable and centres measurable.
    hidden = scene.spec.cue.v0 * scene.spec.arrow_scale < 2 * scene.spec.R
    balls = _balls(scene, scene.spec.positions)
    items += [*balls, *arrow] if hidden else [*arrow, *balls]
    return [*items, *_caption(scene, 0.0), *_speed(scene)]


def _final(scene: _Scene) -> list[Item]:
    return [*_balls(scene, scene.truth.pos), *_caption(scene, scene.spec.t)]


def _overlay(scene: _Scene) -> list[Item]:
    return [*_paths(scene), *_contacts(scene), *_balls(scene, scene.truth.pos), *_caption(scene, scene.spec.t)]


_LAYERS: dict[str, Callable[[_Scene], list[Item]]] = {"initial": _initial, "final": _final, "overlay": _overlay}


def _balls(scene: _Scene, places: tuple[Point | None, ...]) -> list[Item]:
    frame, palette = scene.frame, scene.palette
    items: list[Item] = []
    for ball, pos in enumerate(places):
        if pos is None:
            continue
        centre, radius = frame.to_px(pos), frame.length_px(scene.spec.R)
        fill = palette.cue if ball == CUE else palette.ball
        items.append(Disc(centre, radius, fill, palette.outline, frame.px(1.5)))
        items.append(Text(centre, str(ball), ID_SIZE * radius, palette.id_on_cue if ball == CUE else palette.id))
    return items


def _arrow(scene: _Scene) -> list[Item]:
    """From the centre of the cue ball along its velocity, `arrow_scale` metres for each m/s."""
    (x, y), (vx, vy), k = scene.spec.positions[CUE], scene.spec.cue.vel, scene.spec.arrow_scale
    if scene.spec.cue.v0 == 0:
        return []
    frame = scene.frame
    start, end = frame.to_px((x, y)), frame.to_px((x + k * vx, y + k * vy))
    return [Arrow(start, end, scene.palette.arrow, frame.px(3.0), frame.px(13.0))]


def _paths(scene: _Scene) -> list[Item]:
    """Each path as a polyline through its events, and a pale disc where it starts; the cue ball's on top."""
    frame, palette = scene.frame, scene.palette
    items: list[Item] = []
    for ball in [*range(1, scene.spec.n), CUE]:
        path = _corners(scene, ball)
        if len(set(path)) == 1:
            continue
        colour = palette.cue if ball == CUE else palette.paths[(ball - 1) % len(palette.paths)]
        items.append(Polyline(tuple(frame.to_px(pos) for pos in path), colour, frame.px(2.5)))
        items += _arrow(scene) if ball == CUE else []
        fill, line = palette.ghosts[ball == CUE]
        centre, radius = frame.to_px(path[0]), frame.length_px(scene.spec.R)
        items.append(Disc(centre, radius, fill, line, frame.px(1.2)))
        items.append(Text(centre, str(ball), ID_SIZE * radius, palette.ghost_id))
    return items


def _corners(scene: _Scene, ball: int) -> tuple[Point, ...]:
    """Places of a ball in order: start, its events, end (the end in a pocket is the capture)."""
    met = [pos for event in scene.truth.events for body, pos in zip(event.ids, event.pos, strict=True) if body == ball]
    last = scene.truth.pos[ball]
    return (scene.spec.positions[ball], *met, *([] if last is None else [last]))


def _contacts(scene: _Scene) -> list[Item]:
    """Where balls met: the outline of each that had moved there, and a dot at the contact; a dot at every wall."""
    frame, palette = scene.frame, scene.palette
    marks: list[Item] = []
    for event in scene.truth.events:
        if event.kind == "ball":
            for ball, pos in zip(event.ids, event.pos, strict=True):
                if pos != scene.spec.positions[ball]:
                    marks.append(_ring(frame, pos, scene.spec.R, palette.ghosts[ball == CUE][1]))
            (ax, ay), (bx, by) = event.pos
            marks.append(Disc(frame.to_px(((ax + bx) / 2, (ay + by) / 2)), frame.px(4.5), palette.hit, palette.outline))
        elif event.kind == "wall":
            marks.append(Disc(frame.to_px(event.pos[0]), frame.px(3.5), palette.page, palette.outline, frame.px(1.2)))
    return marks


def _ring(frame: Frame, pos: Point, radius: float, colour: str) -> Polyline:
    turns = [2 * math.pi * k / 48 for k in range(49)]
    points = tuple(frame.to_px((pos[0] + radius * math.cos(u), pos[1] + radius * math.sin(u))) for u in turns)
    return Polyline(points, colour, frame.px(1.2))


def _caption(scene: _Scene, time: float) -> list[Item]:
    """The time, in the margin above the table."""
    return [scene.frame.margin_text(f"t = {time:g} s", scene.palette.text, "right")]


def _speed(scene: _Scene) -> list[Item]:
    if scene.spec.cue_speed_text != "number_in_image":
        return []
    return [scene.frame.margin_text(f"cue speed {scene.spec.cue.v0:.4g} m/s", scene.palette.text, "middle")]
