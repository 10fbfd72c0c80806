"""`Plan`: what a data set shall hold, and the claim on a folder for it.

The first `scenes` ids in the order (index, group) belong to the set, so any number of scenes spreads evenly over the
groups. A shard takes every n-th index. `claim` writes `config.json` or checks that the folder holds the same plan.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.environment import equally_made, made_with
from jaxphys_benchmarks.protocol import Benchmark


@dataclass(frozen=True)
class Plan:
    """A data set to be made.

    Attributes:
        benchmark: with its options set.
        root: the folder.
        scenes: number of scenes in all, over the groups.
        seed: of the data set.
        options: of the benchmark, as given.
        pictures: draw them. backend: of the simulator. videos: store the films too.

    Raises:
        ValueError: fewer than one scene, a negative seed, bad options, or videos of a benchmark without films.
    """

    benchmark: Benchmark
    root: Path
    scenes: int
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    pictures: bool = True
    backend: str = "auto"
    videos: bool = False

    def __post_init__(self) -> None:
        """Check the numbers and the options before any work starts."""
        if self.scenes < 1:
            raise ValueError(f"scenes: {self.scenes}; give at least 1")
        if self.seed < 0:
            raise ValueError(f"seed: {self.seed}; give a whole number >= 0")
        self.benchmark.config_type(**self.options)
        if self.videos and not self.benchmark.films:
            raise ValueError(f"videos: {self.benchmark.name} has no films; leave --videos out")

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups, in the order of the benchmark."""
        return tuple(scene.rpartition("/")[0] for scene in self.benchmark.ids([0]))

    @property
    def views(self) -> tuple[str, ...]:
        """Kinds of picture that are stored."""
        return tuple(self.benchmark.views) if self.pictures else ()

    @property
    def films(self) -> tuple[str, ...]:
        """Kinds of film that are stored."""
        return tuple(self.benchmark.films) if self.videos else ()

    @property
    def per_group(self) -> int:
        """Scenes of the largest group."""
        return -(-self.scenes // len(self.groups))

    def ids(self, part: int = 0, parts: int = 1) -> dict[int, list[str]]:
        """Ids of the scenes of a shard by index, `part` from 0."""
        indices = range(part, self.per_group, parts)
        position = {group: place for place, group in enumerate(self.groups)}
        by_group: dict[str, list[str]] = {}
        for scene in self.benchmark.ids(indices):
            by_group.setdefault(scene.rpartition("/")[0], []).append(scene)
        return {
            index: [
                ids[row] for group, ids in by_group.items() if index * len(self.groups) + position[group] < self.scenes
            ]
            for row, index in enumerate(indices)
        }

    @property
    def renderer(self) -> str | None:
        """Name of what draws the pictures, None where they are flat or none are drawn.

        Raises:
            NoRendererError: nothing here can. ModuleNotFoundError: films are wanted, and what writes them is missing.
        """
        if not self.benchmark.films or not (self.pictures or self.films):
            return None
        from jaxphys_adapters import stages, video

        if self.films:
            video.library()
        return stages.choose()

    def record(self) -> dict[str, Any]:
        """What `config.json` says of the plan."""
        return {
            "format": layout.FORMAT,
            "benchmark": self.benchmark.name,
            "title": self.benchmark.title,
            "seed": self.seed,
            "scenes": self.scenes,
            "groups": list(self.groups),
            "pictures": list(self.views),
            "films": list(self.films),
            "backend": self.benchmark.backend(self.backend),
            "options": self.benchmark.config_type(**self.options).model_dump(mode="json"),
        }


def claim(plan: Plan, mixed: bool = False) -> None:
    """Write `config.json`, or check that the one there is of the same data set.

    Args:
        plan: what shall be made. mixed: accept, and record, that another part was made with other versions.

    Raises:
        ValueError: the folder holds something else; the text names what differs and what to do.
        StorageError: it cannot be written. NoRendererError, ModuleNotFoundError: as `Plan.renderer`.
    """
    path = plan.root / layout.CONFIG
    ours, now = plan.record(), made_with(plan.renderer)
    if not path.exists():
        strangers = [p.name for p in plan.root.iterdir() if not p.name.startswith(".")] if plan.root.is_dir() else []
        if strangers:
            raise ValueError(f"out: {plan.root} holds {strangers[0]!r} but no {layout.CONFIG}; choose another folder")
        atomic.make_folder(plan.root)
        atomic.write(path, layout.to_json(ours | {"made_with": [now]}))
        return
    theirs = layout.read_json(path)
    differing = _differences(theirs, ours)
    if differing:
        raise ValueError(f"out: {plan.root} holds another data set: {'; '.join(differing)}; choose another folder")
    makers = [maker for maker in theirs.get("made_with") or [] if isinstance(maker, dict)]
    if any(equally_made(maker, now) for maker in makers):
        return
    if not mixed:
        changed = [name for name, value in now.items() if all(m.get(name) != value for m in makers)]
        raise ValueError(
            f"out: {plan.root} was begun with other {', '.join(changed) or 'software'}, so equal bytes cannot be"
            " promised; use what it was begun with, another folder, or --mixed"
        )
    atomic.write(path, layout.to_json(ours | {"made_with": [*makers, now]}))


def _differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> list[str]:
    """What differs between two records, options one by one."""
    pairs = [
        (name, theirs.get(name, layout.ABSENT.get(name)), value) for name, value in ours.items() if name != "options"
    ]
    options = theirs.get("options")
    known = options if isinstance(options, dict) else {}
    pairs += [(name, known.get(name), value) for name, value in ours["options"].items()]
    return [f"{name} is {there!r} there, {asked!r} asked" for name, there, asked in pairs if there != asked]
