"""Steps the model of a house until everything rests."""

from typing import Any

import mujoco
import numpy as np

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.model import Built, build, touching

SUBSTEPS = 8


def settled(house: House, frames: int = 30) -> tuple[Built, Any, np.ndarray]:
    """The model after some graph frames, its data, and which things touch."""
    built = build(house, World())
    data = mujoco.MjData(built.model)
    touch = None
    for _ in range(frames):
        for _ in range(SUBSTEPS):
            mujoco.mj_step(built.model, data)
        touch = touching(built, data, touch)
    assert touch is not None
    return built, data, touch
