"""The table in PyBullet: spheres in a plane, four walls, fixed steps, friction by resetting velocities.

A peer in speed with its error beside it. Its restitution gains energy where bodies penetrate (reference engines
document, section 4.1), so its answers are not comparable.
"""

import math

import numpy as np
import pybullet

from tests.oracle.scene import Floats, Scene

THICKNESS = 0.5


def simulate(scene: Scene, horizon: float, dt: float) -> tuple[Floats, Floats]:
    """Positions and velocities (n, 2) after round(horizon / dt) steps."""
    client = pybullet.connect(pybullet.DIRECT)
    try:
        return _run(scene, round(horizon / dt), dt, client)
    finally:
        pybullet.disconnect(client)


def _run(scene: Scene, steps: int, dt: float, client: int) -> tuple[Floats, Floats]:
    pybullet.setPhysicsEngineParameter(
        fixedTimeStep=dt,
        numSubSteps=0,
        numSolverIterations=50,
        deterministicOverlappingPairs=1,
        restitutionVelocityThreshold=0,
        physicsClientId=client,
    )
    for x, y, half_x, half_y in _walls(scene.size):
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=(half_x, half_y, THICKNESS), physicsClientId=client
        )
        _add(shape, 0.0, (x, y, 0.0), client)
    balls = []
    for pos, vel, radius, mass in zip(scene.pos, scene.vel, scene.radius, scene.mass, strict=True):
        shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=float(radius), physicsClientId=client)
        ball = _add(shape, float(mass), (*pos.tolist(), 0.0), client)
        pybullet.resetBaseVelocity(ball, (*vel.tolist(), 0.0), physicsClientId=client)
        balls.append(ball)
    for _ in range(steps):
        pybullet.stepSimulation(physicsClientId=client)
        for ball in balls:
            (vx, vy, _vz), _spin = pybullet.getBaseVelocity(ball, physicsClientId=client)
            speed = math.hypot(vx, vy)
            left = max(speed - scene.a * dt, 0.0) / speed if speed > 0 else 0.0
            pybullet.resetBaseVelocity(ball, (vx * left, vy * left, 0.0), (0.0, 0.0, 0.0), physicsClientId=client)
    places = [pybullet.getBasePositionAndOrientation(ball, physicsClientId=client)[0][:2] for ball in balls]
    speeds = [pybullet.getBaseVelocity(ball, physicsClientId=client)[0][:2] for ball in balls]
    return np.array(places), np.array(speeds)


def _walls(size: tuple[float, float]) -> list[tuple[float, float, float, float]]:
    """Centre and half sizes of the boxes around the table."""
    width, height = size
    return [
        (width / 2, -THICKNESS, width, THICKNESS),
        (width / 2, height + THICKNESS, width, THICKNESS),
        (-THICKNESS, height / 2, THICKNESS, height),
        (width + THICKNESS, height / 2, THICKNESS, height),
    ]


def _add(shape: int, mass: float, place: tuple[float, float, float], client: int) -> int:
    body: int = pybullet.createMultiBody(mass, shape, basePosition=place, physicsClientId=client)
    pybullet.changeDynamics(
        body, -1, restitution=1.0, lateralFriction=0.0, linearDamping=0.0, angularDamping=0.0, physicsClientId=client
    )
    return body
