"""Configuration and scene records: provenance, round trips to the bit, and errors that name the field."""

import json
import math
from typing import Any

import pytest
from pydantic import ValidationError

from jaxphys_benchmarks.billiardphys.config import PRESETS, BilliardConfig, provenance
from jaxphys_benchmarks.billiardphys.sample import draw
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, window_name
from tests.benchmarks.billiardphys.scenes import CONFIG, head_on, pool, potted

PUBLISHED = {"W", "H", "n_balls", "mu", "g", "windows", "scenes_per_window", "q3_key"}
SPECIFIED = {
    "W": 2.0, "H": 1.0, "n_balls": 7, "mu": 0.002, "g": 9.8, "R": 0.03, "mass": 1.0, "pockets": "none",
    "r_pocket_corner": 0.06, "r_pocket_side": 0.045, "windows": (1, 2, 3, 4, 5), "scenes_per_window": 200,
    "v0_policy": "v50", "v50_range": (0.7, 1.3), "common_range": (0.2, 1.0), "min_gap": 1e-3,
    "direction": "uniform", "cue_position": "sampled", "max_events": 64, "tie_window": 1e-9, "v_snap": 1e-12,
    "margin_eps": 1e-4, "canvas_px": (1000, 500), "scale": 1, "arrow_scale": 0.25,
    "cue_speed_text": "arrow_scale_in_prompt", "q1_key": "Q1", "q2_key": "Q2", "q3_key": "predictions",
    "dtype": "float64", "force_numeric": False, "max_attempts": 3, "missing_policy": "wrong",
}  # fmt: skip


def test_defaults_are_those_of_the_specification() -> None:
    assert {name: getattr(CONFIG, name) for name in SPECIFIED} == SPECIFIED


def test_replies_are_read_robustly_unless_told_otherwise() -> None:
    # The one default that is not the specification's: "paper" is reported beside it.
    assert (CONFIG.extract, provenance()["extract"]) == ("robust", "assumed")


def test_every_field_says_where_it_comes_from() -> None:
    found = provenance()
    assert set(found) == set(BilliardConfig.model_fields)
    assert set(found.values()) == {"published", "assumed"}
    assert {name for name, source in found.items() if source == "published"} == PUBLISHED


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"radius": 0.03}, "radius"),
        ({"R": -0.01}, "R"),
        ({"R": 0.6}, "give a smaller R"),
        ({"n_balls": 0}, "n_balls"),
        ({"n_balls": 17}, "n_balls"),
        ({"mu": math.nan}, "mu"),
        ({"mu": -0.1}, "mu"),
        ({"windows": ()}, "windows"),
        ({"windows": (1.0, 0.0)}, "windows"),
        ({"windows": (1.0, 1.0)}, "windows"),
        ({"v50_range": (1.3, 0.7)}, "v50_range"),
        ({"pockets": "four"}, "pockets"),
        ({"pockets": "six", "r_pocket_corner": 0.042}, "r_pocket_corner"),
        ({"pockets": "six", "r_pocket_side": 0.03}, "r_pocket_side"),
        ({"canvas_px": (1000, 600)}, "canvas_px"),
        ({"cue_position": "fixed", "cue_start": (0.01, 0.5)}, "cue_start"),
        ({"q1_key": "Q2"}, "q1_key"),
    ],
)
def test_a_bad_configuration_names_the_field(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        BilliardConfig(**fields)


def test_configuration_is_frozen_and_hashed_by_content() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        CONFIG.R = 0.04
    assert CONFIG.config_hash == BilliardConfig.model_validate_json(CONFIG.model_dump_json()).config_hash
    hashes = [preset.config_hash for preset in PRESETS.values()] + [BilliardConfig(R=0.031).config_hash]
    assert len(set(hashes)) == len(hashes)
    assert CONFIG.model_copy(update={"R": 0.04}).config_hash == BilliardConfig(R=0.04).config_hash


@pytest.mark.parametrize("make", [head_on, potted, lambda: draw(CONFIG, 5, 2.5, 11), lambda: pool(3.0, 32)[0][9]])
def test_json_gives_back_the_same_bits(make: Any) -> None:
    spec = make()
    for text in (spec.model_dump_json(), json.dumps(spec.model_dump(mode="json"))):
        again = BilliardSpec.model_validate_json(text)
        assert again == spec
        assert BilliardSpec.model_validate(json.loads(text)) == spec
        assert [x.hex() for ball in again.positions for x in ball] == [x.hex() for p in spec.positions for x in p]
        assert again.cue.v0.hex() == spec.cue.v0.hex()


def raw(**changes: Any) -> dict[str, Any]:
    return {**head_on().model_dump(mode="json"), **changes}


def balls(*places: tuple[float, float]) -> list[dict[str, Any]]:
    return [{"id": ball, "pos": place} for ball, place in enumerate(places)]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        # The pair of the public case bil-initial-overlap.
        ({"balls": balls((0.3, 0.5), (1.0, 0.5), (1.03, 0.52))}, r"\[1, 2\] overlap"),
        ({"balls": balls((0.3, 0.5), (1.98, 0.5))}, "ball 1 at .* outside"),
        ({"balls": balls((0.3, 0.02))}, "ball 0 at .* outside"),
        ({"balls": []}, "balls"),
        ({"balls": [{"id": 1, "pos": (0.5, 0.5)}]}, "ids"),
        ({"balls": balls((math.nan, 0.5))}, "finite"),
        ({"R": -0.03}, "R"),
        ({"t": 0.0}, "t"),
        ({"t": -1.0}, "t"),
        ({"mu": math.inf}, "mu"),
        ({"cue": {"v0": 0.6, "angle": 1.0, "vel": (0.6, 0.0)}}, "cue"),
        ({"cue": {"v0": math.nan, "angle": 0.0, "vel": (0.6, 0.0)}}, "v0"),
        ({"variant": "../up"}, "variant"),
        ({"spin": 1.0}, "spin"),
    ],
)
def test_a_bad_scene_names_the_field(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        BilliardSpec.model_validate(raw(**changes))


def test_touching_balls_are_a_scene() -> None:
    spec = BilliardSpec.model_validate(raw(balls=balls((0.5, 0.5), (1.0, 0.5), (1.06, 0.5), (1.97, 0.9))))
    assert spec.n == 4


def test_ids_name_window_and_index() -> None:
    assert draw(CONFIG, 0, 3, 12).id == "t3s/scene_00012"
    assert draw(CONFIG, 0, 2.5, 0).id == "t2.5s/scene_00000"
    windows = [1.0, 2.5, 2.5000000001, 10.0, 0.1, 100000.0]
    assert len({window_name(t) for t in windows}) == len(windows)
