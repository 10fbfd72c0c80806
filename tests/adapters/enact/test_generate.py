"""`jaxphys generate enact`: a folder in the reference's layout, resumed after a cut, the same whatever the workers."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")

from jaxphys_adapters.enact import folder, generate
from jaxphys_adapters.enact.evaluate import evaluate_file
from jaxphys_adapters.enact.generate import EnactGenerate
from jaxphys_adapters.enact.graph_file import open_graphs
from jaxphys_adapters.enact.qa_file import load_qa
from jaxphys_adapters.enact.segment import segment
from jaxphys_adapters.enact.store import GRAPHS, SEGMENTED, open_store
from jaxphys_benchmarks.enact import compat, strict
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from tests.adapters.conftest import Ran, contents

Run = Callable[..., Ran]
NAME = "bringing_water"


def command(out: Path, **options: object) -> EnactGenerate:
    given = {"activities": NAME, "seeds": 1, "samples": 2, "pictures": False, "workers": 1, **options}
    return EnactGenerate(out, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One episode without pictures; tests must not change it."""
    out = tmp_path_factory.mktemp("enact") / "data"
    assert generate.run(command(out)) == 0
    return out


def test_the_folder_has_the_layout_of_the_reference(data: Path) -> None:
    manifest = folder.check(data)
    (row,) = manifest["episodes"]
    task = row["task"]
    assert task == f"{NAME}_{task[-16:]}"
    assert task[-16:].isdigit()
    # Section 2.1: records by frame id, `full`, `diff` or `empty`.
    raw = json.loads((data / folder.REPLAYED / task / GRAPHS).read_text())
    assert list(raw) == [str(k) for k in range(row["frames"])]
    assert {record["type"] for record in raw.values()} == {"full", "diff", "empty"}
    first = raw["0"]
    assert set(first) == {"type", "nodes", "edges"}
    assert all({"name", "category", "states", "visibility"} <= set(node) for node in first["nodes"])
    assert all(set(edge) == {"from", "to", "states"} for edge in first["edges"])
    cut = json.loads((data / folder.SEGMENTED / task / SEGMENTED).read_text())
    assert next(iter(cut)) == "59"
    assert cut["59"]["type"] == "full"
    assert len(cut) == row["key_frames"] >= 15
    agent = next(node for node in cut["59"]["nodes"] if node["category"] == "agent")
    assert agent["name"] == "robot_r1"
    ((sensor, seen),) = agent["visibility"].items()
    assert (sensor, len(seen), seen[5:]) == ("external_sensor1", 7, [512, 512])
    # Section 6.4: the fields of a question, its id and its image paths.
    line = json.loads((data / folder.QUESTIONS).read_text().splitlines()[0])
    assert list(line) == [
        "id", "type", "task_name", "key_frame_ids", "images", "question", "options", "gt_answer",
    ]  # fmt: skip
    assert line["images"][0] == f"QA/images/{line['type']}/{task}/{line['id']}_cur_state.png"


def test_our_importer_finds_the_same_key_frames(data: Path, tmp_path: Path) -> None:
    (row,) = folder.check(data)["episodes"]
    (found,) = segment(data / folder.REPLAYED, tmp_path)
    ours = json.loads((data / folder.SEGMENTED / row["task"] / SEGMENTED).read_text())
    assert (found.failed, found.problems, list(found.key_frames)) == (False, [], list(ours))
    with open_graphs(tmp_path / row["task"] / SEGMENTED) as file:
        again = dict(file.stream())
    with open_graphs(data / folder.SEGMENTED / row["task"] / SEGMENTED) as file:
        assert dict(file.stream()) == again
    packed = open_store(Path(), Path(), data / folder.GRAPHS)
    assert list(packed.key_frames(row["task"])) == list(ours)


def test_every_true_answer_is_accepted_and_every_id_is_its_own(data: Path) -> None:
    questions = load_qa(data / folder.QUESTIONS)
    assert not questions.faults
    store = open_store(data / folder.SEGMENTED, data / folder.REPLAYED, None)
    episodes = {task: Episode(store.graphs(task, None) or {}) for task in store.tasks}
    for item in questions.items:
        for judge in (compat.judge, strict.judge):
            verdict = judge(item.asked, list(item.gt_answer), episodes[item.task_name])
            assert (verdict.exact, verdict.accepted, verdict.pairwise) == (True, True, 1.0)
    assert len({item.id for item in questions.items}) == len(questions.items)
    assert {len(item.key_frame_ids) for item in questions.items} == set(range(3, 11))
    paths = [{(i.task_name, *i.key_frame_ids) for i in questions.items if i.inverse == way} for way in (False, True)]
    assert paths[0] == paths[1]


def test_predictions_are_judged_from_the_pack_alone(data: Path, tmp_path: Path) -> None:
    rows = [{**item.record(), "answer": str(list(item.gt_answer))} for item in load_qa(data / folder.QUESTIONS).items]
    path = tmp_path / "enact_ordering_truth.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found, whole = evaluate_file(path, open_store(Path(), Path(), data / folder.GRAPHS), tmp_path)
    assert (found["count"], found["task_accuracy"], whole) == (len(rows), 1.0, True)


def test_a_run_that_was_cut_off_goes_on_and_ends_the_same(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "data"
    assert generate.run(command(out)) == 0
    before = contents(data)
    # All that came after the episode is missing, as after a kill; the episode is not made again.
    for name in (folder.MANIFEST, folder.GRAPHS, str(folder.QUESTIONS)):
        (out / name).unlink()
    for name in (".tmp-graphs.npz-a1", f"{folder.STATES}/.tmp-some.npz-a2", "QA/.tmp-enact_ordering.jsonl-a3"):
        (out / name).write_bytes(b"half")
    stamp = next((out / folder.STATES).glob("*.npz")).stat().st_mtime_ns
    assert generate.run(command(out)) == 0
    assert next((out / folder.STATES).glob("*.npz")).stat().st_mtime_ns == stamp
    after = contents(out)
    timed = {folder.MANIFEST, *(name for name in before if name.startswith(folder.FIGURES))}
    assert {name: data for name, data in after.items() if name not in timed} == {
        name: data for name, data in before.items() if name not in timed
    }


def test_the_manifest_tells_what_can_be_had_without_looking(data: Path) -> None:
    told = {row["name"]: row for row in folder.check(data)["leaks"]}
    assert {"file names", "digits of the id", "as listed", "texts of actions"} <= set(told)
    assert all(0 <= row["exact"] <= 1 and row["items"] == 32 for row in told.values())


def test_the_manifest_tells_how_actions_are_told(data: Path, tmp_path: Path) -> None:
    told = folder.check(data)
    assert told["wording"] == {"encoding": "natural", "noise_rate": 0.0, "noise_seed": 0}
    assert told["contacts"] is False
    # The same episodes, told in another way: the same questions and answers in other words.
    out = tmp_path / "data"
    assert generate.run(command(out, encoding="symbolic", noise_rate=0.1, noise_seed=2)) == 0
    assert folder.check(out)["wording"] == {"encoding": "symbolic", "noise_rate": 0.1, "noise_seed": 2}
    plain, others = (load_qa(one / folder.QUESTIONS).items for one in (data, out))
    assert [(a.id, a.key_frame_ids, a.images) for a in plain] == [(a.id, a.key_frame_ids, a.images) for a in others]
    assert all(a.question != b.question for a, b in zip(plain, others, strict=True))


def test_states_of_key_frames_are_kept(data: Path) -> None:
    (row,) = folder.check(data)["episodes"]
    with np.load(data / folder.STATES / f"{row['task']}.npz") as arrays:
        assert len(arrays["ids"]) == row["key_frames"]
        assert arrays["hands"].shape == (row["key_frames"], 2, 7)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--activities", "washing_the_moon"), "no activity is called 'washing_the_moon'"),
        (("--seeds", "0"), "seeds: 0; give a whole number >= 1"),
        (("--samples", "-1"), "samples: -1"),
        (("--profile", "daily"), "profile"),
        (("--noise-rate", "2"), "noise"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: tuple[str, ...], told: str, jaxphys: Run, tmp_path: Path) -> None:
    ran = jaxphys("generate", "enact", tmp_path / "new", *options)
    assert (ran.code, told in ran.err, (tmp_path / "new").exists()) == (2, True, False), ran.err


def test_folders_of_other_data_are_refused(data: Path, jaxphys: Run, tmp_path: Path) -> None:
    ran = jaxphys("generate", "enact", data, "--activities", NAME, "--profile", "paper")
    assert (ran.code, "holds episodes of other options" in ran.err) == (2, True)
    (tmp_path / "notes.txt").write_text("mine")
    ran = jaxphys("generate", "enact", tmp_path)
    assert (ran.code, "holds other files" in ran.err) == (2, True)


@pytest.mark.parametrize("words", [("--encoding", "symbolic"), ("--noise-rate", "0.1"), ("--seeds", "2"), ("--all",)])
def test_questions_of_other_options_need_another_folder(data: Path, jaxphys: Run, words: tuple[str, ...]) -> None:
    before = contents(data)
    ran = jaxphys("generate", "enact", data, "--activities", NAME, "--samples", 2, "--no-pictures", *words)
    assert (ran.code, "holds episodes of other options" in ran.err, contents(data) == before) == (2, True, True)


def test_episodes_of_other_code_are_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "code_stamp", lambda: "0" * 16)
    with pytest.raises(ValueError, match="of another version of this program"):
        generate.run(command(data))


def test_lost_graphs_are_told_with_what_helps(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "data"
    shutil.copytree(data, out)
    (task,) = [path.name for path in (out / folder.SEGMENTED).iterdir()]
    (out / folder.SEGMENTED / task / SEGMENTED).write_text("{")
    with pytest.raises(ValueError, match=rf"remove .*{task}.json, and the same command makes the episode anew"):
        generate.run(command(out))
    (out / folder.FIGURES / f"{task}.json").write_text("[" * 100_000)
    assert generate.run(command(out)) == 0


def test_an_episode_that_is_made_anew_loses_its_old_pictures(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "data"
    shutil.copytree(data, out)
    (task,) = [path.name for path in (out / folder.SEGMENTED).iterdir()]
    old = [out / root / task / "external_sensor1" / "00059.png" for root in (folder.REPLAYED, "variants/high")]
    for path in old:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"old")
    (out / folder.FIGURES / f"{task}.json").unlink()
    assert generate.run(command(out)) == 0
    assert not any(path.exists() for path in old)


def test_own_files_are_refused_by_name(jaxphys: Run, tmp_path: Path) -> None:
    for name, content in (("a/same.toml", b"x"), ("b/same.toml", b"x"), ("latin.toml", b"\xff\xfe")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    ran = jaxphys(
        "generate", "enact", tmp_path / "new", "--own", tmp_path / "a/same.toml", "--own", tmp_path / "b/same.toml"
    )
    assert (ran.code, "another file is called 'same' too" in ran.err) == (2, True)
    ran = jaxphys("generate", "enact", tmp_path / "new", "--own", tmp_path / "latin.toml")
    assert (ran.code, "latin.toml: this is no UTF-8 text" in ran.err, ran.err.count("\n")) == (2, True, 1)


def test_own_activities_are_not_held_against_the_published_set(tmp_path: Path) -> None:
    told = EnactGenerate(tmp_path, own=(tmp_path / "mine.toml",))
    assert generate._short(told, {"3": 2}) == ""
    assert "of 3 frames" in generate._short(EnactGenerate(tmp_path), {"3": 2})


def test_a_dry_run_writes_nothing(jaxphys: Run, tmp_path: Path) -> None:
    ran = jaxphys("generate", "enact", tmp_path / "new", "--dry-run")
    assert (ran.code, (tmp_path / "new").exists()) == (0, False)
    assert "29 activities" in ran.err + ran.out


def test_the_profile_is_part_of_the_configuration(tmp_path: Path) -> None:
    assert command(tmp_path, profile="paper").config().segmentation.profile == "paper"
    assert command(tmp_path).config() == EnactConfig.model_validate({"qa": {"samples_per_activity_L": 2}})
