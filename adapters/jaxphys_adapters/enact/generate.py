"""`jaxphys generate enact DIR`: simulate household episodes and make the questions, graphs and pictures of them.

Files are those of `folder`. An episode is simulated, turned into graphs and stored by a process of its own; its figures
are written last, so that a run which was cut off does only what is missing when the same command is given again, and
ends with the same bytes, but for the seconds that are told. A folder that was made otherwise, or by other code, is
refused. Exit codes: 0, all; 1, a skill of an episode failed or questions are fewer than wanted, which is told; 2,
nothing could be made.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters.enact import export, folder, packing, qa
from jaxphys_adapters.enact.episodes import Order, code_stamp, make_all, source_of, write
from jaxphys_adapters.enact.folder import (
    BENCHMARK,
    GRAPHS,
    MANIFEST,
    QUESTIONS,
    RECIPE,
    REPLAYED,
    SEGMENTED,
    TABLE,
)
from jaxphys_adapters.enact.pack import write_pack
from jaxphys_adapters.enact.store import open_store
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.own import read
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.episodes import dataset
from jaxphys_benchmarks.enact.items import Item
from jaxphys_benchmarks.enact.leaks import leaks
from jaxphys_benchmarks.enact.wordings import Encoding, Wording
from jaxphys_benchmarks.enact.world.spec import Hands
from jaxphys_benchmarks.workers import pool

Profile = Annotated[str, tyro.conf.arg(metavar="{release,paper}")]


@dataclass(frozen=True)
class EnactGenerate:
    """Simulate household episodes and ask about them: graphs, key frames, questions, pictures.

    Attributes:
        out: folder of the data set; made if missing, resumed if it holds part of this one.
        own: a TOML file with an activity of one's own, named as the file; may be repeated.
        activities: names, separated by commas; empty: the 29 published ones, or all with --all.
        all: every question that the episodes give, of all 36 activities, instead of the published numbers.
        seeds: episodes of each activity at most: further ones are made where the first gives too few questions. With
            --all, exactly so many.
        first_seed: of the first episode.
        hands: which hand does what one hand can do.
        samples: paths of each activity and number of frames.
        seed: of paths, shuffles and verbs.
        profile: how key frames are found: release or paper.
        encoding: how actions are told: natural, symbolic or emoji.
        noise_rate: share of the predicates in the texts of actions that are replaced by others.
        noise_seed: of the noise.
        contacts: the graphs also tell which hand touches what.
        pictures: draw the key frames.
        workers: processes; 0: one for each core.
        dry_run: tell which episodes would be made, and write nothing.
    """

    out: Annotated[Path, tyro.conf.Positional]
    own: Annotated[tuple[Path, ...], tyro.conf.UseAppendAction] = ()
    activities: str = ""
    all: bool = False
    seeds: int = dataset.SEEDS
    first_seed: int = 0
    hands: Hands = "alternate"
    samples: int = DEFAULT.qa.samples_per_activity_L
    seed: int = DEFAULT.qa.seed
    profile: Profile = DEFAULT.segmentation.profile
    encoding: Encoding = "natural"
    noise_rate: float = 0.0
    noise_seed: int = 0
    contacts: bool = False
    pictures: bool = True
    workers: int = 0
    dry_run: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        for name, least in (("seeds", 1), ("samples", 1), ("first_seed", 0), ("seed", 0), ("workers", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: {getattr(self, name)}; give a whole number >= {least}")

    def config(self) -> EnactConfig:
        """All choices behind the episodes and the questions.

        Raises:
            ValueError: the profile is unknown.
        """
        given = {"qa": {"samples_per_activity_L": self.samples, "seed": self.seed}}
        given["segmentation"] = {"profile": self.profile}  # type: ignore[dict-item]
        return EnactConfig.model_validate(given)


def run(command: EnactGenerate) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: an unknown activity, a folder of another data set, or a file that cannot be written.
    """
    texts = _texts(command.own)
    own = {name: read(name, text) for name, text in texts}
    names = chosen(command, own)
    config, wording = command.config(), Wording(command.encoding, command.noise_rate, command.noise_seed)
    if command.dry_run:
        say(f"{len(names)} activities, up to {command.seeds} episodes each; nothing is written: {', '.join(names)}")
        return 0
    atomic.make_folder(command.out)
    _claim(command, config, wording, names, texts)
    folder.tidy(command.out)
    start = time.perf_counter()
    figures = _episodes(command, names, config, texts)
    clock = time.perf_counter()
    sources = {name: [source_of(command.out, row, config) for row in rows] for name, rows in figures.items()}
    made = list(dataset.questions(sources, config, wording, None if command.all else dataset.PUBLISHED))
    if not made:
        raise ValueError("no questions: the episodes have too few key frames; take other activities or more seeds")
    _store_questions(command.out, made)
    store = open_store(command.out / SEGMENTED, command.out / REPLAYED, None)
    write_pack(command.out / GRAPHS, packing.make_pack(store))
    seconds = {"episodes": clock - start, "questions": time.perf_counter() - clock}
    if command.pictures:
        from jaxphys_adapters.enact import frames

        clock = time.perf_counter()
        tasks = [row["task"] for rows in figures.values() for row in rows]
        # The driver draws on all cores; a second process would only start another one.
        with book.registered(*own.values()):
            frames.render_all(command.out, tasks, config, workers=1)
        seconds["pictures"] = time.perf_counter() - clock
    return _finish(command, config, wording, figures, made, seconds)


def _texts(paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Names and texts of own activities; ValueError names the file at fault."""
    found: dict[str, str] = {}
    for path in paths:
        if path.stem in found:
            raise ValueError(f"own: {path}: another file is called {path.stem!r} too; rename one")
        try:
            found[path.stem] = path.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"own: {path}: this is no UTF-8 text ({error.reason})") from None
    return tuple(found.items())


def chosen(command: EnactGenerate, own: Mapping[str, Activity]) -> list[str]:
    """Names of the activities, sorted; own ones alone where no other is asked for.

    Args:
        command: what was asked. own: activities that were brought along.

    Raises:
        ValueError: one is unknown, or the name of an own one is taken.
    """
    for name in own:
        if name in book.BUILT_IN:
            raise ValueError(f"own: the name {name!r} is taken; rename the file")
    asked = [name.strip() for name in command.activities.split(",") if name.strip()]
    if not asked and not own:
        return sorted(book.BUILT_IN if command.all else book.PUBLISHED)
    return sorted({*own, *(book.activity(name).name for name in asked if name not in own)})


def _claim(
    command: EnactGenerate,
    config: EnactConfig,
    wording: Wording,
    names: Sequence[str],
    own: Sequence[tuple[str, str]],
) -> None:
    """Say in the folder what it is going to hold; refuse one that holds something else."""
    path = command.out / RECIPE
    told = {
        "made_by": code_stamp(),
        "config_hash": config.config_hash,
        "wording": asdict(wording),
        "activities": list(names),
        "seeds": [command.first_seed, command.seeds],
        "all": command.all,
        "hands": command.hands,
        "contacts": command.contacts,
        "own": own,
    }
    recipe = json.dumps(told, sort_keys=True)
    if path.is_file():
        if path.read_text("utf-8", errors="replace") != recipe:
            raise ValueError(
                f"{command.out}: holds episodes of other options, or of another version of this program; give another "
                "folder, or the same options"
            )
        return
    if any(name for name in os.listdir(command.out) if not name.startswith(atomic.PREFIX)):
        raise ValueError(f"{command.out}: holds other files; give a new or empty folder")
    atomic.write(path, recipe.encode())


def _episodes(
    command: EnactGenerate, names: Sequence[str], config: EnactConfig, own: tuple[tuple[str, str], ...]
) -> dict[str, list[dict[str, Any]]]:
    """Figures of the episodes of each activity; in rounds, each with a further seed where questions are missing."""
    numbers = {name: k for k, name in enumerate(book.names())}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    with pool(command.workers or os.cpu_count() or 1) as processes:
        left = list(names)
        for turn in range(command.seeds):
            orders = []
            for name in left:
                spec = dataset.spec_for(name, numbers.get(name, 0), command.first_seed + turn)
                spec = spec.model_copy(update={"hands": command.hands})
                orders.append(Order(spec, config, command.contacts, command.out, own))
            for name, figures in zip(left, make_all(processes, orders, f"episodes, round {turn + 1}"), strict=True):
                found[name].append(figures)
            if not command.all:
                left = [
                    name
                    for name in left
                    if dataset.lacking([source_of(command.out, row, config) for row in found[name]], config)
                ]
            if not left:
                break
    return found


def _store_questions(out: Path, made: Sequence[Item]) -> None:
    write(out / QUESTIONS, qa.question_file(made))
    export.write_table(out / TABLE, made)


def _finish(
    command: EnactGenerate,
    config: EnactConfig,
    wording: Wording,
    figures: Mapping[str, Sequence[Mapping[str, Any]]],
    made: Sequence[Item],
    seconds: Mapping[str, float],
) -> int:
    """Write the manifest and say what there is; returns the exit code."""
    rows = [row for some in figures.values() for row in some]
    counts: dict[str, int] = {}
    for item in made:
        counts[str(len(item.key_frame_ids))] = counts.get(str(len(item.key_frame_ids)), 0) + 1
    told = {
        "benchmark": BENCHMARK,
        "config_hash": config.config_hash,
        "wording": asdict(wording),
        "contacts": command.contacts,
        "questions": len(made),
        "questions_by_frames": counts,
        "seconds": {name: round(value, 2) for name, value in seconds.items()},
        "leaks": [{**asdict(one), "within": one.within} for some in leaks(made) for one in some],
        "config": config.model_dump(mode="json"),
        "episodes": rows,
    }
    write(command.out / MANIFEST, json.dumps(told, indent=1).encode())
    failed = [f"{row['task']}: {failure}" for row in rows for failure in row["failures"]]
    for told_failure in failed[:10]:
        say(f"a skill failed: {told_failure}")
    say(f"wrote {len(made)} questions about {len(rows)} episodes to {command.out}")
    short = _short(command, counts)
    if short:
        say(f"fewer questions than published: {short}")
    return 1 if failed or short else 0


def _short(command: EnactGenerate, counts: Mapping[str, int]) -> str:
    """Which lengths have fewer questions than the published set, in words; only of the default set."""
    if command.all or command.activities or command.own or command.samples != DEFAULT.qa.samples_per_activity_L:
        return ""
    missing = {n: 2 * wanted - counts.get(str(n), 0) for n, wanted in dataset.PUBLISHED.items()}
    return ", ".join(f"{lack} of {n} frames" for n, lack in missing.items() if lack > 0)
