"""`Observation`: what a policy is told of one scene each time it is asked; and the scene as baselines are told it.

Nothing of it lies in the future, and nothing is a label. `as_seen` tells an observation in the terms of a scene at its
freeze: as if the robot stood upright where it stands now and faced +Y, with the last moments as the observed frames.
So whatever answers from the observed frames of a scene answers at any time. SI units; world frame unless told
otherwise.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.executed import executed_picture
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stage import Stage

Floats = NDArray[np.float64]

NORTH = np.pi / 2
"""Heading of a robot that faces +Y (rad)."""


@dataclass(frozen=True, eq=False)
class Observation:
    """One scene now.

    Attributes:
        spec: the scene as it was drawn; what moves in it is in `window`.
        number: how often the policy was asked about it before. time: since the freeze (s).
        window: the last moments, at the times of the frames that a model is shown.
        qpos: (36,), qvel: (35,) of the robot, in MuJoCo's order. palms: (2, 3) left and right (m).
        root: (3,) of the pelvis (m). yaw: heading from +X (rad).
        plan: what the robot carries out, or None. begun: when that took effect (s).
    """

    spec: ReactHumanSpec
    number: int
    time: float
    window: Motion
    qpos: Floats
    qvel: Floats
    palms: Floats
    root: Floats
    yaw: float
    plan: Plan | None
    begun: float

    def to_robot(self, points: Floats) -> Floats:
        """World points (..., 3) as (forward, left, up) from the robot as it stands now; up counts from its pelvis when
        it stands upright, as plans do."""
        return to_robot(points, self.root, self.yaw, self.spec.robot.z)

    def picture(self, view: View, config: ReactHumanConfig | None = None) -> Stage:
        """The last moments as a camera sees them, drawn by whoever renders stages.

        Args:
            view: a film of a camera with a number of frames; `egocentric_film` is seen from the robot's head.
            config: for the size of frames; None: the default.

        Raises:
            ValueError: an unknown kind of view, or more frames than were observed.
        """
        return executed_picture(self.spec, self.window, view, config)


def to_robot(points: Floats, root: Floats, yaw: float, upright: float) -> Floats:
    """World points (..., 3) as (forward, left, up) from a robot, as plans tell places.

    Args:
        points: m. root: (3,) of its pelvis (m). yaw: its heading from +X (rad).
        upright: height that up counts from (m).
    """
    ahead = np.asarray(points, np.float64) - [root[0], root[1], upright]
    cos, sin = np.cos(yaw), np.sin(yaw)
    forward, left = cos * ahead[..., 0] + sin * ahead[..., 1], cos * ahead[..., 1] - sin * ahead[..., 0]
    return np.stack([forward, left, ahead[..., 2]], axis=-1)


def as_seen(observation: Observation, labels: Labels) -> tuple[ReactHumanSpec, Labels]:
    """A scene and its labels told as if time were frozen now, and the robot stood upright and faced +Y.

    Args:
        observation: the scene. labels: of it; what they say of the impact is turned and counted from now.
    """
    spec, window = observation.spec, observation.window
    turn = NORTH - observation.yaw
    x, y = float(observation.root[0]), float(observation.root[1])
    now = float(window.times[-1])

    def turned(points: Floats, about: tuple[float, float] = (x, y)) -> Floats:
        cos, sin = np.cos(turn), np.sin(turn)
        east, north = points[..., 0] - about[0], points[..., 1] - about[1]
        places = [about[0] + cos * east - sin * north, about[1] + sin * east + cos * north, points[..., 2]]
        return np.stack(places, axis=-1)

    def vector(values: Vector | None, about: tuple[float, float] = (x, y)) -> Vector | None:
        if values is None:
            return None
        east, north, up = turned(np.array(values), about).tolist()
        return (east, north, up)

    heading = np.array([np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)])
    leaves = {
        "times": window.times - now,
        "pos": turned(window.pos),
        "quat": _product(heading, window.quat),
        "vel": turned(_rates(window.pos, window.times), (0.0, 0.0)),
        "omega": turned(_spins(window.quat, window.times), (0.0, 0.0)),
    }
    # + 0.0 turns -0.0 into 0.0.
    told = Track.model_validate({name: (leaf + 0.0).tolist() for name, leaf in leaves.items()})
    seen = labels.model_copy(
        update={
            "track": told,
            "impact_point": vector(labels.impact_point),
            "impact_velocity": vector(labels.impact_velocity, (0.0, 0.0)),
            "tti": None if labels.tti is None else labels.tti - observation.time,
        }
    )
    robot = spec.robot.model_copy(update={"x": x, "y": y})
    return spec.model_copy(update={"robot": robot}), seen


def _rates(pos: Floats, times: Floats) -> Floats:
    """(f, n, 3) mean velocities since the frame before; the first frame has those of the second."""
    rates = np.diff(pos, axis=0) / np.diff(times)[:, None, None]
    return np.concatenate([rates[:1], rates])


def _spins(quat: Floats, times: Floats) -> Floats:
    """(f, n, 3) mean spins since the frame before, world frame (rad/s); the first frame has those of the second."""
    conjugate = quat[:-1] * [1.0, -1.0, -1.0, -1.0]
    between = _product(quat[1:], conjugate)
    between = between * np.where(between[..., :1] < 0, -1.0, 1.0)
    length = np.linalg.norm(between[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, between[..., :1])
    spins = between[..., 1:] * np.divide(angle, length, out=np.zeros_like(angle), where=length > 0)
    spins = spins / np.diff(times)[:, None, None]
    return np.concatenate([spins[:1], spins])


def _product(first: Floats, second: Floats) -> Floats:
    """Product of quaternions (..., 4)."""
    w, v = first[..., :1], first[..., 1:]
    real = w * second[..., :1] - np.sum(v * second[..., 1:], axis=-1, keepdims=True)
    cross = np.cross(np.broadcast_to(v, second[..., 1:].shape), second[..., 1:])
    return np.concatenate([real, w * second[..., 1:] + second[..., :1] * v + cross], axis=-1)
