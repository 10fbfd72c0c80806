"""What the tests of `jaxphys simulate` share: a scene file, and the result of running it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .conftest import Ran

Run = Callable[..., Ran]


def write(folder: Path, content: Any) -> Path:
    """A scene file of an object, or of raw text."""
    path = folder / "scene.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def simulated(engine: str, jaxphys: Run, path: Path, *words: object) -> dict[str, Any]:
    """The result of an engine's run, which must succeed."""
    ran = jaxphys("simulate", engine, path, *words)
    assert ran.code == 0, ran.err
    result = json.loads(ran.out)
    assert isinstance(result, dict)
    return result


def changed(scene: dict[str, Any], body: int = 0, **fields: Any) -> dict[str, Any]:
    """The scene with other fields of one body."""
    scene = copy.deepcopy(scene)
    scene["bodies"][body] |= fields
    return scene
