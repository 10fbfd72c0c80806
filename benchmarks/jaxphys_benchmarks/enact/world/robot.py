"""The robot: a driven base with a lifting and bending torso, a head with a camera, and two arms that follow the hands.

ENACT specification, sections 12 and 13. Nothing of it but its hands is simulated: bodies are where base, torso, head
and hands say. The camera is at 1.75 m with the torso upright and at rest; arms are drawn by the law of cosines. Arrays
of hands are in the order left, right. A hand's own axes: the fingers point along -z, the palm opens along x, so that a
hand of attitude (1, 0, 0, 0) reaches down. Public: `Pose`, `camera_pose`, `shoulders`, `elbow`, `LINKS`, `link_poses`,
`REACH`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.enact.config_world import Camera
from jaxphys_benchmarks.enact.world.things import Part, Quat, about, product, rotation

WAIST = 0.62
"""Height of the joint that the torso bends about, with the torso down (m)."""
SHOULDER = (0.0, 0.2, 0.66)
"""Of the left shoulder from the waist: ahead, to the left, up (m)."""
NECK = (0.06, 0.0, 0.84)
"""Of the neck from the waist (m)."""
HEAD = (0.02, 0.0, 0.14)
"""Of the head's link from the neck, which pans and tilts (m)."""

UPPER, FORE = 0.42, 0.42
"""Lengths of the upper arm and of the forearm to the wrist (m)."""
PALM = 0.12
"""From the wrist to the middle of the fingertips (m)."""
REACH = UPPER + FORE + PALM - 0.02
"""From the shoulder to the fingertips (m)."""

LIFT_MAX = 0.4
PITCH_MAX = 1.15
"""Limits of the torso: how far it rises (m) and bends forward (rad)."""
DROP = 0.5
"""Weight of the elbow's wish to hang below the line of the arm against its wish to be outside."""

UP, AHEAD, LEFTWARD = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)

BLACK, WHITE = "#2b2e33", "#f1f1ef"


@dataclass(frozen=True)
class Pose:
    """Of everything but the hands.

    Attributes:
        x, y, heading: of the base (m, m, rad). lift: of the torso (m). pitch: of the torso, forward (rad).
        pan: of the head to the left (rad). tilt: of the head down (rad).
    """

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    lift: float = 0.0
    pitch: float = 0.0
    pan: float = 0.0
    tilt: float = 0.0

    @property
    def turn(self) -> Quat:
        """Of the base."""
        return about(UP, self.heading)

    def torso(self) -> tuple[np.ndarray, Quat]:
        """Pose of the torso: x ahead, y to the left, z up, the origin in the waist."""
        return np.array([self.x, self.y, WAIST + self.lift]), product(self.turn, about(LEFTWARD, self.pitch))

    def head(self) -> tuple[np.ndarray, Quat]:
        """Pose of the head's link, as `torso`."""
        waist, bent = self.torso()
        neck = waist + rotation(bent) @ np.asarray(NECK)
        # The head stays level: only its own tilt lowers its eyes.
        turn = product(about(UP, self.heading + self.pan), about(LEFTWARD, self.tilt))
        return neck + rotation(about(UP, self.heading + self.pan)) @ np.asarray(HEAD), turn


def camera_pose(pose: Pose, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """Where the head camera is and how it is turned.

    Args:
        pose: of the robot. camera: its height with the torso upright and down, and its offset from the head's link.

    Returns:
        (3,) m; (3, 3) whose columns point ahead, to the left and up in its picture.
    """
    spot, turn = pose.head()
    facing = rotation(turn)
    rest = WAIST + NECK[2] + HEAD[2] + camera.offset[2]
    lifted = np.array([0.0, 0.0, camera.height - rest])
    return spot + rotation(about(UP, pose.heading + pose.pan)) @ np.asarray(camera.offset) + lifted, facing


def shoulders(pose: Pose) -> np.ndarray:
    """(2, 3) m."""
    waist, bent = pose.torso()
    ahead, left, up = SHOULDER
    return np.stack([waist + rotation(bent) @ np.array([ahead, side * left, up]) for side in (1.0, -1.0)])


def wrist(hand: np.ndarray, quat: np.ndarray) -> np.ndarray:
    """(3,) m: where the forearm ends, for a hand whose fingertips are at `hand`."""
    spot: np.ndarray = np.asarray(hand) + rotation(quat) @ np.array([0.0, 0.0, PALM])
    return spot


def elbow(shoulder: np.ndarray, end: np.ndarray, outward: np.ndarray) -> np.ndarray:
    """Where the elbow of an arm is; it hangs down and out. An arm that is too short is stretched.

    Args:
        shoulder, end: (3,) m, of the shoulder and the wrist. outward: (3,) unit, away from the other arm.

    Returns:
        (3,) m.
    """
    line = end - shoulder
    length = float(np.linalg.norm(line))
    along = line / max(length, 1e-9)
    # The law of cosines: how far along the line the foot of the elbow is.
    foot = (length**2 + UPPER**2 - FORE**2) / max(2 * length, 1e-9) if length < UPPER + FORE else 0.5 * length
    height = np.sqrt(max(UPPER**2 - foot**2, 0.0))
    wish = np.asarray(outward) * (1 - DROP) - DROP * np.asarray(UP)
    side = wish - (wish @ along) * along
    spot: np.ndarray = shoulder + foot * along + height * side / max(float(np.linalg.norm(side)), 1e-9)
    return spot


LINKS: tuple[tuple[str, tuple[Part, ...]], ...] = (
    (
        "base",
        (
            Part("cylinder", (0.27, 0.27, 0.09), (0.0, 0.0, 0.12), BLACK),
            Part("cylinder", (0.28, 0.28, 0.02), (0.0, 0.0, 0.23), WHITE),
            Part("box", (0.07, 0.09, 0.25), (0.0, 0.0, 0.45), BLACK),
        ),
    ),
    (
        "torso",
        (
            Part("box", (0.06, 0.12, 0.2), (-0.04, 0.0, 0.44), WHITE),
            Part("box", (0.06, 0.08, 0.2), (0.0, 0.0, 0.15), BLACK),
            Part("capsule", (0.045, 0.045, 0.22), (0.0, 0.0, 0.66), BLACK, about(AHEAD, 0.5 * np.pi)),
        ),
    ),
    # Small and behind the camera, so that it never hides what the camera sees.
    ("head", (Part("box", (0.04, 0.07, 0.05), (-0.1, 0.0, -0.02), WHITE),)),
    *(
        (f"{side}_{part}", parts)
        for side in ("left", "right")
        for part, parts in (
            ("upper_arm", (Part("capsule", (0.045, 0.045, UPPER / 2 + 0.02), (0.0, 0.0, UPPER / 2), WHITE),)),
            (
                "forearm",
                (
                    Part("capsule", (0.037, 0.037, FORE / 2 + 0.01), (0.0, 0.0, FORE / 2), BLACK),
                    Part("cylinder", (0.04, 0.04, 0.02), (0.0, 0.0, 0.8 * FORE), WHITE),
                ),
            ),
            (
                "hand",
                (
                    Part("box", (0.02, 0.045, 0.03), (0.0, 0.0, PALM - 0.02), WHITE),
                    Part("box", (0.012, 0.009, 0.045), (0.0, 0.034, 0.04), BLACK),
                    Part("box", (0.012, 0.009, 0.045), (0.0, -0.034, 0.04), BLACK),
                ),
            ),
        )
    ),
)
"""What is drawn of the robot, link by link; arms run along their z from the shoulder and from the elbow."""


def link_poses(pose: Pose, hands: np.ndarray | Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Where the links are.

    Args:
        pose: of the robot. hands: (2, 7) m and quaternions.

    Returns:
        (l, 3) m and (l, 4), in the order of `LINKS`.
    """
    torso, bent = pose.torso()
    head, facing = pose.head()
    places: list[tuple[np.ndarray, Quat | np.ndarray]] = [
        (np.array([pose.x, pose.y, 0.0]), pose.turn), (torso, bent), (head, facing),
    ]  # fmt: skip
    left = rotation(pose.turn) @ np.asarray(LEFTWARD)
    for shoulder, hand, side in zip(shoulders(pose), np.asarray(hands), (1.0, -1.0), strict=True):
        end = wrist(hand[:3], hand[3:])
        middle = elbow(shoulder, end, side * left)
        places += [(shoulder, _along(middle - shoulder)), (middle, _along(end - middle)), (hand[:3], hand[3:])]
    return np.stack([spot for spot, _ in places]), np.array([list(turn) for _, turn in places])


def _along(line: np.ndarray) -> Quat:
    """The shortest turn of z into a direction."""
    x, y, z = line / max(float(np.linalg.norm(line)), 1e-9)
    if z < -1 + 1e-9:
        return (0.0, 1.0, 0.0, 0.0)
    quat = np.array([1 + z, -y, x, 0.0])
    w, i, j, k = quat / np.linalg.norm(quat)
    return (float(w), float(i), float(j), float(k))
