"""What is kept of key frames: enough to draw any picture of them again (ENACT specification, section 9.2).

Together with the house, which follows from the name of the episode, a state gives every solid its place and look. All
variants of pictures are drawn from states, so that questions and answers are the same in all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from jaxphys_benchmarks.enact.world.robot import Pose
from jaxphys_kernels.household.layout import Sensed

OF_THINGS = ("pos", "quat", "joint", "exists", "toggled", "cooked", "particle", "alive")
"""Arrays taken from what is sensed."""


FLAGS = frozenset({"exists", "toggled", "cooked", "alive"})


@dataclass(frozen=True, eq=False)
class States:
    """f frames of a house.

    Attributes:
        ids: (f,) numbers of the frames.
        pos: (f, n, 3) m. quat: (f, n, 4). joint: (f, j). exists, toggled, cooked: (f, n) bool.
        particle: (f, p, 3) m. alive: (f, p) bool.
        poses: (f, 7) of the robot, fields of `robot.Pose`. hands: (f, 2, 7) m and quaternions, left and right.
    """

    ids: np.ndarray
    pos: np.ndarray
    quat: np.ndarray
    joint: np.ndarray
    exists: np.ndarray
    toggled: np.ndarray
    cooked: np.ndarray
    particle: np.ndarray
    alive: np.ndarray
    poses: np.ndarray
    hands: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def robot(self, frame: int) -> Pose:
        """The robot in the frame of this place."""
        return Pose(*(float(value) for value in self.poses[frame]))

    def only(self, frames: Sequence[int] | np.ndarray) -> "States":
        """Some of the frames, by their places."""
        chosen = np.asarray(frames, np.int64)
        return States(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays by name, to be stored; places in single precision, a few micrometres."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: a.astype(np.float32) if a.dtype == np.float64 else a for name, a in found.items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Any]) -> "States":
        """Back from `arrays`.

        Raises:
            ValueError: an array is missing, or does not fit the others.
        """
        names = [field.name for field in fields(cls)]
        missing = [name for name in names if name not in arrays]
        if missing:
            raise ValueError(f"states: {missing[0]} is missing")
        found = {name: np.asarray(arrays[name]) for name in names}
        frames = len(found["ids"]) if found["ids"].ndim == 1 else -1
        for name, array in found.items():
            numbers = array.dtype.kind in "biuf"
            if not numbers or array.ndim < 1 or len(array) != frames or not np.isfinite(array).all():
                raise ValueError(f"states: {name} does not hold {frames} frames of numbers")
        n, j, p = (found[name].shape[1] if found[name].ndim > 1 else -1 for name in ("exists", "joint", "alive"))
        wanted = {
            "ids": (frames,), "pos": (frames, n, 3), "quat": (frames, n, 4), "joint": (frames, j),
            "exists": (frames, n), "toggled": (frames, n), "cooked": (frames, n),
            "particle": (frames, p, 3), "alive": (frames, p), "poses": (frames, 7), "hands": (frames, 2, 7),
        }  # fmt: skip
        for name, shape in wanted.items():
            if found[name].shape != shape or (found[name].dtype.kind == "b") != (name in FLAGS):
                raise ValueError(f"states: {name} is {found[name].dtype} {found[name].shape}, which does not fit")
        ids = found["ids"]
        if ids.dtype.kind not in "iu" or (frames and (ids[0] < 0 or (np.diff(ids.astype(np.int64)) <= 0).any())):
            raise ValueError("states: ids are no rising numbers of frames")
        found = {name: a.astype(np.float64) if a.dtype.kind == "f" else a for name, a in found.items()}
        return cls(**found)


def states_of(sensed: Sensed, poses: np.ndarray, hands: np.ndarray, frames: Sequence[int] | np.ndarray) -> States:
    """The states of some frames of a recording.

    Args:
        sensed: of all its frames. poses: (T, 7). hands: (T, 2, 7). frames: numbers of the frames that are kept.
    """
    kept = np.asarray(frames, np.int64)
    taken = {name: np.asarray(getattr(sensed, name))[kept] for name in OF_THINGS}
    return States(ids=kept, poses=np.asarray(poses)[kept], hands=np.asarray(hands)[kept], **taken)
