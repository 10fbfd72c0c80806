"""What looking again brings: the figures of the documentation, on fewer scenes."""

import math

import pytest

from bench import closed_loop
from bench.billiards import Plan
from bench.rows import Row
from jaxphys_benchmarks.reacthuman.loop.comparison import ALL, Difference, compare


def test_intervals_that_are_not_known_make_no_rows() -> None:
    found = Difference(n=3, first=0.5, second=0.25, low=math.nan, high=math.nan)
    rows = list(closed_loop._rows("thrown_object, reached", found))
    assert [(row.name.rpartition(": ")[2], row.value) for row in rows] == [
        ("n", 3.0), ("once", 0.5), ("again", 0.25), ("difference", -0.25),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_looking_again_at_5_hz_brings_the_hands_nearer_in_each_family() -> None:
    specs, labels = closed_loop.scenes(40)
    once = closed_loop.answered(specs, labels, 0.0)
    again = closed_loop.answered(specs, labels, closed_loop.SECONDS)
    found = compare(specs, labels, once, again)
    for family in closed_loop.FAMILIES:
        assert found[family]["hand to impact"].high < 0, family
        assert found[family]["hand to object"].mean < 0, family
    assert found[ALL]["reached"].low > 0
    assert found[ALL]["reached, to be caught"].mean > 0
    # Plans that replace each other hardly ever make a robot fall that nothing has touched.
    assert not any(outcome.fell and not outcome.touched for outcome in once)
    assert sum(outcome.fell and not outcome.touched for outcome in again) <= 0.01 * len(specs)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_question_gives_every_family_and_measure() -> None:
    rows: list[Row] = list(closed_loop.closed_loop(Plan(batches=(), quick=True, pooltool=None)))
    subjects = {row.name.partition(": ")[0] for row in rows}
    assert {f"{family}, hand to impact" for family in (*closed_loop.FAMILIES, ALL)} <= subjects
    assert all(row.error is None for row in rows)
