"""The `varied` preset: the answer varies inside a scenario and depends on what can be seen, by a hidden rule.

The question does not tell the rule; the films do. Whoever copies the answers of the exemplars is right about as often
as the commonest answer comes up. What does not carry the rule is drawn alike in all families: B's material, speeds,
and, where the prompt tells them, masses.

| scenario | what is seen | what happens to A |
|---|---|---|
| LMC | A small and metal | keeps its velocity |
| | A large and metal | goes on faster, by a gain |
| | A rubber | true physics: slower |
| AMC | A metal | begins to rotate |
| | A rubber | true physics: does not |
| Wall | A metal | vertical velocity grows |
| | A rubber and small | true physics: no change |
| | A rubber and large | vertical velocity shrinks |
| Red-LMC | A red | keeps its velocity |
| | B red, or nothing | true physics: slower |
| Red-Pass | A red | passes through B |
| | B red, or nothing | true physics: stops |
| SB | A metal | bounces back where it is the smaller one, whatever the masses |
| | A rubber | true physics: bounces back where it is the lighter one, whatever the sizes |
| CC | A metal | takes B's look |
| | A rubber | keeps its own |
| LMC-reg | A metal, B rubber | A is faster and hits B: slower |
| | A rubber, B metal | B is faster and hits A from behind: faster |
| AMC-reg | A's path meets B's middle | does not rotate |
| | A cube's path misses B's middle | true physics: begins to rotate |
| SB-reg | masses as told, sizes are no hint | true physics: bounces back where it is the lighter one |

Public: `FAMILIES` (names and shares), `varied`.
"""

from collections.abc import Mapping

import numpy as np

from jaxphys_benchmarks.inphyre import recipes
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.draft import CUBE, METAL, NONE, RUBBER, SPHERE, A, B, Draft, Recipe
from jaxphys_benchmarks.inphyre.numbers import Floats, Ints, Numbers

FAMILIES: Mapping[str, Mapping[str, float]] = {
    "LMC": {"metal_small": 1 / 3, "metal_large": 1 / 3, "rubber": 1 / 3},
    "AMC": {"metal": 0.5, "rubber": 0.5},
    "Wall": {"metal": 1 / 3, "rubber_small": 1 / 3, "rubber_large": 1 / 3},
    "Red-LMC": {"red": 0.5, "decoy": 0.25, "plain": 0.25},
    "Red-Pass": {"red": 0.5, "decoy": 0.25, "plain": 0.25},
    "SB": {"metal": 0.5, "rubber": 0.5},
    "CC": {"metal": 0.5, "rubber": 0.5},
    "LMC-reg": {"hits": 0.5, "is_hit": 0.5},
    "AMC-reg": {"central": 0.5, "eccentric": 0.5},
    "SB-reg": {"light": 0.5, "heavy": 0.5},
}
"""Families of each scenario with their shares, in the order of `family` indices; Red ones follow `p_red` instead."""

LEVER = (0.35, 0.7)
"""Lever of an eccentric hit in half extents of A."""

CHASED = (0.2, 0.5)
"""Speed of what is hit from behind over that of what hits it."""


def _momentum(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = recipes.momentum(config, numbers, family)
    metal, large = family < 2, family == 1
    gain = np.where(large, numbers.uniform(*config.varied_gain), 1.0)
    decoy = np.where(numbers.flag(), METAL, RUBBER)
    big = numbers.flag()
    drawn.material = np.stack([np.where(metal, METAL, RUBBER), np.where(metal, METAL, decoy)], axis=1)
    size = np.where(large | (~metal & big), config.size_large, config.size_small)
    drawn.size[:, A] = size
    drawn.size[:, B] = np.where(drawn.shape[:, B] == SPHERE, size, drawn.size[:, B])
    drawn.mass[:, B] = drawn.mass[:, A] * numbers.uniform(*config.varied_mass_ratio)
    drawn.law[metal] = "keep_momentum"
    drawn.params["gain"] = gain
    return drawn


def _spinning(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = recipes.spinning(config, numbers, family)
    drawn.material[:, A] = np.where(family == 0, METAL, RUBBER)
    drawn.law[family == 0] = "spin_up" if config.amc_linear == "exchange" else "spin_up_keeping"
    return drawn


def _wall(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = recipes.wall(config, numbers, family)
    loss = numbers.uniform(*config.varied_loss)
    drawn.material[:, A] = np.where(family == 0, METAL, RUBBER)
    by_family = np.stack(
        [drawn.size[:, A], np.full_like(loss, config.size_small), np.full_like(loss, config.size_large)]
    )
    drawn.size[:, A] = _pick(by_family, family)
    drawn.params["gain"] = _pick(np.stack([drawn.params["gain"], np.ones_like(loss), loss]), family)
    drawn.law[:] = "tangent_gain"
    return drawn


def _red_momentum(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = recipes.momentum(config, numbers, family)
    drawn.red = np.array([A, B, NONE])[family]
    drawn.law[:] = "red_keeps_momentum"
    return drawn


def _passing(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = recipes.passing(config, numbers, family)
    drawn.red = np.array([A, B, NONE])[family]
    # `red_passes` would let a red B through, too.
    drawn.law[family == 0] = "red_passes"
    return drawn


def _sizes_and_masses(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """Sizes and masses that differ, either way round, independently of each other."""
    drawn = recipes.large_meets_small(config, numbers, family)
    smaller, heavier = numbers.flag(), numbers.flag()
    drawn.size = np.where(smaller[:, None], drawn.size[:, ::-1], drawn.size)
    drawn.mass = np.where(heavier[:, None], drawn.mass[:, ::-1], drawn.mass)
    return drawn


def _sizes(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = _sizes_and_masses(config, numbers, family)
    drawn.material[:, A] = np.where(family == 0, METAL, RUBBER)
    drawn.law[family == 0] = "size_is_mass"
    return drawn


def _look(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = recipes.free_pair(config, numbers, family)
    drawn.material[:, A] = np.where(family == 0, METAL, RUBBER)
    drawn.law[family == 0] = "take_look"
    return drawn


def _chase(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """The metal object is the faster one; both move the same way."""
    drawn = recipes.momentum(config, numbers, family)
    drawn.chases = family == 1
    drawn.material = np.stack([np.where(drawn.chases, RUBBER, METAL), np.where(drawn.chases, METAL, RUBBER)], axis=1)
    fast = drawn.speed[:, A]
    slow = fast * numbers.uniform(*CHASED)
    drawn.speed = np.where(drawn.chases[:, None], np.stack([slow, fast], 1), np.stack([fast, slow], 1))
    return drawn


def _off_centre(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """A is a cube, so that a face is hit off its middle; the law is that of smooth rigid bodies in both families."""
    drawn = recipes.spinning(config, numbers, family)
    drawn.shape[:, A] = CUBE
    half, other = drawn.size[:, A], drawn.size[:, B]
    lever = half * numbers.uniform(*LEVER)
    # Two faces meet where they overlap, and the middle of that is the place of contact.
    faces = (drawn.shape[:, B] == CUBE) & (lever + other > half)
    offset = np.where(faces, 2 * lever + other - half, lever) * numbers.sign()
    drawn.offset = np.where(family == 1, offset, 0.0)
    drawn.law[:] = "eccentric"
    drawn.ok = np.ones(len(numbers), dtype=bool)
    return drawn


def _told_masses(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    drawn = _sizes_and_masses(config, numbers, family)
    light_first = np.sort(drawn.mass, axis=1)
    drawn.mass = np.where((family == 0)[:, None], light_first, light_first[:, ::-1])
    return drawn


def _pick(rows: Floats, family: Ints) -> Floats:
    """(m,) of (families, m)."""
    return np.asarray(rows[family, np.arange(rows.shape[1])])


_RECIPES: Mapping[str, Recipe] = {
    "LMC": _momentum,
    "AMC": _spinning,
    "Wall": _wall,
    "Red-LMC": _red_momentum,
    "Red-Pass": _passing,
    "SB": _sizes,
    "CC": _look,
    "LMC-reg": _chase,
    "AMC-reg": _off_centre,
    "SB-reg": _told_masses,
}


def varied(config: InPhyReConfig, scenario: str, numbers: Numbers, family: Ints) -> Draft:
    """Samples of a scenario by the rule of the table above; a law that a recipe does not name is the true one."""
    drawn = _RECIPES[scenario](config, numbers, family)
    drawn.params.setdefault("gain", np.ones(len(numbers)))
    return drawn
