"""Sweeps from the command line: files, axes, agreement with single scenes, and bad input."""

import json
import sys
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from jaxphys_adapters import cli, layout, sweep_table
from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.protocol import Sweep

from .conftest import Ran, contents

Run = Callable[..., Ran]


def test_a_sweep_agrees_with_the_scene_it_started_from(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    scene = data_set / "t3s" / "scene_00001"
    speed = layout.read_json(scene / "init.json")["cue"]["v0"]
    words = ("--scene", scene / "init.json", "--speeds", f"0.1,{speed!r},3", "--windows", "1,3")
    ran = jaxphys("sweep", "billiardphys", *words, "--out", tmp_path / "sweep")
    assert ran.code == 0, ran.err
    assert sorted(contents(tmp_path / "sweep")) == ["sweep.json", "sweep.npz", "sweep.png"]
    facts = layout.read_json(tmp_path / "sweep" / "sweep.json")
    assert facts["axes"]["speed"] == [0.1, speed, 3.0]
    final = layout.read_json(scene / "_final.json")
    with np.load(tmp_path / "sweep" / "sweep.npz", allow_pickle=False) as arrays:
        assert json.loads(str(arrays["axes"])) == facts["axes"]
        assert arrays["q1"].shape == (1, 3, 2, 6)
        assert arrays["q1"][0, 1, 1].tolist() == [entry["answer"] == "T" for entry in final["Q1"]]
        np.testing.assert_allclose(arrays["pos"][0, 1, 1], final["meta"]["pos_full"], rtol=0, atol=1e-12)
    with Image.open(BytesIO((tmp_path / "sweep" / "sweep.png").read_bytes())) as image:
        assert min(image.size) > 200


def test_equal_sweeps_have_equal_bytes(tmp_path: Path, jaxphys: Run) -> None:
    for name in ("a", "b"):
        words = ("--id", "t2s/scene_00001", "--speeds", "0.2:1:5", "--directions", "0,90", "--out", tmp_path / name)
        assert jaxphys("sweep", "billiardphys", *words).code == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_without_a_folder_the_facts_go_to_standard_output(jaxphys: Run) -> None:
    ran = jaxphys("sweep", "billiardphys", "--axis", "speed=0.5,1")
    assert ran.code == 0
    facts = json.loads(ran.out)
    assert facts["scene"] == "t1s/scene_00000"
    assert facts["axes"]["speed"] == [0.5, 1.0]


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a command prints on a terminal."""
    out = StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "dumb")
    assert cli.main(["sweep", *words]) == 0
    return out.getvalue()


def test_on_a_terminal_a_table_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("billiardphys", "--axis", "speed=0.5,1", "--windows", "1,3")
    told = on_a_terminal(monkeypatch, *words)
    lines = [line.split() for line in told.splitlines() if line.strip()]
    assert ["scene:", "t1s/scene_00000"] in lines
    at = next(k for k, line in enumerate(lines) if line[0] == "speed")
    assert lines[at][:4] == ["speed", "window", "q1", "q2"]
    assert [line[:2] for line in lines[at + 2 :]] == [["0.5", "1"], ["0.5", "3"], ["1", "1"], ["1", "3"]]
    facts = json.loads(on_a_terminal(monkeypatch, *words, "--json"))
    assert facts["axes"]["speed"] == [0.5, 1.0]


def test_a_table_tells_what_is_known_of_every_cell() -> None:
    axes = {"speed": [0.5, 1.0], "mass": [1.0, 2.0, 3.0], "alone": [7.0]}
    facts = {
        "scene": "fall/scene_00000",
        "axes": axes,
        "action": [[["CATCH"], ["CATCH"], [None]], [["DODGE"], ["DODGE"], ["DODGE"]]],
        "point": [[[[0.25, 1.0]]] * 3] * 2,
        "flips": {"speed": 2},
        "failed": {},
        "long": "x" * 200,
    }
    swept = Sweep(facts, {"hit": np.ones((2, 3, 1), dtype=bool)}, Canvas(1, 1, "#ffffff", ()))
    assert sweep_table.lines(swept) == ["scene: fall/scene_00000", 'flips: {"speed": 2}']
    made = sweep_table.table(swept)
    assert [column.header for column in made.columns] == ["speed", "mass", "action", "point"]
    rows = list(zip(*(column.cells for column in made.columns), strict=True))
    assert rows[0] == ("0.5", "1", "CATCH", "0.25, 1")
    assert rows[2] == ("0.5", "3", "–", "0.25, 1")
    assert rows[5] == ("1", "3", "DODGE", "0.25, 1")


def test_a_long_table_is_cut_short_and_says_so() -> None:
    facts = {"axes": {"speed": [float(k) for k in range(50)]}, "action": ["CATCH"] * 50}
    swept = Sweep(facts, {}, Canvas(1, 1, "#ffffff", ()))
    assert sweep_table.table(swept).row_count == sweep_table.ROWS
    assert sweep_table.lines(swept) == ["the first 40 of 50 cells; --json and --out tell all"]


def test_the_help_speaks_of_no_benchmark_alone(jaxphys: Run) -> None:
    told = " ".join(jaxphys("sweep", "--help").out.replace("│", " ").split())
    for words in (
        "init.json or scene.json",
        "t3s/scene_00007 or object_drop/scene_00003",
        "Short for --axis speed=VALUES",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "axis: none given; give for example --axis speed=0.5,1,2 or --speeds"),
        (("--axis", "speed"), "give NAME=VALUES"),
        (("--axis", "colour=1,2"), "colour unknown"),
        (("--speeds", "1,2", "--axis", "speed=3"), "speed is given twice"),
        (("--speeds", "1,x"), "'x' is not a number"),
        (("--speeds", "1,inf"), "not finite"),
        (("--speeds=-1",), "speed"),
        (("--speeds", "0:1:3000000"), "at most"),
        (("--speeds", "1", "--id", "t9s/scene_00000"), "is no scene"),
        (("--speeds", "1", "--id", "scene"), "is no scene"),
        (("--speeds", "1", "--seed=-1"), "seed"),
        (("--speeds", "1", "--scene", "missing.json"), "no such file"),
        (("--speeds", "1", "--option", "R=-1"), "R: Input should be greater than 0"),
    ],
)
def test_bad_input(words: tuple[str, ...], message: str, jaxphys: Run) -> None:
    ran = jaxphys("sweep", "billiardphys", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
