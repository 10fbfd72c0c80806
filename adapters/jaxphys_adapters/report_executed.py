"""What robots made of answers, on the report page: films of executed plans with their outcomes, and how many ended how.

Reads the folders that `jaxphys execute` writes, wherever they lie below the data set. Films are drawn for the page from
the stored motions, one scene of each group. Files are untrusted: what cannot be read is left out and named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxphys_adapters import executed_films, films, frames, layout, motions
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.execution_files import EXECUTION, MOTION, OUTCOME, TALLY, told_of
from jaxphys_adapters.progress import bar
from jaxphys_adapters.report_explained import sentences
from jaxphys_adapters.report_prompt import thumbnail
from jaxphys_adapters.report_results import DEEPEST
from jaxphys_benchmarks.embodied import Filmed
from jaxphys_benchmarks.protocol import Benchmark, View

WIDTH_PX = 320
FPS = 15.0
"""Size and rate of films on the page."""
VIEW = 1
"""Which of a benchmark's kinds of film is shown, where it has several: one that looks on."""
SHOWN = 2
"""Folders whose films are shown; of all of them there are the counts."""


@dataclass(frozen=True)
class Run:
    """A folder of executed answers.

    Attributes:
        root: the folder. answers: whose they are. tally: counts by group.
        scenes: names of those that are whole, in the order of the data set.
    """

    root: Path
    answers: str
    tally: Mapping[str, Mapping[str, float]]
    scenes: tuple[str, ...]


def executed_section(
    benchmark: Benchmark, root: Path, ids: Sequence[str], elsewhere: Path | None = None, *, drawn: bool = True
) -> tuple[str, list[str]]:
    """Counts and films for each folder of executed answers, and what was left out; empty where nothing was executed.

    Args:
        benchmark: whose scenes they are. root: of the data set. ids: of its scenes. elsewhere: a further folder in
            which executed answers are looked for. drawn: whether there are films.

    Raises:
        ValueError: a scene of the data set is damaged.
    """
    runs, faults = _runs(benchmark, [root, *([] if elsewhere is None else [elsewhere])], ids)
    body = ""
    for number, run in enumerate(runs):
        body += f"<h3>Answers of {html.esc(run.answers)}</h3>{_counts(run)}"
        if drawn and number < SHOWN and isinstance(benchmark, Filmed):
            cards, more = _cards(benchmark, benchmark, root, run)
            body += f'<div class="card films">{cards}</div>' if cards else ""
            faults += more
    if not body:
        return "", faults
    note = "A simulated robot carried these answers out in the scenes that they are about."
    return f'<p class="note">{note}</p>{body}', faults


def _runs(benchmark: Benchmark, roots: Sequence[Path], ids: Sequence[str]) -> tuple[list[Run], list[str]]:
    """All folders of executed answers, those about most scenes first."""
    patterns = ["*/" * depth + EXECUTION for depth in range(DEEPEST + 1)]
    found: dict[Path, Run] = {}
    faults: list[str] = []
    for path in sorted({path for root in roots for pattern in patterns for path in root.glob(pattern)}):
        try:
            content, folder = layout.read_json(path), path.parent
            if content.get("benchmark") != benchmark.name:
                continue
            whole = tuple(name for name in ids if (folder / name / OUTCOME).is_file())
            tally = _tally(folder / TALLY) if (folder / TALLY).is_file() else {}
            found[folder.resolve()] = Run(folder, str(content.get("answers", folder.name)), tally, whole)
        except ValueError as error:
            faults.append(str(error))
    return sorted((run for run in found.values() if run.scenes), key=lambda run: -len(run.scenes)), faults


def _tally(path: Path) -> dict[str, dict[str, float]]:
    """Counts by group; ValueError where they are none."""
    try:
        return {str(group): {str(k): float(v) for k, v in row.items()} for group, row in layout.read_json(path).items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: no counts by group: {error}") from error


def _counts(run: Run) -> str:
    names = list(next(iter(run.tally.values()), {}))
    rows = [[group, *(f"{row.get(name, 0):g}" for name in names)] for group, row in run.tally.items()]
    heads = ["group", *(name.replace("_", " ") for name in names)]
    return f"<details><summary>All counts</summary>{html.table(heads, rows)}</details>" if rows else ""


def _cards(benchmark: Benchmark, filmed: Filmed, root: Path, run: Run) -> tuple[str, list[str]]:
    """A film of the first scene of each group whose motion was kept, with what came of it in words."""
    first: dict[str, str] = {}
    for scene in run.scenes:
        if (run.root / scene / MOTION).is_file():
            first.setdefault(scene.rpartition("/")[0], scene)
    figures, faults = "", list[str]()
    with bar(False, 0, len(first), f"films of {run.answers}") as advance:
        for scene in first.values():
            try:
                figures += _figure(benchmark, filmed, root, run, scene)
            except ValueError as error:
                faults.append(str(error))
            advance()
    return figures, faults


def _figure(benchmark: Benchmark, filmed: Filmed, root: Path, run: Run, scene: str) -> str:
    """A film to be played, and below it what came of it."""
    spec, labels = layout.read_scene(benchmark, root, scene)
    title, lines = told_of(run.root / scene / OUTCOME, spec)
    motion = motions.read(run.root / scene / MOTION)
    kinds = list(benchmark.films)
    kind = kinds[min(VIEW, len(kinds) - 1)]
    scale = min(1.0, WIDTH_PX / filmed.executed_picture(spec, labels, motion, View(benchmark.views[0])).width_px)
    film = executed_films.film(filmed, spec, labels, motion, kind, scale=scale, fps=FPS)
    poster = thumbnail(frames.png(film.only([len(film) // 2])), WIDTH_PX)
    body = html.video(films.encode(film), f"{scene}, carried out", poster)
    words = f"<strong>{html.esc(scene)}: {html.esc(title)}</strong>"
    return f"<figure>{body}<figcaption>{words}{sentences(lines)}</figcaption></figure>"
