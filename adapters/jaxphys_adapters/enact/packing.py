"""`pack`: take what evaluation needs out of the published folders, so that these need not stay.

A pack of a question file holds the frames that its lines name, and the key frames of their activities; without one,
the key frames of all activities.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from jaxphys_adapters.enact.pack import Pack, PackedEpisode, write_pack
from jaxphys_adapters.enact.store import Store
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig


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
    write_pack(path, made)
    return made
