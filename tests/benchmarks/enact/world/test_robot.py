"""The robot's geometry, and the names of episodes."""

import numpy as np
import pytest
from pydantic import ValidationError

from jaxphys_benchmarks.enact.config_world import Camera
from jaxphys_benchmarks.enact.world import robot
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec, spec_of
from jaxphys_benchmarks.enact.world.things import rotation


def test_the_camera_is_where_the_configuration_says() -> None:
    spot, turn = robot.camera_pose(robot.Pose(), Camera())
    assert spot[2] == pytest.approx(1.75)
    assert np.allclose(turn, np.eye(3))
    for height in (2.25, 1.5):
        assert robot.camera_pose(robot.Pose(), Camera(height=height))[0][2] == pytest.approx(height)
    moved, facing = robot.camera_pose(robot.Pose(x=1.0, y=2.0, heading=np.pi / 2, tilt=0.5), Camera())
    assert moved[2] == pytest.approx(1.75)
    assert np.allclose(moved[:2], [1.0 - spot[1], 2.0 + spot[0]])
    assert np.allclose(facing[:, 0], [0.0, np.cos(0.5), -np.sin(0.5)])


def test_arms_have_their_lengths_within_reach() -> None:
    pose = robot.Pose(heading=0.4, lift=0.2, pitch=0.3)
    rng = np.random.default_rng(0)
    for k, shoulder in enumerate(robot.shoulders(pose)):
        for _ in range(50):
            line = rng.normal(size=3)
            end = shoulder + line / np.linalg.norm(line) * rng.uniform(0.1, robot.UPPER + robot.FORE - 0.01)
            outward = rotation(pose.turn) @ np.array([0.0, 1.0 - 2 * k, 0.0])
            middle = robot.elbow(shoulder, end, outward)
            assert np.linalg.norm(middle - shoulder) == pytest.approx(robot.UPPER)
            assert np.linalg.norm(middle - end) == pytest.approx(robot.FORE)


def test_links_meet_each_other_and_mirror() -> None:
    pose = robot.Pose(0.3, 0.1, 0.2, 0.1, 0.2, 0.1, 0.4)
    hands = np.array([[0.8, 0.4, 1.0, 1, 0, 0, 0], [0.7, -0.1, 0.9, 1, 0, 0, 0]], float)
    spots, turns = robot.link_poses(pose, hands)
    names = [name for name, _ in robot.LINKS]
    assert np.allclose(np.linalg.norm(turns, axis=1), 1)
    for side, hand in zip(("left", "right"), hands, strict=True):
        upper, fore = names.index(f"{side}_upper_arm"), names.index(f"{side}_forearm")
        tip = spots[upper] + rotation(turns[upper]) @ np.array([0.0, 0.0, robot.UPPER])
        assert np.allclose(tip, spots[fore], atol=1e-6)
        wrist = spots[fore] + rotation(turns[fore]) @ np.array([0.0, 0.0, robot.FORE])
        assert np.allclose(wrist, robot.wrist(hand[:3], hand[3:]), atol=1e-6)
    # Left and right exchanged, seen in a mirror.
    flip = np.array([-1.0, 1.0, 1.0])
    other = robot.Pose(-0.3, 0.1, np.pi - 0.2, 0.1, 0.2, -0.1, 0.4)
    image, _ = robot.link_poses(other, np.concatenate([flip * hands[::-1, :3], hands[::-1, 3:]], axis=1))
    for k, name in enumerate(names):
        swapped = name.replace("left", "?").replace("right", "left").replace("?", "right")
        assert np.allclose(image[k], flip * spots[names.index(swapped)]), name


def test_task_names_tell_their_episode() -> None:
    for hands in ("alternate", "right", "left"):
        for mirrored in (False, True):
            spec = EpisodeSpec(activity="chop_an_onion", seed=1234, hands=hands, mirrored=mirrored)
            name, digits = spec.task_name.rsplit("_", 1)
            assert (name, len(digits)) == ("chop_an_onion", 16)
            assert spec_of(spec.task_name) == spec
    for wrong in ("chop_an_onion", "chop_12", "chop_9900000000000001", "chop_٣0000000000000001"):
        with pytest.raises(ValueError, match="task name"):
            spec_of(wrong)
    assert spec_of(EpisodeSpec(activity="putting_away_Halloween_decorations").task_name).mirrored is False
    with pytest.raises(ValidationError):
        EpisodeSpec(activity="../etc")


def test_draws_depend_on_their_purpose_alone() -> None:
    spec = EpisodeSpec(activity="chop_an_onion", seed=1)
    assert spec.rng("place").integers(1 << 60) == spec.rng("place").integers(1 << 60)
    assert spec.rng("place").integers(1 << 60) != spec.rng("motion").integers(1 << 60)
