"""What a rigid scene must be, before any work starts."""

import numpy as np

from jaxphys._asked import require
from jaxphys_kernels.rigid.model import Joint, Rules, Shape, State, World, pairs

ON_STEP = 1e-6
"""How far an asked time may lie from a recorded step (s)."""


def check(world: World, state: State) -> None:
    """Raise ValueError naming the leaf, the scene and body, and the rule.

    Checks shapes, finiteness and signs; overlap at the start is a status bit.
    """
    b, n = np.shape(world.shape)
    s = np.shape(world.static_half)[1]
    for name, found, wanted in (
        ("world.mass", np.shape(world.mass), (b, n)),
        ("world.pair_friction", np.shape(world.pair_friction), (b, len(pairs(n, s)))),
        ("state.qpos", np.shape(state.qpos), (b, n, 7)),
        ("state.qvel", np.shape(state.qvel), (b, n, 6)),
    ):
        if found != wanted:
            raise ValueError(f"{name} has shape {found}; it must be {wanted}")
    for part, leaves in (("world", vars(world)), ("state", vars(state))):
        for name, leaf in leaves.items():
            require(np.isfinite(np.asarray(leaf)), f"{part}.{name}", "must be finite")
    there = np.asarray(world.shape) != int(Shape.ABSENT)
    require(there.any(axis=1), "world.shape", "must hold a body that is not absent")
    free = np.asarray(world.joint) == int(Joint.FREE)
    require((np.asarray(world.mass) > 0) | ~there, "world.mass", "must be > 0")
    require((np.asarray(world.size) > 0).all(axis=-1) | ~there, "world.size", "must be > 0 in all three numbers")
    require((np.asarray(world.inertia) > 0).all(axis=-1) | ~there, "world.inertia", "must be > 0 in all three numbers")
    require(np.asarray(world.static_half) >= 0, "world.static_half", "must be >= 0")
    for name, least, most in (
        ("restitution", 0.0, 1.0),
        ("drag_area", 0.0, np.inf),
        ("damping", 0.0, np.inf),
        ("frictionloss", 0.0, np.inf),
        ("pair_friction", 0.0, np.inf),
    ):
        value = np.asarray(getattr(world, name))
        require((value >= least) & (value <= most), f"world.{name}", f"must be in [{least:g}, {most:g}]")
    turn = np.linalg.norm(np.asarray(state.qpos)[..., 3:], axis=-1)
    require((np.abs(turn - 1) < 1e-3) | ~(there & free), "state.qpos", "must hold a quaternion of length 1")


def counts(start: np.ndarray, times: np.ndarray, rules: Rules) -> np.ndarray:
    """(b, t) recorded steps until each asked time (b, t), after the starts (b,).

    Raises:
        ValueError: a time that is no recorded step, or none after the start.
    """
    since = np.asarray(times, np.float64) - np.asarray(start, np.float64)[:, None]
    found = np.rint(since / rules.dt)
    on_step = np.abs(found * rules.dt - since) < ON_STEP
    require(
        on_step, "times", f"must be whole steps of {rules.dt:.6g} s after the start; round them, or change rules.dt"
    )
    require(found >= 1, "times", "must be at least one step after the start")
    return found.astype(np.int64)
