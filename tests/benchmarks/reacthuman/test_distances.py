"""How near the hands come: by hand, by brute force, and where nothing is known."""

import math
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.distances import Distances, hands, measured, sampled, to_body, to_world, walked
from jaxphys_benchmarks.reacthuman.scene import Vector
from tests.benchmarks.reacthuman.asked_scenes import GOLDEN, frame, plan

ROOT: Vector = (0.3, -0.8, 0.79)
POINT: Vector = (0.25, -0.3, 0.9)


def of(tti: float | None = 0.3, point: Vector = POINT, **changes: Any) -> Distances:
    return measured(plan(**changes), ROOT, point, tti)


def test_the_body_frame_is_that_of_the_specification() -> None:
    hand = np.array([0.4, 0.12, -0.2])
    assert to_world(hand, ROOT).tolist() == pytest.approx([0.3 - 0.12, -0.8 + 0.4, 0.79 - 0.2])
    rng = np.random.default_rng(0)
    for place in rng.uniform(-2, 2, (20, 3)):
        x, y, z = to_world(place, ROOT).tolist()
        assert to_body((x, y, z), ROOT) == pytest.approx(place.tolist())


def test_a_single_key_frame() -> None:
    found = of(keyframes=[frame(0.5, [0.5, 0.05, 0.11], [0, 0, 0])])
    assert (found.d_end, found.d_min, found.d_close) == pytest.approx((0, 0, 0), abs=1e-12)
    assert found.root == pytest.approx(math.hypot(0.05, 0.5))
    assert not found.falls_short
    # At the impact the hands are three fifths of the way from their rest.
    left = np.array([0.10, 0.15, 0]) + 0.6 * (np.array([0.5, 0.05, 0.11]) - [0.10, 0.15, 0])
    assert found.d_at_impact == pytest.approx(math.dist(to_world(left, ROOT), POINT))


def test_the_path_is_sampled_between_the_key_frames() -> None:
    """The hands pass the point half way between two key frames that are 0.4 m from it."""
    goal = to_body(POINT, ROOT)
    passing = [
        frame(0.0, [goal[0], goal[1] + 0.4, goal[2]], [0, 0, 0]),
        frame(1.0, [goal[0], goal[1] - 0.4, goal[2]], [0, 0, 0]),
    ]
    found = of(tti=0.5, keyframes=passing)
    assert found.d_end == pytest.approx(0.4)
    assert found.d_min == pytest.approx(0.0, abs=1e-9)
    assert found.d_close == pytest.approx(0.4)
    assert found.d_at_impact == pytest.approx(0.0, abs=1e-9)


def test_the_golden_plan() -> None:
    point: Vector = (0.3, 0.2, 0.0)
    found = of(tti=0.02, point=point, **GOLDEN)
    ends = [math.dist(to_world(np.array(h), ROOT), point) for h in ((0.40, 0.12, -0.20), (0.40, -0.12, -0.20))]
    assert found.d_end == pytest.approx(min(ends))
    middle = [math.dist(to_world(np.array(h), ROOT), point) for h in ((0.50, 0.12, -0.25), (0.50, -0.12, -0.25))]
    assert found.d_min == pytest.approx(min(middle))
    assert found.falls_short
    # 0.7 m/s for 0.7 s back.
    retreated = (ROOT[0], ROOT[1] - 0.49, ROOT[2])
    assert found.d_end_walked == pytest.approx(
        min(math.dist(to_world(np.array(h), retreated), point) for h in ((0.40, 0.12, -0.20), (0.40, -0.12, -0.20)))
    )
    assert found.d_end_walked > found.d_end


def test_the_nearer_hand_counts_at_every_time() -> None:
    goal = np.array(to_body(POINT, ROOT))
    far = goal + np.array([0, 0, 0.5])
    found = of(keyframes=[frame(0, goal.tolist(), far.tolist()), frame(1, far.tolist(), goal.tolist())])
    assert found.d_end == pytest.approx(0, abs=1e-12)
    assert found.d_close == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("ahead", "short"), [(0.1, True), (-0.1, False), (0.0, False)])
def test_falling_short_looks_forward(ahead: float, short: bool) -> None:
    goal = to_body(POINT, ROOT)
    assert of(keyframes=[frame(0, [goal[0] - ahead, goal[1], goal[2]])]).falls_short is short


@pytest.mark.parametrize("tti", [None, -0.1])
def test_there_is_no_distance_at_an_impact_that_is_over_or_unknown(tti: float | None) -> None:
    found = of(tti=tti)
    assert found.d_at_impact is found.d_at_impact_walked is None
    assert "d_at_impact" not in found.as_numbers()
    assert found.as_numbers()["falls_short"] in (0.0, 1.0)


def test_an_impact_after_the_plan_finds_the_hands_where_they_ended() -> None:
    found = of(tti=2.5, keyframes=[frame(0), frame(0.4, [0.4, 0.1, 0.1])])
    assert found.d_at_impact == pytest.approx(found.d_end)


@pytest.mark.parametrize(
    "command", [(0.5, 0.2, 0.0), (-0.7, 0.0, 0.0), (0.4, -0.3, 1.1), (0.0, 0.5, -1.5), (1, 0, 1e-7)]
)
def test_walking_is_the_integral_of_the_command(command: tuple[float, float, float]) -> None:
    walks = plan(walking_cmd=list(command), walking_duration=1.2)
    times = np.array([0.0, 0.5, 1.2, 2.0])
    place, heading = walked(walks, times)
    dt, x, y, psi = 1e-4, 0.0, 0.0, 0.0
    steps = {}
    for k in range(int(2.0 / dt) + 1):
        steps[k] = (x, y, psi)
        if k * dt < 1.2 - 1e-9:
            middle = psi + command[2] * dt / 2
            ahead, left = command[0] * dt, command[1] * dt
            x += -ahead * math.sin(middle) - left * math.cos(middle)
            y += ahead * math.cos(middle) - left * math.sin(middle)
            psi += command[2] * dt
    for t, (px, py), turn in zip(times, place, heading, strict=True):
        assert (px, py, turn) == pytest.approx(steps[round(t / dt)], abs=1e-6)


def test_hands_turn_with_the_robot() -> None:
    """A quarter turn to the left takes a hand that was ahead to the west."""
    turning = plan(
        walking_cmd=[0, 0, 1.5], walking_duration=math.pi / 3, keyframes=[frame(0, [0.5, 0, 0], [0.5, 0, 0])]
    )
    west = (ROOT[0] - 0.5, ROOT[1], ROOT[2])
    assert measured(turning, ROOT, west, None).d_end_walked == pytest.approx(0, abs=1e-9)


def test_walking_beyond_the_last_key_frame_counts() -> None:
    found = of(
        point=(ROOT[0] - 0.15, ROOT[1] + 1.1, ROOT[2]),
        walking_cmd=[1.0, 0, 0],
        walking_duration=1.0,
        keyframes=[frame(0.0), frame(0.2)],
    )
    assert found.d_end_walked == pytest.approx(0, abs=1e-9)
    assert found.d_end == pytest.approx(1.0)


def test_sampling_holds_every_knot_and_240_per_second() -> None:
    times = sampled(np.array([0.1, 0.333, 1.0]))
    assert times[0] == 0.1
    assert times[-1] == 1.0
    assert 0.333 in times
    assert np.diff(times).max() <= 1 / 240 + 1e-12
    assert sampled(np.array([0.5])).tolist() == [0.5]
    assert len(sampled(np.array([0.0, 3.0]))) == 721


def test_distances_agree_with_brute_force() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        knots = np.sort(rng.uniform(0, 3, 4))
        frames = [frame(t, *rng.uniform(-1, 1, (2, 3)).tolist()) for t in knots]
        (x, y, z), wanders = rng.uniform(-1, 1, 3).tolist(), plan(keyframes=frames)
        found = measured(wanders, ROOT, (x, y, z), None)
        fine = np.union1d(np.linspace(knots[0], knots[-1], 20_001), knots)
        gaps = np.linalg.norm(to_world(hands(wanders, fine), ROOT) - [x, y, z], axis=-1).min(axis=1)
        assert found.d_min == pytest.approx(gaps.min(), abs=2e-3)
        assert found.d_min >= gaps.min() - 1e-9
        assert found.d_end == pytest.approx(gaps[-1])
        assert found.d_close == pytest.approx(gaps[0] - found.d_min)
