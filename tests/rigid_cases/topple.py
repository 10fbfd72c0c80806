"""Blocks that tip, rock and slide."""

import math
from typing import Any

import numpy as np

from jaxphys import rigid
from tests.oracle import rigid_forms
from tests.rigid_cases.common import Case, block_on, flying, rel
from tests.rigid_support import RATE, Path, Slope, about, rotated, run, steps


def tilted(case: Case, angle: float, time: float, rules: rigid.Rules, backend: str) -> Path:
    """A box on one bottom edge, released at rest, on a floor that does not let it slide."""
    half = 0.5 * np.array(case["input"]["box"])
    quat = about((0, 1, 0), angle)
    centre = rotated(quat, (-half[0], 0, half[2]))
    return flying(
        run(
            steps(round(time * RATE), 0),
            rules,
            backend,
            shape=["box"],
            size=[half],
            pos=[centre],
            quat=[quat],
            mass=[[1.0]],
            friction=1.0,
            floor_friction=1.0,
        )
    )


def tip(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    outcomes = []
    for angle in case["input"]["angles_deg"]:
        path = tilted(case, math.radians(angle), 4.0, rules, backend)
        outcomes.append(abs(rotated(path.quat[-1, 0], (0, 0, 1))[2]) < 0.1)
    assert [bool(x) for x in outcomes] == [word == "topples" for word in case["expected"]["outcome"]]
    return {"topples": (outcomes, [False, True], 0)}


def rock(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    """From the heights of the centre at the two turning points, on one edge and on the other."""
    path = tilted(case, math.radians(12), 1.2, rules, backend)
    tilt = rotated(path.quat[:, 0], (0, 0, 1))[:, 0]
    upright = int(np.argmax(tilt < 0))
    height = path.pos[:, 0, 2] - 0.5 * case["input"]["box"][2]
    turned = upright + int(np.argmin(tilt[upright : upright + 100]))
    return {"energy": (height[turned] / height[0] / case["expected"]["energy_ratio"], 1, rel(case))}


def block(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given = case["input"]
    slope = Slope(math.radians(given["theta_deg"]), given["mu"])
    half = np.array([0.1, 0.1, 0.1 / given["b_over_h"]])
    path = block_on(slope, half, given["mu"], [1.0], rules, backend)
    ideal = 0.5 * rigid_forms.incline(slope.angle, given["mu"])
    upright = float(rotated(path.quat[0, 0], (0, 0, 1)) @ slope.normal)
    return {"slides": (slope.way(path.pos[0, 0]) / ideal, 1, 0.05), "upright": (upright, 1, 1e-3)}
