"""The Unitree G1: plans executed by a simulated humanoid, many at once.

    robot = humanoid.build()
    trajectories = humanoid.rollout(robot, humanoid.policy("student"), plans, seconds=2.0)

Importing needs nothing; building a robot needs the extra `humanoid`. Names are loaded at first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxphys.humanoid.checkpoint import policy
    from jaxphys.humanoid.config import HumanoidConfig
    from jaxphys.humanoid.controller import Controller
    from jaxphys.humanoid.pool import Pool
    from jaxphys.humanoid.reach import reach_miss
    from jaxphys.humanoid.robot import MissingExtraError, Robot, build, robot_of, robot_spec, stand
    from jaxphys.humanoid.rollouts import Trajectories, rollout
    from jaxphys_kernels.humanoid.plan import Plan

__all__ = [
    "Controller",
    "HumanoidConfig",
    "MissingExtraError",
    "Plan",
    "Pool",
    "Robot",
    "Trajectories",
    "build",
    "policy",
    "reach_miss",
    "robot_of",
    "robot_spec",
    "rollout",
    "stand",
]

_FOUND_IN = {
    "Controller": "jaxphys.humanoid.controller",
    "HumanoidConfig": "jaxphys.humanoid.config",
    "Plan": "jaxphys_kernels.humanoid.plan",
    "Pool": "jaxphys.humanoid.pool",
    "Trajectories": "jaxphys.humanoid.rollouts",
    "policy": "jaxphys.humanoid.checkpoint",
    "reach_miss": "jaxphys.humanoid.reach",
    "rollout": "jaxphys.humanoid.rollouts",
    **dict.fromkeys(
        ("MissingExtraError", "Robot", "build", "robot_of", "robot_spec", "stand"), "jaxphys.humanoid.robot"
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _FOUND_IN:
        raise AttributeError(f"module 'jaxphys.humanoid' has no attribute {name!r}")
    return getattr(importlib.import_module(_FOUND_IN[name]), name)
