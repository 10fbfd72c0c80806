"""The robot in any pose, as others see it: a G1 of composed shapes that hang on its links (assumed, all of it).

The shapes throw the shadows, are counted, and are drawn where its meshes are not to be had; `skin` says where the
meshes would be. Its torso and head are a body of their own, which its own eyes do not show. Public: `ROBOT`, `HEAD`,
`posed`, `skin`.
"""

from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.reacthuman.blocks import Piece
from jaxphys_benchmarks.reacthuman.figure import JOINT, LIGHT, SHELL, VISOR
from jaxphys_benchmarks.reacthuman.figure import NAME as ROBOT
from jaxphys_benchmarks.reacthuman.links import LINKS, link_poses
from jaxphys_benchmarks.reacthuman.shapes_parts import ALONG_X, ALONG_Y, FLIPPED, Shape, about, product, turned
from jaxphys_benchmarks.stage import Skin, Solid

HEAD = "robot head"
"""Body of torso and head."""
MODEL = "g1"
OWN = frozenset({"waist_roll_link", "torso_link"})
"""Links of the body `HEAD`."""


def posed(qpos: np.ndarray) -> list[Piece]:
    """The robot's solids in (f, 36) poses; ValueError where they are none."""
    pos, quat = link_poses(qpos)
    pieces: list[Piece] = []
    for k, link in enumerate(LINKS):
        body = _body(link.name)
        for part in _shapes().get(link.name, Shape(SHELL)).components:
            solid = Solid(f"{link.name} {part.name}".rstrip(), part.form, part.half, part.casts, of=body)
            place = pos[:, k] + turned(quat[:, k], np.array(part.pos))
            pieces.append((solid, part.look, place, product(quat[:, k], np.array(part.quat))))
    return pieces


def skin(qpos: np.ndarray) -> Skin:
    """Where the meshes of the robot are in (f, 36) poses; ValueError where they are none."""
    pos, quat = link_poses(qpos)
    return Skin(MODEL, tuple(link.name for link in LINKS), tuple(_body(link.name) for link in LINKS), pos, quat)


def _body(link: str) -> str:
    return HEAD if link in OWN else ROBOT


@lru_cache(maxsize=1)
def _shapes() -> dict[str, Shape]:
    """What each link is drawn as, in its own frame."""
    shapes: dict[str, Shape] = {"pelvis": Shape(SHELL), "torso_link": Shape(SHELL)}
    hips, torso = shapes["pelvis"], shapes["torso_link"]
    hips.add("ellipsoid", (0.075, 0.085, 0.065), (0, 0, -0.07))
    hips.detail("cylinder", (0.055, 0.055, 0.05), (0, 0, 0.0), JOINT)
    torso.add("ellipsoid", (0.095, 0.125, 0.15), (0.0, 0, 0.17))
    torso.detail("taper", (0.075, 0.1, 0.11), (0, 0, 0.06), "", FLIPPED)
    torso.detail("cylinder", (0.035, 0.035, 0.01), (0.088, 0, 0.19), LIGHT, ALONG_X)
    torso.detail("cylinder", (0.04, 0.04, 0.05), (0, 0, 0.31), JOINT)
    torso.add("ellipsoid", (0.075, 0.066, 0.095), (0.005, 0, 0.40))
    torso.detail("ellipsoid", (0.052, 0.055, 0.065), (0.036, 0, 0.40), VISOR)
    torso.detail("cylinder", (0.01, 0.01, 0.005), (0.086, 0, 0.40), LIGHT, ALONG_X)
    for side, left in (("left", 1.0), ("right", -1.0)):
        shapes |= {f"{side}_{name}": shape for name, shape in {**_leg(), **_arm(left)}.items()}
    return shapes


def _leg() -> dict[str, Shape]:
    names = ("hip_roll_link", "hip_yaw_link", "knee_link", "ankle_pitch_link", "ankle_roll_link")
    hip, thigh, shin, ankle, foot = (Shape(SHELL) for _ in names)
    hip.detail("sphere", (0.062,) * 3, (0.02, 0, -0.02), JOINT)
    thigh.rod((0.015, 0, 0.05), (-0.07, 0, -0.15), 0.058, casts=True)
    shin.detail("cylinder", (0.05, 0.05, 0.052), (0, 0, 0), JOINT, ALONG_Y)
    shin.rod((0.012, 0, -0.03), (0.0, 0, -0.25), 0.045, casts=True)
    ankle.detail("sphere", (0.034,) * 3, (0, 0, 0), JOINT)
    foot.add("box", (0.095, 0.032, 0.011), (0.038, 0, -0.024), JOINT)
    foot.detail("ellipsoid", (0.085, 0.036, 0.026), (0.03, 0, -0.014))
    return dict(zip(names, (hip, thigh, shin, ankle, foot), strict=True))


def _arm(left: float) -> dict[str, Shape]:
    names = ("shoulder_roll_link", "shoulder_yaw_link", "elbow_link", "wrist_roll_link", "wrist_yaw_link")
    shoulder, upper, elbow, forearm, hand = (Shape(SHELL) for _ in names)
    shoulder.add("sphere", (0.056,) * 3, (0, 0, 0), JOINT)
    upper.rod((0, 0, 0.06), (0, 0, -0.06), 0.04, casts=True)
    elbow.detail("sphere", (0.042,) * 3, (0, 0, 0), JOINT)
    elbow.rod((0.01, 0, -0.003), (0.1, left * 0.002, -0.01), 0.036, casts=True)
    forearm.rod((0, 0, 0), (0.07, 0, 0), 0.032, casts=True)
    hand.detail("sphere", (0.03,) * 3, (0, 0, 0), JOINT)
    hand.add("box", (0.045, 0.013, 0.034), (0.075, 0, 0), JOINT)
    for k, height in enumerate((-0.023, 0.0, 0.023)):
        hand.rod((0.115, 0, height), (0.155, -left * 0.006, height + 0.002 * (k - 1)), 0.011, JOINT)
    hand.detail("capsule", (0.011, 0.011, 0.036), (0.075, -left * 0.022, 0.036), JOINT, about(1, 75.0))
    return dict(zip(names, (shoulder, upper, elbow, forearm, hand), strict=True))
