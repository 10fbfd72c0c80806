"""Where the graphs of episodes come from: the published folders, or a pack made of them.

Only the frames that are named are read. A task whose graphs cannot be had is None, and `problems` says why; that costs
the lines of that task and nothing else.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from jaxphys_adapters.enact.graph_file import open_graphs
from jaxphys_adapters.enact.pack import read_pack
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.graph import Graph

GRAPHS, SEGMENTED = "scene_graph_0.json", "segmented_scene_graph_0.json"
"""File names inside the folder of a task."""

MAX_NAME_BYTES = 255
"""Of the name of a folder, on all common file systems."""


class Store(Protocol):
    """Graphs by task.

    Attributes:
        tasks: their names, sorted. problems: what was wrong so far, in words.
    """

    problems: list[str]

    @property
    def tasks(self) -> Sequence[str]:
        """Names of all tasks."""

    def graphs(self, task: str, frames: Collection[str] | None) -> Mapping[str, Graph] | None:
        """Graphs of these frames, of all key frames for None; None where there are none to be had."""

    def key_frames(self, task: str) -> Sequence[str]:
        """Ids of the key frames, in the order of time."""


class Folders:
    """The published folders: `replayed/{task}/scene_graph_0.json` and `segmented/{task}/segmented_scene_graph_0.json`.

    Attributes:
        segmented, replayed: the two roots.
    """

    def __init__(self, segmented: Path, replayed: Path) -> None:
        """Look at the roots.

        Raises:
            ValueError: one is missing.
        """
        for name, root in (("segmented data", segmented), ("raw data", replayed)):
            if not root.is_dir():
                raise ValueError(
                    f"{root}: no such folder of {name}; both segmented_activities and replayed_activities are needed, "
                    "which the default download lacks, or a pack of them (--pack FILE, made by `jaxphys enact pack`)"
                )
        self.segmented, self.replayed = segmented, replayed
        self.problems: list[str] = []

    @property
    def tasks(self) -> Sequence[str]:
        """Names of the tasks that have key frames."""
        return sorted(path.parent.name for path in self.segmented.glob(f"*/{SEGMENTED}"))

    def graphs(self, task: str, frames: Collection[str] | None) -> Mapping[str, Graph] | None:
        """As `Store`; both files must be there, as the reference demands."""
        if frames is None:
            frames = self.key_frames(task)
        path = self._path(self.replayed, task, GRAPHS)
        if path is None or self._path(self.segmented, task, SEGMENTED) is None:
            return None
        try:
            with open_graphs(path) as file:
                found = file.graphs(frames)
                self.problems += file.problems
        except (OSError, ValueError) as error:
            self.problems.append(f"task {task}: {error}")
            return None
        _report_missing(self.problems, task, path, set(frames) - found.keys())
        return found

    def key_frames(self, task: str) -> Sequence[str]:
        """As `Store`; empty where the file cannot be read."""
        path = self._path(self.segmented, task, SEGMENTED)
        if path is None:
            return ()
        try:
            with open_graphs(path) as file:
                self.problems += file.problems
                return file.ids
        except (OSError, ValueError) as error:
            self.problems.append(f"task {task}: {error}")
            return ()

    def _path(self, root: Path, task: str, name: str) -> Path | None:
        path = root / task / name
        if not is_name(task) or not path.is_file():
            self.problems.append(f"task {task[:200]!r}: there is no {path!s:.300}")
            return None
        return path


class FromPack:
    """A pack, as `jaxphys enact pack` makes it."""

    def __init__(self, path: Path) -> None:
        """Read a pack.

        Raises:
            OSError, ValueError: it cannot be read, or is no pack.
        """
        if not path.is_file():
            raise ValueError(f"pack: there is no file {path}; make one with `jaxphys enact pack`")
        self._path, self._episodes = path, read_pack(path).episodes
        # Folders and files are called by these names, and a pack is somebody's file.
        wrong = [task for task in self._episodes if not is_name(task)]
        if wrong:
            raise ValueError(f"{path}: {wrong[0]!r:.200} is no name of a task, which must be that of a folder")
        self.problems: list[str] = []

    @property
    def tasks(self) -> Sequence[str]:
        """Names of all tasks."""
        return sorted(self._episodes)

    def graphs(self, task: str, frames: Collection[str] | None) -> Mapping[str, Graph] | None:
        """As `Store`."""
        if task not in self._episodes:
            self.problems.append(f"task {task[:200]!r}: not in {self._path}")
            return None
        episode = self._episodes[task]
        wanted = set(episode.key_frames if frames is None else frames)
        _report_missing(self.problems, task, self._path, wanted - episode.graphs.keys())
        return {frame: graph for frame, graph in episode.graphs.items() if frame in wanted}

    def key_frames(self, task: str) -> Sequence[str]:
        """As `Store`."""
        return self._episodes[task].key_frames


def is_name(task: str) -> bool:
    """Whether a task's name, which is somebody's text, can be that of a folder, and stays inside the one it is put in.

    Args:
        task: the name.
    """
    if task in ("", ".", "..") or any(mark in task for mark in "/\\\0"):
        return False
    return len(task.encode(errors="surrogatepass")) <= MAX_NAME_BYTES


def _report_missing(problems: list[str], task: str, path: Path, missing: Collection[str]) -> None:
    if missing:
        shown = ", ".join(sorted(missing)[:5]) + (", ..." if len(missing) > 5 else "")
        problems.append(f"task {task}: {path} lacks {len(missing)} of the frames asked about: {shown[:200]}")


def open_store(segmented: Path, replayed: Path, pack: Path | None) -> Store:
    """The pack if there is one, else the folders.

    Raises:
        ValueError, OSError: what is needed is missing or broken.
    """
    return Folders(segmented, replayed) if pack is None else FromPack(pack)


class Episodes:
    """Episodes of a store, made when they are first asked for.

    Attributes:
        frames: ids that are asked about, by task; other tasks have no episode.
    """

    def __init__(self, store: Store, frames: Mapping[str, Collection[str]], config: EnactConfig = DEFAULT) -> None:
        """Take a store and what is asked of it."""
        self.store, self.frames, self.config = store, frames, config
        self._made: dict[str, Episode | None] = {}

    def __call__(self, task: str) -> Episode | None:
        """The episode of a task; None where its graphs cannot be had."""
        if task not in self._made:
            found = self.store.graphs(task, self.frames[task]) if task in self.frames else None
            self._made[task] = None if found is None else Episode(found, self.config)
        return self._made[task]
