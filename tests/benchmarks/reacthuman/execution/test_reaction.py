"""When simulated robots react: to what their plans ask for, and not where the walking policy lets go of the arms."""

import functools

import pytest

from jaxphys_benchmarks.reacthuman.execution import ExecutionConfig, execute
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome
from tests.benchmarks.reacthuman.asked_scenes import truth
from tests.benchmarks.reacthuman.execution.executed_scenes import AT_REST, BACK, STILL, ball, reaching, scene

UNTIL = AT_REST.model_copy(update={"t": 0.9})
PLANS = {
    "stay": STILL,
    "rest, then reach": STILL.model_copy(
        update={"keyframes": (AT_REST, UNTIL, *reaching(0.45, 0.0, 0.2, time=1.2).keyframes[1:])}
    ),
    "walk": BACK,
    "turn": STILL.model_copy(update={"walking_cmd": (0.0, 0.0, 1.0), "walking_duration": 1.0}),
    "reach slowly": reaching(0.45, 0.0, 0.2, time=2.0),
}


@functools.cache
def outcomes() -> dict[str, Outcome]:
    """Robots far from anything, the impact after 0.6 s."""
    spec = scene(ball((3.0, 3.0, 0.2)))
    labels = truth(impact_point=(0.1, -0.35, 1.05), tti=0.6, track=None, impact_body="object")
    count = len(PLANS)
    found, _ = execute([spec] * count, [labels] * count, list(PLANS.values()), ExecutionConfig(seconds=1.2))
    return dict(zip(PLANS, found, strict=True))


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("rest, then reach", 0.9, 1.15),
        ("walk", 0.2, 0.6),  # no sooner than the body gets away
        ("turn", 0.1, 0.5),
        ("reach slowly", 0.4, 0.8),
    ],
)
def test_the_robot_reacts_when_what_is_asked_for_is_seen(name: str, least: float, most: float) -> None:
    found = outcomes()[name]
    assert found.t_first_motion is not None
    assert least < found.t_first_motion < most
    assert found.l1_reacted
    assert found.l3_before == (found.t_first_motion < 0.6)


def test_who_stays_does_not_react() -> None:
    found = outcomes()["stay"]
    assert found.t_first_motion is None
    assert not found.l1_reacted
    assert found.l3_before is False
