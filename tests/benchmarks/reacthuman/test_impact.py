"""Where and when the hazard reaches the robot: crossings, floors, bounces, supports and heads on paths made by hand."""

from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.events import EVENTS, NEVER, first
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.impact import Impact, impacts
from jaxphys_benchmarks.reacthuman.spec import Judging
from tests.benchmarks.reacthuman.made_scenes import by_hand

ROBOT, REACH = np.array([[0.0, -1.0]]), np.array([0.45])
"""The reach plane is at y = -0.55."""


def met(path: Any, family: str = "object_drop", **judging: Any) -> Impact:
    told = by_hand([path], family=family, judging=Judging(**judging))
    return impacts(told, FAMILIES[family], np.zeros(1, np.int64), ROBOT, REACH)


def line(*places: tuple[float, float, float]) -> list[tuple[float, float, float]]:
    return list(places)


def test_a_crossing_of_the_reach_plane_is_interpolated() -> None:
    one = met(line((0, 0, 1), (0.1, -0.4, 1.0), (0.2, -0.8, 0.8)))
    share = (0.55 - 0.4) / 0.4
    assert one.kind.tolist() == ["plane"]
    assert (one.state.tolist(), one.time[0]) == ([2], pytest.approx(0.1 * (1 + share)))
    np.testing.assert_allclose(one.point[0], [0.1 + 0.1 * share, -0.55, 1.0 - 0.2 * share])
    assert one.velocity[0, 1] == pytest.approx(-4.0)
    assert one.enters.all()


def test_the_floor_counts_where_it_comes_first() -> None:
    """Without and with the option that lets a later crossing count; a ball of 5 cm touches at a centre of 6 cm."""
    path = line((0, 0, 0.5), (0, -0.3, 0.1), (0, -0.4, 0.05), (0, -0.5, 0.06), (0, -0.7, 0.2))
    one, other = met(path), met(path, plane_after_floor=True)
    assert (one.kind[0], one.state[0]) == ("floor", 2)
    assert one.time[0] == pytest.approx(0.1 * (1 + 0.04 / 0.05))
    assert (other.kind[0], other.state[0]) == ("plane", 4)
    assert one.floor_time[0] == other.floor_time[0]


@pytest.mark.parametrize(
    ("place", "kind"),
    [((0.0, -0.8, 0.5), "plane"), ((1.5, -0.8, 0.5), "undefined"), ((0.0, -0.8, 2.5), "undefined")],
)
def test_only_crossings_within_the_window_count(place: tuple[float, float, float], kind: str) -> None:
    start = (place[0], 0.0, place[2])
    assert met(line(start, start, place)).kind[0] == kind


def test_a_crossing_outside_the_window_does_not_hide_a_later_one() -> None:
    path = line((0, 0, 2.5), (0, -0.8, 2.4), (0, -0.2, 1.5), (0, -0.9, 1.0))
    one = met(path)
    assert (one.kind[0], one.state[0]) == ("plane", 3)


def test_moving_away_from_the_robot_is_no_crossing() -> None:
    assert met(line((0, -0.9, 1), (0, -0.6, 1), (0, -0.2, 1))).kind[0] == "undefined"


def test_what_never_arrives_has_no_impact() -> None:
    one = met(line((0, 0, 1), (0, -0.1, 1), (0, -0.2, 1)))
    assert (one.kind[0], one.state[0], one.time[0]) == ("undefined", NEVER, np.inf)
    assert np.isnan(one.point).all()
    assert not one.enters.any()


def test_a_ball_that_bounces_counts_after_the_bounce() -> None:
    """The first contact with the floor is part of the story; crossing or landing afterwards counts."""
    bounced = line((0, 0.4, 0.5), (0, 0.2, 0.05), (0, 0.0, 0.4), (0, -0.8, 0.3))
    short = line((0, 0.4, 0.5), (0, 0.3, 0.05), (0, 0.2, 0.4), (0, 0.1, 0.05))
    one, other = met(bounced, "bouncing_object"), met(short, "bouncing_object")
    assert (one.kind[0], one.state[0]) == ("plane", 3)
    assert (other.kind[0], other.state[0], other.floor_state[0]) == ("floor", 3, 3)


def test_a_cascade_counts_after_its_last_support() -> None:
    """Crossing the plane while it still lies on something does not count; `by_hand` lets it touch while y > 0."""
    robot = np.array([[0.0, 0.0]])
    path = line((0, 0.6, 1), (0, 0.3, 0.9), (0, 0.2, 0.8), (0, -0.1, 0.4), (0, -0.2, 0.05))
    told = by_hand([path], family="surface_cascade")
    one = impacts(told, FAMILIES["surface_cascade"], np.zeros(1, np.int64), robot, REACH)
    free = impacts(told, FAMILIES["object_drop"], np.zeros(1, np.int64), robot, REACH)
    assert (free.kind[0], free.state[0]) == ("plane", 1)
    assert (one.kind[0], one.state[0]) == ("floor", 4)


def test_what_falls_from_the_ceiling_meets_the_height_of_the_head() -> None:
    one = met(line((0, -0.8, 2.4), (0, -0.8, 1.42), (0, -0.8, 1.22), (0, -0.8, 0.05)), "ceiling_drop")
    assert (one.kind[0], one.time[0]) == ("head_plane", pytest.approx(0.15))
    assert one.point[0, 2] == pytest.approx(1.32)


def test_scenes_are_judged_one_by_one() -> None:
    """A batch gives the same as its scenes alone, bit for bit."""
    paths = [
        line((0, 0, 1), (0.1, -0.4, 1.0), (0.2, -0.8, 0.8)),
        line((0, 0, 0.5), (0, -0.3, 0.05), (0, -0.7, 0.05)),
        line((0, 0, 1), (0, -0.1, 1), (0, -0.2, 1)),
    ]
    body = np.zeros(3, np.int64)
    batch = impacts(by_hand(paths), FAMILIES["object_drop"], body, np.repeat(ROBOT, 3, 0), np.repeat(REACH, 3))
    alone = [met(path) for path in paths]
    assert batch.time.tolist() == [one.time[0] for one in alone]
    np.testing.assert_array_equal(batch.point, np.concatenate([one.point for one in alone]))


@pytest.mark.parametrize(
    ("event", "path", "state"),
    [
        ("floor", [(0, 0, 1), (0, 0, 0.07), (0, 0, 0.055)], 2),
        ("early_low", [(0, 0, 1), (0, 0, 0.049), (0, 0, 0.03)], 1),
        ("early_floor", [(0, 0, 1), (0, 0, 0.11), (0, 0, 0.09)], 2),
        ("early_roll", [(0, 0, 1), (0, 0, 0.079), (0, 0, 0.05)], 1),
        ("early_south", [(0, 0.1, 1), (0, 0.0, 1), (0, -0.1, 1)], 2),
        ("early_bounce", [(0, 0, 0.05), (0, 0, 0.5), (0, 0, 0.08)], 2),
        ("reach_plane", [(0, 0, 1), (0, -0.5, 1), (0, -0.6, 1)], 2),
        ("plane_after_bounce", [(0, 0, 0.05), (0, -0.7, 0.5), (0, -0.8, 0.4)], 1),
        ("early_floor", [(0, 0, 1), (0, 0, 1), (0, 0, 1)], NEVER),
    ],
)
def test_events_happen_at_the_first_state_that_meets_them(event: str, path: Any, state: int) -> None:
    found = EVENTS[event](by_hand([path]), np.zeros(1, np.int64), np.array([-0.55]))
    assert first(found).tolist() == [state]


def test_every_family_names_an_event() -> None:
    assert {family.event_of(v) for family in FAMILIES.values() for v in ("repaired", "early")} <= set(EVENTS)
