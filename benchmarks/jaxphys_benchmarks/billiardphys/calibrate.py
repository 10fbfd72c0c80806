"""How fast the cue ball must be for half of the scenes to have a hit (BilliardPhys-Bench specification, section 3).

Whether the cue ball hits some ball within t depends on the layout and on the length of its path alone,
s(t) = v0 t − ½ μ g t². The median path to the first hit, s50, is measured by exact ray tracing with
reflections over random scenes, and the speed of a 50 % hit rate is v50(t) = s50/t + ½ μ g t.

Public functions: `median_path`, `v50`, `first_hit_paths`, `hit_probability`, `random_layouts`.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.billiardphys.config import BilliardConfig

Floats = NDArray[np.float64]

SCENES = 20_000
SEED = 20_260_529
LONGEST_PATH = 200.0
"""Rays that hit nothing up to this path have infinite length (m)."""

MEASURED_S50: dict[float, float] = {0.02: 2.870, 0.025: 2.307, 0.03: 1.897, 0.04: 1.401, 0.05: 1.088}
"""Published calibration of 7 balls on a 2 x 1 m table: R (m) to s50 (m); `median_path` measures the others."""


def median_path(config: BilliardConfig) -> float:
    """Median path to the first hit s50 (m): `config.s50`, the table of section 3, or a new calibration."""
    if config.s50 is not None:
        return config.s50
    if (config.W, config.H, config.n_balls) == (2.0, 1.0, 7) and config.R in MEASURED_S50:
        return MEASURED_S50[config.R]
    return measure(config.R, config.n_balls, (config.W, config.H), config.min_gap)


def v50(config: BilliardConfig, t: float) -> float:
    """Cue speed with which half of the scenes have a hit within t: s50/t + ½ μ g t (m/s)."""
    return median_path(config) / t + 0.5 * config.mu * config.g * t


@functools.cache
def measure(radius: float, n: int, size: tuple[float, float] = (2.0, 1.0), min_gap: float = 0.0) -> float:
    """s50 of n balls of a radius on a table (m), from `SCENES` scenes, to a millimetre.

    Raises:
        ValueError: with fewer than two balls nothing can be hit; or too many balls for the table.
    """
    if n < 2:
        raise ValueError(f"n_balls: {n}; a calibration needs two or more, or set s50")
    rng = np.random.default_rng(SEED)
    centres = random_layouts(rng, SCENES, n, radius, size, min_gap)
    angles = rng.uniform(0, 2 * np.pi, SCENES)
    s50 = float(np.median(first_hit_paths(centres, angles, radius, size)))
    if not np.isfinite(s50):
        raise ValueError(f"n_balls: fewer than half of the rays hit one of {n - 1} balls of {radius} m; set s50")
    return round(s50, 3)


def hit_probability(paths: Floats, s: float) -> float:
    """Share of scenes whose cue ball hits something within a path of s (m)."""
    return float(np.mean(paths <= s))


def random_layouts(
    rng: np.random.Generator, scenes: int, n: int, radius: float, size: tuple[float, float], min_gap: float = 0.0
) -> Floats:
    """(scenes, n, 2) uniform centres without overlap (m), ball by ball.

    Raises:
        ValueError: when the balls cannot be placed.
    """
    low, high = np.full(2, radius), np.asarray(size, dtype=np.float64) - radius
    centres = np.zeros((scenes, n, 2))
    for ball in range(n):
        todo = np.arange(scenes)
        for _ in range(1000):
            drawn = rng.uniform(low, high, (len(todo), 2))
            distance = np.linalg.norm(centres[todo, :ball] - drawn[:, None], axis=-1)
            free = np.all(distance > 2 * radius + min_gap, axis=1)
            centres[todo[free], ball] = drawn[free]
            todo = todo[~free]
            if not len(todo):
                break
        else:
            raise ValueError(f"n_balls: {n} balls of {radius} m do not fit on a {size[0]} x {size[1]} m table")
    return centres


def first_hit_paths(centres: Floats, angles: Floats, radius: float, size: tuple[float, float]) -> Floats:
    """Path of the cue ball to its first hit, walls reflecting, other balls at rest.

    Args:
        centres: (b, n, 2) m; ball 0 moves. angles: (b,) direction of the cue ball (rad).
        radius: of every ball (m). size: of the table (m).

    Returns:
        (b,) m; inf where nothing is hit within `LONGEST_PATH`.
    """
    low, high = radius, np.asarray(size, dtype=np.float64) - radius
    path = np.full(len(centres), np.inf)
    todo = np.arange(len(centres))
    pos, direction = centres[:, 0].copy(), np.stack([np.cos(angles), np.sin(angles)], -1)
    gone = np.zeros(len(centres))
    while len(todo):
        # One straight leg: the nearest disc on the ray, else the nearest wall plane.
        offset = centres[todo, 1:] - pos[:, None]
        along = np.einsum("bnk,bk->bn", offset, direction)
        across = offset - along[..., None] * direction[:, None]
        depth = 4 * radius**2 - np.sum(across**2, -1)
        reach = np.where((depth > 0) & (along > 0), along - np.sqrt(np.maximum(depth, 0)), np.inf)
        to_ball = np.min(reach, axis=1, initial=np.inf)
        plane = np.where(direction > 0, high, low)
        safe = np.where(direction == 0, 1.0, direction)
        to_walls = np.where(direction == 0, np.inf, (plane - pos) / safe)
        to_wall = np.min(to_walls, axis=1)
        hit = to_ball <= to_wall
        path[todo[hit]] = gone[hit] + np.maximum(to_ball[hit], 0)
        keep = ~hit & (gone + to_wall < LONGEST_PATH)
        wall = to_walls == to_wall[:, None]
        pos = np.where(wall, plane, pos + direction * to_wall[:, None])[keep]
        direction = np.where(wall, -direction, direction)[keep]
        gone, todo = (gone + to_wall)[keep], todo[keep]
    return path
