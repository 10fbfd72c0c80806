"""Key frames become pictures: drawn from stored states, once, without labels, in any variant.

`{task}/{sensor}/%05d.png` under the folder asked for, numbered by graph frame. A picture that is there is kept, so that
a run which was cut off goes on; equal states and variants give equal bytes. Labels are burnt in later, when a question
is asked or exported. Public: `render_all`, `draw`, `stored`, `Restyle`.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from jaxphys_adapters import atomic, stages
from jaxphys_adapters.archives import DAMAGE
from jaxphys_adapters.enact.folder import REPLAYED, STATES
from jaxphys_adapters.enact.store import is_name
from jaxphys_adapters.frames import Pixels, encode
from jaxphys_adapters.progress import bar
from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episodes.houses import house_of
from jaxphys_benchmarks.enact.episodes.states import States
from jaxphys_benchmarks.enact.pictures.lens import fisheye, fisheye_map
from jaxphys_benchmarks.enact.pictures.looks import BASELINE, Variant, variant
from jaxphys_benchmarks.enact.pictures.stages import Seen, faces, stage_of
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.spec import spec_of
from jaxphys_benchmarks.workers import pool

Restyle = Callable[[Pixels, str, str], Pixels]
"""(picture (h, w, 3), task, frame id) -> another picture of the same size: the hook for restyled images."""

AT_ONCE = 8
"""Frames drawn at once."""


@dataclass(frozen=True)
class Order:
    """Pictures of one episode, for a process of its own."""

    data: Path
    out: Path
    task: str
    config: EnactConfig
    how: Variant
    restyle: Restyle | None


def render_all(
    data: Path,
    tasks: Sequence[str],
    config: EnactConfig,
    *,
    out: Path | None = None,
    how: Variant | None = None,
    restyle: Restyle | None = None,
    workers: int = 0,
) -> int:
    """Draw the key frames of episodes; returns how many pictures there are.

    Args:
        data: folder that holds `states/`. tasks: names of episodes. config: camera, size, sensor.
        out: folder that takes `{task}/{sensor}/`; unset: the replayed activities of `data`.
        how: the variant; unset: the baseline.
        restyle: applied to every picture. workers: processes; 0 for one for each core.

    Raises:
        ValueError: states are missing or broken, or do not fit their house. OSError: nothing can draw, or write.
    """
    where = data / REPLAYED if out is None else out
    orders = [Order(data, where, task, config, how or variant(BASELINE, config), restyle) for task in tasks]
    count = min(workers or os.cpu_count() or 1, len(orders))
    with bar(False, 0, len(orders), "pictures") as advance:
        total = 0
        for drawn in _each(orders, count):
            total += drawn
            advance()
    return total


def _each(orders: Sequence[Order], workers: int) -> Iterator[int]:
    # Functions and activities that somebody brought along may not reach another process.
    if workers < 2 or any(order.restyle or spec_of(order.task).activity not in book.BUILT_IN for order in orders):
        yield from map(render_task, orders)
        return
    with pool(workers) as processes:
        yield from processes.map(render_task, orders)


def render_task(order: Order) -> int:
    """Draw what is missing of one episode; returns how many pictures it has.

    Raises:
        ValueError, OSError: as `render_all`.
    """
    if not is_name(order.task):
        raise ValueError(f"task {order.task!r}: not the name of an episode")
    states = stored(order.data / STATES / f"{order.task}.npz")
    folder = order.out / order.task / order.config.sensor
    paths = [folder / f"{number:05d}.png" for number in states.ids]
    missing = [k for k, path in enumerate(paths) if not path.is_file()]
    if not missing:
        return len(paths)
    house = house_of(order.task)
    if states.pos.shape[1] != len(house.placed):
        raise ValueError(
            f"{order.task}: its states are of another house; they were made by another version: make the data set anew"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, len(missing), AT_ONCE):
        some = missing[first : first + AT_ONCE]
        for k, pixels in zip(some, draw(house, states.only(some), order.how, order.config), strict=True):
            shown = pixels if order.restyle is None else order.restyle(pixels, order.task, str(states.ids[k]))
            if shown.shape != pixels.shape or shown.dtype != np.uint8:
                raise ValueError(f"restyle: gave {shown.dtype} {shown.shape}; give uint8 {pixels.shape}")
            atomic.write(paths[k], encode(shown))
    return len(paths)


def draw(house: House, states: States, how: Variant, config: EnactConfig) -> Pixels:
    """The frames as the head camera sees them.

    Args:
        house: what it is about. states: f frames of it. how: the variant. config: size, and the fisheye.

    Returns:
        uint8 (f, h, w, 3).
    """
    size = config.image_size_px
    seen = Seen(
        size_px=size * how.scale,
        head=how.head,
        shadows=how.realism != "flat",
        arms=how.arms,
        gloss=how.realism != "flat",
        texture=how.realism == "rich",
    )
    stage = stage_of(house, layout_of(house), states, seen)
    if not how.fisheye:
        return _coarser(stages.render(stage), how.scale)
    mapped = fisheye_map(size, size, how.head.fisheye_coefficients)
    parts = np.stack([stages.render(face) for face in faces(stage, states, seen)], axis=1)
    return np.stack([fisheye(part, mapped) for part in parts])


def _coarser(pixels: Pixels, scale: int) -> Pixels:
    """Means over squares of pixels."""
    if scale == 1:
        return pixels
    f, h, w, _ = pixels.shape
    squares = pixels.reshape(f, h // scale, scale, w // scale, scale, 3)
    mean: Pixels = np.rint(squares.mean(axis=(2, 4))).astype(np.uint8)
    return mean


def stored(path: Path) -> States:
    """The states of a file.

    Raises:
        ValueError: there is none, or it is broken.
    """
    try:
        # NumPy leaves a file open that it cannot read.
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            return States.of_arrays(dict(arrays))
    except (OSError, *DAMAGE) as error:
        raise ValueError(f"{path}: no states to draw from ({error}); run `jaxphys generate enact` again") from error
