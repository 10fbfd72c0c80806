"""Files of a scene: round trips, published names, faults that are named, and specs of older versions."""

import json
import pathlib
from typing import Any

import pytest

from jaxphys_benchmarks.reacthuman import catalogue, files
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.report_data import report
from jaxphys_benchmarks.reacthuman.spec import SCHEMA, ReactHumanSpec, migrated
from tests.benchmarks.reacthuman.made_scenes import CHEAP, labelled

STORED = pathlib.Path(__file__).parent.parent.parent / "cases" / "reacthuman_scene_1.json"
"""A `scene.json` of schema version 1, as it was written then; never written again."""


def stored(family: str = "object_drop") -> dict[str, Any]:
    content: dict[str, Any] = json.loads(json.dumps(files.published(*labelled(family, decoy_fraction=0.0)[1])))
    return content


@pytest.mark.parametrize("family", CHEAP)
def test_files_are_read_back_bit_for_bit(family: str) -> None:
    for spec, truth in labelled(family, decoy_fraction=0.0)[:2]:
        content = json.loads(json.dumps(files.published(spec, truth), allow_nan=False))
        assert set(content) == {"scene.json", "labels.json", "ground_truth.json"}
        assert files.read(content) == (spec, truth)
        assert ReactHumanSpec.model_validate_json(spec.model_dump_json()) == spec


def test_published_names_are_there() -> None:
    """Sections 10.1 and 10.2."""
    truth = stored()["ground_truth.json"]
    top = (
        "scene_id seed task_type room object drop robot derived dt substeps duration_s ground_truth_action safety_label"
        " interception_point_2d interception_point_3d time_to_floor_s description adversarial group_id band variant"
        " timing_mode label_set"
    )
    record = (
        "correct_action impact_point_world time_to_impact reachable_mask safety_label object_value t_imp_step t_imp_s"
        " correct_action_released impact_kind clearance_m impact_velocity impact_impulse_estimate contact_order status"
        " provenance"
    )
    assert set(top.split()) <= set(truth)
    assert set(record.split()) <= set(truth["ground_truth"])
    assert {"name", "category", "morph", "size", "density", "friction", "catch_safe", "mass_hint"} <= set(
        truth["object"]
    )
    assert {"object_display", "appearance_implied_action"} <= set(truth["extras"])
    assert truth["scene_id"].startswith("object_drop_")
    assert len(truth["scene_id"].rpartition("_")[2]) == 8


def test_every_family_has_a_block() -> None:
    assert set(files.BLOCKS) == set(catalogue.FAMILIES)


@pytest.mark.parametrize(
    ("name", "path", "value", "message"),
    [
        ("scene.json", ("robot", "x"), "left", "scene.json: robot.x"),
        ("scene.json", ("scene", "things", 0, "mass"), -1, r"scene.json: scene.things.0.mass"),
        ("scene.json", ("scene", "things", 0, "size"), [0, 0, 0], "size"),
        ("scene.json", ("no_such_field",), 1, "scene.json: no_such_field"),
        ("scene.json", ("schema",), "jaxphys.reacthuman.scene/99", "jaxphys.reacthuman.scene/99"),
        ("labels.json", ("id",), "object_drop/scene_99999", "labels.json: id"),
        ("labels.json", ("correct_action",), "RUN", "labels.json: correct_action"),
        ("labels.json", ("track",), None, "labels.json: track"),
        ("labels.json", ("status",), 128, "labels.json: status"),
        ("ground_truth.json", ("ground_truth_action",), "NO_ACTION", "ground_truth.json: ground_truth_action"),
        ("ground_truth.json", ("scene_id",), "other", "ground_truth.json: scene_id"),
    ],
)
def test_faults_are_named(name: str, path: tuple[str | int, ...], value: Any, message: str) -> None:
    content = stored()
    place: Any = content[name]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=message):
        files.read(content)


@pytest.mark.parametrize("name", ["scene.json", "labels.json", "ground_truth.json"])
def test_a_missing_file_is_named(name: str) -> None:
    content = stored()
    del content[name]
    with pytest.raises(ValueError, match=f"{name}: missing"):
        files.read(content)


def test_a_spec_of_version_1_is_still_read() -> None:
    """It was stored once; it must be read, and mean the same, in every later version."""
    content = json.loads(STORED.read_text())
    assert content["schema"] == "jaxphys.reacthuman.scene/1"
    spec = ReactHumanSpec.model_validate(content)
    assert spec.schema_ == SCHEMA
    assert spec.id == "rolling_ball/scene_00001"
    assert spec.scene.things[0].object == content["scene"]["things"][0]["object"]
    benchmark = ReactHuman(families="rolling_ball")
    (truth,) = benchmark.label([spec], *benchmark.simulate([spec]))
    assert truth.correct_action == "EXECUTE_CATCH"
    assert truth.t_imp == pytest.approx(0.75, abs=0.15)


def test_migrations_are_steps_from_version_to_version() -> None:
    """Each step knows its own version only; an unknown one, or a circle, is an error."""
    steps = {
        "jaxphys.reacthuman.scene/-1": lambda old: {**old, "schema": "jaxphys.reacthuman.scene/0", "seed": old["key"]},
        "jaxphys.reacthuman.scene/0": lambda old: {**old, "schema": SCHEMA},
    }
    found = migrated({"schema": "jaxphys.reacthuman.scene/-1", "key": 4}, steps)
    assert (found["schema"], found["seed"]) == (SCHEMA, 4)
    with pytest.raises(ValueError, match="not known"):
        migrated({"schema": "something else"}, steps)
    with pytest.raises(ValueError, match="not known"):
        migrated({"schema": "a"}, {"a": lambda old: old})


def test_reports_count_what_is_there() -> None:
    rows = labelled("rolling_ball", decoy_fraction=0.0)
    specs, truths = zip(*rows, strict=True)
    facts = report(list(specs), list(truths))["rolling_ball"].facts
    assert facts["scenes"] == facts["labelled"] == len(rows)
    assert sum(facts["actions"].values()) == len(rows)
    assert facts["bands"] == {"fast": 2, "normal": 2, "slow": 2, "very_fast": 2}
    assert facts["monotone_groups"] == {"groups": 2, "monotone": 2}
    assert sum(facts["t_imp"]["counts"]) == len(rows)
    medians = list(facts["median_t_imp"].values())
    assert medians == sorted(medians, reverse=True)
    half = report(list(specs), [truths[0], *[None] * (len(rows) - 1)])["rolling_ball"].facts
    assert (half["scenes"], half["labelled"]) == (len(rows), 1)
