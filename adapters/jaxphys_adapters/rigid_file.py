"""Rigid scenes of `jaxphys simulate rigid`: a `rigid_scene`, or the `scene.json` of a benchmark's data set.

A `rigid_scene` says all of a scene in SI units, z up, floor at z = 0:

    {"kind": "rigid_scene", "units": "SI", "g": 9.81, "t_end": 2.0, "floor_friction": 0.5,
     "bodies": [{"shape": "sphere", "size": 0.05, "pos": [0, 0, 1], "vel": [1, 0, 0], "mass": 0.3, "restitution": 0.6},
                {"shape": "box", "size": [0.4, 0.02, 1], "mass": 20, "hinge": {"axis": [0, 0, 1], "com": [0.4, 0, 1]}}],
     "statics": [{"pos": [0, 0, 0.73], "half": [0.4, 0.3, 0.02], "friction": 0.5}],
     "rules": {"substeps": 4, "cone": "elliptic", "bounce": true}}

Sizes: the radius of a sphere, three half extents of a box, radius and half height of a prism (a 12-sided cylinder),
radius and half length without the caps of a capsule. Quaternions are w, x, y, z; velocities are those of the world
frame. Files are untrusted: unknown fields, NaN, and scenes that are not physical are errors that name the field and the
fix.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from jaxphys import rigid
from jaxphys_adapters import layout

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

MAX_BODIES, MAX_STATICS = 32, 32
UNIT = 1e-6
"""By which the length of a quaternion or an axis may differ from 1."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Hinge(_Part):
    """A hinge to the world; a body that it holds touches nothing.

    Attributes:
        anchor: a point of the axis (m). axis: unit vector. com: centre of the body from the anchor at angle 0 (m).
        angle, rate: at the start (rad, rad/s). damping: N m s/rad. frictionloss: N m.
    """

    anchor: Vector = (0.0, 0.0, 0.0)
    axis: Vector
    com: Vector
    angle: float = 0.0
    rate: float = 0.0
    damping: float = Field(default=0.0, ge=0)
    frictionloss: float = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _unit(self) -> Self:
        _check_unit("axis", self.axis)
        return self


class Body(_Part):
    """A body; what is not said is at rest and unturned. With a hinge, pos, quat, vel and omega follow from it."""

    shape: Literal["sphere", "box", "prism", "capsule"]
    size: float | tuple[float, float] | Vector
    mass: float = Field(gt=0)
    pos: Vector | None = None
    quat: Quaternion = (1.0, 0.0, 0.0, 0.0)
    vel: Vector = (0.0, 0.0, 0.0)
    omega: Vector = (0.0, 0.0, 0.0)
    friction: float = Field(default=0.4, ge=0)
    restitution: float = Field(default=0.0, ge=0, le=1)
    drag_area: float = Field(default=0.0, ge=0)
    inertia: Vector | None = None
    hinge: Hinge | None = None

    @model_validator(mode="after")
    def _physical(self) -> Self:
        lengths = self.size if isinstance(self.size, tuple) else (self.size,)
        if len(lengths) != _LENGTHS[self.shape] or min(lengths) <= 0:
            raise ValueError(f"size: {self.size} for a {self.shape}; give {_SIZES[self.shape]}, each > 0 m")
        if self.inertia is not None and min(self.inertia) <= 0:
            raise ValueError(f"inertia: {list(self.inertia)}; give three principal moments > 0 kg m², or leave it out")
        if self.hinge is None and self.pos is None:
            raise ValueError("pos: a free body needs one; give its centre [x, y, z] in m, or a hinge")
        _check_unit("quat", self.quat)
        return self

    @property
    def extents(self) -> Vector:
        """Size as the core has it, three numbers."""
        if isinstance(self.size, float):
            return (self.size,) * 3
        return self.size if len(self.size) == 3 else (self.size[0], self.size[0], self.size[1])


_LENGTHS = {"sphere": 1, "box": 3, "prism": 2, "capsule": 2}
_SIZES = {
    "sphere": "its radius",
    "box": "three half extents",
    "prism": "radius and half height",
    "capsule": "radius and half length",
}


class Static(_Part):
    """A box that nothing moves."""

    pos: Vector
    half: Vector
    quat: Quaternion = (1.0, 0.0, 0.0, 0.0)
    friction: float = Field(default=0.5, ge=0)

    @model_validator(mode="after")
    def _physical(self) -> Self:
        if min(self.half) <= 0:
            raise ValueError(f"half: {list(self.half)}; give three half extents > 0 m")
        _check_unit("quat", self.quat)
        return self


class Rules(_Part):
    """How it is simulated; see `jaxphys.rigid.Rules`."""

    dt: float = Field(default=1 / 240, gt=0, le=0.1)
    substeps: int = Field(default=4, ge=1, le=1000)
    cone: Literal["elliptic", "pyramidal"] = "elliptic"
    impratio: float = Field(default=1.0, gt=0)
    drag: bool = False
    bounce: bool = False
    capacity: int | None = Field(default=None, ge=1)

    def lower(self) -> rigid.Rules:
        """Rules of the core."""
        return rigid.Rules(**self.model_dump())


class RigidScene(_Part):
    """A `rigid_scene`; `model` is a remark for people."""

    kind: Literal["rigid_scene"]
    units: Literal["SI"] = "SI"
    model: str = ""
    g: float = Field(default=9.81, ge=0)
    t_end: float = Field(gt=0)
    floor_friction: float = Field(default=0.5, ge=0)
    bodies: tuple[Body, ...] = Field(min_length=1, max_length=MAX_BODIES)
    statics: tuple[Static, ...] = Field(default=(), max_length=MAX_STATICS)
    rules: Rules = Rules()

    def lower(self) -> tuple[rigid.World, rigid.State]:
        """World and state of a batch of one scene, NumPy float64 leaves."""
        plain = Hinge(axis=(0, 0, 1), com=(0, 0, 0))
        held = [body.hinge or plain for body in self.bodies]

        def each(parts: Any, name: str) -> np.ndarray:
            return np.array([[getattr(part, name) for part in parts]], dtype=np.float64)

        of_bodies: dict[str, Any] = {
            name: each(self.bodies, name)
            for name in ("mass", "quat", "vel", "omega", "friction", "restitution", "drag_area")
        }
        of_hinges: dict[str, Any] = {
            name: each(held, name) for name in ("anchor", "axis", "com", "angle", "rate", "damping", "frictionloss")
        }
        of_statics: dict[str, Any] = {
            f"static_{name}": each(self.statics, name) for name in ("pos", "half", "quat", "friction") if self.statics
        }
        return rigid.make_scene(
            shape=[body.shape for body in self.bodies],
            joint=["free" if body.hinge is None else "hinge" for body in self.bodies],
            size=each(self.bodies, "extents"),
            pos=np.array([[body.pos or (0.0, 0.0, 0.0) for body in self.bodies]]),
            inertia=self._inertia(),
            floor_friction=self.floor_friction,
            gravity=self.g,
            **of_bodies,
            **of_hinges,
            **of_statics,
        )

    def _inertia(self) -> np.ndarray | None:
        """(1, n, 3) moments where some body says its own, the others being uniform solids; else None."""
        if all(body.inertia is None for body in self.bodies):
            return None
        solid = rigid.make_scene(
            shape=[body.shape for body in self.bodies],
            size=np.array([[body.extents for body in self.bodies]]),
            pos=np.zeros((1, len(self.bodies), 3)),
            mass=np.array([[body.mass for body in self.bodies]]),
        )[0].inertia
        given = [body.inertia or solid[0, k] for k, body in enumerate(self.bodies)]
        return np.array([given], dtype=np.float64)


def _check_unit(name: str, values: tuple[float, ...]) -> None:
    length = math.hypot(*values)
    if abs(length - 1) > UNIT:
        raise ValueError(f"{name}: {list(values)} has length {length:g}; give one of length 1")


@dataclass(frozen=True)
class RigidFile:
    """What a file holds: a batch of one scene, its end time (s), and how it is simulated."""

    world: rigid.World
    state: rigid.State
    t_end: float
    rules: rigid.Rules


def read_rigid_file(path: Path) -> RigidFile:
    """The scene of a file of either form.

    Raises:
        ValueError: the file cannot be read, or the scene is faulty; pydantic's ValidationError is one.
    """
    content = layout.read_json(path, constants=True)
    if "kind" in content:
        scene = RigidScene.model_validate(content)
        return RigidFile(*scene.lower(), scene.t_end, scene.rules.lower())
    if "physics" in content:
        return _read_sample(content)
    raise ValueError(f'{path}: no scene; give "kind": "rigid_scene", or the scene.json of a data set')


def _read_sample(content: Mapping[str, Any]) -> RigidFile:
    """A scene of ReactHuman, read by its own schema."""
    from jaxphys_benchmarks import registry

    benchmark = registry.get("reacthuman")
    spec = benchmark.spec_type.model_validate(content)
    world, state = benchmark.lower([spec])
    physics = content["physics"]
    rules = rigid.Rules(
        dt=float(physics["dt"]),
        substeps=int(physics["substeps"]),
        cone=physics["cone"],
        solref=(float(physics["solref"][0]), float(physics["solref"][1])),
        drag=physics["drag"] == "quadratic",
        bounce=physics["bounce"] == "contact",
    )
    return RigidFile(world, state, float(content["scene"]["horizon"]), rules)
