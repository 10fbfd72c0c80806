"""Observations: the window across the freeze, frames of the robot, and the scene as baselines are told it."""

import numpy as np
import pytest

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.baselines import baselines
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.loop import Joints, LoopConfig, as_seen
from jaxphys_benchmarks.reacthuman.loop.answering import Answering
from jaxphys_benchmarks.reacthuman.loop.observation import NORTH
from jaxphys_benchmarks.reacthuman.loop.window import pasts, window
from jaxphys_benchmarks.reacthuman.measure import label
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.plan import REST
from jaxphys_benchmarks.reacthuman.simulate import simulate
from tests.benchmarks.reacthuman.asked_scenes import question
from tests.benchmarks.reacthuman.loop.loop_scenes import DT, FREEZE, ball, flight, labels, observation, still

OFFSETS = np.array([-144, -108, -72, -36, 0])
ROUNDING = 5e-3
"""By how far inner steps lag behind the parabola (m)."""


@pytest.fixture(scope="module")
def past() -> object:
    (found,) = pasts([ball()])
    return found


@pytest.mark.parametrize("frames", [1, 2, 8, 10, 30, 60])
def test_a_window_ends_with_the_newest_frame_whatever_lies_before_the_freeze(past, frames: int) -> None:
    seen = window(ball(), past, still(frames))
    newest = 4 * (frames - 1)
    assert seen.times == pytest.approx((newest + OFFSETS) * DT)
    steps = FREEZE + newest + OFFSETS
    assert np.abs(seen.pos[:, 0] - flight(steps)).max() < ROUNDING
    assert seen.robot.shape == (5, 36)
    assert seen.quat.shape == (5, 1, 4)


def test_the_window_at_the_freeze_is_that_of_the_scene(past) -> None:
    seen = window(ball(), past, still(1))
    track = observed(ball())
    assert seen.pos == pytest.approx(np.array(track.pos), abs=1e-6)
    assert seen.times == pytest.approx(np.array(track.times) - track.times[-1], abs=1e-6)


def test_frames_between_recorded_ones_are_the_nearest_recorded_ones(past) -> None:
    seen = window(ball(), past, still(20, stride=5))
    assert seen.times[-1] == pytest.approx(95 * DT)
    assert seen.times[1:] - seen.times[:-1] == pytest.approx(36 * DT, abs=5 * DT)
    on_grid = seen.times[seen.times > 0] / (5 * DT)
    assert on_grid == pytest.approx(np.round(on_grid))


def test_without_recorded_frames_nothing_is_seen(past) -> None:
    with pytest.raises(ValueError, match="record_steps: 0"):
        window(ball(), past, still(0))


def test_the_frame_of_the_robot_is_that_of_plans() -> None:
    points = np.array([[0.3, -0.2, 1.0], [-0.5, 0.4, 0.2]])
    root = ball().robot_root
    assert observation().to_robot(points) == pytest.approx(np.array([to_body(tuple(p), root) for p in points]))
    turned = observation(yaw=0.0, root=np.array([1.0, 2.0, 0.7]))
    # It faces +x now: what is north of it is on its left. Up counts from the height of a pelvis that stands.
    assert turned.to_robot(np.array([1.5, 2.25, 0.79])) == pytest.approx([0.5, 0.25, 0.0])


def test_at_the_freeze_a_scene_is_told_as_it_is() -> None:
    spec, told = as_seen(observation(), labels())
    assert spec.model_copy(update={"robot": ball().robot}) == ball()
    assert (spec.robot.x, spec.robot.y, spec.robot.z) == (0.1, -0.8, 0.79)
    assert told.track is not None
    assert np.array(told.track.pos) == pytest.approx(observation().window.pos)
    assert told.track.times[-1] == 0
    assert told.impact_point == pytest.approx(labels().impact_point)


@pytest.mark.parametrize("yaw", [NORTH, 0.3, -2.0, 3.0])
def test_a_scene_is_told_as_if_the_robot_faced_north(yaw: float) -> None:
    seen = observation(yaw=yaw, root=np.array([0.4, -0.2, 0.7]), time=0.4)
    spec, told = as_seen(seen, labels(impact_velocity=(0.0, -2.0, 0.0)))
    assert told.track is not None
    for k in range(5):
        told_place = to_body(told.track.pos[k][0], spec.robot_root)
        assert told_place == pytest.approx(seen.to_robot(seen.window.pos[k, 0]))
    assert told.impact_point is not None
    assert to_body(told.impact_point, spec.robot_root) == pytest.approx(seen.to_robot(np.array([0.1, -0.35, 0.84])))
    assert told.tti == pytest.approx(0.075)
    assert told.impact_velocity is not None
    turn = NORTH - yaw
    assert told.impact_velocity == pytest.approx((2 * np.sin(turn), -2 * np.cos(turn), 0.0))
    ahead = np.diff(np.array(told.track.pos)[:, 0], axis=0) / 0.15
    assert np.array(told.track.vel)[1:, 0] == pytest.approx(ahead)


def test_spins_are_those_of_the_orientations() -> None:
    rate, times = 3.0, np.array([-0.3, -0.15, 0.0])
    quat = np.stack([np.cos(rate * times / 2), 0 * times, 0 * times, np.sin(rate * times / 2)], axis=-1)[:, None]
    # The same turn, told by the other of two quaternions.
    quat[2] *= -1
    base = observation().window
    frames = Motion(times, base.robot[:3], base.pos[:3], quat, base.palms[:3])
    _, told = as_seen(observation(window=frames), labels())
    assert told.track is not None
    assert np.array(told.track.omega)[:, 0] == pytest.approx(np.tile([0.0, 0.0, rate], (3, 1)))


def test_a_baseline_answers_about_the_scene_as_it_is_now() -> None:
    policy = Answering(baselines()["constant_velocity"], [labels()])
    policy.begin([ball()])
    later = observation(time=0.3, window=Motion(
        OFFSETS * DT + 0.3, observation().window.robot, flight(FREEZE + 72 + OFFSETS)[:, None],
        observation().window.quat, observation().window.palms,
    ))  # fmt: skip
    first, second = policy.decide([observation(), later])
    assert first is not None
    assert second is not None
    # At first it rises and seems to pass overhead; by the second look it has come down, and is reached for.
    assert first.keyframes[-1].left_hand == REST[0]
    assert second.keyframes[-1].left_hand[0] > 0.3
    # As the robot has turned to the right, the ball is on its left.
    (turned,) = policy.decide([observation(time=0.3, window=later.window, yaw=NORTH - 0.5)])
    assert turned is not None
    assert turned.keyframes[-1].left_hand[1] > second.keyframes[-1].left_hand[1]


def test_the_oracle_knows_where_it_will_be_as_seen_from_the_robot_now() -> None:
    policy = Answering(baselines()["oracle"], [labels()])
    policy.begin([ball()])
    here, moved = policy.decide([observation(), observation(root=np.array([0.1, -0.7, 0.76]), time=0.1)])
    assert here is not None
    assert moved is not None
    ahead = here.keyframes[-1].left_hand[0] - moved.keyframes[-1].left_hand[0]
    assert ahead == pytest.approx(0.1, abs=1e-5)


def test_what_is_seen_can_be_drawn_from_the_head() -> None:
    stage = observation().picture(View("egocentric_film", scale=0.1, frames=5))
    assert len(stage) == 5
    assert len(stage.cameras) == 5
    with pytest.raises(ValueError, match="6 frames"):
        observation().picture(View("egocentric_film", frames=6))


@pytest.mark.parametrize("targets", [np.zeros(28), np.full(29, np.nan), np.zeros((1, 29))], ids=["few", "nan", "shape"])
def test_joint_targets_are_checked(targets: np.ndarray) -> None:
    with pytest.raises(ValueError, match="targets: shape"):
        Joints(targets)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"every": 0.01}, "every"), ({"latency": -0.1}, "latency: -0.1"), ({"latency": "slow"}, "latency"),
     ({"until": -1}, "until"), ({"often": 1}, "often")],
)  # fmt: skip
def test_bad_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LoopConfig(**options)


def test_rounds_come_on_the_whole_at_the_rate_that_is_asked_for() -> None:
    assert LoopConfig(every=0.2, until=1.0).schedule == (0, 10, 19, 29, 38, 48)
    assert LoopConfig(every=0.5, until=0.0).schedule == (0,)
    assert LoopConfig(every=5 / 240, until=0.1).schedule == (0, 1, 2, 3, 4)
    # Nobody is asked when the run is over.
    assert max(LoopConfig(every=1.0, until=60).schedule) < LoopConfig().execution.ticks
    assert [LoopConfig().ticks_of(seconds) for seconds in (0.0, 1e-3, 5 / 240, 0.1)] == [0, 1, 1, 5]
    # However long an answer takes, it is only never in time.
    assert LoopConfig().ticks_of(1.7e308) > LoopConfig().execution.ticks


def test_labels_of_a_ball_are_what_the_tests_take_them_for() -> None:
    config = ReactHumanConfig(visible_px=0)
    (truth,) = label([ball()], simulate([ball()]), config.catalogue, config)
    assert truth.tti == pytest.approx(labels().tti, abs=5e-3)
    assert truth.impact_point == pytest.approx(labels().impact_point, abs=0.02)
    assert question(ball()).reads["root"] == [0.1, -0.8, 0.79]
