"""Pictures: the documented pixel mapping, what is shown, and styles that change looks and never labels."""

import math

import numpy as np
import pytest

from jaxphys_adapters.frames import rasterise
from jaxphys_benchmarks.billiardphys.axes import BOTTOM, LEFT, RIGHT, TOP, tick_step, ticks
from jaxphys_benchmarks.billiardphys.files import FINAL, published
from jaxphys_benchmarks.billiardphys.labels import Labels
from jaxphys_benchmarks.billiardphys.palette import PALETTES
from jaxphys_benchmarks.billiardphys.perturb import STYLES, map_back, seen, seen_labels
from jaxphys_benchmarks.billiardphys.picture import VIEWS, from_px, picture, size_px, to_px
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec
from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Polyline, Text
from jaxphys_benchmarks.protocol import View
from tests.benchmarks.billiardphys.scenes import head_on, pool, potted, truth


def busiest() -> tuple[BilliardSpec, Labels]:
    """The drawn scene with the most ball contacts."""
    return max(zip(*pool(4.0, 64), strict=True), key=lambda scene: sum(e.kind == "ball" for e in scene[1].events))


def discs(canvas: Canvas, spec: BilliardSpec, scale: float = 1.0) -> dict[str, tuple[float, float]]:
    """Centres (px) of the balls, by the id printed on each; the last disc of an id is the ball itself."""
    radius = spec.R * 500 * scale
    centres = {}
    for disc, text in zip(canvas.items, canvas.items[1:], strict=False):
        if isinstance(disc, Disc) and isinstance(text, Text) and disc.radius_px == pytest.approx(radius):
            assert text.at_px == disc.centre_px
            centres[text.text] = disc.centre_px
    return centres


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("kind", VIEWS)
def test_every_view_has_one_canvas_and_the_documented_mapping(kind: str, scale: float) -> None:
    spec, labels = busiest()
    canvas = picture(spec, labels, View(kind, scale))
    assert (canvas.width_px, canvas.height_px) == (round(scale * 1090), round(scale * 586)) == size_px(spec, scale)
    assert (LEFT + RIGHT, TOP + BOTTOM) == (90, 86)
    places = spec.positions if kind == "initial" else labels.pos
    found = discs(canvas, spec, scale)
    assert sorted(found) == [str(ball) for ball in range(7)]
    for ball, pos in enumerate(places):
        assert pos is not None
        expected = (scale * (LEFT + 500 * pos[0]), scale * (TOP + 500 * (1 - pos[1])))
        assert found[str(ball)] == pytest.approx(expected, abs=1e-9)
        assert to_px(spec, pos, scale) == pytest.approx(expected, abs=1e-9)
        assert from_px(spec, expected, scale) == pytest.approx(pos, abs=1e-12)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_centres_are_found_in_the_pixels(scale: float) -> None:
    """From the outline of each disc, to half a pixel."""
    spec, labels = busiest()
    pixels = rasterise(picture(spec, labels, View("final", scale))).astype(int)
    cloth = np.array([int(PALETTES["plain"].cloth[k : k + 2], 16) for k in (1, 3, 5)])
    for pos in labels.published_pos:
        assert pos is not None
        x, y = to_px(spec, pos, scale)
        reach = 1.25 * spec.R * 500 * scale
        rows, columns = np.arange(math.floor(y - reach), math.ceil(y + reach)), np.arange(
            math.floor(x - reach), math.ceil(x + reach)
        )  # fmt: skip
        dark = np.abs(pixels[np.ix_(rows, columns)] - cloth).sum(-1) > 200
        own = np.hypot(columns[None] + 0.5 - x, rows[:, None] + 0.5 - y) < reach
        ys, xs = np.nonzero(dark & own)
        assert (columns[xs].min() + columns[xs].max() + 1) / 2 == pytest.approx(x, abs=0.5)
        assert (rows[ys].min() + rows[ys].max() + 1) / 2 == pytest.approx(y, abs=0.5)


def test_the_arrow_has_the_documented_length() -> None:
    spec, _ = busiest()
    (arrow,) = [item for item in picture(spec, None, View("initial")).items if isinstance(item, Arrow)]
    assert arrow.start_px == to_px(spec, spec.positions[0])
    assert math.dist(arrow.start_px, arrow.end_px) == pytest.approx(0.25 * spec.cue.v0 * 500)
    start, end = (from_px(spec, at) for at in (arrow.start_px, arrow.end_px))
    assert math.atan2(end[1] - start[1], end[0] - start[0]) == pytest.approx(
        math.remainder(spec.cue.angle, 2 * math.pi)
    )


def test_the_overlay_goes_through_every_event() -> None:
    spec, labels = busiest()
    lines = [item.points_px for item in picture(spec, labels, View("overlay")).items if isinstance(item, Polyline)]
    for ball in range(spec.n):
        met = [pos for e in labels.events for body, pos in zip(e.ids, e.pos, strict=True) if body == ball]
        last = labels.pos[ball]
        assert last is not None
        path = tuple(to_px(spec, pos) for pos in (spec.positions[ball], *met, last))
        assert (path in lines) == bool(met or ball == 0)


def test_a_pocketed_ball_is_absent_from_the_final_picture() -> None:
    spec = potted()
    (labels,) = truth([spec])
    assert sorted(discs(picture(spec, labels, View("initial")), spec)) == ["0", "1", "2"]
    assert sorted(discs(picture(spec, labels, View("final")), spec)) == ["0", "2"]


def test_the_speed_is_written_only_when_asked_for() -> None:
    spec = head_on()

    def texts(spec: BilliardSpec) -> list[str]:
        return [item.text for item in picture(spec, None, View("initial")).items if isinstance(item, Text)]

    assert "cue speed 0.6 m/s" not in texts(spec)
    assert "cue speed 0.6 m/s" in texts(spec.model_copy(update={"cue_speed_text": "number_in_image"}))


@pytest.mark.parametrize(
    ("view", "named"),
    [(View("side"), "view"), (View("initial", style="neon"), "style"), (View("initial", 0.0), "scale"),
     (View("final"), "labels")],
)  # fmt: skip
def test_bad_views_are_errors(view: View, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        picture(head_on(), None, view)


@pytest.mark.parametrize("style", STYLES)
def test_a_style_shows_the_same_physics(style: str) -> None:
    """The truth about the scene as shown is what a simulation of the scene as shown gives."""
    specs, labels = pool(4.0, 64)
    shown = [seen(spec, style) for spec in specs[:24]]
    for spec, known, view, simulated in zip(specs, labels, shown, truth(shown), strict=False):
        expected = seen_labels(spec, known, style)
        assert (simulated.q1, simulated.q2, simulated.chain_depth) == (expected.q1, expected.q2, expected.chain_depth)
        assert np.array(simulated.pos) == pytest.approx(np.array(expected.pos), abs=1e-6)
        assert [(e.kind, e.ids, e.wall) for e in simulated.events] == [(e.kind, e.ids, e.wall) for e in expected.events]
        assert view.id == spec.id


@pytest.mark.parametrize("style", STYLES)
def test_answers_are_mapped_back(style: str) -> None:
    for spec, known in zip(*pool(4.0, 64), strict=True):
        plain = published(spec, known)[FINAL]
        shown = published(seen(spec, style), seen_labels(spec, known, style))[FINAL]
        assert map_back(spec, style, shown["Q1"]) == plain["Q1"]
        assert map_back(spec, style, shown["Q2"]) == plain["Q2"]
        back = map_back(spec, style, shown["predictions"])
        assert [row["id"] for row in back] == list(range(spec.n))
        assert np.array([row["pos"] for row in back]) == pytest.approx(
            np.array([row["pos"] for row in plain["predictions"]]), abs=1.0001e-4
        )
    assert map_back(potted(), style, [{"id": 0, "pos": None}])[0]["pos"] is None


def test_styles_do_what_they_say() -> None:
    spec, _ = busiest()
    mirrored, permuted = seen(spec, "mirror_x"), seen(spec, "permuted_ids")
    assert mirrored.positions[2] == (2.0 - spec.positions[2][0], spec.positions[2][1])
    assert mirrored.cue.vel == (-spec.cue.vel[0], spec.cue.vel[1])
    assert seen(spec, "mirror_y").positions[2][1] == 1.0 - spec.positions[2][1]
    assert permuted.positions[0] == spec.positions[0]
    assert set(permuted.positions) == set(spec.positions)
    assert all(a != b for a, b in zip(permuted.positions[1:], spec.positions[1:], strict=True))
    assert seen(spec, "other_arrow_scale").arrow_scale != spec.arrow_scale
    wide = {style: picture(spec, None, View("initial", style=style)).width_px for style in STYLES}
    assert (wide["half_canvas"], wide["plain"], wide["double_canvas"]) == (545, 1090, 2180)
    assert picture(spec, None, View("initial", style="other_colours")).background != PALETTES["plain"].page


@pytest.mark.parametrize("length", [0.013, 0.5, 1.0, 2.0, 2.54, 9.0, 1234.0])
def test_ticks_are_round_and_few(length: float) -> None:
    marks = ticks(length, tick_step(length))
    assert marks[0] == 0
    assert 5 <= len(marks) <= 11
    assert marks[-1] <= length * (1 + 1e-9) < marks[-1] + tick_step(length) * (1 + 1e-6)
