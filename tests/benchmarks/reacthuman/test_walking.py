"""How far the robot gets by the table, and where its oracle meets and leaves things."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.reaching import ARM, SHOULDERS, meeting
from jaxphys_benchmarks.reacthuman.retreating import HEIGHT, Threat, retreat
from jaxphys_benchmarks.reacthuman.walking import TIMES, WALKED, displaced, forward_for

LIMITS = (1.0, 0.6, 3.0)


def test_rows_of_the_table_are_as_long_as_its_times() -> None:
    assert all(len(row) == len(TIMES) for rows in WALKED.values() for row in rows)
    for command in WALKED:
        there = displaced(command, np.array([0.0, 3.0]))
        assert there[0].tolist() == [0.0, 0.0]
        # Nobody walks farther than it is told to, and everybody gets somewhere.
        assert 0.25 < math.hypot(*there[1]) / (3 * math.hypot(*command)) < 1.1


@pytest.mark.parametrize("speed", [0.0, 0.15, 0.4, 0.6, 0.85, 1.0, 2.0])
def test_between_the_rows_it_is_interpolated(speed: float) -> None:
    low = displaced((max(speed - 0.1, 0.0), 0.0), np.array([2.0]))[0, 0]
    assert low <= displaced((speed, 0.0), np.array([2.0]))[0, 0] <= WALKED[1.0, 0.0][0][-2]


@pytest.mark.parametrize("distance", [0.05, 0.2, 0.35])
def test_the_command_for_a_distance(distance: float) -> None:
    speed = forward_for(distance, 0.9)
    assert displaced((speed, 0.0), np.array([0.9]))[0, 0] == pytest.approx(distance, abs=0.02)
    assert forward_for(5.0, 0.9) == 1.0


def test_what_is_within_reach_is_met_standing() -> None:
    met = meeting((0.3, 0.1, 0.2), 0.9, None, 1.0)
    assert (met.time, met.place, met.hand, met.forward, met.bend, met.miss) == (0.9, (0.3, 0.1, 0.2), 0, 0.0, 0.0, 0.0)


def test_what_is_beyond_is_walked_to() -> None:
    met = meeting((0.7, -0.1, 0.2), 1.2, None, 1.0)
    assert met.hand == 1
    assert 0.2 < met.forward < 0.5
    assert met.miss == 0.0
    assert math.dist(met.place, SHOULDERS[1]) <= ARM + 0.02
    gone = displaced((met.forward, 0.0), np.array([1.2]))[0, 0]
    assert met.place[0] + gone == pytest.approx(0.7)


def test_what_is_low_is_met_with_bent_knees_or_earlier() -> None:
    low = meeting((0.2, 0.1, -0.2), 0.9, None, 1.0)
    assert low.bend > 0.1
    floor = meeting((0.5, 0.1, -0.75), 0.9, (0.0, 0.0, -4.0), 1.0)
    assert floor.time < 0.9
    assert floor.place[2] > -0.4
    assert meeting((0.5, 0.1, -0.75), 0.9, None, 1.0).miss > 0.2


def test_a_panel_is_left_about_its_hinge() -> None:
    """A door whose edge comes from the right across the robot: its free edge sweeps what lies ahead and to the left."""
    anchor, axis = (0.2, -0.7, 0.0), (0.0, 0.0, 1.0)
    door = Threat((0.2, 0.1, 0.3), (-1.0, 0.0, 0.0), 0.9, 0.0, (anchor, axis))
    places = door.places(np.array([0.9, 1.5]))
    assert places.shape == (2, 4, 3)
    assert places[0, -1] == pytest.approx(door.place)
    assert np.linalg.norm(places[1, -1, :2] - anchor[:2]) == pytest.approx(0.8)
    vx, vy, time = retreat(door, *LIMITS)
    assert vx <= 0
    assert (vx, vy) != (0.0, 0.0)
    assert 0.5 <= time <= 3.0


def test_what_falls_is_over_the_head_before_it_is_there() -> None:
    falls = Threat((0.1, 0.0, 0.53), (0.0, 0.0, -5.0), 0.9, 0.1)
    height = falls.places(np.array([0.4, 0.9]))[:, 0, 2] + 0.79
    assert height[0] > HEIGHT + 1.0
    assert height[1] == pytest.approx(HEIGHT)
    assert retreat(falls, *LIMITS)[0] == -1.0
