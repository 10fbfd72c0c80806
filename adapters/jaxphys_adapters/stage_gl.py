"""Stages drawn by MuJoCo's OpenGL renderer, without a display: EGL, or OSMesa where that is installed.

A driver may take the process down with it, so `platform` first tries each one in a process of its own. The context is
made once, is current only while a stage is drawn, and gives way to whatever context the calling thread had; one stage
is drawn at a time. The environment is left as it was.
"""

import atexit
import functools
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from jaxphys_adapters import stage_dress, stage_floor, stage_model
from jaxphys_adapters.frames import Pixels
from jaxphys_benchmarks.stage import CLEVR_CAMERA, Stage

PLATFORMS = ("egl", "osmesa")
"""In the order in which they are tried."""
MISSING = "no OpenGL driver works here; `apt install libegl1 libgl1-mesa-dri` or `apt install libosmesa6` gives one"
TRIAL_S = 60.0
_TRIAL = "from jaxphys_adapters import stage_gl; stage_gl.attempt({!r})"
_VARIABLE = "PYOPENGL_PLATFORM"
_OFFSCREEN = mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value
_OFF = (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION, mujoco.mjtRndFlag.mjRND_HAZE)
_lock = threading.RLock()


@functools.lru_cache(maxsize=1)
def platform() -> str | None:
    """The first of `PLATFORMS` that works, tried in processes of their own; None if none does."""
    for name in PLATFORMS:
        environment = {k: v for k, v in os.environ.items() if k not in (_VARIABLE, "MUJOCO_GL")}
        # The trial finds this package where this process does.
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        command = [sys.executable, "-c", _TRIAL.format(name)]
        try:
            tried = subprocess.run(command, env=environment, capture_output=True, timeout=TRIAL_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if tried.returncode == 0:
            return name
    return None


def _context_type(name: str) -> Any:
    """MuJoCo's context class of a platform; importing it sets a variable, which is put back."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = name
    try:
        return importlib.import_module(f"mujoco.{name}").GLContext
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


@dataclass
class _Kept:
    """What the driver holds: a context of MuJoCo's with its meshes, and which floors it has been given."""

    drawing: Any
    laid: dict[int, Pixels] = field(default_factory=dict)


class Window:
    """An off-screen window; it grows to the largest stage that was drawn in it."""

    def __init__(self, name: str, width_px: int, height_px: int) -> None:
        self._context = _context_type(name)(width_px, height_px)
        # Bound to the platform that the context has just chosen.
        self._gl: Any = importlib.import_module("OpenGL.GL")
        self._kept: dict[str, _Kept] = {}

    @contextmanager
    def _current(self) -> Iterator[None]:
        with self._context.as_current():
            yield

    def draw(self, stage: Stage) -> Pixels:
        """All frames of a stage, uint8 (f, h, w, 3)."""
        width, height = stage.width_px, stage.height_px
        dress = stage_dress.of(stage)
        bare = stage if dress is None else stage.undressed()
        model, data = stage_model.build(bare)
        geoms = model.ngeom + (0 if dress is None else len(dress))
        scene, rect = mujoco.MjvScene(model, maxgeom=geoms + 8), mujoco.MjrRect(0, 0, width, height)
        for flag in _OFF:
            scene.flags[flag] = False
        scene.flags[mujoco.mjtRndFlag.mjRND_SKYBOX] = stage_model.sees_horizon(stage)
        option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
        option.geomgroup[stage_model.BEYOND] = True
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
        frames: Pixels = np.empty((len(stage), height, width, 3), dtype=np.uint8)
        upside_down: Pixels = np.empty((height, width, 3), dtype=np.uint8)
        with self._current():
            kept = self._prepared(model, dress, width, height)
            for k, frame in enumerate(frames):
                stage_model.place(model, data, bare, k)
                # The solids that the dress replaces still throw their shadows.
                self._lay(kept, stage_floor.textures(stage, k))
                mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL.value, scene)
                if dress is not None:
                    dress.put_on(scene, k)
                mujoco.mjr_render(rect, scene, kept.drawing)
                mujoco.mjr_readPixels(upside_down, None, rect, kept.drawing)
                frame[:] = upside_down[::-1]
        return frames

    def _lay(self, kept: _Kept, floors: tuple[Pixels, ...]) -> None:
        """Give the driver those textures of the floor that it does not have yet.

        Straight to the driver and without smaller copies for what is far away: making those anew for every frame takes
        a tenth of its time, and the floor has no detail that they would keep from flickering.
        """
        gl = self._gl
        for number, pixels in zip(stage_model.FLOORS, floors, strict=True):
            if kept.laid.get(number) is pixels:
                continue
            gl.glBindTexture(gl.GL_TEXTURE_2D, int(kept.drawing.texture[number]))
            if number not in kept.laid:
                gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_GENERATE_MIPMAP, gl.GL_FALSE)
                gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR)
            size = (stage_floor.TEXELS, stage_floor.TEXELS)
            gl.glTexSubImage2D(gl.GL_TEXTURE_2D, 0, 0, 0, *size, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, pixels)
            kept.laid[number] = pixels

    def _prepared(self, model: Any, dress: stage_dress.Dress | None, width: int, height: int) -> _Kept:
        """What MuJoCo keeps on the driver's side, the same for all stages in one dress but for size and colours."""
        name = "" if dress is None else dress.name
        kept = self._kept.get(name)
        if kept is None:
            held = model if dress is None else dress.model
            kept = self._kept[name] = _Kept(mujoco.MjrContext(held, mujoco.mjtFontScale.mjFONTSCALE_50.value))
        drawing = kept.drawing
        mujoco.mjr_setBuffer(_OFFSCREEN, drawing)
        if width > drawing.offWidth or height > drawing.offHeight:
            width, height = max(width, drawing.offWidth), max(height, drawing.offHeight)
            mujoco.mjr_resizeOffscreen(width, height, drawing)
            mujoco.mjr_setBuffer(_OFFSCREEN, drawing)
        mujoco.mjr_uploadTexture(model, drawing, stage_model.SKY)
        return kept

    def close(self) -> None:
        """Free what the driver holds."""
        if self._kept:
            with self._current():
                for kept in self._kept.values():
                    kept.drawing.free()
        self._kept = {}
        self._context.free()


def attempt(name: str) -> None:
    """Draw a little with a platform; whatever goes wrong is an error, or the end of the process."""
    window = Window(name, 16, 16)
    none = np.zeros((1, 0), dtype=int)
    empty = Stage(16, 16, CLEVR_CAMERA, (), np.zeros(1), np.zeros((1, 0, 3)), np.zeros((1, 0, 4)), (), none)
    if not window.draw(empty).any():
        raise OSError(f"{name} draws nothing")
    window.close()


@functools.lru_cache(maxsize=1)
def _window(name: str) -> Window:
    window = Window(name, 16, 16)
    # The driver must still be there when its memory is freed.
    atexit.register(window.close)
    return window


def missing() -> str | None:
    """Why stages cannot be drawn with OpenGL and what to install, or None."""
    return MISSING if platform() is None else None


def render(stage: Stage) -> Pixels:
    """All frames of a stage, uint8 (f, h, w, 3).

    Raises:
        OSError: no driver works here.
    """
    name = platform()
    if name is None:
        raise OSError(MISSING)
    with _lock:
        return _window(name).draw(stage)
