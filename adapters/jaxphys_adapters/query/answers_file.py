"""Files of answers obtained elsewhere: the records in them, whatever their form; what they say is read by others.

    *.csv, *.tsv    a table with a heading, a .csv with commas or semicolons; empty cells count as missing
    *.json          a list of records, or an object of which one value is such a list, for example {"decisions": [...]}
    anything else   JSONL: one object a line

Files are untrusted: what cannot be read is told with its place, and the rest is read.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEPARATORS = {".csv": ",", ".tsv": "\t"}
LONGEST = 10_000_000
"""Characters of one cell of a table."""


@dataclass(frozen=True)
class Record:
    """One record of a file.

    Attributes:
        place: for people, as in "line 3".
        content: what it says; None if it cannot be read. fault: why.
    """

    place: str
    content: Mapping[str, Any] | None
    fault: str = ""


def records(path: Path) -> Iterator[Record]:
    """The records of a file, in order.

    Raises:
        OSError: it cannot be read. ValueError: it is not a file of records at all.
    """
    suffix = path.suffix.lower()
    if suffix in SEPARATORS:
        yield from _table(path, SEPARATORS[suffix])
    elif suffix == ".json":
        yield from _list(path)
    else:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _record(f"line {number}", line)


def _record(place: str, text: bytes) -> Record:
    """The object in a text."""
    try:
        return _checked(place, json.loads(text))
    except RecursionError:
        return Record(place, None, "not JSON: nested too deeply")
    except ValueError as error:
        return Record(place, None, f"not JSON: {error}")


def _checked(place: str, content: Any) -> Record:
    if not isinstance(content, dict):
        return Record(place, None, f"{type(content).__name__} instead of an object {{...}}")
    return Record(place, content)


def _list(path: Path) -> Iterator[Record]:
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"answers: {path}: not JSON ({type(error).__name__}: {str(error)[:120]})") from None
    lists = [content] if isinstance(content, list) else []
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list)]
    if len(lists) != 1:
        raise ValueError(
            f"answers: {path}: holds no list of records; give [{{...}}, ...] or one object a line as .jsonl"
        )
    for number, entry in enumerate(lists[0], start=1):
        yield _checked(f"record {number}", entry)


def _table(path: Path, separator: str) -> Iterator[Record]:
    """Rows by the names in the heading."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        csv.field_size_limit(LONGEST)
        first = file.readline(LONGEST)
        file.seek(0)
        if separator == "," and separator not in first and ";" in first:
            separator = ";"  # spreadsheets write it where the comma is the decimal point
        rows = csv.DictReader(file, delimiter=separator, skipinitialspace=True)
        try:
            heading = rows.fieldnames or []
            if len(set(heading)) < len(heading) or not all(heading):
                raise ValueError(f"answers: {path}: the heading names a column twice, or not at all")
            for row in rows:
                place = f"line {rows.line_num}"
                if None in row:
                    yield Record(place, None, f"more cells than the {len(heading)} of the heading")
                    continue
                # A row that ends early lacks its last cells.
                content = {name: cell.strip() for name, cell in row.items() if cell is not None and cell.strip()}
                if content:
                    yield Record(place, content)
        except csv.Error as error:
            yield Record(f"line {rows.line_num}", None, f"not a table: {error}; nothing after it is read")
