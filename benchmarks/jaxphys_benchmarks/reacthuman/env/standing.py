"""Where an episode begins: the robot has stood for a while, and stands at the scene's place, facing +Y.

It settles once, alone, as for executions of plans, and is brought home: the pelvis exactly above the
origin, facing +Y. The scenes' starts are that state, moved, as nothing in standing depends on where it is done.
Public: `Standing`, `standing`, `placed`.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

from jaxphys.humanoid.pool import Pool
from jaxphys_benchmarks.reacthuman.env.body import Body, packed
from jaxphys_benchmarks.reacthuman.execution import brain
from jaxphys_kernels.humanoid.arrays import Array
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import ControlState

NORTH = np.pi / 2
"""Heading of a robot that faces +Y (rad)."""

ORIGIN = np.zeros((1, 2))
"""Of the ground (m), for one robot."""

STANDS = 0.6
"""Height of the pelvis above which a robot stands (m)."""


class Standing(struct.PyTreeNode):
    """A settled robot whose pelvis is above the origin, facing +Y.

    Attributes:
        sensed: of it, all of the same time. warm: (35,) accelerations. bias: (14,) forces on the arm joints (N m).
        state: of its controller.
    """

    sensed: Sensed
    warm: Array
    bias: Array
    state: ControlState


def standing(robot: Any, own: brain.Settled) -> Standing:
    """What an episode begins with.

    Args:
        robot: `jaxphys.humanoid.robot.Robot`, alone in its model. own: the robot when it has settled.

    Raises:
        ValueError: it does not stand.
    """
    if not own.qpos[2] > STANDS:
        raise ValueError(f"policy: the robot does not stand, its pelvis is {own.qpos[2]:.2f} m high; give another one")
    with Pool(robot, 1, threads=1) as pool:
        pool.reset(*brain.placed(own.qpos, own.qvel, ORIGIN, NORTH))
        data = pool.data[0]
        # The solution of this very state is the best that a solver can start from.
        warm, bias = np.array(data.qacc, np.float32), np.array(data.qfrc_bias[21:35], np.float32)
        sensed: Sensed = jax.tree.map(lambda leaf: leaf[0], pool.sense())
    return Standing(sensed=sensed, warm=warm, bias=bias, state=own.memory)


def placed(robot: Standing, root: Array, qpos: Array, qvel: Array) -> Body:
    """The robot at places of scenes, with their hazards.

    Args:
        robot: a settled one. root: (..., 3) where its pelvis is to be (m); its height does not matter.
        qpos: (..., q), qvel: (..., v) of the hazards.
    """
    shape, sensed = root.shape[:-1], robot.sensed
    ground = jnp.concatenate([root[..., :2], jnp.zeros_like(root[..., :1])], axis=-1)

    def wide(leaf: Any) -> Array:
        value = jnp.asarray(leaf, jnp.float32)
        return jnp.broadcast_to(value, (*shape, *value.shape))

    late = packed(
        ground + wide(sensed.torso_pos),
        wide(sensed.torso_mat).reshape(*shape, 9),
        (ground[..., None, :] + wide(sensed.palms)).reshape(*shape, 6),
        ground + wide(sensed.com),
        wide(robot.bias),
    )
    return Body(
        qpos=packed(ground + wide(sensed.qpos[:3]), wide(sensed.qpos[3:]), qpos),
        qvel=packed(wide(sensed.qvel), qvel),
        warm=packed(wide(robot.warm), jnp.zeros_like(qvel)),
        late=late,
        step=jnp.zeros(shape, jnp.int32),
    )
