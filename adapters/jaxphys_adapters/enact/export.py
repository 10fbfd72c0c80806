"""`jaxphys enact export`: a data set in the layout that the reference's own evaluator reads (section 15).

    replayed_activities/{task}/scene_graph_0.json
    replayed_activities/{task}/external_sensor1/00059.png
    segmented_activities/{task}/segmented_scene_graph_0.json
    segmented_activities/{task}/external_sensor1/00059.png
    QA/enact_ordering.jsonl   QA/enact_ordering.parquet   QA/images/{type}/{task}/...

The reference takes the names of the cameras from the folders of frames, and sees nothing where there are none: so every
key frame has a picture, a plain one where none was recorded. The whole folder appears at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Annotated

import tyro
from PIL import Image

from jaxphys_adapters import atomic
from jaxphys_adapters.enact import images, qa
from jaxphys_adapters.enact.graph_file import encode
from jaxphys_adapters.enact.qa_file import load_qa, shortened
from jaxphys_adapters.enact.store import GRAPHS, SEGMENTED, open_store
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.graph import Graph
from jaxphys_benchmarks.enact.items import Item

COLUMNS = {
    "id": "string", "type": "string", "task_name": "string", "key_frame_ids": ["string"], "images": ["string"],
    "question": "string", "options": ["string"], "gt_answer": ["int64"],
}  # fmt: skip
"""Columns of the Parquet file, in the neutral form of the tables."""


@dataclass(frozen=True)
class EnactExport:
    """Write a data set of ENACT in the reference's layout, so that its own evaluator runs on it."""

    out: Annotated[Path, tyro.conf.Positional]
    """New folder."""
    segmented_data: Annotated[Path, tyro.conf.arg(aliases=["--segmented"])] = Path("data/segmented_activities")
    """Folder of segmented scene graphs."""
    raw_data: Annotated[Path, tyro.conf.arg(aliases=["--replayed"])] = Path("data/replayed_activities")
    """Folder of replayed scene graphs and frames."""
    pack: Path | None = None
    """Pack of graphs instead of the folders; frames still come from the folder of replayed activities."""
    questions: Path | None = None
    """Question file to go with it; made anew if there is none."""


@dataclass(frozen=True)
class Recording:
    """One episode as it is exported.

    Attributes:
        graphs: by frame id, the key frames at least.
        key_frames: their ids, in the order of time.
    """

    graphs: Mapping[str, Graph]
    key_frames: Sequence[str]


def run(command: EnactExport) -> int:
    """Carry out the command; returns the exit code: 1 where some of the data could not be read.

    Raises:
        ValueError, OSError: `out` exists, nothing can be read, or a file cannot be written.
    """
    if command.out.exists():
        raise ValueError(f"{command.out}: exists already; give a new folder")
    store = open_store(command.segmented_data, command.raw_data, command.pack)
    told: set[str] = set()
    if command.questions is None:
        made, complete = qa.questions(store, DEFAULT)
        told.update(store.problems)
    else:
        found = load_qa(command.questions)
        made, complete = found.items, not found.faults
        for odd in shortened(found):
            say(odd)
    named: dict[str, set[str]] = {task: set(store.key_frames(task)) for task in store.tasks}
    for item in made:
        named.setdefault(item.task_name, set()).update(item.key_frame_ids)
    recordings = {}
    for task, frames in named.items():
        if graphs := store.graphs(task, frames):
            recordings[task] = Recording(graphs, [frame for frame in store.key_frames(task) if frame in graphs])
    for problem in dict.fromkeys(store.problems):
        if problem not in told:
            say(problem)
    export(command.out, recordings, made, images.recorded(command.raw_data))
    say(f"wrote {len(recordings)} tasks and {len(made)} questions to {command.out}")
    return 0 if complete and not store.problems else 1


def export(
    out: Path,
    recordings: Mapping[str, Recording],
    made: Sequence[Item],
    picture: images.Picture,
    *,
    labels: bool = True,
) -> None:
    """Write the tree.

    Args:
        out: new folder.
        recordings: episodes by task.
        made: the questions about them.
        picture: gives recorded frames.
        labels: burn them into the images of the questions.

    Raises:
        OSError: a file cannot be written; nothing is left then.
    """

    def shown(task: str, frame: str) -> Image.Image:
        return picture(task, frame) or images.blank()

    with atomic.folder(out) as work:
        for task, recording in recordings.items():
            raw, cut = work / "replayed_activities" / task, work / "segmented_activities" / task
            keys = {frame: recording.graphs[frame] for frame in recording.key_frames}
            _write(raw / GRAPHS, b"".join(encode(recording.graphs.items(), full=None)))
            _write(cut / SEGMENTED, b"".join(encode(keys.items())))
            for frame in recording.key_frames:
                data = images.png(shown(task, frame))
                for folder in (raw, cut):
                    _write(folder / DEFAULT.sensor / f"{int(frame):05d}.png", data)
        _write(work / "QA" / "enact_ordering.jsonl", qa.question_file(made))
        write_table(work / "QA" / "enact_ordering.parquet", made)
        qa.write_images(made, shown, work, labels=labels)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_table(path: Path, made: Sequence[Item]) -> None:
    """The questions as Parquet; without pyarrow only the JSON lines are there, and a message says so."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from jaxphys_adapters.tables import arrow_schema
    except ImportError:
        say("no Parquet file: pip install '.[data]' in the checkout brings what it needs")
        return
    table, whole = pa.Table.from_pylist([item.record() for item in made], schema=arrow_schema(COLUMNS)), BytesIO()
    pq.write_table(table, whole)
    atomic.write(path, whole.getvalue())
