"""Packs: all that evaluation needs of a data set, in one small file.

A pack is a compressed `.npz` that holds, per activity, the frames that questions name and the key frames: tables of
names, categories and parents, the vocabulary of facts, which facts and objects each frame has, and how many pixels of
the deciding sensor each object covers (ENACT specification, section 15). Nothing in it is executed when it is read.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_adapters import atomic
from jaxphys_adapters.archives import DAMAGE
from jaxphys_benchmarks.enact.facts import fact_table
from jaxphys_benchmarks.enact.graph import Edge, Graph, Node, is_frame_id

FORMAT = "enact-pack"
VERSION = 1

Record = tuple[str, str, tuple[str, ...] | None]
"""Name, category, parents of an object: what does not change as long as it is there."""


@dataclass(frozen=True)
class PackedEpisode:
    """What a pack holds of one activity.

    Attributes:
        graphs: by frame id, in the order of time; nodes have the visibility of the deciding sensor alone, without box.
        key_frames: ids of the key frames, in the order of time.
    """

    graphs: Mapping[str, Graph]
    key_frames: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pack:
    """A data set.

    Attributes:
        sensor: the deciding sensor.
        episodes: by name of the activity (`task_name`).
    """

    sensor: str
    episodes: Mapping[str, PackedEpisode] = field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of all activities, sorted."""
        return tuple(sorted(self.episodes))

    def graphs(self, task: str) -> Mapping[str, Graph]:
        """The frames of an activity; KeyError where there is none of that name."""
        return self.episodes[task].graphs

    def key_frames(self, task: str) -> tuple[str, ...]:
        """Ids of the key frames of an activity; KeyError where there is none of that name."""
        return self.episodes[task].key_frames


class PackError(ValueError):
    """A file is no pack, or one of a later version; the text says which."""


def write_pack(path: Path, pack: Pack) -> None:
    """Write a pack, whole or not at all; equal packs give equal bytes.

    Args:
        path: the file.
        pack: what goes into it.

    Raises:
        StorageError: the file cannot be written.
    """
    arrays: dict[str, NDArray[Any]] = {}
    tasks = [
        _packed(number, task, episode, pack.sensor, arrays)
        for number, (task, episode) in enumerate(sorted(pack.episodes.items()))
    ]
    head = {"format": FORMAT, "version": VERSION, "sensor": pack.sensor, "tasks": tasks}
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    data = io.BytesIO()
    np.savez_compressed(data, allow_pickle=False, **arrays)
    atomic.write(path, data.getvalue())


def read_pack(path: Path) -> Pack:
    """Read a pack.

    Args:
        path: the file.

    Raises:
        OSError: it cannot be read.
        PackError: it is no pack, is damaged, or of a later version.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            head = json.loads(bytes(arrays["head"]))
            if head["format"] != FORMAT:
                raise PackError(f"{path} is no ENACT pack")
            if head["version"] > VERSION:
                raise PackError(f"{path} is a pack of version {head['version']}; this program reads up to {VERSION}")
            sensor = str(head["sensor"])
            rows = enumerate(head["tasks"])
            return Pack(sensor, {row["task"]: _unpacked(number, row, arrays, sensor) for number, row in rows})
    except PackError:
        raise
    except (*DAMAGE, TypeError, IndexError, AttributeError) as error:
        raise PackError(f"{path} is no ENACT pack, or is damaged ({error!r:.200}); make it again with `pack`") from None


def _packed(
    number: int, task: str, episode: PackedEpisode, sensor: str, arrays: dict[str, NDArray[Any]]
) -> dict[str, Any]:
    """Put the arrays of one activity into `arrays`; returns the rest."""
    graphs = dict(sorted(episode.graphs.items(), key=lambda item: int(item[0])))
    records: dict[Record, int] = {}
    for graph in graphs.values():
        for node in graph.nodes.values():
            records.setdefault((node.name, node.category, node.parent), len(records))
    present = np.zeros((len(graphs), len(records)), bool)
    pixels = np.zeros((3, len(graphs), len(records)))
    for row, graph in enumerate(graphs.values()):
        for node in graph.nodes.values():
            column = records[node.name, node.category, node.parent]
            present[row, column] = True
            for name, (count, *_, height, width) in node.visibility:
                if name == sensor:
                    pixels[:, row, column] = count, height, width
    table = fact_table(graphs.items())
    arrays |= {
        f"{number}/facts": np.packbits(table.facts, axis=1),
        f"{number}/present": np.packbits(present, axis=1),
        f"{number}/pixels": pixels,
    }
    return {
        "task": task,
        "frames": list(graphs),
        "key_frames": list(episode.key_frames),
        "objects": [[name, category, parent] for name, category, parent in records],
        "vocabulary": [list(fact) for fact in table.vocabulary],
    }


def _unpacked(number: int, row: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], sensor: str) -> PackedEpisode:
    records: list[Record] = [(name, kind, None if up is None else tuple(up)) for name, kind, up in row["objects"]]
    vocabulary = [tuple(fact) for fact in row["vocabulary"]]
    frames = row["frames"]
    facts = np.unpackbits(arrays[f"{number}/facts"], axis=1, count=len(vocabulary)).astype(bool)
    present = np.unpackbits(arrays[f"{number}/present"], axis=1, count=len(records)).astype(bool)
    pixels = arrays[f"{number}/pixels"]
    if not all(isinstance(frame, str) and is_frame_id(frame) for frame in frames):
        raise ValueError(f"the frames of {row['task']} are not all decimal numbers")
    if not len(frames) == len(facts) == len(present) == pixels.shape[1]:
        raise ValueError(f"the arrays of {row['task']} do not fit its frames")
    graphs = {
        frame: _graph(records, vocabulary, facts[k], present[k], pixels[:, k], sensor) for k, frame in enumerate(frames)
    }
    return PackedEpisode(graphs, tuple(row["key_frames"]))


def _graph(
    records: Sequence[Record],
    vocabulary: Sequence[tuple[str, ...]],
    facts: NDArray[np.bool_],
    present: NDArray[np.bool_],
    pixels: NDArray[np.float64],
    sensor: str,
) -> Graph:
    states: dict[str, set[str]] = {}
    edges: dict[Edge, set[str]] = {}
    for k in np.flatnonzero(facts).tolist():
        *names, state = vocabulary[k]
        if len(names) == 1:
            states.setdefault(names[0], set()).add(state)
        else:
            edges.setdefault((names[0], names[1]), set()).add(state)
    nodes = {}
    for k in np.flatnonzero(present).tolist():
        name, category, parent = records[k]
        count, height, width = pixels[:, k].tolist()
        seen = ((sensor, (count, 0.0, 0.0, 0.0, 0.0, height, width)),) if height * width else ()
        nodes[name] = Node(name, category, frozenset(states.get(name, ())), seen, parent)
    return Graph(nodes, {edge: frozenset(on) for edge, on in edges.items()})
