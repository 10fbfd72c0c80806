"""Runs our back ends on the standard table and gives results in the form of the oracles."""

import numpy as np

from jaxphys import billiards
from tests.oracle import workload
from tests.oracle.scene import KINDS, Event, Floats, Result

BACKENDS = tuple(name for name in billiards.BACKENDS if name not in ("auto", "stepped"))


def simulate(pos: Floats, vel: Floats, horizon: float, backend: str) -> list[Result]:
    """Results of scenes (s, n, 2); every status must be 0. Path lengths are not known and left at nan."""
    world, state = billiards.make_scene(
        size=np.array(workload.SIZE), radius=workload.RADIUS, mu=workload.MU, g=workload.GRAVITY, pos=pos, vel=vel
    )
    run = billiards.rollout(world, state, np.array([horizon]), backend=backend, log=True)
    assert not np.asarray(run.status).any(), f"{backend}: status {np.unique(np.asarray(run.status))}"
    events, end_pos, end_vel, alive = run.events, np.asarray(run.pos), np.asarray(run.vel), np.asarray(run.alive)
    assert events is not None
    time, kind, bodies = np.asarray(events.time), np.asarray(events.kind), np.asarray(events.bodies)
    impulse, count = np.asarray(events.impulse), np.asarray(events.count)
    return [
        Result(
            end_pos[s, 0],
            end_vel[s, 0],
            alive[s, 0],
            np.full(pos.shape[1], np.nan),
            [
                Event(
                    float(time[s, k]),
                    KINDS[kind[s, k]],
                    tuple(int(b) for b in bodies[s, k] if b >= 0),
                    float(impulse[s, k]),
                )
                for k in range(int(count[s]))
            ],
        )
        for s in range(len(pos))
    ]
