"""The floor of a stage and the shadows on it, as a texture for whichever renderer draws the scene.

A renderer's own shadows are hard; these are soft. Every lamp of `LAMPS` has an extent, and so has the sky that gives
the ambient light; a point of the floor gets the share of their rays that no solid stops. What one solid takes away is
computed once for its form, size and attitude, and moved to where the solid is, so that a frame costs little.
Floor and surroundings have one colour, with a pool of light in the middle; no horizon is seen.
"""

from functools import lru_cache

import numpy as np
from PIL import ImageColor

from jaxphys_adapters import stage_shade
from jaxphys_adapters.frames import Pixels
from jaxphys_adapters.stage_shade import NUMBERS
from jaxphys_benchmarks.lighting import AMBIENT, LAMPS, Lamp
from jaxphys_benchmarks.stage import TAPER, Form, Stage, Vector
from jaxphys_kernels.quaternions import matrices

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
    return np.concatenate(directions), np.concatenate(shares).astype(np.float32)


def rotation(quat: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4), w first, of any length but zero."""
    return matrices(quat / np.linalg.norm(quat, axis=-1, keepdims=True))


@lru_cache(maxsize=512)
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
    taken = np.zeros((high - low + 1, right - left + 1), dtype=np.float32)
    windows = np.stack([first[:, 0], last[:, 0], first[:, 1], last[:, 1]], axis=1)
    stage_shade.shade(
        NUMBERS[form], np.array(half, float), TAPER, turn, height, texel, directions, shares, windows, low, left, taken
    )  # fmt: skip
    return taken, -int(low), -int(left)


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
        _painted(_casting(stage, frame), stage.floor, reach)
        if stage.shadows and (reach == REACH or out > REACH)
        else _bare(stage.floor, reach)[1]
        for reach in REACHES
    )


Cast = tuple[Form, Vector, Vector, tuple[float, ...]]
"""What throws a shadow: form, half extents, centre (m) and attitude."""


def _casting(stage: Stage, frame: int) -> tuple[Cast, ...]:
    poses = zip(stage.solids, stage.pos[frame].tolist(), stage.quat[frame], strict=True)
    return tuple(
        (solid.form, solid.half, tuple(pos), _attitude(solid.form, quat)) for solid, pos, quat in poses if solid.casts
    )


@lru_cache(maxsize=16)
def _painted(casting: tuple[Cast, ...], colour: str, reach: float) -> Pixels:
    """A texture with the shades of all solids; kept, because the cameras of a scene look at the same floor."""
    bare, rounded = _bare(colour, reach)
    texel = 2 * reach / TEXELS
    light = np.ones((TEXELS, TEXELS), dtype=np.float32)
    reached = np.array([TEXELS, -1, TEXELS, -1])
    for form, half, (x, y, z), attitude in casting:
        taken, up, left = shade(form, half, attitude, z, texel)
        row, column = (y + reach) / texel - 0.5 - up, (x + reach) / texel - 0.5 - left
        stage_shade.darken(taken, row, column, light, reached)
    # Rows of light rise with y, those of a texture fall.
    painted = rounded.copy()
    stage_shade.paint(bare, light, reached, painted)
    painted.flags.writeable = False
    return painted
