"""`jaxphys enact qa` and `export`: question files in three spellings, images, trees that come back the same."""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from jaxphys_adapters.enact import evaluate, export, images, qa
from jaxphys_adapters.enact.evaluate import EnactEval
from jaxphys_adapters.enact.export import EnactExport, Recording
from jaxphys_adapters.enact.qa import EnactQa
from jaxphys_adapters.enact.qa_file import load_qa
from jaxphys_benchmarks.enact import items
from jaxphys_benchmarks.enact.baselines import baselines
from tests import enact_worlds
from tests.adapters.enact.published_tree import read_lines, write_lines

TASKS = {"chop_an_onion_1700000000000001": 51, "bringing_water_1700000000000002": 52}


SIZE = 96


def picture(task: str, frame: str) -> Image.Image:
    return Image.new("RGB", (SIZE, SIZE), (0, int(frame) % 256, TASKS[task]))


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as opened:
        return np.asarray(opened)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("enact") / "data"
    worlds = {
        task: enact_worlds.episode(enact_worlds.random_world(seed, orphans=False)) for task, seed in TASKS.items()
    }
    recordings = {task: Recording(world.graphs, world.frames) for task, world in worlds.items()}
    made = [
        items.make(task, world.frames[:3], world, inverse=inverse)
        for task, world in worlds.items()
        for inverse in (False, True)
    ]
    export.export(out, recordings, made, picture)
    return out


def command(tree: Path, out: Path, **options: object) -> EnactQa:
    return EnactQa(tree / "segmented_activities", tree / "replayed_activities", out, num_to_sample=2, **options)  # type: ignore[arg-type]


def test_an_exported_tree_has_the_published_layout(tree: Path) -> None:
    for task in TASKS:
        for root, name in (
            ("replayed_activities", "scene_graph_0"),
            ("segmented_activities", "segmented_scene_graph_0"),
        ):
            folder = tree / root / task
            frames = json.loads((folder / f"{name}.json").read_text())
            assert next(iter(frames.values()))["type"] == "full"
            names = {f"{int(frame):05d}.png" for frame in frames}
            assert {path.name for path in (folder / "external_sensor1").iterdir()} == names
    rows = read_lines(tree / "QA" / "enact_ordering.jsonl")
    assert pq.read_table(tree / "QA" / "enact_ordering.parquet").to_pylist() == rows
    for row in rows:
        assert all(pixels(tree / path).shape == (SIZE, SIZE, 3) for path in row["images"])
    found = load_qa(tree / "QA" / "enact_ordering.jsonl")
    assert [item.record() for item in found.items] == rows
    assert not found.faults
    assert not found.warnings


def test_what_is_exported_is_read_back(tree: Path, tmp_path: Path) -> None:
    again = EnactExport(
        tmp_path / "again",
        tree / "segmented_activities",
        tree / "replayed_activities",
        questions=tree / "QA" / "enact_ordering.jsonl",
    )
    assert export.run(again) == 0
    names = sorted(str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file())
    assert names == sorted(str(path.relative_to(again.out)) for path in again.out.rglob("*") if path.is_file())
    for name in names:
        assert (tree / name).read_bytes() == (again.out / name).read_bytes(), name
    with pytest.raises(ValueError, match="exists already"):
        export.run(again)


def test_every_problem_is_told_once(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = shutil.copytree(tree, tmp_path / "data")
    cut = data / "segmented_activities" / next(iter(TASKS)) / "segmented_scene_graph_0.json"
    cut.write_bytes(cut.read_bytes()[:-20])
    odd = [{**lines_of(tree)[0], "id": f"odd{k}"} for k in range(12)]
    questions = write_lines(tmp_path / "qa.jsonl", [*odd, "broken"])
    folders = (data / "segmented_activities", data / "replayed_activities")
    assert export.run(EnactExport(tmp_path / "asked", *folders, questions=questions)) == 1
    told = capsys.readouterr().err
    assert (told.count("is cut off"), told.count("hash of its frames")) == (1, 10)
    assert "and 2 more warnings" in told
    assert "line 13: no JSON object" in told
    assert export.run(EnactExport(tmp_path / "made", *folders)) == 1
    assert capsys.readouterr().err.count("is cut off") == 1


def test_questions_are_made_answered_and_judged(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "QA" / "enact_ordering.jsonl"
    assert qa.run(command(tree, out)) == 0
    found = load_qa(out)
    assert {item.inverse for item in found.items} == {False, True}
    assert not found.faults
    assert not found.warnings
    for item in found.items:
        for path, (frame, label) in zip(item.images, item.shown(), strict=True):
            shown = pixels(tmp_path / path)
            assert tuple(shown[-1, -1]) == picture(item.task_name, frame).getpixel((SIZE - 1, SIZE - 1))
            assert np.array_equal(shown, np.asarray(images.labelled(picture(item.task_name, frame), label)))
    predictions = write_lines(
        tmp_path / "enact_ordering_oracle.jsonl",
        [{**item.record(), "answer": baselines()["oracle"](item, 0)} for item in found.items],
    )
    judged = EnactEval(
        predictions, tree / "segmented_activities", tree / "replayed_activities", output_root=tmp_path / "evaluation"
    )
    assert evaluate.run(judged) == 0
    for folder in ("meta_performance", "meta_performance_strict"):
        content = json.loads((tmp_path / "evaluation" / folder / "enact_ordering_oracle.json").read_text())
        overall = content["overall_performance"]["overall"]
        assert (overall["task_accuracy"], overall["pairwise_accuracy"]) == (1.0, 1.0)
        assert overall["count"] == len(found.items)


def test_questions_are_written_after_their_images(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is cut off while it draws leaves no questions about images that are not there."""

    def cut_off(*arguments: object, **options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(qa, "write_images", cut_off)
    out = tmp_path / "data" / "QA" / "q.jsonl"
    with pytest.raises(KeyboardInterrupt):
        qa.run(command(tree, out))
    assert not out.exists()


def test_each_picture_is_drawn_once_for_all_questions(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn: list[tuple[bytes, str]] = []
    draw = images.labelled

    def count(shown: Image.Image, label: str) -> Image.Image:
        drawn.append((shown.tobytes(), label))
        return draw(shown, label)

    monkeypatch.setattr(images, "labelled", count)
    assert qa.run(command(tree, tmp_path / "QA" / "q.jsonl")) == 0
    written = len(list(tmp_path.rglob("*.png")))
    assert len(set(drawn)) == len(drawn) < written
    assert f"{written} images of " in capsys.readouterr().err


def test_a_seed_is_honoured_and_a_dry_run_writes_nothing(tree: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        qa.run(command(tree, tmp_path / f"{name}.jsonl", seed=seed, labels=False))
    same, again, other = ((tmp_path / f"{name}.jsonl").read_bytes() for name in "abc")
    assert same == again != other
    assert qa.run(command(tree, tmp_path / "d.jsonl", dry_run=True)) == 0
    assert not (tmp_path / "d.jsonl").exists()


def test_missing_frames_and_broken_tasks_do_not_stop_the_rest(tree: Path, tmp_path: Path) -> None:
    episodes = {
        task: enact_worlds.episode(enact_worlds.random_world(seed, orphans=False)) for task, seed in TASKS.items()
    }
    export.export(
        tmp_path / "data",
        {task: Recording(world.graphs, world.frames) for task, world in episodes.items()},
        [],
        lambda task, frame: None,
    )
    first, second = (tmp_path / "data" / "replayed_activities" / task for task in TASKS)
    (first / "scene_graph_0.json").write_text("")
    (second / "external_sensor1" / "00000.png").write_bytes(b"no picture")
    assert qa.run(command(tmp_path / "data", tmp_path / "out.jsonl")) == 1
    assert {item.task_name for item in load_qa(tmp_path / "out.jsonl").items} == {second.name}
    (second / "scene_graph_0.json").unlink()
    with pytest.raises(ValueError, match="no questions"):
        qa.run(command(tmp_path / "data", tmp_path / "none.jsonl"))
    with pytest.raises(ValueError, match="seed"):
        qa.run(command(tree, tmp_path / "none.jsonl", seed=-1))


def lines_of(tree: Path) -> list[dict[str, object]]:
    return read_lines(tree / "QA" / "enact_ordering.jsonl")


@pytest.mark.parametrize(
    "spelling", ["world_modeling_ordering_{}_steps", "world_modeling_{}_steps", "dynamics_ordering_{}_steps"]
)
def test_three_spellings_of_the_type(tree: Path, tmp_path: Path, spelling: str) -> None:
    rows = [{**row, "type": f"{str(row['type']).split('_')[0]}_{spelling.format(3)}"} for row in lines_of(tree)]
    found = load_qa(write_lines(tmp_path / "qa.jsonl", rows))
    assert [item.inverse for item in found.items] == [False, True, False, True]
    assert not found.warnings
    assert all(len(item.asked.truth) == 2 for item in found.items)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"gt_answer": [1, 1]}, "gt_answer: a permutation of 1 to 2"),
        ({"gt_answer": "21"}, "gt_answer"),
        ({"key_frame_ids": ["0"]}, "key_frame_ids: at least 2"),
        ({"key_frame_ids": [0, 10, 20]}, "key_frame_ids: a list of texts"),
        ({"question": None}, "question: a text"),
        ({"images": ["../../x.png"]}, "images: relative"),
        ({"images": ["/etc/x.png"]}, "images: relative"),
        ({"question": "half \ud800"}, "question: holds half"),
    ],
)
def test_broken_questions_are_left_out_and_named(
    tree: Path, tmp_path: Path, change: dict[str, object], told: str
) -> None:
    first, *rest = lines_of(tree)
    found = load_qa(write_lines(tmp_path / "qa.jsonl", ['{"id": "cut', {**first, **change}, *rest, rest[0]]))
    assert [item.id for item in found.items] == [row["id"] for row in rest]
    assert len(found.faults) == 3
    assert "line 2" in found.faults[1]
    assert told in found.faults[1]
    assert "is there already" in found.faults[2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"key_frame_ids": ["0", "10", "30"]}, "hash"),
        ({"type": "forward_world_modeling_ordering_7_steps"}, "another number of frames"),
        ({"type": "forward_ordering"}, "spellings"),
        ({"images": []}, "0 images"),
    ],
)
def test_odd_questions_are_used_with_a_warning(
    tree: Path, tmp_path: Path, change: dict[str, object], told: str
) -> None:
    found = load_qa(write_lines(tmp_path / "qa.jsonl", [{**lines_of(tree)[0], **change}]))
    assert len(found.items) == 1
    assert told in found.warnings[0]


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no question"):
        load_qa(write_lines(tmp_path / "qa.jsonl", ["nothing"]))


def test_a_label_is_red_on_white_in_its_corner() -> None:
    plain = Image.new("RGB", (512, 512), (0, 60, 0))
    pixels = np.asarray(images.labelled(plain, "Next State 10")).astype(int)
    red = np.argwhere((pixels == (255, 20, 20)).all(axis=-1))
    white = np.argwhere((pixels == (255, 255, 255)).all(axis=-1))
    assert 11 <= white.min(axis=0)[1] < red.min(axis=0)[1] <= 25
    # 51 px letters: capitals are about 0.7 of the size.
    assert 30 < np.ptp(red[:, 0]) < 51
    assert (pixels[80:] == (0, 60, 0)).all()
    assert np.asarray(images.labelled(Image.new("L", (100, 100)), "x")).shape == (100, 100, 3)


def test_imported_questions_bring_their_own_text(tree: Path, tmp_path: Path) -> None:
    row = {**lines_of(tree)[1], "question": "Order these.\n[Action 1] The cup is no longer open.\n[Action 2] Café ☕."}
    (item,) = load_qa(write_lines(tmp_path / "qa.jsonl", [row])).items
    assert item.question == row["question"]
    assert baselines()["text_matcher"](item, 0) == "[1, 2]"
