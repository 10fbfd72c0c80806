"""Names become words by the rule of the specification, section 5.1; every stored case is a test."""

from typing import Any

import pytest

from jaxphys_benchmarks.enact import names
from tests.enact_worlds import cases, episode, seen


@pytest.mark.parametrize("case", cases()["name_cases"], ids=lambda case: case["name"] or "empty")
def test_stored_names(case: dict[str, Any]) -> None:
    wanted = case.get("formatted_project_rule", case["formatted"])
    assert names.words(case["name"], case["category"]) == wanted


@pytest.mark.parametrize(
    ("name", "category", "wanted"),
    [
        ("diced__carrot", "System", "the diced carrot"),  # six letters, and a system
        ("diced__carrot", None, "the diced carrot"),  # in no frame, but two underscores
        ("diced_carrot_3", None, "the diced"),  # in no frame
        ("carrot_3", "carrot", "the carrot"),  # the first part is never a model id
        ("12_34", "cup", "the cup"),  # no word: those of the category
        ("12_34", None, "the object"),
        ("77", "cup", "the 77"),  # one part keeps its digits where nothing else remains
        ("player_one_r2", "agent", "the player one r2"),
        ("cup_r2", "cup", "the cup"),  # not a robot
    ],
)
def test_rules_that_no_stored_case_shows(name: str, category: str | None, wanted: str) -> None:
    assert names.words(name, category) == wanted


def test_words_can_be_added() -> None:
    assert names.words("glass_bottle_2", "jar") == "the glass"
    assert names.words("glass_bottle_2", "jar", ("bottle",)) == "the glass bottle"


def test_an_episode_warns_of_names_without_words_and_of_shared_words() -> None:
    nodes = [
        {"name": name, "category": category, "states": [], "visibility": seen(500)}
        for name, category in (("1_2", "cup"), ("plate_1", "plate"), ("plate_2", "plate"))
    ]
    told = episode({"0": {"type": "full", "nodes": nodes, "edges": []}}).warnings
    assert len(told) == 2
    assert "'1_2' has no word" in told[0]
    assert "plate_1, plate_2" in told[1]
