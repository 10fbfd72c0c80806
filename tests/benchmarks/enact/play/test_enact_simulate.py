"""Recordings: the same bits whatever the workers, mirror images that are one in all facts, robots that are refused."""

from dataclasses import fields

import numpy as np
import pytest

from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.config_world import Robot
from jaxphys_benchmarks.enact.play.recording import Recording
from jaxphys_benchmarks.enact.play.simulate import simulate, simulate_many
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_kernels.household.facts import facts
from jaxphys_kernels.household.layout import Sensed, Thresholds

CONFIG = EnactConfig()
SPECS = [EpisodeSpec(activity="bringing_water", seed=seed) for seed in (0, 1)]


@pytest.fixture(scope="module")
def recordings() -> list[Recording]:
    return simulate_many(SPECS, CONFIG)


def test_bits_do_not_depend_on_workers(recordings: list[Recording]) -> None:
    for one, other in zip(recordings, simulate_many(SPECS, CONFIG, workers=2), strict=True):
        assert one.log == other.log
        assert one.spec == other.spec
        assert np.array_equal(one.hands, other.hands)
        assert np.array_equal(one.robot, other.robot)
        for field in fields(one.sensed):
            assert np.array_equal(getattr(one.sensed, field.name), getattr(other.sensed, field.name)), field.name


def test_an_episode_succeeds_and_differs_from_that_of_another_seed(recordings: list[Recording]) -> None:
    assert all(recording.failures == () for recording in recordings)
    assert not np.array_equal(recordings[0].sensed.pos[0], recordings[1].sensed.pos[0])


def test_a_mirrored_episode_is_the_mirror_image_in_all_facts(recordings: list[Recording]) -> None:
    image = simulate(SPECS[0].model_copy(update={"mirrored": True}), CONFIG)
    own = recordings[0]
    assert image.house.mirrored
    assert [entry.hand for entry in image.log if entry.hand >= 0] == [
        1 - entry.hand for entry in own.log if entry.hand >= 0
    ]
    kept = slice(0, None, 40)
    limits = Thresholds()
    found = [facts(np, layout_of(one.house), _some(one, kept), limits) for one in (own, image)]
    for field in fields(found[0]):
        one, other = (getattr(value, field.name) for value in found)
        other = other[:, [1, 0]] if field.name == "grasping" else other
        assert np.array_equal(one, other), field.name
    assert found[0].open.any()
    assert found[0].inside.any()
    assert found[0].contains.any()


def _some(recording: Recording, kept: slice) -> Sensed:
    return Sensed(**{field.name: getattr(recording.sensed, field.name)[kept] for field in fields(recording.sensed)})


def test_the_camera_is_where_the_head_is(recordings: list[Recording]) -> None:
    pose = recordings[0].camera(CONFIG.camera, [0])[0]
    assert pose[2] == pytest.approx(CONFIG.camera.height, abs=0.02)
    assert np.linalg.norm(pose[3:]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("robot", "word"), [(Robot(level="B"), "robot.level"), (Robot(grasp_backend="spring"), "robot.grasp_backend")]
)
def test_robots_that_there_are_not_are_refused(robot: Robot, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        simulate(SPECS[0], CONFIG.model_copy(update={"robot": robot}))


def test_workers_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="workers"):
        simulate_many(SPECS, CONFIG, workers=0)
