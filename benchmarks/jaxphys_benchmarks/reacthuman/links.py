"""Where the links of the Unitree G1 are in a pose: its kinematic tree as numbers, and the walk along it.

Pictures need no engine: a pose of `qpos` is enough, also where the robot's model is not installed. Offsets, turns and
axes are facts read in the public model (humanoid specification, sections 3.1 and 4.2); a test compares the poses with
those of MuJoCo. Public: `LINKS`, `PELVIS`, `TORSO`, `link_poses`.
"""

from typing import NamedTuple

import numpy as np

from jaxphys_benchmarks.reacthuman.scene import Quaternion, Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import HERE, UPRIGHT, product, turned

ROLL: Vector = (1.0, 0.0, 0.0)
PITCH: Vector = (0.0, 1.0, 0.0)
YAW: Vector = (0.0, 0.0, 1.0)
HIP: Quaternion = (0.99617869, 0.0, -0.08733857, 0.0)
"""The lean of the hip's roll axis; the knee takes it back."""
KNEE: Quaternion = (0.99617869, 0.0, 0.08733857, 0.0)
QUATERNION = slice(3, 7)
"""Of the pelvis, in `qpos`, after its place and before the joints."""


class Link(NamedTuple):
    """A link, which hangs on another by one hinge.

    Attributes:
        name: as the model calls it. parent: index of the link it hangs on, itself for the pelvis.
        offset: of its frame from that of the parent (m). turn: of its frame in the parent's at joint angle zero.
        axis: of its hinge, in its own frame; joint k of `qpos` is that of link k + 1.
    """

    name: str
    parent: int
    offset: Vector
    turn: Quaternion
    axis: Vector


def _leg(side: str, left: float, first: int) -> list[Link]:
    return [
        Link(f"{side}_hip_pitch_link", 0, (0.0, left * 0.064452, -0.1027), UPRIGHT, PITCH),
        Link(f"{side}_hip_roll_link", first, (0.0, left * 0.052, -0.030465), HIP, ROLL),
        Link(f"{side}_hip_yaw_link", first + 1, (0.025001, 0.0, -0.12412), UPRIGHT, YAW),
        Link(f"{side}_knee_link", first + 2, (-0.078273, left * 0.0021489, -0.17734), KNEE, PITCH),
        Link(f"{side}_ankle_pitch_link", first + 3, (0.0, left * -9.4445e-5, -0.30001), UPRIGHT, PITCH),
        Link(f"{side}_ankle_roll_link", first + 4, (0.0, 0.0, -0.017558), UPRIGHT, ROLL),
    ]


def _arm(side: str, left: float, beside: float, first: int) -> list[Link]:
    shoulder: Quaternion = (0.990264140, left * 0.139201020, 1.38722e-5, left * -9.86868e-5)
    upper: Quaternion = (0.99026822, left * -0.13917203, 0.0, 0.0)
    return [
        Link(f"{side}_shoulder_pitch_link", 15, (0.0039563, beside, 0.24778), shoulder, PITCH),
        Link(f"{side}_shoulder_roll_link", first, (0.0, left * 0.038, -0.013831), upper, ROLL),
        Link(f"{side}_shoulder_yaw_link", first + 1, (0.0, left * 0.00624, -0.1032), UPRIGHT, YAW),
        Link(f"{side}_elbow_link", first + 2, (0.015783, 0.0, -0.080518), UPRIGHT, PITCH),
        Link(f"{side}_wrist_roll_link", first + 3, (0.1, left * 0.00188791, -0.01), UPRIGHT, ROLL),
        Link(f"{side}_wrist_pitch_link", first + 4, (0.038, 0.0, 0.0), UPRIGHT, PITCH),
        Link(f"{side}_wrist_yaw_link", first + 5, (0.046, 0.0, 0.0), UPRIGHT, YAW),
    ]


PELVIS, TORSO = 0, 15
"""Indices of links."""
LINKS: tuple[Link, ...] = (
    Link("pelvis", PELVIS, HERE, UPRIGHT, YAW),
    *_leg("left", 1.0, 1),
    *_leg("right", -1.0, 7),
    Link("waist_yaw_link", PELVIS, HERE, UPRIGHT, YAW),
    Link("waist_roll_link", 13, (-0.0039635, 0.0, 0.044), UPRIGHT, ROLL),
    Link("torso_link", 14, HERE, UPRIGHT, PITCH),
    *_arm("left", 1.0, 0.10022, 16),
    *_arm("right", -1.0, -0.10021, 23),
)
"""Parents come before their children."""
JOINTS = len(LINKS) - 1


def link_poses(qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frames of all links.

    Args:
        qpos: (f, 36) poses, as the model orders them: place and quaternion of the pelvis, 29 joint angles (m, rad).

    Returns:
        (f, 30, 3) m and (f, 30, 4) unit quaternions, in the order of `LINKS`.

    Raises:
        ValueError: another shape, or numbers that are no poses.
    """
    poses = np.asarray(qpos, np.float64)
    if poses.ndim != 2 or poses.shape[1] != QUATERNION.stop + JOINTS:
        raise ValueError(f"robot: poses have shape {poses.shape}; give (frames, {QUATERNION.stop + JOINTS})")
    if not np.isfinite(poses).all() or not np.linalg.norm(poses[:, QUATERNION], axis=1).all():
        raise ValueError("robot: a pose is not finite, or its quaternion is zero")
    pos, quat = np.empty((len(poses), len(LINKS), 3)), np.empty((len(poses), len(LINKS), 4))
    pos[:, PELVIS] = poses[:, : QUATERNION.start]
    quat[:, PELVIS] = poses[:, QUATERNION] / np.linalg.norm(poses[:, QUATERNION], axis=1, keepdims=True)
    half = poses[:, QUATERNION.stop :] / 2
    for k, link in enumerate(LINKS[1:], start=1):
        pos[:, k] = pos[:, link.parent] + turned(quat[:, link.parent], np.array(link.offset))
        hinge = np.concatenate([np.cos(half[:, [k - 1]]), np.sin(half[:, [k - 1]]) * link.axis], axis=1)
        # Tables have eight digits, so that turns are unit to as many.
        fixed = np.array(link.turn) / np.linalg.norm(link.turn)
        quat[:, k] = product(product(quat[:, link.parent], fixed), hinge)
    return pos, quat
