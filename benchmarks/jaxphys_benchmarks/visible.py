"""How many pixels of a stage's frames show some of its solids, without drawing anything.

Rays are cast through the pixels that the solids can be seen in, against the exact forms of all solids and the floor.
Where these pixels are more than `SAMPLES`, as many rays are spread evenly over them (a golden-ratio lattice, which
misses no thin strip however it lies), and the number is an estimate. Public: `visible_px`, `SAMPLES`.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from jaxphys_benchmarks.stage import TAPER, TUBE, Camera, Form, Stage

SAMPLES = 4096
"""Most rays of a frame: an estimate is then within about 2 % of the pixels."""

RATIOS: Mapping[Form, float] = {"taper": TAPER, "tube": TUBE}
"""Of a taper its width at the top, of a tube that of its bore, over the whole width."""


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
    # The compiler takes longer to import than all that need no pixels.
    from jaxphys_benchmarks import visible_rays

    f, n = stage.look.shape
    if samples < 1:
        raise ValueError(f"samples: {samples}; give at least 1")
    if any(not 0 <= k < n for k in solids):
        raise ValueError(f"solids: {list(solids)}; give numbers from 0 to {n - 1}")
    found = np.zeros(f, np.int64)
    if not len(solids):
        return found
    counted = np.zeros(n, np.bool_)
    counted[list(solids)] = True
    width, height = stage.width_px, stage.height_px
    focal = 0.5 * height / np.tan(np.radians(stage.camera.fov_deg) / 2)
    visible_rays.count(
        np.array([visible_rays.NUMBERS[solid.form] for solid in stage.solids]),
        np.array([solid.half for solid in stage.solids], dtype=np.float64),
        np.array([RATIOS.get(solid.form, 0.0) for solid in stage.solids]),
        counted,
        np.ascontiguousarray(stage.pos, dtype=np.float64),
        np.ascontiguousarray(stage.quat, dtype=np.float64),
        np.array(stage.camera.position, dtype=np.float64),
        _turned(stage.camera),
        np.array([width / 2, height / 2, focal]),
        np.array([width, height]),
        samples,
        np.empty((f, n, 12)),
        np.empty((f, n, 4)),
        np.empty(n, np.int64),
        found,
    )
    return found


def _turned(camera: Camera) -> np.ndarray:
    """(3, 3): columns are right, down and forward in the picture; up is as close to z as can be, or y."""
    forward = np.subtract(camera.target, camera.position)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 1.0, 0.0) if abs(forward[2]) > 1 - 1e-9 else (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.ascontiguousarray(np.stack([right, np.cross(forward, right), forward], axis=-1))
