"""What the measures of all areas share."""

from collections.abc import Callable
from typing import Any

import numpy as np

from jaxphys import rigid
from tests.rigid_support import Path, Slope, run

Case = dict[str, Any]
Measure = Callable[[Case, rigid.Rules, str], dict[str, Any]]
"""(case, rules, back end) -> by name: what came out, what was wanted, and within what."""


def rel(case: Case) -> float:
    return float(case["tolerance"]["rel"])


def within(case: Case, want: Any) -> Any:
    """A value with the case's relative tolerance, of its largest part."""
    return float(np.max(np.abs(want))) * rel(case)


def ball(radius: float, pos: Any, **more: Any) -> dict[str, Any]:
    """One sphere."""
    return {"shape": ["sphere"], "size": [[radius] * 3], "pos": [pos], "mass": [1.0]} | more


def flying(path: Path) -> Path:
    assert path.end.status[0] == 0
    return path


def block_on(slope: Slope, half: Any, friction: float, times: Any, rules: rigid.Rules, backend: str) -> Path:
    """A block of half extents (3,) m, let go on a slope."""
    return flying(
        run(
            times,
            rules,
            backend,
            shape=["box"],
            size=[half],
            pos=[slope.at(0, half[2])],
            quat=[slope.quat],
            mass=[[1.0]],
            friction=friction,
            **slope.static,
        )
    )
