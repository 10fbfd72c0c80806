"""Pictures and films: frame times, poses, looks, what the first frame may show, and rolling spheres."""

import numpy as np
import pytest

from jaxphys_benchmarks.inphyre.config import COLOURS
from jaxphys_benchmarks.inphyre.picture import picture
from jaxphys_benchmarks.inphyre.prompts import STYLES
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.inphyre.track import film_times, track, tracks
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.stage import Camera, Stage

from .asked_samples import sample, thing
from .drawn_samples import BENCHMARK, drawn, of

FILM = View("film", frames=128)


def film(spec: InPhyReSpec, frames: int = 128) -> Stage:
    return picture(spec, None, View("film", frames=frames))


def test_frames_stand_at_multiples_of_the_frame_time() -> None:
    spec, _ = of("LMC")[0]
    assert film(spec).times.tolist() == [k / 25.6 for k in range(128)]
    assert film(spec).fps == 25.6


@pytest.mark.parametrize("frames", [1, 2, 3, 8, 64, 127])
def test_a_shorter_film_shows_frames_of_the_whole_and_lasts_as_long(frames: int) -> None:
    spec, _ = of("AMC")[0]
    whole, short = film(spec), film(spec, frames)
    shown = np.searchsorted(whole.times, short.times)
    assert len(short) == len(set(shown.tolist())) == frames
    assert shown[0] == 0
    assert frames == 1 or shown[-1] == 127
    for name in ("times", "pos", "quat", "look"):
        np.testing.assert_array_equal(getattr(short, name), getattr(whole, name)[shown])
    if frames > 1:
        assert (frames - 1) / short.fps == pytest.approx(127 / 25.6)


def test_the_first_frame_is_that_of_the_film_and_needs_no_labels() -> None:
    for spec, labels in drawn():
        still, whole = picture(spec, labels, View("first_frame")), film(spec)
        assert len(still) == 1
        np.testing.assert_array_equal(still.pos[0], whole.pos[0])
        np.testing.assert_array_equal(still.pos[0, : len(spec.things), :2], [body.pos for body in spec.things])


def rims(stage: Stage, frame: int) -> np.ndarray:
    """(n, 8, 3) corners of the upright boxes around the bodies."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    half = np.array([solid.half for solid in stage.solids])
    turn = np.where([[solid.form == "box"] for solid in stage.solids], stage.quat[frame], [1.0, 0, 0, 0])
    angle = 2 * np.arctan2(turn[:, 3], turn[:, 0])
    local = signs[None] * half[:, None]
    x = local[..., 0] * np.cos(angle)[:, None] - local[..., 1] * np.sin(angle)[:, None]
    y = local[..., 0] * np.sin(angle)[:, None] + local[..., 1] * np.cos(angle)[:, None]
    return np.stack([x, y, local[..., 2]], axis=-1) + stage.pos[frame][:, None]


def test_the_first_frame_shows_every_object_whole_and_no_contact() -> None:
    for spec, labels in drawn():
        stage = picture(spec, None, View("first_frame"))
        seen = stage.camera.project(rims(stage, 0)[: len(spec.things)], stage.width_px, stage.height_px)
        assert (seen >= 0).all()
        assert (seen[..., :2] <= (stage.width_px, stage.height_px)).all(), spec.id
        assert labels.contact is not None
        assert labels.contact.time > 1 / spec.film.fps


def test_a_look_changes_at_the_first_frame_at_or_after_the_contact() -> None:
    for spec, labels in of("CC"):
        assert labels.contact is not None
        stage, change = film(spec), np.searchsorted(film_times(spec), labels.contact.time)
        assert stage.times[change - 1] < labels.contact.time <= stage.times[change]
        assert stage.look[:, 0].tolist() == [0] * change + [1] * (128 - change)
        assert stage.look[:, 1].tolist() == [1] * 128
        assert stage.looks[1].colour == COLOURS[spec.things[1].colour]
        assert stage.looks[1].finish == spec.things[1].material


@pytest.mark.parametrize("frame", [16, 40])
def test_a_contact_at_the_very_time_of_a_frame_shows_in_it(frame: int) -> None:
    # Without friction at 1 m/s the gap is closed after `frame` / 25.6 s, which binary numbers hold exactly.
    first, second = thing("red", mu=0.0, size=0.25, vel=(1.0, 0.0)), thing("blue", mu=0.0, size=0.25)
    second = second.model_copy(update={"pos": (0.5 + frame / 25.6, 0.0)})
    stage = film(sample("CC", things=(first, second)))
    assert stage.look[:, 0].tolist() == [0] * frame + [1] * (128 - frame)


def test_bodies_stand_on_the_floor_and_move_as_simulated() -> None:
    for spec, labels in drawn():
        stage, path = film(spec), track(spec)
        half = np.array([solid.half for solid in stage.solids])
        assert (stage.pos[..., 2] == half[:, 2]).all()
        np.testing.assert_allclose(np.linalg.norm(stage.quat, axis=-1), 1, atol=1e-12)
        assert labels.contact is not None
        (first, *_) = path.meetings
        assert first.time == pytest.approx(labels.contact.time, abs=1e-9)
        assert first.through == (labels.meaning == "passes_through")


def test_walls_are_boxes_behind_the_objects_in_the_list() -> None:
    for spec, _ in of("Wall"):
        stage, (wall,) = film(spec), spec.walls
        assert (stage.solids[-1].name, stage.solids[-1].form) == ("wall", "box")
        assert stage.solids[-1].half == (*wall.half, wall.height / 2)
        assert (stage.pos[:, -1, :2] == wall.pos).all()


def test_a_rolling_sphere_turns_by_its_way_over_its_radius() -> None:
    ball = thing("red", "sphere", vel=(0.6, 0.8), roll=(0.6, 0.8))
    path = track(sample("LMC", things=(ball, thing("blue", pos=(-2.0, -2.0)))))
    way = np.linalg.norm(path.pos[:, 0] - path.pos[0, 0], axis=-1)
    np.testing.assert_allclose(path.quat[:, 0, 0], np.cos(way / ball.size / 2), atol=1e-9)
    axis = path.quat[1, 0, 1:] / np.linalg.norm(path.quat[1, 0, 1:])
    np.testing.assert_allclose(axis, (-0.8, 0.6, 0), atol=1e-9)


def test_a_spinning_cube_turns_about_the_vertical() -> None:
    cube = thing("red", vel=(0.1, 0.0), yaw=0.3, spin=2.0, kappa=1.0)
    path = track(sample("LMC", things=(cube, thing("blue", pos=(-2.0, -2.0)))))
    angle = 2 * np.arctan2(path.quat[:, 0, 3], path.quat[:, 0, 0])
    # Spin friction of mu g / half side: at rest after w² / (2 mu g / half side).
    slowing = 0.24 * 9.8 / 0.35
    assert angle[0] == pytest.approx(0.3)
    assert angle[-1] == pytest.approx(0.3 + 4 / (2 * slowing))
    assert (path.quat[:, 0, 1:3] == 0).all()


def test_together_or_alone_gives_the_same_film() -> None:
    specs = [spec for spec, _ in drawn()]
    for spec, path in zip(specs[::7], tracks(specs)[::7], strict=True):
        alone = track(spec)
        for name in ("times", "pos", "vel", "quat", "omega", "look"):
            np.testing.assert_array_equal(getattr(path, name), getattr(alone, name))
        assert path.meetings == alone.meetings


def test_styles_do_not_change_how_a_sample_looks() -> None:
    spec, labels = of("LMC")[0]
    plain = film(spec)
    for style in STYLES:
        stage = BENCHMARK.picture(spec, labels, View("film", frames=128, style=style))
        assert stage.looks == plain.looks
        np.testing.assert_array_equal(stage.pos, plain.pos)


def test_size_follows_the_film_and_the_scale() -> None:
    spec, _ = of("LMC")[0]
    assert (film(spec).width_px, film(spec).height_px) == (480, 320)
    small = picture(spec, None, View("film", scale=0.75, frames=4))
    assert (small.width_px, small.height_px) == (360, 240)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (View("final"), "no kind 'final'"),
        (View("film", frames=129), "129 frames; the film of"),
        (View("film", frames=0), "0 frames"),
        (View("first_frame", scale=0.001), "leaves no pixel"),
    ],
)
def test_views_that_cannot_be_drawn_are_named(view: View, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        picture(of("LMC")[0][0], None, view)


def test_a_camera_sees_its_target_in_the_middle() -> None:
    camera = Camera(position=(0.0, -10.0, 5.0), target=(0.0, 0.0, 0.0), fov_deg=30.0)
    middle, right, above, far, behind = camera.project(
        np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 5, 0], [0, -20, 5]]), 480, 320
    )
    assert middle.tolist() == pytest.approx([240, 160, 125**0.5])
    assert right[0] > 240
    assert above[1] < 160
    assert far[1] < 160
    assert far[2] > middle[2]
    assert np.isnan(behind[:2]).all()
    # A vertical half angle above the target lies at the upper edge.
    up = np.cross((1.0, 0, 0), (0.0, 10, -5)) / 125**0.5
    edge = camera.project(up * 125**0.5 * np.tan(np.radians(15)), 480, 320)
    assert edge[1] == pytest.approx(0, abs=1e-9)
