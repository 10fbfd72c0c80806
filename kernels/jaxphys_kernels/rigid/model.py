"""What a rigid scene is: `World` (constants), `State` (what changes), `Trajectory`, and the static `Rules`.

All leaves are those of ONE scene; a batch has one more leading axis on every leaf. SI units, z up, floor at z = 0.
n bodies, s static boxes, t saved times, c pairs that may touch, in the order of `pairs(n, s)`. Absent bodies and boxes
fill a scene up to the n and s of its batch: they are not simulated.

Quaternions are (w, x, y, z). A free body's angular velocity is in its own frame, as in MuJoCo.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, get_args

import jax
from flax import struct

Cone = Literal["elliptic", "pyramidal"]

FLOOR = -1
"""Partner of a body in a pair: the floor."""


class Shape(IntEnum):
    """Kinds of body, by collider. Sizes: `World.size`."""

    ABSENT = -1
    SPHERE = 0
    BOX = 1
    PRISM = 2
    CAPSULE = 3


class Joint(IntEnum):
    """How a body is held: not at all, or by a hinge to the world (then it touches nothing)."""

    FREE = 0
    HINGE = 1


def pairs(n: int, s: int) -> tuple[tuple[int, int], ...]:
    """What may touch in a scene of n bodies and s static boxes: (body, partner).

    The partner is `FLOOR`, n + k for static box k, or another body with a larger index. First, body by body, the floor
    and the static boxes; then the pairs of bodies. That is MuJoCo's order.
    """
    still = ((i, other) for i in range(n) for other in (FLOOR, *range(n, n + s)))
    return (*still, *((i, other) for i in range(n) for other in range(i + 1, n)))


@dataclass(frozen=True)
class Signature:
    """What makes two scenes runs of one program.

    Attributes:
        shapes: of the n bodies. joints: of the n bodies. statics: number s of static boxes.
    """

    shapes: tuple[Shape, ...]
    joints: tuple[Joint, ...]
    statics: int

    @property
    def nq(self) -> int:
        """Length of MuJoCo's qpos."""
        return sum(7 if joint is Joint.FREE else 1 for joint in self.joints)

    @property
    def nv(self) -> int:
        """Length of MuJoCo's qvel."""
        return sum(6 if joint is Joint.FREE else 1 for joint in self.joints)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """What may touch: of `pairs(n, s)` those without a hinged body."""
        held = {i for i, joint in enumerate(self.joints) if joint is Joint.HINGE}
        return tuple(p for p in pairs(len(self.shapes), self.statics) if not held & set(p))


_RULES = {
    "dt": "it must be > 0 s",
    "substeps": "it must be a whole number >= 1",
    "cone": "it must be elliptic or pyramidal",
    "impratio": "it must be > 0",
    "iterations": "it must be a whole number >= 1",
    "tolerance": "it must be >= 0",
    "solref": "it must be a tuple of two numbers",
    "solimp": "it must be a tuple of five numbers",
    "capacity": "it must be >= 0, or None",
    "penetration": "it must be >= 0 m",
}


@dataclass(frozen=True)
class Rules:
    """Static numbers of the simulation (ReactHuman specification, sections 2 and 15).

    Attributes:
        dt: time between recorded steps (s). substeps: inner steps per recorded step; 4 is the parity mode, 1 the fast.
        cone: of friction; the pyramidal one is up to 42 % anisotropic and serves comparisons with Genesis only.
        impratio: ratio of frictional to normal impedance; larger creeps less.
        iterations: of the solver, at most. tolerance: at which it stops.
        solref, solimp: stiffness of contacts, in MuJoCo's terms.
        drag: bodies feel air drag by `World.drag_area`. bounce: spheres rebound by `World.restitution`.
        capacity: most simultaneous contacts; beyond, the scene gets `Status.CAPACITY`. None: no limit.
        penetration: deepest overlap at the start (m); beyond, the scene gets `Status.OVERLAP`.

    Raises:
        ValueError: a number that no simulation can be made with; the text names it.
    """

    dt: float = 1 / 240
    substeps: int = 1
    cone: Cone = "elliptic"
    impratio: float = 1.0
    iterations: int = 50
    tolerance: float = 1e-10
    solref: tuple[float, float] = (0.01, 1.0)
    solimp: tuple[float, float, float, float, float] = (0.9, 0.95, 0.001, 0.5, 2.0)
    drag: bool = False
    bounce: bool = False
    capacity: int | None = None
    penetration: float = 1e-3

    def __post_init__(self) -> None:
        """Raise ValueError for a number that no simulation can be made with."""
        good = {
            "dt": 0 < self.dt < math.inf,
            "substeps": self.substeps >= 1 and self.substeps % 1 == 0,
            "cone": self.cone in get_args(Cone),
            "impratio": 0 < self.impratio < math.inf,
            "iterations": self.iterations >= 1 and self.iterations % 1 == 0,
            "tolerance": 0 <= self.tolerance < math.inf,
            "solref": isinstance(self.solref, tuple) and len(self.solref) == 2,
            "solimp": isinstance(self.solimp, tuple) and len(self.solimp) == 5,
            "capacity": self.capacity is None or self.capacity >= 0,
            "penetration": self.penetration >= 0,
        }
        for name, holds in good.items():
            if not holds:
                raise ValueError(f"rules.{name} is {getattr(self, name)!r}; {_RULES[name]}")

    @property
    def step(self) -> float:
        """Inner step (s)."""
        return self.dt / self.substeps


PARITY = Rules(substeps=4)
"""Published data: the inner step of the original (1/960 s) and the isotropic cone."""

GENESIS = Rules(substeps=4, cone="pyramidal")
"""Comparisons with Genesis' defaults."""


class World(struct.PyTreeNode):
    """Constants of a scene; every floating leaf may be swept or differentiated.

    Attributes:
        shape: (n,) int32, a `Shape`. joint: (n,) int32, a `Joint`.
        size: (n, 3) m. Sphere (r, r, r); box: half extents; prism, 12-sided, of the cylinder (r, r, half height);
            capsule along its z axis (r, r, half length of the cylinder without the caps).
        mass: (n,) kg. inertia: (n, 3) kg m² about the centre of mass, along the axes of the body.
        com: (n, 3) centre of mass and of the shape in the body frame (m); zero for a free body.
        restitution: (n,). drag_area: (n,) drag coefficient times area (m²).
        anchor, axis: (n, 3) of a hinge (m, unit vector). damping: (n,) N m s/rad. frictionloss: (n,) N m.
        static_pos: (s, 3) centres of the static boxes (m). static_quat: (s, 4). static_half: (s, 3) half extents (m);
            zero marks an absent box.
        pair_friction: (c,) coefficient of sliding friction of each of `pairs(n, s)`.
        gravity: () m/s², downwards.
    """

    shape: jax.Array
    joint: jax.Array
    size: jax.Array
    mass: jax.Array
    inertia: jax.Array
    com: jax.Array
    restitution: jax.Array
    drag_area: jax.Array
    anchor: jax.Array
    axis: jax.Array
    damping: jax.Array
    frictionloss: jax.Array
    static_pos: jax.Array
    static_quat: jax.Array
    static_half: jax.Array
    pair_friction: jax.Array
    gravity: jax.Array


class State(struct.PyTreeNode):
    """What changes.

    Attributes:
        time: () s.
        qpos: (n, 7): position (m) and quaternion of a free body; angle (rad) of a hinged one, the rest zero.
        qvel: (n, 6): velocity (m/s) and angular velocity in the body frame (rad/s) of a free body; rate (rad/s) of a
            hinged one, the rest zero.
    """

    time: jax.Array
    qpos: jax.Array
    qvel: jax.Array


class Trajectory(struct.PyTreeNode):
    """A scene at its saved times.

    Attributes:
        times: (t,) s. qpos: (t, n, 7). qvel: (t, n, 6).
        touching: (t, c) whether the pair touched since the saved time before (the start, for the first).
        impulse: (t, c) normal impulse over the same interval (N s).
        first_touch: (c,) time of the first contact (s), inf if there is none; at the resolution of the inner step.
        depth: (c,) deepest overlap at the ends of inner steps (m), 0 where there is none.
        status: () int32, `jaxphys_kernels.status.Status`.
    """

    times: jax.Array
    qpos: jax.Array
    qvel: jax.Array
    touching: jax.Array
    impulse: jax.Array
    first_touch: jax.Array
    depth: jax.Array
    status: jax.Array


def pair_index(n: int, s: int, kept_bodies: Sequence[int], kept_statics: Sequence[int]) -> tuple[int, ...]:
    """Positions in `pairs(n, s)` of the pairs of some of the bodies and static boxes, in the order of theirs."""
    where = {pair: k for k, pair in enumerate(pairs(n, s))}
    names = (*kept_bodies, *(n + k for k in kept_statics))
    return tuple(
        where[(kept_bodies[i], FLOOR if j == FLOOR else names[j])]
        for i, j in pairs(len(kept_bodies), len(kept_statics))
    )
