"""Specs to arrays and back: where pydantic ends and the simulator begins.

Public functions: `lower` (specs to World and State), `simulate` (a rollout to each scene's t), `rules_of`,
`starts`, `arrange`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys import billiards
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec
from jaxphys_kernels.billiards.model import Rules, State, Trajectory, World

Floats = NDArray[np.float64]


def lower(specs: Sequence[BilliardSpec]) -> tuple[World, State]:
    """World and State of a batch of scenes, NumPy float64 leaves that lead with the scene axis.

    Raises:
        ValueError: no scenes, or scenes that differ in ball count, table, R, mass, friction or pockets.
    """
    first = shared(specs)
    return arrange(first, *starts(specs))


def starts(specs: Sequence[BilliardSpec]) -> tuple[Floats, Floats]:
    """(b, n, 2) start positions (m) and velocities (m/s) of scenes with the same number of balls."""
    pos = np.array([spec.positions for spec in specs], dtype=np.float64)
    vel = np.zeros_like(pos)
    vel[:, 0] = [spec.cue.vel for spec in specs]
    return pos, vel


def arrange(first: BilliardSpec, pos: Floats, vel: Floats) -> tuple[World, State]:
    """World and State of scenes with these (b, n, 2) starts, and table, balls, friction and pockets of one spec."""
    return billiards.make_scene(
        size=np.array([first.table.W, first.table.H]),
        radius=first.R,
        mass=first.mass,
        mu=first.mu,
        g=first.g,
        pos=pos,
        vel=vel,
        pockets=[(*hole.centre, hole.radius) for hole in first.pockets] or None,
    )


def simulate(specs: Sequence[BilliardSpec], *, backend: str = "auto", log: bool = True) -> tuple[World, Trajectory]:
    """The scenes run up to their t; a trajectory has one asked time. Errors as in `lower`."""
    world, state = lower(specs)
    times = np.array([[spec.t] for spec in specs])
    return world, billiards.rollout(world, state, times, rules=rules_of(specs), backend=backend, log=log)


def rules_of(specs: Sequence[BilliardSpec]) -> Rules:
    """Static numbers of the event loop, which the scenes of a batch share."""
    return Rules(**shared(specs).rules.model_dump())


def shared(specs: Sequence[BilliardSpec]) -> BilliardSpec:
    """The first scene, after a check that the others share its constants.

    Raises:
        ValueError: naming the first field and scene that differ.
    """
    if not specs:
        raise ValueError("specs: empty; give at least one scene")
    first = specs[0]
    for spec in specs:
        for name in ("n", "table", "R", "mass", "mu", "g", "pockets", "rules"):
            if getattr(spec, name) != getattr(first, name):
                raise ValueError(f"{name}: scene {spec.id} differs from {first.id}; simulate them in separate batches")
    return first
