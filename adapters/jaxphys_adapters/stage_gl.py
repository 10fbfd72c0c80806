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
from typing import Any

import mujoco
import numpy as np

from jaxphys_adapters import stage_floor, stage_model
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


class Window:
    """An off-screen window; it grows to the largest stage that was drawn in it."""

    def __init__(self, name: str, width_px: int, height_px: int) -> None:
        self._context = _context_type(name)(width_px, height_px)
        self._drawing: Any = None
        self._laid: dict[int, Pixels] = {}

    @contextmanager
    def _current(self) -> Iterator[None]:
        with self._context.as_current():
            yield

    def draw(self, stage: Stage) -> Pixels:
        """All frames of a stage, uint8 (f, h, w, 3)."""
        width, height = stage.width_px, stage.height_px
        model, data = stage_model.build(stage)
        scene, rect = mujoco.MjvScene(model, maxgeom=model.ngeom + 8), mujoco.MjrRect(0, 0, width, height)
        for flag in _OFF:
            scene.flags[flag] = False
        scene.flags[mujoco.mjtRndFlag.mjRND_SKYBOX] = stage_model.sees_horizon(stage)
        option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
        option.geomgroup[stage_model.BEYOND] = True
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
        frames: Pixels = np.empty((len(stage), height, width, 3), dtype=np.uint8)
        upside_down: Pixels = np.empty((height, width, 3), dtype=np.uint8)
        with self._current():
            drawing = self._prepared(model, width, height)
            for k, frame in enumerate(frames):
                stage_model.place(model, data, stage, k)
                self._lay(model, stage_floor.textures(stage, k))
                mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL.value, scene)
                mujoco.mjr_render(rect, scene, drawing)
                mujoco.mjr_readPixels(upside_down, None, rect, drawing)
                frame[:] = upside_down[::-1]
        return frames

    def _lay(self, model: Any, floors: tuple[Pixels, ...]) -> None:
        """Give the driver those textures of the floor that it does not have yet."""
        for number, pixels in zip(stage_model.FLOORS, floors, strict=True):
            if self._laid.get(number) is not pixels:
                stage_model.fill(model, number, pixels)
                mujoco.mjr_uploadTexture(model, self._drawing, number)
                self._laid[number] = pixels

    def _prepared(self, model: Any, width: int, height: int) -> Any:
        """What MuJoCo keeps on the driver's side, the same for all stages but for size and colours."""
        if self._drawing is None:
            self._drawing = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50.value)
            mujoco.mjr_setBuffer(_OFFSCREEN, self._drawing)
        if width > self._drawing.offWidth or height > self._drawing.offHeight:
            width, height = max(width, self._drawing.offWidth), max(height, self._drawing.offHeight)
            mujoco.mjr_resizeOffscreen(width, height, self._drawing)
            mujoco.mjr_setBuffer(_OFFSCREEN, self._drawing)
        mujoco.mjr_uploadTexture(model, self._drawing, stage_model.SKY)
        return self._drawing

    def close(self) -> None:
        """Free what the driver holds."""
        if self._drawing is not None:
            with self._current():
                self._drawing.free()
        self._drawing = None
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
