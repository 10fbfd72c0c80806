"""The meshes of a robot in a recording of viser: a frame of reference for every link, and on it its surfaces.

Coarser than in pictures, so that the page stays small. Public: `Links`.
"""

from typing import Any

import numpy as np

from jaxphys_adapters import stage_robot
from jaxphys_adapters.view_poses import DIGITS
from jaxphys_benchmarks.stage import Skin, Stage

CELL = 0.011
"""Side of the cubes in which corners become one (m)."""


class Links:
    """Nodes of a scene that show a robot's links."""

    def __init__(self, scene: Any, skin: Skin, found: tuple[stage_robot.Surface, ...]) -> None:
        lengths = np.linalg.norm(skin.quat, axis=-1, keepdims=True)
        self._pos, self._quat = np.round(skin.pos, DIGITS) + 0.0, np.round(skin.quat / lengths, DIGITS) + 0.0
        self._frames: dict[int, Any] = {}
        places = {link: k for k, link in enumerate(skin.links)}
        for number, surface in enumerate(found):
            if surface.link not in places:
                continue
            k = places[surface.link]
            path = f"/link {surface.link}"
            if k not in self._frames:
                at = {"position": self._pos[0, k], "wxyz": self._quat[0, k]}
                self._frames[k] = scene.add_frame(path, show_axes=False, **at)
            colour = tuple(round(255 * part) for part in surface.rgb)
            corners = surface.corners.astype(np.float32)
            scene.add_mesh_simple(f"{path}/surface {number}", corners, surface.triangles, color=colour)

    @classmethod
    def of(cls, scene: Any, stage: Stage) -> "Links | None":
        """The links of a stage in their first frame; None if it has no skin, or nothing here has its meshes."""
        found = () if stage.skin is None else stage_robot.surfaces(stage.skin.model, CELL)
        return None if stage.skin is None or not found else cls(scene, stage.skin, found)

    def show(self, frame: int) -> None:
        """Bring what has changed since the frame before to this one."""
        for k, node in self._frames.items():
            if (self._pos[frame, k] != self._pos[frame - 1, k]).any():
                node.position = self._pos[frame, k]
            if (self._quat[frame, k] != self._quat[frame - 1, k]).any():
                node.wxyz = self._quat[frame, k]
