"""`Lanes`: robots and hazards of a batch of scenes in simulation, one lane per scene, one face for both back ends.

The C back end has a model and a thread's turn per lane. Public: `Lanes`, `CLanes`.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.robot import NQ, NV, robot_of
from jaxphys_benchmarks.reacthuman.execution.config import STEPS_PER_TICK, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.laws import law_of
from jaxphys_benchmarks.reacthuman.execution.model import robot_config, shared
from jaxphys_benchmarks.reacthuman.execution.start import Hazard
from jaxphys_benchmarks.reacthuman.execution.watch import Watch
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.rigid.model import World

Floats = NDArray[np.float64]


class Lanes(Protocol):
    """b lanes.

    Attributes:
        worlds: of the scenes, each with a scene axis of 1. watches: what each lane has been through.

    Methods:
        sense: what the controllers see. advance: hold joint targets (b, 29) and shares (b,) for one tick.
        robots: qpos (b, 36) and qvel (b, 35) now. hazard: flat qpos and qvel of the bodies of a lane now. palms: (b, 2,
            3) m. close: end the threads.
    """

    @property
    def worlds(self) -> Sequence[World]:
        """See the class."""
        ...

    @property
    def watches(self) -> Sequence[Watch]:
        """See the class."""
        ...

    def sense(self) -> Sensed:
        """See the class."""
        ...

    def advance(self, target: Floats, use: Floats) -> None:
        """See the class."""
        ...

    def robots(self) -> tuple[Floats, Floats]:
        """See the class."""
        ...

    def hazard(self, lane: int) -> tuple[Floats, Floats]:
        """See the class."""
        ...

    def palms(self) -> Floats:
        """See the class."""
        ...

    def close(self) -> None:
        """See the class."""
        ...


class CLanes:
    """Lanes on C MuJoCo; see `Lanes`.

    Attributes:
        robot: of all. models: `MjModel` of each lane.
    """

    def __init__(
        self,
        specs: Sequence[ReactHumanSpec],
        hazards: Sequence[Hazard],
        targets: Sequence[int],
        qpos: Floats,
        qvel: Floats,
        config: ExecutionConfig,
        looked_at: int | None = None,
    ) -> None:
        """Lanes at the freeze.

        Args:
            specs: scenes. hazards: their bodies. targets: index of the body of each that distances are taken to.
            qpos: (b, 36), qvel: (b, 35) of the robots. config: of the execution.
            looked_at: how often the watches look within a recorded step; None: after every step of the physics.
        """
        import mujoco

        steps = {spec.physics.substeps for spec in specs}
        if len(steps) > 1:
            raise ValueError(f"physics.substeps: {sorted(steps)}; execute scenes of equal physics together")
        owns = [shared(spec, config) for spec in specs]
        robot = robot_of(owns[0].model, robot_config(config))
        self.robot, self.models = robot, [own.model for own in owns]
        self._pool = Pool(robot, len(owns), self.models, config.threads)
        self._substeps = steps.pop()
        self.worlds = [own.world for own in owns]
        self.watches = [
            Watch(
                mujoco,
                own,
                hazard,
                law_of(own, hazard.signature, NQ, NV),
                target,
                robot.palms,
                (NQ, NV),
                config.record_steps,
                looked_at or self._substeps,
            )
            for own, hazard, target in zip(owns, hazards, targets, strict=True)
        ]
        self._pool.reset(qpos, qvel)
        for data, watch in zip(self._pool.data, self.watches, strict=True):
            watch.begin(data)

    @property
    def datas(self) -> Sequence[Any]:
        """The `MjData` of each lane."""
        return self._pool.data

    def sense(self) -> Sensed:
        """See `Lanes`."""
        return self._pool.sense()

    def advance(self, target: Floats, use: Floats) -> None:
        """See `Lanes`."""
        self._pool.advance(target, use, STEPS_PER_TICK, self._substeps, self._look)

    def _look(self, lane: int, data: Any) -> None:
        self.watches[lane](data)

    def robots(self) -> tuple[Floats, Floats]:
        """See `Lanes`."""
        return self._pool.qpos(), self._pool.qvel()

    def hazard(self, lane: int) -> tuple[Floats, Floats]:
        """See `Lanes`."""
        data = self._pool.data[lane]
        return data.qpos[NQ:].copy(), data.qvel[NV:].copy()

    def palms(self) -> Floats:
        """See `Lanes`."""
        return self._pool.palms()

    def close(self) -> None:
        """See `Lanes`."""
        self._pool.close()
