"""Data sets with films: stored, resumed, damaged, exported in both layouts, shown on the page, printed as sheets."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from jaxphys_adapters import cli, films, layout, report_films, stages, video
from jaxphys_adapters.report_events import happened
from jaxphys_adapters.rows import columns_of
from jaxphys_adapters.tables import arrow_schema
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import View

from .conftest import Ran, contents
from .test_report_page import VOID, Page

Run = Callable[..., Ran]

OPTIONS = (
    "scenarios=LMC,CC,LMC-reg", "frames=16", "fps=3.2", "size_px=96,64", "n_exemplars_pool=3", "red_min_per_family=1",
    "shots=1",
)  # fmt: skip
WORDS = ("--scenes", "4", "--seed", "2", *(word for option in OPTIONS for word in ("--option", option)))
FILMED = (*WORDS, "--videos")
NAMES = {"scene.json", "labels.json", "question.json", "first_frame.png", "film.mp4"}


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four samples of three scenarios, with small films; tests must not change it."""
    root = tmp_path_factory.mktemp("inphyre") / "set"
    assert cli.main(["generate", "inphyre", *FILMED, "--out", str(root), "--quiet"]) == 0
    return root


def test_a_scene_has_its_files_and_a_film_that_plays(filmed: Path) -> None:
    ids = layout.scene_ids(filmed)
    assert ids == ["CC/scene_00000", "LMC/scene_00000", "LMC/scene_00001", "LMC-reg/scene_00000"]
    for scene in ids:
        assert {path.name for path in (filmed / scene).iterdir()} == NAMES
        frames = video.frames_of((filmed / scene / "film.mp4").read_bytes())
        assert frames.shape == (16, 64, 96, 3)
        with Image.open(filmed / scene / "first_frame.png") as image:
            assert image.info == {"benchmark": "inphyre", "scene": scene, "view": "first_frame"}
            still = np.asarray(image.convert("RGB"), dtype=float)
        assert np.abs(still - frames[0]).mean() < 4
    config = layout.read_json(filmed / "config.json")
    assert (config["pictures"], config["films"]) == (["first_frame"], ["film"])


def test_a_stored_film_is_the_film_of_the_scene(filmed: Path) -> None:
    data = layout.open_data_set(filmed)
    benchmark = registry.get("inphyre", **data.config["options"])
    spec, _ = layout.read_scene(benchmark, filmed, "CC/scene_00000")
    again = films.encode(benchmark.picture(spec, None, View("film", frames=16)))
    assert again == (filmed / spec.id / "film.mp4").read_bytes()
    with pytest.raises(TypeError, match="made of a Stage"):
        films.encode(registry.get("billiardphys").picture(*billiard(), View("initial")))


def billiard() -> tuple[Any, Any]:
    benchmark = registry.get("billiardphys", windows=(1,), screen=False)
    return benchmark.sample(0, 1)[0], None


def test_a_second_run_has_nothing_to_do(filmed: Path, jaxphys: Run) -> None:
    before = contents(filmed)
    ran = jaxphys("generate", "inphyre", *FILMED, "--out", filmed)
    assert (ran.code, "0 scenes made, 4 already there" in ran.err) == (0, True)
    assert contents(filmed) == before


def test_without_videos_there_are_pictures_only(filmed: Path, tmp_path: Path, jaxphys: Run) -> None:
    assert jaxphys("generate", "inphyre", *WORDS, "--out", tmp_path / "set", "--quiet").code == 0
    plain = contents(tmp_path / "set")
    assert not [name for name in plain if name.endswith(".mp4")]
    whole = contents(filmed)
    assert all(whole[name] == data for name, data in plain.items() if name != "config.json")
    ran = jaxphys("generate", "inphyre", *FILMED, "--out", tmp_path / "set")
    assert (ran.code, "films is [] there, ['film'] asked" in ran.err) == (2, True)


def test_a_folder_from_before_there_were_films_is_resumed(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    from .conftest import SMALL

    out = tmp_path / "set"
    shutil.copytree(data_set, out)
    config = layout.read_json(out / "config.json")
    del config["films"]
    (out / "config.json").write_bytes(layout.to_json(config))
    assert jaxphys("generate", "billiardphys", *SMALL, "--out", out).code == 0


def test_a_benchmark_without_films_refuses_them(tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("generate", "billiardphys", "--videos", "--out", tmp_path / "set")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "billiardphys has no films" in ran.err
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("kept", [None, 0, 60], ids=["missing", "empty", "cut off"])
def test_a_damaged_scene_is_made_again(filmed: Path, tmp_path: Path, jaxphys: Run, name: str, kept: int | None) -> None:
    out = tmp_path / "set"
    shutil.copytree(filmed, out)
    path = out / "CC" / "scene_00000" / name
    path.unlink() if kept is None else path.write_bytes(path.read_bytes()[:kept])
    ran = jaxphys("generate", "inphyre", *FILMED, "--out", out)
    assert (ran.code, "1 scenes made, 3 already there" in ran.err) == (0, True)
    assert contents(out) == contents(filmed)


def test_an_interrupted_run_resumes_to_the_same_bytes(
    filmed: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, encode, made = tmp_path / "set", films.encode, 0

    def interrupted(picture: Any) -> bytes:
        nonlocal made
        made += 1
        if made > 2:
            raise KeyboardInterrupt
        return encode(picture)

    with monkeypatch.context() as patch:
        patch.setattr(films, "encode", interrupted)
        assert jaxphys("generate", "inphyre", *FILMED, "--out", out).code == 130
    assert not list(out.rglob(".tmp-*"))
    assert jaxphys("generate", "inphyre", *FILMED, "--out", out).code == 0
    assert contents(out) == contents(filmed)


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, filmed: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bytes = Path.write_bytes

    def filling(path: Path, data: bytes) -> int:
        if path.suffix == ".mp4":
            write_bytes(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(path, data)

    for words in (("generate", "inphyre", *FILMED), ("export", filmed, "--layout", "clevrer")):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", filling)
            ran = jaxphys(*words, "--out", tmp_path / words[0])
        assert (ran.code, "the disk is full" in ran.err) == (2, True)
        assert not list(tmp_path.rglob(".tmp-*"))
        assert not list(tmp_path.rglob("*.mp4"))


def test_without_a_renderer_the_message_says_what_to_install(
    tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "missing", lambda name: "not here; install it")
    ran = jaxphys("generate", "inphyre", *FILMED, "--out", tmp_path / "set")
    assert ran.code == 2
    assert "install it" in ran.err
    assert jaxphys("generate", "inphyre", *WORDS, "--no-pictures", "--out", tmp_path / "bare", "--quiet").code == 0


def test_without_pyav_the_message_says_what_to_install(
    filmed: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    for words in (("generate", "inphyre", *FILMED, "--out", tmp_path / "set"), ("report", filmed)):
        ran = jaxphys(*words)
        assert (ran.code, ran.err.strip().count("\n")) == (2, 0)
        assert "pip install '.[video]' in the checkout" in ran.err
    assert jaxphys("report", filmed, "--no-films", "--out", tmp_path / "page.html").code == 0


@pytest.mark.parametrize("data", [b"", b"\0" * 20, b"\0\0\0\x10ftypisom1234", b"\0\0\0\x08moov\0\0\0\x20mdat"])
def test_what_is_no_whole_film(data: bytes) -> None:
    assert not films.is_whole(data)
    assert films.is_whole(b"\0\0\0\x10ftypisom1234\0\0\0\x08moov")


@pytest.fixture(scope="module")
def hub(filmed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export") / "hub"
    assert cli.main(["export", str(filmed), "--out", str(out), "--quiet"]) == 0
    return out


def test_films_travel_inside_the_tables(hub: Path, filmed: Path) -> None:
    rows = pq.read_table(hub / "data" / "test-00000-of-00001.parquet").to_pylist()
    assert [row["id"] for row in rows] == layout.scene_ids(filmed)
    for row in rows:
        assert row["video_film"]["bytes"] == (filmed / row["id"] / "film.mp4").read_bytes()
        asked = layout.read_json(filmed / row["id"] / "question.json")
        assert (row["question"], row["answer"], row["options"]) == (
            asked["question"],
            asked["answer"],
            asked["options"],
        )


def test_exemplars_are_a_split_and_the_prompts_name_them(hub: Path) -> None:
    rows = pq.read_table(hub / "data" / "test-00000-of-00001.parquet").to_pylist()
    exemplars = pq.read_table(hub / "data" / "exemplars-00000-of-00001.parquet").to_pylist()
    shown = set()
    for row in rows:
        (prompt,) = row["prompts"]
        assert "".join(part["text"] or "" for part in prompt["parts"]) == prompt["prompt"]
        pictures = [part for part in prompt["parts"] if part["scene"]]
        assert pictures[-1] == {"text": None, "scene": row["id"], "view": "first_frame", "frames": 1}
        shown |= {part["scene"] for part in pictures[:-1]}
    assert sorted(shown) == [row["id"] for row in exemplars]
    for row in exemplars:
        assert video.frames_of(row["video_film"]["bytes"]).shape == (16, 64, 96, 3)
        with Image.open(BytesIO(row["image_first_frame"]["bytes"])) as image:
            assert image.info["scene"] == row["id"]


def test_an_export_loads_without_a_network(hub: Path, tmp_path: Path) -> None:
    program = """
import json, sys
from datasets import load_dataset
data = load_dataset(sys.argv[1])
row = data["test"][0]
print(json.dumps([{name: len(split) for name, split in data.items()}, row["id"], row["video_film"]["path"],
                  len(row["video_film"]["bytes"]), str(data["test"].features["video_film"])]))
"""
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "TQDM_DISABLE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", program, str(hub)], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    counts, scene, path, size, feature = json.loads(ran.stdout)
    assert (counts["test"], scene, path) == (4, "CC/scene_00000", "CC-scene_00000-film.mp4")
    assert counts["exemplars"] >= 3
    assert size > 1000
    assert feature.startswith("Video(")


def test_films_may_lie_beside_the_tables(filmed: Path, hub: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "hub"
    assert jaxphys("export", filmed, "--out", out, "--video-paths", "--quiet").code == 0
    (path,) = out.glob("data/test-*.parquet")
    benchmark = registry.get("inphyre")
    assert pq.read_schema(path).equals(arrow_schema(columns_of(benchmark, ["first_frame"], ["film"], beside=True)))
    for row in pq.read_table(path).to_pylist():
        assert (out / row["video_film"]).read_bytes() == (filmed / row["id"] / "film.mp4").read_bytes()
    assert "holds their paths" in (out / "README.md").read_text("utf-8")
    card = (hub / "README.md").read_text("utf-8")
    assert "inside the tables, in `video_film`" in card
    assert "Split `exemplars`" in card
    assert "a pocketed ball" not in card


def test_the_layout_of_clevrer(filmed: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "clevrer"
    assert jaxphys("export", filmed, "--out", out, "--layout", "clevrer", "--quiet").code == 0
    questions = json.loads((out / "questions.json").read_text())
    ids = layout.scene_ids(filmed)
    assert [entry["scene_index"] for entry in questions] == list(range(4))
    count = 4 + 3 * 3
    for index in range(count):
        told = layout.read_json(out / f"annotations/annotation_00000-01000/annotation_{index:05d}.json")
        film = (out / f"videos/video_00000-01000/video_{index:05d}.mp4").read_bytes()
        assert len(told["motion_trajectory"]) == len(video.frames_of(film)) == 16
        assert (out / f"images/image_00000-01000/image_{index:05d}.png").stat().st_size > 100
        if index < 4:
            assert told["inphyre"]["id"] == ids[index]
            assert film == (filmed / ids[index] / "film.mp4").read_bytes()
    for name in ("LMC", "CC", "LMC-reg"):
        assert {path.name for path in (out / "scenarios" / name).iterdir()} == {
            "scenario.json",
            "exemplars.json",
            "eval.json",
        }
    bare = tmp_path / "bare"
    assert jaxphys("export", filmed, "--out", bare, "--layout", "clevrer", "--no-videos", "--quiet").code == 0
    assert not list(bare.rglob("*.mp4"))
    assert json.loads((bare / "questions.json").read_text()) == questions


@pytest.mark.parametrize("chosen", ["parquet", "clevrer"])
def test_a_damaged_film_is_not_exported(filmed: Path, tmp_path: Path, jaxphys: Run, chosen: str) -> None:
    root = tmp_path / "set"
    shutil.copytree(filmed, root)
    path = root / "LMC" / "scene_00001" / "film.mp4"
    path.write_bytes(path.read_bytes()[:-10])
    ran = jaxphys("export", root, "--out", tmp_path / "out", "--layout", chosen)
    assert (ran.code, f"{path}: is no whole MP4 file" in ran.err) == (2, True)
    assert [p.name for p in tmp_path.iterdir()] == ["set"]


def test_an_unknown_layout_is_named_before_work_starts(
    filmed: Path, data_set: Path, tmp_path: Path, jaxphys: Run
) -> None:
    ran = jaxphys("export", filmed, "--out", tmp_path / "out", "--layout", "coco")
    assert (ran.code, "has no 'coco'; choose from parquet, clevrer" in ran.err) == (2, True)
    ran = jaxphys("export", data_set, "--out", tmp_path / "out", "--layout", "clevrer")
    assert (ran.code, "billiardphys has no 'clevrer'; choose from parquet" in ran.err) == (2, True)


@pytest.mark.parametrize("name", ["/etc/passwd", "../up.json", ""])
def test_a_layout_stays_inside_its_folder(filmed: Path, tmp_path: Path, name: str) -> None:
    from jaxphys_adapters.export import arrange

    data = layout.open_data_set(filmed)
    benchmark = registry.get("inphyre", **data.config["options"])
    with pytest.raises(ValueError, match="leads out of the folder"):
        arrange(data, benchmark, lambda scenes: [(name, {})], tmp_path / "out")


def places(root: Path, model: str) -> list[str]:
    return ["--data", str(root), "--out", str(root / "results" / model)]


@pytest.fixture(scope="module")
def answered(filmed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set with the answers of a baseline."""
    root = tmp_path_factory.mktemp("answered") / "set"
    shutil.copytree(filmed, root)
    commands = [
        [*f"eval inphyre --no-cache --model jaxphys/{model} {more}".split(), *places(root, model)]
        for model, more in (("regular_physics", ""), ("undetermined", "--option shots=0"))
    ]
    # In a process of its own: what the query library leaves open would end up as warnings in tests of other things.
    program = (
        "import json, sys; from jaxphys_adapters import cli; sys.exit(max(map(cli.main, json.loads(sys.argv[1]))))"
    )
    ran = subprocess.run([sys.executable, "-c", program, json.dumps(commands)], capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return root


def page_of(jaxphys: Run, root: Path, *words: object) -> tuple[str, Page]:
    ran = jaxphys("report", root, *words)
    assert ran.code == 0, ran.err
    text = (root / "report.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    return text, page


def test_the_page_plays_each_group_beside_its_counterpart(answered: Path, jaxphys: Run) -> None:
    assert "video" not in VOID
    text, page = page_of(jaxphys, answered)
    # One film of each of three scenarios, and the regular one of the two that are not.
    assert page.tags.count("video") == 5
    sources = [value or "" for name, value in page.attributes if name in ("src", "href", "poster", "srcset")]
    assert all(value.startswith(("data:image/png;", "data:image/jpeg;", "data:video/mp4;", "#")) for value in sources)
    assert "script" not in page.tags
    assert "media-src data:" in text
    assert page.text.count("the same, regular: ") == 2
    assert page.text.count("There is no second film: scenes of this group have no changed version.") == 1
    assert "Choice disparity: how much better" in page.text
    assert re.search(r"LMC/scene_00000.*?this scene: [^.]*(no change|stays the same|keeps)", page.text)
    assert ("loop", None) in page.attributes
    assert ("controls", None) in page.attributes
    positions = [text.index(f'<p class="note">{name}/scene_00000</p>') for name in ("LMC", "CC", "LMC-reg")]
    assert positions == sorted(positions)


@pytest.fixture(scope="module")
def red(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve samples of Red-Pass, without pictures; in some no object is red."""
    root = tmp_path_factory.mktemp("red") / "set"
    words = "generate inphyre --scenes 12 --seed 1 --no-pictures --quiet --option scenarios=Red-Pass"
    assert cli.main([*words.split(), "--out", str(root)]) == 0
    return root


def test_the_film_of_a_group_is_one_whose_counterpart_has_another_answer(red: Path) -> None:
    benchmark = registry.get("inphyre", scenarios="Red-Pass")
    scenes = {scene: layout.read_scene(benchmark, red, scene)[1].meaning for scene in layout.scene_ids(red)}
    plain = [scene for scene, meaning in scenes.items() if meaning == "stops"]
    odd = [scene for scene, meaning in scenes.items() if meaning == "passes_through"]
    assert plain
    assert odd
    (name, _, labels), (_, _, truth) = report_films.telling(benchmark, red, [*plain, *odd])
    assert (name, labels.meaning, truth.meaning) == (odd[0], "passes_through", "stops")
    assert report_films.telling(benchmark, red, plain)[0][0] == plain[0]


def test_a_push_is_no_pass_in_words(red: Path, filmed: Path) -> None:
    words = "They pass through each other."
    for root, benchmark in (
        (red, registry.get("inphyre", scenarios="Red-Pass")),
        (filmed, registry.get("inphyre", scenarios="LMC,CC,LMC-reg", n_exemplars_pool=3, red_min_per_family=1)),
    ):
        for spec, labels in layout.open_data_set(root).scenes(benchmark):
            told = words in happened(benchmark.row(spec, labels))
            assert told == (labels.meaning == "passes_through"), spec.id


def test_the_page_shows_what_each_model_got(answered: Path, jaxphys: Run) -> None:
    _, page = page_of(jaxphys, answered, "--no-films")
    assert "video" not in page.tags
    assert page.text.count("choice: what jaxphys/regular_physics got") == 4
    assert page.text.count("choice: what jaxphys/undetermined got") == 4
    # Of one answer nothing is right in part.
    assert {"right", "wrong"} <= set(page.words)
    assert not {"all right", "not all right"} & set(page.words)
    record = layout.read_json(answered / "results" / "regular_physics" / "LMC" / "00000_choice.json")
    for part in record["parts"]:
        if "text" in part:
            assert part["text"].strip() in page.text
    shown = sum("text" not in part for part in record["parts"])
    assert shown == 8 + 1
    assert page.text.count("not the picture that is drawn today") == 0
    assert page.tags.count("img") == 4 + 4 * (shown + 1) + 3


def test_a_picture_that_was_not_sent_is_not_shown(answered: Path, tmp_path: Path, jaxphys: Run) -> None:
    root = tmp_path / "set"
    shutil.copytree(answered, root)
    path = root / "results" / "undetermined" / "LMC" / "00000_choice.json"
    record = layout.read_json(path)
    for part in record["parts"]:
        if "sha256" in part:
            part["sha256"] = "0" * 64
    path.write_bytes(layout.to_json(record))
    _, page = page_of(jaxphys, root, "--no-films")
    assert page.text.count("not the picture that is drawn today") == 1


@pytest.mark.parametrize("parts", [[{"sha256": 3}], [3], [{"text": "a"}, {"scene": []}], [{"time": "x"}], []])
def test_a_record_with_strange_parts_does_not_stop_the_page(
    answered: Path, tmp_path: Path, jaxphys: Run, parts: list[Any]
) -> None:
    root = tmp_path / "set"
    shutil.copytree(answered, root)
    path = root / "results" / "undetermined" / "LMC" / "00000_choice.json"
    path.write_bytes(layout.to_json(layout.read_json(path) | {"parts": parts}))
    page_of(jaxphys, root, "--no-films", "--scenes", 4)


def test_a_sheet_and_its_key(filmed: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "new" / "sheet.html"
    ran = jaxphys("sheet", filmed, "--out", out, "--scenes", 3, "--film-frames", 4, "--quiet")
    assert ran.code == 0, ran.err
    page = Page(out.read_text("utf-8"))
    assert page.open == []
    assert page.tags.count("article") == 3
    assert page.tags.count("img") == 3 * (4 + 1)
    # Names of scenarios would tell which laws hold.
    assert not re.search("LMC|CC|scene_|exemplar_", re.sub(r"base64,[\w+/=]+", "", out.read_text("utf-8")))
    answers, key = (
        [json.loads(line) for line in (tmp_path / "new" / f"sheet.{kind}.jsonl").read_text().splitlines()]
        for kind in ("answers", "key")
    )
    ids = [f"{group}/scene_00000/choice" for group in ("CC", "LMC", "LMC-reg")]
    assert [entry["id"] for entry in answers] == [entry["id"] for entry in key] == ids
    assert {entry["reply"] for entry in answers} == {""}
    for number, reply, mean in ((0, "key", 1.0), (1, "answers", 0.0)):
        scored = jaxphys(
            *("score", "inphyre", "--data", filmed, "--scenes", 3, "--json"),
            *("--answers", tmp_path / "new" / f"sheet.{reply}.jsonl", "--out", tmp_path / str(number)),
        )
        assert scored.code == 0, scored.err
        assert layout.read_json(tmp_path / str(number) / "metrics.json")["metrics"]["mean"] == mean


def test_a_zero_shot_sheet_shows_first_frames_only(filmed: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "sheet.html"
    assert jaxphys("sheet", filmed, "--out", out, "--scenes", 2, "--option", "shots=0", "--quiet").code == 0
    assert Page(out.read_text("utf-8")).tags.count("img") == 2


def test_a_sheet_about_some_scenarios(filmed: Path, tmp_path: Path, jaxphys: Run) -> None:
    options = ("--option", "shots=0", "--option", "scenarios=CC")
    assert jaxphys("sheet", filmed, "--out", tmp_path / "s.html", "--quiet", *options).code == 0
    lines = [json.loads(line) for line in (tmp_path / "s.key.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["CC/scene_00000/choice"]
    assert "--scenes 1 --option shots=0 --option scenarios=CC --model people" in (tmp_path / "s.html").read_text()


def test_a_sheet_of_another_benchmark(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "sheet.html"
    assert jaxphys("sheet", data_set, "--out", out, "--scenes", 1, "--quiet").code == 0
    page = Page(out.read_text("utf-8"))
    assert (page.tags.count("article"), page.tags.count("img")) == (3, 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--scenes", "0"), "scenes: 0"),
        (("--film-frames", "0"), "film_frames: 0"),
        (("--option", "shots=99"), "shots"),
        (("--option", "magic=1"), "magic"),
    ],
)
def test_bad_options_of_a_sheet(
    filmed: Path, tmp_path: Path, jaxphys: Run, words: tuple[str, ...], message: str
) -> None:
    ran = jaxphys("sheet", filmed, "--out", tmp_path / "sheet.html", *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert message in ran.err
    assert not list(tmp_path.iterdir())


def test_a_sample_is_simulated_from_its_file(filmed: Path, jaxphys: Run) -> None:
    for scene in layout.scene_ids(filmed):
        ran = jaxphys("simulate", "planar", filmed / scene / "scene.json")
        assert ran.code == 0, ran.err
        result, labels = json.loads(ran.out), layout.read_json(filmed / scene / "labels.json")
        contact = next(event for event in result["events"] if event["kind"] == "contact")
        for name in ("normal", "v_before", "v_after", "w_after", "look_after", "through"):
            assert contact[name] == labels["contact"][name]
        assert contact["t"] == labels["contact"]["time"]
        assert [body["pos"] for body in result["bodies"]] == labels["end"]
