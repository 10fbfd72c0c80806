"""What inspect-ai finds through the entry point: `jaxphys/<benchmark>` tasks and `jaxphys/<baseline>` models.

    inspect eval jaxphys/billiardphys --model jaxphys/oracle -T scenes=5

inspect-ai takes the prefix of a name from the top package of the module that registers it, so this is the one module
of the package that looks up to the adapters. Only the entry point loads it, and nothing heavy is loaded with it: what
is used of it sets the process up first, since JAX takes some settings only before it is loaded.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from rich.markup import escape

from jaxphys import runtime
from jaxphys_benchmarks import registry


class Refused(PrerequisiteError, ValueError):
    """Bad arguments of a task; inspect-ai tells them in one line, as our own command line does."""


class Told(PrerequisiteError):
    """What a run would send; inspect-ai prints it and ends, which is the one way to end a task before it is run."""


@modelapi(name="jaxphys")
def baseline() -> type[ModelAPI]:
    """Built-in answerers: `jaxphys/oracle`, `jaxphys/static`, `jaxphys/no_contact`, ..."""
    runtime.prepare_process()
    from jaxphys_adapters.query.provider import Baseline

    return Baseline


@solver(name="conversation")
def conversation(source: str, settings: str) -> Solver:
    """Put each question until it is answered; the arguments are JSON."""
    runtime.prepare_process()
    from jaxphys_adapters.query import closed_loop, solver
    from jaxphys_adapters.query.settings import Settings
    from jaxphys_adapters.query.source import Source

    scenes, how = Source.from_json(source), Settings.from_json(settings)
    solve = closed_loop.solve if how.loop else solver.solve

    async def put(state: TaskState, generate: Generate) -> TaskState:
        return await solve(state, scenes, how)

    return put


@metric(name="metrics")
def metrics() -> Metric:
    """The benchmark's own metrics, over all samples."""

    def over(scores: list[SampleScore]) -> dict[str, float]:
        from jaxphys_adapters.query.scorer import tally

        return tally(scores)

    return over


@scorer(name="answers", metrics=[metrics()])
def answers(source: str, settings: str) -> Scorer:
    """Read and score each reply; the arguments are JSON."""
    runtime.prepare_process()
    from jaxphys_adapters.query.scorer import score
    from jaxphys_adapters.query.settings import Settings
    from jaxphys_adapters.query.source import Source

    scenes, how = Source.from_json(source), Settings.from_json(settings)

    async def read(state: TaskState, target: Target) -> Score:
        return await score(state, scenes, how)

    return read


def declare(name: str) -> Callable[..., Task]:
    """Register the task `jaxphys/<name>` of a benchmark."""

    @task(name=name)
    def ask(**arguments: Any) -> Task:
        """Ask about scenes of a benchmark; see `jaxphys_adapters.query.tasks.Arguments` and the benchmark's options."""
        runtime.prepare_process()
        from jaxphys_adapters.cli import explain
        from jaxphys_adapters.query import dry_run
        from jaxphys_adapters.query.tasks import Arguments, build

        own = {field.name for field in fields(Arguments)}
        try:
            given = Arguments(**{key: value for key, value in arguments.items() if key in own})
            options = {key: value for key, value in arguments.items() if key not in own}
            given = given.filled(name, options)
            source, settings = given.source(name, options), given.settings()
            if given.dry_run:
                told = dry_run.lines(dry_run.estimate(source, settings))
                raise Told(escape("\n".join(told)))
            as_text = (source.to_json(), settings.to_json())
            return build(source, settings, conversation(*as_text), answers(*as_text))
        except (ValueError, LookupError, OSError) as error:
            raise Refused(escape(explain(error))) from error

    return ask


@solver(name="enact_asked")
def enact_asked(asking: str) -> Solver:
    """Put one question of ENACT; the argument is JSON."""
    runtime.prepare_process()
    from jaxphys_adapters.enact.asking import Asking, solve

    how = Asking.from_json(asking)

    async def put(state: TaskState, generate: Generate) -> TaskState:
        return await solve(state, generate, how)

    return put


@metric(name="enact_metrics", scores="unreduced")
def enact_metrics() -> Metric:
    """ENACT's metrics, over all samples of all epochs."""

    def over(scores: list[SampleScore]) -> dict[str, float]:
        from jaxphys_adapters.enact.asking import tally

        return tally(scores)

    return over


@scorer(name="enact_orders", metrics=[enact_metrics()])
def enact_orders(asking: str) -> Scorer:
    """Judge one reply of ENACT; the argument is JSON."""
    runtime.prepare_process()
    from jaxphys_adapters.enact.asking import Asking, score

    how = Asking.from_json(asking)

    async def judge(state: TaskState, target: Target) -> Score:
        return await score(state, how)

    return judge


def declare_enact(name: str, inverse: bool) -> Callable[..., Task]:
    """Register the task `jaxphys/<name>` over question files of ENACT."""

    @task(name=name)
    def ask(**arguments: Any) -> Task:
        """Ask the questions of a file; see `jaxphys_adapters.enact.asking.Asking`."""
        runtime.prepare_process()
        from jaxphys_adapters.cli import explain
        from jaxphys_adapters.enact.asking import Asking, samples

        if unknown := sorted(set(arguments) - {field.name for field in fields(Asking)}):
            raise Refused(f"{name} has no argument {unknown[0]!r}")
        try:
            asking = Asking(**arguments)
            dataset = samples(asking, inverse=inverse)
        except (ValueError, LookupError, OSError) as error:
            raise Refused(escape(explain(error))) from error
        return Task(dataset=dataset, solver=enact_asked(asking.to_json()), scorer=enact_orders(asking.to_json()))

    return ask


TASKS = {
    **{name: declare(name) for name in registry.names()},
    "enact_forward": declare_enact("enact_forward", inverse=False),
    "enact_inverse": declare_enact("enact_inverse", inverse=True),
}
"""Task functions by their names."""
