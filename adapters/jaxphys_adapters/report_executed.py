"""What robots made of answers, on the report page: films of executed plans with their outcomes, and how many ended how.

Reads the folders that `jaxphys execute` writes, wherever they lie below the data set. Films are drawn for the page from
the stored motions, one scene of each group. Files are untrusted: what cannot be read is left out and named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxphys_adapters import executed_films, films, frames, layout, motions
from jaxphys_adapters import report_parts as html
from jaxphys_adapters import report_words as words
from jaxphys_adapters.execution_files import EXECUTION, MOTION, OUTCOME, TALLY, outcome_of, told_of
from jaxphys_adapters.progress import bar
from jaxphys_adapters.report_explained import sentences
from jaxphys_adapters.report_limits import in_full, kinds
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
WHOLE = "all"
"""Name of the row of counts over all groups."""


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
        body += f"<h3>Answers of {html.esc(run.answers)}</h3>{_counts(run)}{_why(benchmark, root, run)}"
        if drawn and number < SHOWN and isinstance(benchmark, Filmed):
            cards, more = _cards(benchmark, benchmark, root, run)
            body += f'<div class="films acted">{cards}</div>' if cards else ""
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
    """How many ended how: all of them first, then by group."""
    if not run.tally:
        return ""
    names = list(next(iter(run.tally.values())))
    rows = sorted(run.tally.items(), key=lambda item: item[0] != WHOLE)
    cells = "".join(
        f'<tr class="{"whole" if group == WHOLE else ""}"><th>{html.esc(words.plain(group))}</th>'
        + "".join(f"<td>{_count(row, name)}</td>" for name in names)
        + "</tr>"
        for group, row in rows
    )
    heads = "".join(f"<th>{html.esc(words.TALLY.get(name, words.plain(name)))}</th>" for name in names)
    return (
        f'<div class="scroll card outcomes"><table><thead><tr><th>group</th>{heads}</tr></thead>'
        f"<tbody>{cells}</tbody></table></div>"
    )


def _count(row: Mapping[str, float], name: str) -> str:
    """A count; a dash where there is nothing that it could be a part of."""
    whole = words.PART_OF.get(name, "")
    return "–" if whole in row and not row[whole] else f"{row.get(name, 0):g}"


def _why(benchmark: Benchmark, root: Path, run: Run) -> str:
    """What explains the counts: the time that a robot has, and how it catches."""
    left = []
    for scene in run.scenes:
        spec, labels = layout.read_scene(benchmark, root, scene)
        when = None if benchmark.statuses(spec, labels)[-1] else benchmark.row(spec, labels).get("tti")
        left += [] if when is None else [float(when)]
    told = []
    if left:
        least, most = (f"{value:.2f}" for value in (min(left), max(left)))
        told.append(f"From the freeze to the event there are {least}{'' if least == most else f' to {most}'} s.")
    if over := sum(value <= 0 for value in left):
        told.append(
            f"In {over} of {len(left)} scenes the event lies before the freeze, and nothing can be done any more."
        )
    whole = run.tally.get(WHOLE, {})
    if whole.get("caught", 0) < whole.get("catch", 0):
        told.append(words.WHY_MISSED)
    return f'<p class="note">{html.esc(" ".join(told))}</p>' if told else ""


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
    head = f"<h3>{html.esc(words.plain(scene.rpartition('/')[0]))}: {html.esc(title)}</h3>"
    found = outcome_of(run.root, scene).get("findings")
    findings = [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
    return (
        f'<figure class="card">{body}<figcaption>{head}<p class="note">{html.esc(scene)}</p>'
        f"{sentences(_in_short(lines, findings))}{_folded(findings)}</figcaption></figure>"
    )


def _in_short(lines: Sequence[tuple[str, str]], findings: Sequence[str]) -> list[tuple[str, str]]:
    """The told lines, that of all limits replaced by one for each kind of them."""
    told: list[tuple[str, str]] = []
    for head, sentence in lines:
        if findings and sentence == "; ".join(findings):
            told += [("" if k else head, line) for k, line in enumerate(kinds(findings))]
        else:
            told.append((head, sentence))
    return told


def _folded(findings: Sequence[str]) -> str:
    """Every finding, where the lines above hold several in one."""
    if len(findings) == len(kinds(findings)):
        return ""
    rows = "".join(f"<li>{html.esc(html.shorten(line))}</li>" for line in in_full(findings))
    return f"<details><summary>All {len(findings)} limits met</summary><ul>{rows}</ul></details>"
