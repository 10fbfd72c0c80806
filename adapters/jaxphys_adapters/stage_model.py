"""A stage as a MuJoCo model: what both renderers draw.

The model has no dynamics: `build` makes the solids, the camera and the lights, and `place` puts the solids where they
are in a frame and gives them their looks. Lights cast no shadows; those are part of the floor (`stage_floor`). Rubber
is matt. Metal has strong highlights and a texture by height that stands for what it mirrors: the sky above, a dark
band at the horizon, the floor below.

Forms that MuJoCo has no geom for are meshes of size 1. OpenGL stretches them by a matrix that is no rotation, so that
all stages share them on the driver's side; a ray tracer needs them in their size, `baked`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import mujoco
import numpy as np
from PIL import ImageColor

from jaxphys_adapters import stage_floor, stage_meshes
from jaxphys_adapters.stage_floor import LEVEL, REACHES, TEXELS
from jaxphys_benchmarks.lighting import AMBIENT, LAMPS
from jaxphys_benchmarks.stage import Camera, Form, Stage, Vector

FLOORS = range(len(REACHES))
"""Textures, materials and geoms of the floor, by number, from near to far."""
MIRROR, SKY = len(FLOORS), len(FLOORS) + 1
"""Further textures."""
PLAIN = len(FLOORS)
"""Material and geom of what lies beyond."""
MATERIALS = {"rubber": PLAIN + 1, "metal": PLAIN + 2}
SOLIDS = slice(PLAIN + 1, None)
"""Geoms of the solids."""
NEAR, NEAR_RIDING = 0.1, 0.015
"""How far from a camera things begin to be seen (m): from one that rides on a body, that body's hands as well."""
STEP = 0.02
"""Between layers of the floor (m): the far ones lie lower and are hidden by the near ones."""
BEYOND, FAR = 3, 150.0
"""Group and half extent (m) of the plain floor beyond the texture; with it GL need not draw the background, which costs
a third of a frame."""
MIRRORED = ((0.0, 1.0), (0.35, 0.95), (0.65, 0.60), (1.0, 0.70))
"""Height from top to bottom of a metal solid, and brightness there."""
PALE = (0.5, 0.5, 0.5, 1.0)
"""MuJoCo draws a geom of this colour in the colour of its material; with this one both are the same."""


def _size(form: Form, half: Vector) -> tuple[float, float, float]:
    # MuJoCo's length of a capsule is that between its round ends, and must not be zero.
    straight = max(half[2] - half[0], 1e-6)
    sizes: dict[Form, Vector] = {
        "sphere": (half[0], 0.0, 0.0),
        "cylinder": (half[0], half[2], 0.0),
        "box": half,
        "capsule": (half[0], straight, 0.0),
        "ellipsoid": half,
    }
    return sizes[form]


_TYPES = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
}
UNTOUCHED = {"contype": 0, "conaffinity": 0}
"""Of all geoms: MuJoCo prepares meshes that touch nothing in less time."""


def axes(camera: Camera) -> np.ndarray:
    """(3, 3): columns are the camera's right, up and backward directions; up is close to the camera's, or to y."""
    back = np.subtract(camera.position, camera.target)
    back = back / np.linalg.norm(back)
    right = np.cross((0.0, 1.0, 0.0) if abs(back @ camera.up) > 1 - 1e-9 else camera.up, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back], axis=-1)


def sees_horizon(stage: Stage) -> bool:
    """Whether a corner of a picture looks past the plain floor."""
    aspect = stage.width_px / stage.height_px
    return any(_looks_past(camera, aspect) for camera in stage.cameras or (stage.camera,))


def _looks_past(camera: Camera, aspect: float) -> bool:
    tall = np.tan(np.radians(camera.fov_deg) / 2)
    wide = tall * aspect
    rays = axes(camera) @ np.array([[x, y, -1.0] for x in (-wide, wide) for y in (-tall, tall)]).T
    down = -rays[2] / np.hypot(*rays[:2])
    away = FAR - float(np.abs(camera.position[:2]).max())
    return bool((down * away < camera.position[2]).any())


def build(
    stage: Stage, *, baked: bool = False, also: Mapping[str, stage_meshes.Surface] = MappingProxyType({})
) -> tuple[Any, Any]:
    """MuJoCo model and data of a stage. Geoms `SOLIDS` are its solids in their order; there is one camera.

    Args:
        stage: what is drawn.
        baked: meshes have the sizes of their solids.
        also: further meshes by name, after those of the forms, that no solid is made of.
    """
    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = stage.width_px, stage.height_px
    spec.visual.quality.offsamples, spec.visual.quality.shadowsize = 4, 0
    spec.visual.quality.numslices, spec.visual.quality.numstacks, spec.visual.quality.numquads = 40, 20, 4
    spec.visual.headlight.active = 0
    near = NEAR_RIDING if stage.cameras else NEAR
    spec.stat.extent, spec.visual.map.znear, spec.visual.map.zfar = 1.0, near, 200.0
    _textures(spec, stage)
    for k in FLOORS:
        spec.add_material(name=f"floor {k}", rgba=PALE, specular=0.0, shininess=0.0).textures[_RGB] = f"floor {k}"
    spec.add_material(name="plain", rgba=PALE, specular=0.0, shininess=0.0)
    spec.add_material(name="rubber", rgba=PALE, specular=0.12, shininess=0.08)
    spec.add_material(name="metal", rgba=PALE, specular=1.0, shininess=0.35).textures[_RGB] = "mirror"
    world = spec.worldbody
    for k, lamp in enumerate(LAMPS):
        world.add_light(
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
            dir=[-v for v in lamp.unit],
            ambient=[AMBIENT * (k == 0)] * 3,
            diffuse=[lamp.diffuse] * 3,
            specular=[lamp.specular] * 3,
            castshadow=False,
        )
    if stage.bounce:
        up = {"type": mujoco.mjtLightType.mjLIGHT_DIRECTIONAL, "dir": [0.0, 0.0, 1.0], "castshadow": False}
        world.add_light(**up, ambient=[0.0] * 3, diffuse=[stage.bounce * AMBIENT] * 3, specular=[0.0] * 3)
    # Divided by the light on it, the floor has the colours of its textures.
    flat = {"type": mujoco.mjtGeom.mjGEOM_PLANE, **UNTOUCHED}
    for k, reach in enumerate(REACHES):
        bright = [1 / LEVEL] * 3 + [1.0]
        size = (reach, reach, 2 * reach)
        world.add_geom(**flat, size=size, pos=(0, 0, -k * STEP), rgba=bright, material=f"floor {k}")
    plain = [c / LEVEL for c in stage_floor.background(stage)] + [1.0]
    low, size = (0, 0, -PLAIN * STEP), (FAR, FAR, 2 * FAR)
    world.add_geom(**flat, size=size, pos=low, rgba=plain, material="plain", group=BEYOND)
    for form in stage_meshes.MESHES:
        stage_meshes.add(spec, form, form, (1.0, 1.0, 1.0))
    for name, surface in also.items():
        stage_meshes.add_surface(spec, name, surface)
    for k, solid in enumerate(stage.solids):
        if solid.form in _TYPES:
            size = _size(solid.form, solid.half)
            world.add_geom(type=_TYPES[solid.form], size=size, material="rubber", **UNTOUCHED)
            continue
        name = f"mesh {k}" if baked else solid.form
        if baked:
            stage_meshes.add(spec, name, solid.form, solid.half)
        world.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, material="rubber", **UNTOUCHED)
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, axes(stage.camera).ravel())
    world.add_camera(pos=stage.camera.position, quat=quat, fovy=stage.camera.fov_deg)
    model = spec.compile()
    fill(model, MIRROR, mirror())
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


_RGB = mujoco.mjtTextureRole.mjTEXROLE_RGB


def _textures(spec: Any, stage: Stage) -> None:
    """Floors, mirrored surroundings and background, in the order of their numbers; floors are filled per frame."""
    flat = mujoco.mjtBuiltin.mjBUILTIN_FLAT
    flat_2d = {"type": mujoco.mjtTexture.mjTEXTURE_2D, "builtin": flat}
    for k in FLOORS:
        spec.add_texture(name=f"floor {k}", width=TEXELS, height=TEXELS, **flat_2d)
    spec.add_texture(name="mirror", width=4, height=64, **flat_2d)
    colour = stage_floor.background(stage)
    skybox = mujoco.mjtTexture.mjTEXTURE_SKYBOX
    spec.add_texture(name="sky", width=4, height=24, type=skybox, builtin=flat, rgb1=colour, rgb2=colour)


def fill(model: Any, texture: int, pixels: np.ndarray) -> None:
    """Put (h, w, 3) uint8 pixels into a texture of the model."""
    first = model.tex_adr[texture]
    model.tex_data[first : first + pixels.size] = pixels.ravel()


def mirror() -> np.ndarray:
    """uint8 (64, 4, 3): what metal mirrors, by height."""
    heights, brightness = zip(*MIRRORED, strict=True)
    column = np.rint(255 * np.interp((np.arange(64) + 0.5) / 64, heights, brightness))
    return np.broadcast_to(column[:, None, None], (64, 4, 3)).astype(np.uint8)


def place(model: Any, data: Any, stage: Stage, frame: int, *, baked: bool = False) -> None:
    """Move the solids and the camera to where they are in a frame, and give the solids the looks they have there.

    Args:
        model, data: made of the stage. stage: what is drawn. frame: which. baked: see `build`.
    """
    if stage.cameras:
        data.cam_xpos[0], data.cam_xmat[0] = stage.cameras[frame].position, axes(stage.cameras[frame]).ravel()
    places = stage.pos[frame].copy()
    turns = stage_floor.rotation(stage.quat[frame])
    # A ball looks the same however it has rolled, and the surroundings that it mirrors do not roll with it.
    turns[[solid.form == "sphere" for solid in stage.solids]] = np.eye(3)
    for k, solid in enumerate(stage.solids):
        if solid.form in stage_meshes.MESHES:
            centre, own = stage_meshes.frame(model, model.geom_dataid[SOLIDS][k])
            stretched = turns[k] if baked else turns[k] * solid.half
            places[k] += stretched @ centre
            turns[k] = stretched @ own
    data.geom_xpos[SOLIDS] = places
    data.geom_xmat[SOLIDS] = turns.reshape(-1, 9)
    looks = [stage.looks[k] for k in stage.look[frame]]
    rgb = np.reshape([ImageColor.getrgb(look.colour)[:3] for look in looks], (-1, 3)) / 255
    model.geom_rgba[SOLIDS] = np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1)
    model.geom_matid[SOLIDS] = [MATERIALS[look.finish] for look in looks]
