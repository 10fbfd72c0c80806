"""`Watch`: one lane while it is executed: it holds the hazard until its release, and writes down what happens.

It is called after every physics step. Contacts between robot and bodies are read at every step; distances, hands and
pelvis at every recorded step (1/240 s); the whole state for films at every `record_steps`-th. Numbers are those that
MuJoCo's step began with, and so up to one physics step older than qpos.

Public: `Watch`, `Rows`, `Touch`.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.execution.config import STEP
from jaxphys_benchmarks.reacthuman.execution.laws import Law
from jaxphys_benchmarks.reacthuman.execution.model import Shared
from jaxphys_benchmarks.reacthuman.execution.start import Hazard

Floats = NDArray[np.float64]

HANDS = 2
"""The first of `PARTS` are the hands."""
NEAR = 0.15
"""Contacts are looked for while a body is this near to the robot (m): no body moves so far in a recorded step."""
FAR = 10.0
"""Distances are not told beyond (m)."""


@dataclass
class Touch:
    """Contacts of a part of the robot with a body.

    Attributes:
        time: of the first one, from the freeze (s). speed: of the two against each other then (m/s).
        impulse: normal impulse of all of them so far (N s).
    """

    time: float
    speed: float
    impulse: float = 0.0


@dataclass
class Rows:
    """What is written down at every recorded step, as lists of one entry each.

    Attributes:
        gaps: (9,) distances of the parts to the target (m). slip: (2,) speeds of the target against the hands (m/s).
        palms: (2, 3) m. base: (7,) pose of the pelvis.
        robot: (36,) and bodies: (nq,), at the steps of films only.
    """

    gaps: list[Floats] = field(default_factory=list)
    slip: list[Floats] = field(default_factory=list)
    palms: list[Floats] = field(default_factory=list)
    base: list[Floats] = field(default_factory=list)
    robot: list[Floats] = field(default_factory=list)
    bodies: list[Floats] = field(default_factory=list)


class Watch:
    """What one lane has been through.

    Attributes:
        steps: recorded steps so far. rows: written down, the freeze first. touches: first contacts and impulses by
            (part of `PARTS`, body of the scene).
    """

    def __init__(
        self,
        mujoco: Any,
        shared: Shared,
        hazard: Hazard,
        law: Law | None,
        target: int,
        palms: tuple[int, int],
        robot: tuple[int, int],
        record_steps: int,
        looks: int,
    ) -> None:
        """A watch over a lane.

        Args:
            mujoco: the module. shared: the model. hazard: its bodies at the freeze. law: between the steps, or None.
            target: index of the body that distances are taken to. palms: sites. robot: lengths of its qpos and qvel.
            record_steps: see `ExecutionConfig`. looks: how often it is called within a recorded step.
        """
        self._mujoco, self._model, self._hazard, self._law = mujoco, shared.model, hazard, law
        self._target, self._palms, self._record_steps = target, list(palms), record_steps
        self._own, self._rates = slice(robot[0], None), slice(robot[1], None)
        self._robot, self._substeps = robot[0], looks
        self._parts, self._things = shared.parts, shared.things
        self._part_of = {geom: k for k, geom in enumerate(shared.parts)}
        self._thing_of = {geom: k for k, geom in enumerate(shared.things)}
        self._force, self._rate, self._other = np.zeros(6), np.zeros(6), np.zeros(6)
        self._near = False
        self._step = 0
        self.steps = 0
        self.rows = Rows()
        self.touches: dict[tuple[int, int], Touch] = {}

    def begin(self, data: Any) -> None:
        """Put the hazard into a lane whose robot is in place, and write down how it begins."""
        self._hold(data)
        if not self._hazard.wait:
            self._launch(data)
        self._mujoco.mj_forward(self._model, data)
        self._write(data)

    def __call__(self, data: Any) -> None:
        """Look at a lane after a physics step."""
        self._step += 1
        if self._near:
            self._contacts(data)
        recorded = self._step % self._substeps == 0
        if recorded:
            self.steps += 1
        if self.steps < self._hazard.wait:
            self._hold(data)
        elif recorded and self.steps == self._hazard.wait:
            self._hold(data)
            self._launch(data)
        elif self._law is not None:
            self._law.act(data)
        if recorded:
            self._write(data)

    def _hold(self, data: Any) -> None:
        data.qpos[self._own], data.qvel[self._rates] = self._hazard.qpos, 0.0

    def _launch(self, data: Any) -> None:
        data.qvel[self._rates] = self._hazard.qvel
        if self._law is not None:
            self._law.begin(data)

    def _write(self, data: Any) -> None:
        rows, distance = self.rows, self._mujoco.mj_geomDistance
        gaps = [[distance(self._model, data, part, thing, FAR, None) for part in self._parts] for thing in self._things]
        self._near = min(min(row) for row in gaps) < NEAR
        rows.gaps.append(np.array(gaps[self._target]))
        target = self._things[self._target]
        rows.slip.append(np.array([self._speed(data, target, hand) for hand in self._parts[:HANDS]]))
        rows.palms.append(data.site_xpos[self._palms])
        rows.base.append(data.qpos[:7].copy())
        if self._record_steps and self.steps % self._record_steps == 0:
            rows.robot.append(data.qpos[: self._robot].copy())
            rows.bodies.append(data.qpos[self._own].copy())

    def _speed(self, data: Any, one: int, other: int) -> float:
        """Speed of two geoms against each other (m/s)."""
        kind = self._mujoco.mjtObj.mjOBJ_GEOM
        self._mujoco.mj_objectVelocity(self._model, data, kind, one, self._rate, 0)
        self._mujoco.mj_objectVelocity(self._model, data, kind, other, self._other, 0)
        return float(np.linalg.norm(self._rate[3:] - self._other[3:]))

    def _contacts(self, data: Any) -> None:
        if not data.ncon:
            return
        for k, (first, second) in enumerate(data.contact.geom.tolist()):
            for robot, thing in ((first, second), (second, first)):
                if robot in self._part_of and thing in self._thing_of:
                    self._touch(data, k, robot, thing)

    def _touch(self, data: Any, contact: int, robot: int, thing: int) -> None:
        self._mujoco.mj_contactForce(self._model, data, contact, self._force)
        if self._force[0] <= 0.0:
            return
        key = self._part_of[robot], self._thing_of[thing]
        if key not in self.touches:
            time = (self._step - 1) / self._substeps * STEP
            self.touches[key] = Touch(time, self._speed(data, thing, robot))
        self.touches[key].impulse += float(self._force[0]) * STEP / self._substeps
