"""Replays: the motion from start to end, the truth told only with labels, and what cannot be shown."""

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jaxphys import billiards
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.replay import whole_track
from jaxphys_benchmarks.replay import MOST_FRAMES, Replay, Replayed, frame_times
from jaxphys_benchmarks.stage_table import BED, ball_name, table_stage

OPTIONS: dict[str, dict[str, Any]] = {
    "billiardphys": {"windows": (2.0,)},
    "inphyre": {"scenarios": ("LMC",)},
    "reacthuman": {"families": ("object_drop",), "timing": "event"},
}
TRUTH = {
    "billiardphys": {"hits balls", "hits walls"},
    "inphyre": {"first contact", "what happens"},
    "reacthuman": {"what to do", "impact", "nearest to the robot"},
}
"""Facts that only labels can tell."""


@functools.cache
def _made(name: str) -> tuple[Any, Any, Any, Replay]:
    benchmark = registry.get(name, **OPTIONS[name])
    spec = benchmark.sample(3, 1)[0]
    (labels,) = benchmark.label([spec], *benchmark.simulate([spec]))
    assert isinstance(benchmark, Replayed)
    return benchmark, spec, labels, benchmark.replay(spec, labels)


@pytest.mark.parametrize("name", registry.names())
def test_a_replay_is_evenly_spaced_and_tells_the_truth_only_with_labels(name: str) -> None:
    benchmark, spec, _, replay = _made(name)
    stage = replay.stage
    np.testing.assert_allclose(np.diff(stage.times), 1 / stage.fps, rtol=0, atol=2e-6)
    moving = np.ptp(stage.pos, axis=0).max(axis=-1) > 0.01
    assert moving.any()
    assert np.isfinite(stage.pos).all()
    blind = benchmark.replay(spec, None)
    assert set(replay.facts) - set(blind.facts) == TRUTH[name]
    np.testing.assert_array_equal(blind.stage.pos, stage.pos)


def test_from_its_eyes_a_robot_is_not_seen() -> None:
    _, spec, _, replay = _made("reacthuman")
    seen = replay.seen_by("egocentric")
    assert list(seen.cameras) == ["egocentric"]
    assert replay.stage.parts("robot")
    assert not seen.stage.parts("robot")
    np.testing.assert_array_equal(
        seen.stage.pos[:, seen.stage.parts(spec.tracked)], replay.stage.pos[:, replay.stage.parts(spec.tracked)]
    )
    assert replay.seen_by("overhead").stage.solids == replay.stage.solids
    window = (spec.timing.freeze_step - spec.timing.t0_step) * spec.physics.dt
    first, last = (float(word) for word in replay.shown.split() if word.replace(".", "").isdecimal())
    assert last - first == pytest.approx(window, abs=0.011)


@pytest.mark.parametrize(
    ("hidden", "message"),
    [
        ({"kitchen": frozenset({"robot"})}, "'kitchen' is no camera"),
        ({"observer": frozenset({"cat"})}, "'cat' is no body"),
    ],
)
def test_what_is_hidden_must_be_there(hidden: dict[str, frozenset[str]], message: str) -> None:
    with pytest.raises(ValueError, match=f"hidden: {message}"):
        replace(_made("reacthuman")[3], hidden=hidden)


def test_balls_roll_from_the_stroke_to_where_the_labels_have_them() -> None:
    _, spec, labels, replay = _made("billiardphys")
    stage, n = replay.stage, len(labels.pos)
    np.testing.assert_array_equal(stage.pos[0, :n, :2], spec.positions)
    np.testing.assert_allclose(stage.pos[-1, :n, :2], labels.pos, rtol=0, atol=1e-9)
    assert stage.times[-1] == spec.t
    assert replay.tags == {ball_name(k): str(k) for k in range(n)}


def test_a_film_is_replayed_whole() -> None:
    _, spec, labels, replay = _made("inphyre")
    assert len(replay.stage) == spec.film.frames
    assert f"{labels.contact.time:.3f} s" in replay.facts["first contact"]


def test_a_hazard_is_replayed_beyond_what_is_observed() -> None:
    benchmark, spec, _, replay = _made("reacthuman")
    whole, seen = whole_track(spec, fps=240.0), observed(spec)
    steps = [round((t - whole.times[0]) * 240) for t in seen.times]
    np.testing.assert_allclose(np.array(whole.pos)[steps], seen.pos, rtol=0, atol=2e-6)
    assert whole.times[-1] == pytest.approx(spec.scene.horizon)
    assert whole.times[-1] > seen.times[-1]
    assert next(iter(replay.cameras)) == benchmark.views[0]
    assert {"room north", "object"} & replay.around == {"room north"}
    assert any(solid.of == "robot" for solid in replay.stage.solids)


def test_a_captured_ball_leaves_the_table_and_a_missing_wall_is_not_there() -> None:
    world, state = billiards.make_scene(
        pos=[[[0.2, 0.5], [0.6, 0.5]]], vel=[[[1.0, 0.0], [0.0, 0.0]]], size=None, mu=0.0, pockets=[(0.9, 0.5, 0.06)]
    )
    stage, status = table_stage(world, state, 1.0, billiards.Rules(), 30.0)
    assert status == 0
    assert len(stage) == 31
    heights = stage.pos[:, 1, 2]
    radius = stage.solids[1].half[2]
    assert heights[0] == radius
    assert heights[-1] + radius < -BED
    names = {solid.name for solid in stage.solids}
    assert "pocket 0" in names
    assert not {"cushion left", "cushion top"} & names


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf"), 1e6])
def test_a_rate_that_gives_no_frames_or_too_many_is_an_error(fps: float) -> None:
    with pytest.raises(ValueError, match=r"^fps: .*give"):
        frame_times(0.0, 10.0, fps)
    benchmark, spec, *_ = _made("reacthuman")
    with pytest.raises(ValueError, match=r"^fps: .*give"):
        benchmark.replay(spec, None, fps=fps)


def test_the_longest_replay() -> None:
    times = frame_times(1.0, 1.0 + (MOST_FRAMES - 1) / 60, 60.0)
    assert (len(times), times[0]) == (MOST_FRAMES, 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cameras": {}}, "cameras: none"),
        ({"tags": {"ghost": "boo"}}, "tags: 'ghost'"),
        ({"around": frozenset({"ghost"})}, "around: 'ghost'"),
    ],
)
def test_a_replay_names_what_does_not_fit(change: dict[str, Any], message: str) -> None:
    replay = _made("billiardphys")[3]
    given: dict[str, Any] = {"stage": replay.stage, "cameras": replay.cameras, **change}
    with pytest.raises(ValueError, match=message):
        Replay(**given)
