"""The scenes of an environment: drawn once, measured, and kept as arrays that a lane picks its scene from.

Everything that differs between scenes is here: the model that holds robot and hazard, the hazard at the freeze, and
what is true of the scene. Public: `Facts`, `Bank`, `drawn`, `bank_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flax import struct

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.env.config import EnvConfig
from jaxphys_benchmarks.reacthuman.env.reward import SAFETY, TRUTHS
from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.model import Shared, shared
from jaxphys_benchmarks.reacthuman.execution.start import Hazard, hazards
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.recover import NONE
from jaxphys_benchmarks.reacthuman.sample import groups, wanted_groups
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.arrays import Array

ROBOT_NQ, ROBOT_NV = 36, 35
"""Positions and velocities of the robot; those of the hazard follow."""


class Facts(struct.PyTreeNode):
    """What is true of scenes; leaves lead with the axes of the lanes, or of the bank.

    Attributes:
        truth: (...) index of `TRUTHS`. safety: (...) index of `SAFETY`. point: (..., 3) of impact (m), and tti: (...)
            s from the freeze; 0 and inf where there is none.
        radius: (...) of the object: of a sphere, else its smallest half extent (m). root: (..., 3) of the robot (m),
            which faces +Y.
        qpos: (..., q), qvel: (..., v) of the hazard at the freeze, filled up with zeros. wait: (...) recorded steps for
            which it is held before it moves. place, speed: (...) where the tracked body's position starts in the whole
            `qpos`, and its velocity in `qvel`.
    """

    truth: Array
    safety: Array
    point: Array
    tti: Array
    radius: Array
    root: Array
    qpos: Array
    qvel: Array
    wait: Array
    place: Array
    speed: Array


@dataclass(frozen=True, eq=False)
class Bank:
    """Scenes to train on.

    Attributes:
        specs, labels: of the scenes. facts: (n,) float32 and int32 NumPy leaves. shared: their models.
        nq, nv: most positions and velocities of a model.
    """

    specs: tuple[ReactHumanSpec, ...]
    labels: tuple[Labels, ...]
    facts: Facts
    shared: tuple[Shared, ...]
    nq: int
    nv: int

    def __len__(self) -> int:
        return len(self.specs)


def drawn(config: EnvConfig) -> tuple[list[ReactHumanSpec], list[Labels]]:
    """Scenes of the configured families and shapes in event timing, and their ground truth.

    Raises:
        ValueError: a family without a sound draw, or no scene with one of the shapes.
    """
    from jaxphys_benchmarks.reacthuman import measure, simulate

    drawing = ReactHumanConfig(
        families=config.families, bands=config.bands, timing="event", lead="constant", lead_constant=config.lead,
        visible_px=0,
    )  # fmt: skip
    made = groups(drawing, config.seed, wanted_groups(drawing, range(config.scenes)))
    count = len(config.bands)
    rows = (
        made[family, index // count].specs[config.bands[index % count]]
        for family in config.families
        for index in range(config.scenes)
    )
    specs = [spec for spec in rows if _tracked(spec).shape in config.shapes]
    if not specs:
        raise ValueError(
            f"shapes: {config.shapes}; no drawn object of {', '.join(config.families)} has such a collider"
        )
    return specs, measure.label(specs, simulate.simulate(specs), drawing.catalogue)


def bank_of(specs: Sequence[ReactHumanSpec], labels: Sequence[Labels], config: EnvConfig) -> Bank:
    """The bank of given scenes.

    Args:
        specs: scenes, in any timing. labels: of them. config: substeps and solver.

    Raises:
        ImportError: the extra `humanoid` is not installed.
        ValueError: no scenes, one without ground truth, or one whose tracked body hangs on a hinge, or that needs
            something to happen between physics steps.
    """
    if not specs:
        raise ValueError("specs: empty; give at least one scene")
    for spec, truth in zip(specs, labels, strict=True):
        _usable(spec, truth)
    own = [_stepped(spec, config) for spec in specs]
    execution = ExecutionConfig(iterations=config.iterations)
    models = tuple(shared(spec, execution) for spec in own)
    starts = hazards(specs)
    return Bank(
        specs=tuple(specs),
        labels=tuple(labels),
        facts=_facts(specs, labels, models, starts),
        shared=models,
        nq=max(one.model.nq for one in models),
        nv=max(one.model.nv for one in models),
    )


def _usable(spec: ReactHumanSpec, labels: Labels) -> None:
    if labels.status or labels.correct_action is None:
        raise ValueError(f"labels: {spec.id} has no ground truth (status {labels.status}); leave it out")
    if _tracked(spec).hinge is not None:
        raise ValueError(f"families: the object of {spec.id} hangs on a hinge; take families of free objects")
    if spec.physics.drag != "off" or spec.physics.bounce == "contact":
        raise ValueError(
            f"physics: {spec.id} has drag = {spec.physics.drag}, bounce = {spec.physics.bounce}; the environment has"
            " neither drag nor the bounce law: draw with drag off and bounce off or baked"
        )


def _tracked(spec: ReactHumanSpec) -> Any:
    return next(thing for thing in spec.scene.things if thing.name == spec.tracked)


def _stepped(spec: ReactHumanSpec, config: EnvConfig) -> ReactHumanSpec:
    return spec.model_copy(update={"physics": spec.physics.model_copy(update={"substeps": config.substeps})})


def _facts(
    specs: Sequence[ReactHumanSpec], labels: Sequence[Labels], models: Sequence[Shared], starts: Sequence[Hazard]
) -> Facts:
    places, speeds = [], []
    for spec, one in zip(specs, models, strict=True):
        body = one.bodies[[thing.name for thing in spec.scene.things].index(spec.tracked)]
        joint = one.model.body_jntadr[body]
        places.append(int(one.model.jnt_qposadr[joint]))
        speeds.append(int(one.model.jnt_dofadr[joint]))
    meets = [truth.impact_point is not None and truth.tti is not None for truth in labels]
    points = [truth.impact_point or (0.0, 0.0, 0.0) for truth in labels]
    times = [truth.tti if met and truth.tti is not None else np.inf for truth, met in zip(labels, meets, strict=True)]
    return Facts(
        truth=np.array([TRUTHS.index(truth.correct_action or NONE) for truth in labels], np.int32),
        safety=np.array([SAFETY.index(truth.safety_label) for truth in labels], np.int32),
        point=np.array(points, np.float32),
        tti=np.array(times, np.float32),
        radius=np.array([min(_tracked(spec).size) for spec in specs], np.float32),
        root=np.array([spec.robot_root for spec in specs], np.float32),
        qpos=_rows([start.qpos for start in starts]),
        qvel=_rows([start.qvel for start in starts]),
        wait=np.array([start.wait for start in starts], np.int32),
        place=np.array(places, np.int32),
        speed=np.array(speeds, np.int32),
    )


def _rows(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """One row each, filled up with zeros."""
    table = np.zeros((len(arrays), max(len(row) for row in arrays)), np.float32)
    for row, values in zip(table, arrays, strict=True):
        row[: len(values)] = values
    return table
