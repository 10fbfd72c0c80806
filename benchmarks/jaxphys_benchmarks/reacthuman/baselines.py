"""Built-in answerers that need no model (ReactHuman specification, sections 13.6 and 17).

They answer with plans, as a model would, and go through the same parser. Only `oracle` uses the truth:

- `oracle`: the right action; a reach that is at the point of impact in time, or the fastest retreat from where the
  hazard goes on from there.
- `always_dodge`, `always_catch`, `freeze`: the same plan whatever happens. `random`: one of the three.
- `constant_velocity`: extends the motion over the observed frames in a straight line; reaches for what will pass
  within reach, steps back from what else comes close, and stays otherwise. It knows nothing of what the object is.
- `appearance_only`: does what the look of the object implies, at once and in the same way everywhere.
"""

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jaxphys_benchmarks.protocol import Question
from jaxphys_benchmarks.reacthuman import retreating
from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.picture import track_of
from jaxphys_benchmarks.reacthuman.plan import REST
from jaxphys_benchmarks.reacthuman.reaching import meeting
from jaxphys_benchmarks.reacthuman.recover import BRACE, CATCH, DODGE, NONE
from jaxphys_benchmarks.reacthuman.retreating import Threat, threat_of
from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

ReactHumanAnswerer = Callable[[ReactHumanSpec, Labels, Question, int], str]

AHEAD: Vector = (0.45, 0.0, 0.15)
"""Where hands go that know no better, (forward, left, up) m."""
APART = 0.06
"""Half the distance between two hands that hold something (m)."""
HAND_SPEED = 2.0
"""Of hands, where there is time (m/s)."""
QUICKEST = 0.05
"""Least time of a reach (s)."""
SOON = 0.15
"""What comes within this time is reached for at once (s): the robot can neither walk nor wait."""
BLINK = 1 / 48
"""Less than a hand takes to follow (s): one tick of the controller."""
LOOK_AHEAD, SAMPLES = 1.5, 61
"""How far `constant_velocity` looks ahead (s), and at how many times."""
THREAT = 0.9
"""Distance from the robot's axis at which it steps back (m)."""


def baselines() -> dict[str, ReactHumanAnswerer]:
    """All baselines by name."""
    return {
        "oracle": oracle,
        "always_dodge": always_dodge,
        "always_catch": always_catch,
        "freeze": freeze,
        "random": random,
        "constant_velocity": constant_velocity,
        "appearance_only": appearance_only,
    }


def oracle(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """The right action, as fast as the robot can."""
    released = question.reads["label_set"] == "released"
    truth = labels.correct_action_released if released else labels.correct_action
    name = spec.object.replace("_", " ")
    if truth == CATCH and labels.impact_point is not None:
        goal = to_body(labels.impact_point, spec.robot_root)
        return reach(goal, question, labels.tti, name, _falling(spec, labels))
    threat = threat_of(spec, labels)
    if truth == DODGE and threat is not None:
        return retreat(threat, question, name)
    return _WRITERS[truth or NONE](question, name)


def _falling(spec: ReactHumanSpec, labels: Labels) -> Vector | None:
    """The velocity at the impact, (forward, left, up) m/s, of what is held by no hinge."""
    free = all(thing.hinge is None for thing in spec.scene.things if thing.name == labels.impact_body)
    if labels.impact_velocity is None or not free:
        return None
    x, y, z = labels.impact_velocity
    return (y, -x, z)


def always_dodge(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """A step back."""
    return dodge(question)


def always_catch(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """Both hands forward."""
    return catch(question)


def freeze(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """Nothing."""
    return stay(question)


def random(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """A step back, hands forward or nothing, by chance."""
    key = f"random/{seed}/{spec.seed}/{spec.id}/{spec.attempt}"
    rng = np.random.default_rng(list(hashlib.sha256(key.encode()).digest()))
    return (dodge, catch, stay)[int(rng.integers(3))](question)


def appearance_only(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """What the look implies."""
    return _WRITERS[question.reads["implied_action"] or NONE](question, "")


def constant_velocity(spec: ReactHumanSpec, labels: Labels, question: Question, seed: int) -> str:
    """What the last observed motion would lead to, were nothing to act on it any more."""
    track = track_of(spec, labels)
    index = [thing.name for thing in spec.scene.things].index(spec.tracked)
    places = np.array(track.pos)[:, index]
    span = track.times[-1] - track.times[-2]
    ahead = np.linspace(0.0, LOOK_AHEAD, SAMPLES)
    path = places[-1] + ahead[:, None] * (places[-1] - places[-2]) / span
    path = path[: int(np.argmax(path[:, 2] < 0)) or None]
    body = np.array([to_body((x, y, z), spec.robot_root) for x, y, z in path.tolist()])
    most = float(question.reads["limits"]["max_hand"])
    within = np.flatnonzero((np.abs(body) <= most).all(axis=1) & (body[:, 0] <= spec.robot.reach_offset))
    still = float(np.linalg.norm(path[-1] - path[0])) < 0.05
    if within.size and not still:
        x, y, z = body[within[0]].tolist()
        return reach((x, y, z), question, float(ahead[within[0]]), "")
    if not still and float(np.hypot(body[:, 0], body[:, 1]).min()) < THREAT:
        return dodge(question)
    return stay(question)


def reach(goal: Vector, question: Question, tti: float | None, name: str = "", velocity: Vector | None = None) -> str:
    """A plan whose nearer hand is at a place by the time of impact, or as soon as it can if that has passed.

    A robot that walks asks its hands for where the meeting will be from its body by then. The published distances hold
    the root at its start, so the key frame at the time of impact names the goal from there; a hand of a robot that has
    walked has no time left to follow it.

    Args:
        goal: (forward, left, up) m; what lies beyond the reach of the hands is walked towards, as far as time allows.
        question: for the limits of plans. tti: time to the impact (s). name: of the object.
        velocity: of it there, (forward, left, up) m/s, if it falls freely until then; else None.
    """
    limits = question.reads["limits"]
    most, late = limits["max_hand"], limits["max_time"]
    forward, left, up = (min(max(value, -most), most) for value in goal)
    near = 0 if left >= 0 else 1
    hands = _beside((forward, left, up), near, most)
    arrival = _arrival(hands[near], near, tti)
    short = goal[0] - forward
    if short > 0:
        walk = min(short / limits["max_vx"], late)
        frames = [Frame(0.0, *REST), Frame(arrival, *hands)]
        frames += [Frame(tti, *hands)] if tti is not None and arrival < tti < late else []
        return _written(CATCH, (limits["max_vx"], 0.0, 0.0), walk, frames, name)
    if tti is None or not SOON < tti < late:
        return _written(CATCH, (0.0, 0.0, 0.0), 0.0, [Frame(0.0, *REST), Frame(arrival, *hands)], name)
    met = meeting((forward, left, up), tti, velocity, limits["max_vx"])
    there = _beside(met.place, met.hand, most)
    arrival, wait = min(_arrival(there[met.hand], met.hand, met.time), met.time - BLINK), tti - BLINK
    frames = [Frame(0.0, *REST), Frame(arrival, *there, met.bend)]
    frames += [Frame(wait, *there, met.bend)] if wait > arrival else []
    walk = met.time if met.forward > 0 else 0.0
    return _written(CATCH, (met.forward, 0.0, 0.0), walk, [*frames, Frame(tti, *hands, met.bend)], name)


def _arrival(place: Vector, hand: int, time: float | None) -> float:
    """When a hand is at a place that it must be at by some time (s), or as soon as it can."""
    way = math.dist(place, REST[hand]) / HAND_SPEED
    return max(QUICKEST, way if time is None or time <= 0 else min(way, time))


def _beside(place: Vector, near: int, most: float) -> tuple[Vector, Vector]:
    """Left and right hand: one at a place, the other beside it; even a goal at rest is reached for."""
    forward, left, up = (min(max(value, -most), most) for value in place)
    hands = [(forward, left, up), (forward, left, up)]
    hands[1 - near] = (min(max(forward, 0.3), most), min(max(left - 2 * APART * (1 - 2 * near), -most), most), up)
    return hands[0], hands[1]


def retreat(threat: Threat, question: Question, name: str = "") -> str:
    """A plan that leaves the way of a hazard; never forwards.

    Args:
        threat: the hazard. question: for the limits of plans. name: of the object.
    """
    limits = question.reads["limits"]
    vx, vy, duration = retreating.retreat(threat, limits["max_vx"], limits["max_vy"], limits["max_time"])
    return _written(DODGE, (vx, vy, 0.0), duration, [Frame(0.0, *REST)], name)


def dodge(question: Question, name: str = "") -> str:
    """A step back."""
    return _written(DODGE, (-0.7, 0.0, 0.0), 0.7, [Frame(0.0, *REST)], name)


def catch(question: Question, name: str = "") -> str:
    """Both hands forward."""
    forward, _, up = AHEAD
    hands = ((forward, 2 * APART, up), (forward, -2 * APART, up))
    return _written(CATCH, (0.0, 0.0, 0.0), 0.0, [Frame(0.0, *REST), Frame(0.4, *hands)], name)


def stay(question: Question, name: str = "") -> str:
    """Nothing."""
    return _written(NONE, (0.0, 0.0, 0.0), 0.0, [Frame(0.0, *REST)], name)


def brace(question: Question, name: str = "") -> str:
    """A crouch on the spot."""
    return _written(BRACE, (0.0, 0.0, 0.0), 0.0, [Frame(0.0, *REST, 1.0), Frame(0.4, *REST, 1.0)], name)


INTENTS: Mapping[str, str] = {
    CATCH: "Reach out and catch it.",
    DODGE: "Step back and retreat from it.",
    BRACE: "Crouch, shield the body and protect the head.",
    NONE: "Remain stationary, no action is needed.",
}
"""What is said of each action."""


def _braced(question: Question, name: str) -> str:
    """A brace where it is told apart from a dodge."""
    return (brace if question.reads["recovery"]["brace"] else dodge)(question, name)


_WRITERS: Mapping[str, Callable[[Question, str], str]] = {CATCH: catch, DODGE: dodge, BRACE: _braced, NONE: stay}


class Frame(NamedTuple):
    """A key frame: time (s), left and right hand (m), bend of the knees."""

    t: float
    left: Vector
    right: Vector
    bend: float = 0.0


def _written(action: str, cmd: tuple[float, float, float], duration: float, frames: Sequence[Frame], name: str) -> str:
    """The plan as JSON."""
    plan = {
        "object_identified": name,
        "intent": INTENTS[action],
        "confidence": 1.0,
        "walking_cmd": [round(value, 6) for value in cmd],
        "walking_duration": round(duration, 6),
        "keyframes": [
            {
                "t": round(frame.t, 6),
                "left_hand": [round(value, 6) for value in frame.left],
                "right_hand": [round(value, 6) for value in frame.right],
                "knee_bend": round(frame.bend, 6),
            }
            for frame in frames
        ],
    }
    return json.dumps(plan)
