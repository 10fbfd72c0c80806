"""How far hand targets lie outside the arms' reach: a property of the plan, told next to the tracking error.

Geometric miss of a robot that stands upright: the palm that inverse kinematics ends at, from the rest posture
(humanoid specification, sections 7 and 8.2). Leaning, stepping and bent knees may close part of it.
"""

from typing import Any

import numpy as np

from jaxphys.humanoid.robot import Robot, load_mujoco, stand
from jaxphys_kernels.humanoid.arms import forward, solve
from jaxphys_kernels.humanoid.plan import Plan

PELVIS_HEIGHT = 0.76
"""Of the standing robot (m)."""

ITERATIONS = 200


def miss(robot: Robot, targets: np.ndarray) -> np.ndarray:
    """(…, 2) distance between the targets of both hands and the palms that come nearest (m).

    Args:
        robot: whose arms.
        targets: (…, 2, 3) left and right in the heading frame (m).
    """
    pos, mat = _torso(robot)
    gains, goal = robot.gains, (np.asarray(targets, float) - pos) @ mat
    arm = solve(
        np,
        robot.chain,
        np.broadcast_to(robot.chain.rest, (*goal.shape[:-2], 2, 7)),
        goal,
        iterations=ITERATIONS,
        damping=gains.ik_damping,
        posture=gains.ik_posture,
        step=gains.ik_step,
        margin=gains.ik_margin,
    )
    return np.asarray(np.linalg.norm(forward(np, robot.chain, arm)[0] - goal, axis=-1))


def reach_miss(robot: Robot, plans: Plan) -> np.ndarray:
    """(b, K, 2) miss of every key frame and hand (m); 0 where the plan leaves the arms to the policy."""
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
