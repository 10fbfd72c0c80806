"""One line about a validation error: the first field at fault, and how many more there are.

Faults that follow from others are not counted: pydantic lists one for each alternative of a field that takes several
kinds of value, and finds a list too short whose entries are faulty.
"""

import re
from typing import Any

from pydantic import ValidationError

Place = tuple[int | str, ...]

_ALTERNATIVE = re.compile(r"float|int|str|bool|none|.*\[.*|[A-Z]\w*[a-z]\w*")
"""Parts of a place that name the kind of value that was tried there; fields are lower case, or single capitals."""


def one_line(error: ValidationError) -> str:
    """The line."""
    by_field: dict[Place, list[Any]] = {}
    listed = error.errors(include_url=False, include_context=False)
    for fault in listed:
        if not (fault["type"] == "too_short" and any(_within(other["loc"], fault["loc"]) for other in listed)):
            by_field.setdefault(_field(fault["loc"]), []).append(fault)
    # Of several alternatives the one that was meant is the one that got furthest.
    first = max(next(iter(by_field.values())), key=lambda fault: len(fault["loc"]))
    place = ".".join(str(part) for part in first["loc"] if not _is_alternative(part))
    text = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        text = "no such field; check its spelling or remove it"
    more = f" (and {len(by_field) - 1} more)" if len(by_field) > 1 else ""
    return " ".join(f"{place + ': ' if place else ''}{text}{more}".split())


def _field(place: Place) -> Place:
    """A place up to the alternatives of its field."""
    cut = next((k for k, part in enumerate(place) if _is_alternative(part)), len(place))
    return place[:cut]


def _is_alternative(part: int | str) -> bool:
    return isinstance(part, str) and _ALTERNATIVE.fullmatch(part) is not None


def _within(place: Place, outer: Place) -> bool:
    return len(place) > len(outer) and place[: len(outer)] == outer
