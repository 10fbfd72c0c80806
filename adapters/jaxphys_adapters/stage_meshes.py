"""Meshes of the forms of a stage that MuJoCo has no geom for: taper, wedge and tube, each within ±1 along every axis.

Corners are not shared between faces that meet at an edge, so that edges look sharp and round sides smooth. The texture
of a mesh runs from its top to its bottom, as on MuJoCo's own forms. MuJoCo moves a mesh to its centre of mass and turns
it to its principal axes; `frame` says how, so that it can be undone.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from jaxphys_benchmarks.stage import TAPER, TUBE, Form, Vector

SIDES = 48
"""Of what is round."""

Array = np.ndarray
Surface = tuple[Array, Array, Array]
"""Corners (v, 3) m, normals (v, 3), triangles (t, 3) counter-clockwise as seen from outside."""


@dataclass
class Mesh:
    """Corners (v, 3), their normals (v, 3), and triangles (t, 3) counter-clockwise as seen from outside."""

    corners: list[Array] = field(default_factory=list)
    normals: list[Array] = field(default_factory=list)
    triangles: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, corners: list[Array], normals: list[Array]) -> None:
        """A face of three or four corners, counter-clockwise."""
        first = len(self.corners)
        self.corners += corners
        self.normals += normals
        self.triangles += [(first, first + k, first + k + 1) for k in range(1, len(corners) - 1)]


def _flat(mesh: Mesh, *corners: Vector) -> None:
    points = [np.array(corner, float) for corner in corners]
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    mesh.add(points, [normal / np.linalg.norm(normal)] * len(points))


def _ring(height: float, radius: float) -> list[Vector]:
    around = 2 * np.pi * np.arange(SIDES + 1) / SIDES
    return [(radius * float(np.cos(a)), radius * float(np.sin(a)), height) for a in around]


def _side(mesh: Mesh, low: list[Vector], high: list[Vector], outward: float) -> None:
    """A round wall between two rings around z; its normals lean as the wall does."""
    rise = high[0][2] - low[0][2]
    fall = (low[0][0] - high[0][0]) / rise

    def normal(corner: Vector) -> Array:
        level = np.array([corner[0], corner[1], 0.0])
        leaning = level / np.linalg.norm(level) + (0.0, 0.0, fall)
        upright: Array = outward * leaning / np.linalg.norm(leaning)
        return upright

    for k in range(SIDES):
        corners = [low[k], low[k + 1], high[k + 1], high[k]]
        if outward < 0:
            corners.reverse()
        mesh.add([np.array(corner) for corner in corners], [normal(corner) for corner in corners])


def _cap(mesh: Mesh, outer: list[Vector], inner: list[Vector] | None, up: float) -> None:
    """A level face, whole or with a hole."""
    z = outer[0][2]
    for k in range(SIDES):
        corners = [outer[k], outer[k + 1], (0.0, 0.0, z)] if inner is None else [
            outer[k], outer[k + 1], inner[k + 1], inner[k],
        ]  # fmt: skip
        if up < 0:
            corners.reverse()
        _flat(mesh, *corners)


def _taper() -> Mesh:
    mesh, low, high = Mesh(), _ring(-1.0, 1.0), _ring(1.0, TAPER)
    _side(mesh, low, high, 1.0)
    _cap(mesh, high, None, 1.0)
    _cap(mesh, low, None, -1.0)
    return mesh


def _tube() -> Mesh:
    mesh = Mesh()
    _side(mesh, _ring(-1.0, 1.0), _ring(1.0, 1.0), 1.0)
    _side(mesh, _ring(-1.0, TUBE), _ring(1.0, TUBE), -1.0)
    for z in (1.0, -1.0):
        _cap(mesh, _ring(z, 1.0), _ring(z, TUBE), z)
    return mesh


def _wedge() -> Mesh:
    mesh = Mesh()
    _flat(mesh, (-1, -1, -1), (-1, 1, -1), (1, 1, -1), (1, -1, -1))
    _flat(mesh, (-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1))
    _flat(mesh, (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, -1))
    _flat(mesh, (1, -1, -1), (1, 1, -1), (1, -1, 1))
    _flat(mesh, (-1, -1, -1), (-1, -1, 1), (-1, 1, -1))
    return mesh


MESHES: dict[Form, Callable[[], Mesh]] = {"taper": _taper, "wedge": _wedge, "tube": _tube}
"""By form."""


@functools.lru_cache(maxsize=len(MESHES))
def arrays(form: Form) -> tuple[Array, Array, Array, Array]:
    """A mesh of size 1: corners (v, 3), normals (v, 3), texture coordinates (v, 2), triangles (t, 3)."""
    mesh = MESHES[form]()
    corners, normals = np.array(mesh.corners), np.array(mesh.normals)
    texture = np.stack([np.full(len(corners), 0.5), (1 - corners[:, 2]) / 2], axis=1)
    return corners, normals, texture, np.array(mesh.triangles)


def add(spec: Any, name: str, form: Form, half: Vector) -> None:
    """Add the mesh of a form to a MuJoCo specification, with these half extents (m)."""
    corners, normals, texture, triangles = arrays(form)
    leaning = normals / half
    leaning /= np.linalg.norm(leaning, axis=1, keepdims=True)
    spec.add_mesh(
        name=name,
        uservert=(corners * half).ravel(),
        usernormal=leaning.ravel(),
        usertexcoord=texture.ravel(),
        userface=triangles.ravel(),
        userfacenormal=triangles.ravel(),
        userfacetexcoord=triangles.ravel(),
    )


def add_surface(spec: Any, name: str, surface: Surface) -> None:
    """Add triangles to a MuJoCo specification, whether or not they enclose anything."""
    corners, normals, triangles = surface
    spec.add_mesh(
        name=name,
        uservert=corners.ravel(),
        usernormal=normals.ravel(),
        userface=triangles.ravel(),
        userfacenormal=triangles.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )


def frame(model: Any, mesh: int) -> tuple[Array, Array]:
    """Where MuJoCo has put a mesh: (3,) its centre and (3, 3) its axes, in the axes in which it was given."""
    axes = np.empty(9)
    mujoco.mju_quat2Mat(axes, model.mesh_quat[mesh])
    return model.mesh_pos[mesh].copy(), axes.reshape(3, 3)
