"""Primitives on a plane in PyBullet, with the law written into the velocities at the first contact of each pair.

Reference engines document, sections 4.2 and 4.3: fixed steps of 1/240 s, no restitution, no damping, floor friction 1.
In every step the velocities are stored, the world is stepped, and where a pair is reported in contact for the first
time the law's result of the stored velocities is written. Bodies are those of the oracle; walls have infinite mass.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pybullet

from tests.oracle.planar_scene import Body, Floats, Pair

DT = 1 / 240
WALL_HEIGHT = 1.0
Meet = Callable[[Body, Body, Floats], bool]
"""Changes two bodies that meet with a normal from the first to the second; True when they no longer touch."""


@dataclass(frozen=True)
class Meeting:
    """The first contact of a pair as it was reported, with the velocities that were stored and written."""

    time: float
    pair: Pair
    before: tuple[Body, Body]
    after: tuple[Body, Body]


class Simulator:
    """A PyBullet client; a context manager. One client serves any number of scenes, one after the other."""

    def __enter__(self) -> "Simulator":
        self._client = pybullet.connect(pybullet.DIRECT)
        return self

    def __exit__(self, *_: object) -> None:
        pybullet.disconnect(self._client)

    def simulate(
        self, bodies: Sequence[Body], meet: Mapping[Pair, Meet], horizon: float, g: float = 9.8, floor: float = 1.0
    ) -> tuple[list[Body], list[Meeting]]:
        """Bodies after round(horizon / DT) steps, and the meetings in order; friction is `mu` times the floor's."""
        names = self._load(bodies, g, floor)
        now, meetings = [body.copy() for body in bodies], []
        waiting = dict(meet)
        for step in range(round(horizon / DT)):
            stored = [self._read(name, body) for name, body in zip(names, now, strict=True)]
            pybullet.stepSimulation(physicsClientId=self._client)
            for pair in [pair for pair in waiting if self._touching(names, pair)]:
                a, b = (stored[k].copy() for k in pair)
                through = waiting.pop(pair)(a, b, self._normal(names, pair, stored))
                self._write(names, pair, (a, b), through)
                meetings.append(Meeting((step + 1) * DT, pair, (stored[pair[0]], stored[pair[1]]), (a, b)))
        return [self._read(name, body) for name, body in zip(names, now, strict=True)], meetings

    def _load(self, bodies: Sequence[Body], g: float, friction: float) -> list[int]:
        client = self._client
        pybullet.resetSimulation(physicsClientId=client)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=DT,
            numSubSteps=0,
            numSolverIterations=50,
            deterministicOverlappingPairs=1,
            restitutionVelocityThreshold=0,
            physicsClientId=client,
        )
        pybullet.setGravity(0, 0, -g, physicsClientId=client)
        floor = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=client)
        self._dynamics(pybullet.createMultiBody(0, floor, physicsClientId=client), friction)
        return [self._add(body) for body in bodies]

    def _add(self, body: Body) -> int:
        fixed = body.mass == math.inf
        height = WALL_HEIGHT if fixed else body.half[0]
        kinds: dict[str, tuple[int, dict[str, Any]]] = {
            "sphere": (pybullet.GEOM_SPHERE, {"radius": body.half[0]}),
            "cylinder": (pybullet.GEOM_CYLINDER, {"radius": body.half[0], "height": 2 * height}),
            "cube": (pybullet.GEOM_BOX, {"halfExtents": (*body.half, height)}),
        }
        kind, geometry = kinds[body.shape]
        shape = pybullet.createCollisionShape(kind, physicsClientId=self._client, **geometry)
        name: int = pybullet.createMultiBody(
            0.0 if fixed else body.mass,
            shape,
            basePosition=(*body.pos.tolist(), height),
            baseOrientation=pybullet.getQuaternionFromEuler((0, 0, body.yaw)),
            physicsClientId=self._client,
        )
        self._dynamics(name, body.mu)
        if not fixed:
            self._set(name, body)
        return name

    def _dynamics(self, name: int, friction: float) -> None:
        pybullet.changeDynamics(
            name,
            -1,
            lateralFriction=friction,
            restitution=0.0,
            linearDamping=0.0,
            angularDamping=0.0,
            physicsClientId=self._client,
        )

    def _set(self, name: int, body: Body) -> None:
        """Write velocities; the spin of a sphere about a level axis is that of its rolling."""
        x, y = body.roll / body.half[0]
        pybullet.resetBaseVelocity(
            name, (*body.vel.tolist(), 0.0), (-float(y), float(x), body.spin), physicsClientId=self._client
        )

    def _read(self, name: int, body: Body) -> Body:
        place, turn = pybullet.getBasePositionAndOrientation(name, physicsClientId=self._client)
        vel, (wx, wy, wz) = pybullet.getBaseVelocity(name, physicsClientId=self._client)
        read = body.copy()
        read.pos, read.vel, read.spin = np.array(place[:2]), np.array(vel[:2]), wz
        read.yaw = pybullet.getEulerFromQuaternion(turn)[2]
        read.roll = body.half[0] * np.array([wy, -wx]) if body.shape == "sphere" else np.zeros(2)
        return read

    def _touching(self, names: Sequence[int], pair: Pair) -> bool:
        return bool(pybullet.getContactPoints(names[pair[0]], names[pair[1]], physicsClientId=self._client))

    def _normal(self, names: Sequence[int], pair: Pair, stored: Sequence[Body]) -> Floats:
        """From the first body to the second: of round bodies the line of centres, else as the engine has it."""
        a, b = (stored[k] for k in pair)
        if "cube" not in (a.shape, b.shape):
            away = b.pos - a.pos
        else:
            points = pybullet.getContactPoints(names[pair[0]], names[pair[1]], physicsClientId=self._client)
            away = -np.array(max(points, key=lambda p: math.hypot(*p[7][:2]))[7][:2])
        return away / math.hypot(*away)

    def _write(self, names: Sequence[int], pair: Pair, after: tuple[Body, Body], through: bool) -> None:
        for k, body in zip(pair, after, strict=True):
            if body.mass < math.inf:
                self._set(names[k], body)
        if through:
            pybullet.setCollisionFilterPair(names[pair[0]], names[pair[1]], -1, -1, 0, physicsClientId=self._client)
