"""Stages drawn by mujoco-warp's ray tracer on the CPU, for machines without OpenGL.

The same model, textures and lights as in `stage_gl`, so that both look alike; slower by an order of magnitude. What it
compiles is kept in warp's own cache. Pixels come packed as blue, green, red, alpha.
"""

import contextlib
import functools
import importlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jaxphys_adapters import stage_floor, stage_model
from jaxphys_adapters.frames import Pixels
from jaxphys_adapters.stage_meshes import MESHES
from jaxphys_benchmarks.stage import Camera, Form, Solid, Stage, Vector

SAMPLES = 2
"""Rays per pixel along either side, for smooth edges."""
Kind = tuple[Form, Vector]
"""What a tracer is made for: a form, and for meshes their half extents (m), else `UNIT`."""
UNIT: Vector = (1.0, 1.0, 1.0)
_lock = threading.RLock()


@contextlib.contextmanager
def _quietly(warp: Any) -> Iterator[None]:
    """Without warp's greetings on standard output; what it was set to is put back."""
    before = warp.config.log_level
    warp.config.log_level = warp.LOG_ERROR
    try:
        yield
    finally:
        warp.config.log_level = before


@dataclass(frozen=True)
class Tracer:
    """What is kept on the device for stages that differ in sizes, poses and colours only."""

    model: Any
    data: Any
    context: Any
    laid: dict[int, Pixels] = field(default_factory=dict)

    def frame(self, host: Any, data: Any, floors: tuple[Pixels, ...]) -> Pixels:
        """One frame, uint8 (h, w, 3), of a model on the host in which everything is in place."""
        import mujoco_warp as mjw
        import warp as wp

        model, there = self.model, self.data
        for name in ("geom_size", "geom_rgba", "geom_matid"):
            getattr(model, name).assign(getattr(host, name)[None])
        for name in ("geom_xpos", "cam_xpos"):
            getattr(there, name).assign(getattr(data, name)[None])
        for name in ("geom_xmat", "cam_xmat"):
            getattr(there, name).assign(getattr(data, name).reshape(1, -1, 3, 3))
        kept = self.context.textures_registry
        for number, floor in zip(stage_model.FLOORS, floors, strict=True):
            if self.laid.get(number) is not floor:
                opaque = np.concatenate([floor, np.full_like(floor[..., :1], 255)], axis=-1)
                kept[number] = wp.Texture2D(opaque, filter_mode=wp.TextureFilterMode.LINEAR)
                self.laid[number] = floor
        self.context.textures = wp.array(kept, dtype=wp.Texture2D)
        mjw.refit_bvh(model, there, self.context)
        mjw.render(model, there, self.context)
        packed = self.context.rgb_data.numpy().view(np.uint8)
        pixels: Pixels = packed.reshape(*self.context.cam_res.numpy()[0][::-1], 4)[..., 2::-1]
        return pixels


@functools.lru_cache(maxsize=16)
def _tracer(
    kinds: tuple[Kind, ...], width_px: int, height_px: int, fov_deg: float, floor: str, bounce: float
) -> Tracer:
    """A tracer for stages with solids of these kinds; all else is put in frame by frame."""
    import mujoco_warp as mjw

    n = len(kinds)
    pattern = Stage(
        width_px=width_px,
        height_px=height_px,
        camera=Camera((0.0, -1.0, 1.0), (0.0, 0.0, 0.0), fov_deg),
        solids=tuple(Solid(f"{k}", *kind) for k, kind in enumerate(kinds)),
        times=np.zeros(1),
        pos=np.zeros((1, n, 3)),
        quat=np.tile((1.0, 0.0, 0.0, 0.0), (1, n, 1)),
        looks=(),
        look=np.zeros((1, n), int),
        floor=floor,
        bounce=bounce,
    )
    host, data = stage_model.build(pattern, baked=True)
    context = mjw.create_render_context(
        host,
        cam_res=(width_px, height_px),
        render_rgb=True,
        render_depth=False,
        render_seg=False,
        background_color=(*stage_floor.background(pattern), 1.0),
        samples_per_pixel=SAMPLES,
    )
    return Tracer(mjw.put_model(host), mjw.put_data(host, data), context)


def missing() -> str | None:
    """Why stages cannot be drawn with warp, or None."""
    for package in ("warp", "mujoco_warp"):
        try:
            importlib.import_module(package)
        except (ImportError, OSError) as error:
            return f"{error}; pip install '.[rigid]' in the checkout"
    return None


def render(stage: Stage) -> Pixels:
    """All frames of a stage, uint8 (f, h, w, 3)."""
    import warp as wp

    kinds = tuple((solid.form, solid.half if solid.form in MESHES else UNIT) for solid in stage.solids)
    with _lock, _quietly(wp), wp.ScopedDevice("cpu"):
        tracer = _tracer(kinds, stage.width_px, stage.height_px, stage.camera.fov_deg, stage.floor, stage.bounce)
        host, data = stage_model.build(stage, baked=True)
        frames: Pixels = np.empty((len(stage), stage.height_px, stage.width_px, 3), dtype=np.uint8)
        for k in range(len(stage)):
            stage_model.place(host, data, stage, k, baked=True)
            frames[k] = tracer.frame(host, data, stage_floor.textures(stage, k))
    return frames
