"""`jaxphys simulate`: both kinds of scene file, the result, and every kind of bad input."""

import copy
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jaxphys_adapters import layout
from tests.support import cases

from . import scene_files
from .scene_files import Run, write

CASES = {name: case for name, case in cases("billiards").items() if case["input"].get("kind") == "billiards_scene"}
SCENE: dict[str, Any] = CASES["bil-headon-exchange"]["input"]


simulated = partial(scene_files.simulated, "billiards")


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_stored_scene_is_read_and_answered(case: str, tmp_path: Path, jaxphys: Run) -> None:
    expected, path = CASES[case]["expected"], write(tmp_path, CASES[case]["input"])
    if case == "bil-initial-overlap":
        ran = jaxphys("simulate", "billiards", path)
        assert (ran.code, "[1, 2] overlap" in ran.err) == (2, True)
        return
    result = simulated(jaxphys, path)
    assert result["status"] == 0
    if "q1" in expected:
        assert {ball: result["q1"][ball] for ball in expected["q1"]} == expected["q1"]
    if "q2" in expected:
        assert result["q2"] == expected["q2"]
    if "n_events" in expected:
        assert len(result["events"]) == expected["n_events"]
    tolerance = CASES[case]["tolerance"]
    if "pos" in expected:
        np.testing.assert_allclose(np.array(result["pos"]), expected["pos"], rtol=0, atol=max(tolerance, 1e-12))
    for name in ("pos0", "vel0", "pos1"):
        if expected.get(name) is not None:
            np.testing.assert_allclose(result[name[:3]][int(name[3])], expected[name], rtol=0, atol=1e-9)


def test_a_pocketed_ball_is_null(tmp_path: Path, jaxphys: Run) -> None:
    result = simulated(jaxphys, write(tmp_path, CASES["bil-corner-pocket-null"]["input"]))
    assert result["pos"][0] is None
    assert result["vel"][0] is None
    assert result["events"][-1]["kind"] == "pocket"
    assert result["events"][-1]["pocket"] == 0


def test_the_init_file_of_a_data_set_gives_its_labels(data_set: Path, jaxphys: Run) -> None:
    for scene in layout.scene_ids(data_set):
        final = layout.read_json(data_set / scene / "_final.json")
        result = simulated(jaxphys, data_set / scene / "init.json")
        assert result["pos"] == final["meta"]["pos_full"]
        assert result["q1"] == {str(entry["id"]): entry["answer"] for entry in final["Q1"]}
        assert result["q2"] == {entry["wall"]: entry["answer"] for entry in final["Q2"]}
        assert [event["t"] for event in result["events"]] == [event["t"] for event in final["meta"]["events"]]


def test_states_at_asked_times(tmp_path: Path, jaxphys: Run) -> None:
    result = simulated(jaxphys, write(tmp_path, SCENE), "--times", "0.1:0.5:3")
    assert [frame["t"] for frame in result["frames"]] == pytest.approx([0.1, 0.3, 0.5])
    assert [frame["pos"][0][0] for frame in result["frames"]] == pytest.approx([0.52, 0.76, 0.84])
    assert result["pos"] == result["frames"][-1]["pos"]


def test_the_result_goes_to_a_file(tmp_path: Path, jaxphys: Run) -> None:
    path = write(tmp_path, SCENE)
    ran = jaxphys("simulate", "billiards", path, "--out", tmp_path / "new" / "result.json")
    assert (ran.code, ran.out) == (0, "")
    assert json.loads((tmp_path / "new" / "result.json").read_text()) == simulated(jaxphys, path)


def test_balls_may_be_listed_in_any_order_and_differ(tmp_path: Path, jaxphys: Run) -> None:
    scene = copy.deepcopy(SCENE)
    scene["balls"].reverse()
    assert simulated(jaxphys, write(tmp_path, scene))["pos"] == simulated(jaxphys, write(tmp_path, SCENE))["pos"]
    scene["balls"][0]["mass"] = 1e9
    heavy = simulated(jaxphys, write(tmp_path, scene))
    assert heavy["vel"][0] == pytest.approx([-1.2, 0], abs=1e-6)


def test_a_scene_without_a_valid_result_has_no_labels(tmp_path: Path, jaxphys: Run) -> None:
    scene = CASES["bil-wall-fold-8-hits"]["input"]
    ran = jaxphys("simulate", "billiards", write(tmp_path, scene), "--max-events", 3)
    result = json.loads(ran.out)
    assert ran.code == 1
    assert (result["status"], result["q1"], result["q2"]) == (1, None, None)
    assert "event capacity" in ran.err


def changed(**fields: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SCENE), **fields}


def ball(**fields: Any) -> dict[str, Any]:
    scene = copy.deepcopy(SCENE)
    scene["balls"][1] |= fields
    return scene


BAD: dict[str, tuple[Any, str]] = {
    "unknown field": (changed(colour="red"), "colour: no such field"),
    "unknown field of a ball": (ball(spin=3), "balls.1.spin: no such field"),
    "NaN": (json.dumps(SCENE).replace("1.2", "NaN"), "balls.0.vel.0: "),
    "infinity": (json.dumps(SCENE).replace("1.2", "-Infinity"), "balls.0.vel.0: "),
    "too large a number": (json.dumps(SCENE).replace("1.2", "1e999"), "balls.0.vel"),
    "overlapping balls": (ball(pos=[0.44, 0.5]), "[0, 1] overlap"),
    "ball outside": (ball(pos=[1.99, 0.5]), "ball 1 lies outside the table: x = 1.99 m"),
    "negative radius": (changed(r=-0.03), "r: Input should be greater than 0"),
    "zero balls": (changed(balls=[]), "balls"),
    "time zero": (changed(t_end=0), "t_end: Input should be greater than 0"),
    "negative time": (changed(t_end=-1), "t_end"),
    "negative friction": (changed(mu=-0.1), "mu"),
    "missing field": ({k: v for k, v in SCENE.items() if k != "t_end"}, "t_end: Field required"),
    "ids with a gap": (ball(id=5), "balls: ids are [0, 5]"),
    "same id twice": (ball(id=0), "balls: ids are [0, 0]"),
    "three coordinates": (ball(pos=[1, 2, 3]), "balls.1.pos"),
    "text for a number": (changed(r="big"), "r: "),
    "flat table": (changed(table=[2, 0]), "table"),
    "other units": (changed(units="inch"), "units"),
    "other kind": (changed(kind="pool"), "kind"),
    "no scene": ({"hello": 1}, "no scene"),
    "a list": ([1, 2], "holds a list"),
    "not JSON": ("{", "not JSON"),
    "empty": ("", "not JSON"),
    "digits without end": ('{"r": ' + "1" * 5000 + "}", "not JSON"),
    "deep nesting": ("[" * 100_000, "not JSON"),
    "init.json that is none": ({"cue": 3}, "Field required"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_scenes_are_one_clear_line(name: str, tmp_path: Path, jaxphys: Run) -> None:
    content, message = BAD[name]
    ran = jaxphys("simulate", "billiards", write(tmp_path, content))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("jaxphys: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--times", "0"), "times"),
        (("--times", "1,nan"), "not finite"),
        (("--times", "2,1"), "ascending"),
        (("--times", "a"), "not a number"),
        (("--times", "0:1:0"), "FIRST:LAST:COUNT"),
        (("--backend", "quantum"), "backend is 'quantum'"),
        (("--dt", "0"), "dt"),
        (("--dt", "nan"), "dt"),
        (("--backend", "stepped", "--dt", "1e-12"), "give a longer step"),
        (("--max-events", "0"), "max_events"),
    ],
)
def test_bad_options(words: tuple[str, ...], message: str, tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("simulate", "billiards", write(tmp_path, SCENE), *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_no_such_file(name: str, tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("simulate", "billiards", tmp_path / name)
    assert ran.code == 2
    assert str(tmp_path) in ran.err
