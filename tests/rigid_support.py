"""Rigid scenes that several tests need, through the face of the core."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jaxphys import rigid
from tests.oracle.scene import Floats

FAST = rigid.Rules(substeps=1)
RATE = 240
"""Recorded steps per second."""


def steps(count: int, first: int = 1) -> Floats:
    """Times (s) of recorded steps `first`..`count`."""
    return np.arange(first, count + 1) / RATE


def about(axis: Any, angle: float) -> Floats:
    """Quaternion of a turn by `angle` (rad) about an axis of any length."""
    unit = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) * unit])


def rotated(quat: Floats, vector: Any) -> Floats:
    """A vector (3,) turned by quaternions (..., 4)."""
    w, axis = quat[..., :1], quat[..., 1:]
    turned = 2 * np.cross(axis, np.asarray(vector, float))
    return np.asarray(np.asarray(vector, float) + w * turned + np.cross(axis, turned))


@dataclass
class Path:
    """One scene: its bodies at the saved times, (t, n, ...), world frame, and the trajectory of a batch of one."""

    times: Floats
    pos: Floats
    quat: Floats
    vel: Floats
    omega: Floats
    energy: Floats
    end: rigid.Trajectory = field(repr=False)

    @property
    def touching(self) -> Floats:
        """(t, c)."""
        return np.asarray(self.end.touching[0])

    @property
    def first_touch(self) -> Floats:
        """(c,) s."""
        return np.asarray(self.end.first_touch[0])


PER_SCENE = (
    "size", "pos", "quat", "vel", "omega", "inertia", "anchor", "axis", "com", "static_pos", "static_half",
    "static_quat",
)  # fmt: skip
"""Arguments of `make_scene` that must have the scene axis."""


def run(
    times: Any, rules: rigid.Rules = rigid.PARITY, backend: str = "c", pair_friction: float | None = None, **scene: Any
) -> Path:
    """One scene given without its batch axis."""
    given = {name: np.asarray([value], float) if name in PER_SCENE else value for name, value in scene.items()}
    world, state = rigid.make_scene(**given)
    if pair_friction is not None:
        world = world.replace(pair_friction=np.full_like(world.pair_friction, pair_friction))
    return roll(world, state, times, rules, backend)


def roll(
    world: rigid.World, state: rigid.State, times: Any, rules: rigid.Rules = rigid.PARITY, backend: str = "c"
) -> Path:
    """A batch of one scene; time 0 is the start itself."""
    asked = np.atleast_1d(np.asarray(times, float))
    end = rigid.rollout(world, state, asked[asked > 0], rules=rules, backend=backend)
    if asked[0] == 0:
        end = _with_start(state, end)
    moving = rigid.motion(world, end.qpos, end.qvel)
    energy = rigid.energy(world, end.qpos, end.qvel)
    return Path(
        times=np.asarray(end.times[0]),
        **{name: np.asarray(getattr(moving, name)[0]) for name in ("pos", "quat", "vel", "omega")},
        energy=np.asarray(energy.kinetic + energy.potential)[0],
        end=end,
    )


def _with_start(state: rigid.State, end: rigid.Trajectory) -> rigid.Trajectory:
    def put(first: Any, rest: Any) -> Any:
        return np.concatenate([np.asarray(first)[:, None], rest], axis=1)

    return end.replace(
        times=put(state.time, end.times),
        qpos=put(state.qpos, end.qpos),
        qvel=put(state.qvel, end.qvel),
        touching=put(np.zeros_like(end.touching[:, 0]), end.touching),
        impulse=put(np.zeros_like(end.impulse[:, 0]), end.impulse),
    )


@dataclass(frozen=True)
class Slope:
    """A static box whose upper side, a square, goes down towards +x at an angle (rad) from a point above the floor."""

    angle: float
    friction: float
    side: float = 12.0
    height: float = 4.0

    @property
    def down(self) -> Floats:
        return np.array([math.cos(self.angle), 0.0, -math.sin(self.angle)])

    @property
    def normal(self) -> Floats:
        return np.array([math.sin(self.angle), 0.0, math.cos(self.angle)])

    @property
    def quat(self) -> Floats:
        return about((0, 1, 0), self.angle)

    @property
    def static(self) -> dict[str, Any]:
        """Arguments of `run`."""
        half = 0.05
        return {
            "static_pos": [np.array([0.0, 0.0, self.height]) - half * self.normal],
            "static_half": [[0.5 * self.side, 0.5 * self.side, half]],
            "static_quat": [self.quat],
            "static_friction": self.friction,
        }

    def at(self, way: float, gap: float) -> Floats:
        """The point `way` down the slope from its middle and `gap` off it."""
        return np.array([0.0, 0.0, self.height]) + way * self.down + gap * self.normal

    def way(self, pos: Floats) -> Floats:
        """How far down the slope points (..., 3) are."""
        return np.asarray((pos - np.array([0.0, 0.0, self.height])) @ self.down)


DENSITY = 500.0
DROP_SHAPES = ("box", "box", "sphere", "sphere", "capsule", "capsule")
DROP_SIZES = np.array(
    [[0.06, 0.04, 0.05], [0.05] * 3, [0.05] * 3, [0.04] * 3, [0.03, 0.03, 0.06], [0.03, 0.03, 0.05]], float
)
DROP_POS = np.array(
    [[0, 0, 1.2], [0.22, 0.1, 1.35], [-0.2, 0.05, 1.3], [0.55, 0, 1.1], [-0.05, -0.18, 1.4], [0.18, -0.15, 1.25]], float
)
DROP_QUAT = np.stack(
    [
        about((1, 2, 3), math.radians(20)),
        *[about((0, 0, 1), 0.0)] * 3,
        about((1, 0, 0), math.radians(70)),
        about((0, 1, 0), math.radians(30)),
    ]
)


def drop(count: int, seed: int = 0) -> tuple[rigid.World, rigid.State]:
    """`count` variants of the drop scene of the performance document, section 9.2; the first is the scene itself."""
    shift = np.random.default_rng(seed).uniform(-0.01, 0.01, (count, 6, 3))
    shift[0] = 0
    return rigid.make_scene(
        shape=DROP_SHAPES,
        size=np.broadcast_to(DROP_SIZES, (count, 6, 3)),
        pos=DROP_POS + shift,
        quat=np.broadcast_to(DROP_QUAT, (count, 6, 4)),
        mass=np.broadcast_to(drop_mass(), (count, 6)),
        friction=0.5,
        static_pos=np.broadcast_to([[0.0, 0.0, 0.73]], (count, 1, 3)),
        static_half=np.broadcast_to([[0.4, 0.3, 0.02]], (count, 1, 3)),
        static_friction=0.5,
        floor_friction=0.5,
    )


def drop_mass() -> Floats:
    """Masses (6,) of the bodies of the drop scene (kg)."""
    r, half = DROP_SIZES[:, 0], DROP_SIZES[:, 2]
    volume = {
        "box": 8 * DROP_SIZES.prod(axis=-1),
        "sphere": 4 / 3 * math.pi * r**3,
        "capsule": math.pi * r**2 * (2 * half + 4 / 3 * r),
    }
    return DENSITY * np.array([volume[shape][k] for k, shape in enumerate(DROP_SHAPES)])


KINDS: tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...] = (
    (("sphere", "box", "absent"), ("free", "free", "free"), 1),
    (("prism", "absent", "sphere"), ("free", "free", "free"), 0),
    (("absent", "box", "capsule"), ("free", "hinge", "free"), 2),
    (("capsule", "absent", "absent"), ("hinge", "free", "free"), 0),
)
"""Shapes, joints and number of static boxes of the scenes of `mixed`: few, as each kind compiles its own programs."""


def mixed(count: int, seed: int = 0) -> tuple[rigid.World, rigid.State]:
    """Scenes of one or two bodies of all shapes, some hinged, over nothing, a table or a table and a slope."""
    rng = np.random.default_rng(seed)
    n, s = 3, 2
    kinds = [KINDS[k] for k in rng.integers(0, len(KINDS), count)]
    shape = np.array([kind[0] for kind in kinds], object)
    radius = rng.uniform(0.04, 0.08, (count, n))
    size = np.stack([radius, radius, rng.uniform(0.04, 0.09, (count, n))], axis=-1)
    size = np.where((shape == "sphere")[..., None], radius[..., None], size)
    place = np.stack(
        [
            0.35 * (np.arange(n) - 1) + rng.uniform(-0.05, 0.05, (count, n)),
            rng.uniform(-0.1, 0.1, (count, n)),
            rng.uniform(0.85, 1.0, (count, n)),
        ],
        axis=-1,
    )
    turn = rng.normal(size=(count, n, 4))
    boxes = np.array([[kind[2]] for kind in kinds])
    half = np.where((np.arange(s) < boxes)[..., None], np.array([[0.4, 0.3, 0.02], [0.3, 0.3, 0.05]]), 0.0)
    return rigid.make_scene(
        shape=shape,
        size=size,
        pos=place,
        quat=turn / np.linalg.norm(turn, axis=-1, keepdims=True),
        vel=0.5 * rng.normal(size=(count, n, 3)),
        omega=3 * rng.normal(size=(count, n, 3)),
        mass=rng.uniform(0.1, 2.0, (count, n)),
        friction=rng.uniform(0.2, 0.8, (count, n)),
        restitution=rng.uniform(0.0, 0.9, (count, n)),
        drag_area=rng.uniform(0.0, 0.02, (count, n)),
        static_pos=np.broadcast_to([[0.0, 0.0, 0.7], [0.6, 0.0, 0.3]], (count, s, 3)),
        static_half=half,
        static_quat=np.broadcast_to([about((0, 1, 0), 0.0), about((0, 1, 0), 0.35)], (count, s, 4)),
        joint=np.array([kind[1] for kind in kinds], object),
        anchor=place,
        axis=np.broadcast_to([0.0, 1.0, 0.0], (count, n, 3)),
        com=np.broadcast_to([0.0, 0.0, -0.3], (count, n, 3)),
        angle=rng.uniform(-1, 1, (count, n)),
    )
