"""Mixed batches: which scenes run together, and what of their common form is really there.

A batch has one form, n bodies and s static boxes; a scene uses some of them. Scenes that use the same ones, of the
same shapes, make a group with one `Signature`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from jaxphys_kernels.rigid.model import Joint, Rules, Shape, Signature, State, Trajectory, World, pair_index


@dataclass(frozen=True)
class Group:
    """Scenes of one signature.

    Attributes:
        index: their places in the batch. signature: of all of them. rules: what they can feel of those asked for.
        bodies, statics: which of the n and s are there. pairs: places of their pairs among all c.
    """

    index: np.ndarray
    signature: Signature
    rules: Rules
    bodies: tuple[int, ...]
    statics: tuple[int, ...]
    pairs: tuple[int, ...]


def groups(world: World, rules: Rules, *, split: bool = False) -> Iterator[Group]:
    """The groups of a batch with NumPy leaves, in the order of their first scenes.

    Args:
        world: of b scenes.
        rules: as asked for.
        split: scenes that cannot feel drag or rebound, for want of an area or of an elastic sphere, go without.
    """
    shape, joint = np.asarray(world.shape), np.asarray(world.joint)
    there: np.ndarray = np.any(np.asarray(world.static_half) > 0, axis=-1)
    n, s = shape.shape[1], there.shape[1]
    drags = ((np.asarray(world.drag_area) > 0) & (shape != int(Shape.ABSENT))).any(axis=1) | (not split)
    rebounds = ((np.asarray(world.restitution) > 0) & (shape == int(Shape.SPHERE))).any(axis=1) | (not split)
    rows: dict[tuple[Any, ...], list[int]] = {}
    for k in range(len(shape)):
        felt = (rules.drag and bool(drags[k]), rules.bounce and bool(rebounds[k]))
        rows.setdefault((shape[k].tobytes(), joint[k].tobytes(), there[k].tobytes(), felt), []).append(k)
    for (*_, (drag, bounce)), members in rows.items():
        first = members[0]
        bodies = tuple(np.flatnonzero(shape[first] != int(Shape.ABSENT)).tolist())
        statics = tuple(np.flatnonzero(there[first]).tolist())
        signature = Signature(
            tuple(Shape(int(shape[first, i])) for i in bodies),
            tuple(Joint(int(joint[first, i])) for i in bodies),
            len(statics),
        )
        own = replace(rules, drag=drag, bounce=bounce)
        yield Group(np.array(members), signature, own, bodies, statics, touchable(signature, n, s, bodies, statics))


def touchable(
    signature: Signature, n: int, s: int, bodies: tuple[int, ...], statics: tuple[int, ...]
) -> tuple[int, ...]:
    """Places of `signature.pairs` among the pairs of a form of n bodies and s boxes."""
    free = [i for i, joint in zip(bodies, signature.joints, strict=True) if joint is Joint.FREE]
    return pair_index(n, s, free, statics)


BODY_LEAVES = (
    "shape", "joint", "size", "mass", "inertia", "com", "restitution", "drag_area", "anchor", "axis", "damping",
    "frictionloss",
)  # fmt: skip
"""Leaves of `World` with one row per body."""

STATIC_LEAVES = ("static_pos", "static_quat", "static_half")
"""Leaves of `World` with one row per static box."""


def narrow(world: World, state: State, group: Group) -> tuple[World, State]:
    """The scenes of a group, with only what is there."""
    pick = jax.tree.map(lambda leaf: np.asarray(leaf)[group.index], (world, state))
    bodies, statics = list(group.bodies), list(group.statics)
    kept: dict[str, Any] = {name: getattr(pick[0], name)[:, bodies] for name in BODY_LEAVES}
    kept |= {name: getattr(pick[0], name)[:, statics] for name in STATIC_LEAVES}
    kept["pair_friction"] = pick[0].pair_friction[:, list(group.pairs)]
    return pick[0].replace(**kept), pick[1].replace(qpos=pick[1].qpos[:, bodies], qvel=pick[1].qvel[:, bodies])


def empty(world: World, state: State, times: np.ndarray) -> Trajectory:
    """A trajectory in which nothing moves and nothing touches, to be filled group by group."""
    b, c = np.shape(world.pair_friction)
    t = times.shape[1]
    dtype = np.asarray(state.qpos).dtype

    def still(leaf: Any) -> np.ndarray:
        return np.repeat(np.asarray(leaf)[:, None], t, axis=1)

    leaves: dict[str, Any] = {
        "times": times.astype(dtype),
        "qpos": still(state.qpos),
        "qvel": still(state.qvel),
        "touching": np.zeros((b, t, c), bool),
        "impulse": np.zeros((b, t, c), dtype),
        "first_touch": np.full((b, c), np.inf, dtype),
        "depth": np.zeros((b, c), dtype),
        "status": np.zeros(b, np.int32),
    }
    return Trajectory(**leaves)


def fill(whole: Trajectory, part: Trajectory, group: Group, members: slice) -> None:
    """Put the trajectory of some members of a group in its place."""
    rows, bodies, pairs = group.index[members], np.array(group.bodies, int), np.array(group.pairs, int)
    for name, column in (("qpos", bodies), ("qvel", bodies), ("touching", pairs), ("impulse", pairs)):
        target, values = getattr(whole, name), getattr(part, name)
        if len(column) == target.shape[2]:
            target[rows] = values
        else:
            target[rows[:, None], :, column] = np.swapaxes(values, 1, 2)
    for name in ("first_touch", "depth"):
        getattr(whole, name)[rows[:, None], pairs] = getattr(part, name)
    np.asarray(whole.status)[rows] = part.status
