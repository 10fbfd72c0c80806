"""What is inside what, of things that could each be taken to hold the other."""

import numpy as np
import pytest

from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.placing import Placing
from jaxphys_kernels.household.facts import cleaned, facts
from jaxphys_kernels.household.layout import Facts, Sensed, Thresholds
from tests.benchmarks.enact.world.settled import settled


def facts_of(placing: Placing) -> tuple[Facts, Facts]:
    """What holds in a furnished room after a second, before and after the clean-up."""
    house = placing.house()
    built, data, touch = settled(house)
    n, joints = len(house.placed), len(house.joints)
    layout = layout_of(house)
    particles = len(layout.particle_system)
    sensed = Sensed(
        pos=data.xpos[built.body][None],
        quat=data.xquat[built.body][None],
        exists=np.ones((1, n), bool),
        joint=data.qpos[built.joint][None] if joints else np.zeros((1, 0)),
        touching=touch[None],
        held=np.zeros((1, 2, n), bool),
        gap=np.ones((1, 2, n)),
        particle=np.zeros((1, particles, 3)),
        alive=np.zeros((1, particles), bool),
        carrier=np.full((1, particles), -1),
        toggled=np.zeros((1, n), bool),
        cooked=np.zeros((1, n), bool),
    )
    found = facts(np, layout, sensed, Thresholds())
    return found, cleaned(np, layout, found)


@pytest.mark.parametrize(
    ("holder", "held"),
    [("wicker_basket", "mug"), ("crate", "bowl"), ("toy_box", "box_of_tea"), ("frying_pan", "bacon")],
)
def test_the_smaller_one_is_inside(holder: str, held: str) -> None:
    placing = Placing("garage", np.random.default_rng(0))
    outer = placing.put(holder, at=(0.0, 0.0))
    inner = placing.put(held, inside=outer, at=(0.0, 0.0), yaw=0.0)
    _, kept = facts_of(placing)
    house = placing.house()
    a, b = house.index(inner), house.index(outer)
    assert kept.inside[0, a, b]
    assert not kept.inside[0, b, a]
    assert not kept.on_top[0, a, b]


@pytest.mark.parametrize("tray", ["serving_tray", "baking_sheet", "lunch_tray", "plate", "chopping_board"])
@pytest.mark.parametrize("load", ["box_of_tea", "bowl", "mug", "water_bottle"])
def test_what_stands_on_a_tray_does_not_hold_it(tray: str, load: str) -> None:
    placing = Placing("garage", np.random.default_rng(0))
    table = placing.fixture("garden_table")
    below = placing.put(tray, on=table, at=(0.0, 0.0))
    above = placing.put(load, on=below, at=(0.0, 0.0), yaw=0.0)
    _, kept = facts_of(placing)
    house = placing.house()
    a, b = house.index(above), house.index(below)
    assert kept.on_top[0, a, b]
    assert not kept.inside[0].any()
    assert kept.on_top[0, b, house.index(table)]
