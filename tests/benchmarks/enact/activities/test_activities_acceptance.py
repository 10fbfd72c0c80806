"""What the episodes of the activities show: a few at once, all of them in the slow test (ENACT specification, 14)."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.activities.acceptance import CLASSES, REVERSIBLE, Row, row, shortcomings
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.episodes.dataset import spec_for
from jaxphys_benchmarks.enact.episodes.making import make
from jaxphys_benchmarks.enact.play.simulate import simulate

FEW = ("cook_bacon", "chop_an_onion")
"""All classes but Open are in these."""


def measured(name: str, seed: int = 0) -> Row:
    spec = spec_for(name, book.names().index(name), seed)
    return row(make(simulate(spec, DEFAULT), DEFAULT), DEFAULT)


def test_two_activities_show_most_classes() -> None:
    rows = [measured(name) for name in FEW]
    assert not shortcomings(rows, activities=0, in_activities=2, balance=0.5)
    shown = {name for one in rows for name, count in one.added.items() if count}
    assert shown >= set(CLASSES) - {"Open"}


@pytest.mark.slow
def test_all_activities_are_accepted() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        rows = list(pool.map(measured, book.BUILT_IN))
    assert not shortcomings(rows), "\n".join(shortcomings(rows))


def good(activity: str, **changes: object) -> Row:
    given = {"key_frames": 15, "paths": 20, "left": 5, "right": 5}
    every = {"added": dict.fromkeys(CLASSES, 1), "removed": dict.fromkeys(REVERSIBLE, 1)}
    return Row(activity, **{**given, **every, **changes})  # type: ignore[arg-type]


def test_shortcomings_are_told() -> None:
    rows = [good(f"activity_{k}") for k in range(25)]
    assert shortcomings(rows) == ()
    assert shortcomings([good("one", key_frames=14), *rows]) == ("one: 14 key frames",)
    assert shortcomings([good("one", failures=("no room",)), *rows]) == ("one: no room",)
    assert shortcomings(rows[:24]) == ("only 24 activities have 20 paths of 10 frames",)
    assert shortcomings([*rows[:24], good("one", paths=10), good("one", paths=10, left=6, right=4)]) == ()
    assert shortcomings([*rows, *(good(f"activity_{k}", left=7, right=3) for k in range(9))]) == (
        "188 left and 152 right grasps",
    )
    bare = [good(one.activity, added={name: 1 for name in CLASSES if name != "Cooked"}) for one in rows]
    assert shortcomings(bare) == ("Cooked is added in 0 activities only: none",)
    assert shortcomings(bare[:-2] + rows[-2:]) == ("Cooked is added in 2 activities only: activity_23, activity_24",)
