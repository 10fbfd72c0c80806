"""`jaxphys enact pack`: take what evaluation needs out of the published folders, so that these need not stay.

A pack of question or prediction files holds the frames that their lines name, and the key frames of their activities;
without such files, the key frames of all activities. Exit codes: 0, all is in the pack; 1, something was missing or
broken and is named; 2, no pack could be made.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters.enact.evaluate import frames_named
from jaxphys_adapters.enact.pack import Pack, PackedEpisode, write_pack
from jaxphys_adapters.enact.store import Store, open_store
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig


@dataclass(frozen=True)
class EnactPack:
    """Make a pack of ENACT graphs: one small file with all that evaluation needs."""

    out: Annotated[Path, tyro.conf.Positional] = Path("data/enact.npz")
    """The pack."""
    segmented_data: Annotated[Path, tyro.conf.arg(aliases=["--segmented"])] = Path("data/segmented_activities")
    """Folder of segmented scene graphs."""
    raw_data: Annotated[Path, tyro.conf.arg(aliases=["--replayed"])] = Path("data/replayed_activities")
    """Folder of replayed scene graphs."""
    questions: Annotated[tuple[Path, ...], tyro.conf.UseAppendAction] = ()
    """Question or prediction file whose frames are kept as well as the key frames of its activities; may be repeated.
    Without any, the key frames of all activities."""


def run(command: EnactPack) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: folders or files are missing, no activity could be read, or the pack cannot be written.
    """
    store = open_store(command.segmented_data, command.raw_data, None)
    named: dict[str, set[str]] = defaultdict(set)
    for path in command.questions:
        for task, frames in frames_named(path).items():
            named[task] |= frames
    if command.questions and not named:
        raise ValueError("questions: no line of these files names an activity and its frames")
    made = pack(command.out, store, named if command.questions else None)
    for problem in store.problems:
        say(problem)
    frames_kept = sum(len(episode.graphs) for episode in made.episodes.values())
    say(f"wrote {frames_kept} frames of {len(made.tasks)} activities to {command.out}")
    return 1 if store.problems else 0


def make_pack(store: Store, frames: Mapping[str, Collection[str]] | None = None, config: EnactConfig = DEFAULT) -> Pack:
    """The pack of a data set; what is missing is told in the store's `problems` and left out.

    Args:
        store: where the graphs are.
        frames: ids beside the key frames, by activity; None for the key frames of all activities.
        config: names the sensor.
    """
    episodes = {}
    for task in sorted(store.tasks if frames is None else frames):
        keys = tuple(store.key_frames(task))
        graphs = store.graphs(task, sorted({*keys, *(frames[task] if frames is not None else ())}))
        if graphs:
            episodes[task] = PackedEpisode(graphs, tuple(key for key in keys if key in graphs))
    return Pack(config.sensor, episodes)


def pack(
    path: Path, store: Store, frames: Mapping[str, Collection[str]] | None = None, config: EnactConfig = DEFAULT
) -> Pack:
    """Make a pack and write it; arguments as `make_pack`.

    Args:
        path: the file.
        store: where the graphs are.
        frames: ids beside the key frames, by activity.
        config: names the sensor.

    Raises:
        ValueError: no activity could be read; the text says why.
        StorageError: the file cannot be written.
    """
    made = make_pack(store, frames, config)
    if not made.episodes:
        raise ValueError("\n".join(["no activity could be read, and no pack was written", *store.problems]))
    atomic.make_folder(path.parent)
    write_pack(path, made)
    return made
