"""The corners of prisms in compiled models, on both back ends.

The prisms of one signature are one mesh with other corners: the template holds the prism of size (0.1, 0.1, 0.2), and
since a prism is stretched along its axis and about it only, its faces, edges and normals stay what they are.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys_kernels.rigid import prism
from jaxphys_kernels.rigid.model import Shape, Signature

NOMINAL = (0.1, 0.1, 0.2)
"""Size of the bodies of a template: longer than wide, because the compiler sorts the axes of a mesh by inertia."""


def meshed(signature: Signature) -> tuple[int, ...]:
    """The bodies that are meshes, in the order of the meshes of the model."""
    return tuple(i for i, shape in enumerate(signature.shapes) if shape is Shape.PRISM)


def set_corners(model: Any, signature: Signature, size: np.ndarray) -> None:
    """Give the prisms of a `mujoco.MjModel`, a copy of the template, their sizes (n, 3)."""
    for mesh, i in enumerate(meshed(signature)):
        start = model.mesh_vertadr[mesh]
        model.mesh_vert[start : start + len(prism.UNIT)] = prism.UNIT * size[i]


def with_corners(model: Any, signature: Signature, size: jax.Array) -> Any:
    """An `mjx.Model` with the sizes (n, 3) of its prisms; for one scene, under `vmap` for many."""
    bodies = meshed(signature)
    if not bodies:
        return model
    convex = list(model._impl.mesh_convex)
    for mesh, i in enumerate(bodies):
        stretch = (size[i] / jnp.array(NOMINAL, size.dtype))[None]
        corners, faces = convex[mesh].vert * stretch, convex[mesh].face * stretch[None]
        convex[mesh] = convex[mesh].replace(vert=corners, face=faces)
    return model.replace(_impl=model._impl.replace(mesh_convex=tuple(convex)))
