"""`segment` writes the key frames of recorded activities, and an activity that is broken costs no other."""

import json
from pathlib import Path

import pytest

from jaxphys_adapters.enact import graph_file
from jaxphys_adapters.enact.segment import EnactSegment, run, segment
from jaxphys_adapters.enact.store import GRAPHS, SEGMENTED
from jaxphys_benchmarks.enact.config import EnactConfig, Segmentation
from jaxphys_benchmarks.enact.graph import Graph, Node

PAPER = EnactConfig(segmentation=Segmentation(profile="paper"))


def opened(t: int, first: int, second: int) -> Graph:
    """A fridge that opens, and a lamp that is switched on later."""
    nodes = {
        "fridge_petcxr_0": Node("fridge_petcxr_0", "fridge", frozenset({"Open"} if t >= first else ())),
        "lamp_9": Node("lamp_9", "lamp", frozenset({"ToggledOn"} if t >= second else ())),
        "cup_1": Node("cup_1", "cup", frozenset({"Cooked"})),
    }
    return Graph(nodes, {("cup_1", "fridge_petcxr_0"): frozenset({"OnTop"})})


def record(folder: Path, task: str, frames: int, first: int = 300, second: int = 330) -> dict[str, Graph]:
    graphs = {str(t): opened(t, first, second) for t in range(frames)}
    (folder / task).mkdir(parents=True)
    (folder / task / GRAPHS).write_bytes(b"".join(graph_file.encode(graphs.items(), ("500",))))
    return graphs


@pytest.mark.parametrize(
    ("config", "wanted"),
    [(EnactConfig(), ("59", "310", "521")), (PAPER, ("0", "300", "330"))],
    ids=["release", "paper"],
)
def test_key_frames_are_written(tmp_path: Path, config: EnactConfig, wanted: tuple[str, ...]) -> None:
    graphs = record(tmp_path / "in", "kitchen", 900)
    images = tmp_path / "in" / "kitchen" / "external_sensor1"
    images.mkdir()
    for frame in (59, 300, 310):
        (images / f"{frame:05d}.png").write_bytes(b"png")
    (one,) = segment(tmp_path / "in", tmp_path / "out", config)
    assert (one.task, one.frames, one.key_frames, one.problems, one.failed) == ("kitchen", 900, wanted, [], False)
    path = tmp_path / "out" / "kitchen" / SEGMENTED
    kinds = [entry["type"] for entry in json.loads(path.read_text()).values()]
    assert kinds == ["full", "diff", "diff"]
    with graph_file.open_graphs(path) as file:
        assert file.graphs() == {frame: graphs[frame] for frame in wanted}
    copied = {image.name for image in (tmp_path / "out" / "kitchen" / "external_sensor1").iterdir()}
    assert copied == {f"{int(frame):05d}.png" for frame in wanted} & {"00059.png", "00300.png", "00310.png"}
    assert one.images == len(copied)


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    record(tmp_path / "in", "kitchen", 400)
    told = []
    (one,) = segment(tmp_path / "in", tmp_path / "out", dry_run=True, tell=told.append)
    assert one.key_frames == ("59", "310")
    assert told == [one]
    assert not (tmp_path / "out").exists()


def test_a_broken_activity_costs_no_other(tmp_path: Path) -> None:
    record(tmp_path / "in", "c_good", 400)
    record(tmp_path / "in", "b_short", 30)
    (tmp_path / "in" / "a_broken").mkdir()
    (tmp_path / "in" / "a_broken" / GRAPHS).write_text("not JSON")
    broken, short, good = segment(tmp_path / "in", tmp_path / "out")
    assert broken.failed
    assert "a JSON object of frames is needed" in broken.problems[0]
    assert not short.failed
    assert short.key_frames == ()
    assert "30 frames have no key frame; at least 60 are needed" in short.problems[0]
    assert good.key_frames == ("59", "310")
    assert not good.problems


def test_key_frames_before_a_cut_are_found(tmp_path: Path) -> None:
    record(tmp_path / "in", "kitchen", 400)
    path = tmp_path / "in" / "kitchen" / GRAPHS
    path.write_bytes(path.read_bytes()[:-40])
    (one,) = segment(tmp_path / "in", tmp_path / "out")
    assert one.key_frames == ("59", "310")
    assert "cut off after frame 397" in one.problems[0]
    assert len(one.problems) == 1


def test_a_folder_without_activities_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"holds no activity: no \{task\}/scene_graph_0.json"):
        segment(tmp_path, tmp_path / "out")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "in", "kitchen", 400)
    assert run(EnactSegment(tmp_path / "in", tmp_path / "dry", dry_run=True)) == 0
    assert not (tmp_path / "dry").exists()
    assert run(EnactSegment(tmp_path / "in", tmp_path / "out", profile="paper")) == 0
    assert "kitchen: 400 frames, 3 key frames, 0 to 330" in capsys.readouterr().err
    record(tmp_path / "in", "short", 20)
    assert run(EnactSegment(tmp_path / "in", tmp_path / "out")) == 1
    told = capsys.readouterr().err
    assert "short: 20 frames have no key frame" in told
    assert "2 key frames of 2 activities" in told


def test_the_command_fails_where_nothing_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "in" / "a").mkdir(parents=True)
    (tmp_path / "in" / "a" / GRAPHS).write_text("{")
    with pytest.raises(ValueError, match=r"no activity of .* could be segmented"):
        run(EnactSegment(tmp_path / "in", tmp_path / "out"))
