"""Motions of executed answers as files: a compressed NumPy archive each, whole or not there.

Equal motions give equal bytes. Files are untrusted when they are read: they hold arrays only, of bounded size, whose
shapes fit together. Public: `write`, `read`.
"""

import math
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np

from jaxphys_adapters import atomic
from jaxphys_adapters.archives import DAMAGE
from jaxphys_benchmarks.embodied import Motion

SHAPES = {"times": 1, "robot": 2, "pos": 3, "quat": 3, "palms": 3}
"""Dimensions of each array; frames come first."""
SUFFIX = ".npy"
LARGEST = 256_000_000
"""Bytes of all arrays together."""


def write(path: Path, motion: Motion) -> None:
    """Store a motion; places are kept in single precision, to less than a hundredth of a millimetre.

    Raises:
        StorageError: it cannot be written.
    """
    arrays = {name: np.asarray(getattr(motion, name), np.float32) for name in SHAPES if name != "times"}
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, times=np.asarray(motion.times, np.float64), **arrays)
    atomic.write(path, buffer.getvalue())


def read(path: Path) -> Motion:
    """A stored motion.

    Raises:
        ValueError: this is no motion; the text names the file.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise ValueError(f"holds more than {LARGEST} bytes")
            arrays = {name: _array(archive, name) for name in SHAPES}
    except (OSError, *DAMAGE) as error:
        raise ValueError(f"{path}: no motion of `jaxphys execute`: {error}") from error
    frames, bodies = len(arrays["times"]), arrays["pos"].shape[1:2]
    wanted = {"pos": (*bodies, 3), "quat": (*bodies, 4), "palms": (2, 3)}
    for name, array in arrays.items():
        if not frames or len(array) != frames or array.shape[1:] != wanted.get(name, array.shape[1:]):
            raise ValueError(f"{path}: {name} has shape {array.shape}, which does not fit {frames} frames")
        if not np.isfinite(array).all():
            raise ValueError(f"{path}: {name} are not finite")
    if (np.diff(arrays["times"]) <= 0).any():
        raise ValueError(f"{path}: times do not rise")
    for name, quat in (("quat", arrays["quat"]), ("robot", arrays["robot"][:, 3:7])):
        if not np.linalg.norm(quat, axis=-1).all():
            raise ValueError(f"{path}: {name} holds a quaternion that is zero")
    return Motion(**arrays)


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    content = archive.read(f"{name}{SUFFIX}")
    stream = BytesIO(content)
    np.lib.format.read_magic(stream)
    shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    # A shape that lies would make room for what is not there.
    if not kind.hasobject and math.prod(shape) * kind.itemsize != len(content) - stream.tell():
        raise ValueError(f"{name} does not hold {kind} of shape {shape}")
    found = np.lib.format.read_array(BytesIO(content), allow_pickle=False)
    if found.ndim != SHAPES[name] or found.dtype.kind != "f":
        raise ValueError(f"{name} is {found.dtype} of shape {found.shape}")
    return found.astype(np.float64)
