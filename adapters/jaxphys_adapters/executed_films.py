"""Films of executed answers: MP4 files of a robot that acts, one for each of a benchmark's kinds of film.

Public: `film`, `store`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, films
from jaxphys_benchmarks.embodied import Filmed, Motion
from jaxphys_benchmarks.protocol import Spec, View
from jaxphys_benchmarks.stage import Stage

FPS = 30.0
"""Frames per second unless told otherwise."""
SCALE = 0.5
"""Size over that of the pictures that models are shown, unless told otherwise."""
SUFFIX = ".mp4"


def film(
    benchmark: Filmed, spec: Spec, labels: Any, motion: Motion, kind: str, *, scale: float = SCALE, fps: float = FPS
) -> Stage:
    """A film of a motion, from its first frame to its last.

    Args:
        benchmark: whose scene it is. spec: the scene. labels: its truth, or None. motion: what moved in it.
        kind: of film. scale: size over that of pictures. fps: about how many of its frames are shown per second.

    Raises:
        ValueError: an unknown kind of film, a scale that leaves no pixel, or a rate that is not positive.
    """
    if not fps > 0:
        raise ValueError(f"fps: {fps:g}; give a number > 0")
    there, seconds = len(motion.times), float(motion.times[-1] - motion.times[0])
    frames = min(there, max(1, round(seconds * fps) + 1))
    return benchmark.executed_picture(spec, labels, motion, View(kind, scale, frames=frames))


def store(
    benchmark: Filmed,
    folder: Path,
    spec: Spec,
    labels: Any,
    motion: Motion,
    kinds: Sequence[str],
    *,
    scale: float = SCALE,
    fps: float = FPS,
) -> list[Path]:
    """Films of a motion as `<folder>/<kind>.mp4`; those that are there and whole are kept.

    Args:
        benchmark, spec, labels, motion, scale, fps: as for `film`. folder: that is there. kinds: of films.

    Raises:
        ValueError: as for `film`. StorageError: a file cannot be written. OSError: nothing here can draw.
        ModuleNotFoundError: PyAV is not installed.
    """
    paths = []
    for kind in kinds:
        path = folder / f"{kind}{SUFFIX}"
        if not (path.is_file() and films.is_whole(path.read_bytes())):
            atomic.write(path, films.encode(film(benchmark, spec, labels, motion, kind, scale=scale, fps=fps)))
        paths.append(path)
    return paths
