"""Page, sheets and files of a benchmark whose scenes are seen by several cameras, vary by speed and are explained."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from jaxphys_adapters import cli, contact_sheet, layout, report_films, video
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.report_breakdowns import is_rate
from jaxphys_adapters.report_results import Results
from jaxphys_adapters.report_words import GLOSSARY
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.explanation import Explained
from jaxphys_benchmarks.protocol import AskOptions, Benchmark
from jaxphys_benchmarks.reacthuman.verdict import BREACHES

from .test_report_page import Page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FAMILIES = ("object_drop", "door_swing")
SMALL = "--option size_px=96,64 --option visible_px=0"
WORDS = f"generate reacthuman --scenes 8 --seed 1 --no-pictures --quiet {SMALL} --option families="


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The four speeds of one scene of each of two families."""
    out = tmp_path_factory.mktemp("reacthuman") / "set"
    assert cli.main([*(WORDS + ",".join(FAMILIES)).split(), "--out", str(out)]) == 0
    return out


def configured(root: Path) -> Benchmark:
    return registry.get("reacthuman", **layout.open_data_set(root).config["options"])


def test_each_group_is_seen_once_by_the_first_camera(root: Path) -> None:
    section = report_films.films_section(
        configured(root), root, layout.scene_ids(root), {name: {} for name in FAMILIES}
    )
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", section)
    names = [re.sub(r"<.*?>", "", caption).partition(":")[0] for caption in captions]
    variants = [f"the same, {speed}" for speed in ("normal", "fast", "very fast")]
    assert names == ["this scene, slow", *variants] * len(FAMILIES)
    assert section.count("<article") == 2
    for family in FAMILIES:
        assert f"<h3>{family.replace('_', ' ')}</h3>" in section
        assert f"{family}/scene_00000, egocentric camera<" in section
    assert "the same scene with one cause changed: normal, fast, very fast." in section
    assert "the first of the group's scenes in which" in section
    for foreign in ("violation", "law of physics", "nothing changes", "observer", "overhead"):
        assert foreign not in section


def test_what_is_to_be_done_is_told(root: Path) -> None:
    benchmark = configured(root)
    section = report_films.films_section(benchmark, root, ["object_drop/scene_00001"], {"object_drop": {}})
    spec, labels = layout.read_scene(benchmark, root, "object_drop/scene_00001")
    assert isinstance(benchmark, Explained)
    told = benchmark.truth(spec, labels).title
    assert told.startswith({"EXECUTE_CATCH": "catch: ", "TRIGGER_DODGE": "dodge: "}[labels.correct_action])
    assert f"this scene, normal</strong>: {told}<" in section


@pytest.mark.parametrize("timing", ["published", "event"])
def test_events_before_the_freeze_are_explained_where_there_are_such(root: Path, timing: str) -> None:
    benchmark = registry.get("reacthuman", **layout.open_data_set(root).config["options"] | {"timing": timing})
    specs = benchmark.sample(1, len(FAMILIES) * 4)
    truths = benchmark.label(specs, *benchmark.simulate(specs))
    takes = [("", spec, truth) for spec, truth in zip(specs, truths, strict=True)]
    early = sum(truth.tti is not None and truth.tti < 0 for truth in truths)
    assert (early > 0) == (timing == "published")
    note = report_films._before(benchmark, takes)
    assert (f"so it is in {early} of {len(takes)} films" in note) == (early > 0)
    assert bool(note) == (early > 0)


@pytest.mark.parametrize(("index", "own"), [*enumerate(("slow", "normal", "fast", "very_fast"))])
def test_a_variant_that_is_the_scene_itself_is_left_out(root: Path, index: int, own: str) -> None:
    benchmark = configured(root)
    scene = f"object_drop/scene_{index:05d}"
    spec, _ = layout.read_scene(benchmark, root, scene)
    shown = [name for name, _, _ in report_films.telling(benchmark, root, [scene])]
    assert own in benchmark.variants(spec)
    assert shown == [scene, *(name for name in benchmark.variants(spec) if name != own)]


@pytest.mark.parametrize(("outcome", "words"), [("", "nothing changes."), ("{band}", "looks the same: fast")])
def test_equal_films_are_shown_once(root: Path, outcome: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_films, "strip", lambda benchmark, spec, labels, kind: ("<div></div>", (b"the same",)))
    monkeypatch.setattr(report_films, "_outcome", lambda benchmark, spec, labels: outcome.format(band=spec.band))
    section = report_films.films_section(configured(root), root, ["door_swing/scene_00000"], {"door_swing": {}})
    assert section.count("<figure>") == 1
    assert f"<strong>the same, fast</strong>: {words}</p>" in section


EVIL = '<script>alert(1)</script> & "catch"'
FROZEN = {"walking_cmd": [0, 0, 0], "keyframes": [{"t": 0, "left_hand": [0.1, 0.15, 0], "right_hand": [0.1, -0.15, 0]}]}
REPLIES = {
    "oracle": "",
    "frozen": json.dumps(FROZEN | {"intent": EVIL, "walking_duration": 99}),
    "lost": f"I would rather not. {EVIL}",
}
"""What models say; the first answers with the truth."""


DECISION = {"act": "NO_ACTION", "dend": 0.5, "intent": "wait", "m": "people"}
"""What people have decided, as `jaxphys score` keeps it."""


def answered(root: Path, out: Path, model: str, reply: str) -> None:
    """A folder of results of a model, with an interval and a metric of each kind."""
    benchmark = configured(root)
    for scene in layout.scene_ids(root):
        spec, labels = layout.read_scene(benchmark, root, scene)
        (question,) = benchmark.ask(spec, AskOptions())
        text = reply or benchmark.baselines()[model](spec, labels, question, 0)
        path = out / f"{scene.replace('scene_', '')}_react.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"id": question.id, "reply": {"text": text, "finish": "stop"}}))
    metrics = {"mean": 0.5, "react/saa": 0.5, "react/saa/low": 0.25, "react/saa/high": 0.75, "react/d_end": 1.23}
    metrics |= {"react/saa_slow": 0.4, "react/saa_slow/n": 2.0, "react/violations_R2": 3.0, "react/violations_R3": 0.0}
    metrics |= {"object_drop/react/saa": 1.0, "door_swing/react/saa": 0.0, "react/sensitivity_hand_reach_less": 0.125}
    (out / "metrics.json").write_text(
        json.dumps({"benchmark": "reacthuman", "model": model, "n": 8, "metrics": metrics, "failures": {}})
    )


@pytest.fixture(scope="module")
def page(root: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report page of the scenes and three models."""
    folder = tmp_path_factory.mktemp("answers")
    for model, reply in REPLIES.items():
        answered(root, folder / model, model, reply)
    lines = [json.dumps({"id": f"{scene}/react", **DECISION}) for scene in layout.scene_ids(root)]
    (folder / "told").mkdir()
    (folder / "told" / "decisions.jsonl").write_text("\n".join([*lines, "[1]"]))
    (folder / "told" / "metrics.json").write_text(json.dumps({"benchmark": "reacthuman", "model": "people", "n": 8}))
    out = folder / "report.html"
    words = ["report", str(root), "--results", str(folder), "--out", str(out), "--scenes", "2", "--no-films"]
    assert cli.main(words) == 0
    return out.read_text("utf-8")


def test_every_scene_is_seen_by_all_cameras_and_its_truth_is_told(page: str, root: Path) -> None:
    benchmark = configured(root)
    assert page.count('class="card scene"') == 2
    assert page.count('<div class="frames" style="--n:5">') == 2 * 3
    assert (
        page.index("<figcaption>egocentric<")
        < page.index("<figcaption>observer<")
        < page.index("<figcaption>overhead<")
    )
    assert page.count("<h4>The truth</h4>") == 2
    for family in FAMILIES:
        spec, labels = layout.read_scene(benchmark, root, f"{family}/scene_00000")
        assert isinstance(benchmark, Explained)
        for heading, sentence in benchmark.truth(spec, labels).lines:
            assert f"<dt>{heading}</dt><dd>{html.esc(sentence)}</dd>" in page


@pytest.mark.parametrize(
    ("model", "verdict", "told"),
    [
        ("oracle", "right", "breaks no rule"),
        ("frozen", "wrong", "0.15 m from its rest"),
        ("lost", "no answer", "no_json"),
        ("people", "wrong", "the action was told, not recovered from a plan"),
    ],
)
def test_every_plan_is_told_with_its_verdict_and_why(page: str, model: str, verdict: str, told: str) -> None:
    blocks = [part.partition("<details>")[0] for part in page.split('<div class="plan">')[1:]]
    mine = [block for block in blocks if f"<h4>{model} <span" in block]
    assert len(mine) == 2
    for block in mine:
        assert f">{verdict}</span>" in block
        assert told in block
        assert ("<svg" in block) == (model in ("oracle", "frozen"))


def test_the_page_is_whole_and_what_models_write_stays_text(page: str) -> None:
    read = Page(page)
    assert read.open == []
    assert "script" not in read.tags
    assert html.esc(EVIL) in page
    sources = [value or "" for name, value in read.attributes if name in ("src", "href")]
    assert all(value.startswith(("data:image/", "#")) for value in sources)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("added", ["", "<script>1</script>"])
def test_a_browser_has_nothing_to_complain_about(page: str, tmp_path: Path, added: str) -> None:
    """The page forbids scripts, so that one would be told on the console."""
    path = tmp_path / "page.html"
    path.write_text(page.replace("</main>", f"{added}</main>"), "utf-8")
    assert BROWSER is not None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--window-size=420,900"]
    flags += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr"]
    shown = subprocess.run(
        [BROWSER, *flags, f"--screenshot={tmp_path / 'page.png'}", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert (tmp_path / "page.png").exists()
    assert (":CONSOLE" in shown.stderr) == bool(added)


def test_metrics_are_broken_down_as_the_benchmark_asks(page: str) -> None:
    for title in ("Published metrics", "SAA by family", "SAA by speed", "Answers that break a rule"):
        assert f">{title}<" in page
    assert "Safety by family" not in page
    families = page[page.index("<h3>SAA by family</h3>") :]
    assert families.index(">object drop<") < families.index(">door swing<")
    rules = page[page.index("<caption>Answers that break a rule</caption>") :].partition("</table>")[0]
    assert re.findall(r'<td class="score">([\d.]+)', rules) == ["3"] * 3 + ["0"] * 3
    assert "<small>2 answers</small>" in page
    assert "<small>0.250 – 0.750</small>" in page


def test_metrics_are_explained_where_they_first_appear(page: str) -> None:
    for rule, words in BREACHES.items():
        assert GLOSSARY[f"violations_{rule}"] == f"{rule}: {words}"
        assert page.count(f"<li>{rule}: {words}</li>") == (rule in ("R2", "R3"))
    assert page.count("<li>SAA (semantic action accuracy)") == 1
    assert page.index('<ul class="legend">') < page.index("<h3>SAA by family</h3>")


def test_what_is_measured_in_metres_has_no_bar(page: str) -> None:
    table = page[page.index("<caption>Published metrics</caption>") :].partition("</table>")[0]
    cells = re.findall(r'<td class="score">(.*?)</td>', table)
    assert [cell for cell in cells if cell.startswith("1.230")] == ["1.230"] * len(REPLIES)
    assert all("<i" in cell for cell in cells if cell.startswith("0.500"))
    one = Results(Path("m"), "m", 1, {"react/d_end_slow": 0.5, "react/saa_tti_negative": 0.5}, {}, "robust")
    assert [is_rate([one], name) for name in one.metrics] == [False, True]


def test_contact_sheets_name_the_band(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    captions: list[str] = []

    def noted(shots: list[tuple[np.ndarray, str]], columns: int) -> bytes:
        captions.extend(caption for _, caption in shots)
        return drawn(shots, columns)

    drawn = contact_sheet.sheet
    monkeypatch.setattr(contact_sheet, "sheet", noted)
    words = ["--scenes", "4", "--views", "overhead", "--width", "48", "--quiet", "--frames", "1"]
    assert cli.main(["contact", str(root), "--out", str(tmp_path), *words]) == 0
    bands = ("slow", "normal", "fast", "very fast")
    assert captions == [f"scene_{k:05d} {band} overhead 0.00 s" for _ in FAMILIES for k, band in enumerate(bands)]


def test_a_rejected_draw_of_a_group_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = f"generate reacthuman --scenes 4 --seed 6 --no-pictures {SMALL} --option families=surface_cascade".split()
    for shard, told in (("1/2", "REACH: 2 draws rejected (counted once per scene)"), ("2/2", "REACH: 1 draw rejected")):
        assert cli.main([*words, "--out", str(tmp_path / "set"), "--shard", shard]) == 0
        lines = capsys.readouterr().err.splitlines()
        assert [line.strip() for line in lines if "REACH" in line] == [told]
    assert layout.read_json(tmp_path / "set" / "surface_cascade" / "report.json")["rejected_draws"] == 1


def test_contact_sheets_show_scenes_by_rows_and_frames_by_columns(root: Path, tmp_path: Path) -> None:
    words = ["contact", str(root), "--out", str(tmp_path), "--scenes", "1", "--width", "48", "--quiet", "--frames", "3"]
    assert cli.main([*words, "--views", "overhead,egocentric"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{family}.png" for family in sorted(FAMILIES)]
    down = 32 + contact_sheet.CAPTION_PX + contact_sheet.MARGIN_PX
    with Image.open(tmp_path / "door_swing.png") as image:
        assert image.size == (contact_sheet.MARGIN_PX + 3 * (48 + contact_sheet.MARGIN_PX), 6 + 2 * down)


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--views", "kitchen"], "views: reacthuman has no 'kitchen'"), (["--frames", "0"], "frames: 0; give at least 1")],
)
def test_contact_sheets_name_the_option_at_fault(
    root: Path, tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["contact", str(root), "--out", str(tmp_path / "new"), *words]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("videos", [True, False])
def test_frames_and_films_are_exported_under_the_published_names(root: Path, tmp_path: Path, videos: bool) -> None:
    one = tmp_path / "one"
    made = (WORDS.replace("--scenes 8", "--scenes 1") + "object_drop --option fps=10 --option views=egocentric").split()
    assert cli.main([*made, "--out", str(one)]) == 0
    out = tmp_path / "published"
    words = ["export", str(one), "--layout", "published", "--out", str(out), "--quiet"]
    assert cli.main([*words, *([] if videos else ["--no-videos"])]) == 0
    truth = layout.read_json(one / "object_drop" / "scene_00000" / "ground_truth.json")
    folder = out / truth["scene_id"]
    assert layout.read_json(folder / "scene.json") == truth
    names = [f"egocentric/brain_view_t{time}.png" for time in ("0.000", "0.150", "0.300", "0.450", "0.600")]
    found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert found == sorted([*names, "scene.json", *(["egocentric.mp4"] if videos else [])])
    if videos:
        film = video.frames_of((folder / "egocentric.mp4").read_bytes())
        assert film.shape == (31, 64, 96, 3)
        with Image.open(folder / names[0]) as first:
            assert np.abs(np.asarray(first.convert("RGB"), int) - film[0]).mean() < 8
