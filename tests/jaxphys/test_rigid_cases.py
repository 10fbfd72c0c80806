"""Public cases on rigid bodies, by id, through the table tests/cases/rigid.json: case -> engine, back end, mode.

A row of the table is a case with `runs`. A run of engine `rigid` names the back end and the mode, `parity` (4 substeps)
or `fast`, with further rules by name. Where the value cannot be met, `met` is false, `value` is what comes out and
`reason` says why. The other engines have their own tests; `none` has a reason.
"""

import pathlib
from collections import Counter
from typing import Any

import numpy as np
import pytest

from jaxphys import rigid
from tests.rigid_cases import bounce, contact, drop, hinges, ladders, sliding, topple
from tests.rigid_cases.common import Measure
from tests.support import cases

ROOT = pathlib.Path(__file__).parents[2]
TABLE = cases("rigid")
AREAS = {
    "drop": 3, "bounce": 4, "rolling": 4, "friction": 3, "topple": 3, "pendulum": 2, "door": 2, "ladder": 2,
    "stairs": 2, "freebody": 1, "contact": 2, "conventions": 2, "determinism": 5, "batching": 5, "gradient": 5,
}  # fmt: skip
"""Public cases of each area."""

ENGINES = {"rigid", "planar", "billiards", "pybullet", "none"}
SAME = 0.01
"""By how much a stored value that misses its case may differ from what comes out now, relative."""


def test_every_case_of_the_areas_is_in_the_table() -> None:
    assert Counter(row["area"] for row in TABLE.values()) == AREAS
    for row in TABLE.values():
        assert row["runs"]
        for one in row["runs"]:
            assert one["engine"] in ENGINES
            assert one["engine"] != "none" or one["reason"]
            assert one.get("met", True) or (one["reason"] and "value" in one)
            assert one["engine"] != "rigid" or one["backend"] in ("c", "mjx")
            assert _is_here(one) or one["engine"] == "none" or _mentions(ROOT / one["test"], row["id"])


def _mentions(test: pathlib.Path, name: str) -> bool:
    text = test.read_text(encoding="utf-8")
    return name in text or name.replace("-", "_") in text


def test_the_table_names_the_tests_that_are_here() -> None:
    ours = {name for name, row in TABLE.items() if any(_is_here(one) for one in row["runs"])}
    assert ours == set(MEASURES)


def _is_here(one: dict[str, Any]) -> bool:
    return one["engine"] == "rigid" and one["backend"] == "c" and "test" not in one


def rules_of(one: dict[str, Any]) -> rigid.Rules:
    extra = {name: one[name] for name in ("bounce", "impratio", "substeps", "cone") if name in one}
    return rigid.Rules(**({"substeps": {"parity": 4, "fast": 1}[one["mode"]]} | extra))


def named(one: dict[str, Any]) -> str:
    extra = [f"{k}={one[k]}" for k in ("bounce", "impratio", "substeps", "cone") if k in one]
    return "-".join([one["backend"], one["mode"], *extra])


RUNS = [
    pytest.param(name, k, id=f"{name}-{named(one)}", marks=[pytest.mark.slow] * one.get("slow", False))
    for name, row in TABLE.items()
    for k, one in enumerate(row["runs"])
    if _is_here(one)
]


@pytest.mark.parametrize(("name", "k"), RUNS)
def test_case(name: str, k: int) -> None:
    case = TABLE[name]
    one = case["runs"][k]
    got = MEASURES[name](case, rules_of(one), one["backend"])
    wrong = {key: value for key, (value, want, within) in got.items() if not _near(value, want, within)}
    if one.get("met", True):
        assert not wrong, {key: got[key] for key in wrong}
        return
    # What misses its case does so by the stored value; when it no longer does, the table is out of date.
    assert set(wrong) == set(one["value"]), {key: got[key] for key in got}
    for key, value in one["value"].items():
        np.testing.assert_allclose(got[key][0], value, rtol=SAME, atol=1e-4)


def _near(value: Any, want: Any, within: float) -> bool:
    return bool(np.all(np.abs(np.asarray(value, float) - np.asarray(want, float)) <= within))


MEASURES: dict[str, Measure] = {
    "rig-free-fall-time": drop.free_fall,
    "rig-throw-apex": drop.throw,
    "rig-hidden-damping": drop.hidden_damping,
    "rig-bounce-height-n3": bounce.bounce_heights,
    "rig-high-drop-elastic": bounce.elastic,
    "rig-no-restitution-threshold-2ms": bounce.bounce_heights,
    "rig-incline-roll-sphere": sliding.roll_down,
    "rig-incline-cylinder-hoop": sliding.roll_race,
    "rig-backspin-slide-to-roll": sliding.backspin,
    "rig-incline-hold": sliding.hold,
    "rig-friction-combine-rule": sliding.combine,
    "rig-friction-isotropy": sliding.isotropy,
    "rig-tip-angle": topple.tip,
    "rig-rock-energy-ratio": topple.rock,
    "rig-incline-block-slides": topple.block,
    "rig-pendulum-large-amplitude": hinges.large_swing,
    "rig-pendulum-small-dt": hinges.small_steps,
    "rig-door-viscous": hinges.door_viscous,
    "rig-door-viscous-plus-dry": hinges.door_dry,
    "rig-ladder-smooth-wall": ladders.smooth_wall,
    "rig-ladder-frictionless-separation": ladders.separation,
    "rig-stairs-energy-monotone": contact.stairs,
    "rig-bounce-on-tile-seam": contact.seam,
    "rig-overhang-no-jitter": contact.overhang,
    "rig-spawn-overlap-no-launch": contact.overlap,
    "rig-symmetric-top": contact.top,
    "rig-free-joint-angvel-frame": contact.frame,
}
"""Cases of the C back end that are one number or a few; those with `test` in the table are elsewhere."""
