"""The ten scenarios: which law, which question, which regular counterpart (InPhyRe specification, sections 3.4, 4).

A scenario is (sampler, law, query). The answer is never read from this table: it is measured on the trajectory.
"""

from collections.abc import Mapping
from dataclasses import dataclass

REAL = "regular"
"""Name of the true law in `jaxphys.laws`."""

UNDETERMINED = "undetermined"
"""The option that it cannot be known; never true, because every sample that is asked about was simulated."""

MEANINGS: Mapping[str, tuple[str, str, str, str]] = {
    "speed": ("no_change", "decreases", "increases", UNDETERMINED),
    "rotation": ("rotates", "still", "oscillates", UNDETERMINED),
    "vertical": ("increases", "decreases", "no_change", UNDETERMINED),
    "meeting": ("passes_through", "stops", "bounces_back", UNDETERMINED),
    "direction": ("bounces_back", "keeps_direction", "stops", UNDETERMINED),
    "appearance": ("looks_like_other", "looks_as_before", "gone", UNDETERMINED),
}
"""Meanings of the four options of each query, in the order that `Asked.order` counts (section 4)."""


@dataclass(frozen=True)
class Scenario:
    """A scenario.

    Attributes:
        name: also the group of its samples and the first part of their ids.
        title: for people.
        category: of the paper: what is violated.
        query: what is asked about the moving object, a key of `queries.QUERIES`.
        law: name of its law in the published preset.
        regular: the scenario that shows the same question under true physics; its own name for regular ones.
        families: kinds of sample that obey different laws; exemplars show each of them. One for most scenarios.
    """

    name: str
    title: str
    category: str
    query: str
    law: str
    regular: str
    families: tuple[str, ...] = ("all",)

    @property
    def is_regular(self) -> bool:
        """Whether it obeys true physics and is a counterpart."""
        return self.regular == self.name


SCENARIOS: Mapping[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        Scenario("LMC", "linear momentum is not conserved", "momentum", "speed", "keep_momentum", "LMC-reg"),
        Scenario("AMC", "angular momentum is not conserved", "momentum", "rotation", "spin_up", "AMC-reg"),
        Scenario("Wall", "the vertical velocity grows at a wall", "momentum", "vertical", "tangent_gain", "LMC-reg"),
        Scenario(
            "Red-LMC", "red objects do not conserve momentum", "inconsistent", "speed", "red_keeps_momentum",
            "LMC-reg", ("red", "other"),
        ),
        Scenario(
            "Red-Pass", "red objects pass through others", "inconsistent", "meeting", "red_passes", "LMC-reg",
            ("red", "other"),
        ),
        Scenario("SB", "a large object meets a small, heavy one", "miscellaneous", "direction", REAL, "SB-reg"),
        Scenario("CC", "an object takes the look of another", "miscellaneous", "appearance", "take_look", "LMC-reg"),
        Scenario("LMC-reg", "linear momentum is conserved", "regular", "speed", REAL, "LMC-reg"),
        Scenario("AMC-reg", "angular momentum is conserved", "regular", "rotation", REAL, "AMC-reg"),
        Scenario("SB-reg", "a large object meets a small, light one", "regular", "direction", REAL, "SB-reg"),
    )
}  # fmt: skip
"""Scenarios by name, in the order of the paper."""

NUMBERS: Mapping[str, int] = {name: number for number, name in enumerate(SCENARIOS)}
"""Number of each scenario, part of the key of its random streams; a new scenario is appended, never inserted."""
