"""Which body every pixel of a stage's frames shows, without drawing anything: pixels and bounding box of each.

One ray is cast through the middle of every pixel, against the exact forms of all solids and the floor. Public:
`seen_bodies`, `ROW`.
"""

from collections.abc import Sequence

import numpy as np

from jaxphys_benchmarks import visible_bounds
from jaxphys_benchmarks.stage import Stage
from jaxphys_benchmarks.visible import NEAR, axes_of, forms

ROW = ("pixels", "xmin", "ymin", "xmax", "ymax")
"""Numbers of a body in a frame (px); corners are those of the outermost pixels, and -1 where it is not seen."""

NOBODY = -1

NEAR_RIDING = 0.015
"""As `visible.NEAR`, for a camera that rides on a body: both renderers draw that body's hands."""


def seen_bodies(stage: Stage, bodies: Sequence[str]) -> np.ndarray:
    """How much of each body is seen, and where.

    Args:
        stage: f frames. bodies: b names of `Solid.of`; other solids hide what is behind them.

    Returns:
        (f, b, 5) int64, see `ROW`.
    """
    from jaxphys_benchmarks import visible_bodies_compiled as compiled
    from jaxphys_benchmarks import visible_rays as rays

    shown, (f, n) = forms(stage.solids), stage.look.shape
    place = {name: k for k, name in enumerate(bodies)}
    of = np.array([place.get(solid.of, NOBODY) for solid in stage.solids], np.int64)
    cameras = stage.cameras or (stage.camera,) * f
    width, height = stage.width_px, stage.height_px
    near = NEAR_RIDING if stage.cameras else NEAR
    lens = np.array([width / 2, height / 2, 0.5 * height / np.tan(np.radians(cameras[0].fov_deg) / 2)])
    eye = np.array([camera.position for camera in cameras], np.float64)
    turned = np.array([axes_of(camera) for camera in cameras])
    local, bounds = np.empty((f, n, visible_bounds.PLACED)), np.empty((f, n, visible_bounds.BOUNDS))
    pos, quat = (np.ascontiguousarray(array, np.float64) for array in (stage.pos, stage.quat))
    visible_bounds.bound(shown.half, pos, quat, eye, turned, lens, near, local, bounds)
    found = np.zeros((f, len(bodies), len(ROW)), np.int64)
    compiled.identify(
        shown.number,
        shown.half,
        shown.ratio,
        of,
        local,
        bounds,
        np.concatenate([turned[:, 2], eye[:, 2:]], axis=1),
        lens,
        np.array([width, height], np.int64),
        near,
        np.empty((rays.ROWS, rays.BLOCK)),
        np.empty(rays.BLOCK, np.int64),
        np.empty(rays.BLOCK, np.int64),
        np.empty(n, np.int64),
        found,
    )
    return found
