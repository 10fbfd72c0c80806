"""Walking policies on disk: weights stored with orbax, and what is known about them beside these in `metadata.json`.

A checkpoint is a folder with `weights/` (orbax) and `metadata.json`. `policy` finds one by name: `student` is ours and
lies in the package, `teacher` is the one that `python -m jaxphys.humanoid.import_teacher` has written to the user's
data folder, and anything else is a path (humanoid specification, sections 3.3 and 11.3).
"""

import functools
import importlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jaxphys.humanoid.robot import MissingExtraError
from jaxphys_kernels.humanoid.policy import Hidden, Weights, checked

WEIGHTS, METADATA = "weights", "metadata.json"
STUDENT = Path(__file__).parent / "student"


def data_folder() -> Path:
    """Where the user's own checkpoints are kept: $JAXPHYS_DATA_DIR, else $XDG_DATA_HOME/jaxphys, else
    ~/.local/share/jaxphys.
    """
    own = os.environ.get("JAXPHYS_DATA_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "jaxphys"


def teacher_folder() -> Path:
    """Where the imported teacher lies."""
    return data_folder() / "humanoid" / "teacher"


def save(folder: str | Path, weights: Weights, metadata: Mapping[str, Any]) -> None:
    """Write a checkpoint; one that is there is replaced as a whole.

    Args:
        folder: to be made.
        weights: of the policy; stored as float32.
        metadata: what is known about it, ready for JSON.

    Raises:
        MissingExtraError: orbax is not installed.
        ValueError: the folder holds something else, which is not deleted.
    """
    text = json.dumps(dict(metadata), indent=2, allow_nan=False) + "\n"
    folder = Path(folder).absolute()
    if folder.exists() and not (folder.is_dir() and (_holds(folder) or not any(folder.iterdir()))):
        raise ValueError(f"{folder} holds something else than a checkpoint; name a new or an empty folder")
    draft, former = (folder.with_name(f".{folder.name}.{end}") for end in ("part", "old"))
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    # Compression is by pieces of one array each, so small arrays are best kept in one file.
    with _orbax().PyTreeCheckpointer() as writer:
        writer.save(draft / WEIGHTS, _tree(weights))
    (draft / METADATA).write_text(text, encoding="utf-8")
    # What is there is moved away and only then deleted, so that no moment sees half of it.
    shutil.rmtree(former, ignore_errors=True)
    if folder.exists():
        folder.rename(former)
    draft.rename(folder)
    shutil.rmtree(former, ignore_errors=True)


def _holds(folder: Path) -> bool:
    return (folder / WEIGHTS).is_dir() and (folder / METADATA).is_file()


def load(folder: str | Path) -> tuple[Weights, dict[str, Any]]:
    """Weights with NumPy float32 leaves, and the metadata.

    Raises:
        FileNotFoundError: the folder holds no checkpoint.
        MissingExtraError: orbax is not installed.
        ValueError: what it holds is no policy of the robot.
    """
    folder = Path(folder).absolute()
    if not _holds(folder):
        raise FileNotFoundError(f"{folder} holds no checkpoint: it needs {WEIGHTS}/ and {METADATA}")
    ocp = _orbax()
    with ocp.PyTreeCheckpointer() as reader:
        form = reader.metadata(folder / WEIGHTS).item_metadata.tree
        # As NumPy, wherever it was written: a device of that machine may not exist on this one.
        plain = jax.tree.map(lambda _: ocp.RestoreArgs(restore_type=np.ndarray), form)
        tree = reader.restore(folder / WEIGHTS, restore_args=plain)
    return _weights(tree, folder), json.loads((folder / METADATA).read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=8)
def policy(name: str | Path = "student") -> Weights:
    """The weights of a policy.

    Args:
        name: `student`, `teacher`, or the folder of a checkpoint.

    Raises:
        FileNotFoundError: there is none; the message says how to get it.
    """
    if name == "teacher" and not teacher_folder().is_dir():
        raise FileNotFoundError(
            f"policy: the teacher has not been imported to {teacher_folder()}; pip download --no-deps "
            "holosoma-inference==0.1.3, then python -m jaxphys.humanoid.import_teacher WHEEL"
        )
    folders = {"student": STUDENT, "teacher": teacher_folder()}
    return load(folders.get(str(name), name))[0]


def _orbax() -> Any:
    try:
        return importlib.import_module("orbax.checkpoint")
    except ModuleNotFoundError as error:
        raise MissingExtraError("orbax, with which policies are stored,") from error


def _tree(weights: Weights) -> dict[str, Any]:
    """Plain dictionaries and lists: names on disk that do not depend on our classes."""
    return {
        name: [_plain(layer) for layer in value] if name == "hidden" else np.asarray(value, np.float32)
        for name, value in vars(weights).items()
        if value is not None
    }


def _plain(layer: Hidden) -> dict[str, np.ndarray]:
    return {name: np.asarray(value, np.float32) for name, value in vars(layer).items()}


def _weights(tree: Mapping[str, Any], folder: Path) -> Weights:
    try:
        return checked(Weights(**{**tree, "hidden": tuple(Hidden(**layer) for layer in tree["hidden"])}))
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise ValueError(f"{folder} holds no policy of the robot: {error}") from error
