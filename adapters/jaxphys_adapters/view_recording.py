"""A replay as a recording of viser: what its client plays inside a page.

viser records what a server would send to a browser. The server here serves nobody: it lives on a free port of this
machine while the recording is made. Poses are recorded where they change. Needs the extra `jaxphys[view]`.

Public: `recorded`, `orbited`, `nearest`.
"""

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import trimesh
import viser
from PIL import ImageColor
from viser.infra import StateSerializer

from jaxphys_adapters.stage_floor import rotation
from jaxphys_adapters.view_meshes import Floats, facing, triangles
from jaxphys_adapters.view_poses import TOGETHER, poses
from jaxphys_adapters.view_skin import Links
from jaxphys_benchmarks.replay import Replay
from jaxphys_benchmarks.stage import Camera, Look, Solid, Stage

HOST = "127.0.0.1"
BELOW = 0.004
"""How far the floor lies below z = 0 (m), so that what lies on it is seen."""
AROUND = 3.0
"""How far the floor goes on beyond the scene, in units of how far the farthest camera is away."""
METAL = {"metallicFactor": 0.85, "roughnessFactor": 0.3}
NEAR, HEAD = 0.02, 0.4
"""How near things are seen (m), and the largest radius of a solid that a camera may be inside of (m)."""
UP = (0.0, 0.0, 1.0)


@contextlib.contextmanager
def recorded(replay: Replay) -> Iterator[StateSerializer]:
    """Record a replay; what is yielded gives the recording, as bytes or as a page, once. The server ends after it.

    Raises:
        OSError: no port can be had.
    """
    # viser tells on standard output where it serves, which is not what this is about.
    with contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=HOST, port=0, verbose=False)
    try:
        camera = orbited(replay.stage, next(iter(replay.cameras.values())))
        view = server.initial_camera
        view.position, view.look_at, view.up = camera.position, camera.target, UP
        view.fov, view.near = float(np.radians(camera.fov_deg)), nearest(replay.stage, camera)
        nodes = _Nodes(server.scene, replay)
        serializer = server.get_scene_serializer()
        for frame in range(1, len(replay.stage)):
            serializer.insert_sleep(1 / replay.stage.fps)
            nodes.show(frame)
        serializer.insert_sleep(1 / replay.stage.fps)
        yield serializer
    finally:
        with contextlib.redirect_stdout(io.StringIO()):
            server.stop()


def orbited(stage: Stage, camera: Camera) -> Camera:
    """The same view, turned about a point as far away as what moves, rather than about one just ahead of the camera."""
    eye, target = np.array(camera.position), np.array(camera.target)
    near = float(np.linalg.norm(target - eye))
    ahead = (target - eye) / near
    x, y, z = (eye + max(near, float((_middle(stage) - eye) @ ahead)) * ahead).tolist()
    return Camera(camera.position, (x, y, z), camera.fov_deg)


def nearest(stage: Stage, camera: Camera) -> float:
    """How near to a camera things are still seen (m): what it is inside of, as the head of a robot, is not.

    Inside is judged by the balls around the solids; walls and furniture are too large to count.
    """
    reach = np.linalg.norm([solid.half for solid in stage.solids], axis=-1)
    away = np.linalg.norm(stage.pos[0] - np.array(camera.position), axis=-1)
    holds = (away < reach) & (reach < HEAD)
    return max(NEAR, float((away + reach)[holds].max(initial=0.0)))


def _middle(stage: Stage) -> Floats:
    """(3,) the middle of where things move, or of everything where nothing does (m)."""
    moves = np.ptp(stage.pos, axis=0).max(axis=-1) > TOGETHER
    places = stage.pos[:, moves] if moves.any() else stage.pos
    middle: Floats = (places.min(axis=(0, 1)) + places.max(axis=(0, 1))) / 2
    return middle


class _Nodes:
    """The nodes of a scene: a frame of reference for every solid, and on it a surface for each look that it has."""

    def __init__(self, scene: viser.SceneApi, replay: Replay) -> None:
        self.scene, self.stage, self.around = scene, replay.stage, replay.around
        self.middle = _middle(replay.stage)
        self.skin = Links.of(scene, self.stage)
        if self.skin is not None:
            self.stage = self.stage.undressed()
        self.poses = poses(self.stage)
        scene.set_up_direction("+z")
        scene.world_axes.visible = False
        eyes = np.array([camera.position for camera in replay.cameras.values()])
        self._floor(AROUND * float(np.linalg.norm(eyes - self.middle, axis=-1).max()))
        self.frames: list[Any] = []
        self.skins: list[dict[int, Any]] = []
        for k, solid in enumerate(self.stage.solids):
            path = self._path(k)
            at = {"position": self.poses.pos[0, k], "wxyz": self.poses.quat[0, k]}
            self.frames.append(scene.add_frame(path, show_axes=False, **at))
            shown = int(self.stage.look[0, k])
            looks = np.unique(self.stage.look[:, k]).tolist()
            self.skins.append({look: self._skin(f"{path}/look {look}", k, look, look == shown) for look in looks})
            if solid.name in replay.tags:
                above = (0.0, 0.0, solid.half[2])
                scene.add_label(f"{path}/tag", replay.tags[solid.name], position=above, anchor="bottom-center")

    def show(self, frame: int) -> None:
        """Bring what has changed since the frame before to this one."""
        pos, quat, look, before = self.poses.pos, self.poses.quat, self.stage.look, frame - 1
        if self.skin is not None:
            self.skin.show(frame)
        for k in np.flatnonzero((pos[frame] != pos[before]).any(axis=-1)):
            self.frames[k].position = pos[frame, k]
        for k in np.flatnonzero((quat[frame] != quat[before]).any(axis=-1)):
            self.frames[k].wxyz = quat[frame, k]
        for k in np.flatnonzero(look[frame] != look[before]):
            self.skins[k][int(look[before, k])].visible = False
            self.skins[k][int(look[frame, k])].visible = True

    def _path(self, k: int) -> str:
        """Place of a node in the tree: below the body that it hangs on."""
        names = [f"/{j} {self.stage.solids[j].name.replace('/', ' ')}" for j in (self.poses.head[k], k)]
        return names[1] if self.poses.head[k] == k else "".join(names)

    def _floor(self, beyond: float) -> None:
        stage = self.stage
        sizes = np.array([max(solid.half) for solid in stage.solids])[:, None]
        low = np.minimum((stage.pos[..., :2] - sizes).min(axis=(0, 1)), 0.0) - beyond
        high = np.maximum((stage.pos[..., :2] + sizes).max(axis=(0, 1)), 0.0) + beyond
        (x, y), (wide, deep) = ((low + high) / 2).tolist(), (high - low).tolist()
        half, place = (wide / 2, deep / 2, 0.01), (x, y, -0.01 - BELOW)
        corners, faces = triangles(Solid("floor", "box", half))[0]
        self.scene.add_mesh_simple(
            "/floor", corners, faces, color=_rgb(stage.floor), scale=half, position=place, cast_shadow=False
        )

    def _skin(self, path: str, k: int, look: int, visible: bool) -> Any:
        """The surface of a solid in one of its looks."""
        solid, style = self.stage.solids[k], self.stage.looks[look]
        mesh, scale = triangles(solid)
        if solid.name in self.around:
            mesh = facing(mesh, scale, rotation(self.stage.quat[0, k]), self.stage.pos[0, k], self.middle)
        corners, faces = mesh
        seen: dict[str, Any] = {"cast_shadow": solid.casts, "visible": visible}
        if style.finish == "metal":
            return self.scene.add_mesh_trimesh(path, _metal(corners * scale, faces, style), **seen)
        return self.scene.add_mesh_simple(path, corners, faces, color=_rgb(style.colour), scale=scale, **seen)


def _metal(corners: Floats, faces: np.ndarray, look: Look) -> trimesh.Trimesh:
    """A surface that mirrors."""
    visual: Any = trimesh.visual
    material = visual.material.PBRMaterial(baseColorFactor=[*_rgb(look.colour), 255], **METAL)
    mesh = trimesh.Trimesh(corners, faces, process=False, visual=visual.TextureVisuals(material=material))
    # Asked for once, the normals are part of the file; without them its edges would be looked for anew.
    assert len(mesh.vertex_normals) == len(corners)
    return mesh


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue
