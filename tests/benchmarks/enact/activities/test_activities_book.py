"""The 36 activities: names, furnishing, variants, and what the book says to strangers."""

import numpy as np
import pytest

from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene
from jaxphys_benchmarks.enact.play.script import Cut, Grasp, Handover, Open, Pour, Press, WaitHeat
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

NAMES = [
    "assembling_gift_baskets", "bringing_water", "can_meat", "canning_food", "carrying_in_groceries",
    "chop_an_onion", "chopping_wood", "clean_up_your_desk", "cleaning_up_plates_and_food",
    "clearing_food_from_table_into_fridge", "collecting_childrens_toys", "cook_bacon", "cook_cabbage",
    "cook_hot_dogs", "freeze_pies", "getting_organized_for_work", "loading_the_car", "make_pizza",
    "outfit_a_basic_toolbox", "picking_up_toys", "preparing_lunch_box", "putting_away_Halloween_decorations",
    "putting_up_Christmas_decorations_inside", "set_up_a_coffee_station_in_your_kitchen", "slicing_vegetables",
    "sorting_household_items", "sorting_vegetables", "storing_food", "wash_dog_toys",
]  # fmt: skip
"""The published short names (ENACT specification, section 10)."""


def test_names_are_the_published_ones_and_seven_more() -> None:
    assert sorted(NAMES) == list(book.PUBLISHED)
    assert len(book.BUILT_IN) == 36
    assert set(book.PUBLISHED) < set(book.BUILT_IN)
    assert book.names() == book.BUILT_IN


@pytest.mark.parametrize("name", book.BUILT_IN)
def test_an_activity_furnishes_from_its_seed_alone(name: str) -> None:
    house, script = book.activity(name).make(EpisodeSpec(activity=name, seed=3))
    again, same = book.activity(name).make(EpisodeSpec(activity=name, seed=3, hands="left", mirrored=True))
    assert script == same
    assert [placed.pos for placed in house.placed] == [placed.pos for placed in again.placed]
    other, _ = book.activity(name).make(EpisodeSpec(activity=name, seed=4))
    assert [(p.name, p.pos) for p in house.placed] != [(p.name, p.pos) for p in other.placed]
    # Everything that the script names is there.
    for skill in script:
        for field in ("thing", "on", "into", "knife", "source"):
            if of := getattr(skill, field, ""):
                assert of in house.numbers, skill


def test_each_kind_of_skill_is_used_in_three_activities() -> None:
    using: dict[type, set[str]] = {}
    for name in book.BUILT_IN:
        for skill in book.activity(name).make(EpisodeSpec(activity=name))[1]:
            using.setdefault(type(skill), set()).add(name)
    assert all(len(using[kind]) >= 3 for kind in (Grasp, Open, Press, Cut, Pour, WaitHeat))
    assert using[Handover] == {"passing_from_hand_to_hand"}


def test_the_robot_starts_before_its_work() -> None:
    for name in book.BUILT_IN:
        house, script = book.activity(name).make(EpisodeSpec(activity=name))
        x, y, heading = house.start
        first = house[next(of for skill in script if (of := getattr(skill, "thing", "")))]
        while first.on and not first.thing.fixed:
            first = house[first.on]
        if first.thing.category not in ("floors", "driveway"):
            ahead = np.array([np.cos(heading), np.sin(heading)])
            assert ahead @ (np.array(first.pos[:2]) - (x, y)) > 0.5, name


def test_the_book_tells_strangers_what_there_is() -> None:
    with pytest.raises(
        ValueError,
        match="no activity is called 'chop'; did you mean chop_an_onion\\? There are assembling_gift_baskets",
    ):
        book.activity("chop")
    own = Activity("having_a_rest", "Rest", "kitchen", lambda scene: scene.wait(1.0), published=False)
    with book.registered(own):
        assert book.activity("having_a_rest") is own
        with pytest.raises(ValueError, match="the name is taken"):
            book.register(own)
    assert "having_a_rest" not in book.names()


def test_what_never_fits_is_told_by_name() -> None:
    def write(scene: Scene) -> None:
        scene.put("suitcase", on=scene.put("plate"))

    own = Activity("filling_a_plate", "Fill", "kitchen", write, published=False)
    with pytest.raises(ValueError, match="suitcase"):
        own.make(EpisodeSpec(activity="filling_a_plate"))
