"""Where the frames of a scene graph file lie, found by one pass over its bytes in bounded memory.

Files hold tens of thousands of frames and many gigabytes, of which a few frames are wanted. The pass only follows
strings and brackets, at the speed of memory; what a frame holds is decoded by the `json` module when it is read. An
event-based JSON parser was measured to be 30 times slower, for it decodes every frame.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.enact.graph import is_frame_id
from jaxphys_kernels.compiled_runtime import jit_entry

CHUNK = 1 << 24
"""Bytes that are read at once."""

MARKS = 1 << 14
"""Marks that one call may find; more take another call."""

_OPEN, _COLON, _CLOSE = 0x7B, 0x3A, (0x7D, 0x5D)
DEPTH, STRING, ESCAPE, AT = range(4)
"""Places in the state of the pass: open brackets, inside a string, after a backslash, next byte."""


@jit_entry
def _pass(
    data: NDArray[np.uint8], state: NDArray[np.int64], places: NDArray[np.int64], kinds: NDArray[np.uint8]
) -> int:
    """Find the brackets, colons and commas of the outermost object; returns how many.

    Args:
        data: uint8[n], the bytes.
        state: int64[4], carried from call to call; `AT` tells how far it came.
        places: int64[m], filled with places in `data`.
        kinds: uint8[m], filled with the bytes there.
    """
    depth, is_string, is_escaped, at = state[0], state[1], state[2], state[3]
    count, size, room = 0, data.shape[0], places.shape[0]
    while at < size and count < room:
        if is_string:
            while at < size:
                byte = data[at]
                at += 1
                if is_escaped:
                    is_escaped = 0
                elif byte == 0x5C:
                    is_escaped = 1
                elif byte == 0x22:
                    is_string = 0
                    break
            continue
        byte = data[at]
        # A square and a curly bracket differ in one bit.
        folded = byte | 0x20
        if byte == 0x22:
            is_string = 1
        elif folded == 0x7B:
            if depth == 0:
                places[count] = at
                kinds[count] = byte
                count += 1
            depth += 1
        elif folded == 0x7D or (depth == 1 and (byte == 0x3A or byte == 0x2C)):
            if folded == 0x7D:
                depth -= 1
            if depth <= 0 or folded != 0x7D:
                places[count] = at
                kinds[count] = byte
                count += 1
        at += 1
    state[0], state[1], state[2], state[3] = depth, is_string, is_escaped, at
    return count


@dataclass
class Index:
    """The frames of a file.

    Attributes:
        spans: first byte and byte after the last of each frame's record, by frame id.
        problems: what was wrong with the file, in words; what is not named here was kept.
    """

    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def index(path: Path) -> Index:
    """Find the frames of a file.

    A file that is cut off keeps all frames before the cut; a frame that is there twice counts as it was last.

    Args:
        path: a JSON object of records by frame id.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds no JSON object.
    """
    found = Index()
    start = colon = end = -1
    with path.open("rb") as file:
        for place, kind in _marks(path):
            if start < 0:
                if kind != _OPEN:
                    raise ValueError(f"{path}: a JSON object of frames is needed")
                start = place + 1
            elif end >= 0:
                found.problems.append(f"{path}: what follows the object, from byte {end + 1}, is ignored")
                return found
            elif kind == _COLON:
                colon = place if colon < 0 else colon
            else:
                if colon >= 0:
                    file.seek(start)
                    _take(found, path, file.read(colon - start), (colon + 1, place))
                start, colon = place + 1, -1
                end = place if kind in _CLOSE else -1
    if start < 0:
        raise ValueError(f"{path}: a JSON object of frames is needed, and the file holds none")
    if end < 0:
        _take_last(found, path, start, colon)
        last = f"frame {next(reversed(found.spans))}" if found.spans else "its beginning"
        found.problems.append(
            f"{path}: the file is cut off after {last}; the {len(found.spans)} frames up to there are kept"
        )
    return found


def _take_last(found: Index, path: Path, start: int, colon: int) -> None:
    """Keep the last frame of a file that is cut off, if only what comes after it is missing."""
    size = path.stat().st_size
    if 0 <= colon < size <= colon + CHUNK:
        with path.open("rb") as file:
            file.seek(start)
            rest = file.read(size - start)
        try:
            json.loads(rest[colon + 1 - start :])
        except (ValueError, RecursionError):
            return
        _take(found, path, rest[: colon - start], (colon + 1, size))


def _marks(path: Path) -> Iterator[tuple[int, int]]:
    """Places and bytes of the outermost marks of a file."""
    state = np.zeros(4, np.int64)
    places, kinds = np.empty(MARKS, np.int64), np.empty(MARKS, np.uint8)
    base = 0
    buffer = np.empty(CHUNK, np.uint8)
    with path.open("rb", buffering=0) as file:
        while size := file.readinto(buffer.data):
            state[AT] = 0
            while state[AT] < size:
                count = _pass(buffer[:size], state, places, kinds)
                for place, kind in zip(places[:count].tolist(), kinds[:count].tolist(), strict=True):
                    yield base + place, kind
            base += size


def _take(found: Index, path: Path, key: bytes, span: tuple[int, int]) -> None:
    try:
        frame = json.loads(key)
    except ValueError:
        frame = None
    if not (isinstance(frame, str) and is_frame_id(frame)):
        found.problems.append(f"{path}: {key.strip()[:40]!r} is no frame id, a decimal number in quotes; it is ignored")
        return
    if frame in found.spans:
        found.problems.append(f"{path}: frame {frame} is there twice; the last one counts")
    found.spans[frame] = span
