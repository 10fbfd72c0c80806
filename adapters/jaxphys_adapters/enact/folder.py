"""What lies where in a folder of simulated episodes, as `jaxphys generate enact` makes it.

manifest.json                             how it was made, and figures of each episode
QA/enact_ordering.jsonl, .parquet         the questions
graphs.npz                                a pack of the graphs of all key frames
states/{task}.npz                         what pictures of the key frames are drawn from
replayed_activities/{task}/               graphs of all frames, and unlabelled pictures of the key frames
segmented_activities/{task}/              graphs of the key frames
results/{model}/                          answers and verdicts
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic

MANIFEST, RECIPE = "manifest.json", "recipe.json"
QUESTIONS = Path("QA") / "enact_ordering.jsonl"
TABLE = Path("QA") / "enact_ordering.parquet"
GRAPHS = "graphs.npz"
STATES = "states"
FIGURES = "figures"
REPLAYED, SEGMENTED = "replayed_activities", "segmented_activities"
RESULTS, LOGS = "results", "logs"
VARIANTS = "variants"
BENCHMARK = "enact"


def _is_episode(row: Any) -> bool:
    """Whether a row of the manifest tells what is read of it."""
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("task", "activity")):
        return False
    return type(row.get("key_frames")) is int and isinstance(row.get("added", {}), dict)


PARTS: dict[str, Callable[[Any], bool]] = {
    "episodes": lambda part: isinstance(part, list) and all(map(_is_episode, part)),
    "config": lambda part: isinstance(part, dict),
    "leaks": lambda part: isinstance(part, list) and all(isinstance(row, dict) for row in part),
}
"""Parts of a manifest that are read, and whether they can be."""


def is_begun(data: Path) -> bool:
    """Whether `jaxphys generate enact` has begun a data set in a folder.

    Args:
        data: the folder.
    """
    return any((data / name).is_file() for name in (RECIPE, MANIFEST))


def tidy(data: Path) -> None:
    """Remove what a killed run left half-written; answers, which another command may be writing, are left alone.

    Args:
        data: the folder.
    """
    atomic.remove_leftovers(data, (MANIFEST, RECIPE, GRAPHS))
    for part in (QUESTIONS.parent, STATES, FIGURES, REPLAYED, SEGMENTED):
        for path in sorted((data / part).rglob(f"{atomic.PREFIX}*")):
            path.unlink(missing_ok=True)


def check(data: Path) -> dict[str, Any]:
    """The manifest of a finished folder.

    Args:
        data: the folder.

    Raises:
        ValueError: it is none, or not finished; the text says what to do.
    """
    path = data / MANIFEST
    if not path.is_file():
        raise ValueError(f"{data}: no {MANIFEST}; make the data set with `jaxphys generate enact {data}`")
    try:
        told = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: cannot be read ({error}); make the data set anew") from error
    if not isinstance(told, dict) or told.get("benchmark") != BENCHMARK:
        raise ValueError(f"{path}: not of a folder that `jaxphys generate enact` made")
    for name, field in PARTS.items():
        if not field(told.get(name)):
            raise ValueError(f"{path}: {name} is missing or damaged; make the data set anew")
    missing = [str(name) for name in (QUESTIONS, Path(GRAPHS)) if not (data / name).is_file()]
    if missing:
        raise ValueError(f"{data}: {missing[0]} is missing; run `jaxphys generate enact {data}` again to finish it")
    return told
