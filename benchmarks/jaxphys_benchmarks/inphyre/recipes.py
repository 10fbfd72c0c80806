"""How the samples of each scenario are drawn in the published preset (InPhyRe specification, sections 2 and 3.4).

A regular scenario has the recipe of its irregular counterpart and another law, so that nothing but the law tells them
apart. Equal masses, B at rest, head-on; what a scenario changes of this stands in its recipe.

Public: `RECIPES`, and the parts that the varied preset shares.
"""

from collections.abc import Mapping

import numpy as np

from jaxphys_benchmarks.inphyre import draft
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.draft import CUBE, NONE, SPHERE, A, B, Draft, Recipe
from jaxphys_benchmarks.inphyre.launch import run_out
from jaxphys_benchmarks.inphyre.numbers import Bools, Floats, Ints, Numbers
from jaxphys_benchmarks.inphyre.scenarios import REAL, SCENARIOS

CLEARANCE = 1.25
"""Factor by which B outruns the corners of spinning cubes, and A passes B's centre."""


def momentum(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """LMC: two sliders or two spheres of one material, so that B stays ahead of an A that keeps its velocity."""
    shape = draft.shapes(config, numbers, alike=True)
    material = draft.materials(config, numbers, alike=True)
    size = draft.sizes(config, numbers, shape)
    return draft.pair(numbers, shape, material, size, config.mass, numbers.uniform(*config.contact_speed), REAL)


def free_pair(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """CC: any two objects."""
    shape = draft.shapes(config, numbers)
    material = draft.materials(config, numbers)
    size = draft.sizes(config, numbers, shape)
    return draft.pair(numbers, shape, material, size, config.mass, numbers.uniform(*config.contact_speed), REAL)


def spinning(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """AMC: A's spin can be seen, and B leaves faster than the corners of spinning cubes come after it."""
    shape = draft.shapes(config, numbers, first=config.amc_shapes)
    material = draft.materials(config, numbers)
    size = draft.sizes(config, numbers, shape)
    drawn = draft.pair(numbers, shape, material, size, config.mass, numbers.uniform(*config.contact_speed), REAL)
    omega = numbers.uniform(*config.amc_omega)
    drawn.params = {"omega": omega * numbers.sign()}
    drawn.ok = outruns_corners(config, drawn, omega)
    return drawn


def outruns_corners(config: InPhyReConfig, drawn: Draft, omega: Floats) -> Bools:
    """(m,) B, which leaves at A's speed or less, stays clear of corners that spin at omega (rad/s)."""
    cubes = np.sum(np.where(drawn.shape == CUBE, drawn.size, 0.0), axis=1)
    speed, slide = drawn.speed[:, A], drawn.slide(config)[:, B]
    # It is hit without spin, so a sphere slides at first, as the others do all the way.
    way = run_out(speed, slide, slide, spheres=drawn.shape[:, B] == SPHERE)
    far = way > CLEARANCE * (np.sqrt(2) - 1) * cubes
    apart = config.restitution * speed
    return np.asarray((apart > CLEARANCE * omega * cubes) & far)


def wall(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """Wall: one object on a slanting path to an upright wall."""
    shape = draft.shapes(config, numbers)[:, :1]
    material = draft.materials(config, numbers)[:, :1]
    size = np.where(numbers.flag(), config.size_small, config.size_large)[:, None]
    drawn = draft.pair(numbers, shape, material, size, config.mass, numbers.uniform(*config.contact_speed), REAL)
    drawn.slope = numbers.uniform(*config.wall_slope) * numbers.sign()
    drawn.params = {"gain": numbers.uniform(*config.wall_k)}
    return drawn


def red_momentum(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """Red-LMC: as LMC; A is red in the first family, nothing is in the second."""
    drawn = momentum(config, numbers, family)
    drawn.red = np.where(family == 0, A, NONE)
    return drawn


def passing(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """Red-Pass: A or B is red in the first family, nothing is in the second; A would get past B's centre."""
    drawn = free_pair(config, numbers, family)
    drawn.red = np.where(family == 0, np.where(numbers.flag(), A, B), NONE)
    drawn.ok = gets_past(config, drawn)
    return drawn


def gets_past(config: InPhyReConfig, drawn: Draft) -> Bools:
    """(m,) nothing but friction would stop A before it is past B's centre."""
    roll = np.full(len(drawn.ok), config.mu_roll * config.g)
    way = run_out(drawn.speed[:, A], drawn.slide(config)[:, A], roll, spheres=drawn.shape[:, A] == SPHERE)
    return np.asarray(way > CLEARANCE * drawn.size.sum(axis=1))


def large_meets_small(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """SB: A is large and light, B small and heavy.

    A slides, if anything does: a heavy sphere, which loses its spin whenever it hits, would run into B without end.
    """
    sliders = tuple(name for name in config.shapes if name != "sphere")
    shape = draft.shapes(config, numbers, first=sliders)
    material = draft.materials(config, numbers)
    size = np.tile([config.size_large, config.size_small], (len(numbers), 1))
    ratio = numbers.uniform(*config.sb_mass_ratio)
    mass = config.mass * np.stack([np.ones_like(ratio), ratio], axis=1)
    return draft.pair(numbers, shape, material, size, mass, numbers.uniform(*config.contact_speed), REAL)


def heavy_meets_light(config: InPhyReConfig, numbers: Numbers, family: Ints) -> Draft:
    """SB-reg: as SB, but the large object is the heavy one."""
    drawn = large_meets_small(config, numbers, family)
    drawn.mass = drawn.mass[:, ::-1].copy()
    return drawn


_RECIPES: Mapping[str, Recipe] = {
    "LMC": momentum,
    "AMC": spinning,
    "Wall": wall,
    "Red-LMC": red_momentum,
    "Red-Pass": passing,
    "SB": large_meets_small,
    "CC": free_pair,
    "LMC-reg": momentum,
    "AMC-reg": spinning,
    "SB-reg": heavy_meets_light,
}

READS: Mapping[str, tuple[str, ...]] = {
    "keep_momentum": ("gain",), "red_keeps_momentum": ("gain",), "tangent_gain": ("gain",),
    "spin_up": ("omega",), "spin_up_keeping": ("omega",),
}  # fmt: skip
"""Parameters that a law reads besides restitution; a sample stores no others."""


def published(config: InPhyReConfig, scenario: str, numbers: Numbers, family: Ints) -> Draft:
    """Samples of a scenario under its law."""
    drawn = _RECIPES[scenario](config, numbers, family)
    law = SCENARIOS[scenario].law
    if law == "spin_up" and config.amc_linear == "keep":
        law = "spin_up_keeping"
    drawn.law = np.full(len(numbers), law, dtype=object)
    if "gain" not in drawn.params:
        drawn.params["gain"] = np.ones(len(numbers))
    return drawn
