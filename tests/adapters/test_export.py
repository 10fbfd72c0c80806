"""Exports: one explicit schema, pictures paired with their rows, a card, and loading without a network."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json as pj
import pyarrow.parquet as pq
import pytest
from PIL import Image

from jaxphys_adapters import layout
from jaxphys_adapters.parquet import write_table
from jaxphys_adapters.rows import columns_of
from jaxphys_adapters.tables import arrow_schema, feature
from jaxphys_benchmarks import registry
from tests.support import cases

from .conftest import Ran

Run = Callable[..., Ran]
CASES = cases("export")


@pytest.fixture(scope="module")
def exported(data_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from jaxphys_adapters import cli

    out = tmp_path_factory.mktemp("export") / "hub"
    assert cli.main(["export", str(data_set), "--out", str(out), "--quiet"]) == 0
    return out


@pytest.mark.parametrize("kind", CASES["exp-null-typed-column"]["input"]["format"])
def test_exp_null_typed_column(tmp_path: Path, kind: str) -> None:
    count = CASES["exp-null-typed-column"]["input"]["rows"]
    columns = {"id": "string", "pos": ["float64"]}
    rows = [{"id": str(k), "pos": None if k < 1200 else [0.25 * k, 1.5]} for k in range(count)]
    if kind == "parquet":
        write_table(tmp_path / "a.parquet", columns, iter(rows))
        table = pq.read_table(tmp_path / "a.parquet")
    else:
        (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        options = pj.ParseOptions(explicit_schema=arrow_schema(columns))
        table = pj.read_json(tmp_path / "a.jsonl", pj.ReadOptions(block_size=4096), options)
    field = table.schema.field("pos")
    assert (field.type, field.nullable) == (pa.list_(pa.float64()), True)
    assert table.to_pylist() == rows


def test_exp_object_vs_array(tmp_path: Path, exported: Path) -> None:
    an_object, an_array = CASES["exp-object-vs-array"]["input"]["answers"]
    columns = {"id": "string", "answers": [{"id": "int64", "answer": "string"}]}
    rows = [{"id": "0", "answers": an_array}, {"id": "1", "answers": an_object}]
    with pytest.raises(ValueError, match="column answers: a value does not fit"):
        write_table(tmp_path / "a.parquet", columns, iter(rows))
    for path in exported.glob("data/*.parquet"):
        for row in pq.read_table(path, columns=["q1", "q2", "predictions"]).to_pylist():
            assert [set(entry) for entry in row["q1"]] == [{"id", "answer"}] * 6
            assert [set(entry) for entry in row["q2"]] == [{"wall", "answer"}] * 4
            assert [set(entry) for entry in row["predictions"]] == [{"id", "pos"}] * 7


def test_exp_image_row_integrity(tmp_path: Path, jaxphys: Run) -> None:
    count = CASES["exp-image-row-integrity"]["input"]["rows"]
    words = ("--scenes", count, "--option", "scale=0.05", "--option", "screen=false", "--quiet")
    assert jaxphys("generate", "billiardphys", *words, "--out", tmp_path / "set").code == 0
    assert jaxphys("export", tmp_path / "set", "--out", tmp_path / "hub", "--quiet").code == 0
    rows = pq.read_table(tmp_path / "hub" / "data" / "test-00000-of-00001.parquet").to_pylist()
    mismatches = [row["id"] for row in rows for view in ("initial", "final", "overlay") if not paired(row, view)]
    assert (len(rows), mismatches) == (count, [])
    assert len({row["id"] for row in rows}) == count


def paired(row: dict[str, Any], view: str) -> bool:
    data = row[f"image_{view}"]["bytes"]
    with Image.open(BytesIO(data)) as image:
        says = image.info["scene"], image.info["view"]
    return hashlib.sha256(data).hexdigest() == row[f"sha256_{view}"] and says == (row["id"], view)


def test_exp_collision_log(tmp_path: Path, jaxphys: Run) -> None:
    # At 1.2 m/s without friction: ball 1 after 0.3 m, and the wall that ball 1 then meets after 0.006 m more.
    scene = {
        "kind": "billiards_scene", "table": [2, 1], "r": 0.03, "mu": 0, "g": 9.8, "t_end": 1.0,
        "balls": [{"id": 0, "pos": [1.604, 0.5], "vel": [1.2, 0]}, {"id": 1, "pos": [1.964, 0.5]}],
    }  # fmt: skip
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    events = json.loads(jaxphys("simulate", "billiards", tmp_path / "scene.json").out)["events"]
    within_a_frame = [event for event in events if event["t"] < 0.25 + 1 / 24]
    assert len(within_a_frame) >= CASES["exp-collision-log"]["expected"]["events_listed"]
    assert [event["t"] for event in within_a_frame[:2]] == pytest.approx([0.25, 0.255], abs=1e-12)
    assert [event["kind"] for event in within_a_frame[:2]] == ["ball", "wall"]


def test_a_data_set_loads_without_a_network(exported: Path, data_set: Path, tmp_path: Path) -> None:
    program = """
import json, sys
from datasets import load_dataset
files = load_dataset("parquet", data_files=sys.argv[1] + "/data/*.parquet", split="train")
folder = load_dataset(sys.argv[1], split="test")
row = folder[4]
print(json.dumps([len(files), row["id"], list(row["image_initial"].size), row["predictions"], row["seed"],
                  str(files.features["events"]), str(files.features["image_final"])]))
"""
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "TQDM_DISABLE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", program, str(exported)], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    count, scene, _, predictions, seed, events, picture = json.loads(ran.stdout)
    assert (count, scene, seed) == (6, layout.scene_ids(data_set)[4], 5)
    assert predictions == layout.read_json(data_set / scene / "_final.json")["predictions"]
    assert "'ids': List(Value('int64'))" in events
    assert picture.startswith("Image(")


def test_the_schema_is_the_stated_one(exported: Path) -> None:
    (path,) = exported.glob("data/*.parquet")
    benchmark = registry.get("billiardphys")
    columns = columns_of(benchmark, benchmark.views)
    schema = pq.read_schema(path)
    assert schema.equals(arrow_schema(columns))
    stated = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert stated == {name: feature(kind) for name, kind in columns.items()}
    assert all(schema.field(name).nullable for name in schema.names)


def test_prompts_travel_with_the_rows_and_labels_do_not_sit_in_them(exported: Path) -> None:
    (path,) = exported.glob("data/*.parquet")
    for row in pq.read_table(path, columns=["prompts", "pos_full"]).to_pylist():
        assert [prompt["task"] for prompt in row["prompts"]] == ["task1", "task2", "task3"]
        moved = str(row["pos_full"][0][0])
        assert all(moved not in prompt["prompt"] for prompt in row["prompts"])


def test_the_card_and_the_metadata_agree_with_the_files(exported: Path) -> None:
    card = (exported / "README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: cc-by-4.0\n")
    assert "path: data/test-*.parquet" in card
    metadata = json.loads((exported / "croissant.json").read_text())
    assert metadata["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    objects = [entry for entry in metadata["distribution"] if entry["@type"] == "cr:FileObject"]
    for entry in objects:
        assert hashlib.sha256((exported / entry["contentUrl"]).read_bytes()).hexdigest() == entry["sha256"]
    (path,) = exported.glob("data/*.parquet")
    (records,) = metadata["recordSet"]
    assert [field["source"]["extract"]["column"] for field in records["field"]] == pq.read_schema(path).names


def test_equal_data_give_equal_bytes(exported: Path, data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    assert jaxphys("export", data_set, "--out", tmp_path / "hub", "--quiet").code == 0
    for path in sorted(exported.rglob("*.*")):
        assert (tmp_path / "hub" / path.relative_to(exported)).read_bytes() == path.read_bytes()


def swap_pictures(root: Path) -> None:
    first, second = (root / "t1s" / f"scene_0000{k}" / "initial.png" for k in (0, 1))
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)


def cut_picture(root: Path) -> None:
    path = root / "t1s" / "scene_00000" / "final.png"
    path.write_bytes(path.read_bytes()[:-40])


def rename_scene(root: Path) -> None:
    (root / "t1s" / "scene_00000").rename(root / "t1s" / "scene_00099")


def remove_scenes(root: Path) -> None:
    for path in root.glob("*/scene_*"):
        shutil.rmtree(path)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (swap_pictures, "is the initial picture of t1s/scene_00001, not of t1s/scene_00000"),
        (cut_picture, "no readable picture"),
        (rename_scene, "holds scene t1s/scene_00000"),
        (remove_scenes, "holds no finished scenes"),
    ],
)
def test_a_damaged_data_set_is_not_exported(
    data_set: Path, tmp_path: Path, jaxphys: Run, damage: Callable[[Path], None], message: str
) -> None:
    root = tmp_path / "set"
    shutil.copytree(data_set, root)
    damage(root)
    ran = jaxphys("export", root, "--out", tmp_path / "hub")
    assert ran.code == 2
    assert message in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["set"]


def test_an_export_never_overwrites(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("export", data_set, "--out", tmp_path)
    assert (ran.code, "exists already" in ran.err) == (2, True)
