"""How many pixels of a stage's frames show some of its solids, without drawing anything.

Rays are cast through the pixels that the solids can be seen in, against the exact forms of all solids and the floor.
Where these pixels are more than `SAMPLES`, as many rays are spread evenly over them (a golden-ratio lattice, which
misses no thin strip however it lies), and the number is an estimate. Public: `visible_px`, and for who counts the same
solids many times `forms`, `counts`; `axes_of` a camera; `SAMPLES`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.stage import TAPER, TUBE, Camera, Form, Solid, Stage

SAMPLES = 4096
"""Most rays of a frame: an estimate is then within about 2 % of the pixels."""

RATIOS: Mapping[Form, float] = {"taper": TAPER, "tube": TUBE}
"""Of a taper its width at the top, of a tube that of its bore, over the whole width."""

NEAR = 0.1
"""Surfaces nearer than this are not drawn (m): the near plane of both renderers."""


@dataclass(frozen=True, eq=False)
class Forms:
    """Solids without their places.

    Attributes:
        number: (n,) int64, of `visible_rays`. half: (n, 3) half extents (m). ratio: (n,) of `RATIOS`.
    """

    number: np.ndarray
    half: np.ndarray
    ratio: np.ndarray


def visible_px(stage: Stage, solids: Sequence[int], samples: int = SAMPLES) -> np.ndarray:
    """Pixels of each frame in which the nearest surface is that of one of some solids.

    Args:
        stage: what is seen. solids: indices into its solids.
        samples: most rays of a frame.

    Returns:
        (f,) int64.

    Raises:
        ValueError: an index that the stage does not have, or no sample.
    """
    f, n = stage.look.shape
    if samples < 1:
        raise ValueError(f"samples: {samples}; give at least 1")
    if any(not 0 <= k < n for k in solids):
        raise ValueError(f"solids: {list(solids)}; give numbers from 0 to {n - 1}")
    counted = np.zeros(n, np.bool_)
    counted[list(solids)] = True
    cameras = stage.cameras or (stage.camera,) * f
    return counts(
        forms(stage.solids), counted, stage.pos, stage.quat, cameras, (stage.width_px, stage.height_px), samples
    )


def forms(solids: Sequence[Solid]) -> Forms:
    """The forms of solids, for `counts`."""
    # The compiler takes longer to import than all that need no pixels.
    from jaxphys_benchmarks import visible_rays as rays

    numbers: dict[Form, int] = {
        "sphere": rays.SPHERE,
        "ellipsoid": rays.SPHERE,
        "box": rays.BOX,
        "cylinder": rays.CYLINDER,
        "capsule": rays.CAPSULE,
        "taper": rays.TAPER,
        "wedge": rays.WEDGE,
        "tube": rays.TUBE,
    }
    return Forms(
        np.array([numbers[solid.form] for solid in solids], np.int64),
        np.array([solid.half for solid in solids], np.float64).reshape(-1, 3),
        np.array([RATIOS.get(solid.form, 0.0) for solid in solids], np.float64),
    )


def counts(
    shown: Forms,
    counted: np.ndarray,
    pos: np.ndarray,
    quat: np.ndarray,
    cameras: Sequence[Camera],
    size_px: tuple[int, int],
    samples: int = SAMPLES,
) -> np.ndarray:
    """Pixels of each frame in which the nearest surface is that of a counted solid.

    Args:
        shown: the n solids of the frames.
        counted: (n,) bool, whose surfaces count.
        pos: (f, n, 3) m. quat: (f, n, 4).
        cameras: f of them.
        size_px: width and height of a frame.
        samples: most rays of a frame.

    Returns:
        (f,) int64.
    """
    from jaxphys_benchmarks import visible_bounds, visible_rays

    f, n = pos.shape[:2]
    found = np.zeros(f, np.int64)
    if not counted.any():
        return found
    width, height = size_px
    lens = np.array([width / 2, height / 2, 0.5 * height / np.tan(np.radians(cameras[0].fov_deg) / 2)])
    eye = np.array([camera.position for camera in cameras], np.float64)
    turned = np.array([axes_of(camera) for camera in cameras])
    local, bounds = np.empty((f, n, visible_bounds.PLACED)), np.empty((f, n, visible_bounds.BOUNDS))
    pos, quat = np.ascontiguousarray(pos, np.float64), np.ascontiguousarray(quat, np.float64)
    visible_bounds.bound(shown.half, pos, quat, eye, turned, lens, NEAR, local, bounds)
    visible_rays.count(
        shown.number,
        shown.half,
        shown.ratio,
        counted,
        local,
        bounds,
        np.concatenate([turned[:, 2], eye[:, 2:]], axis=1),
        lens,
        np.array(size_px, np.int64),
        NEAR,
        samples,
        np.empty((visible_rays.ROWS, visible_rays.BLOCK)),
        np.empty(n, np.int64),
        np.empty(visible_rays.BLOCK, np.int64),
        found,
    )
    return found


@lru_cache(maxsize=64)
def axes_of(camera: Camera) -> np.ndarray:
    """(3, 3): columns are right, down and forward in the picture; up is as close to the camera's as can be, or to y."""
    forward = np.subtract(camera.target, camera.position)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 1.0, 0.0) if abs(forward @ camera.up) > 1 - 1e-9 else camera.up)
    right /= np.linalg.norm(right)
    return np.ascontiguousarray(np.stack([right, np.cross(forward, right), forward], axis=-1))
