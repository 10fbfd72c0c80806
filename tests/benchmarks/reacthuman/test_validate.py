"""Which scenes are refused, and why: orders of contacts, rooms, furniture, faster bands that are late, nudges."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import trial
from jaxphys_benchmarks.reacthuman.catalogue import current
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.drafting import candidate, refined
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.simulate import kind_of, runs
from jaxphys_benchmarks.reacthuman.spec import Judging, Robot, Room, Timing
from jaxphys_benchmarks.reacthuman.truth import Truth, truth
from jaxphys_benchmarks.reacthuman.validate import ORDERS, counted, late, outcomes, words
from jaxphys_kernels.status import Status
from tests.benchmarks.reacthuman.made_scenes import by_hand, drawn

ROOM, TIMING = Room(type="office", width=4, depth=3.5, height=2.7), Timing(t0_step=0, freeze_step=1)
ROBOT = Robot(x=0, y=-1.3, stand_off=1)
FALL = [(0, 0.2, 0.6), (0, 0.1, 0.5), (0, -0.2, 0.3), (0, -0.4, 0.05), (0, -0.4, 0.05)]


def judged(path: object, robot: Robot = ROBOT, judging: Judging | None = None) -> Truth:
    told = by_hand([path], judging=judging)
    told.run.first_touch[:] = [[0.35, 0.1]]
    return truth(told, FAMILIES["object_drop"], [robot], ["object"], current())


def word(one: Truth, *, decoy: bool = False, timing: Timing = TIMING, room: Room = ROOM) -> int:
    return int(words(one, outcomes(one), FAMILIES["object_drop"], [room], [decoy], [timing])[0])


def test_a_sound_scene_passes() -> None:
    assert word(judged(FALL)) == 0


@pytest.mark.parametrize(
    ("path", "bit"),
    [
        ([(0, 0.2, 0.6), (0, 0.1, 0.6), (0, 0.05, 0.6)], Status.NO_EVENT),
        ([(0, 0.2, 0.6), (3, 0.1, 0.5), (0, -0.4, 0.05)], Status.OUTSIDE),
        ([(0, 0.2, 0.6), (0, 0.1, 2.9), (0, -0.4, 0.05)], Status.OUTSIDE),
        ([(0, 0.2, 0.6), (0, np.nan, 0.5), (0, -0.4, 0.05)], Status.NONFINITE),
    ],
)
def test_paths_that_are_refused(path: object, bit: Status) -> None:
    assert word(judged(path)) & bit


def test_robots_too_near_too_far_or_in_furniture_are_refused() -> None:
    near = Robot(x=0, y=-0.3, stand_off=1, reach_offset=0.6)
    far, table = (Robot(x=0, y=y, stand_off=1) for y in (-2.2, 0.1))
    assert word(judged(FALL, near)) & Status.REACH
    assert word(judged(FALL, far)) & Status.REACH
    assert word(judged(FALL, table)) & Status.REACH


def test_decoys_must_be_no_action() -> None:
    away = Robot(x=0, y=-3.0, stand_off=1)
    assert word(judged(FALL), decoy=True) & Status.REACH
    assert word(judged(FALL, away), decoy=True) == 0


def test_contacts_out_of_order_are_refused() -> None:
    one = judged(FALL)
    one.story.run.first_touch[:] = [[0.05, 0.1]]
    assert word(judged(FALL)) == 0
    del one.story.__dict__["touches"]
    assert word(one) & Status.ORDER


def test_frames_behind_the_impact_are_refused() -> None:
    one = judged(FALL)
    late_freeze = Timing(mode="event", t0_step=0, freeze_step=4)
    assert word(one, timing=late_freeze) & Status.TIMING
    assert not word(one, timing=Timing(mode="event", t0_step=-3, freeze_step=1)) & Status.TIMING


def test_what_a_nudge_changes_is_refused() -> None:
    one, other = judged(FALL), judged(FALL, judging=Judging(c_na=0.1))
    assert one.actions != other.actions
    found = words(one, outcomes(other), FAMILIES["object_drop"], [ROOM], [False], [TIMING])
    assert found[0] & Status.UNSTABLE_LABEL


def test_faster_bands_must_not_be_late() -> None:
    assert late([0.9, 0.7, 0.7, 0.5]) == 0
    assert late([0.9, 0.7, 0.71, 0.5]) == Status.LATE
    assert late([np.inf, 0.7]) == 0


def test_reasons_are_counted() -> None:
    assert counted([Status.ORDER | Status.REACH, Status.REACH]) == "ORDER 1, REACH 2"


def test_every_family_names_an_order() -> None:
    assert {family.order for family in FAMILIES.values()} <= set(ORDERS)


@pytest.mark.parametrize("family", ["surface_cascade", "chain_reaction", "multi_object", "stack_collapse"])
def test_contact_orders_are_those_of_the_story(family: str) -> None:
    """One group each, whatever its verdict: the order rule holds wherever the word does not complain."""
    config = ReactHumanConfig(families=(family,), decoy_fraction=0.0)
    (one,) = trial.tried(config, refined(config, [candidate(config, 0, family, 0, 0)], backend="c"), backend="c")
    for row in one.rows.values():
        order = row.truth.orders[row.scene]
        if row.word & Status.ORDER:
            continue
        if family == "surface_cascade":
            assert order.index("table") < order.index("stool") < order.index("floor")
        elif family == "chain_reaction":
            assert order.index("trigger") < order.index("floor")
        elif family == "multi_object":
            assert any("trigger" in name.split("+") for name in order)
            assert order.index("object_1") < order.index("floor")
        else:
            assert "floor" in order or row.truth.impact.body[row.scene] != row.truth.body[row.scene]


def test_a_nudge_of_the_launch_is_small() -> None:
    """A flight whose launch is nudged by 1e-7 of its velocity stays within that of the other."""
    specs = drawn("thrown_object", 1, decoy_fraction=0.0)
    args = [spec.scene for spec in specs], [spec.physics for spec in specs], [kind_of(spec) for spec in specs]
    (plain,), (nudged,) = runs(*args, backend="c"), runs(*args, backend="c", nudge=1e-7)
    away = np.abs(nudged.qpos - plain.qpos)[:, 12, 0, :3].max(axis=-1)
    speed = np.sqrt(np.sum(plain.qvel[:, 0, 0, :3] ** 2, axis=-1))
    assert np.all(away > 0)
    assert np.all(away <= 1.01e-7 * speed * 12 / 240)
