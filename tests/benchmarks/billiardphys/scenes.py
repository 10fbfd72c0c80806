"""Scenes that several tests share: drawn ones, and hand-made ones with known results."""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.labels import Labels, label
from jaxphys_benchmarks.billiardphys.lower import simulate
from jaxphys_benchmarks.billiardphys.sample import draw
from jaxphys_benchmarks.billiardphys.screen import accepted
from jaxphys_benchmarks.billiardphys.spec import Ball, BilliardSpec, Cue, Pocket, Table

CONFIG = BilliardConfig()
SEED = 7


@functools.cache
def pool(window: float, n: int) -> tuple[tuple[BilliardSpec, ...], tuple[Labels, ...]]:
    """n accepted scenes of the default configuration, and their labels."""
    specs = accepted(CONFIG, SEED, window, range(n))
    return tuple(specs), tuple(truth(specs))


def draw_window(config: BilliardConfig, seed: int, window: float, indices: Iterable[int]) -> list[BilliardSpec]:
    """The scenes of a window with these indices, not yet screened."""
    return [draw(config, seed, window, index) for index in indices]


def truth(specs: Sequence[BilliardSpec]) -> list[Labels]:
    return label(specs, simulate(specs)[1])


def table(pos: Sequence[tuple[float, float]], v0: float, t: float, **fields: Any) -> BilliardSpec:
    """Balls at given places on the default table, the cue moving to the right."""
    values: dict[str, Any] = {
        "seed": 0,
        "index": 0,
        "table": Table(W=2.0, H=1.0),
        "R": 0.03,
        "mu": 0.002,
        "g": 9.8,
        "t": t,
        "balls": tuple(Ball(id=ball, pos=xy) for ball, xy in enumerate(pos)),
        "cue": Cue(v0=v0, angle=0.0, vel=(v0, 0.0)),
    }
    return BilliardSpec(**(values | fields))


def head_on() -> BilliardSpec:
    """Golden case B: ball 1 is hit head-on and meets the right wall; ball 2 is not touched."""
    return table([(0.5, 0.5), (1.2, 0.5), (0.3, 0.9)], 0.6, 3.0)


def potted() -> BilliardSpec:
    """The cue ball drives ball 1 into a pocket at the middle of the right wall."""
    hole = Pocket(centre=(2.0, 0.5), radius=0.06)
    return table([(0.5, 0.5), (1.2, 0.5), (0.3, 0.9)], 0.6, 4.0, pockets=(hole,))
