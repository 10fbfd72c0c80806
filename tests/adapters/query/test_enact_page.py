"""`jaxphys eval enact` and `jaxphys report enact`: a generated folder is asked about, judged and shown."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from PIL import Image

pytest.importorskip("inspect_ai")

from jaxphys_adapters.enact import export, folder, packing, report
from jaxphys_adapters.enact.ask_model import EnactAsk, chosen, safe
from jaxphys_adapters.enact.export import Recording
from jaxphys_adapters.enact.pack import write_pack
from jaxphys_adapters.enact.report import EnactReport
from jaxphys_adapters.enact.store import open_store
from jaxphys_benchmarks.enact import items, leaks
from tests import enact_worlds
from tests.adapters.conftest import Ran
from tests.adapters.enact.published_tree import read_lines

Run = Callable[..., Ran]
TASKS = {"chop_an_onion_1700000000000001": 51, "bringing_water_1700000000000002": 52}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small folder as `jaxphys generate enact` makes it; tests write to its results only."""
    out = tmp_path_factory.mktemp("enact") / "data"
    worlds = {
        task: enact_worlds.episode(enact_worlds.random_world(seed, orphans=False)) for task, seed in TASKS.items()
    }
    made = [
        items.make(task, world.frames[:length], world, inverse=inverse)
        for task, world in worlds.items()
        for inverse in (False, True)
        for length in (3, 4)
    ]
    recordings = {task: Recording(world.graphs, world.frames) for task, world in worlds.items()}
    export.export(out, recordings, made, lambda task, frame: Image.new("RGB", (96, 96), (0, int(frame) % 256, 60)))
    store = open_store(out / folder.SEGMENTED, out / folder.REPLAYED, None)
    write_pack(out / folder.GRAPHS, packing.make_pack(store))
    figures = {"title": "A title", "frames": 900, "grasps_left": 1, "grasps_right": 2, "added": {"Open": 2}}
    episodes = [
        {"task": task, "activity": task.rpartition("_")[0], "key_frames": len(worlds[task].frames), **figures}
        for task in TASKS
    ]
    some = [{**asdict(one), "within": one.within} for one in leaks.leaks(made)[0]]
    told = {"benchmark": folder.BENCHMARK, "config": {"fps": 30}, "episodes": episodes, "leaks": some}
    (out / folder.MANIFEST).write_text(json.dumps(told))
    return out


def asked(data: Path, **options: object) -> list[str]:
    return [item.id for item in chosen(EnactAsk(data, "jaxphys/oracle", **options))]  # type: ignore[arg-type]


def test_the_oracle_is_right_and_the_page_shows_it(data: Path, jaxphys: Run, tmp_path: Path) -> None:
    for model in ("jaxphys/oracle", "jaxphys/random"):
        ran = jaxphys("eval", "enact", data, "--model", model)
        assert ran.code == 0, ran.err
    oracle = data / folder.RESULTS / "oracle"
    found = json.loads((oracle / "meta_performance" / "enact_ordering_oracle.json").read_text())
    assert found["overall_performance"]["overall"] == {
        **found["overall_performance"]["overall"],
        "count": 8,
        "task_accuracy": 1.0,
    }
    answers = read_lines(oracle / "enact_ordering_oracle.jsonl")
    assert [row["id"] for row in answers] == asked(data)
    ran = jaxphys("report", "enact", data, "--out", tmp_path / "page.html")
    assert ran.code == 0, ran.err
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    # Strips of both episodes and all questions, whose images are labelled.
    assert page.count('alt="Current State"') == 8
    for word in (
        "Scores",
        "Episodes",
        "Questions",
        "Without looking",
        "Data set",
        "How it was made",
        "oracle",
        "random",
        "True order",
    ):
        assert word in page
    for words in ("TA strict (%) by frames", '<text x="24" y="14.0" text-anchor="end">100<', "<span>episodes</span>"):
        assert words in page
    # The oracle leads.
    assert page.index(">oracle<") < page.index(">random<")


@pytest.mark.parametrize(("rate", "count", "told"), [(0.07, 100, True), (0.07, 10_000, False), (0.2, 100, False)])
def test_chance_is_told_where_a_model_is_not_worse_than_it(rate: float, count: int, told: bool) -> None:
    table = {"task_accuracy": rate, "count": count, "chance": {"task_accuracy": 0.09}}
    one = report.Results("some", {}, {"forward_world_modeling": table}, {})
    said = report._by_chance([one])
    assert bool(said) == told
    assert not told or "some, forward (up to 13.7 against 9.0)" in said


def test_questions_are_chosen_by_direction_length_and_number(data: Path) -> None:
    assert len(asked(data)) == 8
    assert all("inverse" in name for name in asked(data, direction="inverse"))
    assert all("_4_steps_" in name for name in asked(data, lengths="4"))
    assert len(asked(data, limit=1)) == 2
    with pytest.raises(ValueError, match="lengths: '3;4'; give numbers of frames"):
        asked(data, lengths="3;4")
    with pytest.raises(ValueError, match="lengths: '²'; give numbers of frames"):
        asked(data, lengths="²")
    with pytest.raises(ValueError, match="limit: 0; give a whole number >= 1"):
        EnactAsk(data, "jaxphys/oracle", limit=0)
    with pytest.raises(ValueError, match="questions: -1"):
        EnactReport(data, questions=-1)


def test_a_dry_run_tells_how_much_and_writes_nothing(data: Path, jaxphys: Run, tmp_path: Path) -> None:
    ran = jaxphys("eval", "enact", data, "--model", "openai/some", "--dry-run", "--out", tmp_path / "new")
    assert (ran.code, (tmp_path / "new").exists()) == (0, False)
    assert "8 calls with 28 pictures of 512 x 512 px" in ran.err + ran.out


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("", "make the data set with `jaxphys generate enact"),
        ("{", "cannot be read"),
        ('{"benchmark": "billiardphys"}', "not of a folder that `jaxphys generate enact` made"),
        ('{"benchmark": "enact"}', "episodes is missing or damaged"),
        (
            '{"benchmark": "enact", "episodes": [{"task": 3}], "config": {}, "leaks": []}',
            "episodes is missing or damaged",
        ),
        ('{"benchmark": "enact", "episodes": [], "config": null, "leaks": []}', "config is missing or damaged"),
        ('{"benchmark": "enact", "episodes": [], "config": {}, "leaks": [1]}', "leaks is missing or damaged"),
        (
            '{"benchmark": "enact", "episodes": [], "config": {}, "leaks": []}',
            "is missing; run `jaxphys generate enact",
        ),
    ],
)
def test_other_folders_are_refused_in_one_line(broken: str, told: str, tmp_path: Path, jaxphys: Run) -> None:
    if broken:
        (tmp_path / folder.MANIFEST).write_text(broken)
    for words in (("eval", "enact", tmp_path, "--model", "jaxphys/oracle"), ("report", "enact", tmp_path)):
        ran = jaxphys(*words)
        assert (ran.code, told in ran.err, ran.err.count("\n")) == (2, True, 1)


def test_unknown_models_are_refused_and_broken_results_left_out(data: Path, jaxphys: Run, tmp_path: Path) -> None:
    ran = jaxphys("eval", "enact", data, "--model", "nobody/such", "--out", tmp_path / "out")
    assert (ran.code, "model" in ran.err) == (2, True)
    broken = data / folder.RESULTS / "broken" / "meta_performance"
    broken.mkdir(parents=True)
    (broken / "enact_ordering_broken.json").write_text("[]")
    ran = jaxphys("report", "enact", data, "--out", tmp_path / "page.html", "--episodes", 0, "--questions", 0)
    assert ran.code == 0
    assert "left out" in ran.err + ran.out
    assert "enact_ordering_broken.json" in ran.err + ran.out


def test_names_of_models_make_file_names() -> None:
    assert safe("openai/gpt-4o") == "openai_gpt-4o"
    assert safe("jaxphys/oracle") == "oracle"
    assert safe("../..") == "model"
