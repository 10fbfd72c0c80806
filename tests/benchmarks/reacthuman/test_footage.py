"""Single frames and whole films: the same motion as the films that questions show, at the times that they say."""

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import Shown, View
from jaxphys_benchmarks.reacthuman import footage
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.stage import Stage
from tests.benchmarks.reacthuman.made_scenes import labelled

CONFIG = ReactHumanConfig(families=("rolling_ball",), size_px=(96, 64), fps=20)


def drawn(kind: str, frames: int = 1, index: int = 1) -> Stage:
    spec, labels = labelled("rolling_ball", decoy_fraction=0.0)[index]
    return footage.drawn(spec, labels, View(kind, frames=frames), CONFIG)


@pytest.mark.parametrize("k", [0, 2, 4])
def test_a_frame_is_that_of_the_film(k: int) -> None:
    film, frame = drawn("observer_film", 5), drawn(f"observer_frame_{k}")
    assert len(frame) == 1
    assert frame.times[0] == film.times[k]
    np.testing.assert_array_equal(frame.pos[0], film.pos[k])
    assert frame.camera == film.camera


@pytest.mark.parametrize("view", ["egocentric", "overhead"])
def test_the_motion_goes_from_the_release_to_the_horizon(view: str) -> None:
    """Every twelfth recorded step at 20 Hz; at the observed times the bodies are where they were observed."""
    spec, _ = labelled("rolling_ball", decoy_fraction=0.0)[1]
    frames = round(spec.scene.horizon * 20) + 1
    film = drawn(f"{view}_motion", frames)
    assert len(film) == frames
    assert film.fps == pytest.approx(20)
    assert film.times[-1] == pytest.approx(spec.scene.horizon)
    assert bool(film.parts("robot")) == (view != "egocentric")
    seen = drawn(f"{view}_film", 5)
    for k, time in enumerate(seen.times):
        if abs(time * 20 - round(time * 20)) < 1e-6:
            np.testing.assert_allclose(film.pos[round(time * 20)], seen.pos[k], atol=1e-6)
    assert drawn(f"{view}_motion", 2).times == pytest.approx((0, spec.scene.horizon))


@pytest.mark.parametrize(
    ("kind", "frames", "message"),
    [
        ("observer_frame_5", 1, "frame 5; rolling_ball/scene_00001 has frames 0 to 4"),
        ("observer_motion", 62, "62 frames; the motion of rolling_ball/scene_00001 has 61"),
        ("kitchen_motion", 1, "no camera 'kitchen'"),
        ("kitchen_frame_1", 1, "no camera 'kitchen'"),
    ],
)
def test_what_there_is_not_is_named(kind: str, frames: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        drawn(kind, frames)


def test_the_published_files_have_their_names() -> None:
    benchmark = ReactHuman(families="rolling_ball", views=("egocentric", "closeup"), fps=20)
    spec, labels = labelled("rolling_ball", decoy_fraction=0.0)[1]
    made = dict(benchmark.layouts["published"]([(spec, labels)]))
    folder = spec.published_id()
    times = ("0.000", "0.150", "0.300", "0.450", "0.600")
    names = {f"{folder}/{view}/brain_view_t{time}.png" for view in ("egocentric", "closeup") for time in times}
    assert set(made) == {f"{folder}/scene.json", f"{folder}/egocentric.mp4", f"{folder}/closeup.mp4"} | names
    film = made[f"{folder}/closeup.mp4"]
    assert isinstance(film, Shown)
    assert film.view == View("closeup_motion", frames=61)
    assert made[f"{folder}/scene.json"] == benchmark.published(spec, labels)["ground_truth.json"]


@pytest.mark.parametrize("frames", [3, 5])
def test_films_have_as_many_frames_as_are_observed(frames: int) -> None:
    assert set(ReactHuman(frames=frames).films.values()) == {frames}
