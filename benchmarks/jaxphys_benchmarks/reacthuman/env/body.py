"""Robot and hazard as the environment carries them from tick to tick, and what a back end does with them.

The state is small and the same on both back ends: positions, velocities, the solver's start, and what the controller
senses one physics step late (humanoid specification, section 6.4). So a back end is a pure function of it, lanes can be
reset by selection, and a run can go on from any stored state. Public: `Body`, `Touch`, `Physics`, `packed`, `unpacked`.
"""

from typing import Protocol

import jax.numpy as jnp
from flax import struct

from jaxphys_kernels.humanoid.arrays import Array
from jaxphys_kernels.humanoid.sensed import Sensed

BIAS = 14
"""Forces of gravity and motion on the arm joints."""

SENSED = 3 + 9 + 6 + 3 + BIAS
"""Numbers that are sensed one step late: torso place and orientation, palms, centre of mass, arm forces."""


class Body(struct.PyTreeNode):
    """Robot and hazard of lanes; float32 leaves.

    Attributes:
        qpos: (..., nq), qvel: (..., nv), the robot's first. warm: (..., nv) accelerations that the solver starts from.
        late: (..., SENSED) see `sensed` and `bias`. step: (...) recorded steps since the freeze, int32.
    """

    qpos: Array
    qvel: Array
    warm: Array
    late: Array
    step: Array

    @property
    def bias(self) -> Array:
        """(..., 14) forces of gravity and motion on the arm joints (N m)."""
        return self.late[..., -BIAS:]

    @property
    def sensed(self) -> Sensed:
        """What the controller senses."""
        late, shape = self.late, self.late.shape[:-1]
        return Sensed(
            qpos=self.qpos[..., :36],
            qvel=self.qvel[..., :35],
            torso_pos=late[..., :3],
            torso_mat=late[..., 3:12].reshape(*shape, 3, 3),
            palms=late[..., 12:18].reshape(*shape, 2, 3),
            com=late[..., 18:21],
        )


class Touch(struct.PyTreeNode):
    """Whether anything of the hazard touched a hand, or another part of the robot, during a tick: (...) bool."""

    hand: Array
    other: Array


class Physics(Protocol):
    """A back end: one tick of all lanes."""

    name: str

    def advance(self, scene: Array, body: Body, control: Array) -> tuple[Body, Touch]:
        """Hold `control` (..., 29) for one tick.

        Args:
            scene: (...) int32, which scene of the bank each lane is in. body: of the lanes. control: joint targets
                with the arms' feed-forward (rad).
        """
        ...


def packed(*parts: Array) -> Array:
    """Arrays (..., k) side by side, float32."""
    return jnp.concatenate([jnp.asarray(part, jnp.float32) for part in parts], axis=-1)


def unpacked(rows: Array, *widths: int) -> list[Array]:
    """The arrays that were side by side, by their widths."""
    found, at = [], 0
    for width in widths:
        found.append(rows[..., at : at + width])
        at += width
    return found
