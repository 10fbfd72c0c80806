"""The report page: one file that loads nothing and runs nothing, whatever models have answered."""

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import layout
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.report_results import Results, find_results, shown_metrics, told_apart
from jaxphys_adapters.report_scenes import choose
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import AskOptions

from .conftest import Ran

Run = Callable[..., Ran]
EVIL = '<script>alert("x")</script><img src="https://example.org/a.png" onerror=alert(1)>'
VOID = {"meta", "img", "input", "br", "line", "circle", "polyline", "polygon", "rect"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; complains about tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def answer(root: Path, data: Path, model: str, replies: dict[str, str]) -> None:
    """A folder of results as `jaxphys eval --out` leaves it, with one reply per task."""
    benchmark = registry.get("billiardphys", windows=(1, 3), scale=0.25)
    for scene in layout.scene_ids(data):
        spec, _ = layout.read_scene(benchmark, data, scene)
        for question in benchmark.ask(spec, AskOptions()):
            group, _, name = scene.rpartition("/")
            path = root / group / f"{name.removeprefix('scene_')}_{question.task}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                json.dumps({"id": question.id, "reply": {"text": replies[question.task], "finish": "stop"}})
            )
    metrics = {
        "mean": 0.25,
        "q1/per_ball": 0.5,
        "q1/per_ball/low": 0.4,
        "q1/per_ball/high": 0.6,
        "q3/median_error": 7.5,
    }
    metrics |= {"t1s/q1/per_ball": 0.4, "t3s/q1/per_ball": 0.6, "lenient:q1/per_ball": 0.55, "q1/n": 6.0}
    content = {"benchmark": "billiardphys", "model": model, "n": 6, "metrics": metrics, "failures": {"no_json": 6}}
    (root / "metrics.json").write_text(json.dumps(content))


@pytest.fixture
def answered(data_set: Path, tmp_path: Path) -> Path:
    root = tmp_path / "set"
    shutil.copytree(data_set, root)
    walls = [{"wall": wall, "answer": "F"} for wall in ("TOP", "BOTTOM", "LEFT", "RIGHT")]
    replies = {"task1": EVIL, "task2": json.dumps({"Q2": walls}), "task3": "</pre>" + "9" * 20_000}
    answer(root / "answers" / "a", root, f"{EVIL}/model", replies)
    return root


def page_of(jaxphys: Run, root: Path, *words: object) -> tuple[str, Page]:
    ran = jaxphys("report", root, *words)
    assert ran.code == 0, ran.err
    text = (root / "report.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    return text, page


def test_the_page_loads_nothing_and_runs_nothing(answered: Path, jaxphys: Run) -> None:
    text, page = page_of(jaxphys, answered)
    assert "script" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    sources = [value or "" for name, value in page.attributes if name in ("src", "href", "srcset", "data")]
    assert sources
    assert all(value.startswith(("data:image/png;base64,", "#")) for value in sources)
    assert re.findall(r"url\((?!data:font)", text) == []
    assert "@import" not in text
    assert "default-src 'none'" in text


def test_the_head_counts_results(answered: Path, jaxphys: Run) -> None:
    _, page = page_of(jaxphys, answered)
    assert "/model was asked and reached 0.250." in page.text
    shutil.copytree(answered / "answers" / "a", answered / "answers" / "b")
    _, page = page_of(jaxphys, answered)
    assert "; 2 results, of which" in page.text
    for name in "ab":
        assert f"/model ({name})" in page.text


def test_results_of_one_model_are_told_apart() -> None:
    def names(*folders: str) -> list[str]:
        made = [Results(Path(folder), model, 1, {}, {}, "robust") for model, folder in zip("mmn", folders, strict=True)]
        return [one.model for one in told_apart(made)]

    assert names("run0", "run3", "run3") == ["m (run0)", "m (run3)", "n"]
    assert names("a/run", "b/run", "c/run") == ["m (a/run)", "m (b/run)", "n"]


def test_metrics_keep_their_order_where_the_first_run_lacks_some() -> None:
    few = Results(Path("few"), "few", 1, {"mean": 1.0, "t/rate": 1.0, "t/letter": 1.0}, {}, "robust")
    all_ = Results(Path("all"), "all", 1, {"mean": 1.0, "t/rate": 1.0, "t/gap": 1.0, "t/letter": 1.0}, {}, "robust")
    assert shown_metrics([few, all_], []) == ["mean", "t/rate", "t/gap", "t/letter"]


def test_results_that_two_folders_hold_are_shown_once(answered: Path, jaxphys: Run) -> None:
    shutil.move(answered / "answers", answered.parent / "answers")
    _, page = page_of(jaxphys, answered, "--results", answered.parent)
    assert "/model was asked and reached 0.250." in page.text
    shutil.move(answered.parent / "answers", answered / "answers")
    _, page = page_of(jaxphys, answered, "--results", answered.parent)
    assert "/model was asked and reached 0.250." in page.text


def test_untrusted_text_is_shown_and_not_obeyed(answered: Path, jaxphys: Run) -> None:
    text, page = page_of(jaxphys, answered)
    assert EVIL not in text
    assert page.text.count(EVIL) >= 6
    assert "14006 more characters" in page.text


def test_verdicts_are_those_of_the_benchmark(answered: Path, jaxphys: Run) -> None:
    _, page = page_of(jaxphys, answered)
    benchmark = registry.get("billiardphys", windows=(1, 3), scale=0.25)
    labels = [layout.read_scene(benchmark, answered, scene)[1] for scene in layout.scene_ids(answered)]
    untouched = sum(not any(truth.q2) for truth in labels)
    assert page.text.count("no answer") >= 12
    assert page.words.count("all right") == untouched
    assert page.words.count("not all right") == 6 - untouched


def test_scores_pictures_and_facts_are_there(answered: Path, jaxphys: Run) -> None:
    text, page = page_of(jaxphys, answered)
    for words in (
        "BilliardPhys-Bench",
        "Q1 per ball",
        "0.400 – 0.600",
        "Without an answer",
        "7.500",
        "instruction set",
    ):
        assert words in page.text
    assert "lenient:q1/per_ball" not in page.text
    # Three drawings of each of six scenes, and the charts of two windows.
    assert text.count('<svg class="drawing"') == 6 * 3
    assert text.count("data:image/png;base64,") == 2
    charts = text[text.index('<div class="charts">') :].partition("</div>")[0]
    assert charts.count("<polyline") == 1
    assert page.text.count("initial: the start, as a model is shown it") == 6
    assert "prefers-color-scheme: dark" in text


def test_without_results_the_page_shows_the_data_set(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    out = tmp_path / "new" / "page.html"
    assert jaxphys("report", data_set, "--out", out, "--scenes", 2).code == 0
    page = Page(out.read_text("utf-8"))
    assert "Scores" not in page.text
    assert "What was asked" in page.text
    assert page.tags.count("article") == 2


def test_equal_input_gives_an_equal_page(answered: Path, jaxphys: Run) -> None:
    first, _ = page_of(jaxphys, answered)
    assert page_of(jaxphys, answered)[0] == first


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "NaN",
        '{"benchmark": "billiardphys", "metrics": {"mean": "much"}}',
        '{"benchmark": "billiardphys", "n": 1e999}',
        '{"benchmark": "billiardphys", "failures": {"refusal": 1e999}}',
    ],
)
def test_broken_results_are_left_out_and_named(answered: Path, jaxphys: Run, content: str) -> None:
    (answered / "answers" / "b").mkdir()
    (answered / "answers" / "b" / "metrics.json").write_text(content)
    ran = jaxphys("report", answered)
    assert ran.code == 0
    assert "left out answers/b/metrics.json" in ran.err
    found, faults = find_results(answered, "billiardphys")
    assert (len(found), len(faults)) == (1, 1)


@pytest.mark.parametrize("record", ["{", '{"reply": 3}', '{"reply": {"text": 5}}', "null"])
def test_a_broken_record_does_not_stop_the_page(answered: Path, jaxphys: Run, record: str) -> None:
    (answered / "answers" / "a" / "t1s" / "00000_task1.json").write_text(record)
    assert jaxphys("report", answered).code == 0


@pytest.mark.parametrize("name", ["scenes", "rejected_draws", "failed"])
@pytest.mark.parametrize("value", ['"many"', "null", "[1]", "1e999", "-1", "true"])
def test_a_count_that_is_none_is_named(answered: Path, jaxphys: Run, name: str, value: str) -> None:
    path = answered / "t1s" / "report.json"
    path.write_text(json.dumps(layout.read_json(path) | {name: "?"}).replace('"?"', value))
    ran = jaxphys("report", answered)
    assert ran.code == 2
    assert f"{path}: {name}: " in ran.err


@pytest.mark.parametrize("value", ["1e999", "-1e308", "NaN"])
def test_a_metric_that_no_chart_can_show_is_named(tmp_path: Path, value: str) -> None:
    (tmp_path / "metrics.json").write_text(f'{{"benchmark": "b", "metrics": {{"q1/x": {value}}}}}')
    found, (fault,) = find_results(tmp_path, "b")
    assert found == []
    assert "number" in fault


def test_scenes_come_from_every_group() -> None:
    ids = [f"t{t}s/scene_{k:05d}" for t in (1, 2, 3) for k in range(9)]
    assert choose(ids, [], ["task1"], 4) == ["t1s/scene_00000", "t2s/scene_00000", "t3s/scene_00000", "t1s/scene_00001"]
    assert choose(ids, [], ["task1"], 0) == []


def test_scenes_that_some_model_was_asked_about_come_first(tmp_path: Path) -> None:
    ids = [f"t{t}s/scene_{k:05d}" for t in (1, 2) for k in range(3)]
    # The best model was asked about one group only.
    asked = {"best": ["t1s/00001", "t1s/00002"], "other": ["t1s/00001", "t2s/00001"]}
    for name, places in asked.items():
        for place in places:
            path = tmp_path / name / f"{place}_task1.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("{}")
    results = [Results(tmp_path / name, name, 2, {}, {}, "robust") for name in asked]
    chosen = choose(ids, results, ["task1"], 4)
    assert chosen == ["t1s/scene_00001", "t2s/scene_00001", "t1s/scene_00002", "t1s/scene_00000"]


@pytest.mark.parametrize("value", [None, 3, 1234567, 0.123456, True, "<b>", float("nan")])
def test_numbers_are_safe(value: Any) -> None:
    assert "<" not in html.number(value)


@pytest.mark.parametrize("change", [{"options": []}, {"options": None}, {"groups": 3}, {"format": 9}], ids=str)
def test_a_faulty_configuration_is_named(change: dict[str, Any], data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    config = layout.read_json(data_set / layout.CONFIG)
    (tmp_path / layout.CONFIG).write_bytes(layout.to_json(config | change))
    ran = jaxphys("report", tmp_path)
    assert ran.code == 2
    assert str(tmp_path / layout.CONFIG) in ran.err


def test_a_folder_without_a_data_set(tmp_path: Path, jaxphys: Run) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        ran = jaxphys("report", folder)
        assert ran.code == 2
        assert str(folder) in ran.err
