"""`jaxphys contact DIR --out FOLDER`: a contact sheet of each group of a data set, all of it at a glance.

A sheet is one PNG file, named after its group. Each row is one scene seen by one camera, its frames from left to right
with their times; of flat scenes it is their pictures. Frames are drawn for the sheet, so a data set without pictures
will do.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic, contact_sheet, frames, layout
from jaxphys_adapters.frames import Pixels
from jaxphys_adapters.progress import bar, say
from jaxphys_adapters.report_strips import band_of, named
from jaxphys_benchmarks.protocol import Benchmark, Spec, View
from jaxphys_benchmarks.stage import Stage


@dataclass(frozen=True)
class Contact:
    """Make contact sheets of a data set: one PNG file per group, scenes by rows, frames by columns."""

    data: Annotated[Path, tyro.conf.Positional]
    """Folder that `jaxphys generate` has made."""
    out: Path
    """Folder of the sheets; made if missing."""
    scenes: int = 4
    """Scenes of each group, from the first one on."""
    views: str = ""
    """Cameras, for example egocentric,overhead, or kinds of picture; empty: all that the benchmark has."""
    frames: int = 5
    """Frames of each film, spread evenly."""
    width: int = 256
    """Of a picture on the sheet (px)."""
    quiet: bool = False
    """No progress bar."""


def run(command: Contact) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: no data set or a damaged one, or an option out of its range.
        OSError: nothing here can draw a stage. StorageError: a sheet cannot be written.
    """
    from jaxphys_benchmarks import registry

    for name, least in (("scenes", 1), ("frames", 1), ("width", 16)):
        if getattr(command, name) < least:
            raise ValueError(f"{name}: {getattr(command, name)}; give at least {least}")
    data = layout.open_data_set(command.data)
    benchmark = registry.get(data.benchmark, **data.config["options"])
    kinds = kinds_of(benchmark, [name.strip() for name in command.views.split(",") if name.strip()])
    by_group: dict[str, list[str]] = {}
    for scene in layout.scene_ids_of(benchmark, data.root):
        by_group.setdefault(scene.rpartition("/")[0], []).append(scene)
    atomic.make_folder(command.out)
    with bar(command.quiet, 0, len(by_group), "sheets") as advance:
        for group, scenes in by_group.items():
            content = sheet(benchmark, data.root, scenes[: command.scenes], kinds, command.frames, command.width)
            atomic.write(command.out / f"{group}.png", content)
            advance()
    say(f"wrote {len(by_group)} contact sheets to {command.out}")
    return 0


def kinds_of(benchmark: Benchmark, asked: list[str]) -> list[str]:
    """Kinds of film, or of picture where there are no films, that are shown; a camera stands for its film.

    Raises:
        ValueError: an unknown one.
    """
    known = list(benchmark.films or benchmark.views)
    if not asked:
        return known
    found = [next((kind for kind in (name, f"{name}_film") if kind in known), name) for name in asked]
    strange = [name for name in found if name not in known]
    if strange:
        raise ValueError(f"views: {benchmark.name} has no {strange[0]!r}; choose from {', '.join(known)}")
    return found


def sheet(benchmark: Benchmark, root: Path, scenes: list[str], kinds: list[str], count: int, width_px: int) -> bytes:
    """The PNG file of a contact sheet.

    Args:
        benchmark: whose scenes they are. root: of the data set. scenes: ids, by rows. kinds: of film or picture.
        count: frames of each film. width_px: of a picture.

    Raises:
        ValueError: a scene is damaged.
    """
    shots: list[tuple[Pixels, str]] = []
    for scene in scenes:
        spec, labels = layout.read_scene(benchmark, root, scene)
        for kind in kinds:
            shots += _row(benchmark, spec, labels, kind, count, width_px)
    films = bool(benchmark.films)
    return contact_sheet.sheet(shots, min(count, *(benchmark.films[kind] for kind in kinds)) if films else len(kinds))


def _row(
    benchmark: Benchmark, spec: Spec, labels: Any, kind: str, count: int, width_px: int
) -> list[tuple[Pixels, str]]:
    """The frames of a film, or a picture, each with its caption."""
    whole = benchmark.picture(spec, labels, View(benchmark.views[0]))
    scale = width_px / whole.width_px
    parts = (spec.id.rpartition("/")[2], band_of(benchmark, spec, labels), named(kind))
    name = " ".join(part for part in parts if part)
    if kind not in benchmark.films:
        return [(frames.rasterise(benchmark.picture(spec, labels, View(kind, scale))), name)]
    from jaxphys_adapters import stages

    film = View(kind, scale, frames=min(count, benchmark.films[kind]))
    stage = benchmark.picture(spec, labels, film)
    if not isinstance(stage, Stage):
        raise TypeError(f"{kind}: a film is made of a Stage, not of a {type(stage).__name__}")
    return [(shot, f"{name} {time:.2f} s") for shot, time in zip(stages.render(stage), stage.times, strict=True)]
