"""Options of `jaxphys eval`: what is refused, and what is printed."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import tyro
from rich.console import Console

from jaxphys import _inspect
from jaxphys_adapters import cli
from jaxphys_adapters.query import evaluate, results, score_answers
from jaxphys_adapters.query.options import EvalOptions, ScoreOptions


def options(**changes: Any) -> EvalOptions:
    return EvalOptions(**{"benchmark": "toy", "model": "jaxphys/oracle", "scenes": 4, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"benchmark": "chess"}, "benchmark: 'chess' is not known"),
        ({"scenes": 0}, "scenes: 0; give a whole number > 0"),
        ({"option": ("colour=red",)}, "(?s)colour.*Extra inputs"),
        ({"option": ("colour",)}, "option: 'colour'; give NAME=VALUE"),
        ({"windows": "1"}, "(?s)windows.*Extra inputs"),
        ({"model_arg": ("seed",)}, "model_arg: .*'seed'; give NAME=VALUE"),
        ({"attempts": 0}, "attempts: 0; give a number > 0"),
        ({"timeout": -1}, "timeout: -1"),
        ({"max_tokens": 0}, "max_tokens: 0"),
        ({"temperature": -0.5}, "temperature: -0.5; give a number from 0 to 2"),
        ({"extract": "guess"}, "extract: 'guess'; give one of paper, robust, lenient"),
        ({"max_image_mib": 0.0}, "image_limit: 0 bytes"),
        ({"data": Path("/nowhere")}, "/nowhere: no such folder"),
        ({"styles": "blue"}, "styles: 'blue' is unknown; give all, or some of plain, swapped, text_only"),
        ({"bands": "more,less"}, "bands: 'less' is unknown; give all, or some of same, more, most"),
        ({"styles": "swapped", "image": False}, "styles: they change the picture"),
        ({"styles": "all", "text_only": True}, "styles: .*give text_only as one of the styles"),
        ({"model": "nobody/none"}, "nobody"),
    ],
    ids=str,
)
def test_bad_options_are_named_before_work_starts(toy: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate.run(options(**changes))


def test_a_baseline_is_checked_before_the_folder_is_made(toy: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="model: no baseline 'genius' for toy; there are mute, oracle"):
        evaluate.run(options(model="jaxphys/genius", out=tmp_path / "out"))
    with pytest.raises(ValueError, match=r"model: .*unexpected keyword argument 'wit'"):
        evaluate.run(options(model_arg=("wit=3",), out=tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_options_of_a_data_set_hold_when_it_is_asked_about(tmp_path: Path) -> None:
    words = ["--scenes", "1", "--windows", "2", "--option", "q1_key=balls", "--option", "scale=0.25", "--quiet"]
    words += ["--option", "extract=paper"]
    assert cli.main(["generate", "billiardphys", *words, "--out", str(tmp_path / "data")]) == 0
    data, answers = tmp_path / "data", tmp_path / "answers"
    found = evaluate.evaluate(EvalOptions("billiardphys", "jaxphys/oracle", data=data, out=answers))
    assert (found.scenes, found.metrics["mean"], found.extract) == (1, 1.0, "paper")
    assert score_answers.score(ScoreOptions("billiardphys", data, answers))[0].extract == "paper"
    assert score_answers.score(ScoreOptions("billiardphys", data, answers, extract="robust"))[0].extract == "robust"


def test_a_folder_that_cannot_be_made_is_named(toy: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="a file is in the way"):
        evaluate.run(options(out=tmp_path / "file"))


def test_the_extra_is_named_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evaluate, "find_spec", lambda name: None)
    assert cli.main(["eval", "billiardphys", "--model", "jaxphys/oracle"]) == 2
    assert "pip install '.[eval]' in the checkout" in capsys.readouterr().err


def test_a_benchmark_plugs_in_by_the_registry_alone(toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.run(options(json=True)) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["n"] == 4
    assert summary["metrics"] | {"task1/right": 0.5, "task2/right": 0.5} == summary["metrics"]


def test_a_model_that_says_nothing_is_shown_as_such(toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.run(options(model="jaxphys/mute")) == 0
    out = capsys.readouterr().out
    assert "Without an answer: 8 no_json." in out
    assert "answered only" in out


@pytest.mark.parametrize(("width", "groups_shown"), [(40, False), (120, True)])
def test_the_table_shows_as_many_columns_as_fit(toy: str, width: int, groups_shown: bool) -> None:
    metrics = {"q/right": 0.5, "q/right/low": 0.25, "q/right/high": 0.75, "g0/q/right": 0.125, "g1/q/right": 1.0}
    found = results.Result("toy", "Toy", "m", 4, 8, "robust", ("g0", "g1"), metrics, {}, ("Mind this.",))
    console = Console(width=width, record=True, file=sys.stderr)
    results.show(found, console)
    text = console.export_text()
    assert "0.250 to 0.750" in text
    assert ("0.125" in text) is groups_shown
    assert "Mind this." in text


@pytest.mark.parametrize(
    ("words", "asked"), [([], None), (["--enable-cot"], True), (["--no-enable-cot"], False)], ids=str
)
def test_reasoning_is_asked_for_by_a_flag(words: list[str], asked: bool | None) -> None:
    assert tyro.cli(EvalOptions, args=["toy", "--model", "m", *words]).enable_cot is asked


def test_every_benchmark_has_a_task() -> None:
    from jaxphys_benchmarks import registry

    assert set(_inspect.TASKS) == {*registry.names(), "enact_forward", "enact_inverse"}
