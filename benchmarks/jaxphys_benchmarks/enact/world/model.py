"""The MuJoCo model of a house, and where each of its things is in MuJoCo's arrays.

ENACT specification, section 12. Furniture is part of the world; doors, lids and drawers are joints with friction; loose
things are free bodies that fall asleep when they rest. Every loose thing has a mocap body of its own, its grip, and one
weld to it, off at the start: to hold a thing set `eq_active` and move its grip. Hands are mocap bodies and touch
nothing; doors touch nothing either, drawers and lids that carry do. Public: `Built`, `build`, `wake`, `touching`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.world.house import House, Placed
from jaxphys_benchmarks.enact.world.placing import PARK
from jaxphys_benchmarks.enact.world.things import Link, Shape, Thing

LEFT, RIGHT = 0, 1
HANDS = ("left", "right")
"""Order of the hands in all arrays."""

FIXED_BITS, LOOSE_BITS, NO_BITS = (1, 0), (2, 3), (0, 0)
"""contype and conaffinity: what is fixed meets what is loose, and loose things meet each other."""

FRICTION = (1.0, 0.02, 0.002)
LINK_MASS = 1.0
STILL = 0.003
"""Speed below which what touches nothing that moves falls asleep (m/s, rad/s)."""
NUDGE = 0.01
"""Downward speed that wakes a thing, and keeps one awake that was about to fall asleep (m/s)."""

HINGE_DAMPING, HINGE_FRICTION = 0.6, 0.3
SLIDE_DAMPING, SLIDE_FRICTION = 8.0, 2.0
WELD_SOLREF = (0.012, 1.0)


@dataclass(frozen=True, eq=False)
class Built:
    """A model, and where things are in its arrays; -1 where there is nothing.

    Attributes:
        model: `MjModel`; its `qpos0` is the house at the start.
        house: what it is of; n things and j joints in its order.
        body: (n,) their bodies. qpos, dof: (n,) addresses of free joints.
        grip: (n,) mocap numbers of their grips. weld: (n,) the equalities that hold them.
        joint, joint_dof: (j,) addresses in qpos and qvel. link: (j,) bodies of the links.
        hands: (2,) mocap numbers, left and right.
        thing_of: (bodies,) number of the thing that each body is, or is a link of.
        numbers: joint number of each (name of a thing, name of a link).
    """

    model: Any
    house: House
    body: np.ndarray
    qpos: np.ndarray
    dof: np.ndarray
    grip: np.ndarray
    weld: np.ndarray
    joint: np.ndarray
    joint_dof: np.ndarray
    link: np.ndarray
    hands: np.ndarray
    thing_of: np.ndarray
    numbers: Mapping[tuple[str, str], int]


def build(house: House, world: World) -> Built:
    """The model of a house.

    Args:
        house: what is in it. world: for the physical rate and the distance of touch.
    """
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.timestep = 1 / world.physics_hz
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    spec.option.sleep_tolerance = STILL
    spec.option.iterations = 30
    spec.memory = 2**24
    if any(placed.parked for placed in house.placed):
        park = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[20.0, 20.0, 0.5])
        park.pos = [PARK[0], PARK[1], PARK[2] - 0.5]
        park.contype, park.conaffinity = FIXED_BITS
    for placed in house.placed:
        _add_thing(spec, placed, world.touch_dist)
    for hand in HANDS:
        spec.worldbody.add_body(name=f"robot/{hand}", mocap=True, pos=[0.0, 0.0, 1.0])
    model = spec.compile()
    return _found(house, model)


def _add_thing(spec: Any, placed: Placed, margin: float) -> None:
    import mujoco

    thing = placed.thing
    body = spec.worldbody.add_body(name=placed.name, pos=list(placed.pos), quat=list(placed.quat))
    if not thing.fixed:
        body.add_freejoint()
    for link in thing.links:
        _add_link(body, placed, link)
    shares = _shares(thing)
    for shape, share in zip(thing.shapes, shares, strict=True):
        carrier = body if not shape.link else spec.body(f"{placed.name}/{shape.link}")
        geom = carrier.add_geom(type=_TYPES(mujoco)[shape.kind], size=_size(shape))
        geom.pos, geom.quat, geom.mass = list(shape.pos), list(shape.quat), share
        # Contacts are kept, without a force, up to the sum of the gaps of both.
        geom.friction, geom.gap = list(FRICTION), margin / 2
        geom.contype, geom.conaffinity = _bits(thing, shape)
    if not thing.fixed:
        spec.worldbody.add_body(name=f"{placed.name}/grip", mocap=True, pos=list(placed.pos), quat=list(placed.quat))
        weld = spec.add_equality(
            name=f"{placed.name}/weld",
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=f"{placed.name}/grip",
            name2=placed.name,
            active=False,
            solref=list(WELD_SOLREF),
        )
        # Anchor, relative place, relative turn, weight of turning: the grip lies on the thing.
        weld.data[:11] = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]


def _add_link(body: Any, placed: Placed, link: Link) -> None:
    import mujoco

    child = body.add_body(name=f"{placed.name}/{link.name}", gravcomp=1.0)
    hinge = link.kind == "hinge"
    child.add_joint(
        name=f"{placed.name}/{link.name}",
        type=mujoco.mjtJoint.mjJNT_HINGE if hinge else mujoco.mjtJoint.mjJNT_SLIDE,
        pos=list(link.pos),
        axis=list(link.axis),
        limited=True,
        # Radians whatever the compiler's unit of angles is by default.
        range=[0.0, float(np.degrees(link.span)) if hinge else link.span],
        damping=HINGE_DAMPING if hinge else SLIDE_DAMPING,
        frictionloss=HINGE_FRICTION if hinge else SLIDE_FRICTION,
        armature=0.02,
    )


def _bits(thing: Thing, shape: Shape) -> tuple[int, int]:
    if not shape.meets:
        return NO_BITS
    if shape.link:
        return FIXED_BITS if thing.link(shape.link).carries else NO_BITS
    return FIXED_BITS if thing.fixed else LOOSE_BITS


def _TYPES(mujoco: Any) -> Mapping[str, Any]:
    return {
        "box": mujoco.mjtGeom.mjGEOM_BOX,
        "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
        "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    }


def _size(shape: Shape) -> list[float]:
    if shape.kind == "capsule":
        return [shape.half[0], shape.half[2] - shape.half[0], 0.0]
    return list(shape.half)


def _shares(thing: Thing) -> list[float]:
    """Mass of each collision form: by volume, links apart."""
    volumes = [float(np.prod(shape.half)) for shape in thing.shapes]
    own = sum(volume for volume, shape in zip(volumes, thing.shapes, strict=True) if not shape.link)
    of_link = {
        link.name: sum(v for v, shape in zip(volumes, thing.shapes, strict=True) if shape.link == link.name)
        for link in thing.links
    }
    lid = LINK_MASS if thing.fixed else 0.1 * thing.mass
    return [
        volume / of_link[shape.link] * lid if shape.link else volume / own * thing.mass
        for volume, shape in zip(volumes, thing.shapes, strict=True)
    ]


def _found(house: House, model: Any) -> Built:
    placed = house.placed
    body = np.array([model.body(one.name).id for one in placed])
    free = [not one.thing.fixed for one in placed]
    joint = [model.body_jntadr[b] if is_free else -1 for b, is_free in zip(body, free, strict=True)]
    names = [(placed[k].name, link) for k, link in house.joints]
    joints = [model.joint(f"{name}/{link}") for name, link in names]
    links = np.array([model.body(f"{name}/{link}").id for name, link in names], int)
    thing_of = np.full(model.nbody, -1)
    thing_of[body] = np.arange(len(placed))
    thing_of[links] = [k for k, _ in house.joints]
    built = Built(
        model=model,
        house=house,
        body=body,
        qpos=np.array([model.jnt_qposadr[j] if j >= 0 else -1 for j in joint]),
        dof=np.array([model.jnt_dofadr[j] if j >= 0 else -1 for j in joint]),
        grip=np.array(
            [model.body(f"{o.name}/grip").mocapid[0] if f else -1 for o, f in zip(placed, free, strict=True)]
        ),
        weld=np.array([model.eq(f"{o.name}/weld").id if f else -1 for o, f in zip(placed, free, strict=True)]),
        joint=np.array([j.qposadr[0] for j in joints], int),
        joint_dof=np.array([j.dofadr[0] for j in joints], int),
        link=links,
        hands=np.array([model.body(f"robot/{hand}").mocapid[0] for hand in HANDS]),
        thing_of=thing_of,
        numbers={name: k for k, name in enumerate(names)},
    )
    for (name, link), j in built.numbers.items():
        model.qpos0[built.joint[j]] = house[name].joints.get(link, 0.0)
    return built


def wake(built: Built, data: Any, thing: int) -> None:
    """Lets a thing that sleeps be moved: needed after its place was written and after its weld was switched off."""
    if built.dof[thing] >= 0:
        # MuJoCo wakes what has a speed and not what was moved; what is slower than `STILL` may fall asleep in the air.
        data.qvel[built.dof[thing] + 2] = -NUDGE


def touching(built: Built, data: Any, before: np.ndarray | None, distance: float = 0.001) -> np.ndarray:
    """Which things touch.

    MuJoCo keeps no contact between things that sleep; they touch what they touched when they fell asleep.

    Args:
        built: the model. data: after a step. before: the result for the frame before, or None at the start.
        distance: below which bodies touch (m); at most that of the model.

    Returns:
        (n, n) bool, symmetric.
    """
    n = len(built.body)
    found = np.zeros((n, n), np.bool_)
    if data.ncon:
        pairs = built.thing_of[built.model.geom_bodyid[data.contact.geom]]
        near = (data.contact.dist < distance) & (pairs >= 0).all(axis=1)
        found[pairs[near, 0], pairs[near, 1]] = True
    # A house in which nothing can move has no trees.
    if before is not None and built.model.ntree:
        trees = built.model.body_treeid[built.body]
        sleeps = np.where(trees >= 0, data.tree_asleep[trees] >= 0, True)
        found |= before & sleeps[:, None] & sleeps[None, :]
    found |= found.T
    np.fill_diagonal(found, False)
    return found
