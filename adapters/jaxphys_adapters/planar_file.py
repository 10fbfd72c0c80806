"""Planar scenes of `jaxphys simulate planar`: a `planar_scene`, or the `scene.json` of a benchmark's data set.

A `planar_scene` says all of a scene in SI units; pairs of bodies that are not listed obey `law`:

    {"kind": "planar_scene", "units": "SI", "g": 9.8, "t_end": 3.0, "law": "regular",
     "bodies": [{"shape": "cube", "size": 0.2, "pos": [0, 0], "vel": [1, 0], "mu": 0.1},
                {"shape": "cube", "size": 0.2, "pos": [0.6, 0], "mass": null}],
     "pairs": [{"bodies": [0, 1], "law": "keep_momentum", "params": {}}]}

A mass of null is that of a body which nothing moves, for example a wall; `size` may be two half extents. Files are
untrusted: unknown fields, NaN, and scenes that are not physical are errors that name the field and the fix.
"""

from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from jaxphys import laws, planar
from jaxphys_adapters import layout

Point = tuple[float, float]

MAX_BODIES = 64


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Body(_Part):
    """A body; what is not said is at rest, without spin friction, and of 1 kg."""

    shape: Literal["sphere", "cylinder", "cube"]
    size: float | Point
    pos: Point
    vel: Point = (0.0, 0.0)
    yaw: float = 0.0
    spin: float = 0.0
    roll: Point | Literal["rolling"] = (0.0, 0.0)
    mass: float | None = Field(1.0, gt=0)
    mu: float = Field(0.24, ge=0)
    mu_roll: float = Field(0.0, ge=0)
    kappa: float = Field(0.0, ge=0)
    attrs: dict[str, float] = Field(default_factory=dict)


class Pair(_Part):
    """The law of two bodies, by their places in the list."""

    bodies: tuple[int, int]
    law: str
    params: dict[str, float] = Field(default_factory=dict)


class PlanarScene(_Part):
    """A `planar_scene`; `model` is a remark for people."""

    kind: Literal["planar_scene"]
    units: Literal["SI"] = "SI"
    model: str = ""
    g: float = Field(9.8, gt=0)
    t_end: float = Field(gt=0)
    law: str = "regular"
    bodies: tuple[Body, ...] = Field(min_length=1, max_length=MAX_BODIES)
    pairs: tuple[Pair, ...] = ()

    @model_validator(mode="after")
    def _known(self) -> Self:
        for pair in self.pairs:
            first, second = pair.bodies
            if not 0 <= first < second < len(self.bodies):
                raise ValueError(f"pairs: {list(pair.bodies)}; give two bodies below {len(self.bodies)}, smaller first")
        for name in (self.law, *(pair.law for pair in self.pairs)):
            laws.get(name)
        return self

    def lower(self) -> tuple[planar.World, planar.State]:
        """World and state of a batch of one scene, NumPy float64 leaves."""
        first, second = planar.pairs(len(self.bodies))
        place = {pair: k for k, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
        law, given = [self.law] * len(place), dict[int, dict[str, float]]()
        for pair in self.pairs:
            law[place[pair.bodies]] = pair.law
            given[place[pair.bodies]] = pair.params
        names = {name for params in given.values() for name in params}
        params = {
            name: np.array(
                [given.get(k, {}).get(name, laws.get(one).defaults.get(name, 0.0)) for k, one in enumerate(law)]
            )
            for name in names
        }

        def column(name: str) -> np.ndarray:
            return np.array([getattr(body, name) for body in self.bodies])

        return planar.make_scene(
            shape=[body.shape for body in self.bodies],
            size=[[body.size if isinstance(body.size, tuple) else (body.size, body.size) for body in self.bodies]],
            pos=[[body.pos for body in self.bodies]],
            vel=[[body.vel for body in self.bodies]],
            roll=np.array([[body.vel if body.roll == "rolling" else body.roll for body in self.bodies]]),
            mass=[np.inf if body.mass is None else body.mass for body in self.bodies],
            yaw=column("yaw"),
            spin=column("spin"),
            mu=column("mu"),
            mu_roll=column("mu_roll"),
            kappa=column("kappa"),
            g=self.g,
            law=np.array(law, object),
            params=params,
            attrs={
                name: np.array([body.attrs.get(name, 0.0) for body in self.bodies])
                for name in {name for body in self.bodies for name in body.attrs}
            },
        )


def read_planar_file(path: Path) -> tuple[planar.World, planar.State, float]:
    """World and state (a batch of one) and end time (s) of a scene file of either form.

    Raises:
        ValueError: the file cannot be read, or the scene is faulty; pydantic's ValidationError is one.
    """
    content = layout.read_json(path, constants=True)
    if "kind" in content:
        scene = PlanarScene.model_validate(content)
        return (*scene.lower(), scene.t_end)
    if "things" in content:
        return _read_sample(content)
    raise ValueError(f'{path}: no scene; give "kind": "planar_scene", or the scene.json of a data set')


def _read_sample(content: dict[str, Any]) -> tuple[planar.World, planar.State, float]:
    """A sample of InPhyRe, read by its own schema."""
    from jaxphys_benchmarks import registry

    benchmark = registry.get("inphyre")
    spec = benchmark.spec_type.model_validate(content)
    world, state = benchmark.lower([spec])
    film = content["film"]
    return world, state, float(film["frames"]) / float(film["fps"])
