"""Scene graph files: frames by id, one after the other, in bounded memory; and the writing of such files.

`scene_graph_0.json` is one JSON object of records by frame id (ENACT specification, section 2.1). A frame that is a
`diff` or `empty` follows from the nearest `full` one below it and all records between. What is broken is named in
`problems` and left out; the rest is kept.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jaxphys_adapters.enact.graph_index import index
from jaxphys_benchmarks.enact import graph as graphs
from jaxphys_benchmarks.enact.graph import Graph, GraphError

MAX_PROBLEMS = 50
"""Broken frames that are named one by one; a file can hold tens of thousands."""


class GraphFile:
    """An open file of scene graphs; a context manager.

    Attributes:
        path: the file.
        ids: ids of its frames, in the order of time.
        problems: what was wrong, in words.
    """

    def __init__(self, path: Path) -> None:
        """Find the frames of a file.

        Args:
            path: the file.

        Raises:
            OSError: it cannot be read.
            ValueError: it holds no JSON object.
        """
        found = index(path)
        self.path = path
        self.problems = found.problems
        self._spans = found.spans
        self.ids = tuple(sorted(found.spans, key=int))
        self._places = {frame: place for place, frame in enumerate(self.ids)}
        self._broken: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._file = path.open("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def record(self, frame: str) -> Any:
        """The record of a frame, decoded but not checked.

        Args:
            frame: its id.

        Raises:
            KeyError: the file lacks the frame.
            GraphError: its record is no JSON.
        """
        start, end = self._spans[frame]
        self._file.seek(start)
        try:
            return json.loads(self._file.read(end - start))
        except (ValueError, RecursionError) as error:
            raise GraphError(f"frame {frame}: the record is no JSON ({error})") from None

    def graph(self, frame: str) -> Graph:
        """What is true in a frame.

        Args:
            frame: its id.

        Raises:
            KeyError: the file lacks the frame.
            GraphError: its record, or one that it builds on, is broken, or no full frame lies below it.
        """
        return self._build(frame, ("", graphs.EMPTY))

    def graphs(self, frames: Collection[str] | None = None) -> dict[str, Graph]:
        """What is true in some frames, in the order of time; frames that are missing or broken are left out.

        Args:
            frames: their ids; None for all of the file.
        """
        wanted = self.ids if frames is None else sorted({f for f in frames if f in self._places}, key=int)
        found: dict[str, Graph] = {}
        last = ("", graphs.EMPTY)
        for frame in wanted:
            try:
                last = frame, self._build(frame, last)
                found[frame] = last[1]
            except GraphError as error:
                own = str(error).startswith(f"frame {frame}: ")
                self._tell(frame, str(error) if own else f"frame {frame}: it builds on {error}")
        return found

    def stream(self) -> Iterator[tuple[str, Graph]]:
        """All frames, one at a time, in the order of time; broken ones, and those that build on them, are left out."""
        graph: Graph | None = None
        for frame in self.ids:
            try:
                record = self.record(frame)
                kind = graphs.kind(record, frame)
                if graph is None and kind != "full":
                    raise GraphError(f"frame {frame}: no sound full frame lies below this {kind} one")
                graph = graphs.apply(graph or graphs.EMPTY, record, frame)
            except GraphError as error:
                graph = None
                self._tell(frame, str(error))
            else:
                yield frame, graph

    def _build(self, frame: str, known: tuple[str, Graph]) -> Graph:
        """What is true in a frame, from the nearest full frame below, or from a known one if that is nearer.

        Records are decoded twice rather than kept: a chain can be as long as the file. Why a frame failed is kept, so
        that those that build on it do not go down the whole chain again; "" stands for no full frame.
        """
        try:
            return self._built(frame, known)
        except GraphError as error:
            bottomless = str(error).startswith(f"frame {frame}: no full frame")
            self._failed[frame] = "" if bottomless else str(error)
            raise

    def _built(self, frame: str, known: tuple[str, Graph]) -> Graph:
        place = base = self._places[frame]
        while True:
            name = self.ids[base]
            if name == known[0]:
                graph = known[1]
                break
            record = self.record(name)
            if graphs.kind(record, name) == "full":
                graph = graphs.read(record, name)
                break
            if self._failed.get(name):
                raise GraphError(self._failed[name])
            if base == 0 or name in self._failed:
                raise GraphError(f"frame {frame}: no full frame lies at or below it")
            base -= 1
        for name in self.ids[base + 1 : place + 1]:
            graph = graphs.apply(graph, self.record(name), name)
        return graph

    def _tell(self, frame: str, problem: str) -> None:
        if frame not in self._broken:
            self._broken[frame] = problem
            if len(self._broken) <= MAX_PROBLEMS:
                self.problems.append(f"{self.path}: {problem}; the frame is left out")
            elif len(self._broken) == MAX_PROBLEMS + 1:
                self.problems.append(f"{self.path}: more than {MAX_PROBLEMS} frames are broken and left out")


def open_graphs(path: Path) -> GraphFile:
    """Open a file of scene graphs; errors as `GraphFile`.

    Args:
        path: the file.
    """
    return GraphFile(path)


def encode(frames: Iterable[tuple[str, Graph]], full: Collection[str] | None = ()) -> Iterator[bytes]:
    """A file of scene graphs, piece by piece: the first frame is `full`, others are relative to the one before.

    Args:
        frames: ids and graphs, in the order of time.
        full: ids of further frames that are written in full; None for all.
    """
    before: Graph | None = None
    for frame, graph in frames:
        whole = before is None or full is None or frame in full
        record = graphs.record(graph) if before is None or whole else graphs.difference(before, graph)
        yield (b"{" if before is None else b",\n") + f"{json.dumps(frame)}: {json.dumps(record)}".encode()
        before = graph
    yield b"{}\n" if before is None else b"}\n"
