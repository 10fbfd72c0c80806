"""Plans of more key frames than those under way, which a configuration may allow, take their place."""

import numpy as np

from jaxphys_benchmarks.reacthuman.execution import Execution, ExecutionConfig
from jaxphys_benchmarks.reacthuman.plan import KeyFrame
from tests.benchmarks.reacthuman.execution.executed_scenes import STILL, reaching, thrown

CONFIG = ExecutionConfig(seconds=0.5, settle=0.1, threads=1)
LONG = STILL.model_copy(
    update={
        "keyframes": tuple(
            KeyFrame(t=0.02 * k, left_hand=(0.3, 0.2, 0.04 * k), right_hand=(0.3, -0.2, 0.04 * k)) for k in range(1, 11)
        )
    }
)


def ran(*, changes: bool) -> Execution:
    """Two lanes with short plans, of which the first one gets a long plan, and a short one again; or does not."""
    spec, labels = thrown(-30)
    run = Execution([spec] * 2, [labels] * 2, [reaching(0.3, 0.0, 0.0)] * 2, CONFIG)
    for plan, ticks in ((LONG, 10), (STILL, 2)):
        if changes:
            run.replace(np.array([True, False]), [plan, None])
        run.advance(ticks)
    return run


def test_a_plan_may_have_more_key_frames_than_the_one_that_it_replaces() -> None:
    """It broke the run of all scenes of the batch."""
    run, unchanged = ran(changes=True), ran(changes=False)
    palms = run.states().palms
    assert palms[0, :, 2].min() > palms[1, :, 2].max() + 0.05
    # Who goes on with another plan notices nothing of it.
    assert run.motions()[1].robot.tolist() == unchanged.motions()[1].robot.tolist()
