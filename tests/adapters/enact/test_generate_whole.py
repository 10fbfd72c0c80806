"""`jaxphys generate enact` as a whole: killed and resumed, with any number of processes, and the default data set."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

from jaxphys_adapters.enact import folder, generate
from jaxphys_adapters.enact.generate import EnactGenerate
from jaxphys_adapters.enact.qa_file import load_qa
from jaxphys_adapters.enact.store import open_store
from jaxphys_benchmarks.enact import compat, strict
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.episodes.dataset import PUBLISHED
from tests.adapters.conftest import contents

pytestmark = pytest.mark.slow

SOME = {"activities": "bringing_water,chop_an_onion,cook_bacon", "seeds": 1, "samples": 4, "pictures": False}
START = "import sys; from jaxphys_adapters.cli import main; sys.exit(main())"


def untimed(out: Path) -> dict[str, bytes]:
    """All files but those that tell how long something took."""
    return {
        name: data
        for name, data in contents(out).items()
        if name != folder.MANIFEST and not name.startswith(folder.FIGURES)
    }


def test_a_killed_run_with_two_processes_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert generate.run(EnactGenerate(whole, workers=1, **SOME)) == 0  # type: ignore[arg-type]
    options = ("--activities", SOME["activities"], "--seeds", "1", "--samples", "4", "--no-pictures", "--workers", "2")
    given = [sys.executable, "-c", START, "generate", "enact", str(cut), *map(str, options)]
    with subprocess.Popen(given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        patience = time.monotonic() + 120
        while not any((cut / folder.FIGURES).glob("*.json")) and time.monotonic() < patience:
            time.sleep(0.05)
        running.kill()
    assert any((cut / folder.FIGURES).glob("*.json"))
    assert not (cut / folder.MANIFEST).exists()
    assert generate.run(EnactGenerate(cut, workers=2, **SOME)) == 0  # type: ignore[arg-type]
    assert untimed(cut) == untimed(whole)


def test_the_default_set_is_whole_true_and_tells_nothing_by_its_files(tmp_path: Path) -> None:
    assert generate.run(EnactGenerate(tmp_path / "data", pictures=False)) == 0
    data = tmp_path / "data"
    manifest, found = folder.check(data), load_qa(data / folder.QUESTIONS)
    assert not found.faults
    kinds = Counter((item.inverse, len(item.key_frame_ids)) for item in found.items)
    assert kinds == {(inverse, n): count for inverse in (False, True) for n, count in PUBLISHED.items()}
    cells = Counter((item.task_name.rpartition("_")[0], item.inverse, len(item.key_frame_ids)) for item in found.items)
    assert (len({name for name, _, _ in cells}), max(cells.values())) == (29, 20)
    assert len({item.id for item in found.items}) == len(found.items)
    paths = [{(i.task_name, *i.key_frame_ids) for i in found.items if i.inverse == way} for way in (False, True)]
    assert paths[0] == paths[1]
    # Every true answer is accepted, by what the pack holds as by what the folders hold.
    for store in (
        open_store(Path(), Path(), data / folder.GRAPHS),
        open_store(data / folder.SEGMENTED, data / folder.REPLAYED, None),
    ):
        episodes = {task: Episode(store.graphs(task, None) or {}) for task in store.tasks}
        for item in found.items:
            for judge in (compat.judge, strict.judge):
                verdict = judge(item.asked, list(item.gt_answer), episodes[item.task_name])
                assert verdict.exact, item.id
                assert verdict.accepted, item.id
    for one in manifest["leaks"]:
        assert one["within"] or one["name"] == "texts of actions", one
    left, right = (sum(row[f"grasps_{side}"] for row in manifest["episodes"]) for side in ("left", "right"))
    assert abs(left - right) <= 0.05 * (left + right)
