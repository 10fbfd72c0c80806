"""Readings of the same replies, compared item by item."""

import pytest

from jaxphys_benchmarks.agreement import disagreement


def flags(text: str) -> dict[str, list[dict[str, object]]]:
    return {"Q1": [{"id": ball, "answer": flag} for ball, flag in enumerate(text, start=1)]}


def test_extractors_are_compared_item_by_item() -> None:
    values = {
        "paper": [flags("TFF"), None, None],
        "robust": [flags("TTT"), flags("FFFF"), None],
        "lenient": [flags("TTT"), flags("FFFT"), None],
    }
    assert disagreement(values) == {"paper/robust": 2 + 4, "paper/lenient": 2 + 4, "robust/lenient": 1}


def test_a_value_that_is_no_mapping_of_lists_is_one_item() -> None:
    assert disagreement({"a": [3, 3, None, {"n": 1}], "b": [3, 4, 5, {"n": 2}]}) == {"a/b": 3}


def test_other_lengths_and_other_replies() -> None:
    assert disagreement({"a": [flags("TF")], "b": [flags("TFF")]}) == {"a/b": 1}
    assert disagreement({"a": [], "b": []}) == {"a/b": 0}
    with pytest.raises(ValueError, match="shorter"):
        disagreement({"a": [None], "b": []})
