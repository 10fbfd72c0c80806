"""Which results go onto the page of a data set: those about its scenes, however they were asked."""

import json
from pathlib import Path

import pytest

from jaxphys_adapters import cli, layout
from jaxphys_adapters.query.records import METRICS
from jaxphys_adapters.query.scores_file import SCORES

SMALL = ("--windows", "1,3", "--option", "scale=0.25")
ASKED: dict[str, tuple[str, ...]] = {
    "read": ("--data", "set", "--scenes", "4"),
    "drawn": ("--seed", "5", "--scenes", "6", *SMALL),
    "styles": ("--data", "set", "--scenes", "2", "--styles", "mirror_x"),
    "bands": ("--data", "set", "--scenes", "2", "--bands", "all"),
    "other_seed": ("--seed", "6", "--scenes", "6", *SMALL),
    "other_radius": ("--seed", "5", "--scenes", "6", *SMALL, "--option", "R=0.04"),
    "other_windows": ("--seed", "5", "--scenes", "2", "--windows", "2", "--option", "scale=0.25"),
}
OTHERS = {"other_seed", "other_radius", "other_windows"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set in `set`, and results of a baseline that was asked about it and about others, in `results`."""
    root = tmp_path_factory.mktemp("origin")
    words = ("generate", "billiardphys", "--scenes", "6", "--seed", "5", *SMALL, "--no-pictures", "--quiet")
    assert cli.main([*words, "--out", str(root / "set")]) == 0
    for name, asked in ASKED.items():
        given = [str(root / word) if word == "set" else word for word in asked]
        out = str(root / "results" / name)
        assert cli.main(["eval", "billiardphys", "--model", "jaxphys/static", *given, "--out", out]) == 0
    return root


def page(folder: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    capsys.readouterr()
    words = ["report", str(folder / "set"), "--results", str(folder / "results"), "--scenes", "0", "--out", str(out)]
    assert cli.main(words) == 0
    return out.read_text("utf-8"), capsys.readouterr().err


def test_results_about_other_scenes_are_left_out(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, told = page(folder, tmp_path / "page.html", capsys)
    for name in ASKED:
        assert (f"({name})" in text) == (name not in OTHERS), name
    (line,) = [line for line in told.splitlines() if line.startswith("left out")]
    assert line.startswith(f"left out 3 results about other scenes than those of {folder / 'set'}: ")


def test_what_is_not_recorded_is_not_held_against_a_result(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in (("a", None), ("b", b"{\n")):
        path = folder / "results" / f"bare_{name}" / METRICS
        path.parent.mkdir(exist_ok=True)
        kept = layout.read_json(folder / "results" / "other_radius" / METRICS)
        path.write_text(json.dumps({key: value for key, value in kept.items() if key != "seed"}))
        if content is not None:
            (path.parent / SCORES).write_bytes(content)
    text, _ = page(folder, tmp_path / "page.html", capsys)
    assert "(bare_a)" in text
    assert "(bare_b)" in text
