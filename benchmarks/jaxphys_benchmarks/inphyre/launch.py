"""Launches that reach a wanted speed at a wanted time: the closed forms of free motion, inverted (section 3.1).

A slider loses mu g of its speed per second. A sphere that starts without spin does so until it rolls, at 5/7 of its
launch speed and after 2/7 of it over mu g; then it loses mu_roll g. A sphere that starts rolling only does the latter.
Elementwise over arrays; SI units.

Public functions: `launched`, `run_out`.
"""

import numpy as np

from jaxphys_benchmarks.inphyre.numbers import Bools, Floats

ROLLED = 5 / 7
"""Share of its launch speed that a sphere keeps when it begins to roll."""


def launched(
    speed: Floats, time: Floats, slide: Floats, roll: Floats, *, slips: Bools, rolls: Bools
) -> tuple[Floats, Floats]:
    """Speed at launch (m/s) and way (m) of bodies that have a given speed at a given time.

    Args:
        speed: wanted (m/s), 0 for a body at rest. time: when (s).
        slide, roll: decelerations mu g and mu_roll g (m/s²).
        slips: spheres that start without spin. rolls: spheres that start rolling; all others are sliders.
    """
    moving = speed > 0
    brake = np.where(rolls, roll, slide)
    steady = speed + brake * time
    steady_way = speed * time + 0.5 * brake * time**2
    # A sphere still slides at `time` if that is before 2 v0 / (7 mu g), with v0 = speed + mu g time.
    late = slips & (7 * slide * time > 2 * steady)
    grip = np.where(late, slide, 1.0)
    v0 = np.where(late, (speed + roll * time) / (ROLLED + 2 * roll / (7 * grip)), steady)
    until = np.where(late, 2 * v0 / (7 * grip), 0.0)
    rolling = time - until
    late_way = 0.5 * (1 + ROLLED) * v0 * until + speed * rolling + 0.5 * roll * rolling**2
    return np.where(moving, v0, 0.0), np.where(moving, np.where(late, late_way, steady_way), 0.0)


def run_out(speed: Floats, slide: Floats, roll: Floats, *, spheres: Bools) -> Floats:
    """Way (m) that a body goes on if nothing stops it but friction; inf for a sphere that rolls for ever.

    A sphere counts as rolling at 5/7 of its speed, which is the least that it comes to.
    """
    brake = np.where(spheres, roll, slide)
    speed = np.where(spheres, ROLLED * speed, speed)
    return np.where(brake > 0, speed**2 / (2 * np.where(brake > 0, brake, 1.0)), np.inf)
