"""What the robot sees as it moves: the head's camera, mounted on the torso (ReactHuman specification, section 3.3).

As the robot stands it is the egocentric camera of the scene (`cameras`), with its pitch, turn and lens; from there it
goes wherever the torso goes, leaning with it. Public: `head_cameras`.
"""

import numpy as np

from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.links import JOINTS, TORSO, link_poses
from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import turned
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stage import Camera

STANDING = 0.766
"""Height of the pelvis as the robot stands (m; humanoid specification, section 4.2)."""
UP: Vector = (0.0, 0.0, 1.0)
_NORTH = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
"""The turn of the robot as it faces +y."""


def head_cameras(spec: ReactHumanSpec, qpos: np.ndarray, aspect: float) -> tuple[Camera, ...]:
    """The camera of the head in some poses.

    Args:
        spec: the scene. qpos: (f, 36) poses of the robot. aspect: width over height of the picture.

    Raises:
        ValueError: these are no poses.
    """
    still = camera(spec, "egocentric", aspect)
    pos, quat = link_poses(np.concatenate([_standing(spec), qpos]))
    places, turns = pos[:, TORSO], quat[:, TORSO]
    back = turns[0] * (1.0, -1.0, -1.0, -1.0)
    eye = turned(back, np.array(still.position) - places[0])
    gaze = turned(back, np.subtract(still.target, still.position))
    eyes, gazes, ups = (turned(turns[1:], vector) for vector in (eye, gaze, turned(back, np.array(UP))))
    seen = zip(places[1:] + eyes, gazes, ups, strict=True)
    return tuple(Camera(_vector(at), _vector(at + towards), still.fov_deg, _vector(up)) for at, towards, up in seen)


def _standing(spec: ReactHumanSpec) -> np.ndarray:
    """(1, 36): upright where the scene has its robot; the joints below the torso are what counts, and are straight."""
    x, y, _ = spec.robot_root
    return np.array([[x, y, STANDING, *_NORTH, *[0.0] * JOINTS]])


def _vector(values: np.ndarray) -> Vector:
    x, y, z = (round(float(value), 6) for value in values)
    return (x, y, z)
