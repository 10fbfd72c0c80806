"""Where things lie in a data set folder (BilliardPhys-Bench specification, section 6), and how they are read.

    config.json                      what the data set is, and what it was made with
    <group>/scene_<idx>/*.json       the published files of a scene
    <group>/scene_<idx>/<view>.png   its pictures
    <group>/scene_<idx>/<film>.mp4   its films, where they are stored
    <group>/failed/scene_<idx>.json  why a scene has no labels
    <group>/report.json report.png   the group as a whole

A scene's id is `<group>/scene_<idx>`. Names that start with a dot are unfinished and ignored. Files are untrusted:
every reader raises ValueError with the path and the fault, and nothing in a file is ever run.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

from jaxphys_adapters.enact import folder
from jaxphys_benchmarks.protocol import Benchmark, Spec

CONFIG = "config.json"
FAILED = "failed"
FORMAT = 1
MAX_JSON_BYTES = 64_000_000

_FIELDS: dict[str, type] = {
    "format": int, "benchmark": str, "seed": int, "scenes": int, "groups": list, "pictures": list, "backend": str,
    "options": dict, "made_with": list,
}  # fmt: skip
"""What `config.json` must hold."""

ABSENT: dict[str, Any] = {"films": []}
"""What a field means that `config.json` need not hold."""

_SCENE = re.compile(r"scene_\d+")
_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def to_json(content: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """Readable JSON: two blanks of indent, lists of numbers on one line, full precision, no NaN.

    Raises:
        ValueError: a number is NaN or infinite. TypeError: something that JSON does not know.
    """
    return _text(content, "\n").encode() + b"\n"


def _text(value: Any, margin: str) -> str:
    """A value as JSON; `margin` begins each further line. Python's own encoder is slow where it has to indent."""
    if isinstance(value, str):
        return encode_basestring(value)
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        rows = [f"{encode_basestring(_name(key))}: {_text(part, inner)}" for key, part in value.items()]
        return f"{{{inner}{f',{inner}'.join(rows)}{margin}}}"
    if isinstance(value, (list, tuple)) and value and (margin == "\n" or not all(map(_is_number, value))):
        return f"[{inner}{f',{inner}'.join(_text(part, inner) for part in value)}{margin}]"
    return _encoded(value)


def _is_number(value: Any) -> bool:
    """Whether a list of such values is written on one line."""
    return value is None or isinstance(value, (int, float))


def _name(key: Any) -> str:
    """A key as JSON has it, which is a text."""
    if isinstance(key, str):
        return key
    if not _is_number(key):
        raise TypeError(f"keys must be text, numbers or None, not {type(key).__name__}")
    return _encoded(key)


def read_json(path: Path, *, constants: bool = False) -> dict[str, Any]:
    """A JSON object from a file.

    Args:
        path: of the file.
        constants: let NaN and Infinity pass as floats, for a schema that refuses them and can name the field.

    Raises:
        ValueError: missing, too large, not JSON, or not an object; the text names the path.
    """
    if path.is_file() and path.stat().st_size > MAX_JSON_BYTES:
        raise ValueError(f"{path}: larger than {MAX_JSON_BYTES} bytes, so no file of ours")
    try:
        content = json.loads(path.read_text(encoding="utf-8"), parse_constant=float if constants else _reject_constant)
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise ValueError(f"{path}: is a folder; give a JSON file") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: holds a {type(content).__name__}; an object {{...}} is needed")
    return content


def _reject_constant(word: str) -> Any:
    raise json.JSONDecodeError(f"{word} is not a number", word, 0)


def scene_ids(root: Path) -> list[str]:
    """Ids of all finished scenes, sorted by group and index."""
    found = [path for path in root.glob("*/scene_*") if _SCENE.fullmatch(path.name) and path.is_dir()]
    found = [path for path in found if not path.parent.name.startswith(".")]
    return [f"{path.parent.name}/{path.name}" for path in sorted(found, key=lambda p: (p.parent.name, p.name))]


def is_scene_id(name: str) -> bool:
    """Whether a name has the form of a scene's id, `<group>/scene_<idx>`, and no more behind it."""
    return _SCENE.fullmatch(name.rpartition("/")[2]) is not None


def scene_ids_of(benchmark: Benchmark, root: Path) -> list[str]:
    """Ids of the finished scenes of those groups that a benchmark is configured with: the first of each group, ...

    Raises:
        ValueError: there are none.
    """
    found = scene_ids(root)
    known = set(benchmark.ids(sorted({int(name.rpartition("_")[2]) for name in found})))
    ids = sorted(known.intersection(found), key=lambda name: name.rpartition("/")[::-1])
    if not ids:
        groups = dict.fromkeys(name.rpartition("/")[0] for name in benchmark.ids([0]))
        raise ValueError(
            f"{root}: holds no finished scenes of {', '.join(groups)}; run `jaxphys generate`, or name other groups"
        )
    return ids


def failed_ids(root: Path) -> list[str]:
    """Ids of all scenes that have no labels, sorted."""
    found = sorted(root.glob(f"*/{FAILED}/scene_*.json"))
    return [f"{path.parent.parent.name}/{path.stem}" for path in found if _SCENE.fullmatch(path.stem)]


def failed_file(root: Path, scene: str) -> Path:
    """Where the record of a failed scene lies."""
    group, _, name = scene.rpartition("/")
    return root / group / FAILED / f"{name}.json"


def read_scene(benchmark: Benchmark, root: Path, scene: str) -> tuple[Spec, Any]:
    """Spec and labels of a finished scene.

    Raises:
        ValueError: a file is missing or faulty; the text names the scene.
    """
    files = {path.name: read_json(path) for path in sorted((root / scene).glob("*.json"))}
    try:
        return benchmark.read(files)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{root / scene}: {error}") from error


@dataclass(frozen=True)
class DataSet:
    """A data set folder: where it lies and what its `config.json` says."""

    root: Path
    config: Mapping[str, Any]

    @property
    def benchmark(self) -> str:
        """Name of the benchmark that it belongs to."""
        return str(self.config["benchmark"])

    @property
    def films(self) -> tuple[str, ...]:
        """Kinds of film that are stored with each scene."""
        return tuple(self.config.get("films", ABSENT["films"]))

    def scenes(self, benchmark: Benchmark) -> Iterator[tuple[Spec, Any]]:
        """Spec and labels of all finished scenes, one at a time."""
        for scene in scene_ids(self.root):
            yield read_scene(benchmark, self.root, scene)


def open_data_set(root: Path) -> DataSet:
    """The data set in a folder.

    Raises:
        ValueError: there is none, or its configuration cannot be read.
    """
    if not root.is_dir():
        raise ValueError(f"{root}: no such folder; give one that `jaxphys generate` has made")
    if not (root / CONFIG).is_file():
        if folder.is_begun(root):
            raise ValueError(
                f"{root}: this is a folder of ENACT, which has commands of its own: `jaxphys report enact {root}`"
            )
        raise ValueError(f"{root / CONFIG}: no such file; give a folder that `jaxphys generate` has made")
    config = read_json(root / CONFIG)
    wrong = [name for name, kind in _FIELDS.items() if not isinstance(config.get(name), kind)]
    wrong += [name for name, value in ABSENT.items() if not isinstance(config.get(name, value), type(value))]
    if wrong or config["format"] != FORMAT:
        fault = f"{wrong[0]} is missing or wrong; " if wrong else ""
        raise ValueError(f"{root / CONFIG}: {fault}not the configuration of a data set of format {FORMAT}")
    return DataSet(root, config)
