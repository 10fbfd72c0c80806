"""jaxphys: massively batched, differentiable physics in JAX.

import jaxphys
trajectory = jaxphys.billiards.rollout(*jaxphys.billiards.make_scene(pos=pos, vel=vel), times=[5.0])
"""

from jaxphys import billiards, grad
from jaxphys.precision import x64
from jaxphys.runtime import enable_compilation_cache, guard_against_hang
from jaxphys.sweep import sweep
from jaxphys_kernels.status import Status, count_bits, describe

__version__ = "0.1.0"

__all__ = [
    "Status",
    "__version__",
    "billiards",
    "count_bits",
    "describe",
    "enable_compilation_cache",
    "grad",
    "guard_against_hang",
    "sweep",
    "x64",
]
