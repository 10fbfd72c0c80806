"""`jaxphys export DIR --out OUT`: a data set as parquet, or in another layout that its benchmark offers.

The folder appears whole or not at all, and an existing one is never touched. What the parquet layout holds is told in
`jaxphys_adapters.parquet`; the others are `Benchmark.layouts`, for example `clevrer` of inphyre.

`jaxphys export SCENE.json --mjcf FILE.xml` writes one rigid scene as MJCF, told in `jaxphys_adapters.mjcf`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic, films, frames, layout
from jaxphys_adapters.progress import bar, say
from jaxphys_benchmarks.protocol import Benchmark, Layout, Shown, Spec, View

PARQUET = "parquet"


@dataclass(frozen=True)
class Export:
    """Write a data set as parquet with pictures inside, a card and Croissant metadata, or in another layout.

    With `--mjcf`, write one rigid scene as a MuJoCo model instead.
    """

    data: Annotated[Path, tyro.conf.Positional]
    """Folder that `jaxphys generate` has made; or a rigid scene: a rigid_scene file, or scene.json of a data set."""
    out: Path | None = None
    """New folder for the export."""
    mjcf: Path | None = None
    """New MJCF file for the scene; MuJoCo loads it, and its keyframe starts the scene."""
    layout: str = PARQUET
    """parquet, or a layout of the benchmark, for example clevrer."""
    license: str = "cc-by-4.0"
    """Licence of the data, as the card of the parquet layout names it."""
    video_paths: bool = False
    """Parquet: put films beside the tables, which then hold their paths, instead of inside."""
    videos: bool = True
    """Other layouts: write the films; those that the data set does not hold are drawn now, which takes minutes a scene
    where they show the whole motion at 60 frames a second (`published` of reacthuman)."""
    quiet: bool = False
    """No progress bar."""


def run(command: Export) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: no or a damaged data set or scene, an unknown layout, or what is to be written exists.
        StorageError: it cannot be written.
    """
    if command.out is not None and command.mjcf is None:
        return _export_set(command, command.out)
    if command.mjcf is not None and command.out is None:
        from jaxphys_adapters.mjcf import export_scene

        export_scene(command.data, command.mjcf)
        say(f"wrote {command.mjcf}")
        return 0
    raise ValueError("out, mjcf: give --out FOLDER for a data set, or --mjcf FILE for a rigid scene")


def _export_set(command: Export, out: Path) -> int:
    """Write a data set."""
    from jaxphys_benchmarks import registry

    write = _tables() if command.layout == PARQUET else None
    data = layout.open_data_set(command.data)
    benchmark = registry.get(data.benchmark, **data.config["options"])
    known = (PARQUET, *benchmark.layouts)
    if command.layout not in known:
        raise ValueError(f"layout: {data.benchmark} has no {command.layout!r}; choose from {', '.join(known)}")
    if out.exists():
        raise ValueError(f"out: {out} exists already; choose a new folder, or remove it")
    if not layout.scene_ids(data.root):
        raise ValueError(f"{data.root}: holds no finished scenes; run `jaxphys generate` first")
    if write is not None:
        rows = write(data, out, licence=command.license, video_paths=command.video_paths, quiet=command.quiet)
        say(f"wrote {rows} rows to {out}")
        return 0
    chosen = benchmark.layouts[command.layout]
    count = arrange(data, benchmark, chosen, out, videos=command.videos, quiet=command.quiet)
    say(f"wrote {count} files to {out}")
    return 0


def _tables() -> Callable[..., int]:
    """The writer of the parquet layout; ModuleNotFoundError, before any work, where the extra is not installed."""
    from jaxphys_adapters.parquet import export

    return export


def arrange(
    data: layout.DataSet, benchmark: Benchmark, chosen: Layout, out: Path, *, videos: bool = True, quiet: bool = True
) -> int:
    """Write a data set in a layout of its benchmark; returns the number of files.

    Args:
        data: the data set. benchmark: whose it is. chosen: one of its layouts. out: new folder.
        videos: write the films. quiet: no progress bar.

    Raises:
        ValueError: a scene is damaged. StorageError: the folder cannot be written.
    """
    count = 0
    total = len(layout.scene_ids(data.root))
    with atomic.folder(out) as work, bar(quiet, 0, total, "scenes") as advance:
        for name, content in chosen(_counted(data, benchmark, advance)):
            if isinstance(content, Shown) and _is_film(name) and not videos:
                continue
            path = _inside(work, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_bytes_of(data, benchmark, name, content))
            count += 1
    return count


def _counted(data: layout.DataSet, benchmark: Benchmark, advance: Callable[[], None]) -> Iterator[tuple[Spec, Any]]:
    for scene in data.scenes(benchmark):
        yield scene
        advance()


def _inside(work: Path, name: str) -> Path:
    """Where a file of a layout lies.

    Raises:
        ValueError: outside the folder.
    """
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        raise ValueError(f"layout: the path {name!r} leads out of the folder")
    return work / relative


def _is_film(name: str) -> bool:
    return PurePosixPath(name).suffix == ".mp4"


def _bytes_of(
    data: layout.DataSet, benchmark: Benchmark, name: str, content: Mapping[str, Any] | Sequence[Any] | Shown
) -> bytes:
    """A file of a layout: JSON, or a picture or film, as it is stored or drawn now."""
    if not isinstance(content, Shown):
        return layout.to_json(content)
    spec, view = content.spec, content.view
    if not _is_film(name):
        return frames.png(benchmark.picture(spec, None, view))
    stored = data.root / spec.id / f"{view.kind}.mp4"
    if view == View(view.kind, frames=benchmark.films.get(view.kind, 0)) and stored.is_file():
        film = stored.read_bytes()
        if not films.is_whole(film):
            raise ValueError(f"{stored}: is no whole MP4 file; run `jaxphys generate` again")
        return film
    return films.encode(benchmark.picture(spec, None, view))
