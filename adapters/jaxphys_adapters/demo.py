"""`jaxphys demo`: the main job of every benchmark, from seed to report, with nothing but this package.

Generate scenes with exact labels and pictures, ask the built-in baselines about them through the query layer,
score the answers, and write one page per benchmark that a person can open. Where a benchmark has a robot, that carries
out one plan of each group, in scenes that leave it time, and a further page shows it. Some household episodes of ENACT
are simulated, asked about and shown as well.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.table import Table

from jaxphys_adapters import execute, generate, report_page
from jaxphys_adapters.enact import ask_model
from jaxphys_adapters.enact import generate as enact_generate
from jaxphys_adapters.enact import report as enact_report
from jaxphys_adapters.progress import say
from jaxphys_adapters.query import evaluate, reading, results
from jaxphys_benchmarks import advice, registry
from jaxphys_benchmarks.embodied import Filmed

SCENES = 50
"""How many scenes are made unless told otherwise, if none of them belong together."""

EPISODES = ("bringing_water", "chop_an_onion", "cook_hot_dogs")
PATHS = 4
"""Household activities that are simulated, and paths of each length through each."""


@dataclass(frozen=True)
class Demo:
    """Run the main job of every benchmark on a few scenes and write a report page of each."""

    out: Annotated[Path, tyro.conf.Positional] = Path("demo")
    """Folder for data sets, answers and pages; a second run resumes."""
    scenes: Annotated[int | None, tyro.conf.DisallowNone] = None
    """Scenes of each benchmark, spread over its groups; unset: 50, and of reacthuman 68, so that each of its
    17 families has all four speeds."""
    seed: int = 1
    """Seed of the scenes."""
    workers: int = 0
    """Processes that simulate household episodes; 0: one for each core."""


def run(command: Demo) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, StorageError: as the commands it is made of.
    """
    names = registry.names()
    count = len(names) + 1
    pages = [_run_benchmark(name, f"{k}/{count}", command) for k, name in enumerate(names, start=1)]
    pages.append([_run_episodes(f"{count}/{count} ENACT", command)])
    for page in chain.from_iterable(pages):
        say(f"open {page.resolve().as_uri()}")
    return 0


def _run_benchmark(name: str, place: str, command: Demo) -> list[Path]:
    """One benchmark from seed to pages, which are returned; `place` is that among all benchmarks, for people."""
    benchmark, data = registry.get(name), command.out / name
    where = f"{place} {benchmark.title}"
    scenes = advice.whole(benchmark, len(benchmark.ids([0])), SCENES) if command.scenes is None else command.scenes
    say(f"{where}: {scenes} scenes, their labels and pictures")
    generate.run(generate.Generate(benchmark=name, out=data, scenes=scenes, seed=command.seed))
    _compare(_ask_all(name, data, where))
    say(f"{where}: page")
    page = command.out / f"{name}.html"
    report_page.run(report_page.ReportPage(data=data, out=page))
    acted = _carry_out(name, benchmark.unhurried, where, command) if isinstance(benchmark, Filmed) else None
    return [page] if acted is None else [page, acted]


def _run_episodes(where: str, command: Demo) -> Path:
    """Household episodes from simulation to a page, which is returned; fewer where few scenes were asked for."""
    data = command.out / "enact"
    activities = EPISODES if command.scenes is None else EPISODES[: 1 + command.scenes // SCENES]
    say(f"{where}: {len(activities)} episodes, their graphs, key frames and pictures")
    asked = ",".join(activities)
    enact_generate.run(
        enact_generate.EnactGenerate(
            data, activities=asked, samples=PATHS, seeds=1, first_seed=command.seed, workers=command.workers
        )
    )
    for model in ("oracle", "text_matcher", "random"):
        say(f"{where}: questions to jaxphys/{model}")
        ask_model.run(ask_model.EnactAsk(data, f"jaxphys/{model}"), shown=False)
    _compare_orders(data)
    page = command.out / "enact.html"
    enact_report.run(enact_report.EnactReport(data, out=page))
    return page


def _compare_orders(data: Path) -> None:
    """One row per model: task accuracy without repairs, in either direction."""
    found = enact_report.task_accuracies(data)
    if not found:
        return
    table = Table("model", *next(iter(found.values())), title="ENACT: right orders", title_justify="left")
    for model, rates in found.items():
        table.add_row(f"jaxphys/{model}", *(f"{rate:.3f}" for rate in rates.values()))
    results.console().print(table)


def _ask_all(name: str, data: Path, where: str) -> list[results.Result]:
    """The built-in baselines, one after the other."""
    found = []
    for model in registry.get(name).baselines():
        say(f"{where}: questions to jaxphys/{model}")
        options = evaluate.EvalOptions(
            benchmark=name, model=f"jaxphys/{model}", data=data, out=data / "results" / model
        )
        found.append(evaluate.evaluate(options))
    return found


def _carry_out(name: str, unhurried: Mapping[str, Any], where: str, command: Demo) -> Path | None:
    """Let the robot carry out the best answer to one scene of each group; the page of it, or None without its model."""
    benchmark, data = registry.get(name, **unhurried), command.out / f"{name}_carried_out"
    options = tuple(f"{option}={json.dumps(value)}" for option, value in unhurried.items())
    scenes = len(benchmark.ids([0])) if command.scenes is None else min(command.scenes, len(benchmark.ids([0])))
    say(f"{where}: a robot carries out {scenes} plans")
    generate.run(
        generate.Generate(benchmark=name, out=data, scenes=scenes, seed=command.seed, option=options, pictures=False)
    )
    try:
        execute.run(execute.Execute(data=data))
    except ImportError as missing:
        say(f"{where}: left that out: {missing}")
        return None
    page = command.out / f"{name}_carried_out.html"
    report_page.run(report_page.ReportPage(data=data, out=page, scenes=0, films=False))
    return page


def _compare(found: Sequence[results.Result]) -> None:
    """One row per model: the mean, and the main metric of each task."""
    names = reading.leading(reading.headlines(found[0].metrics, found[0].groups))
    table = Table("model", *names, title=f"{found[0].title}: {found[0].scenes} scenes", title_justify="left")
    for one in found:
        table.add_row(one.model, *(f"{one.metrics.get(name, float('nan')):.3f}" for name in names))
    results.console().print(table)
