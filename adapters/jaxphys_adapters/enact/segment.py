"""`jaxphys enact segment`: find the key frames of recorded activities, write them in the layout of the reference.

For each `{task}/scene_graph_0.json` of the input folder, `{task}/segmented_scene_graph_0.json` in the output folder
holds the key frames: the first in full, each other one relative to the one before. Images of key frames are copied
where the recording has them. An activity that cannot be read does not stop the others. Exit codes: 0, all went well;
1, something was broken or too short and is named; 2, no activity could be segmented.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters.enact.graph_file import encode, open_graphs
from jaxphys_adapters.enact.store import GRAPHS, SEGMENTED
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact import names as naming
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.facts import fact_table
from jaxphys_benchmarks.enact.graph import Graph
from jaxphys_benchmarks.enact.segmentation import key_frames, kinds_of


@dataclass(frozen=True)
class EnactSegment:
    """Find the key frames of recorded ENACT activities."""

    input_root: Annotated[Path, tyro.conf.Positional] = Path("data/replayed_activities")
    """Folder of replayed activities."""
    output_root: Annotated[Path, tyro.conf.Positional] = Path("data/segmented_activities")
    """Folder that takes the segmented ones."""
    profile: Literal["release", "paper"] = DEFAULT.segmentation.profile
    """Rules: those that the released data follow, or those of the paper."""
    dry_run: bool = False
    """Only tell the key frames."""


def run(command: EnactSegment) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: there is no activity, none could be segmented, or the output cannot be written.
    """
    segmentation = DEFAULT.segmentation.model_copy(update={"profile": command.profile})
    config = DEFAULT.model_copy(update={"segmentation": segmentation})
    done = segment(command.input_root, command.output_root, config, dry_run=command.dry_run, tell=_say)
    if all(one.failed for one in done):
        raise ValueError(f"no activity of {command.input_root} could be segmented")
    written = "nothing is written" if command.dry_run else f"wrote them to {command.output_root}"
    say(f"{sum(len(one.key_frames) for one in done)} key frames of {len(done)} activities; {written}")
    return 1 if any(one.problems for one in done) else 0


def _say(one: "Segmented") -> None:
    for problem in one.problems:
        say(problem)
    if not one.failed:
        ends = f", {one.key_frames[0]} to {one.key_frames[-1]}" if one.key_frames else ""
        say(f"  {one.task}: {one.frames} frames, {len(one.key_frames)} key frames{ends}")


@dataclass
class Segmented:
    """What became of one activity.

    Attributes:
        task: its name.
        frames: how many frames it has.
        key_frames: ids of the key frames.
        images: how many images were copied.
        problems: what was wrong, in words.
        failed: nothing could be read or written.
    """

    task: str
    frames: int = 0
    key_frames: tuple[str, ...] = ()
    images: int = 0
    problems: list[str] = field(default_factory=list)
    failed: bool = False


def segment(
    input_root: Path,
    output_root: Path,
    config: EnactConfig = DEFAULT,
    *,
    dry_run: bool = False,
    tell: Callable[[Segmented], None] = lambda one: None,
) -> list[Segmented]:
    """Segment all activities of a folder, sorted by name.

    Args:
        input_root: folder of the replayed activities.
        output_root: folder that takes the segmented ones.
        config: profile and thresholds.
        dry_run: find key frames, and write nothing.
        tell: called after each activity.

    Raises:
        ValueError: the input folder holds no activity.
    """
    tasks = sorted(path.parent.name for path in input_root.glob(f"*/{GRAPHS}"))
    if not tasks:
        raise ValueError(f"{input_root} holds no activity: no {{task}}/{GRAPHS}")
    done = []
    for task in tasks:
        one = Segmented(task)
        try:
            _segment(one, input_root / task, output_root / task, config, dry_run)
        except (OSError, ValueError) as error:
            one.problems.append(f"{task}: {error}")
            one.failed = True
        tell(one)
        done.append(one)
    return done


def _segment(one: Segmented, source: Path, target: Path, config: EnactConfig, dry_run: bool) -> None:
    with open_graphs(source / GRAPHS) as file:
        categories: dict[str, str] = {}
        table = fact_table(_noted(file.stream(), categories))
        one.frames = len(table.ids)
        one.problems += file.problems
        if not table.ids:
            raise ValueError(f"{file.path} holds no frame that can be read")
        keep = config.names.extra_keep_words
        names = {name for *pair, _ in table.vocabulary for name in pair}
        spoken = {name: naming.words(name, categories.get(name), keep) for name in names}
        kinds = kinds_of(table.vocabulary, spoken.__getitem__)
        places = key_frames(table.ids, table.facts, config.segmentation, kinds)
        by_number = {int(frame): frame for frame in file.ids}
        one.key_frames = tuple(by_number[place] for place in places)
        if not places:
            needed = config.segmentation.release.skip_first + config.segmentation.release.warmup
            one.problems.append(f"{one.task}: {one.frames} frames have no key frame; at least {needed} are needed")
        if dry_run:
            return
        atomic.make_folder(target)
        atomic.write(target / SEGMENTED, b"".join(encode(file.graphs(one.key_frames).items())))
    images = source / config.sensor
    for frame in one.key_frames:
        image = images / f"{int(frame):05d}.png"
        if image.is_file():
            (target / config.sensor).mkdir(exist_ok=True)
            atomic.write(target / config.sensor / image.name, image.read_bytes())
            one.images += 1


def _noted(frames: Iterator[tuple[str, Graph]], categories: dict[str, str]) -> Iterator[tuple[str, Graph]]:
    """The frames as they come; the first category of each object is noted."""
    for frame, graph in frames:
        for name, node in graph.nodes.items():
            categories.setdefault(name, node.category)
        yield frame, graph
