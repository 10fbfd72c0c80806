"""Episodes made and stored, each by a process of its own; those that are there already are kept.

The figures of an episode are written last: where they are, it is whole. Public: `Order`, `make_all`, `make_episode`,
`store_states`, `source_of`, `write`.
"""

import hashlib
import io
import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from jaxphys_adapters import atomic
from jaxphys_adapters.enact.folder import FIGURES, REPLAYED, SEGMENTED, STATES, VARIANTS
from jaxphys_adapters.enact.graph_file import encode
from jaxphys_adapters.enact.store import GRAPHS as GRAPH_FILE
from jaxphys_adapters.enact.store import SEGMENTED as KEY_FRAME_FILE
from jaxphys_adapters.enact.store import open_store
from jaxphys_adapters.progress import bar
from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.activities.own import read
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.episodes.dataset import Source
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

FIELDS = frozenset({"task", "activity", "frames", "key_frames", "grasps_left", "grasps_right", "added", "failures"})
"""Of figures that can be used."""
MAKERS = ("jaxphys_kernels.household", "jaxphys_benchmarks.enact")
"""Packages whose code decides what episodes are."""


def code_stamp() -> str:
    """Of the code that makes episodes: 16 hexadecimal digits, others after any change."""
    digest = hashlib.sha256()
    for name in MAKERS:
        (root,) = import_module(name).__path__
        for path in sorted(Path(root).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Order:
    """One episode to be made, for a process of its own."""

    spec: EpisodeSpec
    config: EnactConfig
    contacts: bool
    out: Path
    own: tuple[tuple[str, str], ...] = ()


def make_all(pool: Executor, orders: Sequence[Order], what: str) -> Iterator[dict[str, Any]]:
    """Figures of episodes in the order in which they were asked for, made where they are missing."""
    pending: list[dict[str, Any] | Future[dict[str, Any]]] = []
    for order in orders:
        kept = _kept(order)
        pending.append(pool.submit(make_episode, order) if kept is None else kept)
    with bar(False, 0, len(pending), what) as advance:
        try:
            for one in pending:
                yield one.result() if isinstance(one, Future) else one
                advance()
        finally:
            for one in pending:
                if isinstance(one, Future):
                    one.cancel()


def _kept(order: Order) -> dict[str, Any] | None:
    """Figures of an episode that is already there, or None."""
    path = order.out / FIGURES / f"{order.spec.task_name}.json"
    try:
        told = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    whole = isinstance(told, dict) and told.get("task") == order.spec.task_name and told.keys() >= FIELDS
    return told if whole else None


def make_episode(order: Order) -> dict[str, Any]:
    """Simulate one episode and store its graphs and states; figures come last. Runs in a process of its own.

    Args:
        order: what is made.

    Raises:
        StorageError: a file cannot be written.
    """
    from jaxphys_benchmarks.enact.episodes import making
    from jaxphys_benchmarks.enact.play.simulate import simulate

    task, out = order.spec.task_name, order.out
    # Pictures of the episode that is made anew would be kept, for they are numbered by frames.
    for folder in (out / REPLAYED / task, *out.glob(f"{VARIANTS}/*/{task}")):
        shutil.rmtree(folder, ignore_errors=True)
    clock = time.perf_counter()
    with book.registered(*(read(name, text) for name, text in order.own)):
        recording, title = simulate(order.spec, order.config), book.activity(order.spec.activity).title
    simulated = time.perf_counter() - clock
    made = making.make(recording, order.config, contacts=order.contacts)
    clock = time.perf_counter()
    store_states(out / STATES / f"{task}.npz", made.states.arrays())
    whole = set(made.key_frames)
    write(out / REPLAYED / task / GRAPH_FILE, b"".join(encode(made.graphs(), whole)))
    write(out / SEGMENTED / task / KEY_FRAME_FILE, b"".join(encode(made.shown.items())))
    spent = {"simulation": simulated, **made.figures["seconds"], "files": time.perf_counter() - clock}
    figures = {**made.figures, "title": title, "seconds": spent}
    write(out / FIGURES / f"{task}.json", json.dumps(figures, indent=1).encode())
    return figures


def store_states(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write the states of key frames; equal states give equal bytes."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
    write(path, out.getvalue())


def source_of(out: Path, figures: Mapping[str, Any], config: EnactConfig) -> Source:
    """An episode of the folder, to ask about.

    Raises:
        ValueError: its graphs are missing or damaged; tells how it is made anew.
    """
    task = str(figures["task"])
    store = open_store(out / SEGMENTED, out / REPLAYED, None)
    keys = tuple(store.key_frames(task))
    graphs = store.graphs(task, keys) if keys else {}
    if store.problems or len(keys) != figures["key_frames"]:
        problem = store.problems[0] if store.problems else f"{task}: {len(keys)} of {figures['key_frames']} key frames"
        raise ValueError(f"{problem}; remove {out / FIGURES / task}.json, and the same command makes the episode anew")
    return Source(task, str(figures["activity"]), keys, Episode(graphs or {}, config))


def write(path: Path, data: bytes) -> None:
    """A file of the folder, whole or not at all; its own folder is made.

    Raises:
        StorageError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, data)
