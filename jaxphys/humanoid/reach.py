"""How far hand targets lie outside the arms' reach: a property of the plan, told next to the tracking error.

Geometric miss of a robot that stands upright: the distance from the nearest place that inverse kinematics finds in
small steps from the rest posture, within 3 mm of the least there is (humanoid specification, section 7; the misses of
its section 8.2 are up to 0.16 m larger, since its search leaps). Leaning, stepping and bent knees may close part of it.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys._rigid_programs import pad_lanes
from jaxphys.humanoid.robot import Robot, load_mujoco, stand
from jaxphys_kernels.humanoid.arms import Chain, forward, solve
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.gains import Gains
from jaxphys_kernels.humanoid.plan import Plan, readable

PELVIS_HEIGHT = 0.76
"""Of the standing robot (m)."""

ITERATIONS = 80

STRIDE = 0.03
"""How far the palm is asked to go in an iteration (m): told to go all the way at once to a target out of reach, the
arms swing about the nearest place, and end up to 0.25 m from it."""

ROWS = 64
"""Pairs of targets in a call: every number of them is the same program."""


def miss(robot: Robot, targets: np.ndarray) -> np.ndarray:
    """(…, 2) distance between the targets of both hands and the palms that come nearest (m).

    Args:
        robot: whose arms.
        targets: (…, 2, 3) left and right in the heading frame (m).
    """
    pos, mat = _torso(robot)
    goals = ((np.asarray(targets, float) - pos) @ mat).astype(np.float32)
    rows = goals.reshape(-1, 2, 3)
    if not len(rows):
        return np.zeros(goals.shape[:-1])
    chain, nearest = jax.device_put(cast(np, robot.chain, np.float32)), _program(robot.gains)
    found = [np.asarray(nearest(chain, pad_lanes(rows, k, ROWS))) for k in range(0, len(rows), ROWS)]
    return np.concatenate(found)[: len(rows)].reshape(goals.shape[:-1]).astype(float)


@functools.lru_cache(maxsize=8)
def _program(gains: Gains) -> Callable[[Chain, Any], jax.Array]:
    """The compiled search: (chain, goals (n, 2, 3) in the torso's frame) -> (n, 2) miss (m)."""

    def search(chain: Chain, goals: jax.Array) -> jax.Array:
        def step(_: jax.Array, arm: jax.Array) -> jax.Array:
            moved: jax.Array = solve(
                jnp,
                chain,
                arm,
                goals,
                iterations=1,
                damping=gains.ik_damping,
                posture=gains.ik_posture,
                step=gains.ik_step,
                margin=gains.ik_margin,
                stride=STRIDE,
            )
            return moved

        rest = jnp.broadcast_to(chain.rest, (*goals.shape[:-2], 2, 7))
        arm = jax.lax.fori_loop(0, ITERATIONS, step, rest)
        apart: jax.Array = jnp.linalg.norm(forward(jnp, chain, arm)[0] - goals, axis=-1)
        return apart

    return jax.jit(search)


def reach_miss(robot: Robot, plans: Plan) -> np.ndarray:
    """(b, K, 2) miss of every key frame and hand (m); 0 where the plan leaves the arms to the policy.

    Plans are read as the controller reads them: numbers that are none are 0.
    """
    plans = readable(np, plans)
    found = miss(robot, np.stack([plans.kl, plans.kr], axis=-2))
    return np.asarray(np.where(np.asarray(plans.use)[..., None, None] > 0, found, 0.0))


def _torso(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Place (3,) and rotation (3, 3) of the torso of a robot that stands upright over the origin."""
    mujoco = load_mujoco()
    data: Any = mujoco.MjData(robot.model)
    data.qpos[: len(stand(1)[0])] = stand(1)[0]
    data.qpos[2] = PELVIS_HEIGHT
    mujoco.mj_kinematics(robot.model, data)
    return np.array(data.xpos[robot.torso]), np.array(data.xmat[robot.torso]).reshape(3, 3)
