"""The table of commands: every record reads its command line, as the reference's arguments are written."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import tyro

from jaxphys_adapters import cli
from jaxphys_adapters.enact.commands import COMMANDS
from tests.adapters.enact.published_tree import predictions, write_lines, write_tree

LINES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "segment": (["in", "out", "--dry-run"], {"input_root": Path("in"), "output_root": Path("out"), "dry_run": True}),
    "pack": (["out.npz"], {"out": Path("out.npz"), "raw_data": Path("data/replayed_activities")}),
    "qa": (
        ["cut", "raw", "QA/q.jsonl", "--seed", "7", "--num-to-sample", "5", "--encoding", "emoji"],
        {"raw_data_dir": Path("raw"), "output_file": Path("QA/q.jsonl"), "seed": 7, "num_to_sample": 5, "labels": True},
    ),
    "eval": (
        ["predictions", "--segmented", "cut", "--replayed", "raw", "--analyze-wrong-cases"],
        {"segmented_data": Path("cut"), "raw_data": Path("raw"), "output_root": Path("data/evaluation"), "pack": None},
    ),
    "ablation": (["base.jsonl", "a.jsonl", "b.jsonl"], {"variants": (Path("a.jsonl"), Path("b.jsonl"))}),
    "render": (
        ["data", "--variant", "fisheye", "--workers", "2"],
        {"data": Path("data"), "variant": "fisheye", "out": None, "workers": 2},
    ),
    "sheet": (["data", "--out", "pages", "--steps", "9"], {"data": Path("data"), "out": Path("pages"), "steps": 9}),
    "export": (["out", "--pack", "x.npz"], {"out": Path("out"), "pack": Path("x.npz"), "questions": None}),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_records_read_their_lines(name: str) -> None:
    module, _, record = COMMANDS[name].record.partition(":")
    words, expected = LINES[name]
    read = tyro.cli(getattr(import_module(module), record), args=words)
    assert {field: getattr(read, field) for field in expected} == expected
    module, _, function = COMMANDS[name].function.partition(":")
    assert callable(getattr(import_module(module), function))


def test_defaults_are_those_of_the_reference() -> None:
    module, _, record = COMMANDS["qa"].record.partition(":")
    read = tyro.cli(getattr(import_module(module), record), args=[])
    assert (read.seed, read.num_to_sample) == (42, 20)
    assert read.output_file == Path("data/QA/enact_ordering.jsonl")


def test_eval_on_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tree = write_tree(tmp_path / "data")
    folders = ["--segmented", str(tree / "segmented_activities"), "--replayed", str(tree / "replayed_activities")]
    good = write_lines(tmp_path / "enact_ordering_good.jsonl", predictions()[:3])
    mixed = write_lines(tmp_path / "enact_ordering_mixed.jsonl", ["{", *predictions()[:3]])
    where = ["--output-root", str(tmp_path / "out")]
    assert cli.main(["enact", "eval", str(good), *folders, *where]) == 0
    assert "chance TA" in capfd.readouterr().out
    assert cli.main(["enact", "eval", str(mixed), *folders, *where]) == 1
    assert "invalid_json_format" in capfd.readouterr().err
    assert cli.main(["enact", "eval", str(good), *where, "--pack", str(tmp_path / "none.npz")]) == 2
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert "none.npz" in line
    assert cli.main(["enact", "eval", str(tmp_path / "none.jsonl"), *folders]) == 2
