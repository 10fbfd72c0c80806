"""JSON files: byte for byte what Python's own indented JSON is, but for numbers on one line; folders without a set."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import layout
from jaxphys_adapters.layout import to_json

NUMBER = r"(?:-?[\d.]+(?:[eE][+-]?\d+)?|null|true|false)"
FLAT = re.compile(rf"\[\n\s+({NUMBER}(?:,\n\s+{NUMBER})*)\n\s+\]")
KEYS = ("a", "b\n", 'ü"', "c", 1, 2.5, None, True, "[1,\n2]")
NUMBERS = (1, -2.5e-9, 1e22, None, True, 10**20, 0.1)
LEAVES = ("x", "", "[\n 1\n]", 3, -0.0, 1e-7, None, False, 1e300, "\u2028", "é")


def reference(content: Any) -> bytes:
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return FLAT.sub(lambda found: "[" + re.sub(r"\n\s+", " ", found.group(1)) + "]", text).encode() + b"\n"


def made(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(8)
    if kind < 3 and depth:
        return {rng.choice(KEYS): made(rng, depth - 1) for _ in range(rng.randrange(4))}
    if kind < 5 and depth:
        return [made(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 5:
        return tuple(rng.choice(NUMBERS) for _ in range(rng.randrange(5)))
    return rng.choice(LEAVES)


def test_files_are_those_of_the_standard_encoder() -> None:
    rng = random.Random(1)
    for _ in range(5000):
        content = made(rng, 4)
        assert to_json(content) == reference(content)


def test_lists_of_numbers_take_one_line() -> None:
    assert (
        to_json({"pos": [[1.0, 2.5], []], "id": "a"})
        == b'{\n  "pos": [\n    [1.0, 2.5],\n    []\n  ],\n  "id": "a"\n}\n'
    )


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({"a": [float("nan")]}, ValueError),
        ({"a": float("inf")}, ValueError),
        ({float("nan"): 1}, ValueError),
        ({"a": object()}, TypeError),
        ({(1, 2): 3}, TypeError),
    ],
)
def test_what_json_does_not_know_is_refused(content: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        to_json(content)


@pytest.mark.parametrize("name", ["recipe.json", "manifest.json"])
def test_a_folder_of_episodes_says_what_is_for_it(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("{}")
    with pytest.raises(ValueError, match=f"this is a folder of ENACT, .*: `jaxphys report enact {tmp_path}`"):
        layout.open_data_set(tmp_path)


def test_a_folder_without_a_data_set_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"config.json: no such file; give a folder that `jaxphys generate` has made"):
        layout.open_data_set(tmp_path)
