"""What should be done: both label sets over the whole catalogue, placement of the robot, windows of time."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import catalogue
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.family import Placement
from jaxphys_benchmarks.reacthuman.labelling import reachable, released, three_way
from jaxphys_benchmarks.reacthuman.placement import START_GAP, Place, placed
from jaxphys_benchmarks.reacthuman.rooms import ROOMS
from jaxphys_benchmarks.reacthuman.spec import BANDS, Judging, Physics, Robot
from jaxphys_benchmarks.reacthuman.timing import timing_of

ROWS = [(family, name) for family in catalogue.FAMILIES for name in catalogue.pool(family)]
NEVER = ("furniture_tip", "ladder_slip", "pendulum_swing", "door_swing")


def acted(family: str, name: str, *, clearance: float = 0.0, meets: bool = True, **others: object) -> str:
    values = {"enters": True, "speed": 3.0, "judging": Judging(), **others}
    return three_way(catalogue.get(name, family), family, clearance=clearance, meets=meets, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(("family", "name"), ROWS)
def test_every_row_has_the_labels_of_its_properties(family: str, name: str) -> None:
    """Section 8.4, written out once more."""
    thing = catalogue.get(name, family)
    if family in NEVER:
        three = "EXECUTE_CATCH" if thing.catch_override else "TRIGGER_DODGE"
    else:
        three = "EXECUTE_CATCH" if thing.catch_safe else "TRIGGER_DODGE"
    heavy = thing.mass_hint == "heavy"
    caught = thing.catch_safe and family not in NEVER and not (family == "stack_collapse" and heavy)
    braced = heavy and family not in ("thrown_object", "bouncing_object")
    assert acted(family, name) == three
    expected = "EXECUTE_CATCH" if caught else "BRACE_FOR_IMPACT" if braced else "TRIGGER_DODGE"
    assert released(thing, family, Judging()) == expected


@pytest.mark.parametrize(
    ("name", "action"),
    [("foam_anvil", "EXECUTE_CATCH"), ("steel_apple", "TRIGGER_DODGE"), ("foam_ceiling_panel", "EXECUTE_CATCH")],
)
def test_the_named_probes_have_their_published_actions(name: str, action: str) -> None:
    family = catalogue.current().rows[[row.name for row in catalogue.current().rows].index(name)].families[0]
    assert acted(family, name) == action


def test_nothing_need_be_done_about_what_stays_away() -> None:
    """Beyond c_na and never in the reach window, or without an impact; one metre away is not enough (scene A)."""
    assert acted("chain_reaction", "cast_iron_pan", clearance=1.0, enters=False) == "TRIGGER_DODGE"
    assert acted("chain_reaction", "cast_iron_pan", clearance=1.3, enters=False) == "NO_ACTION"
    assert acted("chain_reaction", "cast_iron_pan", clearance=1.3, enters=True) == "TRIGGER_DODGE"
    assert acted("chain_reaction", "cast_iron_pan", meets=False) == "NO_ACTION"
    strict = Judging(c_na=0.5)
    assert acted("chain_reaction", "cast_iron_pan", clearance=1.0, enters=False, judging=strict) == "NO_ACTION"


def test_speed_and_stairs_change_labels_by_choice_only() -> None:
    assert acted("object_drop", "red_apple", speed=9.0) == "EXECUTE_CATCH"
    assert acted("object_drop", "red_apple", speed=9.0, judging=Judging(speed_limit=6.0)) == "TRIGGER_DODGE"
    ball = catalogue.get("rubber_ball", "stair_tumble")
    assert released(ball, "stair_tumble", Judging()) == "EXECUTE_CATCH"
    assert released(ball, "stair_tumble", Judging(stair_never_catch=True)) == "TRIGGER_DODGE"


@pytest.mark.parametrize(
    ("point", "within"),
    [((0.0, 0.3, 0.9), True), ((0.12, 0.44, 1.08), True), ((0.12, 0.46, 1.08), False), ((0.0, 0.3, 0.1), False)],
)
def test_hands_reach_as_far_as_an_arm(point: tuple[float, float, float], within: bool) -> None:
    assert reachable(point, Robot(x=0.0, y=0.0, stand_off=0.5)) is within


CONFIG = ReactHumanConfig()


@pytest.mark.parametrize("drawn", [Place(0.0, 0.0, 0.0), Place(0.5, 0.9, 0.3), Place(0.999, 0.5, 0.9)])
def test_the_robot_stands_off_the_first_contact_with_the_floor(drawn: Place) -> None:
    robot = placed(Placement("floor"), drawn, (0.4, -0.3), 5.0, ROOMS["living"], CONFIG)
    away = math.hypot(robot.x - 0.4, robot.y + 0.3)
    assert away == pytest.approx(0.35 + 0.9 * drawn.stand_off, abs=2e-6)
    assert robot.x - 0.4 == pytest.approx(-0.15 + 0.3 * drawn.lateral, abs=2e-6)
    assert robot.y < -0.3


def test_the_robot_never_stands_in_the_hazard_as_it_starts() -> None:
    robot = placed(Placement("floor"), Place(0.1, 0.5, 0.5), (0.0, 2.0), 0.5, ROOMS["living"], CONFIG)
    assert robot.y == pytest.approx(0.5 - CONFIG.robot_radius - START_GAP)


def test_the_wall_behind_shortens_the_stand_off() -> None:
    room = ROOMS["kitchen"]
    robot = placed(Placement("floor"), Place(0.999, 0.5, 0.5), (0.0, -0.9), 5.0, room, CONFIG)
    assert robot.y == pytest.approx(CONFIG.robot_radius - room.depth / 2)


def test_points_of_the_family_fix_the_robot() -> None:
    drawn = Place(0.5, 1.0, 0.5)
    plane = placed(Placement("on_plane", (0.2, 0.0, 1.0), lateral=0.3), drawn, (9, 9), 9.0, ROOMS["living"], CONFIG)
    under = placed(Placement("under", (0.2, 0.5, 2.0), offset=(0.1, -0.3)), drawn, (9, 9), 9.0, ROOMS["living"], CONFIG)
    assert (plane.x, plane.y) == pytest.approx((0.5, -0.45))
    assert (under.x, under.y) == pytest.approx((0.3, 0.2))
    with pytest.raises(ValueError, match="placement"):
        placed(Placement("under"), drawn, (0, 0), 0.0, ROOMS["living"], CONFIG)


def test_windows_end_at_the_freeze() -> None:
    """Steps are whole numbers; event windows may begin before the release."""
    physics = Physics()
    published = timing_of(CONFIG, "slow", 0.3, physics)
    assert published.steps == (0, 36, 72, 108, 144)
    config = ReactHumanConfig(timing="event")
    for band, lead in (("slow", 0.9), ("normal", 0.6), ("fast", 0.4), ("very_fast", 0.25)):
        window = timing_of(config, band, 0.7, physics)  # type: ignore[arg-type]
        assert window.freeze_step == round((0.7 - lead) * 240)
        assert window.freeze_step - window.t0_step == 144
    constant = ReactHumanConfig(timing="event", lead="constant", lead_constant=0.5)
    assert len({timing_of(constant, band, 1.0, physics).freeze_step for band in BANDS}) == 1
    assert timing_of(config, "slow", np.inf, physics) == published
