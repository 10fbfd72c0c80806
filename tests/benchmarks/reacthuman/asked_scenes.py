"""Scenes and labels made by hand, questions about them and plans for them, without drawing or simulating anything."""

import json
from typing import Any

from jaxphys_benchmarks.protocol import Answer, AskOptions, Question, Reply, Score
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.parse import parse
from jaxphys_benchmarks.reacthuman.plan import Plan, normalised
from jaxphys_benchmarks.reacthuman.prompts import ask
from jaxphys_benchmarks.reacthuman.scene import Box, Scene, Thing, Vector
from jaxphys_benchmarks.reacthuman.score import score
from jaxphys_benchmarks.reacthuman.spec import SCHEMA, ReactHumanSpec, Robot, Room, Timing

CATCH, DODGE, BRACE, NONE = "EXECUTE_CATCH", "TRIGGER_DODGE", "BRACE_FOR_IMPACT", "NO_ACTION"
REST_LEFT, REST_RIGHT = [0.10, 0.15, 0.0], [0.10, -0.15, 0.0]

GOLDEN: dict[str, Any] = {
    "object_identified": "cast-iron pan",
    "intent": "Step back out of the way of the pan.",
    "confidence": 0.88,
    "walking_cmd": [-0.7, 0, 0],
    "walking_duration": 0.7,
    "keyframes": [
        {"t": 0, "left_hand": [0.10, 0.15, 0.00], "right_hand": [0.10, -0.15, 0.00], "knee_bend": 0},
        {"t": 0.4, "left_hand": [0.50, 0.12, -0.25], "right_hand": [0.50, -0.12, -0.25], "knee_bend": 0.25},
        {"t": 1.0, "left_hand": [0.40, 0.12, -0.20], "right_hand": [0.40, -0.12, -0.20], "knee_bend": 0.20},
    ],
}
"""The one complete published plan (specification, section 11); its intent is ours."""


def plan(**changes: Any) -> Plan:
    """A plan in its normal form: the robot at rest, unless changed."""
    at_rest = {"walking_cmd": [0, 0, 0], "walking_duration": 0, "keyframes": [frame()]}
    return normalised({**at_rest, **changes})


def frame(t: float = 0.0, left: Any = REST_LEFT, right: Any = REST_RIGHT, **others: Any) -> dict[str, Any]:
    """A key frame as a model writes it."""
    return {"t": t, "left_hand": left, "right_hand": right, **others}


ACTS: dict[str, dict[str, Any]] = {
    CATCH: {"walking_cmd": [0, 0, 0], "keyframes": [frame(), frame(0.4, [0.5, 0.1, 0], [0.5, -0.1, 0])]},
    DODGE: {"walking_cmd": [-0.7, 0, 0], "walking_duration": 0.7, "keyframes": [frame()]},
    NONE: {"walking_cmd": [0, 0, 0], "keyframes": [frame()]},
}
"""What a model may say, by action."""


def spec(family: str = "object_drop", thing: str = "coffee_mug", **changes: Any) -> ReactHumanSpec:
    """A mug that slides off a table."""
    scene = Scene(
        things=(Thing(name="object", object=thing, shape="sphere", size=(0.05, 0.05, 0.05), mass=0.3, pos=(0, 0, 1)),),
        boxes=(Box(name="table", pos=(0, 0.5, 0.75), half=(0.6, 0.4, 0.02)),),
    )
    values: dict[str, Any] = {
        "schema": SCHEMA,
        "seed": 7,
        "family": family,
        "index": 5,
        "group": 1,
        "band": "normal",
        "object": thing,
        "room": Room(type="dining", width=5.0, depth=4.5, height=2.8),
        "robot": Robot(x=0.1, y=-0.8, stand_off=0.8),
        "timing": Timing(t0_step=0, freeze_step=144),
        "scene": scene,
    }
    return ReactHumanSpec(**(values | changes))


TIMES = (0.0, 0.15, 0.3, 0.45, 0.6)


def track(path: Any = None) -> Track:
    """The observed frames of one body; path: time -> place (m), by default at rest."""
    places: list[Vector] = [path(t) if path else (0.0, 0.0, 1.0) for t in TIMES]
    zeros = tuple(((0.0, 0.0, 0.0),) for _ in TIMES)
    return Track(
        times=TIMES,
        pos=tuple((place,) for place in places),
        quat=tuple(((1.0, 0.0, 0.0, 0.0),) for _ in TIMES),
        vel=zeros,
        omega=zeros,
    )


def truth(action: Any = CATCH, **changes: Any) -> Labels:
    """Ground truth of `spec`; the impact is 0.3 s after the freeze, in front of the robot."""
    values: dict[str, Any] = {
        "correct_action": action,
        "correct_action_released": action,
        "safety_label": "safe",
        "impact_point": (0.1, -0.35, 0.9),
        "impact_kind": "plane",
        "t_imp": 0.9,
        "tti": 0.3,
        "track": track(),
    }
    return Labels(**(values | changes))


def question(of: ReactHumanSpec | None = None, options: AskOptions | None = None, **config: Any) -> Question:
    """The question about a scene, without pictures unless asked for otherwise."""
    asked = options or AskOptions(image=False)
    (made,) = ask(of or spec(), asked, ReactHumanConfig(**config))
    return made


def said(asked: Question, reply: Any, extractor: str = "robust") -> Answer:
    """The answer in a reply: text, or a plan that is written as JSON."""
    return parse(asked, Reply(reply if isinstance(reply, str) else json.dumps(reply)), extractor=extractor)


def scored(action: Any, labels: Labels, of: ReactHumanSpec | None = None, **config: Any) -> Score:
    """The score of a model that takes an action, or answers with a plan."""
    asked = question(of, **config)
    return score(asked, labels, said(asked, ACTS[action] if isinstance(action, str) else action))
