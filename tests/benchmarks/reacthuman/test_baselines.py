"""Answerers without a model: what each does, and that the oracle is right and in time."""

import json
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import EXTRACTORS, Score
from jaxphys_benchmarks.reacthuman.baselines import baselines
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.parse import plan_of
from jaxphys_benchmarks.reacthuman.score import score
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from tests.benchmarks.reacthuman.asked_scenes import BRACE, CATCH, DODGE, NONE, question, said, spec, track, truth

ROBOT = (0.1, -0.8, 0.79)
"""Root of the robot of `spec`."""


def answer(name: str, labels: Labels, of: ReactHumanSpec | None = None, seed: int = 0, **config: Any) -> Score:
    asked = question(of, **config)
    reply = baselines()[name](of or spec(), labels, asked, seed)
    return score(asked, labels, said(asked, reply))


def act(found: Score) -> str:
    return next(name.removeprefix("act_") for name, value in found.values.items() if name.startswith("act_") and value)


def test_names() -> None:
    assert list(baselines()) == [
        "oracle", "always_dodge", "always_catch", "freeze", "random", "constant_velocity", "appearance_only",
    ]  # fmt: skip
    with pytest.raises(TypeError):
        baselines(sigma=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", list(baselines()))
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_every_answer_is_a_plan_within_the_limits(name: str, extractor: str) -> None:
    asked = question()
    for labels in (truth(CATCH), truth(DODGE), truth(NONE, impact_point=None, tti=None)):
        found = said(asked, baselines()[name](spec(), labels, asked, 1), extractor)
        plan = plan_of(found)
        assert plan is not None
        assert plan.clips == ()


@pytest.mark.parametrize(("name", "action"), [("always_dodge", DODGE), ("always_catch", CATCH), ("freeze", NONE)])
def test_the_trivial_ones_do_what_they_are_called_for(name: str, action: str) -> None:
    for labels in (truth(CATCH), truth(DODGE)):
        assert act(answer(name, labels)) == action
        assert answer(name, truth(action)).values["aia"] == 1.0


def test_random_takes_all_three_by_scene_and_seed() -> None:
    acts = [act(answer("random", truth(), spec(index=k))) for k in range(60)]
    assert set(acts) == {CATCH, DODGE, NONE}
    assert acts == [act(answer("random", truth(), spec(index=k))) for k in range(60)]
    assert acts != [act(answer("random", truth(), spec(index=k), seed=1)) for k in range(60)]


@pytest.mark.parametrize("action", [CATCH, DODGE, NONE])
@pytest.mark.parametrize("tti", [0.25, 0.9, 0.0, -0.2, None])
@pytest.mark.parametrize("safety", ["safe", "caution"])
def test_the_oracle_is_right_and_safe(action: str, tti: float | None, safety: str) -> None:
    values = answer("oracle", truth(action, tti=tti, safety_label=safety)).values
    assert (values["exact"], values["safe"], values["aia"]) == (1, 1, 1)


@pytest.mark.parametrize("scoring", ["merged", "strict"])
def test_the_oracle_knows_the_released_labels(scoring: str) -> None:
    labels = truth(DODGE, correct_action_released=BRACE, safety_label="dangerous")
    values = answer("oracle", labels, label_set="released", brace_scoring=scoring).values
    assert (values["exact"], values["safe"], values["aia"]) == (1, 1, 1)


def test_the_oracle_is_there_in_time_wherever_hands_can_be() -> None:
    """Event timing: within 0.1 m at the time of impact for every point inside the box of the hands."""
    rng = np.random.default_rng(5)
    for forward, left, up in rng.uniform(-1, 1, (200, 3)):
        point = (ROBOT[0] - left, ROBOT[1] + forward, ROBOT[2] + up)
        values = answer("oracle", truth(CATCH, impact_point=point, tti=float(rng.uniform(0.25, 0.9)))).values
        assert values["exact"] == 1
        assert values["d_at_impact"] < 1e-3
        assert values["d_end"] < 1e-3


@pytest.mark.parametrize("hand", [(0.10, 0.15, 0.0), (0.10, -0.15, 0.0), (0.10, 0.0, 0.0), (0.10, 0.07, 0.0)])
def test_the_oracle_catches_what_comes_to_its_resting_hands(hand: tuple[float, float, float]) -> None:
    point = (ROBOT[0] - hand[1], ROBOT[1] + hand[0], ROBOT[2] + hand[2])
    values = answer("oracle", truth(CATCH, impact_point=point)).values
    assert values["exact"] == 1
    assert values["d_at_impact"] < 1e-3


def test_the_oracle_walks_towards_what_is_out_of_reach() -> None:
    point = (ROBOT[0], ROBOT[1] + 1.4, ROBOT[2])
    values = answer("oracle", truth(CATCH, impact_point=point, tti=0.9)).values
    assert values["exact"] == 1
    assert values["d_end"] == pytest.approx(0.4, abs=1e-3)
    assert values["d_end_walked"] < 1e-3
    assert values["d_at_impact_walked"] < 0.1


def test_the_oracle_retreats_from_the_impact() -> None:
    for side in (-0.1, 0.1):
        labels = truth(DODGE, impact_point=(ROBOT[0] + side, ROBOT[1] + 0.45, 0.9))
        asked = question()
        plan = plan_of(said(asked, baselines()["oracle"](spec(), labels, asked, 0)))
        assert plan is not None
        vx, vy, _ = plan.walking_cmd
        assert vx == -1.0
        # What is to the east (negative left) is left towards the west.
        assert np.sign(vy) == np.sign(side)
        assert plan.walking_duration * np.hypot(vx, vy) >= 1.0 - 1e-6


def retreat_of(**changes: Any) -> tuple[float, float, float]:
    """Velocity and duration of the oracle's retreat."""
    labels = truth(DODGE, **changes)
    asked = question()
    plan = plan_of(said(asked, baselines()["oracle"](spec(), labels, asked, 0)))
    assert plan is not None
    return (plan.walking_cmd[0], plan.walking_cmd[1], plan.walking_duration)


def test_the_oracle_leaves_the_way_of_what_goes_on() -> None:
    """What rolls at the robot is left sideways: to step back from it would be to stay before it."""
    ahead = (ROBOT[0] - 0.05, ROBOT[1] + 0.45, 0.1)  # 0.05 m to the left
    vx, vy, duration = retreat_of(impact_point=ahead, impact_velocity=(0.0, -3.0, 0.0))
    assert vy == -0.6
    assert duration * 0.6 + 0.05 >= 1.5 - 0.05
    still = retreat_of(impact_point=ahead, impact_velocity=(0.0, 0.0, -4.0))
    assert still == retreat_of(impact_point=ahead, impact_velocity=None)
    assert still[0] == -1.0
    assert still[2] < duration
    # What comes from the left, flying to the right, is left to the left or back, never along with it.
    assert retreat_of(impact_point=ahead, impact_velocity=(4.0, 0.0, 0.0))[1] >= 0
    assert vx <= 0


def path(start: tuple[float, float, float], velocity: tuple[float, float, float]) -> Any:
    return track(lambda t: tuple(x + v * t for x, v in zip(start, velocity, strict=True)))


@pytest.mark.parametrize(
    ("start", "velocity", "action"),
    [
        ((0.1, 2.0, 0.9), (0.0, -3.0, 0.0), CATCH),  # will pass at the height of the hands
        ((0.1, 2.0, 2.6), (0.0, -3.0, 0.0), DODGE),  # will pass overhead, out of reach
        ((2.5, 2.0, 0.9), (0.0, -3.0, 0.0), NONE),  # passes far to the side
        ((0.1, 2.0, 0.9), (0.0, 3.0, 0.0), NONE),  # flies away
        ((0.1, 0.5, 0.9), (0.0, 0.0, 0.0), NONE),  # does not move
        ((0.1, -0.4, 0.9), (0.0, 0.0, 0.0), NONE),  # does not move, though hands could reach it
        ((0.1, 2.0, 0.9), (0.0, -1.0, -1.0), NONE),  # will be on the floor, far ahead
    ],
)
def test_constant_velocity_goes_by_the_observed_motion_alone(
    start: tuple[float, float, float], velocity: tuple[float, float, float], action: str
) -> None:
    for labels in (truth(CATCH), truth(DODGE), truth(NONE)):
        seen = labels.model_copy(update={"track": path(start, velocity)})
        assert act(answer("constant_velocity", seen)) == action


def test_constant_velocity_catches_what_does_fly_straight() -> None:
    start, velocity = (0.2, 2.0, 0.9), (-0.05, -3.0, 0.05)
    # The plane 0.45 m ahead of the robot is crossed at y = -0.35.
    crossing = (2.0 + 0.35) / 3.0
    point = tuple(x + v * crossing for x, v in zip(start, velocity, strict=True))
    seen = truth(CATCH, impact_point=point, tti=crossing - 0.6, track=path(start, velocity))
    values = answer("constant_velocity", seen).values
    assert values["exact"] == 1
    assert values["d_at_impact"] < 0.1


@pytest.mark.parametrize(
    ("family", "thing", "action"),
    [("object_drop", "steel_apple", CATCH), ("object_drop", "foam_anvil", DODGE), ("object_drop", "red_apple", CATCH),
     ("object_drop", "chef_knife", DODGE), ("object_drop", "something_else", NONE)],
)  # fmt: skip
def test_appearance_is_believed(family: str, thing: str, action: str) -> None:
    assert act(answer("appearance_only", truth(), spec(family, thing))) == action


def test_answers_are_json_without_labels() -> None:
    asked = question()
    for name, answerer in baselines().items():
        if name == "oracle":
            continue
        replies = {answerer(spec(), labels, asked, 0) for labels in (truth(CATCH), truth(DODGE, tti=0.7))}
        assert len(replies) == 1
        assert json.loads(replies.pop())["keyframes"]
