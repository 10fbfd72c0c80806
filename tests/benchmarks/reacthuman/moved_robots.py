"""Motions made by hand, that no simulator has seen: a robot that stands, walks back or lifts its arms."""

from typing import Any

import numpy as np

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.reacthuman.head import STANDING
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

LEG = [-0.312, 0.0, 0.0, 0.669, -0.363, 0.0]
DEFAULT = np.array([*LEG, *LEG, 0, 0, 0, 0.2, 0.2, 0, 0.6, 0, 0, 0, 0.2, -0.2, 0, 0.6, 0, 0, 0])
"""Joint angles of the standing robot (humanoid specification, section 4.2)."""
SHOULDERS, WAIST_ROLL, WAIST_PITCH = (7 + 15, 7 + 22), 7 + 13, 7 + 14
"""Places in a pose."""


def stood(x: float, y: float, frames: int = 1) -> np.ndarray:
    """(frames, 36) standing there, facing +y."""
    pose = np.array([x, y, STANDING, 0.5**0.5, 0, 0, 0.5**0.5, *DEFAULT])
    return np.tile(pose, (frames, 1))


def motion(scene: ReactHumanSpec, frames: int = 5, **changes: Any) -> Motion:
    """The robot stands, and so does all else, half a second long, unless changed."""
    robot = stood(scene.robot.x, scene.robot.y, frames)
    n = len(scene.scene.things)
    values: dict[str, Any] = {
        "times": np.linspace(0.0, 0.5, frames),
        "robot": robot,
        "pos": np.tile([thing.pos for thing in scene.scene.things], (frames, 1, 1)).astype(float),
        "quat": np.tile([1.0, 0, 0, 0], (frames, n, 1)),
        "palms": np.zeros((frames, 2, 3)),
    }
    return Motion(**{**values, **changes})


def walked_back(scene: ReactHumanSpec, metres: float, frames: int = 5) -> Motion:
    """The robot glides backwards."""
    robot = stood(scene.robot.x, scene.robot.y, frames)
    robot[:, 1] -= np.linspace(0, metres, frames)
    return motion(scene, frames, robot=robot)


def arms_lifted(scene: ReactHumanSpec, frames: int = 5) -> Motion:
    """The robot lifts its arms until they point ahead."""
    robot = stood(scene.robot.x, scene.robot.y, frames)
    robot[:, SHOULDERS] -= np.linspace(0, 1.5, frames)[:, None]
    return motion(scene, frames, robot=robot)
