"""`jaxphys enact eval`: files of the reference, both modes, and broken input that costs nothing but itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.enact import evaluate
from jaxphys_adapters.enact.evaluate import EnactEval
from jaxphys_adapters.enact.pack import write_pack
from jaxphys_adapters.enact.packing import make_pack
from jaxphys_adapters.enact.store import Folders
from tests import enact_worlds
from tests.adapters.enact.published_tree import CASES, predictions, read_lines, task_of, write_lines, write_tree

EPSILON = 1e-12
METRICS = {"exact_match", "semantic_match", "task_accuracy", "pairwise_accuracy"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("enact") / "data")


def command(tree: Path, path: Path, out: Path, **options: Any) -> EnactEval:
    folders = {"segmented_data": tree / "segmented_activities", "raw_data": tree / "replayed_activities"}
    return EnactEval(path, **{**folders, "output_root": out, **options})


@pytest.fixture(scope="module")
def results(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("results")
    path = write_lines(out / "enact_ordering_some-model.jsonl", predictions())
    assert evaluate.run(command(tree, path, out / "evaluation", analyze_wrong_cases=True)) == 1
    return out / "evaluation"


def numbers(section: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in section.items() if name != "per_step"}


def test_meta_performance_is_that_of_the_reference(results: Path) -> None:
    content = json.loads((results / "meta_performance" / "enact_ordering_some-model.json").read_text())
    assert list(content) == ["model_name", "overall_performance"]
    assert content["model_name"] == "some-model"
    expected = enact_worlds.cases()["aggregate_report"]
    assert content["overall_performance"].keys() == expected.keys()
    for section, values in expected.items():
        found = content["overall_performance"][section]
        assert numbers(found) == pytest.approx(numbers(values), abs=EPSILON)
        assert found["per_step"].keys() == values["per_step"].keys()
        for length, some in values["per_step"].items():
            assert found["per_step"][length] == pytest.approx(some, abs=EPSILON)


def test_details_of_every_scored_case(results: Path) -> None:
    rows = read_lines(results / "detailed_eval" / "enact_ordering_some-model.jsonl")
    scored = [case for case in CASES if "skipped" not in case["expected"]]
    assert [row["id"] for row in rows] == [case["id"] for case in scored]
    for row, case in zip(rows, scored, strict=True):
        assert row["eval_metrics"] == pytest.approx(case["expected"], abs=EPSILON)
        assert row["eval_metrics"].keys() == METRICS
        assert row["strict_metrics"].keys() == METRICS | {"reason"}
        assert (row["model_answer"], row["ground_truth"]) == (case["parsed_answer"], case["gt_answer"])
        assert (row["raw_answer"], row["type"]) == (case["answer"], case["type"])


def test_strict_stands_beside_it(results: Path) -> None:
    content = json.loads((results / "meta_performance_strict" / "enact_ordering_some-model.json").read_text())
    overall = content["overall_performance"]["overall"]
    assert overall["count"] == 39
    assert overall["reasons"].keys() == {"unparseable", "not_a_permutation"}
    assert overall["chance"]["task_accuracy"] == pytest.approx((15 / 2 + 14 / 6 + 9 / 24 + 1 / 120) / 39)
    assert content["skipped_by_compat"]["by_reason"] == {"failed_to_parse_answer": 1}
    assert content["skipped_by_compat"]["lines"][0]["id"] == "F14"
    assert content["repairs_of_compat"] == {"cut": 1, "digits": 2, "shifted": 4}
    assert any("plate" in warning for warning in content["warnings"])


def test_signatures_of_all_items(results: Path) -> None:
    rows = {row["id"]: row for row in read_lines(results / "signatures" / "enact_ordering_some-model.jsonl")}
    scored = [case for case in CASES if "skipped" not in case["expected"]]
    assert rows.keys() == {case["id"] for case in scored}
    for case in scored:
        row = rows[case["id"]]
        assert row["correct_signatures"] == case["reference_visible_both"]
        assert row["equal_length"] == (len(case["parsed_answer"]) == len(case["gt_answer"]))
        if not row["equal_length"]:
            assert row["input_signatures"] == []
    permuted = rows["I04"]
    assert [permuted["correct_signatures"][k] for k in (0, 1, 3, 2)] == permuted["input_signatures"]
    assert len(rows["F03"]["input_natural_language"]) == 3
    assert rows["F07"]["input_natural_language"][0].endswith(".")
    assert rows["I07"]["input_natural_language"] == []


def test_analysis_of_errors_and_hands(results: Path) -> None:
    content = json.loads((results / "analysis" / "enact_ordering_some-model.json").read_text())
    assert content.keys() == {"forward", "inverse"}
    for direction in content.values():
        counts = direction["taxonomy"]["components"]
        assert counts["missing"] > 0
        assert direction["items"] > 5
        assert direction["hands"]["left"]["recall"]["whole"] > 0


def test_analysis_never_changes_a_score(tree: Path, results: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "enact_ordering_some-model.jsonl", predictions())
    evaluate.run(command(tree, path, tmp_path / "plain"))
    for folder in ("meta_performance", "meta_performance_strict"):
        name = f"{folder}/enact_ordering_some-model.json"
        assert (tmp_path / "plain" / name).read_bytes() == (results / name).read_bytes()
    assert not (tmp_path / "plain" / "signatures").exists()


def test_a_pack_gives_the_same(tree: Path, results: Path, tmp_path: Path) -> None:
    store = Folders(tree / "segmented_activities", tree / "replayed_activities")
    write_pack(tmp_path / "pack.npz", make_pack(store))
    path = write_lines(tmp_path / "enact_ordering_some-model.jsonl", predictions())
    nowhere = {"segmented_data": tmp_path / "no", "raw_data": tmp_path / "no"}
    evaluate.run(command(tree, path, tmp_path / "out", pack=tmp_path / "pack.npz", **nowhere))
    name = "detailed_eval/enact_ordering_some-model.jsonl"
    plain = [{**row, "wrong_case_analysis": None} for row in read_lines(results / name)]
    assert [{**row, "wrong_case_analysis": None} for row in read_lines(tmp_path / "out" / name)] == plain


GOOD = predictions()[0]
BROKEN: list[tuple[Any, str]] = [
    ('{"id": "cut", "task_name": "kit', "invalid_json_format"),
    (b"\xff\xfe", "invalid_json_format"),
    ("[" * 100_000, "invalid_json_format"),
    ('{"id": ' + "9" * 5000 + "}", "invalid_json_format"),
    ([1, 2], "evaluation_error"),
    ("null", "invalid_json_format"),
    ({}, "missing_id_field"),
    ({"id": ""}, "missing_id_field"),
    ({**GOOD, "id": ["a"]}, "evaluation_error"),
    (GOOD, "already_evaluated"),
    ({**GOOD, "id": "b1", "task_name": "unknown_1"}, "invalid_or_missing_task_name"),
    ({**GOOD, "id": "b2", "task_name": "../../etc"}, "invalid_or_missing_task_name"),
    ({**GOOD, "id": "b3", "task_name": 7}, "invalid_or_missing_task_name"),
    ({**GOOD, "id": "long", "task_name": "a" * 5000}, "invalid_or_missing_task_name"),
    ({**GOOD, "id": "b4", "gt_answer": []}, "missing_gt_answer_or_key_frames"),
    ({**GOOD, "id": "b5", "key_frame_ids": None}, "missing_gt_answer_or_key_frames"),
    ({**GOOD, "id": "b6", "key_frame_ids": "0_100"}, "evaluation_error"),
    ({**GOOD, "id": "b7", "key_frame_ids": [0, 100, 200]}, "evaluation_error"),
    ({**GOOD, "id": "b8", "gt_answer": [1, 9]}, "evaluation_error"),
    ({**GOOD, "id": "b9", "type": 3}, "evaluation_error"),
    ({**GOOD, "id": "c1", "answer": None}, "failed_to_parse_answer"),
    ({**GOOD, "id": "digits", "answer": "[0, " + "9" * 4300 + "]"}, "failed_to_parse_answer"),
    ({**GOOD, "id": "c2", "answer": {"order": [2, 1]}}, "failed_to_parse_answer"),
]


def test_broken_lines_cost_only_themselves(tree: Path, tmp_path: Path) -> None:
    missing = {**GOOD, "id": "gone", "key_frame_ids": ["0", "100", "77777"], "answer": "[1, 2]"}
    odd = {**GOOD, "id": "odd", "answer": ["2", None]}
    last = {**GOOD, "id": "last \ud800", "answer": "lone surrogate \ud800 [2, 1]", "type": None}
    rows = [GOOD, "", *(row for row, _ in BROKEN), missing, odd, last]
    path = write_lines(tmp_path / "mine.jsonl", rows)
    assert evaluate.run(command(tree, path, tmp_path / "out", analyze_wrong_cases=True)) == 1
    scored = {row["id"]: row for row in read_lines(tmp_path / "out" / "detailed_eval" / "enact_ordering_mine.jsonl")}
    assert list(scored) == ["F01", "gone", "odd", "last \ud800"]
    assert scored["gone"]["eval_metrics"]["pairwise_accuracy"] == 0
    assert scored["gone"]["strict_metrics"]["reason"] == "missing_frame"
    assert scored["odd"]["strict_metrics"]["reason"] == "unparseable"
    assert scored["last \ud800"]["eval_metrics"]["exact_match"]
    content = json.loads((tmp_path / "out" / "meta_performance_strict" / "enact_ordering_mine.json").read_text())
    skipped = content["skipped_by_compat"]["lines"]
    assert [one["reason"].partition(":")[0] for one in skipped] == [reason for _, reason in BROKEN]
    assert [one["line"] for one in skipped] == list(range(3, 3 + len(BROKEN)))
    assert content["overall_performance"]["overall"]["count"] == 7
    assert any("77777" in problem for problem in content["problems"])


def test_what_can_be_read_can_be_written(tree: Path, tmp_path: Path) -> None:
    """Nesting that a reader bears is too deep for a writer; the longest number grows by a digit when it is shifted."""
    row = json.dumps({**GOOD, "id": "deepN", "answer": "nested"})
    deep = [row.replace("N", str(n)).replace('"nested"', "[" * n + "]" * n) for n in range(90, 990)]
    longest = {**GOOD, "id": "longest", "answer": "[0, " + "9" * 4299 + "]"}
    path = write_lines(tmp_path / "mine.jsonl", [*deep, longest, GOOD])
    assert evaluate.run(command(tree, path, tmp_path / "out", analyze_wrong_cases=True)) == 1
    scored = [row["id"] for row in read_lines(tmp_path / "out" / "detailed_eval" / "enact_ordering_mine.jsonl")]
    assert scored == [*(f"deep{n}" for n in range(90, 100)), "longest", GOOD["id"]]


def test_results_are_json_whatever_answers_hold(tree: Path, tmp_path: Path) -> None:
    row = json.dumps({**GOOD, "answer": "odd"}).replace('"odd"', "[NaN, [1e999]]")
    path = write_lines(tmp_path / "mine.jsonl", [row])
    evaluate.run(command(tree, path, tmp_path / "out", analyze_wrong_cases=True))
    for folder, name in (("detailed_eval", "model_answer"), ("signatures", "parsed_answer")):
        (line,) = (tmp_path / "out" / folder / "enact_ordering_mine.jsonl").read_text().splitlines()
        assert json.loads(line, parse_constant=pytest.fail)[name] == [None, [None]]


def test_a_folder_of_predictions(tree: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "in" / "enact_ordering_a.jsonl", predictions()[:5])
    (tmp_path / "in" / "enact_ordering_b.jsonl").mkdir()
    write_lines(tmp_path / "in" / "notes.jsonl", ["no prediction"])
    assert evaluate.run(command(tree, tmp_path / "in", tmp_path / "out")) == 1
    summary = json.loads((tmp_path / "out" / "batch_evaluation_summary.json").read_text())
    assert {name: summary[name] for name in ("total_processed", "successful", "failed")} == {
        "total_processed": 2,
        "successful": 1,
        "failed": 1,
    }
    assert [one["status"] for one in summary["results"]] == ["success", "error"]
    assert summary["results"][0]["overall_stats"]["count"] == 5


def test_all_judged_is_exit_code_0(tree: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "enact_ordering_x.jsonl", [GOOD])
    assert evaluate.run(command(tree, path, tmp_path / "out")) == 0


def test_a_dry_run_writes_nothing(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_lines(tmp_path / "enact_ordering_x.jsonl", predictions())
    assert evaluate.run(command(tree, path, tmp_path / "out", dry_run=True)) == 0
    assert not (tmp_path / "out").exists()
    assert "graphs of 6 are there" in capsys.readouterr().err.replace("\n", " ")


def test_a_broken_graph_file_costs_its_task(tree: Path, tmp_path: Path) -> None:
    copy = write_tree(tmp_path / "copy")
    path = copy / "replayed_activities" / task_of("flipflop") / "scene_graph_0.json"
    path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    (copy / "replayed_activities" / task_of("twins") / "scene_graph_0.json").write_text("[1]")
    out = tmp_path / "out"
    path = write_lines(tmp_path / "enact_ordering_x.jsonl", predictions())
    assert evaluate.run(command(copy, path, out)) == 1
    scored = {row["id"]: row for row in read_lines(out / "detailed_eval" / "enact_ordering_x.jsonl")}
    for case in CASES:
        if "skipped" in case["expected"] or case["world"] == "twins":
            assert case["id"] not in scored
        elif case["world"] != "flipflop":
            assert scored[case["id"]]["eval_metrics"] == pytest.approx(case["expected"], abs=EPSILON)
    content = json.loads((out / "meta_performance_strict" / "enact_ordering_x.json").read_text())
    assert any("cut off" in problem for problem in content["problems"])


def test_what_is_missing_is_said(tree: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "enact_ordering_x.jsonl", [GOOD])
    with pytest.raises(ValueError, match="pack"):
        evaluate.run(command(tree, path, tmp_path / "out", raw_data=tmp_path / "none"))
    with pytest.raises(ValueError, match="no such file or folder"):
        evaluate.run(command(tree, tmp_path / "none.jsonl", tmp_path / "out"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="holds no file"):
        evaluate.run(command(tree, tmp_path / "empty", tmp_path / "out"))
    with pytest.raises(ValueError, match="there is no file"):
        evaluate.run(command(tree, path, tmp_path / "out", pack=tmp_path / "none.npz"))
