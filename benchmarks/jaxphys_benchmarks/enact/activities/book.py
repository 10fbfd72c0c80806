"""The book of activities: those of the benchmark, ours, and own ones (ENACT specification, section 14).

Own activities come from the text of a TOML file (`own.read`) or are written in Python; `register` enters either.
Public:
`activity`, `names`, `register`, `registered`, `PUBLISHED`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from jaxphys_benchmarks.enact.activities import home, kitchen_cold, kitchen_dry, kitchen_hot, work
from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.spelling import choose

_BOOK: dict[str, Activity] = {
    entry.name: entry for module in (kitchen_cold, kitchen_hot, kitchen_dry, home, work) for entry in module.ACTIVITIES
}

PUBLISHED: tuple[str, ...] = tuple(sorted(name for name, entry in _BOOK.items() if entry.published))
"""Names of the 29 activities of the benchmark."""

BUILT_IN: tuple[str, ...] = tuple(sorted(_BOOK))
"""Names of these and of our seven."""


def names() -> tuple[str, ...]:
    """All names, own activities included, sorted."""
    return tuple(sorted(_BOOK))


def activity(name: str) -> Activity:
    """The activity of a name.

    Raises:
        ValueError: there is none; tells the nearest one, and those that there are.
    """
    if name not in _BOOK:
        raise ValueError(f"no activity is called {name!r}; {choose(name, names())}")
    return _BOOK[name]


def register(entry: Activity) -> None:
    """Enters an own activity.

    Raises:
        ValueError: the name is taken.
    """
    if entry.name in _BOOK:
        raise ValueError(f"activity {entry.name!r}: the name is taken; choose another")
    _BOOK[entry.name] = entry


@contextmanager
def registered(*entries: Activity) -> Iterator[None]:
    """Own activities for a while, as in a test."""
    entered: list[Activity] = []
    try:
        for entry in entries:
            register(entry)
            entered.append(entry)
        yield
    finally:
        for entry in entered:
            del _BOOK[entry.name]
