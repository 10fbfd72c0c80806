"""The policy interface: an observation in, a plan or joint targets out.

Anything that decides for the robot is a `Policy`: a planner, a model of one's own, a whole-body controller. It is asked
at once about all scenes of a batch that are due. `policies` has those that come along.

Public: `Policy`, `Decision`, `Joints`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.loop.observation import Observation
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

JOINTS = 29
"""Joints of the robot."""


@dataclass(frozen=True, eq=False)
class Joints:
    """Joint targets that are held until the next decision; the balance is the policy's business.

    Attributes:
        targets: (29,) rad, in the order of `jaxphys_kernels.humanoid.joints.JOINTS`.

    Raises:
        ValueError: another shape, or a number that is not finite.
    """

    targets: NDArray[np.float64]

    def __post_init__(self) -> None:
        """See the class."""
        if np.shape(self.targets) != (JOINTS,) or not np.isfinite(self.targets).all():
            raise ValueError(f"targets: shape {np.shape(self.targets)}; give {JOINTS} finite angles (rad)")


Decision = Plan | Joints | None
"""A plan that takes the place of the one under way, with t = 0 when it takes effect and hands relative to the robot as
it stands then; joint targets; or None, to go on."""


class Policy(Protocol):
    """Decides what robots do.

    Methods:
        begin: scenes that are about to be asked about for the first time, in the order of the batch.
        decide: one decision for each observation; scenes that are not due are missing, the others are in order.
    """

    def begin(self, specs: Sequence[ReactHumanSpec]) -> None:
        """See the class."""
        ...

    def decide(self, observations: Sequence[Observation]) -> Sequence[Decision]:
        """See the class."""
        ...
