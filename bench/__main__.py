"""`python -m bench all|quick [QUESTION ...]`: measure, print tables, write bench/results/latest.jsonl.

Ends with code 1 when a measurement failed, after writing what there is.
"""

import argparse
import contextlib
import time
from collections.abc import Iterator

from rich.console import Console

from bench import (
    billiards,
    closed_loop,
    enact_world,
    hazard_pictures,
    humanoid,
    humanoid_env,
    planar,
    rendering,
    rigid,
    rigid_mix,
    rows,
)
from bench.targets import FULL
from tests.reference import pooltool_client

BATCHES = {"quick": (FULL,), "all": (1, 64, 1024, FULL)}
ASKED = {
    **billiards.QUESTIONS,
    **planar.QUESTIONS,
    **rigid.QUESTIONS,
    **rigid_mix.QUESTIONS,
    **rendering.QUESTIONS,
    **hazard_pictures.QUESTIONS,
    **humanoid.QUESTIONS,
    **closed_loop.QUESTIONS,
    **humanoid_env.QUESTIONS,
    **enact_world.QUESTIONS,
}
"""Every question by name."""
QUESTIONS = {"quick": ("speed", "accuracy", "status", "latency", "planar", "rigid_c", "rendering"), "all": tuple(ASKED)}


def main() -> int:
    """Run the questions in order; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("mode", choices=BATCHES)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"of {', '.join(ASKED)}")
    options = parser.parse_args()
    chosen = options.questions or QUESTIONS[options.mode]
    if unknown := set(chosen) - set(ASKED):
        parser.error(f"unknown question {', '.join(unknown)}; there are {', '.join(ASKED)}")

    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    commit, machine = rows.commit(), rows.machine()
    found: list[rows.Row] = []
    with _pooltool(found, required=options.mode == "all") as client:
        plan = billiards.Plan(batches=BATCHES[options.mode], quick=options.mode == "quick", pooltool=client)
        for name in chosen:
            start = time.perf_counter()
            with console.status(name):
                for row in _answer(name, plan):
                    found.append(row)
                    # A question may take half an hour: what it knows is kept at once.
                    rows.write(found, rows.LATEST, commit, machine)
            console.print(f"[dim]{name}: {time.perf_counter() - start:.0f} s[/]")
    rows.show(found, console)
    console.print(f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']}, commit {commit}")
    console.print(f"{len(found)} rows in {rows.LATEST.relative_to(rows.ROOT)}")
    return int(any(row.error for row in found))


def _answer(name: str, plan: billiards.Plan) -> Iterator[rows.Row]:
    """Rows of one question; if it breaks, those it had, and a failed row that says why."""
    try:
        yield from ASKED[name](plan)
    except Exception as error:
        yield rows.Row(f"billiards.{name}", name, None, "", error=f"{type(error).__name__}: {error}")


@contextlib.contextmanager
def _pooltool(found: list[rows.Row], required: bool) -> Iterator[pooltool_client.Pooltool | None]:
    """A running pooltool; without its environment None, and a failed row where it is required."""
    if pooltool_client.available():
        with pooltool_client.Pooltool() as client:
            yield client
        return
    if required:
        found.append(rows.Row("billiards.speed", "pooltool", None, "scenes/s", error=pooltool_client.MISSING))
    yield None


if __name__ == "__main__":
    raise SystemExit(main())
