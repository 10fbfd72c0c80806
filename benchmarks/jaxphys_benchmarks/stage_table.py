"""A billiard table as a `Stage`: a bed with cushions and pockets, and balls that roll on it.

The corner at the origin of a table of W x H m stays at the origin, and the bed is the floor, at z = 0. A captured ball
lies below the bed. Public: `table_stage`, `ball_name`.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys import billiards
from jaxphys_benchmarks.replay import frame_times
from jaxphys_benchmarks.stage import Camera, Look, Solid, Stage, Vector
from jaxphys_kernels.billiards.model import Rules, State, World

CLOTH, CUSHION, POCKET = Look("#2f7d5b"), Look("#5b3a22"), Look("#14181a")
BALLS = (
    Look("#f4f1e6"), Look("#e0a526"), Look("#2e5e8c"), Look("#d1432f"), Look("#6d4fa3"), Look("#e07a2c"),
    Look("#56a3d9"), Look("#8c2f39"), Look("#33373b"),
)  # fmt: skip
"""The cue ball is white, the others take the colours in order, again from the second after the last."""
FLOOR = "#b9b4aa"

BED, RAIL = 0.02, 0.04
"""Thickness of the bed, and half width of a cushion (m)."""
MARGIN = 0.3
"""How far a table without walls goes on beyond the balls (m)."""
FOV_DEG = 40.0
SIZE_PX = (1280, 720)

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def table_stage(world: World, state: State, t_end: float, rules: Rules, fps: float) -> tuple[Stage, int]:
    """One scene, simulated from its state to `t_end`, and its status word.

    Args:
        world, state: a batch of one scene. t_end: s. rules: of the event loop. fps: frames per second.

    Raises:
        ValueError: the scene is not physical, or too long for so many frames.
    """
    start = float(np.asarray(state.time).reshape(-1)[0])
    times = frame_times(start, t_end, fps)
    path = billiards.rollout(world, state, times[1:], rules=rules)
    pos, alive = (
        np.concatenate([np.asarray(first), np.asarray(later)[0]])
        for first, later in ((state.pos, path.pos), (state.alive, path.alive))
    )
    radius, size = np.asarray(world.radius)[0], np.asarray(world.size)[0]
    holes = np.concatenate([np.asarray(world.pocket_pos)[0], np.asarray(world.pocket_radius)[0][:, None]], axis=1)
    stage = _stage(times, pos, alive, radius, size, [(x, y, hole) for x, y, hole in holes.tolist()], fps)
    return stage, int(np.asarray(path.status)[0])


def ball_name(k: int) -> str:
    """Name of a ball's solid."""
    return f"ball {k}"


def _stage(
    times: Floats, pos: Floats, alive: Bools, radius: Floats, size: Floats, pockets: Sequence[Vector], fps: float
) -> Stage:
    low, high = _extent(pos, radius, size)
    f, n = len(times), len(radius)
    under = -2 * float(radius.max()) - BED
    places = np.concatenate([pos, np.where(alive, radius, under)[..., None]], axis=-1)
    balls = [Solid(ball_name(k), "sphere", (r, r, r)) for k, r in enumerate(radius.tolist())]
    still = list(_furniture(low, high, np.isfinite(size), float(radius.max()), pockets))
    looks = (*BALLS, CLOTH, CUSHION, POCKET)
    colours = [0 if k == 0 else 1 + (k - 1) % (len(BALLS) - 1) for k in range(n)]
    colours += [looks.index(look) for _, look, _ in still]
    around = np.array([place for _, _, place in still])
    return Stage(
        width_px=SIZE_PX[0],
        height_px=SIZE_PX[1],
        camera=_camera(low, high),
        solids=(*balls, *(solid for solid, _, _ in still)),
        times=times,
        pos=np.concatenate([places, np.broadcast_to(around, (f, len(still), 3))], axis=1),
        quat=np.tile((1.0, 0.0, 0.0, 0.0), (f, n + len(still), 1)),
        looks=looks,
        look=np.tile(colours, (f, 1)),
        fps=fps,
        floor=FLOOR,
    )


def _camera(low: Floats, high: Floats) -> Camera:
    """From the side of y = 0, with the whole table in the picture."""
    (x, y), (wide, deep) = ((low + high) / 2).tolist(), (high - low).tolist()
    reach = max(wide, 1.6 * deep)
    return Camera((x, y - 0.80 * reach, 0.85 * reach), (x, y, 0.0), FOV_DEG)


def _extent(pos: Floats, radius: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Corners of the bed: the table's, or as far as the balls go where there are no walls."""
    reach = radius[:, None] + MARGIN
    low = np.where(np.isfinite(size), 0.0, (pos - reach).min(axis=(0, 1)))
    high = np.where(np.isfinite(size), size, (pos + reach).max(axis=(0, 1)))
    return low, high


def _furniture(
    low: Floats, high: Floats, walled: Bools, radius: float, pockets: Sequence[Vector]
) -> Iterator[tuple[Solid, Look, Vector]]:
    (x, y), (half_x, half_y) = ((low + high) / 2).tolist(), ((high - low) / 2).tolist()
    yield Solid("bed", "box", (half_x, half_y, BED / 2), casts=False, of="table"), CLOTH, (x, y, -BED / 2)
    # As high as the centre of a ball, so that a ball behind a cushion is seen.
    half_z = (radius + BED) / 2
    z = half_z - BED
    for name, across, sign in (("top", 1, 1), ("bottom", 1, -1), ("left", 0, -1), ("right", 0, 1)):
        if not walled[across]:
            continue
        if across:
            half, place = (half_x + 2 * RAIL, RAIL, half_z), (x, y + sign * (half_y + RAIL), z)
        else:
            half, place = (RAIL, half_y, half_z), (x + sign * (half_x + RAIL), y, z)
        yield Solid(f"cushion {name}", "box", half, of="table"), CUSHION, place
    for k, (at_x, at_y, hole) in enumerate(pockets):
        # A dark disc, a hair above the cloth.
        yield Solid(f"pocket {k}", "cylinder", (hole, hole, 5e-4), casts=False, of="table"), POCKET, (at_x, at_y, 5e-4)
