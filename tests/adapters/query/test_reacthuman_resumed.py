"""ReactHuman and its films asked of a server that fails, by a process that is killed: taken up, nothing asked twice."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.query import evaluate, records
from jaxphys_adapters.query.decisions_file import DECISIONS
from jaxphys_adapters.query.options import EvalOptions
from tests.adapters.query.stub import Call, Say, Script, Stub
from tests.benchmarks.reacthuman.asked_scenes import ACTS, DODGE

pytestmark = pytest.mark.usefixtures("rendered")

SCENES, BEFORE = 8, 5
"""Questions in all; questions that are answered before the process is killed."""
PLAN = json.dumps({**ACTS[DODGE], "intent": "step back"})
FAULTS: list[Say] = [
    Say(status=429, message="slow down", headers=(("retry-after", "0"),)),
    Say(status=500, message="broken"),
    Say(PLAN[:-2], finish="length"),
    Say('{"walking_cmd": [NaN, 0, 0]}'),
    Say("Let me think. It is falling."),
]
"""What the first questions meet before they are answered."""


class Failing:
    """A server that fails each of the first questions once, answers some, and then holds its breath."""

    def __init__(self) -> None:
        self.holds = True
        self.held = threading.Event()
        self.release = threading.Event()
        self.order: list[str] = []
        self.answered: Counter[str] = Counter()

    def __call__(self, call: Call, before: int) -> Say:
        if call.key not in self.order:
            self.order.append(call.key)
        place = self.order.index(call.key)
        if before == 0 and place < len(FAULTS):
            return FAULTS[place]
        if self.holds and len(self.answered) == BEFORE:
            self.held.set()
            self.release.wait(120)
            return Say(status=500, message="too late")
        self.answered[call.key] += 1
        return Say(PLAN)


def given(stub: Stub, out: Path) -> dict[str, Any]:
    return {
        "benchmark": "reacthuman",
        "model": "openai-api/stub/m",
        "base_url": stub.url,
        "model_arg": ["max_retries=0"],
        "scenes": SCENES,
        "option": ["families=rolling_ball,door_swing", "size_px=64,36", "visible_px=0"],
        "wait": 0.01,
        "max_connections": 1,
        "cache": False,
        "out": str(out),
    }


def records_in(out: Path) -> dict[Path, bytes]:
    """Finished records of questions."""
    return {path: path.read_bytes() for path in out.glob("*/[0-9]*.json")}


def test_a_killed_run_is_taken_up_and_nothing_is_asked_twice(serve: Callable[[Script], Stub], tmp_path: Path) -> None:
    script = Failing()
    stub = serve(script)
    options = given(stub, tmp_path / "out")
    command = [sys.executable, "-m", "tests.adapters.query.asked_in_a_process", json.dumps(options)]
    process = subprocess.Popen(command, env={**os.environ, "STUB_API_KEY": "none"}, stderr=subprocess.PIPE)
    try:
        reached = script.held.wait(100)
        # The last reply is kept after it has come, which may be a moment after the next question was put.
        for _ in range(100):
            if len(records_in(tmp_path / "out")) == BEFORE:
                break
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    assert reached, errors.decode()[-2000:]
    script.release.set()
    kept = records_in(tmp_path / "out")
    assert len(kept) == BEFORE == len(script.answered)
    assert not (tmp_path / "out" / records.METRICS).exists()
    script.holds, calls = False, len(stub.calls)

    again = {**options, "out": tmp_path / "out", "option": tuple(options["option"]), "model_arg": ("max_retries=0",)}
    found = evaluate.evaluate(EvalOptions(**again))

    assert set(script.answered.values()) == {1}
    assert len(script.answered) == SCENES
    assert len(stub.calls) - calls == SCENES - BEFORE
    assert {path: path.read_bytes() for path in kept} == kept
    assert all(len(call.images) == 5 for call in stub.calls)
    assert (found.metrics["react/n"], found.metrics["react/failed"]) == (SCENES, 0)
    assert found.metrics["react/dodged"] == found.metrics["react/safety"] == 1
    attempts = [len(json.loads(text)["attempts"]) for text in kept.values()]
    assert attempts == [2] * BEFORE
    decisions = [json.loads(line) for line in (tmp_path / "out" / DECISIONS).read_text().splitlines()]
    assert {(one["act"], one["m"], one["parse_status"]) for one in decisions} == {(DODGE, "openai-api/stub/m", "ok")}
    # Once more, and nothing is asked at all.
    assert evaluate.evaluate(EvalOptions(**again)).metrics == found.metrics
    assert len(stub.calls) - calls == SCENES - BEFORE
