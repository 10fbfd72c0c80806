"""What a person sees while a command runs: a progress bar and messages, on standard error.

Standard output is left to results, so that it can be piped.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

CONSOLE = Console(stderr=True, highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """One message; square brackets in it are text, not markup."""
    CONSOLE.print(message, markup=False)


@contextmanager
def bar(quiet: bool, done: int, total: int, what: str = "scenes") -> Iterator[Callable[[], None]]:
    """A progress bar; yields the function that moves it by one. Without a terminal nothing is drawn."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=CONSOLE, disable=quiet or not CONSOLE.is_terminal) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda: progress.advance(task)
