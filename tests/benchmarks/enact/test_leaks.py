"""Ways to answer without looking: shares, chance, and the interval of guessing."""

import math
from dataclasses import replace

import numpy as np
import pytest

from jaxphys_benchmarks.enact import items, leaks
from jaxphys_benchmarks.enact.items import Item
from tests import enact_worlds


def questions(count: int = 60) -> list[Item]:
    found = []
    for seed in range(count):
        world = enact_worlds.episode(enact_worlds.random_world(seed, orphans=False))
        found += [
            items.make(f"some_{seed:016d}", world.frames[:4], world, inverse=inverse) for inverse in (False, True)
        ]
    return found


def test_file_names_of_our_questions_tell_nothing() -> None:
    files, texts = leaks.leaks(questions())
    assert [one.name for one in files] == list(leaks.FILES)
    assert [one.name for one in texts] == list(leaks.TEXTS)
    for one in files:
        assert one.within, one


def test_a_leak_is_found() -> None:
    """Questions that list everything in its true order are answered as listed."""
    told = [replace(item, gt_answer=tuple(range(1, len(item.gt_answer) + 1))) for item in questions(20)]
    found = leaks.leak("as listed", leaks.as_listed, told)
    assert (found.exact, found.positions) == (1.0, 1.0)
    assert not found.within


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_interval_is_that_of_random_permutations(n: int) -> None:
    rng = np.random.default_rng(n)
    item = questions(1)[0]
    some = [replace(item, gt_answer=tuple(int(k) + 1 for k in rng.permutation(n))) for _ in range(4000)]
    found = leaks.leak("constant", lambda item: list(range(1, n + 1)), some)
    assert found.chance_exact == pytest.approx(1 / math.factorial(n))
    assert found.chance_positions == pytest.approx(1 / n)
    # The half width is 1.96 standard errors of the mean over the questions.
    right = [sum(a == b for a, b in zip(one.gt_answer, range(1, n + 1), strict=True)) / n for one in some]
    assert found.band_positions == pytest.approx(1.96 * np.std(right) / np.sqrt(len(some)), rel=0.1)


def test_digits_spell_a_permutation() -> None:
    for item in questions(5):
        assert sorted(leaks.by_digits(item)) == list(range(1, len(item.gt_answer) + 1))
