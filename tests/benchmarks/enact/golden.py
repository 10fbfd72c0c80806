"""The stored cases of ENACT by id, and changes that are told as sets."""

import json
from typing import Any

from jaxphys_benchmarks.enact.verdict import Asked
from tests import enact_worlds
from tests.support import CASES

STORED: dict[str, Any] = enact_worlds.cases()
PUBLISHED: dict[str, Any] = json.loads((CASES / "enact_published.json").read_text())
EVALUATION: dict[str, dict[str, Any]] = {case["id"]: case for case in STORED["evaluation_cases"]}
SCORED = {name: case for name, case in EVALUATION.items() if "skipped" not in case["expected"]}


def asked(case: dict[str, Any]) -> Asked:
    """The item of an evaluation case."""
    return Asked("inverse" in case["type"], tuple(case["key_frame_ids"]), tuple(case["gt_answer"]))


class Told:
    """Changes of a chain of frames f0, f1, ... whose states are told as sets: every change is seen."""

    def __init__(self, states: dict[str, list[str]]) -> None:
        self.states = {frame: frozenset(held) for frame, held in states.items()}

    def partial(self, i: str, j: str) -> frozenset[str]:
        before, after = self.states[i], self.states[j]
        return frozenset(f"node_add_the {fact}_Open" for fact in after - before) | frozenset(
            f"node_remove_the {fact}_Open" for fact in before - after
        )

    full = partial_free = full_free = partial

    def wordless(self, i: str, j: str) -> bool:
        return False
