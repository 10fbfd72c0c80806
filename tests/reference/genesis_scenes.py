"""Writes `genesis/scenes.json`, what `genesis_record` reads: `python -m tests.reference.genesis_scenes`.

`MADE` are scenes by hand, each about one thing that engines may do differently; `DRAWN` are scenes of ReactHuman as
its families draw them under `parity = "genesis"`, all 17 families; `EULER` are some of both once more, for Genesis'
other integrator. A stored scene stays as it was recorded when its family changes.
"""

import json
import math
from pathlib import Path
from typing import Any

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.planner import plan_group
from jaxphys_benchmarks.reacthuman.sample import groups
from jaxphys_benchmarks.reacthuman.scene import Box, Hinge, Scene, Thing

SCENES = Path(__file__).with_name("genesis") / "scenes.json"
MU = 0.35


def turned(degrees: float, axis: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> tuple[float, float, float, float]:
    """The quaternion of a rotation about a unit vector."""
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * x for x in axis))


def ball(radius: float = 0.1, mass: float = 1.0, **start: object) -> Thing:
    return Thing.model_validate(
        {"name": "object", "shape": "sphere", "size": (radius,) * 3, "mass": mass, "friction": MU, **start}
    )


def block(half: tuple[float, float, float] = (0.1, 0.1, 0.1), mass: float = 1.0, **start: object) -> Thing:
    return Thing.model_validate({"name": "object", "shape": "box", "size": half, "mass": mass, "friction": MU, **start})


def can(shape: str, **start: object) -> Thing:
    return Thing.model_validate(
        {"name": "object", "shape": shape, "size": (0.04, 0.04, 0.11), "mass": 0.5, "friction": MU, **start}
    )


def alone(thing: Thing, *boxes: Box) -> Scene:
    return Scene(things=(thing,), boxes=boxes, floor_friction=MU)


def on_ramp(degrees: float, mu: float) -> Scene:
    """A box at rest on a slope, 1 mm above it."""
    tilt, half = turned(degrees), 0.05
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    ramp = Box(name="ramp", pos=(0, 0, 1.0), half=(0.3, 0.8, 0.02), quat=tilt, friction=mu)
    up, along = 0.02 + half + 0.0005, 0.5
    pos = (0.0, along * c - up * s, 1.0 + along * s + up * c)
    return Scene(things=(block((half,) * 3, friction=mu, pos=pos, quat=tilt),), boxes=(ramp,), floor_friction=mu)


HEADING = math.radians(22.5)

MADE: dict[str, tuple[Scene, float]] = {
    "sphere_drop": (alone(ball(pos=(0, 0, 0.6))), 2.0),
    "box_slide": (alone(block(pos=(0, 0, 0.1), vel=(2 * math.cos(HEADING), 2 * math.sin(HEADING), 0))), 2.0),
    "slide_roll": (alone(ball(pos=(0, 0, 0.1), vel=(2, 0, 0))), 2.0),
    "golden_bounce": (alone(ball(0.028, 0.156, pos=(-0.785, 0.557, 0.028), vel=(-0.273, -1.806, 3.445))), 1.0),
    "spinning_throw": (
        alone(block((0.08, 0.05, 0.02), 0.7, pos=(0, 0, 1.5), vel=(0.3, -3, 2), omega=(2, 5, -7))),
        1.5,
    ),
    "flat_drop": (alone(block((0.075, 0.11, 0.015), 0.7, pos=(0, 0, 0.5))), 1.5),
    "tilted_drop": (
        alone(block((0.075, 0.11, 0.055), 2.0, pos=(0, 0, 0.6), quat=turned(25, (0.6, 0.8, 0)), omega=(0.5, -1, 0.3))),
        2.0,
    ),
    "prism_drop": (alone(can("prism", pos=(0, 0, 0.5), quat=turned(20))), 2.0),
    "capsule_drop": (alone(can("capsule", pos=(0, 0, 0.5), quat=turned(20))), 2.0),
    "ramp_slide": (on_ramp(35, 0.45), 1.0),
    "ramp_hold": (on_ramp(25, 0.6), 1.0),
    "stack": (
        Scene(
            things=tuple(
                Thing(
                    name=f"object_{i}" if i else "object",
                    shape="box",
                    size=(0.1, 0.08, 0.05),
                    mass=1.0 + i,
                    friction=0.5,
                    pos=(0.01 * i, 0, 0.0505 + 0.101 * i),
                )
                for i in range(3)
            )
        ),
        1.5,
    ),
    "pendulum": (
        alone(
            block(
                (0.18, 0.12, 0.25),
                17.3,
                hinge=Hinge(
                    anchor=(0.2, 0.1, 2.5), axis=(1, 0, 0), com=(0, 0, -1.3), angle=0.8, rate=-0.5, damping=0.2
                ),
            )
        ),
        1.5,
    ),
    "door": (
        alone(
            block(
                (0.46, 0.0225, 1.0),
                55.5,
                hinge=Hinge(anchor=(0.5, -2, 1.0), axis=(0, 0, 1), com=(0.46, 0, 0), angle=1.45, rate=-1.5),
            )
        ),
        1.0,
    ),
}


SEED, BAND, HORIZON, GROUPS = 7, "normal", 2.0, 24

DRAWN: dict[str, tuple[str, ...]] = {
    "object_drop": ("sphere", "box", "prism", "capsule"),
    "shelf_slide": ("box", "prism"),
    "hanging_fall": ("box", "prism"),
    "ceiling_drop": ("box",),
    "sliding_object": ("box", "prism"),
    "rolling_ball": ("sphere",),
    "surface_cascade": ("sphere", "box"),
    "furniture_tip": ("box", "prism"),
    "stack_collapse": ("box",),
    "ladder_slip": ("box",),
    "door_swing": ("box",),
    "pendulum_swing": ("sphere", "box"),
    "thrown_object": ("sphere", "box"),
    "bouncing_object": ("sphere",),
    "stair_tumble": ("sphere", "capsule"),
    "chain_reaction": ("sphere", "box", "prism"),
    "multi_object": ("sphere", "box"),
}
"""Shapes of the object, by family; of each the first group that is about such an object."""

EULER = (
    "spinning_throw",
    "tilted_drop",
    "furniture_tip_box",
    "hanging_fall_box",
    "ladder_slip_box",
    "thrown_object_box",
)


def chosen() -> dict[str, tuple[str, int]]:
    """Names of the drawn scenes, with their families and groups."""
    config, found = ReactHumanConfig(parity="genesis"), {}
    for family, shapes in DRAWN.items():
        plans = [plan_group(config, SEED, family, group) for group in range(GROUPS)]
        colliders = [config.catalogue.get(plan.premise.object, family).collider for plan in plans]
        found |= {f"{family}_{shape}": (family, colliders.index(shape)) for shape in shapes}
    return found


def drawn() -> dict[str, dict[str, Any]]:
    """Entries of the drawn scenes."""
    wanted = chosen()
    made = groups(ReactHumanConfig(parity="genesis"), SEED, list(wanted.values()))
    entries = {}
    for name, key in wanted.items():
        spec = made[key].specs[BAND]
        entries[name] = {
            "family": spec.family,
            "object": spec.object,
            "horizon": HORIZON,
            "scene": spec.scene.model_dump(mode="json"),
        }
    return entries


def main() -> None:
    """Write the file."""
    entries: dict[str, dict[str, Any]] = {
        name: {
            "family": "",
            "object": "",
            "horizon": horizon,
            "scene": scene.model_dump(mode="json"),
        }
        for name, (scene, horizon) in MADE.items()
    }
    entries |= drawn()
    for name in EULER:
        entries[f"{name}_euler"] = {**entries[name], "horizon": 1.0, "integrator": "Euler"}
    SCENES.write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
