"""A lane whose numbers go: its motion ends where its outcome does, so that it can be stored and drawn."""

import functools

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.execution import Execution, ExecutionConfig
from tests.benchmarks.reacthuman.execution.executed_scenes import STILL, thrown

CONFIG = ExecutionConfig(seconds=0.25, settle=0.1, threads=1)


@pytest.mark.parametrize("leaf", ["base", "robot", "bodies"])
@pytest.mark.parametrize("number", [np.nan, np.inf, 1e7], ids=str)
@pytest.mark.parametrize("since", [1, 5])
def test_what_is_no_number_is_no_part_of_a_motion(leaf: str, number: float, since: int) -> None:
    """Such a motion was stored, and could not be read again."""
    run = ran()
    rows = run._lanes.watches[0].rows
    kept = {name: list(getattr(rows, name)) for name in vars(rows)}
    every = 4 if leaf == "base" else 1
    try:
        spoilt = getattr(rows, leaf)
        spoilt[since * every :] = [np.full_like(row, number) for row in spoilt[since * every :]]
        motion, beside = run.motions()
        outcome = run.outcomes()[0]
    finally:
        for name, leaves in kept.items():
            setattr(rows, name, leaves)
    assert len(motion.times) == since
    assert len(beside.times) == 16
    if leaf == "base":
        assert outcome.fell
        assert motion.times[-1] <= outcome.seconds
    # As it is stored.
    assert all(len(value) == since and np.isfinite(value.astype(np.float32)).all() for value in vars(motion).values())


@functools.cache
def ran() -> Execution:
    """Two balls thrown at robots that stand."""
    spec, labels = thrown(-30)
    run = Execution([spec] * 2, [labels] * 2, [STILL] * 2, CONFIG)
    run.advance(run.ticks)
    return run
