"""A small world for the predicates: a floor, a table, a bowl with walls, an apple, a plate, a cupboard with a door."""

from dataclasses import replace
from typing import Any

import numpy as np

from jaxphys_kernels.household.layout import BOX, CAPSULE, HINGE, NONE, SPHERE, Layout, Sensed

NAMES = ("floor", "table", "bowl", "apple", "plate", "cupboard", "rod")
FLOOR, TABLE, BOWL, APPLE, PLATE, CUPBOARD, ROD = range(len(NAMES))
HOME = np.array(
    [
        [0.0, 0.0, -0.05],
        [0.0, 0.0, 0.4],
        [0.0, 0.3, 0.8],
        [0.0, -0.3, 0.85],
        [0.0, 0.0, 0.81],
        [3.0, 0.0, 0.5],
        [-0.3, -0.3, 0.82],
    ]
)
"""Middles (m): the table's top is at 0.8, the apple's radius 0.05, the plate is 2 cm thick, the rod lies."""

_FORMS = (
    (FLOOR, BOX, (5.0, 5.0, 0.05), (0.0, 0.0, 0.0), NONE),
    (TABLE, BOX, (0.5, 0.5, 0.4), (0.0, 0.0, 0.0), NONE),
    # The bowl stands on its origin: a floor of 1 cm and four walls.
    (BOWL, BOX, (0.12, 0.12, 0.005), (0.0, 0.0, 0.005), NONE),
    (BOWL, BOX, (0.005, 0.12, 0.05), (-0.115, 0.0, 0.06), NONE),
    (BOWL, BOX, (0.005, 0.12, 0.05), (0.115, 0.0, 0.06), NONE),
    (BOWL, BOX, (0.12, 0.005, 0.05), (0.0, -0.115, 0.06), NONE),
    (BOWL, BOX, (0.12, 0.005, 0.05), (0.0, 0.115, 0.06), NONE),
    (APPLE, SPHERE, (0.05, 0.05, 0.05), (0.0, 0.0, 0.0), NONE),
    (PLATE, BOX, (0.1, 0.1, 0.01), (0.0, 0.0, 0.0), NONE),
    (CUPBOARD, BOX, (0.3, 0.3, 0.01), (0.0, 0.0, -0.49), NONE),
    (CUPBOARD, BOX, (0.3, 0.3, 0.01), (0.0, 0.0, 0.49), NONE),
    (CUPBOARD, BOX, (0.3, 0.01, 0.5), (0.0, -0.31, 0.0), 0),
    (ROD, CAPSULE, (0.02, 0.02, 0.1), (0.0, 0.0, 0.0), NONE),
)


def layout() -> Layout:
    """The world; particles of two systems, two of each."""
    thing, kind, half, pos, joint = (np.array(column) for column in zip(*_FORMS, strict=True))
    turn = np.tile(np.eye(3), (len(_FORMS), 1, 1))
    turn[-1] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    return Layout(
        category=np.array([0, 1, 2, 3, 4, 5, 3]),
        ground=np.arange(len(NAMES)) == FLOOR,
        roof=np.zeros(len(NAMES), bool),
        form_thing=thing,
        form_kind=kind,
        form_half=half,
        form_pos=pos,
        form_turn=turn,
        form_joint=joint,
        fill_thing=np.array([BOWL, CUPBOARD]),
        fill_pos=np.array([[0.0, 0.0, 0.06], [0.0, 0.0, 0.0]]),
        fill_half=np.array([[0.11, 0.11, 0.06], [0.29, 0.29, 0.48]]),
        fill_joint=np.array([NONE, NONE]),
        joint_thing=np.array([CUPBOARD]),
        joint_kind=np.array([HINGE]),
        joint_pos=np.array([[0.3, -0.3, 0.0]]),
        joint_axis=np.array([[0.0, 0.0, 1.0]]),
        joint_span=np.array([2.0]),
        particle_system=np.array([0, 0, 1, 1]),
        systems=2,
    )


def still(frames: int = 1) -> Sensed:
    """The world at rest: apple, plate, bowl and rod on the table, nothing held, the cupboard shut."""
    n = len(NAMES)
    touching = np.zeros((frames, n, n), bool)
    for a, b in ((FLOOR, TABLE), (TABLE, BOWL), (TABLE, APPLE), (TABLE, PLATE), (FLOOR, CUPBOARD), (TABLE, ROD)):
        touching[:, a, b] = touching[:, b, a] = True
    return Sensed(
        pos=np.tile(HOME, (frames, 1, 1)),
        quat=np.tile([1.0, 0.0, 0.0, 0.0], (frames, n, 1)),
        exists=np.ones((frames, n), bool),
        joint=np.zeros((frames, 1)),
        touching=touching,
        held=np.zeros((frames, 2, n), bool),
        gap=np.zeros((frames, 2, n)),
        particle=np.tile([9.0, 9.0, 9.0], (frames, 4, 1)),
        alive=np.zeros((frames, 4), bool),
        carrier=np.full((frames, 4), NONE),
        toggled=np.zeros((frames, n), bool),
        cooked=np.zeros((frames, n), bool),
    )


def moved(sensed: Sensed, thing: int, pos: Any, *touched: int) -> Sensed:
    """The same with a thing elsewhere, touching only what is said."""
    place, touching = sensed.pos.copy(), sensed.touching.copy()
    place[:, thing] = pos
    touching[:, thing] = touching[:, :, thing] = False
    for other in touched:
        touching[:, thing, other] = touching[:, other, thing] = True
    return replace(sensed, pos=place, touching=touching)
