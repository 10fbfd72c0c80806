"""Executed answers on pages: films and words in the report, and what the robot did in the viewer."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jaxphys_adapters import cli, execution_files, layout, motions, report_executed, report_limits, stages
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import Benchmark
from jaxphys_kernels.humanoid.limits import limits
from jaxphys_kernels.humanoid.plan import Plan
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
    assert "<h3>object drop: not touched</h3>" in shown
    assert f'<p class="note">{FIRST}</p>' in shown
    assert "<dt>contact</dt><dd>left hand at 0.42 s</dd>" in shown
    assert "<h3>Answers of oracle</h3>" in shown
    assert EVIL not in shown
    assert Page(shown).tags.count("video") == 1


def test_without_films_there_are_the_counts(root: Path) -> None:
    shown, _ = section(root, drawn=False)
    assert "<video" not in shown
    assert "<th>caught</th>" in shown


def test_all_scenes_come_first_and_what_there_was_none_of_is_a_dash(root: Path, tmp_path: Path) -> None:
    rows = {"object_drop": {"n": 2, "catch": 0, "caught": 0}, "all": {"n": 3, "catch": 1, "caught": 0}}
    executed(tmp_path / "odd", root, SECOND, tally=rows)
    shown = section(root, tmp_path, drawn=False)[0].partition("Answers of odd")[2]
    assert re.findall(r"<td>(.*?)</td>", shown.partition("</table>")[0]) == ["3", "1", "0", "2", "0", "–"]
    assert "<th>to catch</th>" in shown
    assert "fists without fingers" in shown
    spec, labels = layout.read_scene(configured(root), root, SECOND)
    left = configured(root).row(spec, labels)["tti"]
    assert f"From the freeze to the event there are {left:.2f} s." in shown
    assert ("before the freeze" in shown) == (left <= 0)


def test_limits_are_told_by_kind_and_in_full() -> None:
    kl = np.array([[0.2, 0.1, 0.8], [1.0, 0.1, 0.8], [0.8, 0.1, 0.8]])
    asked = Plan(
        cmd=np.array([-1.0, 0.5, 0.0]),
        dur=np.float64(2.0),
        kt=np.array([0.5, 1.0, 1.5]),
        kl=kl,
        kr=kl * [0.1, -1, 1],
        kb=np.array([0.0, 0.2, 0.4]),
        use=np.float64(1.0),
    )
    findings = [one.message for one in limits(asked)]
    hand = [one.asked - one.possible for one in limits(asked) if one.field.startswith("kl")]
    assert len(hand) == 2
    assert report_limits.kinds([*findings, "odd[1]: says 3", "odd[2]: says 4", "nothing"]) == [
        "walk back: asked 1.00, can 0.67 m/s",
        "walk to the left: asked 0.50, can 0.30 m/s",
        "knees: bend of 0.40 asked, 0.20 while walking (2 key frames)",
        f"left hand: 2 targets out of reach, by at most {max(hand):.2f} m",
        "says 3 (and 1 more)",
        "nothing",
    ]
    full = report_limits.in_full(findings)
    assert len(full) == len(findings)
    assert not [line for line in full if "[" in line]
    assert full[0].startswith("-1.00 m/s asked")
    assert full[-1].startswith("key frame 3: the left hand is asked")


@draws
def test_a_card_tells_limits_by_kind_and_folds_the_rest(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("av", reason="pip install '.[video]' in the checkout")
    beyond = [
        f"kl[{k}]: the left hand is asked 0.9 m from its shoulder; it reaches 0.45 m, 0.{k}0 m less" for k in (1, 2)
    ]
    told = {"title": "not touched", "lines": [["limits", "; ".join(beyond)]]}
    executed(tmp_path / "odd", root, SECOND, outcome={"findings": beyond}, told=told)
    shown = section(root, tmp_path)[0].partition("Answers of odd")[2]
    assert "<dt>limits</dt><dd>left hand: 2 targets out of reach, by at most 0.20 m</dd>" in shown
    assert "<summary>All 2 limits met</summary><ul><li>key frame 2: the left hand is asked" in shown
    assert "kl[" not in shown


def test_a_page_of_plans_alone_has_a_title_of_its_own(root: Path, tmp_path: Path, jaxphys: Any) -> None:
    ran: Ran = jaxphys("report", root, "--scenes", 0, "--no-executed", "--no-films", "--out", tmp_path / "page.html")
    assert ran.code == 0, ran.err
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<h1>ReactHuman, plans carried out</h1>" in page
    assert "<title>ReactHuman, plans carried out: report</title>" in page
    assert "2 scenes in 1 group, drawn" in page
    assert "labelled with C\u00a0MuJoCo" in page


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
