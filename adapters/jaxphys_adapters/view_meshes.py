"""Forms of a stage as triangles, within ±1 along every axis, for the viewer; a solid is one of them, scaled.

A capsule is not the same shape when it is scaled, so it is made for its own proportions. Corners are shared only where
a surface is smooth, which keeps edges sharp. Needs the extra `jaxphys[view]`.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

from jaxphys_adapters.stage_meshes import MESHES
from jaxphys_benchmarks.stage import Form, Solid, Vector

SIDES = 48
"""Of what is round."""
SMOOTH = np.radians(30.0)
"""Faces that meet at a smaller angle are parts of one smooth surface."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Triangles = tuple[Floats, Ints]
"""Corners (v, 3) and faces (t, 3), counter-clockwise as seen from outside."""


def triangles(solid: Solid) -> tuple[Triangles, Vector]:
    """The form of a solid, and by how much it is to be scaled along each axis to become that solid."""
    if solid.form == "capsule":
        radius, _, half = solid.half
        return _capsule(round(max(half / radius, 1.0), 6)), (radius,) * 3
    return _form(solid.form), solid.half


@functools.lru_cache(maxsize=256)
def _capsule(half: float) -> Triangles:
    """A capsule of radius 1 about z, its round ends within ±half."""
    mesh = trimesh.creation.capsule(height=2 * (half - 1), radius=1.0, count=[SIDES // 2, SIDES // 2])
    middle = mesh.bounds.mean(axis=0)
    return np.asarray(mesh.vertices - middle, np.float64), np.asarray(mesh.faces, np.int64)


@functools.lru_cache(maxsize=16)
def _form(form: Form) -> Triangles:
    if form in MESHES:
        own = MESHES[form]()
        mesh = trimesh.Trimesh(np.array(own.corners), np.array(own.triangles), process=False)
        mesh.merge_vertices()
    else:
        mesh = _PRIMITIVES[form]()
    smooth = trimesh.graph.smooth_shade(mesh, angle=SMOOTH)
    return np.asarray(smooth.vertices, np.float64), np.asarray(smooth.faces, np.int64)


def _ball() -> Any:
    return trimesh.creation.icosphere(subdivisions=3)


_PRIMITIVES: dict[Form, Callable[[], Any]] = {
    "sphere": _ball,
    "ellipsoid": _ball,
    "box": lambda: trimesh.creation.box(extents=(2.0, 2.0, 2.0)),
    "cylinder": lambda: trimesh.creation.cylinder(radius=1.0, height=2.0, sections=SIDES),
}


def facing(mesh: Triangles, scale: Vector, turn: Floats, place: Floats, middle: Floats) -> Triangles:
    """Those faces of a solid that look towards a point, which are seen from there and not from beyond.

    Args:
        mesh: its form. scale: as `triangles` gives it. turn: (3, 3) its axes, as columns. place: (3,) its centre (m).
        middle: (3,) the point (m).
    """
    corners, faces = mesh
    world = (corners * scale) @ turn.T + place
    first, second, third = (world[faces[:, k]] for k in range(3))
    normal = np.cross(second - first, third - first)
    return corners, faces[np.einsum("ij,ij->i", normal, middle - first) > 0]
