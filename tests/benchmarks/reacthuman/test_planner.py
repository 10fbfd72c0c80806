"""What groups are about: from the seed and the tables, evenly, and exactly as published where a preset says so."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from jaxphys_benchmarks.reacthuman.catalogue import FAMILIES, property_action
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.planner import Group, ordinary, plan_group, probes_of
from jaxphys_benchmarks.reacthuman.premise import raised

DEFAULT = ReactHumanConfig()
SEEDS = (0, 1, 17, 2**40)


def configured(**options: Any) -> ReactHumanConfig:
    """As options come from a command line or a file."""
    return ReactHumanConfig(**options)


def groups(config: ReactHumanConfig, seed: int, count: int, family: str = "object_drop") -> list[Group]:
    return [plan_group(config, seed, family, group) for group in range(count)]


def scenes(config: ReactHumanConfig, seed: int) -> Iterator[tuple[Group, str]]:
    """Every scene of a data set: its group, and NO_ACTION for a decoy, else the label of its object's properties."""
    for family in config.families:
        for index in range(config.scenes_per_family):
            group = plan_group(config, seed, family, index // len(config.bands))
            thing = config.catalogue.get(group.premise.object, family)
            decoy = config.bands[index % len(config.bands)] in group.decoy
            yield group, "NO_ACTION" if decoy else property_action(thing, family)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_published_mix_is_dealt_out_exactly(seed: int) -> None:
    made = list(scenes(configured(preset="published_306"), seed))
    assert len(made) == 306
    assert Counter(action for _, action in made) == {"EXECUTE_CATCH": 141, "TRIGGER_DODGE": 156, "NO_ACTION": 9}
    assert sum(group.adversarial for group, _ in made) == 40
    assert sum(group.premise.object == "foam_ceiling_panel" for group, _ in made) == 8


def test_the_published_mix_heeds_what_is_switched_off() -> None:
    plain = {"preset": "published_306", "adversarial": "none", "decoy_fraction": 0.0}
    made = list(scenes(configured(**plain), 0))
    assert not any(group.adversarial or group.decoy for group, _ in made)
    assert Counter(action for _, action in made)["NO_ACTION"] == 0


def test_groups_are_the_same_whoever_asks() -> None:
    assert groups(DEFAULT, 5, 40) == groups(DEFAULT, 5, 40)
    assert groups(DEFAULT, 5, 40)[31] == plan_group(configured(family="object_drop"), 5, "object_drop", 31)
    assert groups(DEFAULT, 5, 40) != groups(DEFAULT, 6, 40)
    first = {family: [g.premise.room for g in groups(DEFAULT, 0, 12, family)] for family in FAMILIES[:3]}
    assert len({tuple(drawn) for drawn in first.values()}) == 3


@pytest.mark.parametrize("family", FAMILIES)
def test_every_object_comes_before_one_comes_again(family: str) -> None:
    config = configured(family=family, adversarial_fraction=0.0, decoy_fraction=0.0)
    names = {thing.name for thing in ordinary(config, family)}
    drawn = [group.premise.object for group in groups(config, 3, 2 * len(names), family)]
    assert set(drawn[: len(names)]) == set(drawn[len(names) :]) == names
    probes = {thing.name for thing in probes_of(config, family)}
    allowed = [name for name in config.catalogue.pool(family) if family != "stair_tumble" or "ball" in name
               or name in ("ceramic_vase", "metal_canister")]  # fmt: skip
    assert names == set(allowed) - probes


@pytest.mark.parametrize(("fraction", "expected"), [(0.0, 0), (0.25, 50), (0.5, 100), (1.0, 200)])
def test_adversarial_groups_are_spread_evenly(fraction: float, expected: int) -> None:
    config = configured(adversarial_fraction=fraction, decoy_fraction=0.0)
    made = groups(config, 1, 200)
    assert abs(sum(group.adversarial for group in made) - expected) <= 1
    quarters = [sum(group.adversarial for group in made[start : start + 50]) for start in range(0, 200, 50)]
    assert max(quarters) - min(quarters) <= 1
    count = Counter(group.premise.object for group in made if group.adversarial)
    assert not count or set(count) == {"foam_anvil", "steel_apple"}
    assert not count or abs(count["foam_anvil"] - count["steel_apple"]) <= 1


@pytest.mark.parametrize("family", FAMILIES)
def test_decoys_are_harmless_and_as_many_as_asked(family: str) -> None:
    config = configured(decoy_fraction=0.2)
    made = groups(config, 2, 100, family)
    assert sum(bool(group.decoy) for group in made) in (19, 20, 21)
    for group in made:
        if group.decoy:
            assert group.decoy == config.bands
            assert config.catalogue.get(group.premise.object, family).safety_label != "dangerous"
            assert not group.adversarial


def test_adversarial_pools() -> None:
    def drawn(**options: Any) -> set[str]:
        config = configured(**options)
        return {group.premise.object for group in groups(config, 0, 60, "door_swing") if group.adversarial}

    assert drawn() == {"foam"}
    assert drawn(adversarial="named") == {"hollow"}
    assert drawn(adversarial="none") == set()
    only = configured(adversarial="only", families="object_drop,stair_tumble")
    assert all(group.adversarial for group in groups(only, 0, 20))
    stairs = {group.premise.object for group in groups(only, 0, 20, "stair_tumble")}
    assert stairs == {"steel_ball"}, "a foam cube stops on the steps"
    sticky = configured(adversarial="only", family="stair_tumble", allow_sticky_shapes=True)
    assert {group.premise.object for group in groups(sticky, 0, 20, "stair_tumble")} == {"steel_ball", "foam_cube"}


def test_an_adversarial_object_that_does_not_count_is_not_drawn_as_an_ordinary_one() -> None:
    config = configured(adversarial="named")
    assert {group.premise.object for group in groups(config, 0, 60, "door_swing")} == {
        "wooden", "hollow", "glass", "steel",
    }  # fmt: skip


def test_mounts() -> None:
    def drawn(mount: Any) -> set[str]:
        config = configured(hanging_mount=mount, adversarial="none")
        return {group.premise.object for group in groups(config, 0, 30, "hanging_fall")}

    assert drawn("wall") == {"picture_frame", "wall_clock", "wall_mirror"}
    assert drawn("ceiling") == {"hanging_plant", "pendant_lamp", "chandelier"}
    assert drawn("by_object") == drawn("wall") | drawn("ceiling")


def test_rooms_and_hints_of_height() -> None:
    made = groups(configured(height_hint="any", rooms="kitchen,office,stair_landing"), 0, 60)
    assert {group.premise.room for group in made} == {"kitchen", "office"}
    assert {group.premise.hints.get("height", "normal") for group in made} == {"low", "normal", "high"}
    assert all(group.premise.hints == {} for group in groups(DEFAULT, 0, 60))
    assert all(group.premise.hints == {"height": "high"} for group in groups(configured(height_hint="high"), 0, 9))
    assert raised(1.4, 1.9, "low") == pytest.approx((1.25, 1.4))
    assert raised(1.4, 1.9, "high") == pytest.approx((1.9, 2.05))
    assert raised(1.4, 1.9, "normal") == raised(1.4, 1.9, None) == (1.4, 1.9)


def test_premises_are_used_in_turn() -> None:
    told = [
        {"family": "object_drop", "object": name, "room": "kitchen", "hints": {"speed": "fast"}, "description": name,
         "planned_by": "a/model"}
        for name in ("red_apple", "foam_anvil")
    ]  # fmt: skip
    config = configured(premises=told, decoy_fraction=0.0)
    made = groups(config, 0, 4)
    assert [group.premise.object for group in made] == ["red_apple", "foam_anvil"] * 2
    assert [group.adversarial for group in made] == [False, True] * 2
    assert {group.premise.planned_by for group in made} == {"a/model"}
    assert made[0].premise.hints == {"speed": "fast"}


def test_own_objects_are_drawn_too() -> None:
    wok = {"name": "wok", "families": ["object_drop"], "morph": "cylinder", "visual_size": [0.16, 0.16, 0.05],
           "density": 900, "catch_safe": True, "adversarial": True, "twin": "hot_iron"}  # fmt: skip
    config = configured(objects=[wok], adversarial="only", family="object_drop")
    assert {group.premise.object for group in groups(config, 0, 9)} == {"foam_anvil", "steel_apple", "wok"}


def test_an_unknown_family_is_named() -> None:
    with pytest.raises(ValueError, match="families: 'earthquake' is unknown; choose from object_drop"):
        plan_group(DEFAULT, 0, "earthquake", 0)
