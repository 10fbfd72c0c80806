"""What a rigid scene must be, before any work starts."""

from typing import Any

import numpy as np

from jaxphys._asked import require
from jaxphys._rigid_groups import BODY_LEAVES, STATIC_LEAVES
from jaxphys_kernels.rigid.model import Joint, Rules, Shape, State, World, pairs

ON_STEP = 1e-6
"""How far an asked time may lie from a recorded step (s)."""


UNIT = 1e-3
"""By which the length of a unit vector or quaternion may differ from 1."""


def check(world: World, state: State) -> None:
    """Raise ValueError naming the leaf, the scene and body, and the rule.

    Checks shapes, finiteness and signs; overlap at the start is a status bit.
    """
    _check_forms(world, state)
    for part, leaves in (("world", vars(world)), ("state", vars(state))):
        for name, leaf in leaves.items():
            require(np.isfinite(np.asarray(leaf)), f"{part}.{name}", "must be finite")
    there = np.asarray(world.shape) != int(Shape.ABSENT)
    require(there.any(axis=1), "world.shape", "must hold a body that is not absent")
    free = np.asarray(world.joint) == int(Joint.FREE)
    require((np.asarray(world.mass) > 0) | ~there, "world.mass", "must be > 0")
    require((np.asarray(world.size) > 0).all(axis=-1) | ~there, "world.size", "must be > 0 in all three numbers")
    require((np.asarray(world.inertia) > 0).all(axis=-1) | ~there, "world.inertia", "must be > 0 in all three numbers")
    half: np.ndarray = np.asarray(world.static_half)
    whole = (half > 0).all(axis=-1) | (half == 0).all(axis=-1)
    require(whole, "world.static_half", "must be > 0 in all three numbers, or zero in all of an absent box")
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
    require((np.abs(turn - 1) < UNIT) | ~(there & free), "state.qpos", "must hold a quaternion of length 1")
    for name, used in (("axis", there & ~free), ("static_quat", (half > 0).any(axis=-1))):
        length = np.linalg.norm(np.asarray(getattr(world, name)), axis=-1)
        require((np.abs(length - 1) < UNIT) | ~used, f"world.{name}", "must be of length 1")
    centred = (np.asarray(world.com) == 0).all(axis=-1)
    require(centred | ~(there & free), "world.com", "must be zero for a free body")


def _check_forms(world: World, state: State) -> None:
    """Raise ValueError unless every leaf has the shape that `World` and `State` tell."""
    shape, half = np.shape(world.shape), np.shape(world.static_half)
    if len(shape) != 2:
        raise ValueError(f"world.shape has shape {shape}; it must be (scenes, bodies)")
    if len(half) != 3:
        raise ValueError(f"world.static_half has shape {half}; it must be (scenes, boxes, 3)")
    (b, n), s = shape, half[1]
    vectors, quaternions = {"size", "inertia", "com", "anchor", "axis", "static_pos", "static_half"}, {"static_quat"}
    for name in (*BODY_LEAVES, *STATIC_LEAVES):
        width = (3,) if name in vectors else (4,) if name in quaternions else ()
        _check_form(f"world.{name}", getattr(world, name), (b, n if name in BODY_LEAVES else s, *width))
    _check_form("world.pair_friction", world.pair_friction, (b, len(pairs(n, s))))
    _check_form("world.gravity", world.gravity, (b,))
    _check_form("state.time", state.time, (b,))
    _check_form("state.qpos", state.qpos, (b, n, 7))
    _check_form("state.qvel", state.qvel, (b, n, 6))
    for name, kind in (("shape", Shape), ("joint", Joint)):
        known = np.isin(np.asarray(getattr(world, name)), [int(row) for row in kind])
        require(known, f"world.{name}", f"must be a {kind.__name__}")


def _check_form(name: str, leaf: Any, wanted: tuple[int, ...]) -> None:
    if np.shape(leaf) != wanted:
        raise ValueError(f"{name} has shape {np.shape(leaf)}; it must be {wanted}")


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
