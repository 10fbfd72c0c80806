"""The meshes of a robot on a stage, for MuJoCo's OpenGL renderer.

They are given to the driver once, with the forms that all stages share, and laid over a scene frame by frame; a stage
is drawn without the solids that stand for them. Public: `Dress`, `of`.
"""

import functools
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from jaxphys_adapters import stage_meshes, stage_model, stage_robot
from jaxphys_adapters.stage_floor import rotation
from jaxphys_benchmarks.stage import CLEVR_CAMERA, Skin, Stage

SPECULAR, SHININESS = 0.25, 0.3
"""Of the surfaces: painted, neither matt nor metal."""


@dataclass(frozen=True, eq=False)
class _Wardrobe:
    """A robot's surfaces as a MuJoCo model that has the forms of every stage first.

    Attributes:
        model: holds the meshes. links: of the surfaces, in order. meshes: their numbers. rgb: (s, 3) their colours.
        centres: (s, 3) and turns: (s, 3, 3) of the meshes in the frames of their links.
    """

    model: Any
    links: tuple[str, ...]
    meshes: tuple[int, ...]
    rgb: np.ndarray
    centres: np.ndarray
    turns: np.ndarray


@dataclass(frozen=True, eq=False)
class Dress:
    """The surfaces of one stage.

    Attributes:
        name: of the robot. wardrobe: its surfaces. skin: where the links are.
        worn: pairs of a surface and its link, by index.
    """

    name: str
    wardrobe: _Wardrobe
    skin: Skin
    worn: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.worn)

    @property
    def model(self) -> Any:
        """The MuJoCo model whose meshes the driver is given."""
        return self.wardrobe.model

    def put_on(self, scene: Any, frame: int) -> None:
        """Add the surfaces to a scene of MuJoCo's, as they are in a frame."""
        own, turns = self.wardrobe, rotation(self.skin.quat[frame])
        for surface, link in self.worn:
            geom = scene.geoms[scene.ngeom]
            place = self.skin.pos[frame, link] + turns[link] @ own.centres[surface]
            turn = (turns[link] @ own.turns[surface]).ravel()
            mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_MESH, np.ones(3), place, turn, (*own.rgb[surface], 1.0))
            # A mesh and its hull have a number each on the driver's side.
            geom.dataid, geom.category = 2 * own.meshes[surface], mujoco.mjtCatBit.mjCAT_DYNAMIC
            geom.specular, geom.shininess, geom.emission = SPECULAR, SHININESS, 0.0
            scene.ngeom += 1


def of(stage: Stage) -> Dress | None:
    """The dress of a stage; None if it has no skin, or nothing here has its meshes."""
    skin = stage.skin
    own = None if skin is None else _wardrobe(skin.model)
    if skin is None or own is None:
        return None
    places = {link: k for k, link in enumerate(skin.links)}
    worn = tuple((k, places[link]) for k, link in enumerate(own.links) if link in places)
    return Dress(skin.model, own, skin, worn)


@functools.lru_cache
def _wardrobe(name: str) -> _Wardrobe | None:
    found = stage_robot.surfaces(name)
    if not found:
        return None
    model, _ = stage_model.build(_EMPTY, also={f"surface {k}": surface.mesh for k, surface in enumerate(found)})
    meshes = tuple(model.mesh(f"surface {k}").id for k in range(len(found)))
    frames = [stage_meshes.frame(model, mesh) for mesh in meshes]
    return _Wardrobe(
        model,
        tuple(surface.link for surface in found),
        meshes,
        np.array([surface.rgb for surface in found]),
        np.array([centre for centre, _ in frames]),
        np.array([turn for _, turn in frames]),
    )


_NONE = np.zeros((1, 0), int)
_EMPTY = Stage(16, 16, CLEVR_CAMERA, (), np.zeros(1), np.zeros((1, 0, 3)), np.zeros((1, 0, 4)), (), _NONE)
