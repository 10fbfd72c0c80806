"""Falls and throws against discrete free flight."""

from typing import Any

import numpy as np

from jaxphys import rigid
from tests.rigid_cases.common import Case, ball, flying
from tests.rigid_support import RATE, run, steps


def free_fall(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    r = 0.1
    path = flying(run(steps(200), rules, backend, **ball(r, (0, 0, given["drop_height_of_lowest_point"] + r))))
    return {
        "t": (path.first_touch[0], want["t_impact_analytic"], case["tolerance"]["t"]),
        "v": (-path.vel[:, 0, 2].min(), want["v_impact"], case["tolerance"]["v"]),
    }


def throw(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    path = flying(run(steps(RATE, 0), rules, backend, **ball(0.02, (0, 0, given["z0"]), vel=[(0, 0, given["v0_up"])])))
    height, k = path.pos[:, 0, 2], int(path.pos[:, 0, 2].argmax())
    drift = np.abs(path.energy / path.energy[0] - 1)[path.times < path.first_touch[0]]
    return {
        "z": (height.max(), want["z_apex"], case["tolerance"]["z"]),
        "t": (path.times[k], want["t_apex"], given["dt"]),
        "energy drift": (drift.max(), 0, want["energy_drift_max_rel"]),
    }


def hidden_damping(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    path = flying(run([case["input"]["t"]], rules, backend, **ball(0.1, (0, 0, 100))))
    return {"v": (-path.vel[0, 0, 2], case["expected"]["v_no_damping"], case["tolerance"]["no_damping"])}
