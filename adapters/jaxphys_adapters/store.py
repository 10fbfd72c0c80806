"""Storing scenes and the reports of their groups: whole or not at all, equal bytes for equal input."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import atomic, films, frames, layout
from jaxphys_benchmarks.protocol import Benchmark, Spec, View
from jaxphys_kernels.status import count_bits, describe

REPORT_SCENES = 20_000
"""Scenes of a group that its report looks at; the report says how many it saw."""

_PNG_END = b"IEND\xaeB`\x82"


def is_whole(benchmark: Benchmark, root: Path, scene: str, pictures: Sequence[str], moving: Sequence[str] = ()) -> bool:
    """Whether a scene is finished: its files can be read, and it has these pictures and films; or it has failed."""
    folder = root / scene
    if not folder.is_dir():
        return layout.failed_file(root, scene).exists()
    try:
        layout.read_scene(benchmark, root, scene)
        pictured = all((folder / f"{kind}.png").read_bytes().endswith(_PNG_END) for kind in pictures)
        return pictured and all(films.is_whole((folder / f"{kind}.mp4").read_bytes()) for kind in moving)
    except (ValueError, OSError):
        return False


def store_scene(
    benchmark: Benchmark, root: Path, spec: Spec, labels: Any, pictures: Sequence[str], moving: Sequence[str] = ()
) -> Sequence[int]:
    """Store a scene with these kinds of pictures and films, or the record that it failed; replaces a damaged folder.

    Returns:
        The status words of its draws; the last one is its own.

    Raises:
        StorageError: the folder cannot be written, or the disk is full; nothing is left half-written.
    """
    statuses = benchmark.statuses(spec, labels)
    if statuses[-1]:
        path = layout.failed_file(root, spec.id)
        atomic.make_folder(path.parent)
        record = {"id": spec.id, "statuses": list(statuses), "why": describe(statuses[-1])}
        atomic.write(path, layout.to_json(record))
        return statuses
    folder = root / spec.id
    with atomic.folder(folder) as work:
        for name, content in benchmark.published(spec, labels).items():
            (work / name).write_bytes(layout.to_json(content))
        for kind in pictures:
            picture = frames.png(benchmark.picture(spec, labels, View(kind)), png_text(benchmark, spec, kind))
            (work / f"{kind}.png").write_bytes(picture)
        for kind in moving:
            film = films.encode(benchmark.picture(spec, labels, View(kind, frames=benchmark.films[kind])))
            (work / f"{kind}.mp4").write_bytes(film)
        if folder.is_dir() and not is_whole(benchmark, root, spec.id, pictures, moving):
            shutil.rmtree(folder)
    return statuses


def png_text(benchmark: Benchmark, spec: Spec, kind: str) -> dict[str, str]:
    """What a picture file says of itself, so that picture and scene stay paired."""
    return {"benchmark": benchmark.name, "scene": spec.id, "view": kind}


def store_reports(benchmark: Benchmark, root: Path, groups: Sequence[str]) -> None:
    """Write the report of each group, from the stored files, so that every way of making them gives the same bytes.

    Raises:
        ValueError: a stored scene cannot be read; the text names its folder.
        StorageError: as `store_scene`.
    """
    scenes, failed = layout.scene_ids(root), layout.failed_ids(root)
    for group in groups:
        ids = [scene for scene in scenes if scene.startswith(f"{group}/")]
        lost = [layout.read_json(layout.failed_file(root, s))["statuses"] for s in failed if s.startswith(f"{group}/")]
        pairs = [layout.read_scene(benchmark, root, scene) for scene in ids[:REPORT_SCENES]]
        facts: dict[str, Any] = {"group": group, "scenes": len(ids), "reported": len(pairs), "failed": len(lost)}
        facts["failed_by_status"] = count_bits(statuses[-1] for statuses in lost)
        if pairs:
            report = benchmark.report([spec for spec, _ in pairs], [labels for _, labels in pairs])[group]
            facts |= report.facts
            atomic.write(root / group / "report.png", frames.png(report.picture, {"benchmark": benchmark.name}))
        atomic.write(root / group / "report.json", layout.to_json(facts))
