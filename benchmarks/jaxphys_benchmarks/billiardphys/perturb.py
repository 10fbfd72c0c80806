"""The same scene, shown differently (BilliardPhys-Bench specification, section 7, visual perturbation set).

A style changes how a scene looks and never what happens in it. `seen` is the scene as the picture shows it, from
which the picture is drawn and the question asked; `seen_labels` its ground truth; `map_back` brings an answer about
the picture back to the scene, so that answers to all styles can be compared.

Public: `STYLES`, `Style`, `seen`, `seen_labels`, `map_back`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jaxphys_benchmarks.billiardphys.labels import Event, Labels
from jaxphys_benchmarks.billiardphys.sample import stream
from jaxphys_benchmarks.billiardphys.spec import Ball, BilliardSpec, Cue, Pocket, Point
from jaxphys_kernels.billiards.model import WALLS

_SWAPPED_X = {"LEFT": "RIGHT", "RIGHT": "LEFT"}
_SWAPPED_Y = {"TOP": "BOTTOM", "BOTTOM": "TOP"}


@dataclass(frozen=True)
class Style:
    """A way to show a scene.

    Attributes:
        mirror_x: x becomes W - x. mirror_y: y becomes H - y.
        permute: the ids of the balls other than the cue ball are exchanged.
        arrow: multiplies the arrow scale.
        canvas: multiplies both sides of the picture.
        palette: name of a set of colours.
    """

    mirror_x: bool = False
    mirror_y: bool = False
    permute: bool = False
    arrow: float = 1.0
    canvas: float = 1.0
    palette: str = "plain"


STYLES: dict[str, Style] = {
    "plain": Style(),
    "mirror_x": Style(mirror_x=True),
    "mirror_y": Style(mirror_y=True),
    "permuted_ids": Style(permute=True),
    "other_colours": Style(palette="other"),
    "other_arrow_scale": Style(arrow=0.6),
    "half_canvas": Style(canvas=0.5),
    "double_canvas": Style(canvas=2.0),
}
"""Named styles; "plain" is the published look."""


def style_of(name: str) -> Style:
    """The style of a name.

    Raises:
        ValueError: no such style; the message lists them.
    """
    if name not in STYLES:
        raise ValueError(f"style: {name!r} is unknown; give one of {', '.join(STYLES)}")
    return STYLES[name]


def seen(spec: BilliardSpec, style: str) -> BilliardSpec:
    """The scene as the style shows it: places, ids, arrow scale and canvas of the picture."""
    look = style_of(style)
    if look == STYLES["plain"]:
        return spec
    shown = _shown_ids(spec, look)
    moved = {shown[ball.id]: _mirror(spec, look, ball.pos) for ball in spec.balls}
    update = {
        "balls": tuple(Ball(id=ball, pos=moved[ball]) for ball in sorted(moved)),
        "cue": _mirrored_cue(spec.cue, look),
        "pockets": tuple(Pocket(centre=_mirror(spec, look, p.centre), radius=p.radius) for p in spec.pockets),
        "arrow_scale": spec.arrow_scale * look.arrow,
        "canvas": spec.canvas.model_copy(update={"scale": spec.canvas.scale * look.canvas}),
    }
    return spec.model_copy(update=update)


def seen_labels(spec: BilliardSpec, labels: Labels, style: str) -> Labels:
    """Ground truth about the scene as the style shows it."""
    look = style_of(style)
    if look == STYLES["plain"]:
        return labels
    shown = _shown_ids(spec, look)
    real = sorted(range(spec.n), key=shown.__getitem__)
    walls = dict(zip(WALLS, labels.q2, strict=True))
    return replace(
        labels,
        q1=tuple(labels.q1[ball - 1] for ball in real[1:]),
        q2=tuple(walls[_wall(look, wall)] for wall in WALLS),
        pos=tuple(None if (pos := labels.pos[ball]) is None else _mirror(spec, look, pos) for ball in real),
        vel=tuple(None if (vel := labels.vel[ball]) is None else _turn(look, vel) for ball in real),
        events=tuple(_seen_event(spec, look, shown, event) for event in labels.events),
        chain_depth=tuple(labels.chain_depth[ball] for ball in real),
    )


def map_back(spec: BilliardSpec, style: str, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """An answer's list about the picture, as the list about the scene itself.

    Args:
        spec: the scene as drawn from its seed. style: of the picture.
        items: with "id" or "wall", and "answer" or "pos" (a pair or null), as in `_final.json`.

    Returns:
        The same for the scene, by id or in the order of the walls.
    """
    look = style_of(style)
    shown = _shown_ids(spec, look)
    real = {shown[ball]: ball for ball in range(spec.n)}
    rows = []
    for item in items:
        row = dict(item)
        if "id" in row:
            row["id"] = real[row["id"]]
        if "wall" in row:
            row["wall"] = _wall(look, row["wall"])
        if row.get("pos") is not None:
            row["pos"] = list(_mirror(spec, look, row["pos"]))
        rows.append(row)
    return sorted(rows, key=lambda row: row["id"] if "id" in row else WALLS.index(row["wall"]))


def _shown_ids(spec: BilliardSpec, look: Style) -> list[int]:
    """(n,) id in the picture of each ball; the permutation is the scene's own and moves every ball it can."""
    others = list(range(1, spec.n))
    if look.permute and len(others) > 1:
        order = stream("ids", spec.seed, spec.t, spec.index, spec.attempt).permutation(others).tolist()
        # One step around a random cycle: no ball keeps its id.
        following = dict(zip(order, order[1:] + order[:1], strict=True))
        others = [following[ball] for ball in others]
    return [0, *others]


def _mirror(spec: BilliardSpec, look: Style, pos: Sequence[float]) -> Point:
    x, y = pos
    return (spec.table.W - x if look.mirror_x else x, spec.table.H - y if look.mirror_y else y)


def _turn(look: Style, vel: Point) -> Point:
    # + 0.0 turns -0.0 into 0.0.
    return ((-vel[0] if look.mirror_x else vel[0]) + 0.0, (-vel[1] if look.mirror_y else vel[1]) + 0.0)


def _mirrored_cue(cue: Cue, look: Style) -> Cue:
    angle = math.pi - cue.angle if look.mirror_x else cue.angle
    return Cue(v0=cue.v0, angle=-angle if look.mirror_y else angle, vel=_turn(look, cue.vel))


def _wall(look: Style, wall: str) -> str:
    """The wall whose place `wall` takes in the picture, and the other way round."""
    wall = _SWAPPED_X.get(wall, wall) if look.mirror_x else wall
    return _SWAPPED_Y.get(wall, wall) if look.mirror_y else wall


def _seen_event(spec: BilliardSpec, look: Style, shown: list[int], event: Event) -> Event:
    bodies = sorted((shown[ball], _mirror(spec, look, pos)) for ball, pos in zip(event.ids, event.pos, strict=True))
    return replace(
        event,
        ids=tuple(ball for ball, _ in bodies),
        pos=tuple(pos for _, pos in bodies),
        wall=None if event.wall is None else _wall(look, event.wall),
    )
