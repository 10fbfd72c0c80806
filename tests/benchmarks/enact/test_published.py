"""The published tables, and the scores that were published apart from them (specification, section 10)."""

import pytest

from jaxphys_benchmarks.enact import published
from tests.benchmarks.enact.golden import PUBLISHED

DIRECTIONS = ("forward", "inverse")
CELLS = [
    (model, direction, length, cell, items)
    for model, rows in PUBLISHED["task_accuracy"].items()
    for direction in DIRECTIONS
    for length, cell, items in zip(published.LENGTHS, rows[direction], published.ITEMS, strict=True)
]


def test_items_of_each_length() -> None:
    assert PUBLISHED["L"] == list(published.LENGTHS)
    assert PUBLISHED["items_per_L_each_direction_derived"] == list(published.ITEMS)
    assert 2 * sum(published.ITEMS) == 8972
    shares = [round(100 * items / sum(published.ITEMS), 1) for items in published.ITEMS]
    assert shares == [12.8, 12.8, 12.8, 12.8, 12.8, 12.7, 12.2, 11.1]


def test_only_the_two_misprinted_cells_fit_no_count() -> None:
    assert len(CELLS) == 496
    misfits = tuple((model, direction, length) for model, direction, length, cell, items in CELLS
                    if not published.fits(cell, items))  # fmt: skip
    assert sorted(misfits) == sorted(published.MISPRINTS)


@pytest.mark.parametrize(("model", "direction"), [key for key in published.README if key[0] == "Human Performance"])
def test_counts_give_the_readme_scores_of_people(model: str, direction: str) -> None:
    which = DIRECTIONS if direction == "overall" else (direction,)
    task, pairwise = published.README[model, direction]
    rows = {one: PUBLISHED["task_accuracy"][model][one] for one in which}
    assert sum(published.task_accuracy(rows[one]) for one in which) / len(which) == pytest.approx(task, abs=1e-15)
    told = [published.pairwise_accuracy(PUBLISHED["pairwise_accuracy"][model][one]) for one in which]
    assert sum(told) / len(told) == pytest.approx(pairwise, abs=5e-5)


def test_counts_give_the_readme_scores_of_gpt_5_mini() -> None:
    rows, task = PUBLISHED["task_accuracy"]["GPT-5 mini"], published.README["GPT-5 mini", "overall"]
    right = [sum(map(published.correct, rows[one], published.ITEMS)) for one in DIRECTIONS]
    assert right == [1483, 1832]
    assert sum(right) / 8972 == pytest.approx(task[0], abs=5e-5)
    pairwise = [published.pairwise_accuracy(PUBLISHED["pairwise_accuracy"]["GPT-5 mini"][one]) for one in DIRECTIONS]
    assert sum(pairwise) / 2 == pytest.approx(task[1], abs=1e-4)


def test_right_answers_of_people() -> None:
    rows = PUBLISHED["task_accuracy"]["Human Performance"]
    assert [sum(map(published.correct, rows[one], published.ITEMS)) for one in DIRECTIONS] == [3945, 4004]


def test_error_shares_sum_to_all() -> None:
    for direction in DIRECTIONS:
        assert sum(PUBLISHED["gpt5_error_share_percent"][direction].values()) == pytest.approx(100, abs=0.2)
