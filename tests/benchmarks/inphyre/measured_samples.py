"""Samples that several tests share: screened ones with their labels, and hand-made ones with known results."""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.inphyre import lower, measure, sample, screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.spec import Asked, FilmSize, InPhyReSpec, Thing

SEED = 7
CONFIGS = {preset: InPhyReConfig(preset=preset) for preset in ("published", "varied")}
CONFIG = CONFIGS["published"]
FILM = FilmSize(frames=128, fps=25.6, width_px=480, height_px=320)

Floats = NDArray[np.float64]


@functools.cache
def measured(preset: str, scenario: str, n: int = 120) -> tuple[tuple[InPhyReSpec, ...], tuple[Labels, ...]]:
    """n accepted samples of a scenario, and their labels."""
    specs, labels = zip(*screen.labelled(CONFIGS[preset], SEED, scenario, range(n)), strict=True)
    return specs, labels


def drawn(scenario: str, n: int, **options: Any) -> list[InPhyReSpec]:
    """n samples as drawn, not screened."""
    return sample.draw_many(InPhyReConfig(**options), SEED, scenario, range(n))


def truth(specs: list[InPhyReSpec]) -> list[Labels]:
    return measure.label(specs, lower.simulate(specs)[1])


def cubes(speed: float, gap: float, *, query: str = "speed", law: str = "regular", **fields: Any) -> InPhyReSpec:
    """Two metal cubes of half side 0.35 m: A at the origin with a launch speed along x, B at rest after a gap."""
    common: dict[str, Any] = {"shape": "cube", "material": "metal", "size": 0.35, "mass": 1.0, "mu": 0.12}
    values: dict[str, Any] = {
        "seed": 0,
        "scenario": "LMC",
        "index": 0,
        "things": (
            Thing(name="blue cube", colour="blue", pos=(0.0, 0.0), vel=(speed, 0.0), **common),
            Thing(name="green cube", colour="green", pos=(0.7 + gap, 0.0), **common),
        ),
        "law": law,
        "g": 9.8,
        "asked": Asked(query=query, template=0, wording=0, order=(0, 1, 2, 3)),
        "film": FILM,
    }
    return InPhyReSpec(**(values | fields))
