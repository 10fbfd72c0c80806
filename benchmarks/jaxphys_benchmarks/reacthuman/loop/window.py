"""What was seen of a scene in the last moments: a `Motion` of exactly the observed frames, across the freeze.

Frames are as far apart as those of the scene's own window (ReactHuman specification, section 9); the last one is the
newest recorded frame, which may be up to 1/60 s old, as from a camera. What lies before the freeze is simulated
without the robot, which stood where it stands at the freeze.

Public: `Past`, `pasts`, `window`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.reacthuman.simulate import kind_of, runs
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import story

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Past:
    """The bodies of one scene before the freeze.

    Attributes:
        pos: (p, n, 3) centres (m), and quat: (p, n, 4) orientations, at consecutive recorded steps; the last one is
            the freeze.
        dt: of a recorded step (s).
    """

    pos: Floats
    quat: Floats
    dt: float


def pasts(specs: Sequence[ReactHumanSpec]) -> list[Past]:
    """The observed windows of scenes at every recorded step, simulated together on C MuJoCo."""
    ends = [max(spec.timing.freeze_step, 1) * spec.physics.dt for spec in specs]
    scenes = [spec.scene.model_copy(update={"horizon": end}) for spec, end in zip(specs, ends, strict=True)]
    found: dict[int, Past] = {}
    for run in runs(scenes, [spec.physics for spec in specs], [kind_of(spec) for spec in specs], backend="c"):
        told = story(run)
        for row, place in enumerate(run.places.tolist()):
            timing, n = specs[place].timing, len(specs[place].scene.things)
            # Before its release a scene rests as it starts.
            steps = np.maximum(np.arange(timing.t0_step, timing.freeze_step + 1), 0)
            found[place] = Past(told.pos[row, steps, :n], told.quat[row, steps, :n], specs[place].physics.dt)
    return [found[place] for place in range(len(specs))]


def window(spec: ReactHumanSpec, past: Past, motion: Motion) -> Motion:
    """The observed frames as of now, times from the freeze (s).

    Args:
        spec: the scene. past: of it. motion: what was recorded since the freeze, at even steps.

    Raises:
        ValueError: nothing was recorded.
    """
    if not len(motion.times):
        raise ValueError("record_steps: 0, so there is nothing to be seen; give at least 1")
    stride = round(float(motion.times[1]) / past.dt) if len(motion.times) > 1 else 1
    newest = (len(motion.times) - 1) * stride
    asked = newest + np.array(spec.timing.steps) - spec.timing.freeze_step
    since = np.maximum(np.round(asked / stride).astype(int), 0)
    before = np.minimum(asked, 0) - 1
    later = asked > 0
    rows = np.where(later, since, 0)
    return Motion(
        times=np.where(later, motion.times[rows], asked * past.dt),
        robot=motion.robot[rows],
        pos=np.where(later[:, None, None], motion.pos[rows], past.pos[before]),
        quat=np.where(later[:, None, None], motion.quat[rows], past.quat[before]),
        palms=motion.palms[rows],
    )
