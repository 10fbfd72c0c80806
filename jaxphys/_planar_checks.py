"""Checks of planar scenes before any work starts: every message names the field and the fix."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys import laws
from jaxphys._asked import check_times, require
from jaxphys.precision import precision_of
from jaxphys_kernels.planar import event, separation
from jaxphys_kernels.planar.model import Shape, State, World
from jaxphys_kernels.plane import pairs


def check(world: World, state: State, times: np.ndarray) -> None:
    """Raise ValueError for the first thing that is wrong; leaves lead with the scene axis."""
    world, state = jax.tree.map(np.asarray, (world, state))
    b, n = state.pos.shape[:2]
    c = n * (n - 1) // 2
    if n == 0:
        raise ValueError("pos holds no bodies; a scene needs at least one")
    expected: list[tuple[str, Any, tuple[int, ...]]] = [
        (name, getattr(world, name), (b, n))
        for name in ("shape", "rounding", "mass", "inertia", "mu", "mu_roll", "kappa")
    ]
    expected += [("half", world.half, (b, n, 2)), ("g", world.g, (b,)), ("law", world.law, (b, c))]
    expected += [(name, getattr(state, name), (b, n, 2)) for name in ("pos", "vel", "roll")]
    expected += [(name, getattr(state, name), (b, n)) for name in ("yaw", "spin", "look")]
    expected += [("through", state.through, (b, c)), ("time", state.time, (b,))]
    expected += [(f"params[{name!r}]", value, (b, c)) for name, value in world.params.items()]
    expected += [(f"attrs[{name!r}]", value, (b, n)) for name, value in world.attrs.items()]
    for name, value, shape in expected:
        if np.shape(value) != shape:
            raise ValueError(f"{name} has shape {np.shape(value)}; it must be {shape}")
        if name not in ("mass", "inertia"):
            require(np.isfinite(value), name, "must be finite")
    for name in ("mass", "inertia"):
        require(getattr(world, name) > 0, name, "must be positive (inf for what nothing moves)")
    for name in ("mu", "mu_roll", "kappa", "g"):
        require(getattr(world, name) >= 0, name, "must not be negative")
    require(np.isin(world.shape, [int(s) for s in Shape]), "shape", "must be a Shape")
    require((world.law >= 0) & (world.law < len(laws.rows())), "law", "must be the number of a law, see laws.number")
    require(world.rounding + world.half.min(axis=-1) > 0, "size", "must be positive")
    _check_params(world)
    check_times(state.time, times, from_start=True)
    _check_overlap(world, state)


def _check_params(world: World) -> None:
    restitution = world.params.get("restitution")
    if restitution is not None:
        e = np.asarray(restitution)
        require((e >= 0) & (e <= 1), "params['restitution']", "must lie in [0, 1]")


def _check_overlap(world: World, state: State) -> None:
    with precision_of(state.pos):
        depth = np.asarray(_depths(world, state))
    if (depth > event.OVERLAP[np.dtype(state.pos.dtype)]).any():
        scene, pair = (int(i) for i in np.argwhere(depth == depth.max())[0])
        first, second = (int(side[pair]) for side in pairs(state.pos.shape[1]))
        raise ValueError(
            f"pos: bodies {first} and {second} of scene {scene} overlap by {depth.max():.3g} m; move them apart"
        )


@jax.jit
def _depths(world: World, state: State) -> jax.Array:
    """(b, c) m by which pairs overlap that may not."""

    def one(world: World, state: State) -> jax.Array:
        gap = separation.touch(*separation.poses(world, state)).gap
        return jnp.where(separation.may_touch(world, state), -gap, 0)

    return jax.vmap(one)(world, state)
