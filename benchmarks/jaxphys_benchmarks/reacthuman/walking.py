"""How far the robot gets when it is told to walk: it needs a while to start, and is slower than it is told to be.

Measured by `execution.walks` on the controller from a robot that stands, hands at rest, with 3 s of each command (m).
Between the measured commands and times the table is interpolated; commands are (forward, left) m/s. The robot first
steps with the foot of the side that it walks to. Public: `displaced`, `forward_for`.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TIMES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.2, 1.5, 2.0, 3.0)
"""Times since the command (s) of the rows of the tables."""

Command = tuple[float, float]
"""Forward and left (m/s)."""
Rows = tuple[tuple[float, ...], tuple[float, ...]]
"""How far forward and how far to the left at `TIMES` (m)."""

WALKED: Mapping[Command, Rows] = {
    (1.0, 0.0): (
        (0.00, 0.02, 0.04, 0.08, 0.13, 0.20, 0.29, 0.38, 0.46, 0.71, 0.95, 1.38, 2.17),
        (0.00, 0.03, 0.04, 0.04, 0.03, 0.01, -0.02, -0.04, -0.04, 0.01, 0.02, -0.01, -0.01),
    ),
    (0.7, 0.0): (
        (0.00, 0.02, 0.04, 0.07, 0.11, 0.18, 0.26, 0.34, 0.41, 0.63, 0.84, 1.19, 1.88),
        (0.00, 0.02, 0.04, 0.03, 0.02, 0.00, -0.04, -0.06, -0.05, 0.00, 0.01, -0.04, -0.03),
    ),
    (0.5, 0.0): (
        (0.00, 0.03, 0.04, 0.07, 0.11, 0.17, 0.25, 0.32, 0.37, 0.54, 0.68, 0.93, 1.43),
        (0.00, 0.02, 0.03, 0.03, 0.02, 0.00, -0.04, -0.05, -0.05, 0.00, 0.01, -0.04, -0.04),
    ),
    (0.3, 0.0): (
        (0.00, 0.03, 0.04, 0.07, 0.09, 0.14, 0.19, 0.23, 0.26, 0.35, 0.42, 0.56, 0.86),
        (0.00, 0.02, 0.03, 0.02, 0.01, -0.01, -0.05, -0.06, -0.06, 0.00, 0.01, -0.05, -0.04),
    ),
    (-1.0, 0.0): (
        (0.00, 0.02, 0.00, -0.03, -0.06, -0.10, -0.15, -0.20, -0.27, -0.53, -0.90, -1.50, -2.52),
        (0.00, 0.01, 0.00, -0.02, -0.05, -0.11, -0.17, -0.19, -0.18, -0.11, -0.14, 0.00, 0.17),
    ),
    (-0.7, 0.0): (
        (0.00, 0.02, 0.00, -0.04, -0.08, -0.14, -0.20, -0.26, -0.33, -0.59, -0.91, -1.29, -1.91),
        (0.00, 0.01, 0.01, 0.01, -0.01, -0.05, -0.09, -0.12, -0.11, -0.04, -0.10, 0.07, 0.01),
    ),
    (-0.5, 0.0): (
        (0.00, 0.02, -0.01, -0.04, -0.09, -0.14, -0.21, -0.27, -0.34, -0.57, -0.80, -1.03, -1.55),
        (0.00, 0.01, 0.01, 0.01, 0.00, -0.02, -0.06, -0.08, -0.08, -0.01, -0.06, 0.00, 0.04),
    ),
    (0.0, 0.6): (
        (0.00, 0.02, 0.01, 0.00, -0.01, -0.02, -0.04, -0.05, -0.06, -0.12, -0.14, -0.15, -0.21),
        (0.00, 0.01, 0.04, 0.10, 0.17, 0.28, 0.36, 0.40, 0.42, 0.43, 0.50, 0.75, 1.06),
    ),
    (0.0, -0.6): (
        (0.00, 0.02, 0.01, 0.00, -0.02, -0.03, -0.04, -0.06, -0.07, -0.12, -0.14, -0.15, -0.20),
        (0.00, 0.00, -0.02, -0.06, -0.12, -0.21, -0.30, -0.34, -0.36, -0.36, -0.44, -0.68, -0.97),
    ),
    (-1.0, 0.6): (
        (0.00, 0.03, 0.02, 0.02, 0.01, 0.01, -0.01, -0.06, -0.11, -0.37, -0.73, -1.35, -2.34),
        (0.00, 0.01, 0.04, 0.09, 0.17, 0.27, 0.36, 0.39, 0.42, 0.48, 0.67, 0.81, 1.05),
    ),
    (-1.0, -0.6): (
        (0.00, 0.03, 0.02, 0.00, -0.02, -0.04, -0.07, -0.11, -0.16, -0.39, -0.72, -1.34, -2.39),
        (0.00, 0.01, 0.00, -0.03, -0.08, -0.15, -0.24, -0.29, -0.32, -0.38, -0.54, -0.60, -0.91),
    ),
    (-1.0, 0.3): (
        (0.00, 0.02, 0.01, -0.02, -0.04, -0.08, -0.12, -0.18, -0.24, -0.53, -0.94, -1.59, -2.60),
        (0.00, 0.00, 0.01, 0.04, 0.08, 0.15, 0.23, 0.27, 0.29, 0.30, 0.42, 0.43, 0.48),
    ),
    (-0.5, 0.6): (
        (0.00, 0.03, 0.02, 0.01, 0.00, -0.02, -0.04, -0.07, -0.11, -0.29, -0.58, -0.85, -1.32),
        (0.00, 0.01, 0.04, 0.08, 0.15, 0.26, 0.34, 0.38, 0.41, 0.42, 0.60, 0.59, 0.81),
    ),
    (-0.5, -0.6): (
        (0.00, 0.02, 0.01, 0.00, -0.03, -0.05, -0.08, -0.11, -0.15, -0.32, -0.57, -0.89, -1.28),
        (0.00, 0.01, 0.00, -0.03, -0.08, -0.15, -0.24, -0.28, -0.31, -0.33, -0.50, -0.46, -0.71),
    ),
    (1.0, 0.3): (
        (0.00, 0.01, 0.02, 0.05, 0.08, 0.13, 0.19, 0.25, 0.31, 0.55, 0.76, 1.13, 1.87),
        (0.00, -0.01, 0.01, 0.04, 0.08, 0.15, 0.23, 0.26, 0.27, 0.26, 0.33, 0.50, 0.71),
    ),
}
"""By command, how far forward and how far to the left (m)."""

AHEAD = (-1.0, -0.7, -0.5, 0.0, 0.3, 0.5, 0.7, 1.0)
"""Measured commands straight ahead and back (m/s), rising."""


def displaced(command: Command, times: Floats) -> Floats:
    """Where the robot is after it has been told to walk for a time.

    Args:
        command: (forward, left) m/s; beyond what was measured the robot gets no further.
        times: (t,) s since then.

    Returns:
        (t, 2) forward and left of where it stood (m).
    """
    if command in WALKED:
        ahead, left = (np.interp(times, TIMES, row) for row in WALKED[command])
        return np.stack([ahead, left], axis=-1)
    forward, side = command
    straight = np.stack([np.interp(times, TIMES, WALKED[vx, 0.0][0]) if vx else 0 * times for vx in AHEAD])
    along = np.array([np.interp(forward, AHEAD, column) for column in straight.T])
    aside = WALKED[0.0, 0.6 if side > 0 else -0.6]
    across = min(abs(side) / 0.6, 1.0) * np.interp(times, TIMES, aside[1])
    return np.stack([along, across], axis=-1)


def forward_for(distance: float, time: float) -> float:
    """The command ahead (m/s) that takes the robot a distance (m) forward in a time (s), or as near as it can."""
    speeds = np.array([speed for speed in AHEAD if speed >= 0])
    reached = [displaced((speed, 0.0), np.array([time]))[0, 0] for speed in speeds.tolist()]
    return float(np.interp(distance, np.maximum.accumulate(reached), speeds))
