"""Lines of predictions that hold anything at all: each is scored or skipped, and nothing is raised."""

import json
import random
from typing import Any

from jaxphys_benchmarks.enact.evaluation import Evaluation
from tests.benchmarks.enact.golden import EVALUATION
from tests.enact_worlds import golden

LINES = 1500
TEXTS = ("", "[2,1]", "[1, 2]", "100", "\ud800", "٣", "[[[", "inverse_x", "../x", "[1e5]", "[-1, 2]")


def junk(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value, often one that looks right."""
    kind = rng.randrange(12)
    if kind < 3:
        return (None, rng.random() < 0.5, rng.randrange(-3, 9))[kind]
    if kind == 3:
        return rng.choice([1.5, 2.0, float("nan"), float("inf"), 10 ** rng.randrange(400)])
    if kind == 4:
        return rng.choice(TEXTS)
    if kind < 8 and depth < 3:
        return [junk(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind < 9 and depth < 3:
        return {rng.choice(TEXTS): junk(rng, depth + 1) for _ in range(rng.randrange(3))}
    return rng.choice([[1, 2], [2, 1], ["0", "100", "200"], [1, 2, 3]])


def test_no_line_stops_the_rest() -> None:
    rng = random.Random(5)
    names = {f"{world}_1": golden(world) for world in ("kitchen", "cutting", "unmapped")}
    lines = [{**case, "task_name": f"{case['world']}_1"} for case in EVALUATION.values()]
    found = Evaluation(names.get)
    for number in range(LINES):
        record = {**rng.choice(lines), "id": f"line {number}"}
        for key in rng.sample(sorted(record), rng.randrange(4)):
            record[key] = junk(rng)
        found.add(number, record if rng.random() < 0.95 else junk(rng))
    assert len(found.scored) + len(found.skipped) == LINES
    assert len(found.scored) > LINES // 10
    assert len({one.reason for one in found.skipped}) > 8
    for one in found.scored.values():
        assert 0 <= one.verdict.pairwise <= 1
        assert len(found.analysis(one)["correct_natural_language"]) in (0, len(one.asked.frames) - 1)
    for content in (found.report(), found.report_strict(), found.errors()):
        json.dumps(content, allow_nan=False)
    assert found.report()["overall"]["count"] == len(found.scored)
