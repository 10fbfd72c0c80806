"""The hazards of scenes at the freeze: where execution begins (ReactHuman specification, section 14).

Scenes are simulated without the robot up to the freeze, as ground truth was. A window that ends before the release has
its hazard held as it starts for `wait` recorded steps, and then launched, as the observed frames show it.

Public: `Hazard`, `hazards`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.simulate import kind_of, runs
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.rigid.flat import flatten
from jaxphys_kernels.rigid.model import Joint, Shape, Signature

Floats = NDArray[np.float64]

_SHAPES = {shape.name.lower(): shape for shape in Shape}


@dataclass(frozen=True, eq=False)
class Hazard:
    """The bodies of one scene at the freeze.

    Attributes:
        signature: of the scene. qpos: (nq,), qvel: (nv,) MuJoCo's state of its bodies. wait: recorded steps for which
            they are held before they move with `qvel`.
    """

    signature: Signature
    qpos: Floats
    qvel: Floats
    wait: int


def signature_of(spec: ReactHumanSpec) -> Signature:
    """The signature of a scene's bodies and static boxes."""
    return Signature(
        shapes=tuple(_SHAPES[thing.shape] for thing in spec.scene.things),
        joints=tuple(Joint.FREE if thing.hinge is None else Joint.HINGE for thing in spec.scene.things),
        statics=len(spec.scene.boxes),
    )


def hazards(specs: Sequence[ReactHumanSpec]) -> list[Hazard]:
    """The bodies of scenes at the freeze, on C MuJoCo."""
    lasts = [max(spec.timing.freeze_step, 1) * spec.physics.dt for spec in specs]
    scenes = [spec.scene.model_copy(update={"horizon": last}) for spec, last in zip(specs, lasts, strict=True)]
    found: dict[int, Hazard] = {}
    for run in runs(scenes, [spec.physics for spec in specs], [kind_of(spec) for spec in specs], backend="c"):
        for row, place in enumerate(run.places.tolist()):
            spec = specs[place]
            signature, step = signature_of(spec), max(spec.timing.freeze_step, 0)
            n = len(spec.scene.things)
            qpos, qvel = flatten(signature, run.qpos[row, step, :n], run.qvel[row, step, :n])
            found[place] = Hazard(signature, qpos, qvel, max(-spec.timing.freeze_step, 0))
    return [found[place] for place in range(len(specs))]
