"""Files of a scene: round trips, published names, faults that are named, and specs of older versions."""

import json
import pathlib
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.lighting import AMBIENT, LAMPS
from jaxphys_benchmarks.reacthuman import catalogue, columns, files, looks, remarks
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.report_data import report
from jaxphys_benchmarks.reacthuman.spec import BANDS, SCHEMA, ReactHumanSpec, Timing, migrated
from jaxphys_benchmarks.stage import Camera
from tests.benchmarks.reacthuman import asked_scenes
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
        " timing_mode label_set attempt lighting difficulty cameras planned_by hints described"
    )
    record = (
        "correct_action impact_point_world time_to_impact reachable_mask safety_label object_value t_imp_step t_imp_s"
        " correct_action_released impact_kind clearance_m impact_velocity impact_impulse_estimate contact_order status"
        " provenance"
    )
    assert set(top.split()) <= set(truth)
    assert set(record.split()) <= set(truth["ground_truth"])
    thing = (
        "name display_name category morph mesh_path bottom_z_offset size phys_half_x phys_half_z mesh_base_y mesh_top_y"
        " density friction restitution color_rgb roughness ior catch_safe safety_label mass_hint description"
    )
    assert set(thing.split()) <= set(truth["object"])
    assert {"object_display", "notes", "appearance_implied_action"} <= set(truth["extras"])
    assert {"ambient_light", "background_color", "shadow", "lights"} == set(truth["lighting"])
    assert {"type", "pos", "dir", "color", "intensity"} <= set(truth["lighting"]["lights"][0])
    assert set(truth["difficulty"]) == {"initial_state", "action", "physics", "bin_edges"}
    assert truth["scene_id"].startswith("object_drop_")
    assert len(truth["scene_id"].rpartition("_")[2]) == 8


@pytest.mark.parametrize("view", ["egocentric", "observer", "overhead"])
def test_cameras_are_told_as_they_see(view: str) -> None:
    """Sections 10.1 and 10.2: what the intrinsics and extrinsics give is where the pictures show a point."""
    spec, truth = labelled("object_drop", decoy_fraction=0.0)[1]
    told = files.published(spec, truth, views=(view, "closeup"), size_px=(640, 400))["ground_truth.json"]
    assert [row["name"] for row in told["cameras"]] == [view, "closeup"]
    place = np.array(spec.scene.things[0].pos)
    x, y, z = np.array(told["camera_extrinsics"]["R"]) @ place + told["camera_extrinsics"]["t"]
    lens = told["camera_intrinsics"]
    seen = camera(spec, view, 640 / 400).project(place, 640, 400)
    assert seen == pytest.approx((lens["fx"] * x / z + lens["cx"], lens["fy"] * y / z + lens["cy"], z), abs=1e-2)
    row = told["cameras"][0]
    assert Camera(tuple(row["pos"]), tuple(row["lookat"]), row["fov"]) == camera(spec, view, 640 / 400)


def test_the_light_is_that_of_the_pictures() -> None:
    """The brightest of three lamps stands to the upper left in front, and its light goes the other way."""
    light = remarks.lighting(labelled("object_drop", decoy_fraction=0.0)[0][0])
    *told, up = [(lamp["intensity"], *lamp["dir"]) for lamp in light["lights"]]
    assert up == (pytest.approx(looks.BOUNCE * AMBIENT), 0.0, 0.0, 1.0)
    assert told == [(lamp.diffuse, *(pytest.approx(-part, abs=1e-6) for part in lamp.unit)) for lamp in LAMPS]
    assert told[0] == max(told)
    assert [bool(part > 0) for part in told[0][1:]] == [True, True, False]
    assert all(np.linalg.norm(lamp["dir"]) == pytest.approx(1, abs=1e-5) for lamp in light["lights"])
    assert all(0 <= part <= 1 for part in light["background_color"])


@pytest.mark.parametrize(
    ("changes", "label", "note"),
    [
        ({}, {}, ""),
        ({"decoy": True}, {}, "A decoy"),
        ({}, {"tti": -0.2}, "within the observed window"),
        ({}, {"mass_visible_mm": 0.2}, "do not show the mass"),
        ({"timing": Timing(t0_step=-200, freeze_step=-56)}, {}, "frozen before anything moves"),
        ({"adversarial": True, "object": "steel_apple"}, {}, "Looks like the red apple of 0.18 kg and has 1.65 kg."),
        ({"adversarial": True, "object": "foam_anvil"}, {}, "does not tell its mass of 0.108 kg"),
        ({"description": "a mug", "hints": {"speed": "fast"}}, {}, "speaks of another speed than normal"),
        ({"description": "a mug"}, {}, ""),
    ],
)
def test_what_is_easily_overlooked_is_noted(changes: dict[str, Any], label: dict[str, Any], note: str) -> None:
    scene = asked_scenes.spec("object_drop").model_copy(update=changes)
    said = remarks.notes(scene, asked_scenes.truth(**{"tti": 0.2} | label), catalogue.current())
    assert said == note if not note else note in said


@pytest.mark.parametrize(
    ("text", "hint", "described"),
    [("", "fast", None), ("a mug", None, "normal"), ("a mug", "fast", "fast"), ("a mug", "slow", "slow")],
)
def test_the_hinted_speed_names_the_scene_that_is_described(text: str, hint: str | None, described: str | None) -> None:
    hints = {"speed": hint} if hint else {}
    scenes = [asked_scenes.spec("object_drop", band=band, description=text, hints=hints) for band in BANDS]
    told = {scene.band: scene.described for scene in scenes}
    assert told == {band: None if described is None else band == described for band in BANDS}


def test_a_row_holds_what_the_files_hold() -> None:
    """Every label, and what the published record says of camera, physics and object, has a column."""
    scene, labels = labelled("rolling_ball", decoy_fraction=0.0)[1]
    row = columns.row(scene, labels, views=("egocentric", "overhead"), size_px=(640, 360))
    assert list(row) == list(columns.COLUMNS)
    assert set(labels.model_fields_set) - {"provenance"} <= set(row)
    told = files.published(scene, labels, views=("egocentric", "overhead"), size_px=(640, 360))["ground_truth.json"]
    assert row["cameras"] == told["cameras"]
    assert [camera["name"] for camera in row["cameras"]] == ["egocentric", "overhead"]
    assert row["time_to_floor_published"] == told["time_to_floor_s"]
    assert row["mass"] == pytest.approx(told["object"]["mass"])
    assert row["backend"] == "c"
    assert row["robot"]["yaw_deg"] == told["robot"]["yaw"] == 90.0


def test_a_schema_must_be_told() -> None:
    content = stored()
    del content["scene.json"]["schema"]
    with pytest.raises(ValueError, match=r"scene.json: schema: Field required"):
        files.read(content)


def test_a_long_scene_of_fine_steps_is_refused() -> None:
    """Each number within its limit, but more inner steps than memory holds."""
    content = stored()
    content["scene.json"]["scene"]["horizon"] = 60.0
    content["scene.json"]["physics"] |= {"dt": 1e-4, "substeps": 64}
    with pytest.raises(ValueError, match=r"scene.horizon: 38400000 inner steps; at most 1000000"):
        files.read(content)


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
        ("scene.json", ("schema",), None, "schema"),
        (
            "scene.json",
            ("scene", "things", 0, "pos"),
            [float("nan"), 0, 0],
            r"scene.json: scene.things.0.pos.0.*finite",
        ),
        ("scene.json", ("scene", "things", 0, "pos"), [0, 101, 0], r"scene.json: scene.things.0.pos.1.*100"),
        ("scene.json", ("scene", "things", 0, "size"), [1, 1, 1e300], "size.*from 0.0001 to 20 m"),
        ("scene.json", ("scene", "things", 0, "mass"), 1e300, r"scene.json: scene.things.0.mass.*100000"),
        ("scene.json", ("scene", "things", 0, "vel"), [0, 1e200, 0], r"scene.json: scene.things.0.vel.1.*1000"),
        ("scene.json", ("scene", "things", 0, "omega"), [0, 0, 1e6], r"scene.json: scene.things.0.omega.2"),
        ("scene.json", ("scene", "things", 0, "quat"), [0, 0, 0, 0], "quat.*length 0; give one of length 1"),
        ("scene.json", ("scene", "things", 0, "quat"), [2, 0, 0, 0], "quat.*length 2; give one of length 1"),
        ("scene.json", ("scene", "things", 0, "name"), "other", "tracked: 'object' is no body"),
        ("scene.json", ("scene", "boxes", 0, "half"), [-1, 1, 1], r"scene.json: scene.boxes.0: .*half: .* of table"),
        ("scene.json", ("scene", "boxes", 0, "half"), [0, 0, 0], r"scene.json: scene.boxes.0: .*half: .* of table"),
        ("scene.json", ("scene", "boxes", 0, "quat"), [0, 0, 0, 0], r"quat.*of table has length 0"),
        ("scene.json", ("scene", "horizon"), 0.001, "scene.horizon: 0.001 s are 0 steps"),
        ("scene.json", ("scene", "horizon"), 1e9, "scene.horizon.*60"),
        ("scene.json", ("physics", "dt"), 1.0, "physics.dt"),
        ("scene.json", ("physics", "dt"), 1e-9, "physics.dt"),
        ("scene.json", ("physics", "substeps"), 10**6, "physics.substeps.*64"),
        ("scene.json", ("physics", "solref"), [0, 0], "physics.solref.0"),
        ("scene.json", ("timing", "freeze_step"), 10**9, "timing.freeze_step"),
        ("scene.json", ("timing", "freeze_step"), 900, "freeze_step = 900 lies beyond"),
        ("scene.json", ("timing", "t0_step"), 144, "freeze_step: 144 is not after t0_step = 144"),
        ("scene.json", ("robot", "x"), 1e308, "robot.x"),
        ("scene.json", ("tracked",), "nobody", "tracked: 'nobody' is no body of the scene; choose from object"),
        ("scene.json", ("object",), "nothing", "object: 'nothing', but the tracked body is a"),
        ("labels.json", ("t_imp",), float("nan"), "labels.json: t_imp.*finite"),
        ("labels.json", ("impact_point",), [0, float("inf"), 0], "labels.json: impact_point.1.*finite"),
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
