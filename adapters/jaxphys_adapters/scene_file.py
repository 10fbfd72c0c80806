"""Scene files of `jaxphys simulate`: a `billiards_scene`, or the `init.json` of a benchmark scene.

A `billiards_scene` says all of a scene in SI units:

    {"kind": "billiards_scene", "units": "SI", "table": [2, 1], "r": 0.03, "mu": 0.002, "g": 9.8, "t_end": 3.0,
     "balls": [{"id": 0, "pos": [0.5, 0.5], "vel": [0.6, 0]}, {"id": 1, "pos": [1.2, 0.5]}],
     "pockets": [{"centre": [2, 1], "radius": 0.06}]}

`table` null has no walls. Files are untrusted: unknown fields, NaN, and scenes that are not physical are errors that
name the field and the fix.
"""

import itertools
import math
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from jaxphys import billiards
from jaxphys_adapters import layout
from jaxphys_kernels.billiards.model import State, World

Point = tuple[float, float]

MAX_BALLS = 256
TOUCHING = 1e-9
"""Gaps down to minus this count as touching (m)."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Ball(_Part):
    """A ball; `r` and `mass` replace those of the scene (m, kg)."""

    id: int = Field(ge=0)
    pos: Point
    vel: Point = (0.0, 0.0)
    r: float | None = Field(None, gt=0)
    mass: float | None = Field(None, gt=0)


class Pocket(_Part):
    """A ball is captured when its centre comes within `radius` of `centre` (m)."""

    centre: Point
    radius: float = Field(gt=0)


class BilliardScene(_Part):
    """A `billiards_scene`; ball 0 is the cue ball, `model` is a remark for people."""

    kind: Literal["billiards_scene"]
    units: Literal["SI"] = "SI"
    model: str = ""
    table: tuple[float, float] | None = (2.0, 1.0)
    r: float = Field(0.03, gt=0)
    mass: float = Field(1.0, gt=0)
    mu: float = Field(ge=0)
    g: float = Field(9.8, gt=0)
    t_end: float = Field(gt=0)
    balls: tuple[Ball, ...] = Field(min_length=1, max_length=MAX_BALLS)
    pockets: tuple[Pocket, ...] = ()

    @model_validator(mode="after")
    def _physical(self) -> Self:
        ids = sorted(ball.id for ball in self.balls)
        if ids != list(range(len(ids))):
            raise ValueError(f"balls: ids are {ids}; give each ball one of 0, 1, 2, ... once (0 is the cue ball)")
        if self.table is not None and min(self.table) <= 0:
            raise ValueError(f"table: {list(self.table)}; give width and height > 0 m, or null for no walls")
        for ball in self.balls:
            self._check_inside(ball)
        pairs = itertools.combinations(sorted(self.balls, key=lambda ball: ball.id), 2)
        overlapping = [[a.id, b.id] for a, b in pairs if self._gap(a, b) < -TOUCHING]
        if overlapping:
            shown = ", ".join(map(str, overlapping[:8]))
            raise ValueError(f"balls: {shown} overlap; move them apart to at least the sum of their radii")
        return self

    def radius(self, ball: Ball) -> float:
        """Radius of a ball (m)."""
        return self.r if ball.r is None else ball.r

    def _gap(self, a: Ball, b: Ball) -> float:
        return math.dist(a.pos, b.pos) - self.radius(a) - self.radius(b)

    def _check_inside(self, ball: Ball) -> None:
        radius = self.radius(ball)
        for axis, place, length in zip("xy", ball.pos, self.table or (), strict=False):
            if not radius - TOUCHING <= place <= length - radius + TOUCHING:
                raise ValueError(
                    f"balls: ball {ball.id} lies outside the table: {axis} = {place:g} m; keep its centre within"
                    f" [{radius:g}, {length - radius:g}] m, one radius from the edges"
                )

    def lower(self) -> tuple[World, State]:
        """World and state of a batch of one scene, NumPy float64 leaves."""
        balls = sorted(self.balls, key=lambda ball: ball.id)
        return billiards.make_scene(
            size=None if self.table is None else np.array(self.table),
            radius=np.array([self.radius(ball) for ball in balls]),
            mass=np.array([self.mass if ball.mass is None else ball.mass for ball in balls]),
            mu=self.mu,
            g=self.g,
            pos=np.array([[ball.pos for ball in balls]]),
            vel=np.array([[ball.vel for ball in balls]]),
            pockets=[(*pocket.centre, pocket.radius) for pocket in self.pockets] or None,
        )


def read_scene_file(path: Path) -> tuple[World, State, float]:
    """World and state (a batch of one) and end time (s) of a scene file of either form.

    Raises:
        ValueError: the file cannot be read, or the scene is faulty; pydantic's ValidationError is one.
    """
    content = layout.read_json(path, constants=True)
    if "kind" in content:
        scene = BilliardScene.model_validate(content)
        return (*scene.lower(), scene.t_end)
    if "cue" in content:
        return _read_init(content)
    raise ValueError(f'{path}: no scene; give "kind": "billiards_scene", or the init.json of a data set')


def _read_init(content: dict[str, Any]) -> tuple[World, State, float]:
    """A scene of BilliardPhys-Bench, read by its own schema."""
    from jaxphys_benchmarks import registry

    benchmark = registry.get("billiardphys")
    spec = benchmark.spec_type.model_validate(content)
    world, state = benchmark.lower([spec])
    return world, state, float(content["t"])
