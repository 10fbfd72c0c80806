"""What the humanoid's question compares: the peer executes the same plans, and only large batches have a target."""

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[humanoid]' in the checkout")
pytest.importorskip("orbax.checkpoint", reason="orbax is missing; run pip install '.[humanoid]' in the checkout")

from bench import humanoid as question
from bench.rows import Row
from bench.targets import target_of
from jaxphys import humanoid
from tests.humanoid_support import plans, robot


def test_the_loop_moves_as_our_robots_do() -> None:
    theirs = question.by_loop(plans(3), 12)()
    ours = humanoid.rollout(robot(), humanoid.policy("student"), plans(3), seconds=0.25, settle=0.0, backend="c")
    # The loop's controller counts in float64, the batch's in float32: joints of walking legs differ by 1e-4 rad.
    np.testing.assert_allclose(theirs, ours.qpos[:, -1], rtol=0, atol=5e-4)


def test_ticks_are_counted() -> None:
    assert question.pool(4).scenes == 4 * 96
    assert question.loop(4).scenes == question.mjx(4).scenes == 4 * question.TICKS


@pytest.mark.parametrize(("name", "ratio", "met"), [("c 64", 6.0, True), ("c 512", 4.9, False)])
def test_large_batches_have_a_target(name: str, ratio: float, met: bool) -> None:
    row = Row(question.SPEED, name, 1.0, "ticks/s", question.LOOP, ratio)
    target = target_of(row)
    assert target is not None
    assert target.met_by(row) is met


@pytest.mark.parametrize("name", ["c 1", "python loop 64"])
def test_other_rows_have_none(name: str) -> None:
    assert target_of(Row(question.SPEED, name, 1.0, "ticks/s", question.LOOP, 1.0)) is None
