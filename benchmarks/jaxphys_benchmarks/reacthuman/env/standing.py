"""Where an episode begins: the robot has stood for a while, and stands at the scene's place, facing +Y.

It settles once, alone, with its walker; the scenes' starts are that state, moved and turned, as nothing in standing
depends on where it is done. Public: `Standing`, `settled`, `placed`.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

from jaxphys_benchmarks.reacthuman.env.body import Body, packed
from jaxphys_kernels.humanoid.arrays import Array
from jaxphys_kernels.humanoid.control import control
from jaxphys_kernels.humanoid.plan import stand
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import ControlState, start
from jaxphys_kernels.quaternions import yawed

NORTH = np.pi / 2
"""Heading of a robot that faces +Y (rad)."""


class Standing(struct.PyTreeNode):
    """A settled robot at the origin, heading along +X.

    Attributes:
        sensed: of it. warm: (35,) accelerations. bias: (14,) forces on the arm joints (N m). state: of its controller.
    """

    sensed: Sensed
    warm: Array
    bias: Array
    state: ControlState


def settled(robot: Any, weights: Any, seconds: float) -> Standing:
    """Let the robot stand.

    Args:
        robot: `jaxphys.humanoid.robot.Robot`, alone in its model. weights: of its walker. seconds: for how long.

    Raises:
        ValueError: it does not stand.
    """
    from jaxphys.humanoid.pool import Pool

    gains, plan = robot.gains, stand(jnp, (1,))
    tick = jax.jit(lambda state, t, sensed: control(jnp, weights, robot.chain, gains, state, t, plan, sensed))
    state = start(jnp, (1,))
    count = round(seconds / gains.tick)
    with Pool(robot, 1, threads=1) as pool:
        for k in range(count):
            done = tick(state, jnp.float32((k - count) * gains.tick), jax.tree.map(jnp.asarray, pool.sense()))
            state = done.state
            pool.advance(np.asarray(done.target), np.asarray(done.use))
        data, sensed = pool.data[0], pool.sense()
        warm, bias = np.array(data.qacc_warmstart, np.float32), np.array(data.qfrc_bias[21:35], np.float32)
    first: tuple[Sensed, ControlState] = jax.tree.map(lambda leaf: np.asarray(leaf)[0], (sensed, state))
    if not first[0].qpos[2] > 0.6:
        raise ValueError(f"policy: the robot does not stand after {seconds:g} s; give another walker")
    return Standing(sensed=first[0], warm=warm, bias=bias, state=first[1])


def placed(standing: Standing, root: Array, qpos: Array, qvel: Array) -> Body:
    """The robot at places of scenes, with their hazards.

    Args:
        standing: a settled robot. root: (..., 3) where it is to stand (m); its height does not matter.
        qpos: (..., q), qvel: (..., v) of the hazards.
    """
    shape, sensed = root.shape[:-1], standing.sensed
    ground = jnp.concatenate([root[..., :2], jnp.zeros_like(root[..., :1])], axis=-1)

    def wide(leaf: Any) -> Array:
        value = jnp.asarray(leaf, jnp.float32)
        return jnp.broadcast_to(value, (*shape, *value.shape))

    def there(point: Any) -> Array:
        return ground + wide(_turned(np.asarray(point)))

    own = np.asarray(sensed.qpos)
    both = np.stack([_turned(palm) for palm in np.asarray(sensed.palms)])
    robot_qpos = packed(there(own[:3]), wide(yawed(own[3:7], NORTH)), wide(own[7:]))
    robot_qvel = wide(np.concatenate([_turned(np.asarray(sensed.qvel)[:3]), np.asarray(sensed.qvel)[3:]]))
    warm = wide(np.concatenate([_turned(standing.warm[:3]), standing.warm[3:]]))
    late = packed(
        there(sensed.torso_pos),
        wide(_TURN @ np.asarray(sensed.torso_mat)).reshape(*shape, 9),
        (ground[..., None, :] + wide(both)).reshape(*shape, 6),
        there(sensed.com),
        wide(standing.bias),
    )
    return Body(
        qpos=packed(robot_qpos, qpos),
        qvel=packed(robot_qvel, qvel),
        warm=packed(warm, jnp.zeros_like(qvel)),
        late=late,
        step=jnp.zeros(shape, jnp.int32),
    )


_TURN = np.array([[np.cos(NORTH), -np.sin(NORTH), 0.0], [np.sin(NORTH), np.cos(NORTH), 0.0], [0.0, 0.0, 1.0]])


def _turned(vector: np.ndarray) -> np.ndarray:
    return np.asarray(_TURN @ vector)
