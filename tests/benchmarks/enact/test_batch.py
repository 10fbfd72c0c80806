"""Verdicts in one call are those of the evaluators, one by one."""

import time
from collections import Counter

import numpy as np
import pytest

from jaxphys_benchmarks.enact import batch, compat, parsing, strict
from jaxphys_benchmarks.enact.facts import change_table
from jaxphys_benchmarks.enact.verdict import Asked, Malformed
from tests.benchmarks.enact import answered
from tests.benchmarks.enact.golden import SCORED, STORED, asked
from tests.enact_worlds import golden

ITEMS, ANSWERS = 400, 3000


@pytest.fixture(scope="module")
def worlds() -> dict[str, list[object]]:
    return {
        mode: [change_table(world, orphans=orphans) for world in answered.worlds()]
        for mode, orphans in (("compat", "error"), ("strict", "parentless"))
    }


@pytest.mark.parametrize("mode", ["compat", "strict"])
def test_random_worlds(mode: str, worlds: dict[str, list[object]]) -> None:
    made = answered.items(ITEMS)
    rng = np.random.default_rng(3)
    rows = rng.integers(ITEMS, size=ANSWERS)
    orders = [answered.answer(made[row][1], rng) for row in rows]
    verifier = batch.Verifier([item for _, item in made], worlds[mode], [world for world, _ in made])
    found = verifier.verify(rows, *batch.pack(orders), mode=mode)
    judge = {"compat": compat.judge, "strict": strict.judge}[mode]
    single = [
        judge(made[row][1], order, answered.worlds()[made[row][0]]) for row, order in zip(rows, orders, strict=True)
    ]
    assert found.exact.tolist() == [one.exact for one in single]
    assert found.semantic.tolist() == [one.semantic for one in single]
    assert found.accepted.tolist() == [one.accepted for one in single]
    assert found.pairwise.tolist() == [one.pairwise for one in single]
    equal = [k for k, one in enumerate(single) if one.reason != "length"]
    assert found.hits[equal].tolist() == [single[k].hits for k in equal]
    # The worlds and answers reach every rule.
    reasons = Counter(one.reason for one in single)
    assert sum(one.semantic and not one.exact for one in single) > 10
    expected = {"compat": ("", "length", "dropped", "KeyError", "IndexError", "OrphanSystem")}
    assert all(reasons[word] > 5 for word in expected.get(mode, ("", strict.NOT_A_PERMUTATION, strict.MISSING_FRAME)))


def test_stored_cases() -> None:
    names = list(STORED["worlds"])
    tables = [change_table(golden(name)) for name in names]
    some = list(SCORED.values())
    verifier = batch.Verifier([asked(case) for case in some], tables, [names.index(case["world"]) for case in some])
    orders = [parsing.compat(case["answer"], len(case["gt_answer"])) for case in some]
    found = verifier.verify(range(len(some)), *batch.pack(orders))
    for k, case in enumerate(some):
        assert bool(found.accepted[k]) == case["expected"]["task_accuracy"], case["id"]
        assert found.pairwise[k] == pytest.approx(case["expected"]["pairwise_accuracy"], abs=1e-12), case["id"]


def test_no_order_and_entries_beyond_32_bits(worlds: dict[str, list[object]]) -> None:
    world = answered.worlds()[0]
    item = Asked(True, world.frames[:3], (2, 1))
    verifier = batch.Verifier([item], worlds["compat"], [0])
    orders = [None, [], [10**30, 2], [-(10**30), 1]]
    found = verifier.verify([0] * 4, *batch.pack(orders))
    expected = [0.0, 0.0] + [compat.judge(item, order, world).pairwise for order in orders[2:] if order is not None]
    assert found.pairwise.tolist() == expected
    with pytest.raises(TypeError, match="no integers"):
        batch.pack([["1"]])  # type: ignore[list-item]


def test_malformed_items_are_refused(worlds: dict[str, list[object]]) -> None:
    with pytest.raises(Malformed, match="no permutation"):
        batch.Verifier([Asked(True, ("0", "10", "20"), (1, 1))], worlds["compat"], [0])


def test_a_hundred_thousand_answers_a_second(worlds: dict[str, list[object]]) -> None:
    made = answered.items(ITEMS)
    rng = np.random.default_rng(5)
    rows = np.tile(rng.integers(ITEMS, size=ANSWERS), 16)
    orders = [answered.answer(made[row][1], rng) for row in rows[:ANSWERS]]
    told = batch.pack(orders * 16)
    verifier = batch.Verifier([item for _, item in made], worlds["compat"], [world for world, _ in made])
    times = []
    for _ in range(4):
        start = time.perf_counter()
        verifier.verify(rows, *told)
        times.append(time.perf_counter() - start)
    # The first call may compile; a busy machine may slow down any of them.
    assert len(rows) / min(times) > 100_000
