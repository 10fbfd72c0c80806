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
from collections.abc import Callable, Mapping

import numpy as np

from jaxphys_benchmarks.protocol import Question
from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.picture import track_of
from jaxphys_benchmarks.reacthuman.plan import REST
from jaxphys_benchmarks.reacthuman.recover import BRACE, CATCH, DODGE, NONE
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
CLEAR = 1.5
"""A retreat goes on until the robot's axis is this far from the hazard's way (m)."""
ONWARD = 1.0
"""For so long a hazard goes straight on from the point of impact (s)."""
INSTANTS = 61
"""Times at which a retreat is compared with others."""
LEAST = 0.5
"""Least time of a retreat (s)."""
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
        return reach(to_body(labels.impact_point, spec.robot_root), question, labels.tti, name)
    if truth == DODGE and labels.impact_point is not None:
        return retreat(to_body(labels.impact_point, spec.robot_root), question, name, labels.impact_velocity)
    return _WRITERS[truth or NONE](question, name)


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


def reach(goal: Vector, question: Question, tti: float | None, name: str = "") -> str:
    """A plan whose nearer hand is at a place by the time of impact, or as soon as it can if that has passed.

    Args:
        goal: (forward, left, up) m; what lies beyond the reach of the hands is walked towards, as far as time allows.
        question: for the limits of plans. tti: time to the impact (s).
    """
    limits = question.reads["limits"]
    most, late = limits["max_hand"], limits["max_time"]
    forward, left, up = (min(max(value, -most), most) for value in goal)
    near, other = (0, 1) if left >= 0 else (1, 0)
    hands = [(forward, left, up), (forward, left, up)]
    # The other hand comes beside, and even a goal at rest is reached for.
    hands[other] = (min(max(forward, 0.3), most), min(max(left - 2 * APART * (1 - 2 * near), -most), most), up)
    way = math.dist(hands[near], REST[near])
    arrival = max(QUICKEST, way / HAND_SPEED if tti is None or tti <= 0 else min(way / HAND_SPEED, tti))
    short = goal[0] - forward
    walk = min(short / limits["max_vx"], late) if short > 0 else 0.0
    cmd = (limits["max_vx"], 0.0, 0.0) if walk > 0 else (0.0, 0.0, 0.0)
    frames = [(0.0, REST[0], REST[1]), (arrival, hands[0], hands[1])]
    if tti is not None and arrival < tti < late:
        frames.append((tti, hands[0], hands[1]))
    return _written(CATCH, cmd, walk, frames, name)


def retreat(threat: Vector, question: Question, name: str = "", velocity: Vector | None = None) -> str:
    """A plan that leaves the way of a hazard as fast as the walking limits allow; never forwards.

    Args:
        threat: where it is (forward, left, up) m. question: for the limits of plans. name: of the object.
        velocity: of the hazard there, world frame (m/s); None: it stays.
    """
    limits = question.reads["limits"]
    way = np.array([threat[:2]]) + np.linspace(0.0, ONWARD, INSTANTS)[:, None] * _onward(velocity)
    times = np.linspace(0.0, limits["max_time"], INSTANTS)
    # Straight back first: of retreats that are equally fast it is the one that is taken.
    commands = [(-limits["max_vx"], limits["max_vy"] * share) for share in (0.0, 0.5, -0.5, 1.0, -1.0)]
    commands += [(back * limits["max_vx"], limits["max_vy"] * side) for back in (-0.5, 0.0) for side in (1.0, -1.0)]

    def clear(command: tuple[float, float]) -> tuple[float, float]:
        """When the robot is clear of the way, and minus its distance at the end."""
        apart = np.linalg.norm(times[:, None, None] * np.array(command) - way, axis=-1).min(axis=1)
        free = np.flatnonzero(apart >= CLEAR)
        return (float(times[free[0]]) if free.size else math.inf, -float(apart[-1]))

    vx, vy = min(commands, key=clear)
    duration = min(max(clear((vx, vy))[0], LEAST), limits["max_time"])
    return _written(DODGE, (vx, vy, 0.0), duration, [(0.0, *REST)], name)


def _onward(velocity: Vector | None) -> np.ndarray:
    """Horizontal velocity in the robot's frame: forward, left (m/s)."""
    return np.zeros(2) if velocity is None else np.array([velocity[1], -velocity[0]])


def dodge(question: Question, name: str = "") -> str:
    """A step back."""
    return _written(DODGE, (-0.7, 0.0, 0.0), 0.7, [(0.0, *REST)], name)


def catch(question: Question, name: str = "") -> str:
    """Both hands forward."""
    forward, _, up = AHEAD
    hands = ((forward, 2 * APART, up), (forward, -2 * APART, up))
    return _written(CATCH, (0.0, 0.0, 0.0), 0.0, [(0.0, *REST), (0.4, *hands)], name)


def stay(question: Question, name: str = "") -> str:
    """Nothing."""
    return _written(NONE, (0.0, 0.0, 0.0), 0.0, [(0.0, *REST)], name)


def brace(question: Question, name: str = "") -> str:
    """A crouch on the spot."""
    return _written(BRACE, (0.0, 0.0, 0.0), 0.0, [(0.0, *REST), (0.4, *REST)], name, knee_bend=1.0)


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


def _written(
    action: str,
    cmd: tuple[float, float, float],
    duration: float,
    frames: list[tuple[float, Vector, Vector]],
    name: str,
    knee_bend: float = 0.0,
) -> str:
    """The plan as JSON."""
    plan = {
        "object_identified": name,
        "intent": INTENTS[action],
        "confidence": 1.0,
        "walking_cmd": [round(value, 6) for value in cmd],
        "walking_duration": round(duration, 6),
        "keyframes": [
            {
                "t": round(t, 6),
                "left_hand": [round(value, 6) for value in left],
                "right_hand": [round(value, 6) for value in right],
                "knee_bend": knee_bend,
            }
            for t, left, right in frames
        ],
    }
    return json.dumps(plan)
