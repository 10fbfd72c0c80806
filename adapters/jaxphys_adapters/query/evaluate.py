"""`jaxphys eval`: ask a model, or a built-in baseline, the questions of a benchmark, and score its answers.

The questions are put through inspect-ai by the task that `inspect eval jaxphys/<benchmark>` runs. With `out`, every
answer is kept as soon as it is there, and the same command takes up an interrupted run.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.text import Text

from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import bar, say
from jaxphys_adapters.query import decisions_file, reading, results, scores_file
from jaxphys_adapters.query.loop_records import OUTCOME
from jaxphys_adapters.query.options import EvalOptions
from jaxphys_adapters.query.records import LOGS, AnswerFolder
from jaxphys_benchmarks import advice
from jaxphys_benchmarks.protocol import Benchmark

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

    from jaxphys_adapters.query.settings import Settings
    from jaxphys_adapters.query.source import Source
    from jaxphys_adapters.query.tasks import Arguments

__all__ = ["EvalOptions", "RunFailed", "evaluate", "run"]

SCENES = 20
"""How many scenes are drawn unless told otherwise."""


class RunFailed(RuntimeError):
    """The run ended before all questions were asked; the text says why."""


def run(options: EvalOptions) -> int:
    """Evaluate, print the table, and with `json` one object as the last line.

    Returns:
        0: done, or with `dry_run` told. 1: the run ended early, or no call succeeded; the error stream says why.

    Raises:
        ModuleNotFoundError: inspect-ai is not installed.
        ValueError, LookupError, OSError: as `evaluate`.
    """
    if find_spec("inspect_ai") is None:
        raise ModuleNotFoundError("No module named 'inspect_ai'; `jaxphys score` works without it")
    if options.dry_run:
        return _tell(options)
    try:
        found = evaluate(options)
    except RunFailed as error:
        say(f"jaxphys: {error}")
        return 1
    results.show(found, results.console())
    if options.json:
        print(results.to_line(found), flush=True)
    if found.failures.get("error", 0) + found.failures.get("timeout", 0) == found.questions:
        say("jaxphys: no call succeeded; the attempts are in the records of --out")
        return 1
    return 0


def evaluate(options: EvalOptions) -> results.Result:
    """Ask all questions and score the replies.

    Raises:
        ValueError, LookupError: bad options; the text names the field.
        StorageError: the output folder cannot be written.
        RunFailed: a call failed in a way that no repetition can mend.
    """
    from jaxphys_adapters.query import dry_run, provider, samples, solver
    from jaxphys_adapters.query.source import load

    given, extra, source, settings = _settled(options)
    arguments = asdict(given)
    scenes = load(source)
    _hint(source, scenes.benchmark)
    samples.check(scenes, settings)
    name = options.model.removeprefix("jaxphys/")
    if name != options.model:
        own = model_arguments(options.model_arg)
        provider.prepared(source, name, int(own.pop("seed", 0)), tuple(sorted(own.items())))
    if options.out is not None:
        AnswerFolder(options.out).open(
            {
                "benchmark": options.benchmark,
                "model": options.model,
                "arguments": arguments,
                "options": dict(scenes.options),
            }
        )
    with ExitStack() as stack:
        log_dir = stack.enter_context(TemporaryDirectory()) if options.out is None else str(options.out / LOGS)
        advance = stack.enter_context(bar(False, 0, len(scenes.questions), "questions"))
        solver.watchers.append(advance)
        stack.callback(solver.watchers.remove, advance)
        log = _through_inspect(options, {**arguments, **extra}, log_dir)
        rows, outcomes = rows_of(log), outcomes_of(log)
    notes = []
    if scenes.without_labels:
        notes.append(f"{len(scenes.without_labels)} scenes have no labels and were not asked about.")
    shown = dry_run.shown(scenes, settings)
    found = results.result(scenes, options.model, rows, settings.extract, notes, shown)
    if options.out is not None:
        results.save(found, options.out)
        scores_file.save(scenes, rows, settings.extract, options.out)
        decisions_file.save(scenes, rows, settings.extract, options.model, options.out, outcomes)
    return found


def _settled(options: EvalOptions) -> tuple["Arguments", dict[str, Any], "Source", "Settings"]:
    """Arguments of the task, options of the benchmark, and what they amount to; ValueError names a bad one."""
    from jaxphys_adapters.query.tasks import Arguments

    arguments, extra = task_arguments(options)
    given = Arguments(**arguments).filled(options.benchmark, extra)
    # What both have a name for is settled now; left among the options it would override the flag.
    extra = {name: value for name, value in extra.items() if name not in asdict(given)}
    return given, extra, given.source(options.benchmark, extra), given.settings()


def _tell(options: EvalOptions) -> int:
    """Print what a run would send."""
    from jaxphys_adapters.query import dry_run
    from jaxphys_adapters.query.source import load

    _, _, source, settings = _settled(options)
    _hint(source, load(source).benchmark)
    estimate = dry_run.estimate(source, settings)
    for line in dry_run.lines(estimate):
        print(line)
    if options.json:
        summary = {"benchmark": options.benchmark, "model": options.model, "estimate": asdict(estimate)}
        print(results.one_line(summary), flush=True)
    return 0


def _hint(source: "Source", benchmark: Benchmark) -> None:
    """Say so where scenes that belong together would not all be asked about."""
    if source.data or source.bands:
        return
    hint = advice.uneven(benchmark, len(benchmark.ids([0])), source.scenes)
    if hint:
        say(hint)


def task_arguments(options: EvalOptions) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments of the task, and options of the benchmark.

    Raises:
        ValueError: an option is not of the form name=value.
    """
    scenes = options.scenes
    if scenes is None:
        scenes = SCENES if options.data is None else 0
    arguments = {
        "scenes": scenes,
        "seed": options.seed,
        "data": "" if options.data is None else str(options.data.resolve()),
        "styles": options.styles,
        "bands": options.bands,
        "image": options.image,
        "text_only": options.text_only,
        "force_numeric": options.force_numeric,
        "enable_cot": options.enable_cot,
        "extract": options.extract,
        "temperature": options.temperature,
        "cache": options.cache,
        "out": "" if options.out is None else str(options.out.resolve()),
        "max_image_mib": options.max_image_mib,
        "film_frames": options.film_frames,
        "max_images": options.max_images,
        "film_as": options.film_as,
        "attempts": options.attempts,
        "waits": options.waits,
        "wait": options.wait,
        "new_conversation": options.new_conversation,
        "timeout": options.timeout,
        "max_tokens": options.max_tokens,
        "mode": options.mode,
        "every": options.every,
        "latency": options.latency,
        "until": options.until,
        "execution": _named("execution", options.execution) or None,
    }
    return arguments, parse_options(options.option, windows=options.windows)


def model_arguments(pairs: Sequence[str]) -> dict[str, Any]:
    """Arguments of the provider from `name=value` pairs.

    Raises:
        ValueError: a pair is not of that form.
    """
    return _named("model_arg", pairs)


def _named(field: str, pairs: Sequence[str]) -> dict[str, Any]:
    """Values by name; ValueError names the field."""
    try:
        return parse_options(pairs)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from error


def _through_inspect(options: EvalOptions, task_args: Mapping[str, Any], log_dir: str) -> "EvalLog":
    """Run the registered task; inspect-ai prints nothing and keeps its log in `log_dir`."""
    import inspect_ai
    from inspect_ai._util.error import PrerequisiteError

    from jaxphys_adapters.query.ensemble import LARGEST

    try:
        (log,) = inspect_ai.eval(
            f"jaxphys/{options.benchmark}",
            model=options.model,
            model_base_url=options.base_url,
            model_args=model_arguments(options.model_arg),
            task_args=dict(task_args),
            display="none",
            log_dir=log_dir,
            log_level="error",
            log_realtime=False,
            log_images=False,
            log_model_api=False,
            ctl_server=False,
            max_connections=options.max_connections,
            # Scenes of a closed loop go on together, so as many as may are under way at once.
            max_samples=LARGEST if task_args.get("mode") == "closed_loop" else None,
        )
    except PrerequisiteError as error:
        raise ValueError(f"model: {Text.from_markup(str(error.message)).plain}") from error
    if log.status != "success":
        raise RunFailed(log.error.message if log.error else f"the run ended with status {log.status}")
    return log


def rows_of(log: "EvalLog") -> list[reading.Row]:
    """Question id and readings of every sample of a finished run."""
    rows: list[reading.Row] = []
    for sample in log.samples or []:
        (score,) = (sample.scores or {}).values()
        rows.append((str(sample.id), (score.metadata or {})["readings"]))
    return rows


def outcomes_of(log: "EvalLog") -> dict[str, dict[str, Any]]:
    """By question, what came of the scenes of closed loops."""
    found = {}
    for sample in log.samples or []:
        (score,) = (sample.scores or {}).values()
        if score.metadata and OUTCOME in score.metadata:
            found[str(sample.id)] = dict(score.metadata[OUTCOME])
    return found
