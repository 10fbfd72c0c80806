"""The films on the report page of a benchmark whose scenes are seen by several cameras and vary by speed."""

import re
from pathlib import Path

import pytest

from jaxphys_adapters import cli, layout, report_films
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import Benchmark

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
    variants = [f"the same scene, {speed} (egocentric film)" for speed in ("normal", "fast", "very_fast")]
    assert names == [name for family in FAMILIES for name in (f"{family}/scene_00000 (egocentric film)", *variants)]
    assert section.count("<article") == 2
    assert "with one cause changed, by name (normal, fast, very_fast)" in section
    for foreign in ("violation", "law of physics", "nothing changes", "observer", "overhead"):
        assert foreign not in section


def test_what_is_to_be_done_is_told(root: Path) -> None:
    benchmark = configured(root)
    section = report_films.films_section(benchmark, root, ["object_drop/scene_00001"], {"object_drop": {}})
    _, labels = layout.read_scene(benchmark, root, "object_drop/scene_00001")
    assert f"object_drop/scene_00001 (egocentric film)</strong>: {labels.correct_action}<" in section


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
    film = report_films.small(
        configured(root), layout.read_scene(configured(root), root, "door_swing/scene_00000")[0], "egocentric_film"
    )
    monkeypatch.setattr(report_films, "small", lambda benchmark, spec, kind: film)
    monkeypatch.setattr(report_films, "_outcome", lambda benchmark, spec, labels: outcome.format(band=spec.band))
    section = report_films.films_section(configured(root), root, ["door_swing/scene_00000"], {"door_swing": {}})
    assert section.count("<figure>") == 1
    assert f"<strong>the same scene, fast (egocentric film)</strong>: {words}</p>" in section
