"""Rebounds of the bounce law and of soft contacts."""

from typing import Any

import numpy as np

from jaxphys import rigid
from tests.oracle import rigid_forms
from tests.rigid_cases.common import Case, ball, flying, rel
from tests.rigid_support import RATE, Path, run, steps


def apexes(path: Path, radius: float, count: int) -> np.ndarray:
    """Heights of the lowest point at the first apexes after contacts; fewer where there are fewer contacts."""
    touched = np.flatnonzero(path.touching[:, 0])
    # One contact may last several steps.
    starts = touched[np.diff(touched, prepend=-9) > 1]
    ends = np.append(starts[1:], len(path.times))
    heights = path.pos[:, 0, 2] - radius
    found = [float(heights[a:b].max()) for a, b in zip(starts, ends, strict=True)][:count]
    return np.array(found + [0.0] * (count - len(found)))


def dropped(case: Case, height: float, e: float, count: int, rules: rigid.Rules, backend: str) -> np.ndarray:
    r = 0.05
    fall = rigid_forms.fall_time(height)
    time = fall * (1 + 2 * sum(e**k for k in range(1, count + 1))) + 0.02
    path = run(
        steps(round(time * RATE)),
        rules,
        backend,
        **ball(r, (0, 0, height + r), restitution=[[e]]),
        gravity=case["input"]["g"],
    )
    return apexes(flying(path), r, count)


def bounce_heights(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]["apex_list"]
    got = dropped(case, given["drop_height"], given["e"], given["n"], rules, backend)
    return {"apex": (got / want, 1, rel(case))}


def elastic(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]["apex"]
    got = dropped(case, given["drop_height"], given["e"], given["n_bounces"], rules, backend)
    return {"apex": (got / want, 1, rel(case))}
