"""Scenes to arrays: where pydantic ends and the simulator begins.

A batch may mix families, shapes and numbers of bodies: scenes with fewer bodies and boxes are filled up with absent
ones, which are not simulated. Bodies and boxes keep the order of the scene.

Public functions: `lower` (specs to World and State at launch), `lower_scenes`, `rules_of`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys import rigid
from jaxphys_benchmarks.reacthuman.scene import Box, Scene, Thing
from jaxphys_benchmarks.reacthuman.spec import Physics, ReactHumanSpec
from jaxphys_kernels.rigid.model import Rules, State, World

Floats = NDArray[np.float64]

ABSENT = "absent"

_SLOTS = {"size": 3, "mass": 1, "friction": 1, "restitution": 1, "drag_area": 1, "pos": 3, "quat": 4, "vel": 3,
          "omega": 3, "anchor": 3, "axis": 3, "com": 3, "angle": 1, "rate": 1, "damping": 1}  # fmt: skip
"""Columns of a body's row, with their widths."""

_BOX_SLOTS = {"pos": 3, "half": 3, "quat": 4, "friction": 1}
"""Columns of a static box's row."""

_UPRIGHT = (1.0, 0.0, 0.0, 0.0)
_NOWHERE = (0.0, 0.0, 0.0)
_ABSENT_THING = (
    *(1.0, 1.0, 1.0), 1.0, 0.0, 0.0, 0.0, *_NOWHERE, *_UPRIGHT, *_NOWHERE, *_NOWHERE, *_NOWHERE, 0.0, 0.0, 1.0,
    *_NOWHERE, 0.0, 0.0, 0.0,
)  # fmt: skip
_ABSENT_BOX = (*_NOWHERE, *_NOWHERE, *_UPRIGHT, 0.0)


def lower(specs: Sequence[ReactHumanSpec]) -> tuple[World, State]:
    """World and State of a batch at the moment of launch, NumPy float64 leaves that lead with the scene axis.

    Raises:
        ValueError: no scenes, or one that the simulator refuses.
    """
    return lower_scenes([spec.scene for spec in specs])


def lower_scenes(scenes: Sequence[Scene]) -> tuple[World, State]:
    """As `lower`, of the physical parts alone."""
    if not scenes:
        raise ValueError("specs: empty; give at least one scene")
    b, n, s = len(scenes), max(len(scene.things) for scene in scenes), max(len(scene.boxes) for scene in scenes)
    things = [row for scene in scenes for row in _padded([_thing_row(t) for t in scene.things], n, _ABSENT_THING)]
    boxes = [row for scene in scenes for row in _padded([_box_row(box) for box in scene.boxes], s, _ABSENT_BOX)]
    body = _columns(np.array(things, dtype=np.float64).reshape(b, n, -1), _SLOTS)
    static = _columns(np.array(boxes, dtype=np.float64).reshape(b, s, sum(_BOX_SLOTS.values())), _BOX_SLOTS)
    shape, joint = [], []
    for scene in scenes:
        rest = n - len(scene.things)
        shape.append([thing.shape for thing in scene.things] + [ABSENT] * rest)
        joint.append(["free" if thing.hinge is None else "hinge" for thing in scene.things] + ["free"] * rest)
    leaves: dict[str, Any] = dict(body)
    return rigid.make_scene(
        shape=shape,
        joint=joint,
        **leaves,
        static_pos=static["pos"],
        static_half=static["half"],
        static_quat=static["quat"],
        static_friction=static["friction"],
        floor_friction=np.array([scene.floor_friction for scene in scenes]),
        gravity=np.array([scene.g for scene in scenes]),
    )


@lru_cache(maxsize=64)
def _rules(substeps: int, cone: str, solref: tuple[float, float], dt: float, drag: bool, bounce: bool) -> Rules:
    base = rigid.GENESIS if cone == "pyramidal" else rigid.PARITY
    return Rules(
        **{**vars(base), "dt": dt, "substeps": substeps, "solref": solref, "drag": drag, "bounce": bounce},
    )


def rules_of(physics: Physics) -> Rules:
    """Static numbers of the simulation of a spec."""
    drag, bounce = physics.drag == "quadratic", physics.bounce == "contact"
    return _rules(physics.substeps, physics.cone, physics.solref, physics.dt, drag, bounce)


def _padded(rows: list[tuple[float, ...]], count: int, filler: tuple[float, ...]) -> list[tuple[float, ...]]:
    return rows + [filler] * (count - len(rows))


def _columns(table: Floats, slots: dict[str, int]) -> dict[str, Floats]:
    """The columns of rows by name; those of width 1 without their axis."""
    found, at = {}, 0
    for name, width in slots.items():
        found[name] = table[..., at] if width == 1 else table[..., at : at + width]
        at += width
    return found


def _thing_row(thing: Thing) -> tuple[float, ...]:
    hinge = thing.hinge
    held = (
        (*_NOWHERE, 0.0, 0.0, 1.0, *_NOWHERE, 0.0, 0.0, 0.0)
        if hinge is None
        else (*hinge.anchor, *hinge.axis, *hinge.com, hinge.angle, hinge.rate, hinge.damping)
    )
    return (
        *thing.size, thing.mass, thing.friction, thing.restitution, thing.drag_area, *thing.pos, *thing.quat,
        *thing.vel, *thing.omega, *held,
    )  # fmt: skip


def _box_row(box: Box) -> tuple[float, ...]:
    return (*box.pos, *box.half, *box.quat, box.friction)
