"""Scene graph files: full, diff and empty frames, broken input, and bounded memory."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jaxphys_adapters.enact import graph_file, graph_index
from jaxphys_benchmarks.enact import facts, graph
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.graph import GraphError
from tests.enact_worlds import cases, golden, random_world, seen

EMPTY_PARTS: dict[str, Any] = {"nodes": [], "edges": []}


def node(name: str, *states: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "category": "thing", "states": list(states), "visibility": {}, **more}


def full(*nodes: dict[str, Any], edges: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"type": "full", "nodes": list(nodes), "edges": list(edges)}


def diff(**parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "diff", **{name: EMPTY_PARTS | parts.get(name, {}) for name in ("add", "remove", "update")}}


def saved(path: Path, records: Any) -> graph_file.GraphFile:
    path.write_text(records if isinstance(records, str) else json.dumps(records))
    return graph_file.open_graphs(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene_graph_0.json"


@pytest.mark.parametrize("name", sorted(cases()["worlds"]))
@pytest.mark.parametrize("kept", [None, ()], ids=["full", "diffs"])
def test_worlds_survive_files(path: Path, name: str, kept: tuple[str, ...] | None) -> None:
    wanted = golden(name).graphs
    path.write_bytes(b"".join(graph_file.encode(wanted.items(), kept)))
    kinds = {record["type"] for record in json.loads(path.read_text()).values()}
    assert kinds == {"full"} if kept is None else "diff" in kinds
    with graph_file.open_graphs(path) as file:
        assert file.ids == tuple(wanted)
        assert dict(file.stream()) == file.graphs() == wanted
        assert {frame: file.graph(frame) for frame in reversed(file.ids)} == wanted
        assert not file.problems


@pytest.mark.parametrize("seed", range(6))
def test_random_worlds_survive_diff_chains(path: Path, seed: int) -> None:
    records = random_world(seed, frames=30, step=1)
    wanted = {frame: graph.read(record, frame) for frame, record in records.items()}
    path.write_bytes(b"".join(graph_file.encode(wanted.items(), ("10",))))
    with graph_file.open_graphs(path) as file:
        assert dict(file.stream()) == wanted
        assert file.graphs(["29", "3", "4", "11"]) == {frame: wanted[frame] for frame in ("3", "4", "11", "29")}


def test_the_rules_of_diffs(path: Path) -> None:
    """Additions of what is there change nothing, updates carry all states, unknown objects are let be."""
    edge = {"from": "a", "to": "b", "states": ["OnTop"]}
    with saved(
        path,
        {
            "5": full(node("a", "Open", visibility=seen(9)), node("b"), edges=(edge,)),
            "6": {"type": "empty"},
            "8": diff(
                add={"nodes": [node("a", "Cooked"), node("c")], "edges": [edge | {"states": ["Under"]}]},
                remove={"nodes": [node("b"), node("nobody")], "edges": [{"from": "x", "to": "y"}]},
                update={
                    "nodes": [node("c", "Folded"), node("nobody", "Open")],
                    "edges": [edge | {"states": ["Inside"]}],
                },
            ),
            "9": diff(remove={"edges": [edge]}, update={"nodes": [{"name": "a", "states": [], "visibility": seen(4)}]}),
        },
    ) as file:
        found = file.graphs()
        assert found["6"] is found["5"]
        assert found["8"].unary == {("a", "Open"), ("c", "Folded")}
        assert found["8"].binary == {("a", "b", "Inside")}
        assert set(found["9"].nodes) == {"a", "c"}
        assert not found["9"].edges
        assert found["9"].nodes["a"].category == "thing"
        assert found["9"].nodes["a"].visibility[0][1][0] == 4
        assert not file.problems


def test_of_several_nodes_of_one_name_the_first_is_seen_and_the_last_has_the_states(path: Path) -> None:
    twice = full(node("a", "Open", visibility=seen(9)), node("a", "Cooked") | {"category": "other"})
    with saved(path, {"0": twice}) as file:
        (only,) = file.graph("0").nodes.values()
    assert (only.category, only.states, len(only.visibility)) == ("thing", {"Cooked"}, 1)


def test_frames_may_be_in_any_order_and_laid_out_freely(path: Path) -> None:
    text = json.dumps({"10": {"type": "empty"}, "2": full(node('odd "name" \\ {[', "Open"))}, indent=4)
    with saved(path, text) as file:
        assert file.ids == ("2", "10")
        assert file.graph("10").unary == {('odd "name" \\ {[', "Open")}


BROKEN: dict[str, tuple[Any, str]] = {
    "no type": ({"nodes": []}, "type must be one of full, diff, empty, not None"),
    "not an object": ([1], "type must be one of"),
    "unknown type": ({"type": "half"}, "not 'half'"),
    "nodes": ({"type": "full", "nodes": 3}, "nodes must be a list"),
    "node": ({"type": "full", "nodes": [3]}, "each of nodes must be an object, not 3"),
    "name": (full(node("a") | {"name": 3}), "name must be a text, not 3"),
    "states": (full(node("a") | {"states": "Open"}), "states must be a list of texts, not 'Open'"),
    "parent": (full(node("a", parent=[1])), "parent must be a list of texts"),
    "visibility": (full(node("a") | {"visibility": {"s": [1]}}), "visibility must give 7 numbers"),
    "huge": (full(node("a") | {"visibility": {"s": [10**400, 0, 0, 0, 0, 1, 1]}}), "visibility must give 7 numbers"),
    "NaN": (full(node("a") | {"visibility": {"s": [float("nan"), 0, 0, 0, 0, 1, 1]}}), "visibility must give 7"),
    "edge": ({"type": "full", "edges": [{"from": "a"}]}, "to must be a text"),
    "part": ({"type": "diff", "add": []}, "add must be an object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_frame_is_named_and_the_rest_kept(path: Path, name: str) -> None:
    record, problem = BROKEN[name]
    good = full(node("a", "Open"))
    with saved(path, {"0": good, "1": record, "2": {"type": "empty"}, "3": good, "4": {"type": "empty"}}) as file:
        assert [frame for frame, _ in file.stream()] == ["0", "3", "4"]
        assert list(file.graphs()) == ["0", "3", "4"]
        assert problem in file.problems[0]
        assert "frame 1" in file.problems[0]
        assert len(file.problems) == 2
        with pytest.raises(GraphError, match="frame 1: "):
            file.graph("2")
    with graph_file.open_graphs(path) as file:
        assert list(file.graphs(["2", "4"])) == ["4"]
        (told,) = file.problems
        assert "frame 2: it builds on frame 1: " in told


def test_a_chain_of_diffs_without_a_full_frame_is_named(path: Path) -> None:
    with saved(path, {"3": diff(), "4": {"type": "empty"}, "5": full(node("a"))}) as file:
        with pytest.raises(GraphError, match="frame 4: no full frame lies at or below it"):
            file.graph("4")
        assert list(file.graphs()) == ["5"]
        assert [frame for frame, _ in file.stream()] == ["5"]
        assert len(file.problems) == 2


@pytest.mark.parametrize("first", [diff(), {"type": "full", "nodes": 7}], ids=["no full frame", "a broken one"])
def test_a_long_chain_without_a_sound_full_frame_is_not_walked_again_for_each_frame(
    path: Path, monkeypatch: pytest.MonkeyPatch, first: Any
) -> None:
    count, read = 300, list[str]()
    rows = {"0": first, **{str(k): diff() for k in range(1, count)}, str(count): full(node("a"))}
    record = graph_file.GraphFile.record

    def counted(self: graph_file.GraphFile, frame: str) -> Any:
        read.append(frame)
        return record(self, frame)

    monkeypatch.setattr(graph_file.GraphFile, "record", counted)
    with saved(path, rows) as file:
        assert list(file.graphs()) == [str(count)]
        assert len(read) < 4 * count
        words = "frame 7: no full frame lies at or below it" if first == diff() else "frame 7: it builds on frame 0: "
        assert any(words in problem for problem in file.problems)


def test_a_missing_frame_is_left_out(path: Path) -> None:
    with saved(path, {"0": full()}) as file:
        assert list(file.graphs(["0", "77", "x"])) == ["0"]
        with pytest.raises(KeyError):
            file.graph("77")


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.97, 1.0])
def test_a_file_that_is_cut_off_keeps_what_comes_before(path: Path, cut: float) -> None:
    text = json.dumps(cases()["worlds"]["kitchen"])
    text = text[: int(cut * len(text)) - 1]
    whole = [frame for frame in cases()["worlds"]["kitchen"] if f'"{int(frame) + 100}": {{' in text]
    with saved(path, text) as file:
        assert list(file.graphs()) == [*whole, *(["800"] if cut == 1.0 else [])]
        assert "cut off after frame" in file.problems[0]


def test_what_is_no_frame_is_named(path: Path) -> None:
    text = '{"0": {"type": "full"}, "zero": {}, 5: {}, "0": {"type": "full", "nodes": [{"name": "a"}]}, } more'
    with saved(path, text) as file:
        assert set(file.graph("0").nodes) == {"a"}
        told = " ".join(file.problems)
    assert all(part in told for part in ('"zero"', "'5' is no frame id", "frame 0 is there twice"))


@pytest.mark.parametrize("text", ["", "  ", "[1, 2]", "3", '"0"'])
def test_a_file_without_an_object_is_refused(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(ValueError, match=r"a JSON object of frames is needed"):
        graph_file.open_graphs(path)


def test_deep_nesting_is_a_broken_frame(path: Path) -> None:
    with saved(path, '{"0": ' + "[" * 100_000 + "]" * 100_000 + ', "1": {"type": "full"}}') as file:
        assert list(file.graphs()) == ["1"]


def test_frames_are_found_across_the_borders_of_chunks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = golden("cutting").graphs
    path.write_bytes(b"".join(graph_file.encode(wanted.items())))
    for chunk, marks in ((1, 1), (7, 2), (64, 3)):
        monkeypatch.setattr(graph_index, "CHUNK", chunk)
        monkeypatch.setattr(graph_index, "MARKS", marks)
        with graph_file.open_graphs(path) as file:
            assert file.graphs() == wanted


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_read_as_far_as_they_go(path: Path, seed: int) -> None:
    """Bytes are changed, cut out, put in and doubled: both ways of reading agree, and nothing else is raised."""
    rng = np.random.default_rng(seed)
    sound = b"".join(graph_file.encode(golden("cutting").graphs.items(), ("20", "40") if seed % 2 else None))
    kept = 0
    for _ in range(50):
        data = bytearray(sound)
        for _ in range(int(rng.integers(1, 4))):
            at, other = (int(place) for place in rng.integers(len(data) - 60, size=2))
            edits = {0: b"", 1: rng.bytes(3), 2: b'{}[]",:'[at % 7 : at % 7 + 1], 3: bytes(data[other : other + 60])}
            data[at : at + int(rng.integers(3))] = edits[int(rng.integers(4))]
        path.write_bytes(data)
        try:
            with graph_file.open_graphs(path) as file:
                found = file.graphs()
                assert dict(file.stream()) == found
                facts.change_table(Episode(found))
                kept += len(found)
        except ValueError:
            continue
    assert kept > 50


@pytest.mark.parametrize("frame", ["-1", "1.5", "٣", "", "9" * 16, "9" * 5000])
def test_what_cannot_be_the_id_of_a_frame_is_named(path: Path, frame: str) -> None:
    with saved(path, {frame: full(), "7": full()}) as file:
        assert file.ids == ("7",)
        assert "is no frame id" in file.problems[0]


def test_only_the_first_of_many_problems_are_named(path: Path) -> None:
    with saved(path, {str(k): {} for k in range(200)}) as file:
        assert list(file.stream()) == []
        assert len(file.problems) == graph_file.MAX_PROBLEMS + 1


MEASURED = """
import pathlib, sys
from jaxphys_adapters.enact.graph_file import open_graphs
def peak():
    (line,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return int(line.split()[1])
open_graphs(pathlib.Path(sys.argv[3])).close()  # compiled code is loaded
before = peak()
with open_graphs(pathlib.Path(sys.argv[1])) as file:
    count = len(file.graphs(file.ids[:: len(file.ids) // 50]))
    if sys.argv[2] == "all":
        from jaxphys_benchmarks.enact import facts, segmentation
        table = facts.fact_table(file.stream())
        segmentation.key_frames(table.ids, table.facts)
    print(len(file.ids), count, before, peak(), len(file.problems))
"""
"""What `getrusage` calls the peak of a process may be that of the one which started it."""

TOLD = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell a process's memory")


def big(path: Path, size: int) -> int:
    """A file of at least so many bytes, of full frames; returns how many."""
    pieces = [json.dumps(record) for record in random_world(0, frames=64).values()]
    written = count = 0
    with path.open("w") as file:
        while written < size:
            many = (f'{"{" if not count and not k else ","}"{count + k}": {piece}\n' for k, piece in enumerate(pieces))
            written += file.write("".join(many))
            count += len(pieces)
        file.write("}")
    return count


def measure(path: Path, what: str) -> list[int]:
    small = path.with_name("small.json")
    small.write_text("{}")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path), what, str(small)], capture_output=True, text=True, check=True
    )
    return [int(number) for number in done.stdout.split()]


@TOLD
def test_memory_hangs_on_the_wanted_frames_and_not_on_the_file(path: Path) -> None:
    """A process (memory in KiB) takes 50 frames out of a file of 120 MB."""
    frames = big(path, 120_000_000)
    count, wanted, before, peak, problems = measure(path, "some")
    assert (count, problems) == (frames, 0)
    assert 50 <= wanted <= 52
    assert peak - before < 50_000
    assert peak < 1 << 20


@TOLD
@pytest.mark.slow
def test_a_file_of_2_gb_stays_below_1_gib(path: Path) -> None:
    """All frames are read and key frames are found."""
    frames = big(path, 2_000_000_000)
    count, _, _, peak, problems = measure(path, "all")
    assert (count, problems) == (frames, 0)
    assert peak < 1 << 20
