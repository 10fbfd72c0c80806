"""`jaxphys simulate planar`: scenes of both kinds, closed forms, laws of single pairs, and bad input."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from . import scene_files
from .scene_files import Run, write

SCENE: dict[str, Any] = {
    "kind": "planar_scene", "g": 9.8, "t_end": 2.0,
    "bodies": [
        {"shape": "cube", "size": 0.2, "pos": [0, 0], "vel": [1, 0], "mu": 0.2},
        {"shape": "cube", "size": 0.2, "pos": [0.6, 0], "mu": 0.2},
    ],
}  # fmt: skip
"""The cubes of the InPhyRe specification, section 9.2: gap .2, mu g = 1.96, regular law."""


simulated = partial(scene_files.simulated, "planar")
changed = partial(scene_files.changed, SCENE)


def test_a_regular_collision_of_cubes(tmp_path: Path, jaxphys: Run) -> None:
    result = simulated(jaxphys, write(tmp_path, SCENE))
    first, second = result["bodies"]
    assert first["pos"] == pytest.approx([0.2, 0], abs=1e-9)
    assert second["pos"] == pytest.approx([0.655102041, 0], abs=1e-9)
    (contact,) = [event for event in result["events"] if event["kind"] == "contact"]
    assert contact["t"] == pytest.approx(0.273082652, abs=1e-9)
    assert contact["v_before"] == [pytest.approx([0.464758002, 0], abs=1e-9), [0, 0]]
    assert contact["v_after"] == [[0, 0], pytest.approx([0.464758002, 0], abs=1e-9)]
    assert (result["status"], result["backend"], result["t"]) == (0, "xla", 2.0)


def test_a_pair_obeys_the_law_that_it_is_given(tmp_path: Path, jaxphys: Run) -> None:
    scene = SCENE | {"pairs": [{"bodies": [0, 1], "law": "keep_momentum"}]}
    bodies = simulated(jaxphys, write(tmp_path, scene))["bodies"]
    assert [body["pos"][0] for body in bodies] == pytest.approx([0.255102041, 0.655102041], abs=1e-9)
    scene = changed(1, mass=None) | {"pairs": [{"bodies": [0, 1], "law": "take_look"}]}
    result = simulated(jaxphys, write(tmp_path, scene))
    assert [body["look"] for body in result["bodies"]] == [1, 1]
    assert result["bodies"][1]["pos"] == [0.6, 0.0]


def test_a_parameter_of_one_pair(tmp_path: Path, jaxphys: Run) -> None:
    scene = changed(1, size=[0.2, 5], mass=None)
    scene["bodies"][0] |= {"vel": [1, 0.5], "mu": 0}
    scene["pairs"] = [{"bodies": [0, 1], "law": "tangent_gain", "params": {"gain": 3.0}}]
    assert simulated(jaxphys, write(tmp_path, scene))["bodies"][0]["vel"] == pytest.approx([-1, 1.5], abs=1e-12)


def test_a_ball_that_rolls_and_states_at_asked_times(tmp_path: Path, jaxphys: Run) -> None:
    scene = {"kind": "planar_scene", "t_end": 3.0, "bodies": [{"shape": "sphere", "size": 0.2, "pos": [0, 0]}]}
    scene["bodies"][0] |= {"vel": [1, 0], "mu": 0.1}
    result = simulated(jaxphys, write(tmp_path, scene), "--times", "1,3")
    assert [frame["t"] for frame in result["frames"]] == [1, 3]
    assert result["frames"][1]["bodies"][0]["pos"][0] == pytest.approx(2.184506456, abs=1e-9)
    assert result["bodies"] == result["frames"][1]["bodies"]
    (event,) = result["events"]
    assert (event["kind"], event["t"]) == ("roll", pytest.approx(0.291545190, abs=1e-9))
    scene["bodies"][0]["roll"] = "rolling"
    assert simulated(jaxphys, write(tmp_path, scene))["bodies"][0]["pos"] == [3.0, 0.0]


def test_too_many_events_give_no_result(tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("simulate", "planar", write(tmp_path, SCENE), "--max-events", 1)
    assert (ran.code, json.loads(ran.out)["status"]) == (1, 1)
    assert "event capacity" in ran.err


BAD: dict[str, tuple[Any, str]] = {
    "unknown field": (SCENE | {"colour": "red"}, "colour: no such field"),
    "unknown shape": (changed(shape="cone"), "bodies.0.shape"),
    "NaN": (json.dumps(SCENE).replace("0.6", "NaN"), "bodies.1.pos.0: "),
    "overlap": (changed(pos=[0.5, 0]), "bodies 0 and 1 of scene 0 overlap"),
    "negative size": (changed(size=-0.2), "size"),
    "a sphere with two half extents": (changed(shape="sphere", size=[0.2, 0.3]), "size of body 0"),
    "negative friction": (changed(mu=-1), "bodies.0.mu"),
    "mass zero": (changed(mass=0), "bodies.0.mass"),
    "no bodies": (SCENE | {"bodies": []}, "bodies"),
    "unknown law": (SCENE | {"law": "magic"}, "law: 'magic' is not known"),
    "unknown parameter": (
        SCENE | {"pairs": [{"bodies": [0, 1], "law": "regular", "params": {"magic": 1}}]},
        "'magic'",
    ),
    "a law that needs an attribute": (SCENE | {"law": "red_passes"}, "'red'"),
    "a pair of one": (SCENE | {"pairs": [{"bodies": [1, 1], "law": "regular"}]}, "pairs: [1, 1]"),
    "time zero": (SCENE | {"t_end": 0}, "t_end"),
    "billiards": ({"kind": "billiards_scene"}, "kind"),
    "no scene": ({"hello": 1}, "no scene"),
    "a sample that is none": ({"things": 3}, "Field required"),
    "not JSON": ("{", "not JSON"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_scenes_are_one_clear_line(name: str, tmp_path: Path, jaxphys: Run) -> None:
    content, message = BAD[name]
    ran = jaxphys("simulate", "planar", write(tmp_path, content))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("jaxphys: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--backend", "compiled"), "backend is 'compiled'"),
        (("--max-events", "0"), "max_events"),
        (("--dt", "0"), "dt"),
    ],
)
def test_bad_options(words: tuple[str, ...], message: str, tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("simulate", "planar", write(tmp_path, SCENE), *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
