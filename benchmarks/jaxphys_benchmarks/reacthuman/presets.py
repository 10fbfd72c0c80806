"""Presets: named sizes and mixes of a data set (ReactHuman specification, section 5), and parity with Genesis."""

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    "release_1054": {"scenes_per_family": 62},
    "published_306": {"scenes_per_family": 18},
    "large": {"scenes_per_family": 600},
}
"""Fields that a preset stands for, unless they are given."""

PARITY: dict[str, dict[str, Any]] = {
    "genesis": {"cone": "pyramidal", "substeps": 4, "drag": "off", "bounce": "baked", "impact": "com"},
}
"""Fields that `parity` fixes (section 2)."""


def filled(given: dict[str, Any]) -> dict[str, Any]:
    """Fields as given, with those of the preset and of the parity that are not."""
    preset, parity = given.get("preset"), given.get("parity")
    of_preset = PRESETS.get(preset, {}) if isinstance(preset, str) else {}
    of_parity = PARITY.get(parity, {}) if isinstance(parity, str) else {}
    return {**of_preset, **of_parity, **given}
