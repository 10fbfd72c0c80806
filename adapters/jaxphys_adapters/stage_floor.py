"""The floor of a stage and the shadows on it, as a texture for whichever renderer draws the scene.

A renderer's own shadows are hard; these are soft. Every lamp of `LAMPS` has an extent, and so has the sky that gives
the ambient light; a point of the floor gets the share of their rays that no solid stops. What one solid takes away is
computed once for its form, size and attitude, and moved to where the solid is, so that a frame costs little.
Floor and surroundings have one colour, with a pool of light in the middle; no horizon is seen.
"""

from functools import lru_cache

import numpy as np
from PIL import ImageColor

from jaxphys_adapters.frames import Pixels
from jaxphys_benchmarks.lighting import AMBIENT, LAMPS, Lamp
from jaxphys_benchmarks.stage import TAPER, Form, Stage, Vector

REACH = 9.0
"""The pool of light and the near texture cover ± this around the origin (m)."""
REACHES = (REACH, 3 * REACH)
"""Of the near texture, and of a coarse one below it for what rolls away; beyond it nothing is shaded."""
TEXELS = 512
"""Along either side of a texture."""
MIDDLE, RIM = 1.2, 0.88
"""Brightness of the floor, relative to its colour, at the origin and from `REACH` outwards."""


SKY = Lamp((0.0, 0.0, 1.0), AMBIENT, 0.0, spread=0.95, rays=40)
"""Where the ambient light comes from, for its shadows: what darkens the floor close to a solid."""
LEVEL = AMBIENT + sum(lamp.diffuse * lamp.unit[2] for lamp in LAMPS)
"""Light on a level surface that nothing shades."""


@lru_cache(maxsize=1)
def rays() -> tuple[np.ndarray, np.ndarray]:
    """The rays that light the floor: (k, 3) directions towards the lamps per metre of height, (k,) shares of sum 1."""
    directions, shares = [], []
    for lamp, light in [*((lamp, lamp.diffuse * lamp.unit[2]) for lamp in LAMPS), (SKY, AMBIENT)]:
        middle = np.array(lamp.unit)
        side = np.cross(middle, (0.0, 1.0, 0.0))
        side /= np.linalg.norm(side)
        k = np.arange(lamp.rays)
        # Vogel's spiral spreads any number of points evenly over a disc.
        radius, angle = np.tan(lamp.spread) * np.sqrt((k + 0.5) / lamp.rays), k * np.pi * (3 - 5**0.5)
        across = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(middle, side)
        towards = middle + radius[:, None] * across
        directions.append(towards / towards[:, 2:])
        shares.append(np.full(lamp.rays, light / LEVEL / lamp.rays))
    return np.concatenate(directions).astype(np.float32), np.concatenate(shares).astype(np.float32)


def rotation(quat: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4), w first, of any length but zero."""
    w, x, y, z = np.moveaxis(quat / np.linalg.norm(quat, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _slab(start: np.ndarray, step: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Where start + t step lies within ± half: from, to."""
    step = np.where(np.abs(step) < 1e-6, np.float32(1e-6), step)
    a, b = (-half - start) / step, (half - start) / step
    return np.minimum(a, b), np.maximum(a, b)


def _tube(start: np.ndarray, step: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Where start + t step (two components) lies within a circle around the origin: from, to; empty: from > to."""
    a = np.maximum((step**2).sum(axis=0), np.float32(1e-12))
    b = (start * step).sum(axis=0)
    root = b * b - a * ((start**2).sum(axis=0) - radius**2)
    width = np.sqrt(np.maximum(root, 0))
    return np.where(root >= 0, (-b - width) / a, np.inf), np.where(root >= 0, (-b + width) / a, -np.inf)


def _near(start: np.ndarray, step: np.ndarray, radius: float) -> np.ndarray:
    """Whether lines through `start` (3, ...) along `step` (3,) pass the origin within a radius."""
    along = (start * step[:, None, None]).sum(axis=0) / (step**2).sum()
    hit: np.ndarray = ((start - along * step[:, None, None]) ** 2).sum(axis=0) <= radius**2
    return hit


def _below(start: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Where start + t step ≤ 0: from, to."""
    step = step if abs(step) > 1e-6 else 1e-6
    zero = -start / np.float32(step)
    ever = np.full_like(zero, np.inf)
    return (-ever, zero) if step > 0 else (zero, ever)


def _narrows(start: np.ndarray, step: np.ndarray, up: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Whether lines meet a taper of size 1; `up` is where they are between its ends.

    Between the ends a line is inside where a quadratic is ≤ 0, so at one of the ends or at its least value.
    """
    mean, fall = (1 + TAPER) / 2, (1 - TAPER) / 2
    radius, narrowing = mean - fall * start[2], -fall * step[2]
    a = (step[:2] ** 2).sum() - narrowing**2
    b = (start[:2] * step[:2, None, None]).sum(axis=0) - radius * narrowing
    c = (start[:2] ** 2).sum(axis=0) - radius**2
    places = [*up]
    if a > 1e-9:
        places.append(np.clip(-b / a, *up))
    met: np.ndarray = np.logical_or.reduce([(a * at + 2 * b) * at + c <= 0 for at in places])
    return met


def _stops(form: Form, half: Vector, start: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Whether lines through `start` (3, ...) along `step` (3,) meet a solid at the origin of its own axes."""
    if form == "sphere":
        return _near(start, step, half[0])
    if form == "capsule":
        straight = max(half[2] - half[0], 0.0)
        ends = [_near(start - np.reshape((0.0, 0.0, z), (3, 1, 1)), step, half[0]) for z in (straight, -straight)]
        middle = _stops("cylinder", (half[0], half[1], straight), start, step)
        met: np.ndarray = np.logical_or.reduce([*ends, middle])
        return met
    if form in ("ellipsoid", "taper", "tube"):
        # Stretched to size 1, all that is straight stays so.
        stretch = np.asarray(half, np.float32)
        start, step = start / stretch[:, None, None], step / stretch
        if form == "ellipsoid":
            return _near(start, step, 1.0)
        half = (1.0, 1.0, 1.0)
    up = _slab(start[2], step[2], half[2])
    if form == "taper":
        return _narrows(start, step, up)
    if form in ("cylinder", "tube"):  # what little falls through a tube along its axis is left out
        spans = [up, _tube(start[:2], step[:2, None, None], half[0])]
    else:
        spans = [up, _slab(start[0], step[0], half[0]), _slab(start[1], step[1], half[1])]
    if form == "wedge":
        spans.append(_below(start[1] / half[1] + start[2] / half[2], step[1] / half[1] + step[2] / half[2]))
    hit: np.ndarray = np.maximum.reduce([a for a, _ in spans]) <= np.minimum.reduce([b for _, b in spans])
    return hit


@lru_cache(maxsize=256)
def shade(
    form: Form, half: Vector, quat: tuple[float, ...], height: float, texel: float
) -> tuple[np.ndarray, int, int]:
    """The light that a solid above the origin takes from the floor around it.

    Returns:
        (rows, columns) shares of the light, at points `texel` apart; row and column of the origin.
    """
    turn = rotation(np.array(quat))
    directions, shares = rays()
    # The rays that a corner stops leave the floor at corner - z * direction; those of the solid leave it between.
    signs = np.stack(np.meshgrid(*[(-1, 1)] * 3), axis=-1).reshape(-1, 3)
    corners = (signs * half) @ turn.T + (0, 0, height)
    feet = (corners[:, None, :2] - corners[:, None, 2:] * directions[None, :, :2]) / texel
    feet = np.clip(feet, -TEXELS / 2, TEXELS / 2)  # bounds the work for solids as large as the whole floor
    first, last = np.floor(feet.min(axis=0)).astype(int), np.ceil(feet.max(axis=0)).astype(int)
    left, low = first.min(axis=0)
    right, high = last.max(axis=0)
    ground = np.mgrid[low : high + 1, left : right + 1][::-1] * texel
    start = np.einsum("ij,jrc->irc", turn.T, np.stack([*ground, np.full_like(ground[0], -height)])).astype(np.float32)
    taken = np.zeros(start.shape[1:], dtype=np.float32)
    for direction, share, (c0, r0), (c1, r1) in zip(directions, shares, first, last, strict=True):
        box = np.s_[r0 - low : r1 - low + 1, c0 - left : c1 - left + 1]
        taken[box] += share * _stops(form, half, start[:, *box], (turn.T @ direction).astype(np.float32))
    return taken, -int(low), -int(left)


def _moved(taken: np.ndarray, row: float, column: float) -> tuple[np.ndarray, int, int]:
    """A shade moved to a place between texels, and the row and column where it begins."""
    r, c = int(np.floor(row)), int(np.floor(column))
    a, b = np.float32(row - r), np.float32(column - c)
    padded = np.pad(taken, 1)
    rows = (1 - a) * padded[1:] + a * padded[:-1]
    moved: np.ndarray = (1 - b) * rows[:, 1:] + b * rows[:, :-1]
    return moved, r, c


def _attitude(form: Form, quat: np.ndarray) -> tuple[float, ...]:
    """An orientation that gives the same shade; turning balls and upright cylinders changes nothing."""
    turns_unseen = form == "sphere" or (form in ("cylinder", "capsule") and not quat[1:3].any())
    return (1.0, 0.0, 0.0, 0.0) if turns_unseen else tuple(map(float, quat))


@lru_cache(maxsize=8)
def _bare(colour: str, reach: float) -> tuple[np.ndarray, Pixels]:
    """(TEXELS, TEXELS, 3): the floor without solids, exact and as a texture; rows by falling y, columns by rising x."""
    middles = (np.arange(TEXELS) + 0.5) * 2 * reach / TEXELS - reach
    far = np.minimum(np.hypot(middles, middles[::-1, None]) / REACH, 1)
    pool = RIM + (MIDDLE - RIM) * (1 - far * far * (3 - 2 * far))
    bare = np.minimum(np.multiply(ImageColor.getrgb(colour)[:3], pool[..., None]), 255).astype(np.float32)
    rounded = np.rint(bare).astype(np.uint8)
    rounded.flags.writeable = False
    return bare, rounded


def background(stage: Stage) -> Vector:
    """Colour of all that lies beyond the textures, 0 to 1."""
    r, g, b = _bare(stage.floor, REACH)[0][0, 0] / 255
    return float(r), float(g), float(b)


def textures(stage: Stage, frame: int) -> tuple[Pixels, ...]:
    """The floor of one frame, one texture for each of `REACHES`; one that nothing falls on is always the same array.

    Returns:
        uint8 (TEXELS, TEXELS, 3) each: rows by falling y, columns by rising x, as a plane takes it.
    """
    out = max(
        (
            float(np.abs(pos[:2]).max()) + 4 * max(solid.half)
            for solid, pos in zip(stage.solids, stage.pos[frame], strict=True)
            if solid.casts
        ),
        default=0.0,
    )
    return tuple(
        _painted(stage, frame, reach)
        if stage.shadows and (reach == REACH or out > REACH)
        else _bare(stage.floor, reach)[1]
        for reach in REACHES
    )


def _painted(stage: Stage, frame: int, reach: float) -> Pixels:
    """A texture with the shades of all solids."""
    bare, rounded = _bare(stage.floor, reach)
    texel = 2 * reach / TEXELS
    light = np.ones((TEXELS, TEXELS), dtype=np.float32)
    boxes = []
    for solid, (x, y, z), quat in zip(stage.solids, stage.pos[frame], stage.quat[frame], strict=True):
        if not solid.casts:
            continue
        taken, up, left = shade(solid.form, solid.half, _attitude(solid.form, quat), float(z), texel)
        taken, row, column = _moved(taken, (y + reach) / texel - 0.5 - up, (x + reach) / texel - 0.5 - left)
        r0, c0 = max(row, 0), max(column, 0)
        r1, c1 = min(row + taken.shape[0], TEXELS), min(column + taken.shape[1], TEXELS)
        if r0 < r1 and c0 < c1:
            box = np.s_[r0:r1, c0:c1]
            light[box] *= 1 - taken[r0 - row : r1 - row, c0 - column : c1 - column]
            boxes.append(box)
    # Rows of shades rise with y, those of a texture fall.
    painted = rounded.copy()
    above, below = painted[::-1], bare[::-1]
    for box in boxes:
        above[box] = np.rint(below[box] * light[box][..., None])
    return painted
