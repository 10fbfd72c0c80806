"""The command line: `jaxphys COMMAND ...`.

A command is a frozen dataclass, read by tyro, and a function that takes it and returns the exit code. Both are
imported only when the command is used, so `jaxphys --help` is quick and works without the extras. Exit codes: 0 all
well, 1 done but not everything could be labelled or scored, 2 bad input or a file that cannot be read or written
(one line on standard error says which and what to do), 130 interrupted. `--debug` shows the traceback.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.metadata import version
from typing import Any

from jaxphys import runtime

BAD_INPUT = 2
INTERRUPTED = 130


@dataclass(frozen=True)
class Command:
    """Where a command lives: `module:name` of its record and of its function, and the extra that it needs."""

    summary: str
    record: str
    function: str
    extra: str = ""


_HERE = "jaxphys_adapters"

PROGRAM = "jaxphys"

COMMANDS: dict[str, Command] = {
    "demo": Command(
        "the main job of every benchmark on a few scenes, with report pages",
        f"{_HERE}.demo:Demo",
        f"{_HERE}.demo:run",
        extra="eval",
    ),
    "generate": Command(
        "make a data set: scenes, exact labels, pictures, reports",
        f"{_HERE}.generate:Generate",
        f"{_HERE}.generate:run",
    ),
    "simulate": Command(
        "run one scene from a file, give the result as JSON",
        f"{_HERE}.simulate:Simulate",
        f"{_HERE}.simulate:run",
    ),
    "eval": Command(
        "ask a model about the scenes of a benchmark, and score it",
        f"{_HERE}.query.options:EvalOptions",
        f"{_HERE}.query.evaluate:run",
        extra="eval",
    ),
    "score": Command(
        "score answers obtained elsewhere",
        f"{_HERE}.query.options:ScoreOptions",
        f"{_HERE}.query.score_answers:run",
    ),
    "compare": Command(
        "compare runs question by question: paired differences and their significance",
        f"{_HERE}.query.options:CompareOptions",
        f"{_HERE}.query.paired:run",
    ),
    "execute": Command(
        "let a robot carry out answers in simulation, and store what comes of them",
        f"{_HERE}.execute:Execute",
        f"{_HERE}.execute:run",
        extra="humanoid",
    ),
    "report": Command(
        "make one self-contained HTML page of a data set and its results",
        f"{_HERE}.report_page:ReportPage",
        f"{_HERE}.report_page:run",
    ),
    "view": Command(
        "make one HTML page that replays a scene in the browser",
        f"{_HERE}.view:ViewScene",
        f"{_HERE}.view:run",
        extra="view",
    ),
    "contact": Command(
        "contact sheets of a data set: its scenes side by side",
        f"{_HERE}.contact:Contact",
        f"{_HERE}.contact:run",
    ),
    "sheet": Command(
        "questions of a data set on paper, for people to answer",
        f"{_HERE}.sheet:Sheet",
        f"{_HERE}.sheet:run",
    ),
    "export": Command(
        "write a data set as parquet with a data set card, or in another layout",
        f"{_HERE}.export:Export",
        f"{_HERE}.export:run",
        extra="data",
    ),
    "sweep": Command(
        "one scene at many values: where the answer flips",
        f"{_HERE}.sweep:SweepScene",
        f"{_HERE}.sweep:run",
    ),
    "calibrate": Command(
        "measure the numbers that set the difficulty",
        f"{_HERE}.calibrate:Calibrate",
        f"{_HERE}.calibrate:run",
    ),
}

GROUPS: dict[str, tuple[str, str]] = {
    "enact": ("files of ENACT: key frames, packs, questions, verdicts", f"{_HERE}.enact.commands:COMMANDS"),
}
"""Words before a command of a table of its own: what they are about, and where the table is."""

OWN: dict[tuple[str, str], Command] = {
    ("generate", "enact"): Command(
        "simulate household episodes: graphs, key frames, questions, pictures",
        f"{_HERE}.enact.generate:EnactGenerate",
        f"{_HERE}.enact.generate:run",
    ),
    ("eval", "enact"): Command(
        "ask a model the questions of simulated household episodes",
        f"{_HERE}.enact.ask_model:EnactAsk",
        f"{_HERE}.enact.ask_model:run",
        extra="eval",
    ),
    ("report", "enact"): Command(
        "make one self-contained HTML page of household episodes and of what models answered",
        f"{_HERE}.enact.report:EnactReport",
        f"{_HERE}.enact.report:run",
    ),
}
"""Commands that a benchmark carries out in its own way: its episodes are no independent scenes."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    commands, program = COMMANDS, PROGRAM
    if words and words[0] in GROUPS:
        group = words.pop(0)
        commands, program = _find(GROUPS[group][1]), f"{PROGRAM} {group}"
    name = words[0] if words else "--help"
    if name in ("-h", "--help"):
        print(usage(commands, program))
        return 0
    if name == "--version":
        print(f"jaxphys {version('jaxphys')}")
        return 0
    if name not in commands:
        from jaxphys_benchmarks.spelling import choose

        return complain(f"{name!r} is no command; {choose(name, [*commands, *_groups(commands)])}")
    command, rest = commands[name], words[1:]
    if rest and commands is COMMANDS and (name, rest[0]) in OWN:
        command, program = OWN[name, rest[0]], f"{program} {name}"
        name = rest.pop(0)
    try:
        runtime.prepare_process()
        if command is COMMANDS.get(name):
            _check_benchmark(name, command, rest)
        return _call(command, f"{program} {name}", rest)
    except KeyboardInterrupt:
        complain("interrupted; finished parts are kept, run the same command again to resume")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as in `jaxphys ... | head`; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, LookupError, OSError) as error:
        if debug:
            raise
        return complain(explain(error))
    except ImportError as error:
        extra = command.extra
        if not debug and "pip install" in str(error):
            return complain(explain(error))
        if debug or not extra:
            raise
        return complain(
            f"{name} needs an extra that is not installed ({error}): pip install '.[{extra}]' in the checkout"
        )


def _check_benchmark(name: str, command: Command, words: Sequence[str]) -> None:
    """Look at the benchmark that a command is given, before its other words, which may fit none or another one.

    Raises:
        ValueError: there is none of that name, or the command is not for it.
    """
    from jaxphys_benchmarks import registry
    from jaxphys_benchmarks.spelling import choose

    record = _find(command.record)
    if not words or words[0].startswith("-") or "benchmark" not in {field.name for field in fields(record)}:
        return
    served = [one for one in registry.everything() if one in registry.names() or (name, one) in OWN]
    if words[0] in registry.EPISODIC:
        ways = ", ".join(f"{PROGRAM} {' '.join(way)}" for way in OWN if way[1] == words[0])
        raise ValueError(f"benchmark: {name} is not for {words[0]}, which has {ways} and {PROGRAM} {words[0]} --help")
    if words[0] not in served:
        raise ValueError(f"benchmark: {words[0]!r} is not known; {choose(words[0], served)}")


def _call(command: Command, program: str, words: Sequence[str]) -> int:
    """Read the record of a command from its words, and carry it out."""
    import tyro

    record = tyro.cli(_find(command.record), prog=program, args=words)
    function: Callable[[Any], int] = _find(command.function)
    return function(record)


def _find(where: str) -> Any:
    """What `module:name` stands for."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def _groups(commands: Mapping[str, Command]) -> Mapping[str, tuple[str, str]]:
    """The groups that stand beside the commands of a table."""
    return GROUPS if commands is COMMANDS else {}


def usage(commands: Mapping[str, Command] = COMMANDS, program: str = PROGRAM) -> str:
    """The overview of all commands of a table."""
    told = {name: command.summary for name, command in commands.items()}
    told |= {f"{name} ...": summary for name, (summary, _) in _groups(commands).items()}
    width = max(map(len, told))
    return "\n".join(
        [
            f"usage: {program} COMMAND [options]",
            "",
            "Physics in JAX by the thousand scenes, and benchmarks of physical reasoning built on it.",
            "",
            *(f"  {name:<{width}}  {summary}" for name, summary in told.items()),
            "",
            *_own_ways(commands, program),
            f"{program} COMMAND --help tells the options of a command; --version the version; --debug the traceback.",
        ]
    )


def _own_ways(commands: Mapping[str, Command], program: str) -> list[str]:
    """A line about the commands that a benchmark carries out in its own way."""
    if commands is not COMMANDS:
        return []
    names = ", ".join(f"{program} {' '.join(words)}" for words in OWN)
    return [f"With options of their own: {names}.", ""]


def explain(error: BaseException) -> str:
    """One line about an error; a validation error names the first field at fault and how many more there are."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        from jaxphys_adapters.faults import one_line

        return one_line(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    return " ".join(str(error).split()) or type(error).__name__


def complain(message: str) -> int:
    """Say what is wrong in one line on standard error; returns the exit code of bad input."""
    print(f"jaxphys: {message}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
