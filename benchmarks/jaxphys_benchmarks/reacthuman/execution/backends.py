"""Lanes of the back end that an execution asks for: C MuJoCo on CPU, MuJoCo in JAX on accelerators."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys import rigid
from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.lanes import CLanes, Lanes
from jaxphys_benchmarks.reacthuman.execution.start import Hazard
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

Floats = NDArray[np.float64]


def lanes(
    specs: Sequence[ReactHumanSpec],
    hazards: Sequence[Hazard],
    targets: Sequence[int],
    qpos: Floats,
    qvel: Floats,
    config: ExecutionConfig,
) -> Lanes:
    """Lanes at the freeze; arguments as of `CLanes`."""
    if rigid.resolve_backend(config.backend) == "c":
        return CLanes(specs, hazards, targets, qpos, qvel, config)
    from jaxphys_benchmarks.reacthuman.execution.mjx_lanes import MjxLanes

    return MjxLanes(specs, hazards, targets, qpos, qvel, config)
