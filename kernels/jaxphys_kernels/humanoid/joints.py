"""The 29 joints of the Unitree G1: names, order, default pose, servo gains, ranges, force limits.

The order is that of the MJCF file, of its actuators and of the policy (humanoid specification, section 4.2): a joint's
place in `qpos` is 7 + its index, in `qvel` 6 + its index. Angles are in rad, gains in N m/rad and N m s/rad.
"""

import numpy as np

SIDES = ("left", "right")

LEG_JOINTS = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
WAIST_JOINTS = ("waist_yaw", "waist_roll", "waist_pitch")
ARM_JOINTS = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist_roll", "wrist_pitch", "wrist_yaw")

JOINTS = (
    *(f"{side}_{joint}_joint" for side in SIDES for joint in LEG_JOINTS),
    *(f"{joint}_joint" for joint in WAIST_JOINTS),
    *(f"{side}_{joint}_joint" for side in SIDES for joint in ARM_JOINTS),
)
"""Names in order."""

LEGS = slice(0, 15)
"""Legs and waist: what the policy alone drives."""

ARM = slice(15, 29)
"""Both arms, the left one first."""

ARM_INDEX = np.arange(15, 29).reshape(2, 7)
"""Joint indices of the left and of the right arm."""

HIP_PITCH, KNEE_PITCH, ANKLE_PITCH = (0, 6), (3, 9), (4, 10)
"""The joints that bend the knees, left and right."""

TIMESTEP, STEPS_PER_TICK = 1 / 240, 5
TICK = STEPS_PER_TICK * TIMESTEP
"""Time between two calls of the controller (s)."""

ACTION_SCALE = 0.25
"""Joint target = default + this times the policy's action (rad)."""

ACTION_LIMIT = 100.0
"""The policy's actions are clipped to ± this."""

_LEG = (-0.312, 0.0, 0.0, 0.669, -0.363, 0.0)
_ARMS = (0.2, 0.2, 0.0, 0.6, 0.0, 0.0, 0.0, 0.2, -0.2, 0.0, 0.6, 0.0, 0.0, 0.0)


def _fixed(*values: float) -> np.ndarray:
    array = np.array(values)
    array.setflags(write=False)
    return array


DEFAULT = _fixed(*_LEG, *_LEG, 0.0, 0.0, 0.0, *_ARMS)
"""The teacher's default pose."""

REST = DEFAULT[ARM].reshape(2, 7)
"""Its arms, (2, 7)."""

STAND = _fixed(0.0, 0.0, 0.757, 1.0, 0.0, 0.0, 0.0, *DEFAULT)
"""Initial `qpos` (36,): the pelvis upright above the origin, the feet on the ground."""

# Gains of the reference, by size of motor: at the hip pitch and yaw, at the hip roll and knee, at the ankle.
_A, _B, _C = (40.179238471, 2.557889765), (99.098427777, 6.308801854), (28.501246196, 1.814445687)
_LEG_GAINS = (_A, _B, _A, _B, _C, _C)
_WAIST_GAINS = (_A, _C, _C)
_ARM_GAINS = ((60.0, 3.0),) * 7
_TEACHER_ARM_GAINS = ((14.250623098, 0.907222843),) * 5 + ((16.778327481, 1.068141502),) * 2

_GAINS = (*_LEG_GAINS, *_LEG_GAINS, *_WAIST_GAINS, *_ARM_GAINS, *_ARM_GAINS)
KP, KD = (_fixed(*(pair[k] for pair in _GAINS)) for k in (0, 1))
"""Servo gains; those of the arms are chosen by measurement (section 8.2), the others are the teacher's."""

TEACHER_ARM_KP, TEACHER_ARM_KD = (_fixed(*(pair[k] for pair in _TEACHER_ARM_GAINS * 2)) for k in (0, 1))
"""What the teacher was trained with, (14,)."""

_LEG_RANGE = (
    (-2.5307, 2.8798),
    (-0.5236, 2.9671),
    (-2.7576, 2.7576),
    (-0.087267, 2.8798),
    (-0.87267, 0.5236),
    (-0.2618, 0.2618),
)
_WAIST_RANGE = ((-2.618, 2.618), (-0.52, 0.52), (-0.52, 0.52))
_ARM_RANGE = (
    (-3.0892, 2.6704),
    (-1.5882, 2.2515),
    (-2.618, 2.618),
    (-1.0472, 2.0944),
    (-1.97222, 1.97222),
    (-1.61443, 1.61443),
    (-1.61443, 1.61443),
)


def _mirrored(ranges: tuple[tuple[float, float], ...], names: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    """Ranges of the right side: rolls and yaws are reflected."""
    rows = zip(ranges, names, strict=True)
    return tuple((-high, -low) if name.endswith(("roll", "yaw")) else (low, high) for (low, high), name in rows)


_RANGES = (
    *_LEG_RANGE,
    *_mirrored(_LEG_RANGE, LEG_JOINTS),
    *_WAIST_RANGE,
    *_ARM_RANGE,
    *_mirrored(_ARM_RANGE, ARM_JOINTS),
)
LOWER, UPPER = (_fixed(*(pair[k] for pair in _RANGES)) for k in (0, 1))
"""Joint ranges."""

_LEG_FORCE, _WAIST_FORCE, _ARM_FORCE = (
    (88.0, 139.0, 88.0, 139.0, 50.0, 50.0),
    (88.0, 50.0, 50.0),
    (25.0,) * 5 + (5.0,) * 2,
)
FORCE = _fixed(*_LEG_FORCE, *_LEG_FORCE, *_WAIST_FORCE, *_ARM_FORCE, *_ARM_FORCE)
"""Force limits (N m)."""
