"""Few programs for many scenes: a signature is rounded up to one of a small number, and what is not needed is parked.

Compiling MJX takes tens of seconds, so scenes that differ in the number of their boxes or bodies share a program:

- one body: 2 static boxes, or 7 (stairs); spheres and capsules, which are cheap to collide, always 7;
- two bodies: a box and another body, 2 static boxes;
- three to six bodies, all but the first alike: a box and five others, 2 static boxes;
- hinged bodies: as they are.

These are 12 programs for the scenes of ReactHuman. Anything else gets a program of its own.
"""

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jaxphys._rigid_groups import BODY_LEAVES, STATIC_LEAVES, touchable
from jaxphys._rigid_steps import Steps
from jaxphys_kernels.rigid.model import Joint, Shape, Signature, State, World, pairs

FEW, MANY = 2, 7
"""Static boxes of a program: table and stool; the steps of stairs."""

ROW = 6
"""Bodies of the largest program."""

PARKED_HEIGHT = 1e6
"""Where parked bodies fall freely (m): they need seven minutes to the floor."""


@dataclass(frozen=True)
class Program:
    """A signature, and which of its bodies and static boxes a smaller one takes."""

    signature: Signature
    bodies: tuple[int, ...]
    statics: tuple[int, ...]


def program_of(signature: Signature) -> Program:
    """The program in which the scenes of a signature run."""
    shapes, n, s = signature.shapes, len(signature.shapes), signature.statics
    places = tuple(range(s))
    if Joint.HINGE in signature.joints or s > MANY or n > ROW:
        return Program(signature, tuple(range(n)), places)
    if n == 1:
        boxes = MANY if s > FEW or shapes[0] in (Shape.SPHERE, Shape.CAPSULE) else FEW
        return Program(_free(shapes, boxes), (0,), places)
    others = set(shapes[1:])
    alike = len(others) == 1 and s <= FEW
    if n == 2 and alike and shapes[0] is Shape.BOX:
        return Program(_free(shapes, FEW), (0, 1), places)
    other = shapes[1]
    if n > 2 and alike and shapes[0] is Shape.BOX:
        return Program(_free((Shape.BOX, *[other] * (ROW - 1)), FEW), tuple(range(n)), places)
    if n < ROW and alike and shapes[0] is other:
        return Program(_free((Shape.BOX, *[other] * (ROW - 1)), FEW), tuple(range(1, n + 1)), places)
    return Program(signature, tuple(range(n)), places)


def _free(shapes: tuple[Shape, ...], statics: int) -> Signature:
    return Signature(shapes, (Joint.FREE,) * len(shapes), statics)


def widen(program: Program, signature: Signature, world: World, state: State) -> tuple[World, State]:
    """b scenes of a signature in the form of its program, the rest parked; NumPy leaves."""
    b, wide = len(np.asarray(world.mass)), program.signature
    n, s, dtype = len(wide.shapes), wide.statics, np.asarray(world.mass).dtype
    bodies, statics = list(program.bodies), list(program.statics)
    upright = np.array([1, 0, 0, 0], dtype)
    spare: dict[str, Any] = {
        "shape": np.array(wide.shapes, np.int32),
        "joint": np.array(wide.joints, np.int32),
        "size": np.full((n, 3), 0.05, dtype),
        "mass": np.ones(n, dtype),
        "inertia": np.full((n, 3), 1e-3, dtype),
        "com": np.zeros((n, 3), dtype),
        "restitution": np.zeros(n, dtype),
        "drag_area": np.zeros(n, dtype),
        "anchor": np.zeros((n, 3), dtype),
        "axis": np.tile(np.array([0, 0, 1], dtype), (n, 1)),
        "damping": np.zeros(n, dtype),
        "frictionloss": np.zeros(n, dtype),
        "static_pos": np.tile(np.array([0, 0, -PARKED_HEIGHT], dtype), (s, 1)),
        "static_quat": np.tile(upright, (s, 1)),
        "static_half": np.full((s, 3), 0.05, dtype),
        "pair_friction": np.full(len(pairs(n, s)), 0.5, dtype),
    }
    leaves: dict[str, Any] = {name: np.repeat(value[None], b, axis=0) for name, value in spare.items()}
    for name in BODY_LEAVES:
        leaves[name][:, bodies] = getattr(world, name)
    for name in STATIC_LEAVES:
        leaves[name][:, statics] = getattr(world, name)
    leaves["pair_friction"] = leaves["pair_friction"][:, _all_pairs(program)]
    leaves["pair_friction"][:, _own_pairs(program, signature)] = world.pair_friction
    heights = PARKED_HEIGHT * (1 + np.arange(n, dtype=dtype))
    qpos = np.concatenate([np.zeros((n, 2), dtype), heights[:, None], np.tile(upright, (n, 1))], axis=1)
    qpos, qvel = np.repeat(qpos[None], b, axis=0), np.zeros((b, n, 6), dtype)
    qpos[:, bodies], qvel[:, bodies] = state.qpos, state.qvel
    return World(**leaves, gravity=world.gravity), state.replace(qpos=qpos, qvel=qvel)


def _all_pairs(program: Program) -> list[int]:
    """Places of the pairs of a program among all pairs of its form."""
    n, s = len(program.signature.shapes), program.signature.statics
    return list(touchable(program.signature, n, s, tuple(range(n)), tuple(range(s))))


def _own_pairs(program: Program, signature: Signature) -> list[int]:
    """Places of the pairs of a signature among those of its program."""
    n, s = len(program.signature.shapes), program.signature.statics
    where = {place: k for k, place in enumerate(_all_pairs(program))}
    return [where[place] for place in touchable(signature, n, s, program.bodies, program.statics)]


def narrowed(steps: Steps, program: Program, signature: Signature) -> Steps:
    """What happened to the scenes, without what was parked."""
    bodies, own = list(program.bodies), _own_pairs(program, signature)
    return Steps(
        qpos=steps.qpos[:, :, bodies],
        qvel=steps.qvel[:, :, bodies],
        touching=steps.touching[:, :, own],
        impulse=steps.impulse[:, :, own],
        first=steps.first[:, own],
        depth=steps.depth[:, :, own],
        contacts=steps.contacts,
        start_depth=steps.start_depth,
    )


def pad_lanes(tree: Any, start: int, lanes: int) -> Any:
    """`lanes` scenes of a batch from `start`, the last one repeated; NumPy leaves."""
    b = len(jax.tree.leaves(tree)[0])
    index = np.minimum(np.arange(start, start + lanes), b - 1)
    return jax.tree.map(lambda leaf: np.asarray(leaf)[index], tree)
