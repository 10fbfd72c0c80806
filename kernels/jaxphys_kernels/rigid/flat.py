"""Between the states of bodies, the same length for all, and MuJoCo's flat qpos and qvel."""

from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys_kernels.rigid.model import Joint, Signature

WIDTHS = {Joint.FREE: (7, 6), Joint.HINGE: (1, 1)}
"""Numbers of a body in MuJoCo's qpos and qvel."""


def _of(array: Any) -> ModuleType:
    return jnp if isinstance(array, jax.Array) else np


def flatten(signature: Signature, qpos: Any, qvel: Any) -> tuple[Any, Any]:
    """MuJoCo's qpos (..., nq) and qvel (..., nv) from those of the bodies (..., n, 7), (..., n, 6)."""
    space = _of(qpos)
    widths = [WIDTHS[joint] for joint in signature.joints]
    return (
        space.concatenate([qpos[..., i, :p] for i, (p, _) in enumerate(widths)], axis=-1),
        space.concatenate([qvel[..., i, :v] for i, (_, v) in enumerate(widths)], axis=-1),
    )


def unflatten(signature: Signature, qpos: Any, qvel: Any) -> tuple[Any, Any]:
    """States of the bodies (..., n, 7), (..., n, 6) from MuJoCo's qpos (..., nq) and qvel (..., nv)."""
    space = _of(qpos)

    def rows(flat: Any, column: int, width: int) -> Any:
        parts, start = [], 0
        for joint in signature.joints:
            own = WIDTHS[joint][column]
            part = flat[..., start : start + own]
            missing = space.zeros((*part.shape[:-1], width - own), part.dtype)
            parts.append(space.concatenate([part, missing], axis=-1))
            start += own
        return space.stack(parts, axis=-2)

    return rows(qpos, 0, 7), rows(qvel, 1, 6)
