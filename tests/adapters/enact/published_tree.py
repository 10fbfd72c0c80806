"""A small data set in the published layout, and predictions on it: the stored worlds and cases."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jaxphys_adapters.enact.export import Recording, export
from tests import enact_worlds

WORLDS = tuple(enact_worlds.cases()["worlds"])
CASES: list[dict[str, Any]] = enact_worlds.cases()["evaluation_cases"]


def task_of(world: str) -> str:
    """The task name of a stored world."""
    return f"{world}_{1_700_000_000_000_000 + WORLDS.index(world)}"


def write_tree(out: Path) -> Path:
    """All stored worlds in the published layout, without questions."""
    recordings = {
        task_of(world): Recording(enact_worlds.golden(world).graphs, enact_worlds.golden(world).frames)
        for world in WORLDS
    }
    export(out, recordings, [], lambda task, frame: None)
    return out


def predictions() -> list[dict[str, Any]]:
    """One line of a prediction file for each stored case."""
    fields = ("id", "type", "key_frame_ids", "gt_answer", "answer")
    return [{**{name: case[name] for name in fields}, "task_name": task_of(case["world"])} for case in CASES]


def write_lines(path: Path, rows: Iterable[Mapping[str, Any] | str | bytes]) -> Path:
    """A file of JSON lines; texts and bytes are written as they are."""
    data = [
        row if isinstance(row, bytes) else (row if isinstance(row, str) else json.dumps(row)).encode() for row in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join(data) + b"\n")
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of results."""
    return [json.loads(line) for line in path.read_text().splitlines()]
