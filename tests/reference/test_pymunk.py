"""pymunk converges to our answer with first order in its step (reference engines document, section 6)."""

import numpy as np
import pytest

pytest.importorskip("pymunk", reason="pymunk is missing; install jaxphys[references]")

from tests.oracle import workload
from tests.oracle.scene import Scene
from tests.reference import ours, pymunk_engine

pytestmark = [pytest.mark.reference, pytest.mark.slow]

STEPS = (1 / 60, 1 / 240, 1 / 1000, 1 / 4000)
SCENES, HORIZON, SPEED = 40, 3.0, 0.6
ORDER = (0.8, 1.2)


def test_the_error_falls_with_first_order() -> None:
    pos, vel = workload.draw(SCENES, "cue", seed=6, low=SPEED, high=SPEED)
    exact = ours.simulate(pos, vel, HORIZON, "auto")
    simple = [s for s in range(SCENES) if sum(event.kind == "ball" for event in exact[s].events) <= 1]
    assert len(simple) >= SCENES // 2
    medians = [
        np.median(
            [
                np.abs(pymunk_engine.simulate(Scene.equal(pos[s], vel[s]), HORIZON, dt)[0] - exact[s].pos).max()
                for s in simple
            ]
        )
        for dt in STEPS
    ]
    slope = np.polyfit(np.log(STEPS), np.log(medians), 1)[0]
    assert ORDER[0] <= slope <= ORDER[1], f"order {slope:.2f}, median errors {medians}"
