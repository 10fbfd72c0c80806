"""What is measured on executed plans: heading, velocities, palms in the heading frame, hand errors, falls.

Arrays of NumPy with any leading shape; SI units, angles in rad (humanoid specification, sections 6.2, 7 and 8.3).
"""

import numpy as np

from jaxphys.humanoid.config import HumanoidConfig
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.sensed import heading as _heading


def heading(qpos: np.ndarray) -> np.ndarray:
    """Heading (…) of robots (…, 36): the angle of the pelvis' x axis about the vertical."""
    return np.asarray(_heading(np, qpos[..., 3:7]))


def upright(qpos: np.ndarray) -> np.ndarray:
    """Vertical part (…) of the pelvis' upward axis, 1 for a robot that stands straight."""
    vertical: np.ndarray = 1 - 2 * (qpos[..., 4] ** 2 + qpos[..., 5] ** 2)
    return vertical


def fallen(config: HumanoidConfig, qpos: np.ndarray) -> np.ndarray:
    """Whether robots (…, 36) lie (…): pelvis too low, leaning too far, or numbers that are none."""
    stands = (qpos[..., 2] >= config.fall_height) & (upright(qpos) >= config.fall_up)
    return np.asarray(~(stands & np.isfinite(qpos).all(-1)))


def to_heading(qpos: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points in the heading frame: origin on the ground below the pelvis, x ahead, y to the left.

    Args:
        qpos: (…, 36).
        points: (…, m, 3) in the world (m).
    """
    origin = qpos[..., None, :3] * [1.0, 1.0, 0.0]
    return turned(points - origin, -heading(qpos)[..., None])


def turned(vectors: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Vectors (…, 3) turned about the vertical by angles (…)."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([c * x - s * y, s * x + c * y, z], axis=-1)


def body_velocity(qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
    """Velocity (…, 2) of the pelvis ahead and to the left (m/s)."""
    return turned(qvel[..., :3], -heading(qpos))[..., :2]


def mean_velocity(times: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, after: float = 1.0) -> np.ndarray:
    """(b, 2) mean velocity ahead and to the left from time `after` on (m/s).

    Args:
        times: (ticks,) s.
        qpos: (b, ticks, 36).
        qvel: (b, ticks, 35).
        after: s.
    """
    return np.asarray(body_velocity(qpos, qvel)[:, times > after].mean(axis=1))


def turned_by(times: np.ndarray, qpos: np.ndarray) -> np.ndarray:
    """(b,) change of the heading from time 0 to the end (rad), full turns counted."""
    angle = np.unwrap(heading(qpos), axis=1)
    return np.asarray(angle[:, -1] - angle[:, np.argmax(times >= 0)])


def at(times: np.ndarray, t: float) -> int:
    """Index of the tick that begins at time `t`: what is recorded there is the robot at the tick's end.

    Args:
        times: (ticks,) of the ticks' ends (s).
        t: s.
    """
    tick = times[1] - times[0]
    return int(np.clip(round((t - times[0]) / tick) + 1, 0, len(times) - 1))


def hand_error(times: np.ndarray, qpos: np.ndarray, palms: np.ndarray, plans: Plan, t: float, key: int) -> np.ndarray:
    """(b, 2) distance of the palms from the targets of a key frame in the heading frame (m); NaN where hands are free.

    Args:
        times: (ticks,) s.
        qpos: (b, ticks, 36).
        palms: (b, ticks, 2, 3).
        plans: (b, …).
        t: when (s).
        key: index of the key frame.
    """
    k = at(times, t)
    goal = np.stack([plans.kl[:, key], plans.kr[:, key]], axis=1)
    error = np.linalg.norm(to_heading(qpos[:, k], palms[:, k]) - goal, axis=-1)
    return np.where(np.asarray(plans.use)[:, None] > 0, error, np.nan)
