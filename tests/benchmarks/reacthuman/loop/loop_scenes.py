"""A ball that flies at the robot, seen from before its release; and observations of it, without simulating a robot."""

from typing import Any

import numpy as np

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop.observation import NORTH, Observation
from jaxphys_benchmarks.reacthuman.scene import Box, Scene, Thing
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec, Timing
from tests.benchmarks.reacthuman.asked_scenes import spec, truth

DT = 1 / 240
SPEED, RISE = 2.0, 3.6
START = np.array([0.1, 1.2, 1.0])
FREEZE = 72
"""Recorded step of the freeze; the window begins as many steps before the release."""
TTI = 0.475


def ball(**changes: Any) -> ReactHumanSpec:
    """The ball; it crosses the reach plane 0.775 s after its release, 0.84 m above the floor."""
    thing = Thing(
        name="object", object="coffee_mug", shape="sphere", size=(0.05, 0.05, 0.05), mass=0.3, pos=tuple(START),
        vel=(0.0, -SPEED, RISE),
    )  # fmt: skip
    scene = Scene(things=(thing,), boxes=(Box(name="table", pos=(0, 1.9, 0.4), half=(0.6, 0.2, 0.4)),))
    given = {"scene": scene, "timing": Timing(t0_step=-FREEZE, freeze_step=FREEZE), **changes}
    return spec(**given)


def labels(**changes: Any) -> Labels:
    """Its ground truth."""
    return truth(**{"impact_point": (0.1, -0.35, 0.84), "t_imp": 0.775, "tti": TTI, "track": None, **changes})


def flight(steps: np.ndarray) -> np.ndarray:
    """(..., 3) where the ball is at recorded steps from its release, without the rounding of inner steps."""
    t = np.maximum(np.asarray(steps), 0) * DT
    return START + np.stack([0 * t, -SPEED * t, RISE * t - 0.5 * 9.81 * t**2], axis=-1)


def still(frames: int, stride: int = 4, root: Any = (0.1, -0.8, 0.76)) -> Motion:
    """Recorded frames of the ball since the freeze, with a robot that does not move."""
    steps = FREEZE + stride * np.arange(frames)
    robot = np.zeros((frames, 36))
    robot[:, :3], robot[:, 3], robot[:, 6] = root, np.sqrt(0.5), np.sqrt(0.5)
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1))
    palms = np.tile([[0.0, -0.7, 0.8], [0.2, -0.7, 0.8]], (frames, 1, 1))
    return Motion(stride * np.arange(frames) * DT, robot, flight(steps)[:, None], quat, palms)


def observation(**changes: Any) -> Observation:
    """What is seen of the ball at the freeze, unless changed."""
    steps = FREEZE + np.array([-144, -108, -72, -36, 0])
    frames = still(5)
    window = Motion((steps - FREEZE) * DT, frames.robot, flight(steps)[:, None], frames.quat, frames.palms)
    values: dict[str, Any] = {
        "spec": ball(),
        "number": 0,
        "time": 0.0,
        "window": window,
        "qpos": frames.robot[0],
        "qvel": np.zeros(35),
        "palms": frames.palms[0],
        "root": frames.robot[0, :3],
        "yaw": NORTH,
        "plan": None,
        "begun": 0.0,
    }
    return Observation(**(values | changes))
