"""Minimum-jerk profiles against their polynomial, and poses against matrices."""

import numpy as np
import pytest

from jaxphys_benchmarks.enact.play import body, motion
from jaxphys_benchmarks.enact.world.robot import REACH, Pose, shoulders
from jaxphys_kernels.quaternions import matrices

TIGHT = 1e-12
"""Rounding of a few products in double precision."""


def _poses(count: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    quat = rng.normal(size=(count, 4))
    return np.concatenate([rng.normal(size=(count, 3)), quat / np.linalg.norm(quat, axis=1, keepdims=True)], 1)


def test_a_profile_rests_at_both_ends_and_peaks_in_the_middle() -> None:
    s = np.concatenate([[0.0], motion.profile(1000)])
    speed = np.diff(s) * 1000
    assert s[-1] == 1.0
    assert s[500] == pytest.approx(0.5)
    assert speed[0] < 1e-4
    assert speed[-1] < 1e-4
    assert speed.max() == pytest.approx(motion.PEAK, rel=1e-4)


def test_poses_compose_as_matrices_do() -> None:
    outer, inner = _poses(20), _poses(40)[20:]
    found = motion.compose(outer, inner)
    turns = matrices(outer[:, 3:]) @ matrices(inner[:, 3:])
    places = outer[:, :3] + np.einsum("kij,kj->ki", matrices(outer[:, 3:]), inner[:, :3])
    assert np.abs(matrices(found[:, 3:]) - turns).max() < TIGHT
    assert np.abs(found[:, :3] - places).max() < TIGHT
    back = motion.relative(outer, found)
    assert np.abs(back - inner).max() < TIGHT
    # Of q and -q, which are one turn, the one with w positive.
    signs = np.where(outer[:, 3:4] < 0, -1.0, 1.0)
    assert np.abs(motion.quaternion(matrices(outer[:, 3:])) - signs * outer[:, 3:]).max() < 1e-9


def test_a_path_between_poses_takes_the_shorter_turn() -> None:
    start, end = _poses(2)
    path = motion.between(start, end, np.array([0.0, 0.5, 1.0]))
    flipped = motion.between(start, np.concatenate([end[:3], -end[3:]]), np.array([0.0, 0.5, 1.0]))
    assert np.abs(path - flipped).max() < TIGHT
    assert np.abs(path[0] - start).max() < TIGHT
    assert np.abs(path[2, :3] - end[:3]).max() < TIGHT
    first, second = path[1, 3:] @ path[0, 3:], path[1, 3:] @ path[2, 3:]
    assert first == pytest.approx(second)
    assert first > np.cos(np.pi / 4) - TIGHT


def test_a_hand_faces_what_it_comes_from() -> None:
    away = np.array([-0.6, 0.0, 0.8])
    turn = matrices(motion.facing(away, np.array([0.0, 1.0, 0.0])))
    assert turn[:, 2] == pytest.approx(away)
    assert turn[:, 1] == pytest.approx([0, 1, 0])


def test_the_torso_bends_as_little_as_reaches() -> None:
    robot = np.zeros(7)
    near, far = np.array([0.5, 0.2, 1.1]), np.array([1.1, 0.2, 0.9])
    found, missing = body.posture(robot, [(0, near)])
    assert missing == 0
    assert found[4] == 0
    found, missing = body.posture(robot, [(0, far)])
    assert missing == 0
    assert found[4] > 0
    assert np.linalg.norm(shoulders(Pose(*found))[0] - far) <= REACH
    assert body.short(robot, 0, np.array([3.0, 0.0, 1.0])) > 1


def test_the_head_turns_to_what_it_looks_at() -> None:
    robot = np.zeros(7)
    found = body.look(robot, np.array([2.0, 0.0, 1.0]))
    assert found[5] == 0
    assert 0.2 < found[6] < 0.6
    assert body.look(robot, np.array([1.0, 1.0, 1.0]))[5] > 0.5
