"""Who wants to know that a question was answered: a progress bar on a terminal, nobody otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_listeners: list[Callable[[], None]] = []


def advance() -> None:
    """One more question was answered."""
    for listener in _listeners:
        listener()


@contextmanager
def bar(title: str, total: int) -> Iterator[None]:
    """A progress bar on the error stream while the body runs; silent where that is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(title, total=total)

        def listener() -> None:
            progress.advance(task)

        _listeners.append(listener)
        try:
            yield
        finally:
            _listeners.remove(listener)
