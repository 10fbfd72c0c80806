"""Drawing scenes from a seed (BilliardPhys-Bench specification, section 5.1).

Each scene has a random stream of its own, `default_rng([seed, window, index, attempt])`, on the host: a scene
does not depend on how many are drawn, in which order, or on which machine part of a data set is made.
The stream gives, in this order: two uniform numbers for direction and speed, then pairs for centres.

Public functions: `draw`, `stream`, `cue_speed`, `pocket_list`.
"""

import itertools
import math
import struct
from collections.abc import Iterator

import numpy as np

from jaxphys_benchmarks.billiardphys.calibrate import v50
from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.spec import (
    Ball,
    BilliardSpec,
    CanvasSize,
    Cue,
    EventRules,
    Pocket,
    Point,
    Table,
)

MAX_TRIES = 10_000
"""Candidates for the place of one ball before the table counts as full."""

PURPOSES = {"scene": (), "margin": (1,), "ids": (2,)}
"""Streams of one scene by purpose: what is appended to the key; no two agree."""


def draw(config: BilliardConfig, seed: int, window: float, index: int, attempt: int = 0) -> BilliardSpec:
    """One scene, not yet screened.

    Args:
        config: what to draw. seed: of the data set, >= 0. window: t (s). index: of the scene in its window.
        attempt: 0, or the number of rejected draws before this one.

    Raises:
        ValueError: bad seed, window or index; or the balls cannot be placed on the table.
    """
    if seed < 0 or index < 0 or attempt < 0:
        raise ValueError(f"seed, index, attempt: ({seed}, {index}, {attempt}); give whole numbers >= 0")
    if not (window > 0 and math.isfinite(window)):
        raise ValueError(f"window: {window}; give a time t > 0 s")
    rng = stream("scene", seed, window, index, attempt)
    turn, pace = rng.random(2).tolist()
    angle = config.angle if config.direction == "fixed" else 2 * math.pi * turn
    v0 = cue_speed(config, window, pace)
    vel = (v0 * math.cos(angle), v0 * math.sin(angle))
    pockets = pocket_list(config)
    centres = _place(config, pockets, rng)
    width_px, height_px = config.canvas_px
    return BilliardSpec(
        seed=seed,
        index=index,
        attempt=attempt,
        table=Table(W=config.W, H=config.H),
        R=config.R,
        mass=config.mass,
        mu=config.mu,
        g=config.g,
        t=float(window),
        pockets=pockets,
        balls=tuple(Ball(id=ball, pos=pos) for ball, pos in enumerate(centres)),
        cue=Cue(v0=v0, angle=angle, vel=vel),
        arrow_scale=visible_arrow_scale(config.arrow_scale, centres[0], vel, (config.W, config.H)),
        canvas=CanvasSize(width_px=width_px, height_px=height_px, scale=config.scale),
        cue_speed_text=config.cue_speed_text,
        rules=EventRules(max_events=config.max_events, tie_window=config.tie_window, v_snap=config.v_snap),
        config_hash=config.config_hash,
    )


def stream(purpose: str, seed: int, window: float, index: int, attempt: int) -> np.random.Generator:
    """Random stream of a scene: `default_rng([seed, window, index, attempt])` and a tag for other purposes.

    A window that is not a whole number enters as the bits of its float64.
    """
    bits = int(window) if float(window).is_integer() else struct.unpack("<Q", struct.pack("<d", window))[0]
    return np.random.default_rng([seed, bits, index, attempt, *PURPOSES[purpose]])


def cue_speed(config: BilliardConfig, window: float, pace: float) -> float:
    """Cue speed (m/s) of the configured policy, at a place `pace` in [0, 1) of its range."""
    low, high = config.common_range
    if config.v0_policy == "v50":
        middle = v50(config, window)
        low, high = config.v50_range[0] * middle, config.v50_range[1] * middle
    return low + (high - low) * pace


def visible_arrow_scale(
    scale: float, foot: tuple[float, float], vel: tuple[float, float], size: tuple[float, float]
) -> float:
    """Length drawn per speed (m per m/s): `scale`, halved until the tip lies on the table of this size (m).

    The length of the arrow is what shows the speed, so a fast cue ball near a wall must not point out of the picture.
    """
    while any(not 0 <= x + scale * v <= side for x, v, side in zip(foot, vel, size, strict=True)):
        scale /= 2
    return scale


def pocket_list(config: BilliardConfig) -> tuple[Pocket, ...]:
    """Pockets of a configuration: none, or the four corners and the middles of the long sides (section 4.5)."""
    if config.pockets == "none":
        return ()
    corners = itertools.product((0.0, config.W), (0.0, config.H))
    sides = ((config.W / 2, 0.0), (config.W / 2, config.H))
    return tuple(
        [Pocket(centre=centre, radius=config.r_pocket_corner) for centre in corners]
        + [Pocket(centre=centre, radius=config.r_pocket_side) for centre in sides]
    )


def _place(config: BilliardConfig, pockets: tuple[Pocket, ...], rng: np.random.Generator) -> list[Point]:
    """Centres uniform where a ball may lie, ball by ball, each clear of the ones before and of the pockets."""
    candidates = _candidates(config, rng)
    reach = 2 * config.R + config.min_gap
    placed: list[Point] = [config.cue_start] if config.cue_position == "fixed" else []
    while len(placed) < config.n_balls:
        for candidate in itertools.islice(candidates, MAX_TRIES):
            clear = all(math.dist(candidate, other) > reach for other in placed)
            if clear and all(math.dist(candidate, hole.centre) > hole.radius for hole in pockets):
                placed.append(candidate)
                break
        else:
            raise ValueError(
                f"n_balls: ball {len(placed)} of {config.n_balls} found no free place on the {config.W} x {config.H} m"
                f" table in {MAX_TRIES} tries; give fewer balls, a smaller R = {config.R} or min_gap = {config.min_gap}"
            )
    return placed


def _candidates(config: BilliardConfig, rng: np.random.Generator) -> Iterator[Point]:
    width, height = config.W - 2 * config.R, config.H - 2 * config.R
    while True:
        # Drawn in blocks for speed; the numbers do not depend on the size of a block.
        for x, y in rng.random((2 * config.n_balls, 2)).tolist():
            yield config.R + width * x, config.R + height * y
