"""`jaxphys enact sheet DATA --out FOLDER`: steps of episodes for a person, before and after, with the words for them.

Steps are pairs of key frames that questions may ask about in one step, drawn by a seed from all episodes in turn. Each
page `sheet_%02d.png` shows some of them one below the other: both pictures, numbered, and what is said to have changed.
A person ticks those where the change is to be seen. `steps.jsonl` tells which they are.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Annotated

import numpy as np
import tyro
from PIL import Image, ImageDraw

from jaxphys_adapters import atomic
from jaxphys_adapters.enact import images
from jaxphys_adapters.enact.folder import GRAPHS, REPLAYED, check
from jaxphys_adapters.enact.store import Episodes, open_store
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.items import generator

TEXT_PX, LINE_PX, LETTERS, MARGIN_PX = 430, 24, 38, 10
"""Width of the column of text, height of a line, letters in a line, and the space around pictures."""
INK, FAINT = (20, 20, 20), (120, 120, 120)


@dataclass(frozen=True)
class EnactSheet:
    """Show steps of the episodes of a data set to a person: before, after, and what is said to have changed.

    Attributes:
        data: folder that `jaxphys generate enact` has made.
        out: new folder for the pages.
        steps: how many. per_page: of them on a page.
        frames: folder of other pictures of the key frames, as `jaxphys enact render` writes them.
        size_px: width of a picture on the page. seed: of the choice.
    """

    data: Annotated[Path, tyro.conf.Positional]
    out: Path
    steps: int = 50
    per_page: int = 5
    frames: Path | None = None
    size_px: int = 384
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        for name, least in (("steps", 1), ("per_page", 1), ("size_px", 64), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: {getattr(self, name)}; give a whole number >= {least}")


@dataclass(frozen=True)
class Step:
    """A step of an episode: from one key frame to a later one, and the sentences about it."""

    task: str
    before: str
    after: str
    sentences: tuple[str, ...]


def run(command: EnactSheet) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: no data set, no step or no picture, or `out` is not empty or cannot be written.
    """
    config = EnactConfig.model_validate(check(command.data)["config"])
    if command.out.exists():
        raise ValueError(f"{command.out}: exists already; give a new folder")
    store = open_store(Path(), Path(), command.data / GRAPHS)
    keys = {task: tuple(store.key_frames(task)) for task in store.tasks}
    episodes = Episodes(store, {task: set(frames) for task, frames in keys.items()})
    known = {task: episode for task in keys if (episode := episodes(task)) is not None}
    chosen = choose(known, keys, command.steps, command.seed)
    if not chosen:
        raise ValueError(f"{command.data}: no step that could be asked about")
    picture = images.recorded(command.frames or command.data / REPLAYED, config.sensor)
    with atomic.folder(command.out) as work:
        for number, first in enumerate(range(0, len(chosen), command.per_page)):
            some = chosen[first : first + command.per_page]
            shown = page(some, picture, command.size_px, first + 1)
            (work / f"sheet_{number:02d}.png").write_bytes(images.png(shown))
        rows = ({"number": k, "task": s.task, "before": s.before, "after": s.after, "sentences": s.sentences}
                for k, s in enumerate(chosen, start=1))  # fmt: skip
        (work / "steps.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    say(f"{len(chosen)} steps are in {command.out}")
    return 0


def choose(
    episodes: Mapping[str, Episode], key_frames: Mapping[str, Sequence[str]], count: int, seed: int
) -> list[Step]:
    """Steps from all episodes in turn, each once, in an order that depends on the seed alone.

    Args:
        episodes: by task. key_frames: their ids. count: steps at most. seed: of the choice.
    """
    rng = generator("steps", seed)
    tasks = [sorted(episodes)[int(k)] for k in rng.permutation(len(episodes))]
    left = {task: _steps(episodes[task], key_frames[task], task, rng) for task in tasks}
    found: list[Step] = []
    while left and len(found) < count:
        for task in list(left):
            step = next(left[task], None)
            if step is None:
                del left[task]
            elif len(found) < count:
                found.append(step)
    return found


def _steps(episode: Episode, frames: Sequence[str], task: str, rng: np.random.Generator) -> Iterator[Step]:
    """Steps from each key frame to the next one that a question may ask about, in a drawn order."""
    for k in rng.permutation(max(len(frames) - 1, 0)):
        before = frames[int(k)]
        for after in frames[int(k) + 1 :]:
            if episode.has_edge(before, after, "parentless"):
                told = episode.sentence_list(before, after, rng, "parentless")
                yield Step(task, before, after, tuple(told))
                break


def page(steps: Sequence[Step], picture: images.Picture, size_px: int, first: int) -> Image.Image:
    """A page of steps, one below the other.

    Args:
        steps: of the page. picture: gives recorded frames. size_px: width of one. first: number of the first step.

    Raises:
        ValueError: a picture is missing.
    """
    row, width = size_px + 2 * MARGIN_PX, 2 * size_px + 3 * MARGIN_PX + TEXT_PX
    sheet = Image.new("RGB", (width, row * len(steps)), (255, 255, 255))
    draw = ImageDraw.Draw(sheet)
    for k, step in enumerate(steps):
        top = k * row + MARGIN_PX
        for side, frame in enumerate((step.before, step.after)):
            shown = picture(step.task, frame)
            if shown is None:
                raise ValueError(f"frames: no picture of frame {frame} of {step.task}; run `jaxphys enact render`")
            sheet.paste(shown.resize((size_px, size_px)), (MARGIN_PX + side * (size_px + MARGIN_PX), top))
        left, line = 2 * size_px + 3 * MARGIN_PX, top
        heading = f"{first + k}. {step.task.rpartition('_')[0]}, {step.before} to {step.after}"
        for text, ink in ((heading, FAINT), *((f"- {sentence}", INK) for sentence in step.sentences)):
            for part in wrap(text, LETTERS):
                draw.text((left, line), part, ink, images.font(18))
                line += LINE_PX
    return sheet
