"""Scenes drawn and simulated once for several tests, and paths made by hand that need no simulator."""

import functools
from typing import Any

import numpy as np

from jaxphys_benchmarks.reacthuman import measure, sample, simulate
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.lower import lower_scenes
from jaxphys_benchmarks.reacthuman.scene import Box, Scene, Thing
from jaxphys_benchmarks.reacthuman.simulate import Kind, Run
from jaxphys_benchmarks.reacthuman.spec import Judging, ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import Story, story

SEED = 11
CHEAP = (
    "object_drop",
    "ceiling_drop",
    "rolling_ball",
    "thrown_object",
    "bouncing_object",
    "door_swing",
    "pendulum_swing",
)
"""Families of one body whose scenes are simulated quickly."""


@functools.cache
def drawn(family: str, groups: int = 2, **options: Any) -> tuple[ReactHumanSpec, ...]:
    """All bands of the first groups of a family, group by group."""
    config = ReactHumanConfig(families=(family,), **options)
    made = sample.groups(config, SEED, [(family, group) for group in range(groups)])
    return tuple(spec for group in range(groups) for spec in made[family, group].specs.values())


@functools.cache
def labelled(family: str, groups: int = 2, **options: Any) -> tuple[tuple[ReactHumanSpec, Labels], ...]:
    """The same with their labels."""
    specs = drawn(family, groups, **options)
    config = ReactHumanConfig(families=(family,), **options)
    truths = measure.label(specs, simulate.simulate(specs, backend="c"), config.catalogue)
    return tuple(zip(specs, truths, strict=True))


def by_hand(
    pos: Any, *, family: str = "object_drop", radius: float = 0.05, dt: float = 0.1, judging: Judging | None = None
) -> Story:
    """b scenes of one ball above a table, moved along paths (b, t + 1, 3) that no simulator has seen.

    The ball touches the table box during steps that end with its centre above y = 0.
    """
    path = np.asarray(pos, dtype=np.float64)
    b, states = path.shape[:2]
    thing = Thing(name="object", object="red_apple", shape="sphere", size=(radius,) * 3, mass=0.2)
    scene = Scene(things=(thing,), boxes=(Box(name="table", pos=(0, 0.5, 0.4), half=(0.6, 0.5, 0.02)),))
    world, _ = lower_scenes([scene] * b)
    qpos, qvel = np.zeros((b, states, 1, 7)), np.zeros((b, states, 1, 6))
    qpos[..., 0, :3], qpos[..., 3] = path, 1.0
    qvel[:, 1:, 0, :3] = np.diff(path, axis=1) / dt
    qvel[:, 0] = qvel[:, 1]
    touching = np.zeros((b, states - 1, 2), np.bool_)
    touching[..., 1] = path[:, 1:, 1] > 0
    run = Run(
        kind=Kind(family, "repaired", "plane", judging or Judging()),
        places=np.arange(b),
        scenes=[scene] * b,
        world=world,
        backend="c",
        dt=dt,
        time=np.arange(states) * dt,
        qpos=qpos,
        qvel=qvel,
        touching=touching,
        first_touch=np.full((b, 2), np.inf),
        status=np.zeros(b, np.int64),
        drift=np.zeros(b),
    )
    return story(run)
