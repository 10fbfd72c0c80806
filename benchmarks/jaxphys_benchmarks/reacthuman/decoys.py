"""Decoys: scenes in which nothing need be done, because the robot was moved away on purpose (section 8.4).

The robot keeps facing +Y and is moved, straight back or to a side, to where the hazard passes it at a wanted clearance:
to the first direction in which it stays inside the room, or straight back where there is none.

Public: `moved`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.nearest import COARSE, nearest
from jaxphys_benchmarks.reacthuman.placement import DECIMALS
from jaxphys_benchmarks.reacthuman.spec import Judging, Robot, Room
from jaxphys_benchmarks.reacthuman.tracking import Story

Floats = NDArray[np.float64]

HEADINGS_DEG = (0.0, 20.0, -20.0, 40.0, -40.0, 60.0, -60.0, 80.0, -80.0, 100.0, -100.0)
"""Directions in which the robot is moved, from straight back, positive towards +X, in order of preference."""

FARTHEST = 12.0
"""Longest way that it is moved (m)."""

HALVINGS = 15
"""Of that way: to within 0.4 mm."""

EVERY = 8
"""States that are looked at while searching: every so many; the clearance that counts is measured on all."""


def moved(
    story: Story, scene: int, bodies: Sequence[int], robot: Robot, clearance: float, room: Room, judging: Judging
) -> Robot:
    """The robot at a wanted clearance from what some bodies of one scene sweep.

    Args:
        story: holds the scene. scene: which. bodies: that count. robot: as placed. clearance: wanted (m). room: to stay
            in if possible. judging: measures of the robot.
    """
    angles = np.deg2rad(HEADINGS_DEG)
    heading = np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
    root = np.array([robot.x, robot.y])
    low, high = np.zeros(len(angles)), np.full(len(angles), FARTHEST)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        near = _clearance(story, scene, bodies, root + middle[:, None] * heading, judging) < clearance
        low, high = np.where(near, middle, low), np.where(near, high, middle)
    places = root + high[:, None] * heading
    half = np.array([room.width / 2, room.depth / 2]) - judging.robot_radius
    inside = (np.abs(places) <= half).all(axis=-1)
    reached = high < FARTHEST
    pick = int(np.argmax(inside & reached)) if np.any(inside & reached) else int(np.argmax(reached))
    x, y = (round(float(value), DECIMALS) + 0.0 for value in places[pick])
    return robot.model_copy(update={"x": x, "y": y})


def _clearance(story: Story, scene: int, bodies: Sequence[int], places: Floats, judging: Judging) -> Floats:
    """(k,) clearance of the scene to robots at k places (k, 2)."""
    span = (judging.robot_radius, judging.robot_height - judging.robot_radius)
    found = np.full(len(places), np.inf)
    for body in bodies:
        pos, quat = story.pos[scene, ::EVERY, body], story.quat[scene, ::EVERY, body]
        _, far = nearest(
            int(story.shape[scene, body]),
            np.repeat(story.size[scene, body][None], len(places), axis=0),
            np.repeat(pos[None], len(places), axis=0),
            np.repeat(quat[None], len(places), axis=0),
            places,
            span,
            COARSE,
        )
        found = np.minimum(found, far.min(axis=1) - judging.robot_radius)
    return found
