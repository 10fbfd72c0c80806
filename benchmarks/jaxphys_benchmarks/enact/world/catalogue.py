"""All things by category. A new one is a row in one of the tables of `things_*`."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from jaxphys_benchmarks.enact.world import (
    things_home,
    things_kitchen,
    things_pantry,
    things_produce,
    things_rooms,
    things_work,
)
from jaxphys_benchmarks.enact.world.substances import SUBSTANCES, Substance
from jaxphys_benchmarks.enact.world.things import Thing
from jaxphys_benchmarks.spelling import nearest

TABLES = (
    things_kitchen.KITCHEN,
    things_rooms.FURNITURE,
    things_produce.PRODUCE,
    things_pantry.PACKED,
    things_pantry.SERVED,
    things_home.HOME,
    things_work.WORK,
)


@cache
def things() -> Mapping[str, Thing]:
    """By category.

    Raises:
        ValueError: two rows have one category.
    """
    found: dict[str, Thing] = {}
    for table in TABLES:
        for row in table:
            if row.category in found:
                raise ValueError(f"two things are called {row.category!r}")
            found[row.category] = row
    return MappingProxyType(found)


def thing(category: str) -> Thing:
    """The thing of a category.

    Raises:
        ValueError: there is none; names the closest ones.
    """
    known = things()
    if category not in known:
        close = nearest(category, known, 3) or sorted(known)
        raise ValueError(f"no thing is called {category!r}; known are for example {', '.join(close)}")
    return known[category]


def substance(name: str) -> Substance:
    """What particles of a system look like.

    Raises:
        ValueError: there is no such system.
    """
    if name not in SUBSTANCES:
        raise ValueError(f"no system is called {name!r}; there are {', '.join(SUBSTANCES)}")
    return SUBSTANCES[name]
