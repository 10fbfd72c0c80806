"""Hands of plans in the frames of the controller (humanoid specification, section 13, test 17)."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import distances
from jaxphys_benchmarks.reacthuman.execution.mapping import Z_REF, kernel_plan, to_heading, to_world
from jaxphys_benchmarks.reacthuman.plan import KeyFrame, Plan

GOLDEN = Plan(
    walking_cmd=(-0.7, 0.0, 0.1),
    walking_duration=0.7,
    keyframes=(
        KeyFrame(t=0.0, left_hand=(0.1, 0.15, 0.0), right_hand=(0.1, -0.15, 0.0)),
        KeyFrame(t=0.4, left_hand=(0.5, 0.12, -0.25), right_hand=(0.5, -0.12, -0.25), knee_bend=0.25),
        KeyFrame(t=1.0, left_hand=(0.4, 0.12, -0.2), right_hand=(0.4, -0.12, -0.2), knee_bend=0.2),
    ),
)
"""The published plan (ReactHuman specification, section 11)."""


def test_the_heading_frame_of_a_robot_that_faces_north_is_the_frame_of_plans() -> None:
    rng = np.random.default_rng(0)
    hands, root = rng.uniform(-1, 1, (50, 3)), (0.3, -1.2, Z_REF)
    here = to_world(to_heading(hands), np.array(root), np.array(np.pi / 2))
    assert np.abs(here - distances.to_world(hands, root)).max() < 1e-9


def test_a_robot_that_has_turned_takes_its_hands_along() -> None:
    ahead = to_heading(np.array([0.4, 0.0, 0.1]))
    there = to_world(ahead, np.array([1.0, 2.0, 0.5]), np.array(np.pi))
    assert there == pytest.approx([0.6, 2.0, Z_REF + 0.1])


def test_plans_of_any_length_have_one_form() -> None:
    found = kernel_plan([GOLDEN, None, GOLDEN.model_copy(update={"keyframes": GOLDEN.keyframes[:1]})])
    assert found.kt.shape == (3, 8)
    assert found.kt[0, :4].tolist() == [0.0, 0.4, 1.0, 1.0]
    assert found.kl[0, 1].tolist() == [0.5, 0.12, Z_REF - 0.25]
    assert found.kr[0, 7].tolist() == [0.4, -0.12, Z_REF - 0.2]
    assert found.kb[0, :3].tolist() == [0.0, 0.25, 0.2]
    assert found.cmd[0].tolist() == [-0.7, 0.0, 0.1]
    assert found.dur.tolist() == [0.7, 0.0, 0.7]
    # Without a plan the robot stands, and its arms are the policy's.
    assert found.use.tolist() == [1.0, 0.0, 1.0]
    assert not found.cmd[1].any()


def test_no_plans_are_refused() -> None:
    with pytest.raises(ValueError, match="plans: empty"):
        kernel_plan([])
