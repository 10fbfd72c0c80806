"""`scores.jsonl`: the score of every question of a run, one JSON object a line, so that runs can be compared.

    {"question": "t3s/scene_00012/task1", "scene": "<digest>", "task": "task1", "group": "t3s", "status": "ok",
     "values": {...}}

Two runs are asked the same question if its id and the digest of its scene are equal: the numbers that the scene was
drawn with, whatever else the configuration says about how it is asked about.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic
from jaxphys_adapters.query import reading
from jaxphys_adapters.query.source import Scenes
from jaxphys_benchmarks.protocol import Score, Spec

SCORES = "scores.jsonl"

ABOUT_CONFIGURATION = {"config_hash"}
"""Fields of a spec that do not describe the scene."""

Key = tuple[str, str]
"""Id of a question, digest of its scene."""


def digest(spec: Spec) -> str:
    """Sixteen hex digits that tell scenes apart."""
    text = json.dumps(spec.model_dump(mode="json", exclude=ABOUT_CONFIGURATION), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def save(scenes: Scenes, rows: Sequence[reading.Row], extract: str, folder: Path) -> None:
    """Write the scores that one extractor gives.

    Raises:
        StorageError: the folder cannot be written.
    """
    found = (_line(scenes, score) for score in reading.scores(rows, extract))
    atomic.write(folder / SCORES, "".join(json.dumps(line, allow_nan=False) + "\n" for line in found).encode())


def _line(scenes: Scenes, score: Score) -> dict[str, Any]:
    scene, _ = scenes.find(score.question)
    return {
        "question": score.question,
        "scene": digest(scene.spec),
        "task": score.task,
        "group": score.group,
        "status": score.status,
        "values": dict(score.values),
    }


def read(folder: Path) -> dict[Key, Score]:
    """The scores in a folder, in the order in which they were written.

    Raises:
        ValueError: there are none, or a line is no score; the text names the file and the line.
    """
    path = folder / SCORES
    if not path.is_file():
        raise ValueError(f"{path}: no such file; give a folder that `jaxphys eval --out` or `score --out` has finished")
    scores: dict[Key, Score] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                key, score = _parse(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise ValueError(f"{path}: line {number} is no score ({type(error).__name__}: {error})") from None
            scores[key] = score
    return scores


def _parse(content: Mapping[str, Any]) -> tuple[Key, Score]:
    values = {str(name): float(value) for name, value in content["values"].items()}
    texts = {name: str(content[name]) for name in ("question", "task", "group", "status")}
    return (texts["question"], str(content["scene"])), Score(**texts, values=values)
