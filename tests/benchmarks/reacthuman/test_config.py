"""The configuration: provenance, presets, and bad values that are named before work starts."""

from typing import Any

import pytest
from pydantic import ValidationError

from jaxphys_benchmarks.reacthuman.catalogue import FAMILIES
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig, provenance

WOK = {
    "name": "wok", "families": ["object_drop"], "morph": "cylinder", "visual_size": [0.16, 0.16, 0.05],
    "density": 900, "mass_override": 1.8, "catch_safe": False,
}  # fmt: skip
PREMISE = {"family": "object_drop", "object": "red_apple", "room": "kitchen"}


def configured(**options: Any) -> ReactHumanConfig:
    """As options come from a command line or a file."""
    return ReactHumanConfig(**options)


def test_every_default_says_where_it_comes_from() -> None:
    found = provenance()
    assert set(found) == set(ReactHumanConfig.model_fields)
    assert set(found.values()) == {"published", "early_generator", "genesis", "measured", "assumed"}


def test_every_field_says_what_it_is() -> None:
    for name, field in ReactHumanConfig.model_fields.items():
        assert field.description, name


def test_numbers_of_the_specification() -> None:
    config = ReactHumanConfig()
    assert config.bands == ("slow", "normal", "fast", "very_fast")
    assert config.families == FAMILIES
    assert (config.substeps, config.cone, config.solref, config.g) == (4, "elliptic", (0.01, 1.0), 9.81)
    assert (config.window, config.frames, config.horizon, config.horizon_stairs) == (0.6, 5, 3.0, 4.0)
    assert (config.reach_offset, config.c_na, config.stand_off, config.lateral) == (
        0.45, 1.25, (0.35, 1.25), (-0.15, 0.15),
    )  # fmt: skip
    assert config.leads == {"slow": 0.9, "normal": 0.6, "fast": 0.4, "very_fast": 0.25}
    assert config.decoy_fraction == pytest.approx(9 / 306)
    assert config.adversarial_fraction == pytest.approx(40 / 306)


def test_the_hash_tells_configurations_apart() -> None:
    default = ReactHumanConfig()
    again = ReactHumanConfig.model_validate_json(default.model_dump_json())
    assert default == again
    assert hash(default) == hash(again)
    assert default.config_hash == again.config_hash
    assert default.config_hash != configured(c_na=0.5).config_hash
    with_wok = configured(objects=[WOK])
    assert with_wok.config_hash == ReactHumanConfig.model_validate_json(with_wok.model_dump_json()).config_hash


@pytest.mark.parametrize(
    ("preset", "each", "total"), [("release_1054", 62, 1054), ("published_306", 18, 306), ("large", 600, 10200)]
)
def test_presets_set_the_size(preset: Any, each: int, total: int) -> None:
    config = configured(preset=preset)
    assert config.scenes_per_family == each
    assert each * len(config.families) == total
    assert configured(preset=preset, scenes_per_family=4).scenes_per_family == 4


def test_parity_with_genesis_is_five_fields() -> None:
    config = configured(parity="genesis")
    assert (config.cone, config.substeps, config.drag, config.bounce, config.impact) == (
        "pyramidal", 4, "off", "baked", "com",
    )  # fmt: skip
    with pytest.raises(ValidationError, match="cone: 'elliptic' contradicts parity = genesis, which has pyramidal"):
        configured(parity="genesis", cone="elliptic")


def test_options_as_they_are_typed() -> None:
    typed = {"family": "object_drop", "bands": "slow,fast", "rooms": "kitchen", "stand_off": "0.4,0.9"}
    config = configured(**typed)
    assert (config.families, config.bands, config.rooms) == (("object_drop",), ("slow", "fast"), ("kitchen",))
    assert config.stand_off == (0.4, 0.9)
    assert configured(view="overhead").views == ("overhead",)


def test_own_objects_are_found_by_their_configuration_alone() -> None:
    config = configured(families=("object_drop",), objects=[WOK])
    assert config.catalogue.get("wok", "object_drop").mass == 1.8
    with pytest.raises(ValueError, match="object: 'wok' is unknown in object_drop"):
        ReactHumanConfig().catalogue.get("wok", "object_drop")


def test_premises_set_families_and_size() -> None:
    door = {"family": "door_swing", "object": "glass", "room": "office"}
    config = configured(premises=[door, PREMISE, PREMISE])
    assert config.families == ("object_drop", "door_swing")
    assert config.scenes_per_family == 8
    assert configured(premises=[door], bands=("slow",)).scenes_per_family == 1
    assert configured(premises=[door], scenes_per_family=40).scenes_per_family == 40


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"families": ("earthquake",)}, "families: .'earthquake'.; give distinct names of object_drop, "),
        ({"families": ("object_drop", "object_drop")}, "families: .* give distinct names"),
        ({"bands": ("warp",)}, "bands.0\n.*'slow', 'normal', 'fast' or 'very_fast'"),
        ({"bands": ("slow", "slow")}, "bands: .* give distinct names of slow"),
        ({"rooms": ("attic",)}, "room: 'attic' is unknown; choose from dining, kitchen"),
        ({"rooms": ("kitchen",)}, "rooms: .'kitchen',.; stair_tumble needs one of stair_landing"),
        ({"rooms": ("stair_landing",), "family": "object_drop"}, "rooms: .* object_drop needs one of dining"),
        ({"views": ("egocentric",), "views_per_query": 2}, "views: .* at least views_per_query = 2"),
        ({"views": ("under",)}, "views.0"),
        ({"stand_off": (1.0, 0.5)}, r"stand_off: \(1.0, 0.5\) is no range"),
        ({"stand_off": (0.1, 0.5)}, r"lateral: \(-0.15, 0.15\) goes beyond the least stand_off = 0.1"),
        ({"leads": {"slow": 0.9}}, "leads: .* give a time > 0 s for normal"),
        ({"ranges": {"object_drop.v_exit": (0.6, 0.5)}}, "ranges: object_drop.v_exit = .* low <= high"),
        ({"ranges": {"quake.v": (0.5, 0.6)}}, "ranges: quake.v .* give FAMILY.LEAF"),
        ({"stool_half": (0.0, 0.1)}, r"stool_half: \(0.0, 0.1\); give from 0.02 to 1 m"),
        ({"window": 5.0}, "window: 5.0 s; give from 0.01667 s to the horizon of 3 s"),
        ({"window": 0.001}, "window: 0.001 s; give from 0.01667 s"),
        ({"solref": (-100.0, -10.0)}, r"solref: \(-100.0, -10.0\); give a time constant"),
        ({"reach_low": 2.5}, "reach_low: 2.5 is not below reach_high = 2.0"),
        ({"size_px": (8, 720)}, r"size_px: \(8, 720\); give from 16 to 8192 pixels"),
        ({"decoy_fraction": 0.9}, "decoy_fraction: 0.9 and adversarial_fraction = 0.13.* more than all"),
        ({"adversarial": "only"}, "adversarial: only; surface_cascade has no adversarial object"),
        ({"substeps": 0}, "substeps\n.*greater than or equal to 1"),
        ({"horizon": 0.5}, "horizon\n.*greater than or equal to 0.6"),
        ({"friction_floor": -0.1}, "friction_floor\n.*greater than or equal to 0"),
        ({"c_na": float("nan")}, "c_na\n.*finite"),
        ({"gravity": 9.81}, "gravity\n.*not permitted"),
        ({"objects": [WOK | {"visual_size": [16, 16, 5]}]}, "objects.0.visual_size\n.*from 0.001 to 1.5 m"),
        ({"objects": [WOK | {"families": ["quake"]}]}, "objects: wok: families: 'quake'; choose from object_drop"),
        ({"objects": [WOK | {"twin": "frying_pan"}]}, "objects: wok: twin: 'frying_pan' is unknown"),
        ({"premises": [PREMISE | {"object": "vase"}]}, "object: 'vase' is unknown in object_drop; choose from"),
        ({"premises": [PREMISE | {"room": "attic"}]}, "room: 'attic' is unknown"),
        ({"premises": [PREMISE | {"room": "stair_landing"}]}, "room: object_drop does not happen in 'stair_landing'"),
        ({"premises": [PREMISE | {"hints": {"speed": "warp"}}]}, "hints\n.*speed: 'warp'; give one of slow, normal"),
        ({"premises": [PREMISE | {"hints": {"colour": "red"}}]}, "hints\n.*'colour' is no hint; give speed or height"),
        ({"premises": [PREMISE | {"speed": 3.0}]}, "premises.0.speed\n.*not permitted"),
        (
            {"premises": [{"family": "stair_tumble", "object": "wooden_block", "room": "stair_landing"}]},
            "object: wooden_block stops on the way in stair_tumble; .* allow_sticky_shapes",
        ),
        ({"premises": [PREMISE], "families": ("door_swing",)}, "family: 'object_drop'; choose from door_swing"),
        ({"premises": "red_apple"}, "premises\n"),
    ],
)
def test_bad_options_name_the_field_and_what_would_do(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        configured(**options)


def test_fields_belong_to_one_part_each() -> None:
    """Inherited fields would be overridden silently."""
    own = [name for base in ReactHumanConfig.__mro__ for name in vars(base).get("__annotations__", {})]
    fields = [name for name in own if name in ReactHumanConfig.model_fields]
    assert len(fields) == len(set(fields)) == len(ReactHumanConfig.model_fields)
