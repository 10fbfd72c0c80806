"""Packs hold all that verdicts need, are small and reproducible, and refuse what is none."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jaxphys_adapters.enact import graph_file
from jaxphys_adapters.enact import pack as packs
from jaxphys_adapters.enact.packing import EnactPack, make_pack, pack, run
from jaxphys_adapters.enact.store import Folders, open_store
from jaxphys_benchmarks.enact import facts
from jaxphys_benchmarks.enact.episode import Episode
from tests.enact_worlds import SENSOR, cases, episode, golden, random_world


def saved(folder: Path, **episodes: Episode) -> Folders:
    """The published folders of these activities; key frames are every second frame."""
    for task, one in episodes.items():
        for root, name, frames in (
            ("replayed", "scene_graph_0.json", one.frames),
            ("segmented", "segmented_scene_graph_0.json", one.frames[::2]),
        ):
            (folder / root / task).mkdir(parents=True)
            data = b"".join(graph_file.encode((frame, one.graphs[frame]) for frame in frames))
            (folder / root / task / name).write_bytes(data)
    return Folders(folder / "segmented", folder / "replayed")


def same_changes(one: Episode, other: Episode) -> None:
    first, second = facts.change_table(one), facts.change_table(other)
    assert first.frames == second.frames
    assert first.words == second.words
    for name in ("partial", "full", "orphan", "wordless"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


@pytest.mark.parametrize("name", sorted(cases()["worlds"]))
def test_stored_worlds_survive_packs(tmp_path: Path, name: str) -> None:
    check(tmp_path / "a.npz", golden(name))


@pytest.mark.parametrize("seed", range(4))
def test_random_worlds_survive_packs(tmp_path: Path, seed: int) -> None:
    check(tmp_path / "a.npz", episode(random_world(seed)))


def check(path: Path, world: Episode) -> None:
    written = packs.Pack(SENSOR, {"task_1": packs.PackedEpisode(world.graphs, world.frames[1:3])})
    packs.write_pack(path, written)
    read = packs.read_pack(path)
    assert (read.sensor, read.tasks, read.key_frames("task_1")) == (SENSOR, ("task_1",), world.frames[1:3])
    same_changes(world, Episode(read.graphs("task_1")))


def test_a_pack_of_folders_holds_asked_frames_and_key_frames(tmp_path: Path) -> None:
    store = saved(tmp_path, kitchen=golden("kitchen"), cutting=golden("cutting"), twins=golden("twins"))
    path = tmp_path / "a.npz"
    made = pack(path, store, {"kitchen": ["100", "300"], "cutting": []})
    assert not store.problems
    again = open_store(tmp_path, tmp_path, path)
    assert list(again.tasks) == list(made.tasks) == ["cutting", "kitchen"]
    assert again.key_frames("kitchen") == ("0", "200", "400", "600", "800")
    found = again.graphs("kitchen", ["100", "400"])
    assert found is not None
    assert Episode(found).partial("100", "400") == golden("kitchen").partial("100", "400")
    assert set(made.graphs("kitchen")) == {"0", "100", "200", "300", "400", "600", "800"}
    assert set(make_pack(store).tasks) == {"kitchen", "cutting", "twins"}


def test_equal_packs_are_equal_bytes(tmp_path: Path) -> None:
    store = saved(tmp_path, cutting=golden("cutting"), kitchen=golden("kitchen"))
    for name in "ab":
        pack(tmp_path / name, store)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_is_missing_is_told_and_the_rest_packed(tmp_path: Path) -> None:
    store = saved(tmp_path, kitchen=golden("kitchen"), cutting=golden("cutting"), twins=golden("twins"))
    (tmp_path / "replayed" / "twins" / "scene_graph_0.json").unlink()
    (tmp_path / "replayed" / "cutting" / "scene_graph_0.json").write_text("[]")
    made = make_pack(store, {"kitchen": ["5"], "cutting": [], "twins": [], "nowhere": [], "../kitchen": []})
    assert made.tasks == ("kitchen",)
    told = "\n".join(store.problems)
    assert all(part in told for part in ("task kitchen", ": 5", "cutting", "twins", "nowhere", "../kitchen"))


def test_nothing_to_pack_is_an_error(tmp_path: Path) -> None:
    store = saved(tmp_path, kitchen=golden("kitchen"))
    with pytest.raises(ValueError, match=r"no activity could be read(.|\n)*nowhere"):
        pack(tmp_path / "a.npz", store, {"nowhere": []})
    assert not (tmp_path / "a.npz").exists()


def test_a_pack_is_far_smaller_than_its_folders(tmp_path: Path) -> None:
    store = saved(tmp_path, many=episode(random_world(0, frames=60)))
    pack(tmp_path / "a.npz", store)
    folder = tmp_path / "segmented" / "many" / "segmented_scene_graph_0.json"
    raw = len(json.dumps(random_world(0, frames=60)))
    assert (tmp_path / "a.npz").stat().st_size < min(raw / 20, folder.stat().st_size)


def head(**changes: Any) -> bytes:
    row = {"task": "a", "frames": ["0"], "key_frames": [], "objects": [], "vocabulary": []}
    return json.dumps({"format": "enact-pack", "version": 1, "sensor": "s", "tasks": [row]} | changes).encode()


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        (b"", "is no ENACT pack"),
        (b"hello", "is no ENACT pack"),
        (head(format="other"), "is no ENACT pack"),
        (head(version=7), "a pack of version 7"),
        (head(), "is damaged"),
        (b"[]", "is damaged"),
    ],
    ids=["empty", "text", "format", "version", "arrays", "head"],
)
def test_what_is_no_pack_is_refused(tmp_path: Path, made: bytes, problem: str) -> None:
    path = tmp_path / "a.npz"
    if made.startswith((b"{", b"[")):
        np.savez(path, allow_pickle=False, head=np.frombuffer(made, np.uint8))
    else:
        path.write_bytes(made)
    with pytest.raises(packs.PackError, match=problem):
        packs.read_pack(path)


def test_a_cut_pack_is_refused_and_pickles_are_not_run(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    check(path, golden("kitchen"))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(packs.PackError, match="damaged"):
        packs.read_pack(path)
    np.savez(path, head=np.array([{"a": 1}], object))
    with pytest.raises(packs.PackError, match="damaged"):
        packs.read_pack(path)
    with pytest.raises(FileNotFoundError):
        packs.read_pack(tmp_path / "none.npz")


@pytest.mark.parametrize("task", ["../out", "/out", "a/b", "", "..", "a" * 256])
def test_a_pack_cannot_name_files_elsewhere(tmp_path: Path, task: str) -> None:
    path = tmp_path / "a.npz"
    packs.write_pack(path, packs.Pack(SENSOR, {task: packs.PackedEpisode(golden("kitchen").graphs)}))
    with pytest.raises(ValueError, match="is no name of a task"):
        open_store(tmp_path, tmp_path, path)


def test_a_pack_of_frames_without_numbers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    check(path, golden("kitchen"))
    with np.load(path) as arrays:
        parts = dict(arrays)
    told = json.loads(bytes(parts["head"]))
    told["tasks"][0]["frames"][0] = "x"
    np.savez(path, **(parts | {"head": np.frombuffer(json.dumps(told).encode(), np.uint8)}))
    with pytest.raises(packs.PackError, match="decimal numbers"):
        packs.read_pack(path)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(tmp_path, kitchen=golden("kitchen"), cutting=golden("cutting"))
    folders = {"segmented_data": tmp_path / "segmented", "raw_data": tmp_path / "replayed"}
    out, asked = tmp_path / "new" / "a.npz", tmp_path / "asked.jsonl"
    assert run(EnactPack(out, **folders)) == 0
    assert packs.read_pack(out).tasks == ("cutting", "kitchen")
    asked.write_text('{"task_name": "kitchen", "key_frame_ids": ["100", "700"]}\nbroken\n')
    assert run(EnactPack(out, **folders, questions=(asked,))) == 0
    assert set(packs.read_pack(out).graphs("kitchen")) == {"0", "100", "200", "400", "600", "700", "800"}
    asked.write_text('{"task_name": "kitchen", "key_frame_ids": ["101"]}\n')
    assert run(EnactPack(out, **folders, questions=(asked,))) == 1
    assert "lacks 1 of the frames" in capsys.readouterr().err
    asked.write_text("{}\n")
    with pytest.raises(ValueError, match="questions: no line"):
        run(EnactPack(out, **folders, questions=(asked,)))
    with pytest.raises(ValueError, match="no such folder"):
        run(EnactPack(out, segmented_data=tmp_path / "none", raw_data=tmp_path))
