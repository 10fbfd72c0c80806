"""`jaxphys enact qa`: questions from key frames, as a question file with its images.

`OUT.jsonl` holds one question a line; images lie under the folder that holds `QA/`, where their paths say. Without
recorded frames the questions are written all the same, and a message says so. Tasks that cannot be read are named and
left out. Exit codes: 0, all tasks; 1, some were left out, or images are missing; 2, nothing could be made.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Annotated

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters.enact import images
from jaxphys_adapters.enact.store import Store, open_store
from jaxphys_adapters.progress import bar, say
from jaxphys_benchmarks.enact import items
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.items import Item
from jaxphys_benchmarks.enact.wordings import Encoding, Wording


@dataclass(frozen=True)
class EnactQa:
    """Make ENACT questions, forward and inverse, from the key frames of recorded activities."""

    input_root: Annotated[Path, tyro.conf.Positional] = Path("data/segmented_activities")
    """Folder of segmented scene graphs."""
    raw_data_dir: Annotated[Path, tyro.conf.Positional] = Path("data/replayed_activities")
    """Folder of replayed scene graphs and frames."""
    output_file: Annotated[Path, tyro.conf.Positional] = Path("data/QA/enact_ordering.jsonl")
    """Question file."""
    seed: int = DEFAULT.qa.seed
    """Of paths, shuffles and verbs."""
    num_to_sample: int = DEFAULT.qa.samples_per_activity_L
    """Paths of each activity and number of frames."""
    pack: Path | None = None
    """Pack of graphs, made by `jaxphys enact pack`; frames still come from the folder of replayed activities."""
    encoding: Encoding = "natural"
    """How actions are told: as sentences, symbols or emoji."""
    noise_rate: float = 0.0
    """Share of the predicates in the texts of actions that are replaced by others."""
    noise_seed: int = 0
    """Of the noise."""
    labels: bool = DEFAULT.qa.labels
    """Burn labels into the images."""
    dry_run: bool = False
    """Only tell how many questions there would be."""


def run(command: EnactQa) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: bad option, no graphs, no question at all, or a file cannot be written.
    """
    if command.seed < 0 or command.num_to_sample < 1:
        raise ValueError("seed: give a number >= 0; num-to-sample: give a number >= 1")
    qa = DEFAULT.qa.model_copy(update={"seed": command.seed, "samples_per_activity_L": command.num_to_sample})
    config = DEFAULT.model_copy(update={"qa": qa})
    store = open_store(command.input_root, command.raw_data_dir, command.pack)
    wording = Wording(command.encoding, command.noise_rate, command.noise_seed)
    made, complete = questions(store, config, wording)
    counts = Counter(item.type for item in made)
    for kind in sorted(counts, key=lambda name: (len(name), name)):
        say(f"  {counts[kind]:>5} {kind}")
    if command.dry_run:
        say(f"{len(made)} questions; nothing is written")
        return 0 if complete else 1
    out = command.output_file
    root = out.parent.parent if out.parent.name == "QA" else out.parent
    atomic.make_folder(out.parent)
    # What asks about images comes last: a run that was cut off leaves no questions without them.
    missing = write_images(made, images.recorded(command.raw_data_dir, config.sensor), root, labels=command.labels)
    atomic.write(out, question_file(made))
    say(f"wrote {len(made)} questions to {out}")
    if missing:
        say(f"{missing} images could not be made: {command.raw_data_dir} lacks the frames of {config.sensor}")
    return 0 if complete and not missing else 1


def questions(store: Store, config: EnactConfig, wording: Wording = items.NATURAL) -> tuple[Sequence[Item], bool]:
    """The questions of a store, and whether every task gave what it could.

    Args:
        store: of the graphs.
        config: how many, and the seed.
        wording: how actions are told.

    Raises:
        ValueError: there is not one question.
    """
    episodes, key_frames = {}, {}
    first = len(store.problems)
    for task in store.tasks:
        graphs = store.graphs(task, None)
        if graphs:
            episodes[task] = Episode(graphs, config)
            key_frames[task] = tuple(frame for frame in store.key_frames(task) if frame in graphs)
    made = list(items.questions(episodes, key_frames, config, wording))
    problems = list(dict.fromkeys(store.problems[first:]))  # files are opened more than once
    asked = {item.task_name for item in made}
    problems += [
        f"task {task}: no path over its {len(key_frames[task])} key frames" for task in sorted(episodes.keys() - asked)
    ]
    for problem in problems:
        say(problem)
    for task, episode in episodes.items():
        for warning in episode.warnings:
            say(f"task {task}: {warning}")
    if not made:
        raise ValueError("no questions: " + (problems[0] if problems else "there is no task with key frames"))
    return made, not problems


def question_file(made: Sequence[Item]) -> bytes:
    """The bytes of a question file.

    Args:
        made: the questions.
    """
    return b"".join(json.dumps(item.record(), ensure_ascii=False).encode() + b"\n" for item in made)


def write_images(made: Sequence[Item], picture: images.Picture, root: Path, *, labels: bool = True) -> int:
    """Write the images of questions; returns how many could not be had.

    Args:
        made: the questions.
        picture: gives the frames.
        root: folder that holds `QA/`.
        labels: burn them in.

    Raises:
        OSError: a file cannot be written.
    """
    missing, count = 0, sum(len(item.images) for item in made)
    say(f"{count} images of {len(made)} questions")
    with bar(False, 0, count, "images") as advance:
        # Questions of one task show the same frames under the same labels again and again: task by task, each is drawn
        # once, and no more of them are held than those of a task.
        for task, some in groupby(sorted(made, key=lambda item: item.task_name), lambda item: item.task_name):
            drawn = _drawing(picture, task, labels=labels)
            for item in some:
                if len(item.images) != len(item.key_frame_ids):
                    missing += len(item.images)
                    continue
                for path, (frame, label) in zip(item.images, item.shown(), strict=True):
                    content = drawn(frame, label)
                    if content is None:
                        missing += 1
                    else:
                        atomic.make_folder((root / path).parent)
                        atomic.write(root / path, content)
                    advance()
    return missing


def _drawing(picture: images.Picture, task: str, *, labels: bool) -> Callable[[str, str], bytes | None]:
    """(frame, label) -> the PNG file of it, None where the frame cannot be had; drawn once."""

    @cache
    def draw(frame: str, label: str) -> bytes | None:
        shown = picture(task, frame)
        return None if shown is None else images.png(images.labelled(shown, label) if labels else shown)

    return draw
