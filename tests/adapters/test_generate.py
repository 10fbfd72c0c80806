"""Data sets: published layout, resuming with the same bytes, shards, refusals, and nothing half-written."""

import errno
import json
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from jaxphys_adapters import atomic, environment, frames, layout, store
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import View
from jaxphys_kernels.status import Status

from .conftest import SMALL, Ran, contents

Run = Callable[..., Ran]


def test_the_layout_is_the_published_one(data_set: Path) -> None:
    ids = layout.scene_ids(data_set)
    assert ids == [f"t{t}s/scene_{k:05d}" for t in (1, 3) for k in range(3)]
    names = {"init.json", "_final.json", "initial.png", "final.png", "overlay.png"}
    for scene in ids:
        assert {path.name for path in (data_set / scene).iterdir()} == names
        final = layout.read_json(data_set / scene / "_final.json")
        assert list(final) == ["Q1", "Q2", "predictions", "meta"]
        with Image.open(data_set / scene / "initial.png") as image:
            assert image.info == {"benchmark": "billiardphys", "scene": scene, "view": "initial"}
    for group in ("t1s", "t3s"):
        assert layout.read_json(data_set / group / "report.json")["scenes"] == 3
        assert (data_set / group / "report.png").stat().st_size > 1000


def test_scenes_read_back_what_was_drawn(data_set: Path) -> None:
    benchmark = registry.get("billiardphys", windows=(1, 3), scale=0.25)
    drawn = {spec.id: spec for spec in benchmark.sample(5, 3)}
    read = {scene: layout.read_scene(benchmark, data_set, scene)[0] for scene in layout.scene_ids(data_set)}
    assert read == drawn


def test_the_configuration_says_what_it_was_made_with_and_nothing_private(data_set: Path) -> None:
    config = layout.read_json(data_set / "config.json")
    assert config["options"]["windows"] == [1.0, 3.0]
    (maker,) = config["made_with"]
    assert {"jaxphys", "jax", "numpy", "pillow"} <= set(maker["versions"])
    assert maker["instruction_set"] == sorted(maker["instruction_set"])
    text = (data_set / "config.json").read_text()
    assert str(data_set.parent) not in text
    assert str(Path.home()) not in text


def test_a_second_run_has_nothing_to_do(data_set: Path, jaxphys: Run) -> None:
    before = contents(data_set)
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", data_set)
    assert (ran.code, ran.out) == (0, "")
    assert "0 scenes made, 6 already there" in ran.err
    assert contents(data_set) == before


def test_an_interrupted_run_resumes_to_the_same_bytes(
    data_set: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, drawn = tmp_path / "set", 0
    draw = frames.png

    def interrupted(*arguments: Any) -> bytes:
        nonlocal drawn
        drawn += 1
        if drawn > 7:
            raise KeyboardInterrupt
        return draw(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(frames, "png", interrupted)
        ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert ran.code == 130
    assert "run the same command again to resume" in ran.err
    done = layout.scene_ids(out)
    assert 0 < len(done) < 6
    assert not list(out.rglob(".tmp-*"))
    # What a killed process leaves: an unfinished folder under a temporary name, and a damaged one.
    (out / "t1s" / ".tmp-scene_00002-dead").mkdir()
    (out / done[0] / "overlay.png").unlink()
    assert jaxphys("generate", "billiardphys", *SMALL, "--out", out).code == 0
    assert contents(out) == contents(data_set)
    assert not list(out.rglob(".tmp-*"))


def test_shards_are_disjoint_and_complete(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    parts = [tmp_path / f"part{k}" for k in (1, 2)]
    for k, part in enumerate(parts, start=1):
        ran = jaxphys("generate", "billiardphys", *SMALL, "--out", part, "--shard", f"{k}/2")
        assert ran.code == 0
        assert "not complete yet" in ran.err
        assert not list(part.glob("*/report.json"))
    first, second = (set(layout.scene_ids(part)) for part in parts)
    assert not first & second
    assert sorted(first | second) == layout.scene_ids(data_set)
    # The same folder for both: the run that completes the set writes the reports.
    assert jaxphys("generate", "billiardphys", *SMALL, "--out", parts[0], "--shard", "2/2").code == 0
    assert contents(parts[0]) == contents(data_set)


@pytest.mark.parametrize(("scenes", "told"), [(2, True), (4, False)])
def test_scenes_that_leave_speeds_out_are_told(tmp_path: Path, jaxphys: Run, scenes: int, told: bool) -> None:
    words = ("--no-pictures", "--option", "families=door_swing", "--option", "visible_px=0", "--out", tmp_path / "set")
    ran = jaxphys("generate", "reacthuman", "--scenes", scenes, *words)
    assert ran.code == 0
    hint = "hint: of reacthuman 4 scenes belong together in each of 1 groups, and 2 scenes leave some of these sets"
    assert (hint in ran.err) is told


def test_any_number_of_scenes_spreads_over_the_windows(tmp_path: Path, jaxphys: Run) -> None:
    words = (
        "--scenes",
        5,
        "--windows",
        "1,2.5",
        "--no-pictures",
        "--out",
        tmp_path / "set",
        "--option",
        "screen=false",
    )
    assert jaxphys("generate", "billiardphys", *words).code == 0
    ids = layout.scene_ids(tmp_path / "set")
    assert ids == [f"t1s/scene_{k:05d}" for k in range(3)] + [f"t2.5s/scene_{k:05d}" for k in range(2)]
    assert not list((tmp_path / "set").glob("*/scene_*/*.png"))


def test_chunks_do_not_change_the_bytes(
    data_set: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jaxphys_adapters.generate.CHUNK_SCENES", 2)
    assert jaxphys("generate", "billiardphys", *SMALL, "--out", tmp_path / "set", "--quiet").code == 0
    assert contents(tmp_path / "set") == contents(data_set)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (("--seed", "6"), "seed is 5 there, 6 asked"),
        (("--scenes", "8"), "scenes is 6 there, 8 asked"),
        (("--option", "mu=0.01"), "mu is 0.002 there, 0.01 asked"),
        (("--no-pictures",), "pictures is"),
    ],
)
def test_a_folder_of_another_configuration_is_refused(
    data_set: Path, jaxphys: Run, changed: tuple[str, ...], named: str
) -> None:
    before = contents(data_set)
    ran = jaxphys("generate", "billiardphys", *SMALL, *changed, "--out", data_set)
    assert ran.code == 2
    assert named in ran.err
    assert "choose another folder" in ran.err
    assert contents(data_set) == before


def test_a_folder_begun_with_other_versions_needs_a_word(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "set"
    shutil.copytree(data_set, out)
    config = json.loads((out / "config.json").read_text())
    config["made_with"][0]["versions"]["jax"] = "0.0.1"
    (out / "config.json").write_text(json.dumps(config))
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert ran.code == 2
    assert "other versions" in ran.err
    assert jaxphys("generate", "billiardphys", *SMALL, "--out", out, "--mixed").code == 0
    assert len(layout.read_json(out / "config.json")["made_with"]) == 2


@pytest.mark.parametrize("theirs", [{}, {"mujoco": "4.0.0"}, {"mujoco": "4.0.0", "mujoco-mjx": "3.17.0"}], ids=str)
def test_a_simulator_that_is_installed_or_gone_since_does_not_stop_a_resumption(
    theirs: dict[str, str], data_set: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "set"
    shutil.copytree(data_set, out)
    config = json.loads((out / "config.json").read_text())
    versions = config["made_with"][0]["versions"]
    config["made_with"][0]["versions"] = {k: v for k, v in versions.items() if not k.startswith("mujoco")} | theirs
    (out / "config.json").write_text(json.dumps(config))
    before = contents(out)
    ours: dict[str, str] = {} if theirs else {"mujoco": "4.0.0"}
    installed = {k: v for k, v in versions.items() if not k.startswith("mujoco")} | ours
    monkeypatch.setattr(environment, "versions", lambda packages: installed)
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert (ran.code, contents(out)) == (0, before), ran.err
    # One that both have counts as every package does.
    installed["mujoco"] = "9"
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert ran.code == (2 if theirs else 0)
    assert ("other versions" in ran.err) == bool(theirs)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, jaxphys: Run) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", tmp_path)
    assert ran.code == 2
    assert "thesis.tex" in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("name", ["init.json", "_final.json", "overlay.png"])
@pytest.mark.parametrize("kept", [None, 0, 100], ids=["missing", "empty", "cut off"])
def test_a_damaged_scene_is_made_again(
    data_set: Path, tmp_path: Path, jaxphys: Run, name: str, kept: int | None
) -> None:
    out = tmp_path / "set"
    shutil.copytree(data_set, out)
    path = out / "t3s" / "scene_00001" / name
    path.unlink() if kept is None else path.write_bytes(path.read_bytes()[:kept])
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert ran.code == 0
    assert "1 scenes made, 5 already there" in ran.err
    assert contents(out) == contents(data_set)


def test_a_full_disk_leaves_nothing_half_written(
    data_set: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, written = tmp_path / "set", 0
    write_bytes = Path.write_bytes

    def filling(path: Path, data: bytes) -> int:
        nonlocal written
        written += 1
        if written > 8:
            write_bytes(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", filling)
        ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert ran.code == 2
    assert "the disk is full" in ran.err
    assert ran.err.count("\n") == 1
    assert not list(out.rglob(".tmp-*"))
    whole = contents(data_set)
    assert all(data == whole[name] for name, data in contents(out).items())
    assert jaxphys("generate", "billiardphys", *SMALL, "--out", out).code == 0
    assert contents(out) == whole


@pytest.mark.parametrize("below", ["", "below"])
def test_a_file_in_the_way_of_the_folder(tmp_path: Path, jaxphys: Run, below: str) -> None:
    (tmp_path / "file").write_text("")
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", tmp_path / "file" / below)
    assert ran.code == 2
    assert "a file is in the way" in ran.err
    assert ran.err.count("\n") == 1


def test_a_read_only_folder(tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(atomic, "mkstemp", refuse)
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", tmp_path / "set")
    assert ran.code == 2
    assert "read-only" in ran.err


class Failing:
    """A benchmark of which one scene never gets labels."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def statuses(self, spec: Any, labels: Any) -> tuple[int, ...]:
        bad = spec.id == "t1s/scene_00001"
        return (Status.UNSTABLE_LABEL, Status.EVENT_CAP) if bad else self.inner.statuses(spec, labels)


def test_a_failed_scene_is_recorded_and_counted(tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    get = registry.get
    monkeypatch.setattr(registry, "get", lambda name, **options: Failing(get(name, **options)))
    out = tmp_path / "set"
    ran = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert ran.code == 1
    assert "EVENT_CAP: 1" in ran.err
    assert "UNSTABLE_LABEL: 1" in ran.err
    assert not (out / "t1s" / "scene_00001").exists()
    record = layout.read_json(layout.failed_file(out, "t1s/scene_00001"))
    assert record["statuses"] == [8, 1]
    report = layout.read_json(out / "t1s" / "report.json")
    assert (report["failed"], report["failed_by_status"]) == (1, {"EVENT_CAP": 1})
    again = jaxphys("generate", "billiardphys", *SMALL, "--out", out)
    assert (again.code, "0 scenes made" in again.err) == (1, True)


def test_stored_pictures_are_those_of_the_scene(data_set: Path) -> None:
    benchmark = registry.get("billiardphys", windows=(1, 3), scale=0.25)
    spec, labels = layout.read_scene(benchmark, data_set, "t3s/scene_00002")
    for kind in benchmark.views:
        canvas = benchmark.picture(spec, labels, View(kind))
        data = (data_set / spec.id / f"{kind}.png").read_bytes()
        assert frames.png(canvas, store.png_text(benchmark, spec, kind)) == data
        with Image.open(BytesIO(data)) as image:
            assert image.size == (canvas.width_px, canvas.height_px)
