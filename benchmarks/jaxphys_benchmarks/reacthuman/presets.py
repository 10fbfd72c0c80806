"""Presets: named sizes and mixes of a data set (ReactHuman specification, section 5), and parity with Genesis.

The mix of `published_306` is that of the published evaluation set: 141 scenes to catch, 156 to dodge and 9 that need
no action, 40 of all with an adversarial object, 8 of these with the foam ceiling panel. `SCHEDULE` deals them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
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

SCHEDULE: dict[str, tuple[str, ...]] = {
    "object_drop": ("C!", "D", "C", "D", "C"),
    "shelf_slide": ("C", "D", "C", "D", "C"),
    "hanging_fall": ("C!", "D", "C", "D", "C"),
    "ceiling_drop": ("C!", "D", "C!", "D", "C"),
    "sliding_object": ("C", "D", "C", "N", "C"),
    "rolling_ball": ("C", "D", "C", "D!", "C"),
    "surface_cascade": ("C", "C", "C", "N", "CN"),
    "furniture_tip": ("D", "C!", "D", "D", "D"),
    "stack_collapse": ("C", "D", "C", "D!", "C"),
    "ladder_slip": ("D", "D", "D", "D", "D"),
    "door_swing": ("D", "C", "D", "D", "D"),
    "pendulum_swing": ("D", "D", "D", "D!", "D"),
    "thrown_object": ("C", "D", "C", "D!", "C"),
    "bouncing_object": ("C", "D", "C", "D", "C"),
    "stair_tumble": ("C", "D", "C", "D", "C"),
    "chain_reaction": ("C", "D", "C", "D!", "C"),
    "multi_object": ("C", "D", "C", "D", "C"),
}
"""What the five groups of each family of `published_306` are, the last one of two bands: C to catch, D to dodge,
N a decoy, CN a decoy in its second band only; ! with an adversarial object (assumed)."""


@dataclass(frozen=True)
class Slot:
    """What a scheduled group is to be.

    Attributes:
        text: as in `SCHEDULE`; earlier: how many groups of the family before it have the same text.
    """

    text: str
    earlier: int

    @property
    def caught(self) -> bool:
        """Its object may be caught."""
        return self.text[0] in "CN"

    @property
    def adversarial(self) -> bool:
        """Its object looks other than it is."""
        return self.text.endswith("!")

    def decoy(self, band: int) -> bool:
        """Whether the scene in the band of that number, from 0, is a decoy."""
        return self.text == "N" or (self.text == "CN" and band == 1)


def slot(preset: str, family: str, group: int) -> Slot | None:
    """What a preset wants of a group; None where it leaves it to chance."""
    row = SCHEDULE.get(family, ()) if preset == "published_306" else ()
    if group >= len(row):
        return None
    return Slot(row[group], row[:group].count(row[group]))


def filled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as given, with those of the preset and of the parity that are not."""
    preset, parity = given.get("preset"), given.get("parity")
    of_preset = PRESETS.get(preset, {}) if isinstance(preset, str) else {}
    of_parity = PARITY.get(parity, {}) if isinstance(parity, str) else {}
    return {**of_preset, **of_parity, **given}
