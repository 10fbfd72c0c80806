"""The robot as others see it: a standing humanoid of `ROBOT_HEIGHT`, facing +y, its forearms ahead (assumed)."""

from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.reacthuman.blocks import Block, Piece, block
from jaxphys_benchmarks.reacthuman.cameras import ROBOT_HEIGHT
from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import ALONG_X, ALONG_Y, FLIPPED, Shape
from jaxphys_benchmarks.stage import Solid

SHELL, JOINT, VISOR, LIGHT = "#e9ecef", "#2f343b", "#12151a", "#39c6f0"
NAME = "robot"


KEPT = 256
"""Places whose figures are remembered: all views of a group have the same."""


@lru_cache(maxsize=KEPT)
def figure(root: Vector) -> Block:
    """The robot's solids over the place of its root (m)."""
    pieces: list[Piece] = []
    for part in _shape().components:
        solid = Solid(f"{NAME} {part.name}".rstrip(), part.form, part.half, part.casts, of=NAME)
        x, y, z = part.pos
        pieces.append((solid, part.look, np.array([[root[0] + x, root[1] + y, z]]), np.array([part.quat])))
    return block(pieces)


@lru_cache(maxsize=1)
def _shape() -> Shape:
    """The standing robot over the origin."""
    shape = Shape(SHELL)
    _trunk(shape)
    for side in (-1.0, 1.0):
        _leg(shape, side)
        _arm(shape, side)
    return shape


def _trunk(shape: Shape) -> None:
    shape.add("ellipsoid", (0.085, 0.1, 0.1), (0, 0.01, ROBOT_HEIGHT - 0.1))
    shape.detail("ellipsoid", (0.072, 0.06, 0.06), (0, 0.06, ROBOT_HEIGHT - 0.1), VISOR)
    shape.detail("cylinder", (0.012, 0.012, 0.005), (0, 0.12, ROBOT_HEIGHT - 0.1), LIGHT, ALONG_Y)
    shape.detail("cylinder", (0.045, 0.045, 0.05), (0, 0, 1.1), JOINT)
    shape.add("ellipsoid", (0.17, 0.11, 0.17), (0, 0, 0.97))
    shape.detail("taper", (0.135, 0.1, 0.12), (0, 0, 0.84), "", FLIPPED)
    shape.detail("cylinder", (0.04, 0.04, 0.01), (0, 0.105, 0.99), LIGHT, ALONG_Y)
    shape.detail("cylinder", (0.075, 0.075, 0.04), (0, 0, 0.75), JOINT)
    shape.add("ellipsoid", (0.14, 0.095, 0.09), (0, 0, 0.7))


def _leg(shape: Shape, side: float) -> None:
    x = 0.1 * side
    shape.detail("sphere", (0.065,) * 3, (x, 0, 0.66), JOINT)
    shape.rod((x, 0, 0.64), (x, 0.01, 0.42), 0.06, casts=True)
    shape.detail("cylinder", (0.052, 0.052, 0.055), (x, 0.01, 0.37), JOINT, ALONG_X)
    shape.rod((x, 0.0, 0.34), (x, -0.01, 0.13), 0.048, casts=True)
    shape.detail("sphere", (0.036,) * 3, (x, -0.01, 0.07), JOINT)
    shape.add("box", (0.045, 0.11, 0.025), (x, 0.035, 0.025), JOINT)
    shape.detail("ellipsoid", (0.05, 0.1, 0.04), (x, 0.03, 0.045))


def _arm(shape: Shape, side: float) -> None:
    x = 0.21 * side
    shape.add("sphere", (0.062,) * 3, (x, 0, 1.05), JOINT)
    shape.rod((x, 0, 1.02), (1.08 * x, -0.02, 0.86), 0.043)
    shape.detail("sphere", (0.042,) * 3, (1.08 * x, -0.02, 0.82), JOINT)
    shape.rod((1.08 * x, 0.01, 0.82), (x, 0.17, 0.85), 0.036, casts=True)
    shape.detail("sphere", (0.03,) * 3, (x, 0.21, 0.86), JOINT)
    shape.add("box", (0.016, 0.045, 0.04), (x, 0.26, 0.87), JOINT)
    shape.rod((x - 0.03 * side, 0.25, 0.9), (x - 0.05 * side, 0.29, 0.9), 0.012, JOINT)
