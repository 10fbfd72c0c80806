"""A small environment for tests, made once per process; without the extra, tests skip."""

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from jaxphys_benchmarks.reacthuman.env import EnvConfig, Environment
from tests.benchmarks.reacthuman.made_scenes import labelled
from tests.humanoid_support import robot

LANES = tuple(range(8))
CATCHES, DODGES = (0, 1, 2, 3), (4, 5, 6, 7)
"""Scenes of the small bank, and by what is right: a softball and a cricket ball, each at four speeds."""


@functools.cache
def environment(**options: Any) -> Environment:
    """Eight throws in event timing."""
    robot()
    scenes = labelled("thrown_object", 2, timing="event", lead="constant", lead_constant=0.9, visible_px=0)
    config = EnvConfig.model_validate({"seconds": 1.25, "threads": 2, **options})
    return Environment(config, specs=[spec for spec, _ in scenes], labels=[truth for _, truth in scenes])


@functools.cache
def stepping() -> Callable[..., Any]:
    """The compiled step of the small environment."""
    return jax.jit(environment().step)


def played(scenes: Any, action: Any, steps: int | None = None) -> list[Any]:
    """States of an episode in which the same action (10,) or (b, 10) is taken again and again."""
    env, state = environment(), environment().begin(np.asarray(scenes, np.int32))
    rows = np.broadcast_to(np.asarray(action, np.float32), (*np.shape(scenes), env.action_size))
    states = [state]
    for _ in range(env.episode_length if steps is None else steps):
        state = stepping()(state, rows)
        states.append(state)
    return states
