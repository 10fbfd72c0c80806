"""Rigid scenes in PyBullet, in the configuration of the reference engines document, section 4.2, with g of the scene.

No damping, no restitution, fixed steps. PyBullet multiplies friction, ours takes the larger of two; so a scene must
have one coefficient, and every body gets its root. Prisms become convex meshes, hinged bodies a link without motor.
"""

import math
from dataclasses import dataclass

import numpy as np
import pybullet

from jaxphys import rigid
from tests.oracle.scene import Floats

EDGES = 12
WIDER = math.sqrt(math.pi / 3)
"""Radius of the corners of a 12-sided prism over that of the cylinder of its cross-section."""


@dataclass(frozen=True)
class Path:
    """Bodies after every step, world frame: pos (t, n, 3), quat (t, n, 4) w first, vel and omega (t, n, 3).

    `push` (t, c) is the normal force of each of `rigid.pairs` during the step (N).
    """

    pos: Floats
    quat: Floats
    vel: Floats
    omega: Floats
    push: Floats

    def first(self, pair: int) -> int:
        """The first step, counted from 1, in which a pair pushes; 0 if none."""
        pushes = self.push[:, pair] > 0
        return int(np.argmax(pushes)) + 1 if pushes.any() else 0


def simulate(
    world: rigid.World,
    state: rigid.State,
    steps: int,
    k: int = 0,
    dt: float = 1 / 240,
    friction: float = 0.5,
    damping: float = 0.0,
) -> Path:
    """Scene k of a batch, in which every body and box is there, `steps` steps of `dt`.

    Args:
        world: the batch. state: where its scenes start. steps: how many. k: which scene. dt: s.
        friction: coefficient of every pair of the scene. damping: of free bodies, as PyBullet has it by default.
    """
    client = pybullet.connect(pybullet.DIRECT)
    try:
        return _run(world, state, steps, k, dt, friction, damping, client)
    finally:
        pybullet.disconnect(client)


def _run(
    world: rigid.World, state: rigid.State, steps: int, k: int, dt: float, friction: float, damping: float, client: int
) -> Path:
    pybullet.setPhysicsEngineParameter(
        fixedTimeStep=dt,
        numSubSteps=0,
        numSolverIterations=50,
        deterministicOverlappingPairs=1,
        physicsClientId=client,
    )
    pybullet.setGravity(0, 0, -float(world.gravity[k]), physicsClientId=client)
    root = math.sqrt(friction)
    floor = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=client)
    ground = pybullet.createMultiBody(0, floor, physicsClientId=client)
    _set_dynamics(ground, -1, root, client)
    fixed = []
    for pos, half, quat in zip(world.static_pos[k], world.static_half[k], world.static_quat[k], strict=True):
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=half.tolist(), physicsClientId=client)
        name = pybullet.createMultiBody(
            0, shape, basePosition=pos.tolist(), baseOrientation=_last(quat), physicsClientId=client
        )
        _set_dynamics(name, -1, root, client)
        fixed.append(name)
    names = [_add(world, state, k, i, root, client) for i in range(world.shape.shape[1])]
    if damping:
        for name, _ in names:
            pybullet.changeDynamics(name, -1, linearDamping=damping, angularDamping=damping, physicsClientId=client)
    path, push = [], []
    ends = {rigid.FLOOR: ground} | dict(enumerate([*(name for name, _ in names), *fixed]))
    pairs = [(ends[i], ends[j]) for i, j in rigid.pairs(len(names), len(fixed))]
    for _ in range(steps):
        pybullet.stepSimulation(physicsClientId=client)
        path.append([_read(name, client) for name in names])
        push.append([_force(a, b, client) for a, b in pairs])
    return Path(*(np.array([[body[part] for body in row] for row in path]) for part in range(4)), np.array(push))


def _force(first: int, second: int, client: int) -> float:
    return sum(point[9] for point in pybullet.getContactPoints(first, second, physicsClientId=client))


def _add(world: rigid.World, state: rigid.State, k: int, i: int, friction: float, client: int) -> tuple[int, int]:
    """Put a body into the engine; its number and link."""
    shape = _shape(rigid.Shape(int(world.shape[k, i])), world.size[k, i], client)
    mass, inertia = float(world.mass[k, i]), world.inertia[k, i].tolist()
    if world.joint[k, i] == rigid.Joint.HINGE:
        return _add_hinged(world, state, k, i, shape, client)
    start = rigid.motion(world, state.qpos, state.qvel)
    name = pybullet.createMultiBody(
        mass,
        shape,
        basePosition=start.pos[k, i].tolist(),
        baseOrientation=_last(start.quat[k, i]),
        physicsClientId=client,
    )
    _set_dynamics(name, -1, friction, client)
    pybullet.changeDynamics(name, -1, localInertiaDiagonal=inertia, physicsClientId=client)
    pybullet.resetBaseVelocity(name, start.vel[k, i].tolist(), start.omega[k, i].tolist(), physicsClientId=client)
    return name, -1


def _add_hinged(world: rigid.World, state: rigid.State, k: int, i: int, shape: int, client: int) -> tuple[int, int]:
    name = pybullet.createMultiBody(
        baseMass=0,
        basePosition=world.anchor[k, i].tolist(),
        linkMasses=[float(world.mass[k, i])],
        linkCollisionShapeIndices=[shape],
        linkVisualShapeIndices=[-1],
        linkPositions=[(0, 0, 0)],
        linkOrientations=[(0, 0, 0, 1)],
        linkInertialFramePositions=[world.com[k, i].tolist()],
        linkInertialFrameOrientations=[(0, 0, 0, 1)],
        linkParentIndices=[0],
        linkJointTypes=[pybullet.JOINT_REVOLUTE],
        linkJointAxis=[world.axis[k, i].tolist()],
        physicsClientId=client,
    )
    _set_dynamics(name, 0, 0.0, client)
    pybullet.changeDynamics(
        name,
        0,
        localInertiaDiagonal=world.inertia[k, i].tolist(),
        jointDamping=float(world.damping[k, i]),
        physicsClientId=client,
    )
    pybullet.setCollisionFilterGroupMask(name, 0, 0, 0, physicsClientId=client)
    pybullet.setJointMotorControl2(name, 0, pybullet.VELOCITY_CONTROL, force=0, physicsClientId=client)
    pybullet.resetJointState(name, 0, float(state.qpos[k, i, 0]), float(state.qvel[k, i, 0]), physicsClientId=client)
    return name, 0


def _shape(kind: rigid.Shape, size: Floats, client: int) -> int:
    radius, _, length = (float(x) for x in size)
    if kind is rigid.Shape.SPHERE:
        geometry = {"shapeType": pybullet.GEOM_SPHERE, "radius": radius}
    elif kind is rigid.Shape.BOX:
        geometry = {"shapeType": pybullet.GEOM_BOX, "halfExtents": size.tolist()}
    elif kind is rigid.Shape.CAPSULE:
        geometry = {"shapeType": pybullet.GEOM_CAPSULE, "radius": radius, "height": 2 * length}
    else:
        around = 2 * math.pi * (np.arange(EDGES) + 0.5) / EDGES
        ring = WIDER * radius * np.stack([np.cos(around), np.sin(around)], axis=-1)
        corners = [(*xy, z) for z in (-length, length) for xy in ring.tolist()]
        geometry = {"shapeType": pybullet.GEOM_MESH, "vertices": corners}
    made: int = pybullet.createCollisionShape(physicsClientId=client, **geometry)
    return made


def _set_dynamics(name: int, link: int, friction: float, client: int) -> None:
    pybullet.changeDynamics(
        name,
        link,
        lateralFriction=friction,
        restitution=0.0,
        linearDamping=0.0,
        angularDamping=0.0,
        physicsClientId=client,
    )


def _read(name: tuple[int, int], client: int) -> tuple[Floats, Floats, Floats, Floats]:
    body, link = name
    if link < 0:
        place, turn = pybullet.getBasePositionAndOrientation(body, physicsClientId=client)
        vel, omega = pybullet.getBaseVelocity(body, physicsClientId=client)
    else:
        found = pybullet.getLinkState(
            body, link, computeLinkVelocity=1, computeForwardKinematics=1, physicsClientId=client
        )
        place, turn, vel, omega = found[0], found[1], found[6], found[7]
    return np.array(place), np.array([turn[3], *turn[:3]]), np.array(vel), np.array(omega)


def _last(quat: Floats) -> list[float]:
    """A quaternion with its real part last, as PyBullet has it."""
    return [*quat[1:].tolist(), float(quat[0])]
