"""Stages become pixels: `render(stage)`, by whichever renderer works here.

`auto` takes MuJoCo's OpenGL renderer where a driver works, else mujoco-warp's ray tracer, which needs no driver. The
argument, or the environment variable JAXPHYS_RENDERER, names one of `RENDERERS` instead. Equal stages give equal
pixels on one renderer, whatever was drawn before and from whichever thread; two renderers differ by rounding and
edges. Rendering needs the extra `jaxphys[rigid]`.
"""

import functools
import importlib
import os
from typing import Any

import numpy as np

from jaxphys_adapters.frames import MAX_PIXELS, Pixels
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.stage import Stage

VARIABLE = "JAXPHYS_RENDERER"
AUTO = "auto"
RENDERERS = {"gl": "jaxphys_adapters.stage_gl", "warp": "jaxphys_adapters.stage_warp"}
"""Module by name, in the order in which `auto` tries them. Each has `missing()`, the reason why it does not work here
or None, and `render(stage)`."""


class NoRendererError(OSError):
    """Nothing here can draw a stage; the text says what to install."""


def render(stage: Stage, renderer: str | None = None) -> Pixels:
    """Draw all frames of a stage.

    Args:
        stage: what to draw.
        renderer: one of `RENDERERS` or "auto"; None asks the environment variable, then "auto".

    Returns:
        uint8 (f, h, w, 3), sRGB.

    Raises:
        ValueError: an unknown renderer, or a size, pose or look that cannot be drawn.
        NoRendererError: the renderer, or each of them, is not installed.
    """
    _check(stage)
    draw = _module(choose(renderer)).render
    # What has come to rest is drawn once.
    fresh = np.array([not k or _moved(stage, k) for k in range(len(stage))])
    drawn: Pixels = draw(stage.only(fresh))
    return drawn if fresh.all() else drawn[np.cumsum(fresh) - 1]


def _moved(stage: Stage, frame: int) -> bool:
    """Whether a frame differs from the one before."""
    parts = [stage.pos, stage.quat, stage.look]
    if stage.skin is not None:
        parts += [stage.skin.pos, stage.skin.quat]
    return stage.seen_from(frame) != stage.seen_from(frame - 1) or any((a[frame] != a[frame - 1]).any() for a in parts)


def choose(renderer: str | None = None) -> str:
    """Name of the renderer that `render` uses.

    Raises:
        ValueError: an unknown name.
        NoRendererError: it, or each of them, is not installed.
    """
    asked = renderer or os.environ.get(VARIABLE) or AUTO
    if asked not in (AUTO, *RENDERERS):
        source = "renderer" if renderer else VARIABLE
        raise ValueError(f"{source}: {asked!r} is unknown; choose from {', '.join((AUTO, *RENDERERS))}")
    reasons: list[str] = []
    for name in RENDERERS if asked == AUTO else (asked,):
        reason = missing(name)
        if reason is None:
            if reasons:
                _tell(f"3-D pictures are drawn by {name}, many times slower, because {'; '.join(reasons)}")
            return name
        reasons.append(f"{name}: {reason}")
    raise NoRendererError("no renderer for 3-D pictures: " + "; ".join(reasons))


@functools.lru_cache
def _tell(text: str) -> None:
    """Say something once."""
    say(text)


def missing(name: str) -> str | None:
    """Why a renderer does not work here and what to install, or None if it does."""
    try:
        reason: str | None = _module(name).missing()
    except ImportError as error:
        return f"{error}; pip install '.[rigid]' in the checkout"
    return reason


@functools.lru_cache
def _module(name: str) -> Any:
    return importlib.import_module(RENDERERS[name])


def _check(stage: Stage) -> None:
    if min(stage.width_px, stage.height_px) < 1 or stage.width_px * stage.height_px > MAX_PIXELS:
        raise ValueError(f"stage: {stage.width_px} x {stage.height_px} px; give 1 to {MAX_PIXELS} pixels")
    skin = () if stage.skin is None else (("skin.pos", stage.skin.pos), ("skin.quat", stage.skin.quat))
    for name, values in (("pos", stage.pos), ("quat", stage.quat), *skin):
        good = np.isfinite(values)
        if not good.all():
            raise ValueError(f"stage: {name} of frame {np.argwhere(~good)[0][0]} is not finite")
    if stage.look.size and not 0 <= stage.look.min() <= stage.look.max() < len(stage.looks):
        raise ValueError(f"stage: look has numbers outside 0 to {len(stage.looks) - 1}, of which there are looks")
    for solid in stage.solids:
        if not all(0 < half < np.inf for half in solid.half):
            raise ValueError(f"stage: half of {solid.name} is {solid.half}; give three lengths > 0")
    if not np.linalg.norm(stage.quat, axis=-1).all():
        raise ValueError("stage: quat is zero; give an orientation, for example (1, 0, 0, 0)")
