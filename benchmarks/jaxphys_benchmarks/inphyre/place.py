"""Where the objects of drawn samples start, so that they meet as drawn (InPhyRe specification, sections 2, 3.1, 3.3).

Speed and time of the contact are given; the way to it follows from the closed forms of `launch`, and the place is
uniform among those where every start lies in the region. Cubes stand along the axes and move along them, so that faces
meet; two round bodies may meet in any direction. What starts too close, or outside the picture, is not `ok`.

Public: `Placed`, `place`.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.draft import CUBE, SPHERE, A, B, Draft
from jaxphys_benchmarks.inphyre.launch import launched
from jaxphys_benchmarks.inphyre.numbers import Bools, Floats, Numbers
from jaxphys_benchmarks.stage import CLEVR_CAMERA

AXES = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])

WALL_HALF, WALL_HEIGHT = 0.1, 1.0
"""Half thickness and height of a wall (m)."""

WALL_REACH = 2 / 3
"""Walls stand between this share of the region and its edge, to the left or right: seen so, a wall is vertical."""

FAR = 20.0
"""Length of the paths that bystanders keep clear of after a contact (m)."""

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (0, 2)], dtype=np.float64)


@dataclass
class Placed:
    """Starts of m samples.

    Attributes:
        pos, vel, roll: (m, k, 2) m, m/s, m/s of the objects.
        face: (m,) where the face of the wall is (m), and side: (m,) -1 for a wall to the left, 1 to the right.
        paths: (m, 3, 2) start, contact and end of a path that bystanders keep clear of, and its half width (m,).
        ok: (m,) everything is where it may be.
    """

    pos: Floats
    vel: Floats
    roll: Floats
    face: Floats
    side: Floats
    paths: Floats
    width: Floats
    ok: Bools


def place(config: InPhyReConfig, numbers: Numbers, drawn: Draft) -> Placed:
    """Starts of drawn samples."""
    time = numbers.uniform(*config.contact_time)
    sphere = drawn.shape == SPHERE
    rolling = config.sphere_launch == "rolling"
    v0, way = launched(
        drawn.speed,
        time[:, None],
        drawn.slide(config),
        np.full(drawn.speed.shape, config.mu_roll * config.g),
        slips=sphere & (not rolling),
        rolls=sphere & rolling,
    )
    placed = (_at_wall if drawn.shape.shape[1] == 1 else _head_on)(config, numbers, drawn, v0, way)
    # + 0.0 turns -0.0 into 0.0, which no file shall show.
    placed.vel = placed.vel + 0.0
    placed.roll = np.where((sphere & rolling)[..., None], placed.vel, 0.0)
    placed.ok &= seen(config, placed.pos, drawn.size) & drawn.ok
    return placed


def _head_on(config: InPhyReConfig, numbers: Numbers, drawn: Draft, v0: Floats, way: Floats) -> Placed:
    """A and B on one line, or beside it by `offset`."""
    axis, turn = numbers.index(4), numbers.unit()
    any_way = np.array([(math.cos(2 * math.pi * u), math.sin(2 * math.pi * u)) for u in turn.tolist()])
    cubes = np.any(drawn.shape == CUBE, axis=1)
    heading = np.where(cubes[:, None], AXES[axis], any_way.reshape(-1, 2))
    beside = np.stack([-heading[:, 1], heading[:, 0]], axis=1)
    ahead = np.where(drawn.chases, -1.0, 1.0)
    # Places of A and B at the contact, A's being the origin, then at the start.
    apart = drawn.size.sum(axis=1)
    contact_b = (ahead * apart)[:, None] * heading + drawn.offset[:, None] * beside
    met = np.stack([np.zeros_like(contact_b), contact_b], axis=1)
    start = met - way[..., None] * heading[:, None]
    origin, fits = _within(config.region, numbers, np.concatenate([met, start], axis=1))
    m = len(numbers)
    gap = ahead * (way[:, A] - way[:, B])
    pos = origin[:, None] + start
    rear = np.where(drawn.chases[:, None], pos[:, B], pos[:, A])
    return Placed(
        pos=pos,
        vel=v0[..., None] * heading[:, None],
        roll=np.zeros_like(pos),
        face=np.zeros(m),
        side=np.zeros(m),
        paths=np.stack([rear, origin, origin + FAR * heading], axis=1),
        width=drawn.size.max(axis=1) * math.sqrt(2) + np.abs(drawn.offset),
        ok=fits & (gap >= config.min_gap),
    )


def _at_wall(config: InPhyReConfig, numbers: Numbers, drawn: Draft, v0: Floats, way: Floats) -> Placed:
    """A on a slanting path to a wall along y."""
    side, size = numbers.sign(), drawn.size[:, A]
    face = side * config.region * numbers.uniform(WALL_REACH, 1.0)
    across = 1 / np.sqrt(1 + drawn.slope**2)
    heading = np.stack([side * across, drawn.slope * across], axis=1)
    back = -way * heading
    y, fits = _within(config.region, numbers, np.stack([np.zeros_like(back), back], axis=1) * np.array([0.0, 1.0]))
    met = np.stack([face - side * size, y[:, 1]], axis=1)
    pos = (met + back)[:, None]
    away = np.stack([-heading[:, 0], heading[:, 1] * drawn.params["gain"]], axis=1)
    away /= np.sqrt(np.sum(away**2, axis=1, keepdims=True))
    inside = np.abs(pos[:, A, 0]) <= config.region
    return Placed(
        pos=pos,
        vel=v0[..., None] * heading[:, None],
        roll=np.zeros_like(pos),
        face=face,
        side=side,
        paths=np.stack([pos[:, A], met, met + FAR * away], axis=1),
        width=size * math.sqrt(2),
        ok=fits & inside & (way[:, A] * across >= config.min_gap),
    )


def _within(region: float, numbers: Numbers, points: Floats) -> tuple[Floats, Bools]:
    """An origin (m, 2), uniform among those that put all points (m, p, 2) into the region, and whether there is one."""
    low, high = -region - points.min(axis=1), region - points.max(axis=1)
    fits = np.all(low <= high, axis=1)
    share = np.stack([numbers.unit(), numbers.unit()], axis=1)
    return low + share * np.maximum(high - low, 0.0), fits


def seen(config: InPhyReConfig, pos: Floats, size: Floats) -> Bools:
    """(m,) all objects (m, k) at (m, k, 2) lie wholly inside the picture, and none hides much of another."""
    floor = np.concatenate([pos, np.zeros((*pos.shape[:2], 1))], axis=-1)
    corners = floor[:, :, None] + CORNERS * size[..., None, None]
    width_px, height_px = config.size_px
    at = CLEVR_CAMERA.project(corners, width_px, height_px)
    inside = (at[..., 2] > 0) & np.all((at[..., :2] >= 0) & (at[..., :2] <= np.array([width_px, height_px])), axis=-1)
    shown: Bools = np.all(inside, axis=(1, 2))
    low, high = at[..., :2].min(axis=2), at[..., :2].max(axis=2)
    depth = at[..., 2].mean(axis=2)
    for i, k in itertools.permutations(range(pos.shape[1]), 2):
        both = np.minimum(high[:, i], high[:, k]) - np.maximum(low[:, i], low[:, k])
        hidden = np.maximum(both, 0).prod(axis=1) / (high[:, k] - low[:, k]).prod(axis=1)
        shown &= (depth[:, i] >= depth[:, k]) | (hidden <= config.max_hidden)
    return shown
