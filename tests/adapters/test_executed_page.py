"""Executed answers on pages: films and words in the report, and what the robot did in the viewer."""

import json
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import cli, execution_files, layout, motions, report_executed, stages
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import Benchmark
from tests.benchmarks.reacthuman.moved_robots import walked_back

from .conftest import Ran
from .test_report_page import Page

WORDS = "generate reacthuman --scenes 2 --seed 1 --no-pictures --quiet --option families=object_drop"
SMALL = "--option size_px=96,64 --option visible_px=0 --option bands=normal"
EVIL = "<script>alert(1)</script>"
FIRST, SECOND = "object_drop/scene_00000", "object_drop/scene_00001"
LINES = [["contact", "left hand at 0.42 s"], ["limits", EVIL]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small scenes, in the first of which a robot has walked back."""
    out = tmp_path_factory.mktemp("executed") / "set"
    assert cli.main([*f"{WORDS} {SMALL}".split(), "--out", str(out)]) == 0
    executed(out / "executed" / "oracle", out, FIRST)
    return out


def configured(root: Path) -> Benchmark:
    return registry.get("reacthuman", **layout.open_data_set(root).config["options"])


def executed(folder: Path, root: Path, scene: str, **changes: Any) -> None:
    """Store what `jaxphys execute` would have, of a motion made by hand."""
    spec, _ = layout.read_scene(configured(root), root, scene)
    (folder / scene).mkdir(parents=True)
    about = {"benchmark": "reacthuman", "answers": folder.name, **changes.pop("about", {})}
    (folder / "execution.json").write_text(json.dumps(about))
    (folder / "tally.json").write_text(json.dumps(changes.pop("tally", {"object_drop": {"scenes": 1, "caught": 0}})))
    motions.write(folder / scene / "motion.npz", walked_back(spec, 0.4))  # type: ignore[arg-type]
    content = {
        "digest": execution_files.digest_of(spec),
        "outcome": {"hit": False},
        "told": {"title": "not touched", "lines": LINES},
        **changes,
    }
    (folder / scene / "outcome.json").write_text(json.dumps(content))


def section(root: Path, elsewhere: Path | None = None, drawn: bool = True) -> tuple[str, list[str]]:
    return report_executed.executed_section(configured(root), root, layout.scene_ids(root), elsewhere, drawn=drawn)


draws = pytest.mark.skipif(all(stages.missing(name) for name in stages.RENDERERS), reason="nothing here draws stages")


@draws
def test_a_film_and_what_came_of_it_are_shown(root: Path) -> None:
    pytest.importorskip("av", reason="pip install '.[video]' in the checkout")
    shown, faults = section(root)
    assert not faults
    assert shown.count("<video") == 1
    assert f"<strong>{FIRST}: not touched</strong>" in shown
    assert "<dt>contact</dt><dd>left hand at 0.42 s</dd>" in shown
    assert "<h3>Answers of oracle</h3>" in shown
    assert EVIL not in shown
    assert Page(shown).tags.count("video") == 1


def test_without_films_there_are_the_counts(root: Path) -> None:
    shown, _ = section(root, drawn=False)
    assert "<video" not in shown
    assert "All counts" in shown


def test_where_nothing_was_executed_nothing_is_said(root: Path, tmp_path: Path) -> None:
    assert report_executed.executed_section(configured(root), tmp_path, [FIRST]) == ("", [])
    other = registry.get("billiardphys")
    assert report_executed.executed_section(other, root, [FIRST]) == ("", [])


@draws
@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"told": None}, "told"),
        ({"digest": "0123456789abcdef"}, f"about another {SECOND}"),
        ({"told": {"title": "x", "lines": 5}}, "told"),
        ({"tally": [1]}, "tally.json"),
        ({"tally": {"object_drop": {"caught": "many"}}}, "tally.json"),
    ],
)
def test_files_that_cannot_be_read_are_named(root: Path, tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    executed(tmp_path / "odd", root, SECOND, **changes)
    shown, faults = section(root, tmp_path)
    assert FIRST in shown or not shown
    assert len(faults) == 1
    assert named in faults[0]


@draws
def test_a_broken_motion_is_named(root: Path, tmp_path: Path) -> None:
    executed(tmp_path / "odd", root, SECOND)
    (tmp_path / "odd" / SECOND / "motion.npz").write_bytes(b"nothing")
    shown, faults = section(root, tmp_path)
    assert SECOND not in shown
    assert "motion.npz" in faults[0]


def test_the_viewer_begins_with_what_the_robot_did(root: Path, tmp_path: Path, jaxphys: Any) -> None:
    pytest.importorskip("viser", reason="pip install '.[view]' in the checkout")
    page = tmp_path / "it.html"
    words = ("view", root / FIRST, "--executed", root / "executed" / "oracle", "--no-variants", "--fps", 10, "-o", page)
    ran: Ran = jaxphys(*words)
    assert ran.code == 0, ran.err
    text = page.read_text()
    assert '<option value="plan of oracle">plan of oracle</option>' in text
    assert text.index('data-replay="plan of oracle"') < text.index('data-replay="own"')
    assert "<dt>outcome</dt><dd>not touched</dd>" in text
    assert EVIL not in text


@pytest.mark.parametrize(
    ("scene", "folder", "message"),
    [(SECOND, "executed/oracle", "no outcome of object_drop/scene_00001"), (FIRST, ".", "holds no execution.json")],
)
def test_what_was_not_executed_is_told(root: Path, scene: str, folder: str, message: str, jaxphys: Any) -> None:
    pytest.importorskip("viser", reason="pip install '.[view]' in the checkout")
    ran: Ran = jaxphys("view", root / scene, "--executed", root / folder, "--no-variants", "--fps", 10)
    assert ran.code == 2
    assert message in ran.err


def test_the_outcome_of_another_scene_of_the_same_name_is_not_shown(root: Path, tmp_path: Path, jaxphys: Any) -> None:
    pytest.importorskip("viser", reason="pip install '.[view]' in the checkout")
    executed(tmp_path / "odd", root, FIRST, digest="0123456789abcdef")
    words = ("view", root / FIRST, "--executed", tmp_path / "odd", "--no-variants", "--fps", 10)
    ran: Ran = jaxphys(*words, "-o", tmp_path / "it.html")
    assert ran.code == 2
    assert f"about another {FIRST} than this one" in ran.err
    assert not (tmp_path / "it.html").exists()
