"""What a plan asks beyond the robot is found and worded; what it can do is not."""

import numpy as np
import pytest

from jaxphys_kernels.humanoid.limits import limits
from jaxphys_kernels.humanoid.plan import Plan


def plan(**given: object) -> Plan:
    """Standing, hands before the chest, with what is given changed."""
    fields = dict(cmd=(0, 0, 0), dur=0.7, kt=(0.4,), kl=((0.4, 0.15, 1.0),), kr=((0.4, -0.15, 1.0),), kb=(0,), use=1)
    return Plan(**{name: np.asarray(value, float) for name, value in {**fields, **given}.items()})


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"cmd": (0.5, 0.0, 0.3)},
        {"cmd": (-0.67, 0.3, -0.8)},
        {"kb": (1,)},
        {"cmd": (0.5, 0, 0), "kb": (0.5,), "kt": (0.9,)},
        {"kl": ((0.35, 0.15, 0.65),), "kr": ((0.35, -0.15, 0.65),), "kb": (0.6,)},
        {"use": 0, "kl": ((9, 9, 9),), "kb": (3,)},
        {"cmd": (3, 0, 0), "dur": 0},
    ],
)
def test_what_the_robot_can_do_is_not_found(given: dict[str, object]) -> None:
    assert limits(plan(**given)) == ()


@pytest.mark.parametrize(
    ("given", "field", "asked", "possible", "words"),
    [
        ({"cmd": (1.5, 0, 0)}, "cmd[0]", 1.5, 0.73, "1.50 m/s asked; the robot walks forward at -0.67 to 0.73 m/s"),
        ({"cmd": (-0.7, 0, 0)}, "cmd[0]", -0.7, -0.67, "-0.70 m/s asked"),
        ({"cmd": (0, -0.5, 0)}, "cmd[1]", -0.5, -0.3, "the robot walks sideways at -0.30 to 0.30 m/s"),
        ({"cmd": (0, 0, 2)}, "cmd[2]", 2, 0.8, "2.00 rad/s asked; the robot turns at"),
        ({"kb": (1.3,)}, "kb[0]", 1.3, 1, "a bend of 1.30 asked; it lies between 0 and 1"),
        ({"cmd": (0.5, 0, 0), "kb": (0.6,)}, "kb[0]", 0.6, 0.3, "while the robot walks it is 0.30"),
        ({"kl": ((0.4, 0.15, 0.6),)}, "kl[0]", 0.602, 0.45, "the left hand is asked 0.60 m from its shoulder"),
        ({"kr": ((0.5, -0.12, 0.54),)}, "kr[0]", 0.715, 0.45, "it reaches 0.45 m, 0.26 m less"),
        ({"dur": np.nan}, "dur", np.nan, 0, "holds a number that is not finite"),
    ],
)
def test_what_is_beyond_the_robot_is_told(
    given: dict[str, object], field: str, asked: float, possible: float, words: str
) -> None:
    (found,) = limits(plan(**given))
    assert found.field == field
    assert found.asked == pytest.approx(asked, abs=1e-3, nan_ok=True)
    assert found.possible == pytest.approx(possible)
    assert found.message.startswith(f"{field}: ")
    assert words in found.message


def test_several_findings_come_in_the_order_of_the_fields() -> None:
    found = limits(plan(cmd=(2, 2, 0), kb=(2,), kl=((2, 0, 0),), kr=((np.inf, 0, 0),)))
    assert [finding.field for finding in found] == ["kr", "cmd[0]", "cmd[1]", "kb[0]", "kl[0]", "kr[0]"]
