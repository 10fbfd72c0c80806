"""The physical part of a spec: bodies, static boxes and how they start; all that the simulator needs.

SI units; +X east, +Y north (away from the observer), +Z up, floor at z = 0. Sizes are those of
`jaxphys_kernels.rigid.model.World`: sphere (r, r, r), box half extents, prism (r, r, half height), capsule along its
z axis (r, r, half length without caps). Quaternions are w, x, y, z; velocities are those of the world frame.
"""

import math
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
ShapeName = Literal["sphere", "box", "prism", "capsule"]

Coordinate = Annotated[float, Field(ge=-100, le=100)]
Place = tuple[Coordinate, Coordinate, Coordinate]
"""A place: no room is larger (m)."""

Speed = Annotated[float, Field(ge=-1000, le=1000)]
Spin = Annotated[float, Field(ge=-1e5, le=1e5)]
"""Components of velocities (m/s) and of spins (rad/s; a pebble of 1 mm rolls at 1000 rad/s)."""

SMALLEST, LARGEST = 1e-4, 20.0
"""Limits of half extents and radii (m)."""

UNIT = 1e-4
"""By which the length of a unit vector may be off: its numbers are rounded to 1e-6."""

MAX_BODIES, MAX_BOXES = 6, 7
"""Most bodies and static boxes of a scene: a trigger with five objects; the stairs."""


class Part(BaseModel):
    """A piece of a spec: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def _sized(size: Vector, field: str, name: str) -> None:
    if not all(SMALLEST <= number <= LARGEST for number in size):
        raise ValueError(f"{field}: {size} of {name}; give numbers from {SMALLEST:g} to {LARGEST:g} m")


def _directed(direction: tuple[float, ...], field: str, name: str) -> None:
    if abs(math.hypot(*direction) - 1) > UNIT:
        raise ValueError(
            f"{field}: {direction} of {name} has length {math.hypot(*direction):.4g}; give one of length 1"
        )


class Hinge(Part):
    """A hinge that holds a body to the world.

    Attributes:
        anchor: a point of the axis (m). axis: unit vector.
        com: centre of the body from the anchor at angle 0 (m).
        angle: at the start (rad). rate: at the start (rad/s). damping: N m s/rad.
    """

    anchor: Place
    axis: Vector
    com: Place
    angle: float = Field(ge=-100, le=100)
    rate: Spin
    damping: float = Field(default=0.0, ge=0, le=1e6)

    @model_validator(mode="after")
    def _along(self) -> Self:
        _directed(self.axis, "axis", "the hinge")
        return self


class Thing(Part):
    """A body that moves.

    Attributes:
        name: unique in the scene; the object that the scene is about is "object", its like "object_1", ...
        object: name in the catalogue; "" for a trigger.
        shape: collider. size: m. mass: kg.
        friction: of the body; of a pair the larger one counts. restitution: of the bounce law.
        drag_area: drag coefficient times area (m²).
        pos: centre (m). quat: orientation. vel: m/s and omega: rad/s at t = 0, in the world frame; a body of a scene
            with `hold` rests before.
        hinge: or None for a free body; then pos, quat, vel and omega follow from it and are ignored.
    """

    name: str = Field(min_length=1, max_length=40, pattern="^[a-z0-9_]+$")
    object: str = ""
    shape: ShapeName
    size: Vector
    mass: float = Field(ge=1e-6, le=1e5)
    friction: float = Field(default=0.4, ge=0, le=10)
    restitution: float = Field(default=0.0, ge=0, le=1)
    drag_area: float = Field(default=0.0, ge=0, le=100)
    pos: Place = (0.0, 0.0, 0.0)
    quat: Quaternion = (1.0, 0.0, 0.0, 0.0)
    vel: tuple[Speed, Speed, Speed] = (0.0, 0.0, 0.0)
    omega: tuple[Spin, Spin, Spin] = (0.0, 0.0, 0.0)
    hinge: Hinge | None = None

    @model_validator(mode="after")
    def _possible(self) -> Self:
        _sized(self.size, "size", self.name)
        _directed(self.quat, "quat", self.name)
        return self


class Box(Part):
    """A box that nothing moves: table, stool, shelf, wall, ramp, step.

    Attributes:
        name: unique in the scene, for example "table", "stool", "step_3".
        pos: centre (m). half: half extents (m). friction: see `Thing`.
    """

    name: str = Field(min_length=1, max_length=40, pattern="^[a-z0-9_]+$")
    pos: Place
    half: Vector
    quat: Quaternion = (1.0, 0.0, 0.0, 0.0)
    friction: float = Field(default=0.5, ge=0, le=10)

    @model_validator(mode="after")
    def _possible(self) -> Self:
        _sized(self.half, "half", self.name)
        _directed(self.quat, "quat", self.name)
        return self


class Scene(Part):
    """Everything that is simulated.

    Attributes:
        things: bodies. boxes: what they meet besides the floor. floor_friction: see `Thing`.
        hold: time for which the bodies rest before t = 0 (s), so that they have settled when the launch comes.
        horizon: simulated time (s).
        g: m/s².
    """

    things: tuple[Thing, ...] = Field(min_length=1, max_length=MAX_BODIES)
    boxes: tuple[Box, ...] = Field(default=(), max_length=MAX_BOXES)
    floor_friction: float = Field(default=0.5, ge=0, le=10)
    hold: float = Field(default=0.0, ge=0, le=60)
    horizon: float = Field(default=3.0, gt=0, le=60)
    g: float = Field(default=9.81, gt=0, le=100)

    @model_validator(mode="after")
    def _unique(self) -> Self:
        names = [thing.name for thing in self.things] + [box.name for box in self.boxes]
        if len(set(names)) != len(names) or "floor" in names:
            raise ValueError(f"things, boxes: the names {names} must be unique, and none may be floor")
        return self
