"""What was recorded of an episode: all that facts, pictures and reviews need of it, frame by frame at 30 Hz.

Public: `Entry`, `Recording`, `recorded`, `mirrored`, `qpos_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jaxphys_benchmarks.enact.config_world import Camera
from jaxphys_benchmarks.enact.play.motion import quaternion
from jaxphys_benchmarks.enact.play.script import Skill
from jaxphys_benchmarks.enact.world.house import House, mirror
from jaxphys_benchmarks.enact.world.model import Built
from jaxphys_benchmarks.enact.world.robot import Pose, camera_pose
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_kernels.household.facts import distances
from jaxphys_kernels.household.layout import Layout, Sensed
from jaxphys_kernels.household.poses import forms, least
from jaxphys_kernels.quaternions import Floats

CHUNK = 512
"""Frames whose gaps are computed at once."""

FLIP = np.array([-1.0, 1.0, 1.0])
FLIP_TURN = np.array([1.0, 1.0, -1.0, -1.0])
FLIP_ROBOT = np.array([-1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0])
"""Signs of the mirror image, x changed: of places, quaternions, and robots, whose heading becomes pi less it."""


@dataclass(frozen=True)
class Entry:
    """A skill as it was carried out.

    Attributes:
        skill: which. start, end: first frame, and the one after the last. hand: 0 left, 1 right, -1 neither.
        failure: what went wrong; "" if nothing did.
    """

    skill: Skill
    start: int
    end: int
    hand: int = -1
    failure: str = ""


@dataclass(frozen=True, eq=False)
class Recording:
    """An episode of f frames.

    Attributes:
        spec: of it. house: as recorded, mirrored if that is asked for.
        sensed: f frames. robot: (f, 7), the fields of `Pose`. hands: (f, 2, 7), left and right.
        log: of the skills.
    """

    spec: EpisodeSpec
    house: House
    sensed: Sensed
    robot: Floats
    hands: Floats
    log: tuple[Entry, ...]

    @property
    def frames(self) -> int:
        """How many there are."""
        return len(self.robot)

    @property
    def failures(self) -> tuple[Entry, ...]:
        """Skills that went wrong."""
        return tuple(entry for entry in self.log if entry.failure)

    def pose(self, frame: int) -> Pose:
        """Of the robot in a frame."""
        return Pose(*(float(value) for value in self.robot[frame]))

    def camera(self, camera: Camera, frames: Sequence[int] | None = None) -> Floats:
        """(k, 7): poses of the head camera, whose x, y, z point ahead, to the left and up in its picture.

        Args:
            camera: where on the head it is. frames: which; all without.
        """
        found = []
        for frame in range(self.frames) if frames is None else frames:
            place, turn = camera_pose(self.pose(frame), camera)
            found.append(np.concatenate([place, quaternion(turn)]))
        return np.array(found).reshape(-1, 7)


def recorded(
    spec: EpisodeSpec, house: House, layout: Layout, frames: Sequence[dict[str, Any]], log: Sequence[Entry]
) -> Recording:
    """The recording of an engine's frames; gaps of hands and things are computed here."""
    stacked = {name: np.stack([frame[name] for frame in frames]) for name in frames[0]}
    robot, hands = stacked.pop("robot"), stacked.pop("hands")
    sensed = Sensed(gap=np.zeros((0, 2, len(house.placed))), **stacked)
    sensed = replace(sensed, gap=gaps(layout, sensed, hands))
    return Recording(spec, house, sensed, robot, hands, tuple(log))


def gaps(layout: Layout, sensed: Sensed, hands: Floats) -> Floats:
    """(f, 2, n) m: from the fingertips of each hand to the nearest point of each thing."""
    found = []
    for first in range(0, len(hands), CHUNK):
        part = slice(first, first + CHUNK)
        some = replace(sensed, **{name: getattr(sensed, name)[part] for name in ("pos", "quat", "exists", "joint")})
        pos, turn = forms(np, layout, some)
        found.append(least(np, layout, distances(np, layout, hands[part, :, :3], pos, turn), axis=2))
    return np.concatenate(found)


def mirrored(recording: Recording) -> Recording:
    """The mirror image of a recording: x changes its sign, hands are exchanged.

    Physics knows no left and right, so the mirror image of an episode is an episode.
    """
    sensed, swap = recording.sensed, [1, 0]
    hands = recording.hands[:, swap] * np.concatenate([FLIP, FLIP_TURN])
    robot = recording.robot * FLIP_ROBOT
    robot[:, 2] += np.pi
    return replace(
        recording,
        house=mirror(recording.house),
        sensed=replace(
            sensed,
            pos=sensed.pos * FLIP,
            quat=sensed.quat * FLIP_TURN,
            particle=sensed.particle * FLIP,
            held=sensed.held[:, swap],
            gap=sensed.gap[:, swap],
        ),
        robot=robot,
        hands=hands,
        log=tuple(replace(entry, hand=1 - entry.hand if entry.hand >= 0 else -1) for entry in recording.log),
    )


def qpos_of(built: Built, sensed: Sensed) -> Floats:
    """(f, nq): coordinates of the model of the house in each frame."""
    found = np.tile(built.model.qpos0, (len(sensed.pos), 1))
    for thing in np.flatnonzero(built.qpos >= 0):
        at = built.qpos[thing]
        found[:, at : at + 3], found[:, at + 3 : at + 7] = sensed.pos[:, thing], sensed.quat[:, thing]
    found[:, built.joint] = sensed.joint
    return found
