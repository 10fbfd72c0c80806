"""Replies to answers: what a valid answer to each task is (BilliardPhys-Bench specification, section 8.3).

`Question.reads` says what to expect: `kind` ("balls", "walls" or "positions"), the JSON `key`, and the `ids`
or `walls`, and `size` for positions. An answer's value is the published form, `{key: [...]}`, its items in
the order of the ids or walls; an answer about a mirrored or renumbered picture is brought back to the scene.
`paper` and `robust` are strict; `lenient` repairs what is unambiguous and logs it. Nothing is guessed: what
cannot be read is no answer.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.extract import UNFINISHED, Invalid, Log, extract
from jaxphys_benchmarks.protocol import Answer, Question, Reply
from jaxphys_kernels.billiards.model import WALLS

READING = {
    "paper": "the first balanced {...} of a reply, as published",
    "robust": "the last valid object of a reply",
    "lenient": "the last valid object of a reply, after unambiguous repairs",
}
"""What each extractor takes as the answer."""

_TRUE, _FALSE = {"t", "true", "yes"}, {"f", "false", "no"}
_INTEGER = re.compile(r"[+-]?\d{1,9}")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")


def parse(question: Question, reply: Reply, *, extractor: str = "robust") -> Answer:
    """The answer in a reply; its status says why there is none.

    Args:
        question: what was asked; only `reads` matters.
        reply: what came back, untrusted.
        extractor: "paper", "robust" or "lenient".

    Raises:
        KeyError: unknown extractor or kind of question. Never because of the reply.
    """
    if reply.finish in UNFINISHED:
        status, reason = UNFINISHED[reply.finish]
        return Answer(None, status, reason, extractor)
    reads = question.reads
    items = _KINDS[reads["kind"]]
    key = reads["key"]

    def validate(value: Any, log: Log | None) -> dict[str, list[dict[str, Any]]]:
        found = items(_listed(value, key), reads, log)
        return {key: _brought_back(found, reads["back"]) if "back" in reads else found}

    found = extract(reply.text, validate, mode=extractor, bare_list=reads["kind"] != "positions")
    return Answer(found.value, found.status, found.reason, extractor, found.repairs)


def _brought_back(items: list[dict[str, Any]], back: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same answer in the ids, walls and places of the scene itself."""
    rows = [_row_back(item, back) for item in items]
    return sorted(rows, key=lambda row: row["id"] if "id" in row else WALLS.index(row["wall"]))


def _row_back(item: Mapping[str, Any], back: Mapping[str, Any]) -> dict[str, Any]:
    row = dict(item)
    if "id" in row:
        row["id"] = back["ids"][row["id"]]
    if "wall" in row:
        row["wall"] = back["walls"][row["wall"]]
    if row.get("pos") is not None:
        row["pos"] = [o + s * x for o, s, x in zip(back["offset"], back["sign"], row["pos"], strict=True)]
    return row


def _listed(value: Any, key: str) -> list[Any]:
    """The list under the key, or a bare list (which reaches this point only where it is allowed)."""
    entries = value.get(key) if isinstance(value, dict) else value
    if isinstance(value, dict) and key not in value:
        raise Invalid(f"no key {key!r}")
    if not isinstance(entries, list):
        raise Invalid(f"{key!r} is not a list")
    return entries


def _balls(entries: list[Any], reads: Mapping[str, Any], log: Log | None) -> list[dict[str, Any]]:
    by_id = _by_name(entries, "id", reads["ids"], _id, log)
    return [{"id": ball, "answer": _flag(by_id[ball], f"id {ball}", log)} for ball in reads["ids"]]


def _walls(entries: list[Any], reads: Mapping[str, Any], log: Log | None) -> list[dict[str, Any]]:
    by_wall = _by_name(entries, "wall", reads["walls"], _wall, log)
    return [{"wall": wall, "answer": _flag(by_wall[wall], f"wall {wall}", log)} for wall in reads["walls"]]


def _positions(entries: list[Any], reads: Mapping[str, Any], log: Log | None) -> list[dict[str, Any]]:
    by_id = _by_name(entries, "id", reads["ids"], _id, log)
    items = [{"id": ball, "pos": _position(by_id[ball], ball, reads["size"], log)} for ball in reads["ids"]]
    if all(item["pos"] is None for item in items):
        raise Invalid("no numeric coordinate")
    return items


_KINDS: dict[str, Callable[[list[Any], Mapping[str, Any], Log | None], list[dict[str, Any]]]] = {
    "balls": _balls,
    "walls": _walls,
    "positions": _positions,
}


def _by_name(
    entries: list[Any],
    field: str,
    expected: Sequence[Any],
    read: Callable[[Any, Log | None], Any],
    log: Log | None,
) -> dict[Any, dict[str, Any]]:
    """Entries by their id or wall: each expected one exactly once; extra ones are dropped if repairs are allowed."""
    found: dict[Any, dict[str, Any]] = {}
    wrong: list[str] = []
    for entry in entries:
        if not isinstance(entry, dict) or field not in entry:
            raise Invalid(f"an entry has no {field!r}")
        name = read(entry[field], log)
        if name not in expected:
            if log is None:
                wrong.append(f"unknown {field} {_shown(name)}")
            else:
                log(f"dropped unknown {field} {_shown(name)}")
        elif name in found:
            wrong.append(f"duplicate {field} {name}")
        else:
            found[name] = entry
    missing = [str(name) for name in expected if name not in found]
    if missing:
        wrong.append(("missing " if wrong else f"missing {field} ") + ", ".join(missing))
    if wrong:
        raise Invalid(", ".join(wrong[:8]))
    return found


def _id(value: Any, log: Log | None) -> int:
    if type(value) is int:  # a bool is an int, but no id
        return value
    if log is not None and isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        log(f"read id {_shown(value)} as a number")
        return int(value)
    raise Invalid(f"id {_shown(value)} is not a whole number")


def _wall(value: Any, log: Log | None) -> str:
    if isinstance(value, str):
        return value
    raise Invalid(f"wall {_shown(value)} is not a name")


def _flag(entry: dict[str, Any], where: str, log: Log | None) -> str:
    """ "T" or "F"."""
    value = entry.get("answer")
    if isinstance(value, str) and value in ("T", "F"):
        return value
    if log is not None:
        flag = _FLAGS.get(_plain_word(value))
        if flag is not None:
            log(f"{where}: read answer {_shown(value)} as {flag}")
            return flag
    raise Invalid(f"{where}: answer {_shown(value)} is not T or F")


_FLAGS = {word: "T" for word in (*_TRUE, "1")} | {word: "F" for word in (*_FALSE, "0")}


def _plain_word(value: Any) -> str:
    """Lower-case word of an answer without blanks and full stops around it; numbers count only if written as such."""
    if isinstance(value, str):
        word = value[:40].strip(" \t\r\n.").lower()
        return "" if word in ("0", "1") else word
    return str(value).lower() if type(value) in (bool, int) else ""


def _position(entry: dict[str, Any], ball: int, size: Sequence[float], log: Log | None) -> list[float] | None:
    """[x, y] within the table (m), or None."""
    if "pos" not in entry:
        raise Invalid(f"id {ball} has no 'pos'")
    pos = entry["pos"]
    if pos is None:
        return None
    if not isinstance(pos, list) or len(pos) != 2:
        raise Invalid(f"id {ball}: pos {_shown(pos)} is not [x, y] or null")
    return [
        _coordinate(value, f"id {ball}", axis, limit, log)
        for value, axis, limit in zip(pos, ("x", "y"), size, strict=True)
    ]


def _coordinate(value: Any, where: str, axis: str, limit: float, log: Log | None) -> float:
    if log is not None and isinstance(value, str) and _NUMBER.fullmatch(value.strip()[:60]):
        log(f"{where}: read {axis} {_shown(value)} as a number")
        value = float(value)
    if type(value) not in (int, float) or (isinstance(value, float) and not math.isfinite(value)):
        raise Invalid(f"{where}: {axis} {_shown(value)} is not a number")
    if not 0 <= value <= limit:
        raise Invalid(f"{where} {axis}={_shown(value)} outside [0,{limit:g}]")
    return float(value)


def _shown(value: Any) -> str:
    """Short form of a piece of a reply, for messages."""
    text = repr(value) if isinstance(value, str | int | float | bool | None) else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "..."
