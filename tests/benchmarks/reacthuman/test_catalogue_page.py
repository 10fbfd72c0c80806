"""The page of the user guide says what the tables say, and its Python runs."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.options import parse_options
from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.catalogue_table import HEAD, markdown
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import FAMILIES, register
from jaxphys_benchmarks.reacthuman.objects import LARGEST, SMALLEST, Object

PAGE = (Path(__file__).parents[3] / "docs" / "reacthuman_catalogue.md").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_catalogue() -> None:
    table = markdown(catalogue.current().rows)
    assert table in PAGE, "write markdown(catalogue.current().rows) into the page"
    lines = table.splitlines()
    assert len(lines) == 82 + 2
    assert {line.count("|") for line in lines} == {len(HEAD) + 1}
    assert sum("†" in line for line in lines) == 21


def test_the_limits_are_those_of_the_model() -> None:
    schema: dict[str, Any] = Object.model_json_schema()["properties"]
    assert f"Sizes from {SMALLEST} to {LARGEST} m" in PAGE
    assert f"densities from {schema['density']['minimum']} to {schema['density']['maximum']} kg/m³" in PAGE
    assert f"friction from {schema['friction']['minimum']} to {schema['friction']['maximum']}" in PAGE


def test_the_options_of_the_page_are_taken() -> None:
    given = re.findall(r"'((?:objects|premises)=\[.*?\])'", " ".join(PAGE.split()))
    assert len(given) == 1
    options = parse_options(given)
    config = ReactHumanConfig(**options, families=("object_drop",))
    assert config.catalogue.get("wok", "object_drop").mass == 1.8
    premise = re.search(r"premises='(\[.*?\])'", " ".join(PAGE.split()))
    assert premise is not None
    asked: dict[str, Any] = {"premises": json.loads(premise.group(1))}
    assert ReactHumanConfig(**asked).families == ("object_drop",)
    table = PAGE[PAGE.index("| option |") : PAGE.index("The eight named")]
    for name in re.findall(r"`(\w+)=", table):
        assert name in ReactHumanConfig.model_fields


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_current", catalogue.current())
    monkeypatch.setattr(catalogue, "_families", catalogue.families())
    monkeypatch.setattr(rooms, "ROOMS_OF", dict(rooms.ROOMS_OF))
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    scope: dict[str, Any] = {}
    try:
        for block in blocks:
            exec(compile(block, "docs/reacthuman_catalogue.md", "exec"), scope)
        assert "wok" in catalogue.pool("chain_reaction")
        assert rooms.rooms_of("sill_drop") == ("kitchen",)
        with pytest.raises(ValueError, match="room: 'attic' is unknown"):
            register(replace(FAMILIES["object_drop"], name="loft_drop", rooms=("attic",)))
        assert "loft_drop" not in FAMILIES
    finally:
        FAMILIES.pop("sill_drop", None)
