"""`jaxphys generate`: draw, simulate, label, draw pictures of and store the scenes of a benchmark.

A scene's folder appears whole or not at all. Running the same command again makes what is missing and ends with
the same bytes as an undisturbed run: a scene with a missing or damaged file is made again, while a folder that
holds another configuration is refused. Shards (`--shard i/n`)
make disjoint parts and share one folder; the run that completes the set writes the report of each group.
Scenes are made in chunks, so memory does not grow with their number.
"""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.options import parse_options, parse_shard
from jaxphys_adapters.plan import Plan, claim
from jaxphys_adapters.progress import bar, say
from jaxphys_adapters.store import is_whole, store_reports, store_scene
from jaxphys_benchmarks import advice
from jaxphys_benchmarks.protocol import Benchmark, Described
from jaxphys_kernels.status import count_bits

CHUNK_SCENES = 1024
"""Scenes simulated and held at once."""


@dataclass(frozen=True)
class Generate:
    """Make a data set: scenes, exact labels, pictures and reports."""

    benchmark: Annotated[str, tyro.conf.Positional]
    """Name of the benchmark: billiardphys, inphyre, reacthuman, or enact, which has options of its own: `jaxphys
    generate enact --help`."""
    out: Path
    """Folder of the data set; made if missing, resumed if it holds part of this one."""
    scenes: Annotated[int | None, tyro.conf.DisallowNone] = None
    """Number of scenes in all, spread evenly over the groups (windows, scenarios, families); unset: the whole
    benchmark. Of reacthuman four that follow each other in a family are one story at four speeds, the slow one first:
    give a multiple of four times the number of families."""
    seed: int = 0
    """Seed of the data set."""
    windows: str = ""
    """Prediction windows in seconds, for example 1,2,3,4,5; only of benchmarks that have any."""
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """Any other option of the benchmark, as NAME=VALUE, for example families=object_drop; may be repeated."""
    shard: str = "1/1"
    """Make only part i of n, from 1/n to n/n."""
    pictures: bool = True
    """Draw the pictures."""
    videos: bool = False
    """Store the films too, as MP4; only of benchmarks that have any."""
    backend: str = "auto"
    """Back end of the simulator, of the screen or validator too."""
    descriptions: Path | None = None
    """File of text descriptions, one a line, to make scenes of; only of benchmarks that can."""
    planner: str = ""
    """The model that reads them, for example anthropic/claude-sonnet-4-6."""
    base_url: str | None = None
    """Address of the planner's provider, if not its own."""
    model_arg: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """Further arguments of the planner's provider, each as NAME=VALUE; may be repeated."""
    mixed: bool = False
    """Resume a folder that was begun with other versions or on another kind of processor."""
    quiet: bool = False
    """No progress bar and no summary."""


@dataclass
class Made:
    """What a run has done.

    Attributes:
        plan: what was asked.
        written, kept: scenes made by this run, and found finished in its part.
        failed: ids without labels in the whole set. complete: every scene of the set is finished or failed.
        statuses: status words of the draws of this run.
        seconds: wall time by stage.
    """

    plan: Plan
    written: int = 0
    kept: int = 0
    failed: list[str] = field(default_factory=list)
    complete: bool = False
    statuses: list[int] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))


def run(command: Generate) -> int:
    """Carry out the command; returns the exit code: 0, or 1 when some scene has no labels."""
    from jaxphys_benchmarks import registry

    options = parse_options(command.option, windows=command.windows)
    part, parts = parse_shard(command.shard)
    benchmark = registry.get(command.benchmark, **options)
    if command.descriptions or command.planner:
        options |= _planned(command, benchmark)
        benchmark = registry.get(command.benchmark, **options)
    plan = Plan(
        benchmark,
        command.out,
        benchmark.size if command.scenes is None else command.scenes,
        command.seed,
        options,
        command.pictures,
        command.backend,
        command.videos,
    )
    hint = None if plan.scenes == benchmark.size else advice.uneven(benchmark, len(plan.groups), plan.scenes)
    if hint and not command.quiet:
        say(hint)
    made = generate(plan, part, parts, mixed=command.mixed, quiet=command.quiet)
    if not command.quiet:
        _summarise(made)
    return 1 if made.failed else 0


def _planned(command: Generate, benchmark: Benchmark) -> dict[str, Any]:
    """Options that draw the scenes of the descriptions.

    Raises:
        ValueError: no planner or no descriptions, a benchmark that makes no scenes of them, or one without a plan.
        ModuleNotFoundError: inspect-ai, which asks the planner, is not installed.
    """
    if not isinstance(benchmark, Described):
        raise ValueError(f"descriptions: {benchmark.name} makes no scenes of them; leave --descriptions out")
    if command.descriptions is None or not command.planner:
        raise ValueError(
            f"descriptions, planner: {command.descriptions}, {command.planner!r}; give both, a file and the model that"
            " reads it, for example anthropic/claude-sonnet-4-6"
        )
    if find_spec("inspect_ai") is None:
        raise ModuleNotFoundError("planner: inspect-ai is not installed; pip install '.[eval]' in the checkout")
    from jaxphys_adapters.query import planning

    arguments = parse_options(command.model_arg)
    texts = planning.read_descriptions(command.descriptions)
    if not command.quiet:
        say(f"{command.planner} reads {len(texts)} descriptions")
    plans = planning.plans(benchmark, texts, command.planner, base_url=command.base_url, arguments=arguments)
    return benchmark.planned(plans)


def generate(plan: Plan, part: int = 0, parts: int = 1, *, mixed: bool = False, quiet: bool = True) -> Made:
    """Make a data set, or what is missing of it.

    Args:
        plan: what to make. part, parts: of the shard, part from 0.
        mixed: accept a folder begun with other versions. quiet: no progress bar.

    Raises:
        ValueError: the folder holds something else, or no scene can be drawn with these options.
        StorageError: the folder cannot be written, or the disk is full.
    """
    # What cannot be drawn must not claim a folder.
    plan.benchmark.sample(plan.seed, plan.per_group, indices=[0], backend=plan.backend)
    claim(plan, mixed)
    root = plan.root
    ids = plan.ids(part, parts)
    ours = {scene.rpartition("/")[2] for scenes in ids.values() for scene in scenes}
    for group in plan.groups:
        atomic.make_folder(root / group)
        atomic.remove_leftovers(root / group, ours)
    made = Made(plan)
    todo: dict[int, set[str]] = {}
    for index, scenes in ids.items():
        missing = {scene for scene in scenes if not is_whole(plan.benchmark, root, scene, plan.views, plan.films)}
        made.kept += len(scenes) - len(missing)
        if missing:
            todo[index] = missing
    total = made.kept + sum(map(len, todo.values()))
    # NumPy and the PNG encoder release the interpreter lock often enough for threads to share the drawing.
    with bar(quiet, made.kept, total) as advance, ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for indices in _chunks(list(todo), max(1, CHUNK_SCENES // len(plan.groups))):
                _make(made, indices, set().union(*(todo[index] for index in indices)), pool, advance)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    made.failed = layout.failed_ids(root)
    made.complete = len(layout.scene_ids(root)) + len(made.failed) == plan.scenes
    if made.complete:
        store_reports(plan.benchmark, root, plan.groups)
    return made


def _chunks(indices: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(indices), size):
        yield indices[start : start + size]


def _make(
    made: Made,
    indices: list[int],
    wanted: set[str],
    pool: ThreadPoolExecutor,
    advance: Callable[[], None],
) -> None:
    """Draw, simulate and store the wanted scenes with these indices."""
    plan, clock = made.plan, time.perf_counter()

    def lap(stage: str) -> None:
        nonlocal clock
        now = time.perf_counter()
        made.seconds[stage] += now - clock
        clock = now

    drawn = plan.benchmark.sample(plan.seed, plan.per_group, indices=indices, backend=plan.backend)
    specs = [spec for spec in drawn if spec.id in wanted]
    lap("draw and screen")
    labels = plan.benchmark.label(specs, *plan.benchmark.simulate(specs, backend=plan.backend))
    lap("simulate and label")
    store = partial(store_scene, plan.benchmark, plan.root, pictures=plan.views, moving=plan.films)
    for statuses in pool.map(store, specs, labels):
        made.statuses += statuses
        made.written += not statuses[-1]
        advance()
    lap("draw pictures and store")


def _rejected(made: Made) -> tuple[Mapping[str, int], str]:
    """Rejected draws by status name, and what is to be known of how they were counted.

    Scenes that are drawn together are rejected together. The reports of a whole set count such a draw once; the
    status words, which say of a part of a set and of failed scenes as well, lie with every scene.
    """
    if made.failed or not made.complete:
        return count_bits(made.statuses), " (counted once per scene)"
    totals = Counter[str]()
    for group in made.plan.groups:
        totals.update(layout.read_json(made.plan.root / group / "report.json").get("status_bits", {}))
    return totals, ""


def _summarise(made: Made) -> None:
    """A few lines for people, on standard error."""
    root = made.plan.root
    spent = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in made.seconds.items())
    say(f"{root}: {made.written} scenes made, {made.kept} already there" + (f" ({spent})" if spent else ""))
    rejected, how = _rejected(made)
    for name, count in rejected.items():
        say(f"  {name}: {count} draw{'' if count == 1 else 's'} rejected{how}")
    if made.failed:
        say(f"  {len(made.failed)} of {made.plan.scenes} scenes have no labels: see {root}/*/{layout.FAILED}/")
    if not made.complete:
        say("  not complete yet: the run that makes the last scenes writes the reports")
