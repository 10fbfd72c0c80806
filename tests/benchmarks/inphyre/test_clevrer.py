"""The layout of CLEVRER, field by field, and that what it says is what was simulated."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.inphyre import clevrer, exemplars
from jaxphys_benchmarks.inphyre.config import COLOURS
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.track import track
from jaxphys_benchmarks.protocol import Shown, View

from .drawn_samples import CONFIG, EACH, drawn

NUMBER, WHOLE, TEXT, TRUTH = "number", "whole", "text", "truth"

VECTOR = (NUMBER, NUMBER, NUMBER)

ANNOTATION: dict[str, Any] = {
    "scene_index": WHOLE,
    "video_filename": TEXT,
    "object_property": [{"object_id": WHOLE, "color": TEXT, "material": TEXT, "shape": TEXT}],
    "motion_trajectory": [
        {
            "frame_id": WHOLE,
            "objects": [
                {
                    "object_id": WHOLE,
                    "location": VECTOR,
                    "orientation": VECTOR,
                    "velocity": VECTOR,
                    "angular_velocity": VECTOR,
                    "inside_camera_view": TRUTH,
                }
            ],
        }
    ],
    "collision": [{"object_ids": (WHOLE, WHOLE), "frame_id": WHOLE, "location": VECTOR}],
}
"""What CLEVRER documents of an annotation (InPhyRe specification, section 8.1)."""

QUESTIONS: list[Any] = [
    {
        "scene_index": WHOLE,
        "video_filename": TEXT,
        "questions": [
            {
                "question_id": WHOLE,
                "question": TEXT,
                "question_type": TEXT,
                "program": [TEXT],
                "choices": [{"choice_id": WHOLE, "choice": TEXT, "program": [TEXT], "answer": TEXT}],
            }
        ],
    }
]
"""What it documents of multiple-choice questions."""


def check(value: Any, kind: Any, where: str = "") -> None:
    """Raise AssertionError naming the first field that is not as documented."""
    if isinstance(kind, Mapping):
        assert isinstance(value, dict), where
        assert set(value) == set(kind), where
        for name, part in kind.items():
            check(value[name], part, f"{where}.{name}")
    elif isinstance(kind, tuple):
        assert isinstance(value, list), where
        assert len(value) == len(kind), where
        for k, (one, part) in enumerate(zip(value, kind, strict=True)):
            check(one, part, f"{where}[{k}]")
    elif isinstance(kind, list):
        assert isinstance(value, list), where
        for k, one in enumerate(value):
            check(one, kind[0], f"{where}[{k}]")
    elif kind == NUMBER:
        assert type(value) in (float, int), where
        assert np.isfinite(value), where
    else:
        assert type(value) is {WHOLE: int, TEXT: str, TRUTH: bool}[kind], where


@lru_cache(maxsize=1)
def laid_out() -> dict[str, Any]:
    """The files of the drawn samples by path; JSON as it comes back from a disk."""
    files = clevrer.layout(CONFIG, iter(drawn()))
    return {
        path: content if isinstance(content, Shown) else json.loads(json.dumps(content, allow_nan=False))
        for path, content in files
    }


def annotation(index: int) -> dict[str, Any]:
    found: dict[str, Any] = laid_out()[f"annotations/annotation_00000-01000/annotation_{index:05d}.json"]
    return found


def test_every_scene_and_every_exemplar_has_its_files() -> None:
    count = len(drawn()) + CONFIG.n_exemplars_pool * len(SCENARIOS)
    paths = list(laid_out())
    assert len(set(paths)) == len(paths) == 3 * count + 1 + 3 * len(SCENARIOS)
    for kind, ending in (("annotation", "json"), ("image", "png"), ("video", "mp4")):
        assert [path for path in paths if path.startswith(f"{kind}s/")] == [
            f"{kind}s/{kind}_00000-01000/{kind}_{index:05d}.{ending}" for index in range(count)
        ]


def test_folders_hold_a_thousand_scenes() -> None:
    assert clevrer.place("video", 999, "mp4") == "videos/video_00000-01000/video_00999.mp4"
    assert clevrer.place("video", 10000, "mp4") == "videos/video_10000-11000/video_10000.mp4"


def test_annotations_are_as_clevrer_documents_them() -> None:
    for path, content in laid_out().items():
        if path.startswith("annotations/"):
            ours = {name: value for name, value in content.items() if name != "inphyre"}
            check(ours, ANNOTATION, path)
            assert [frame["frame_id"] for frame in content["motion_trajectory"]] == list(range(128))
            ids = [entry["object_id"] for entry in content["object_property"]]
            assert ids == list(range(len(ids)))
            for frame in content["motion_trajectory"]:
                assert [entry["object_id"] for entry in frame["objects"]] == ids
            for entry in content["object_property"]:
                assert entry["color"] in COLOURS
                assert entry["material"] in ("rubber", "metal")
                assert entry["shape"] in ("cube", "cylinder", "sphere")
            assert content["video_filename"] == f"video_{content['scene_index']:05d}.mp4"
            assert path.endswith(f"annotation_{content['scene_index']:05d}.json")


def test_questions_are_as_clevrer_documents_them() -> None:
    questions = laid_out()["questions.json"]
    check(questions, QUESTIONS, "questions.json")
    assert sorted(entry["scene_index"] for entry in questions) == list(range(len(drawn())))
    for entry in questions:
        (question,) = entry["questions"]
        assert question["question_type"] == "predictive"
        assert [choice["choice_id"] for choice in question["choices"]] == [0, 1, 2, 3]
        assert sorted(choice["answer"] for choice in question["choices"]) == ["correct", "wrong", "wrong", "wrong"]


def test_a_choice_is_correct_where_the_labels_say_so() -> None:
    by_index = {entry["scene_index"]: entry["questions"][0] for entry in laid_out()["questions.json"]}
    for index, (spec, labels) in enumerate(drawn()):
        choices = by_index[index]["choices"]
        place = [choice["answer"] for choice in choices].index("correct")
        shown = laid_out()[f"scenarios/{spec.scenario}/eval.json"]["scenes"][spec.index]
        assert shown["options"][place]["meaning"] == labels.meaning
        assert (shown["scene_index"], shown["id"]) == (index, f"{spec.id}/choice")
        assert annotation(index)["inphyre"]["id"] == spec.id


def test_motion_is_that_of_the_simulation() -> None:
    for index, (spec, _) in enumerate(drawn()):
        path, frames = track(spec), annotation(index)["motion_trajectory"]
        for k, body in enumerate(spec.things):
            told = {name: np.array([f["objects"][k][name] for f in frames]) for name in ("location", "velocity")}
            np.testing.assert_allclose(told["location"][:, :2], path.pos[:, k], atol=1e-6)
            np.testing.assert_array_equal(told["location"][:, 2], body.size)
            np.testing.assert_allclose(told["velocity"][:, :2], path.vel[:, k], atol=1e-6)
            assert frames[0]["objects"][k]["inside_camera_view"]


def test_the_contact_and_the_collision_are_one() -> None:
    for index, (spec, labels) in enumerate(drawn()):
        told = annotation(index)
        contact = told["inphyre"]["contact"]
        assert labels.contact is not None
        assert contact["t"] == labels.contact.time
        assert {"normal", "v_before", "v_after", "w_before", "w_after"} <= set(contact)
        pushed = [entry for entry in told["collision"] if entry["object_ids"] == [0, 1]]
        if spec.walls or labels.meaning == "passes_through":
            assert not pushed
            continue
        first = pushed[0]["frame_id"]
        assert (first - 1) / spec.film.fps < labels.contact.time <= first / spec.film.fps
        np.testing.assert_allclose(pushed[0]["location"][:2], labels.contact.point, atol=1e-6)


def test_what_clevrer_has_no_key_for_lies_under_inphyre() -> None:
    for index, (spec, labels) in enumerate(drawn()):
        extra = annotation(index)["inphyre"]
        assert extra["mass"] == [body.mass for body in spec.things]
        assert extra["friction"] == [body.mu for body in spec.things]
        assert extra["size"] == [body.size for body in spec.things]
        assert (extra["law_id"], extra["status"], extra["meaning"]) == (spec.law, 0, labels.meaning)
        assert [wall["object_id"] for wall in extra["walls"]] == list(range(len(spec.things), spec.n))


def test_a_change_of_look_is_told_at_the_frame_of_the_contact() -> None:
    for index, (spec, labels) in enumerate(drawn()):
        changes = annotation(index)["inphyre"]["appearance"]
        if spec.scenario != "CC":
            assert changes == []
            continue
        assert labels.contact is not None
        (change,) = changes
        assert change["frame_id"] == np.ceil(labels.contact.time * spec.film.fps)
        other = spec.things[1]
        assert (change["object_id"], change["color"], change["material"]) == (0, other.colour, other.material)


def test_films_and_first_frames_are_shown_in_full() -> None:
    for path, content in laid_out().items():
        if isinstance(content, Shown):
            assert content.view == (View("film", frames=128) if path.endswith(".mp4") else View("first_frame"))


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_has_its_three_files(name: str) -> None:
    scenario, pool, asked = (laid_out()[f"scenarios/{name}/{f}.json"] for f in ("scenario", "exemplars", "eval"))
    assert scenario["counts"] == {"eval": EACH, "exemplars": CONFIG.n_exemplars_pool}
    assert scenario["config_hash"] == CONFIG.config_hash
    assert scenario["config"] == json.loads(CONFIG.model_dump_json())
    specs, labels = exemplars.pool(CONFIG, 3, name)
    assert [entry["id"] for entry in pool["scenes"]] == [f"{spec.id}/choice" for spec in specs]
    assert [entry["meaning"] for entry in pool["scenes"]] == [truth.meaning for truth in labels]
    for entry in (*pool["scenes"], *asked["scenes"]):
        assert re.fullmatch(r"videos/video_00000-01000/video_\d{5}\.mp4", entry["video"])
        assert entry["annotation"] in laid_out()
    assert not {entry["scene_index"] for entry in pool["scenes"]} & {entry["scene_index"] for entry in asked["scenes"]}


def test_orientations_are_euler_angles_about_fixed_axes() -> None:
    half = np.sqrt(0.5)
    quats = np.array([[1.0, 0, 0, 0], [half, half, 0, 0], [half, 0, 0, half], [0, 0, 0, 1]])
    expected = [[0, 0, 0], [90, 0, 0], [0, 0, 90], [0, 0, 180]]
    np.testing.assert_allclose(clevrer.euler_deg(quats), expected, atol=1e-5)
    # About x by 30, then about y by 40, then about z by 50 degrees.
    a, b, c = np.radians((30, 40, 50)) / 2
    x, y, z = (
        np.array([np.cos(a), np.sin(a), 0, 0]),
        np.array([np.cos(b), 0, np.sin(b), 0]),
        np.array([np.cos(c), 0, 0, np.sin(c)]),
    )
    np.testing.assert_allclose(clevrer.euler_deg(product(z, product(y, x))), (30, 40, 50), atol=1e-9)


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Hamilton product, written out."""
    return np.array(
        [
            p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
        ]
    )
