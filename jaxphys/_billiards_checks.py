"""Checks of billiard scenes before any work starts: every message names the field and the fix."""

import jax
import numpy as np

from jaxphys._asked import check_times, require
from jaxphys_kernels.billiards import event
from jaxphys_kernels.billiards.model import State, World

TOUCH = event.TOUCH[np.dtype(np.float64)]
"""Depth (m) beyond which bodies overlap: that of the event loop."""


def check(world: World, state: State, times: np.ndarray) -> None:
    """Raise ValueError for the first thing that is wrong; leaves lead with the scene axis."""
    world, state = jax.tree.map(np.asarray, (world, state))
    b, n = state.pos.shape[:2]
    if n == 0:
        raise ValueError("balls is empty; a scene needs at least one ball, the cue ball")
    for name, value, shape in (
        ("size", world.size, (b, 2)),
        ("radius", world.radius, (b, n)),
        ("mass", world.mass, (b, n)),
        ("mu", world.mu, (b,)),
        ("g", world.g, (b,)),
        ("pos", state.pos, (b, n, 2)),
        ("vel", state.vel, (b, n, 2)),
        ("alive", state.alive, (b, n)),
        ("time", state.time, (b,)),
    ):
        if value.shape != shape:
            raise ValueError(f"{name} has shape {value.shape}; it must be {shape}")
    for name, leaf in (
        ("pos", state.pos),
        ("vel", state.vel),
        ("radius", world.radius),
        ("mass", world.mass),
        ("mu", world.mu),
        ("g", world.g),
        ("pockets", world.pocket_pos),
        ("pockets", world.pocket_radius),
    ):
        require(np.isfinite(leaf), name, "must be finite")
    require(world.size > 0, "size", "must be positive (inf or null for no walls)")
    require(world.radius > 0, "radius", "must be positive")
    require(world.mass > 0, "mass", "must be positive")
    require(world.mu >= 0, "mu", "must not be negative")
    require(world.g >= 0, "g", "must not be negative")
    require(world.pocket_radius > 0, "pockets", "must have positive capture radii")
    check_times(state.time, times, from_start=False)
    _check_outside(world, state)
    _check_overlap(world, state)


def _check_outside(world: World, state: State) -> None:
    low, high = world.radius[..., None], world.size[:, None] - world.radius[..., None]
    walls = np.isfinite(world.size)[:, None]
    outside = walls & state.alive[..., None] & ((state.pos < low - TOUCH) | (state.pos > high + TOUCH))
    if outside.any():
        scene, ball, _ = (int(i) for i in np.argwhere(outside)[0])
        raise ValueError(
            f"pos of ball {ball} in scene {scene} is {state.pos[scene, ball].tolist()}: a centre must stay one radius "
            f"({world.radius[scene, ball]:g} m) inside the table of {world.size[scene].tolist()} m"
        )


def _check_overlap(world: World, state: State) -> None:
    first, second = np.triu_indices(state.pos.shape[1], 1)
    gap = np.linalg.norm(state.pos[:, second] - state.pos[:, first], axis=-1)
    gap = gap - world.radius[:, first] - world.radius[:, second]
    overlap = state.alive[:, first] & state.alive[:, second] & (gap < -TOUCH)
    if overlap.any():
        scene = int(np.argwhere(overlap)[0, 0])
        found = [[int(first[k]), int(second[k])] for k in np.flatnonzero(overlap[scene])]
        raise ValueError(
            f"balls {', '.join(map(str, found))} of scene {scene} overlap: centres must be at least the sum of the "
            f"radii apart (largest overlap {-gap[scene].min():.3g} m)"
        )
