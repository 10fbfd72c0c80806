"""The walking table is what the shipped walking policy does."""

import ast

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.execution import walks
from jaxphys_benchmarks.reacthuman.walking import TIMES, WALKED
from tests.benchmarks.reacthuman.execution import executed_scenes  # noqa: F401  skips without the extra

START, NEAR, FAR = 1.2, 0.03, 0.15
"""Time that counts most for what a robot dodges or meets (s), and how near the table is until then and after it (m)."""


def test_a_table_is_written_as_its_source() -> None:
    assert ast.literal_eval("{" + walks.source(WALKED) + "}") == WALKED


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_table_is_what_the_shipped_policy_does() -> None:
    found = walks.walked(list(WALKED))
    soon = np.array(TIMES) <= START
    for command, rows in WALKED.items():
        apart = np.abs(np.array(rows) - np.array(found[command]))
        assert apart[:, soon].max() <= NEAR, command
        assert apart.max() <= FAR, command
