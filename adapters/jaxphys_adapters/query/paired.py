"""`jaxphys compare`: runs side by side on the questions that all of them were asked.

Reads what `jaxphys eval --out` and `jaxphys score --out` leave: metrics.json and scores.jsonl. Each run is compared
with the first: both accuracies, their difference with Newcombe's interval for pairs, and the exact McNemar test on the
questions that only one of them has right. A missing answer counts as wrong. What the benchmark itself has to say about
several runs comes after. Nothing is simulated or asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from jaxphys_adapters import layout
from jaxphys_adapters.query import results, scores_file, tables
from jaxphys_adapters.query.options import CompareOptions
from jaxphys_adapters.query.records import METRICS
from jaxphys_adapters.query.scores_file import Key
from jaxphys_adapters.query.variants import STYLE_MARK
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import Run, Score
from jaxphys_benchmarks.statistics import mcnemar, newcombe_paired

__all__ = ["CompareOptions", "Comparison", "Pair", "compare", "run"]


@dataclass(frozen=True)
class Finished:
    """A finished run: its name here, its model, what it was asked with, and the scores in the plain look."""

    name: str
    model: str
    benchmark: str
    extract: str
    seed: Any
    options: Mapping[str, Any]
    scores: Mapping[Key, Score]


@dataclass(frozen=True)
class Pair:
    """Two runs on common questions.

    Attributes:
        first, second: names of the runs. task: short name. group: "" is all of them.
        n: questions. accuracy_first, accuracy_second: shares that are right as a whole.
        difference, low, high: second minus first, with a 95 % interval.
        only_first, only_second: questions that one run alone has right.
        p: of the exact McNemar test.
    """

    first: str
    second: str
    task: str
    group: str
    n: int
    accuracy_first: float
    accuracy_second: float
    difference: float
    low: float
    high: float
    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True)
class Comparison:
    """What several runs say.

    Attributes:
        benchmark: name. models: by name of the run. common: questions that all runs were asked.
        asked: how many questions each run was asked, by name.
        groups: of all runs.
        pairs: each further run against the first, by task and group.
        contrast: the benchmark's own metrics of several runs.
        notes: what else a reader must know.
    """

    benchmark: str
    models: Mapping[str, str]
    common: int
    asked: Mapping[str, int]
    groups: Sequence[str]
    pairs: Sequence[Pair]
    contrast: Mapping[str, float]
    notes: Sequence[str]


def run(options: CompareOptions) -> int:
    """Compare, print the tables, and with `json` one object as the last line; returns 0.

    Raises:
        ValueError: as `compare`.
    """
    found = compare(options.runs)
    console = results.console()
    for table in (_pairs(found), tables.of_contrast(found.contrast, found.groups)):
        if table.row_count:
            console.print(table)
    for line in _legend(found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if options.json:
        print(results.one_line({**asdict(found), "models": dict(found.models)}), flush=True)
    return 0


def compare(folders: Sequence[Path]) -> Comparison:
    """Read runs and compare them.

    Raises:
        ValueError: fewer than two folders, one that cannot be read, different benchmarks, or no common question.
    """
    if len(folders) < 2:
        raise ValueError(f"runs: {len(folders)} given; give at least two folders of `jaxphys eval --out`")
    runs = [_read(folder, name) for folder, name in zip(folders, _names(folders), strict=True)]
    benchmarks = list(dict.fromkeys(one.benchmark for one in runs))
    if len(benchmarks) > 1:
        raise ValueError(f"runs: they belong to {' and '.join(benchmarks)}; compare runs of one benchmark")
    first = runs[0]
    common = [key for key in first.scores if all(key in one.scores for one in runs)]
    if not common:
        seeds = ", ".join(f"{one.name}: seed {one.seed}" for one in runs)
        raise ValueError(f"runs: no question was asked in all of them ({seeds}); ask about the same scenes")
    benchmark = registry.get(first.benchmark)
    return Comparison(
        benchmark=first.benchmark,
        models={one.name: one.model for one in runs},
        common=len(common),
        asked={one.name: len(one.scores) for one in runs},
        groups=sorted({score.group for one in runs for score in one.scores.values()}),
        pairs=[pair for other in runs[1:] for pair in _against(first, other, common)],
        contrast=benchmark.contrast({one.name: Run(one.options, list(one.scores.values())) for one in runs}),
        notes=_notes(runs, len(common)),
    )


def _read(folder: Path, name: str) -> Finished:
    if not (folder / METRICS).is_file():
        raise ValueError(
            f"{folder / METRICS}: no such file; a run is a folder that `jaxphys eval --out` or `jaxphys score --out`"
            " has finished"
        )
    content = layout.read_json(folder / METRICS)
    scores = scores_file.read(folder)
    try:
        return Finished(
            name=name,
            model=str(content["model"]),
            benchmark=str(content["benchmark"]),
            extract=str(content["extract"]),
            seed=content["seed"],
            options=dict(content["options"]),
            scores={key: score for key, score in scores.items() if STYLE_MARK not in key[0]},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / METRICS}: not the metrics of a run ({type(error).__name__}: {error})") from None


def _names(folders: Sequence[Path]) -> list[str]:
    """Last parts of the paths, as many as tell them apart."""
    whole = [folder.resolve().parts for folder in folders]
    if len(set(whole)) < len(whole):
        raise ValueError("runs: a folder is given twice; give each once")
    depth = 1
    while len({parts[-depth:] for parts in whole}) < len(whole):
        depth += 1
    return ["/".join(parts[-depth:]) for parts in whole]


def _against(first: Finished, second: Finished, common: Sequence[Key]) -> list[Pair]:
    """One pair for every task, and where there are several groups, for every task in each."""
    by_place: dict[tuple[str, str], list[Key]] = {}
    for key in common:
        by_place.setdefault((first.scores[key].task, ""), []).append(key)
    groups = list(dict.fromkeys(first.scores[key].group for key in common))
    for key in common if len(groups) > 1 else ():
        by_place.setdefault((first.scores[key].task, first.scores[key].group), []).append(key)
    return [_pair(first, second, task, group, keys) for (task, group), keys in by_place.items()]


def _pair(first: Finished, second: Finished, task: str, group: str, keys: Sequence[Key]) -> Pair:
    right = [(_right(first.scores[key]), _right(second.scores[key])) for key in keys]
    both, only_first, only_second, neither = (
        right.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))
    )
    low, high = newcombe_paired(both, only_second, only_first, neither)
    n = len(keys)
    return Pair(
        first.name, second.name, task, group, n,
        (both + only_first) / n, (both + only_second) / n,
        (only_second - only_first) / n, low, high,
        only_first, only_second, mcnemar(only_first, only_second),
    )  # fmt: skip


def _right(score: Score) -> bool:
    return score.values.get("exact", 0.0) >= 1.0


def _notes(runs: Sequence[Finished], common: int) -> list[str]:
    notes = []
    if any(len(one.scores) != common for one in runs):
        asked = ", ".join(f"{one.name} {len(one.scores)}" for one in runs)
        notes.append(f"Not all questions are common ({asked}); a question is the same if its id and its scene are.")
    extractors = list(dict.fromkeys(one.extract for one in runs))
    if len(extractors) > 1:
        notes.append(f"Replies were read by different extractors: {', '.join(extractors)}.")
    differing = sorted({name for one in runs for name in one.options if one.options[name] != runs[0].options.get(name)})
    if differing:
        notes.append(f"The runs differ in {', '.join(differing)}.")
    return notes


def _pairs(found: Comparison) -> Table:
    names = list(found.models)
    table = Table(title=f"{names[0]} ({found.models[names[0]]}) and the others, {found.common} common questions")
    table.title_justify, table.box, table.padding = "left", SIMPLE_HEAD, (0, 1, 0, 0)
    for heading in ("run", "task", "group"):
        table.add_column(heading, no_wrap=True)
    for heading in ("n", "first", "run", "difference", "95 % interval", "only first", "only run", "p"):
        table.add_column(heading, justify="right")
    for pair in found.pairs:
        table.add_row(
            pair.second, pair.task, pair.group or "all", str(pair.n),
            tables.number(pair.accuracy_first), tables.number(pair.accuracy_second), f"{pair.difference:+.3f}",
            f"{pair.low:+.3f} to {pair.high:+.3f}", str(pair.only_first), str(pair.only_second), f"{pair.p:.4g}",
        )  # fmt: skip
    return table


def _legend(found: Comparison) -> list[str]:
    return [
        "'first' and 'run' are shares of questions that are right as a whole; the difference is run minus first, with"
        " Newcombe's interval for pairs; p is of the exact McNemar test, not corrected for the number of rows.",
        *found.notes,
    ]
