"""Advice on choices: how many scenes make whole sets."""

from typing import Any

import pytest

from jaxphys_benchmarks import advice, registry


@pytest.mark.parametrize(
    ("name", "options", "groups", "scenes", "better"),
    [
        ("reacthuman", {}, 17, 50, 68),
        ("reacthuman", {}, 17, 68, 68),
        ("reacthuman", {}, 17, 69, 136),
        ("reacthuman", {"bands": ("slow", "fast")}, 17, 1, 34),
        ("reacthuman", {"bands": ("slow",)}, 2, 3, 3),
        ("billiardphys", {}, 5, 7, 7),
    ],
)
def test_scenes_that_belong_together_are_counted_together(
    name: str, options: dict[str, Any], groups: int, scenes: int, better: int
) -> None:
    benchmark = registry.get(name, **options)
    assert advice.whole(benchmark, groups, scenes) == better
    hint = advice.uneven(benchmark, groups, scenes)
    assert (hint is None) is (scenes == better)
    assert hint is None or f"{better} do not" in hint
