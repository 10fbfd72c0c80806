"""Files of questions and predictions: one JSON object per line, untrusted (ENACT specification, sections 6.4 and 15).

`lines` gives every line, decoded or not. `load_qa` gives the questions of a file, in all three spellings of the type;
the number of frames is that of `key_frame_ids`. A broken line costs itself alone and is named in `faults`.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from jaxphys_benchmarks.enact.items import Item, digest
from jaxphys_benchmarks.enact.strict import is_permutation

TYPE = re.compile(r"(forward|inverse)_(?:world_modeling_ordering|world_modeling|dynamics_ordering)_(\d{1,4})_steps")
"""Released data, repository code, README and older files."""

MAX_DEPTH = 100
"""Levels of lists and objects in a line. Deeper ones can be read but not always written again."""

SHOWN = 10
"""Faults and warnings that are told one by one."""

LISTS, TEXTS = ("key_frame_ids", "images"), ("id", "type", "task_name", "question")


@dataclass(frozen=True)
class Questions:
    """The questions of a file.

    Attributes:
        items: in the order of the file, ids unique.
        faults: lines that could not be used, and why. warnings: what is odd about lines that were used.
    """

    items: Sequence[Item]
    faults: Sequence[str]
    warnings: Sequence[str]


def lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Number, from 1, and content of every line that is not blank; None for what is no JSON, or is nested too deeply.

    Args:
        path: of the file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, _decoded(line)


def load_qa(path: Path) -> Questions:
    """Read a question file.

    Args:
        path: of the file.

    Raises:
        OSError: it cannot be read.
        ValueError: it holds no question that can be used.
    """
    items: dict[str, Item] = {}
    faults, warnings = [], []
    for number, record in lines(path):
        try:
            item = _item(record)
            if item.id in items:
                raise ValueError(f"id {item.id!r:.200} is there already; the first one counts")
            items[item.id] = item
            warnings += [f"{path}, line {number}: {odd}" for odd in oddities(item)]
        except ValueError as error:
            faults.append(f"{path}, line {number}: {error}; the line is left out")
    if not items:
        raise ValueError(f"{path}: holds no question that can be used" + (f"; {faults[0]}" if faults else ""))
    return Questions(tuple(items.values()), faults, warnings)


def shortened(found: Questions) -> list[str]:
    """Faults and warnings of a file for people to read: of each, the first few and how many more there are.

    Args:
        found: what `load_qa` gave.
    """
    told: list[str] = []
    for kind, all_of_them in (("faults", found.faults), ("warnings", found.warnings)):
        told += all_of_them[:SHOWN]
        if len(all_of_them) > SHOWN:
            told.append(f"... and {len(all_of_them) - SHOWN} more {kind}")
    return told


def oddities(item: Item) -> list[str]:
    """What is odd about a question, but no reason to leave it out: its id, its type, its number of images.

    Args:
        item: the question.
    """
    found = []
    told = TYPE.fullmatch(item.type)
    if told is None:
        found.append(f"type {item.type!r:.200} is not one of the known spellings")
    elif int(told[2]) != len(item.key_frame_ids):
        found.append(f"type {item.type!r} tells another number of frames than the {len(item.key_frame_ids)} listed")
    if not item.id.rpartition("_")[2].startswith(digest(item.key_frame_ids)):
        found.append(f"id {item.id!r:.200} does not end in the hash of its frames, {digest(item.key_frame_ids)}")
    if len(item.images) != len(item.key_frame_ids):
        found.append(f"{len(item.images)} images are listed for {len(item.key_frame_ids)} frames")
    return found


def _decoded(line: bytes) -> Any:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return None if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _is_deep(record) else record


def _is_deep(record: Any) -> bool:
    """Whether lists and objects are nested in more than `MAX_DEPTH` levels."""
    level = [record]
    for _ in range(MAX_DEPTH + 1):
        rows = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        if not rows:
            return False
        level = [inner for row in rows for inner in row]
    return True


def _item(record: Any) -> Item:
    """The question of a line.

    Raises:
        ValueError: it is none; names the field.
    """
    if not isinstance(record, dict):
        raise ValueError("no JSON object")
    for name in TEXTS:
        if not isinstance(record.get(name), str) or not record[name]:
            raise ValueError(f"{name}: a text is needed")
    for name in LISTS:
        if not isinstance(record.get(name), list) or not all(isinstance(one, str) for one in record[name]):
            raise ValueError(f"{name}: a list of texts is needed")
    frames, truth = record["key_frame_ids"], record.get("gt_answer")
    if len(frames) < 2:
        raise ValueError("key_frame_ids: at least 2 frames are needed")
    if not isinstance(truth, list) or not is_permutation(truth, len(frames) - 1):
        raise ValueError(f"gt_answer: a permutation of 1 to {len(frames) - 1} is needed, not {truth!r:.80}")
    for name in (*TEXTS, *LISTS):
        if any("\ud800" <= mark <= "\udfff" for mark in "".join(record[name])):
            raise ValueError(f"{name}: holds half of a surrogate pair, which is no text")
    if not all(_stays_inside(path) for path in record["images"]):
        raise ValueError("images: relative paths without '..' are needed")
    texts = {name: record[name] for name in TEXTS}
    return Item(key_frame_ids=tuple(frames), images=tuple(record["images"]), gt_answer=tuple(truth), **texts)


def _stays_inside(path: str) -> bool:
    told = PurePosixPath(path)
    return not told.is_absolute() and ".." not in told.parts and not any(mark in path for mark in "\\\0")
