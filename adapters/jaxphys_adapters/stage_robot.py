"""Meshes of a stage's `Skin`: surfaces of a robot's links, read from the data package that its model comes with.

They are made for close looks and have 400 000 triangles; `thinned` keeps those that a film can show. Where MuJoCo,
the extra `humanoid` or the meshes are missing there are none, and solids stand for the robot. Public: `surfaces`,
`Surface`.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_adapters.stage_floor import rotation

CELL = 0.006
"""Side of the cubes in which corners become one, for pictures (m)."""
DARK = 0.35
"""Grey below which a surface is a joint or a sole."""
SHELL, JOINT = (0.80, 0.81, 0.83), (0.17, 0.18, 0.21)
"""Colours of the surfaces."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Surface:
    """A part of a robot's surface.

    Attributes:
        link: whose frame it is in.
        corners: (v, 3) m. normals: (v, 3). triangles: (t, 3) counter-clockwise as seen from outside.
        rgb: 0 to 1.
    """

    link: str
    corners: Floats
    normals: Floats
    triangles: Ints
    rgb: tuple[float, float, float]

    @property
    def mesh(self) -> tuple[Floats, Floats, Ints]:
        """Corners, normals and triangles."""
        return self.corners, self.normals, self.triangles


def surfaces(model: str, cell: float = CELL) -> tuple[Surface, ...]:
    """The surfaces of a robot, none where its meshes are not to be had, or of a robot that is not known.

    Args:
        model: `Skin.model`. cell: corners within a cube of this side become one (m).
    """
    return _read(SOURCES[model], cell) if model in SOURCES else ()


@functools.lru_cache
def _read(source: Callable[[], Path], cell: float) -> tuple[Surface, ...]:
    try:
        import mujoco

        model = mujoco.MjModel.from_xml_path(str(source()))
    except (ImportError, OSError, ValueError):
        return ()
    drawn = [k for k in range(model.ngeom) if model.geom_type[k] == mujoco.mjtGeom.mjGEOM_MESH]
    return tuple(_surface(model, k, cell) for k in drawn)


def _surface(model: Any, geom: int, cell: float) -> Surface:
    """A mesh of a model, in the frame of its body."""
    mesh = model.geom_dataid[geom]
    first, faces = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    turn = rotation(model.geom_quat[geom])
    rows = slice(first, first + faces)
    corners = model.mesh_vert[model.mesh_vertadr[mesh] + model.mesh_face[rows]] @ turn.T
    normals = model.mesh_normal[model.mesh_normaladr[mesh] + model.mesh_facenormal[rows]] @ turn.T
    colour = model.mat_rgba[model.geom_matid[geom]] if model.geom_matid[geom] >= 0 else model.geom_rgba[geom]
    found = thinned(corners + model.geom_pos[geom], normals, cell)
    return Surface(model.body(model.geom_bodyid[geom]).name, *found, JOINT if colour[:3].mean() < DARK else SHELL)


def thinned(corners: Floats, normals: Floats, cell: float) -> tuple[Floats, Floats, Ints]:
    """A surface with fewer triangles: corners that are close together become one at their middle.

    A corner keeps a normal for each direction of an axis that its normals lean to, so that edges stay sharp.

    Args:
        corners: (t, 3, 3) those of t triangles (m). normals: (t, 3, 3) at them. cell: side of a cube (m).

    Returns:
        (v, 3) corners, (v, 3) normals, (u, 3) triangles.
    """
    flat, leaning = corners.reshape(-1, 3), normals.reshape(-1, 3)
    grid = np.floor((flat - flat.min(axis=0)) / cell).astype(np.int64)
    _, cells = np.unique(_one_number(grid), return_inverse=True)
    axis = np.abs(leaning).argmax(axis=1)
    side = 2 * axis + (leaning[np.arange(len(leaning)), axis] < 0)
    keys, places = np.unique(6 * cells + side, return_inverse=True)
    middles = _means(flat, cells)[keys // 6]
    upright = _means(leaning, places)
    upright /= np.maximum(np.linalg.norm(upright, axis=1, keepdims=True), 1e-9)
    faces = places.reshape(-1, 3)
    whole = cells.reshape(-1, 3)
    kept = (whole[:, 0] != whole[:, 1]) & (whole[:, 1] != whole[:, 2]) & (whole[:, 2] != whole[:, 0])
    # Faces that became one are kept once, whichever corner they begin with.
    _, first = np.unique(_one_number(np.sort(whole[kept], axis=1)), return_index=True)
    return middles, upright, faces[kept][np.sort(first)]


def _one_number(rows: Ints) -> Ints:
    """(r,) a number for each of (r, 3) rows of numbers >= 0, equal for equal rows alone."""
    most = rows.max(initial=0) + 1
    numbers: Ints = (rows[:, 0] * most + rows[:, 1]) * most + rows[:, 2]
    return numbers


def _means(values: Floats, groups: Ints) -> Floats:
    """(g, 3) means of rows by group."""
    counts = np.bincount(groups)
    sums = np.stack([np.bincount(groups, weights=values[:, k]) for k in range(3)], axis=1)
    means: Floats = sums / counts[:, None]
    return means


def _g1() -> Path:
    from jaxphys.humanoid.robot import FILE, asset_folder

    return asset_folder() / FILE


SOURCES: Mapping[str, Callable[[], Path]] = {"g1": _g1}
"""File of the model with its meshes, by `Skin.model`."""
