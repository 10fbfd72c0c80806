"""BilliardPhys-Bench through the query layer: baselines, the entry point, no leak, scoring elsewhere."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.query.evaluate import EvalOptions, evaluate
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.billiardphys.benchmark import BilliardPhys
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub

BASELINES = ("oracle", "static", "no_contact", "noisy_oracle", "random")


def baseline(name: str, **changes: Any) -> EvalOptions:
    return EvalOptions(**{"benchmark": "billiardphys", "model": f"jaxphys/{name}", "scenes": 10, "seed": 3, **changes})


@pytest.fixture(scope="module")
def metrics() -> dict[str, dict[str, float]]:
    return {name: dict(evaluate(baseline(name)).metrics) for name in BASELINES}


@pytest.mark.parametrize("extractor", ["", "paper:", "lenient:"])
def test_the_oracle_is_right_everywhere(metrics: dict[str, dict[str, float]], extractor: str) -> None:
    found = metrics["oracle"]
    names = [
        "q1/per_ball", "q1/scene", "q1/balanced", "q2/exact_set", "q2/per_wall", "q2/balanced", "q3/per_ball",
        "q3/scene", "q3/moved", "mean",
    ]  # fmt: skip
    assert {name: found[extractor + name] for name in names} == dict.fromkeys(names, 1.0)
    assert (found[f"{extractor}q1/sb1"], found[f"{extractor}q1/sb2"]) == (0.0, 1.0)


def test_baselines_rank_as_they_must(metrics: dict[str, dict[str, float]]) -> None:
    assert metrics["static"]["q1/recall_t"] == 0
    assert metrics["static"]["q1/sb1"] == 1
    assert metrics["static"]["q1/per_ball"] == metrics["no_contact"]["q1/per_ball"]
    order = ["random", "static", "no_contact", "noisy_oracle", "oracle"]
    places = [metrics[name]["q3/moved"] for name in order]
    assert places == sorted(places)
    assert all(found["q3/failed"] == 0 for found in metrics.values())


def test_a_baseline_answers_alike_however_many_are_asked_at_once(metrics: dict[str, dict[str, float]]) -> None:
    for connections in (1, 3):
        assert dict(evaluate(baseline("random", max_connections=connections)).metrics) == metrics["random"]


def test_options_of_baselines_and_of_the_benchmark() -> None:
    exact = evaluate(baseline("noisy_oracle", scenes=2, model_arg=("sigma=0",), windows="2"))
    assert exact.metrics["q3/per_ball"] == 1
    assert exact.groups == ["t2s"]


def requests_of(serve: Callable[[Script], Stub]) -> list[Call]:
    load.cache_clear()
    stub = serve(lambda call, before: Say("no"))
    evaluate(asking(stub.url, benchmark="billiardphys", scenes=5, cache=False, attempts=1))
    return sorted(stub.calls, key=lambda call: call.raw)


def test_no_request_depends_on_the_labels(serve: Callable[[Script], Stub], monkeypatch: pytest.MonkeyPatch) -> None:
    sent = requests_of(serve)
    assert len(sent) == 15
    truth = BilliardPhys.label

    def lie(self: BilliardPhys, *args: Any) -> Any:
        return [
            labels.model_copy(update=turned(labels))
            if hasattr(labels, "model_copy")
            else labels.__class__(**{**vars(labels), **turned(labels)})
            for labels in truth(self, *args)
        ]

    def turned(labels: Any) -> dict[str, Any]:
        return {
            "q1": tuple(not hit for hit in labels.q1),
            "q2": tuple(not hit for hit in labels.q2),
            "pos": tuple(reversed(labels.pos)),
        }

    monkeypatch.setattr(BilliardPhys, "label", lie)
    assert [call.raw for call in requests_of(serve)] == [call.raw for call in sent]
    scenes = load(Source("billiardphys", scenes=5))
    starts = {f"{x:.4f}" for scene in scenes.by_id.values() for pos in scene.spec.positions for x in pos}  # type: ignore[attr-defined]
    for call in sent:
        assert not any(text in call.prompt for text in starts)
        assert "scene_" not in call.raw.decode()


def test_inspect_eval_works_from_any_folder(tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("inspect")), "eval", "jaxphys/billiardphys", "--model", "jaxphys/oracle",
        "-T", "scenes=2", "-T", "windows=[1,4]", "--display", "plain", "--log-dir", "logs", "--log-format", "json",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (log,) = (json.loads(path.read_text()) for path in (tmp_path / "logs").glob("*.json"))
    assert log["status"] == "success"
    assert (log["eval"]["task"], log["eval"]["model"]) == ("jaxphys/billiardphys", "jaxphys/oracle")
    found = log["results"]["scores"][0]["metrics"]
    assert found["mean"]["value"] == 1
    assert {sample["target"] for sample in log["samples"]} == {"kept by the scorer"}
    assert len(log["samples"]) == 6


def test_the_command_prints_one_object_as_its_last_line(tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("jaxphys")), "eval", "billiardphys", "--model", "jaxphys/static",
        "--scenes", "2", "--windows", "1", "--json", "--out", "out",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout.splitlines()[-1])
    assert set(summary) == {"benchmark", "model", "n", "metrics"}
    assert (summary["benchmark"], summary["model"], summary["n"]) == ("billiardphys", "jaxphys/static", 2)
    names = {f"{index:05d}_{task}.json" for index in range(2) for task in ("task1", "task2", "task3")}
    assert {path.name for path in (tmp_path / "out" / "t1s").iterdir()} == names
    assert json.loads((tmp_path / "out" / "metrics.json").read_text())["metrics"] == summary["metrics"]
