"""Runs side by side: what is common, how they differ, and what cannot be compared."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import cli, generate
from jaxphys_adapters.query import paired, scores_file
from jaxphys_adapters.query.evaluate import evaluate
from jaxphys_adapters.query.options import EvalOptions, ScoreOptions
from jaxphys_adapters.query.score_answers import score
from jaxphys_benchmarks.protocol import Score
from jaxphys_benchmarks.statistics import mcnemar, newcombe_paired
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Say, Script, Stub

Serve = Callable[[Script], Stub]

pytestmark = pytest.mark.usefixtures("toy", "rendered")


def oracle(out: Path, **changes: Any) -> Path:
    evaluate(EvalOptions(**{"benchmark": "toy", "model": "jaxphys/oracle", "scenes": 8, "out": out, **changes}))
    return out


def always_ten(serve: Serve, out: Path, **changes: Any) -> Path:
    stub = serve(lambda call, before: Say('{"n": 10}'))
    evaluate(asking(stub.url, **{"scenes": 8, "out": out, **changes}))
    return out


def test_pairs_are_counted_question_by_question(serve: Serve, tmp_path: Path) -> None:
    first, second = oracle(tmp_path / "a"), always_ten(serve, tmp_path / "b", scenes=6)
    found = paired.compare([first, second])
    assert found.models == {"a": "jaxphys/oracle", "b": "openai-api/stub/m"}
    assert (found.common, found.asked) == (12, {"a": 16, "b": 12})
    ten = {key[0]: score.values["exact"] == 1 for key, score in scores_file.read(second).items()}
    assert 0 < sum(ten.values()) < len(ten)
    assert {(pair.task, pair.group) for pair in found.pairs} == {
        (task, group) for task in ("task1", "task2") for group in ("", "g0", "g1")
    }
    for pair in found.pairs:
        mine = [ok for name, ok in ten.items() if name.endswith(pair.task) and name.startswith(pair.group)]
        right, wrong = sum(mine), len(mine) - sum(mine)
        assert (pair.n, pair.only_first, pair.only_second) == (len(mine), wrong, 0)
        assert (pair.accuracy_first, pair.accuracy_second) == (1.0, right / len(mine))
        assert pair.difference == pytest.approx(pair.accuracy_second - 1.0)
        assert (pair.low, pair.high) == newcombe_paired(right, 0, wrong, 0)
        assert pair.low <= pair.difference <= pair.high
        assert pair.p == mcnemar(wrong, 0)


def test_the_command_prints_tables_and_one_object(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [oracle(tmp_path / "a"), always_ten(serve, tmp_path / "b"), oracle(tmp_path / "c", option=("shots=2",))]
    capsys.readouterr()
    assert cli.main(["compare", *map(str, runs), "--json"]) == 0
    out = capsys.readouterr().out
    content = json.loads(out.splitlines()[-1])
    assert content["models"] == {"a": "jaxphys/oracle", "b": "openai-api/stub/m", "c": "jaxphys/oracle"}
    assert [(pair["first"], pair["second"]) for pair in content["pairs"]] == [("a", "b")] * 6 + [("a", "c")] * 6
    assert content["contrast"] == {"shots/most": 2.0}
    assert "shots/most" in out
    assert "The runs differ in shots." in out
    assert {pair["p"] for pair in content["pairs"] if pair["second"] == "c"} == {1.0}


def test_equal_names_of_other_scenes_are_no_common_questions(tmp_path: Path) -> None:
    runs = [oracle(tmp_path / "a"), oracle(tmp_path / "b", seed=1)]
    with pytest.raises(
        ValueError, match=r"no question was asked in all of them \(a: seed 0, b: seed 1\); ask about the"
    ):
        paired.compare(runs)


def test_only_the_plain_look_is_compared(tmp_path: Path) -> None:
    runs = [oracle(tmp_path / "a", styles="all"), oracle(tmp_path / "b")]
    assert paired.compare(runs).common == 16
    assert len(scores_file.read(runs[0])) == 48


def test_folders_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    runs = [oracle(tmp_path / part / "out") for part in ("x", "y")]
    assert list(paired.compare(runs).models) == ["x/out", "y/out"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "scores.jsonl").unlink(), "scores.jsonl: no such file; give a folder that"),
        (lambda folder: (folder / "metrics.json").unlink(), "metrics.json: no such file; a run is a folder that"),
        (lambda folder: (folder / "scores.jsonl").write_bytes(b"\xff\n"), "scores.jsonl: line 1 is no score"),
        (lambda folder: (folder / "scores.jsonl").write_text('{"question": 1}\n'), "line 1 is no score"),
        (lambda folder: (folder / "scores.jsonl").write_text("[" * 100_000), "line 1 is no score"),
        (lambda folder: (folder / "metrics.json").write_text('{"model": "m"}'), "metrics.json: not the metrics of a"),
    ],
)
def test_a_damaged_run_is_named(tmp_path: Path, spoil: Callable[[Path], object], message: str) -> None:
    runs = [oracle(tmp_path / name, scenes=1) for name in ("a", "b")]
    spoil(runs[1])
    with pytest.raises(ValueError, match=message):
        paired.compare(runs)


def test_what_cannot_be_compared_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = oracle(tmp_path / "a", scenes=1)
    assert cli.main(["compare", str(run)]) == 2
    assert "runs: 1 given; give at least two folders" in capsys.readouterr().err
    with pytest.raises(ValueError, match="runs: a folder is given twice"):
        paired.compare([run, run])
    other = oracle(tmp_path / "b", scenes=1)
    content = json.loads((other / "metrics.json").read_text())
    (other / "metrics.json").write_text(json.dumps(content | {"benchmark": "billiardphys"}))
    with pytest.raises(ValueError, match="runs: they belong to toy and billiardphys"):
        paired.compare([run, other])


def test_answers_scored_elsewhere_are_compared_too(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    generate.run(generate.Generate("billiardphys", data, scenes=5, pictures=False, quiet=True))
    evaluate(EvalOptions("billiardphys", "jaxphys/static", data=data, out=out))
    score(ScoreOptions("billiardphys", data, out, out=tmp_path / "again", model="again"))
    found = paired.compare([out, tmp_path / "again"])
    assert (found.common, found.models["again"], found.contrast) == (15, "again", {})
    assert {pair.difference for pair in found.pairs} == {0.0}


def test_scores_come_back_as_they_were(tmp_path: Path) -> None:
    run = oracle(tmp_path / "a", scenes=1)
    ((question, scene), first), _ = scores_file.read(run).items()
    assert (question, len(scene)) == ("g0/scene_00000/task1", 16)
    assert first == Score(question, "task1", "g0", {"n": 1.0, "exact": 1.0}, "ok")
