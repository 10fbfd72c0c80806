"""jaxphys: massively batched, differentiable physics in JAX.

    import jaxphys
    world, state = jaxphys.billiards.make_scene(pos=pos, vel=vel)
    trajectory = jaxphys.billiards.rollout(world, state, times=[5.0])

Names are loaded at first use: importing the package imports neither JAX nor Numba, so that an entry point can still
set up the process (`guard_against_hang`) and `jaxphys --help` answers at once.
"""

import importlib
from typing import TYPE_CHECKING, Any

from jaxphys.runtime import enable_compilation_cache, guard_against_hang, prepare_process
from jaxphys_kernels.status import Status, count_bits, describe

if TYPE_CHECKING:
    from jaxphys import billiards, grad, laws, planar, rigid
    from jaxphys.precision import x64
    from jaxphys.sweeps import sweep

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
    "laws",
    "planar",
    "prepare_process",
    "rigid",
    "sweep",
    "x64",
]

_LATER = {
    "billiards": ("jaxphys.billiards", None),
    "grad": ("jaxphys.grad", None),
    "laws": ("jaxphys.laws", None),
    "planar": ("jaxphys.planar", None),
    "rigid": ("jaxphys.rigid", None),
    "sweep": ("jaxphys.sweeps", "sweep"),
    "x64": ("jaxphys.precision", "x64"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'jaxphys' has no attribute {name!r}")
    module, attribute = _LATER[name]
    loaded = importlib.import_module(module)
    return loaded if attribute is None else getattr(loaded, attribute)
