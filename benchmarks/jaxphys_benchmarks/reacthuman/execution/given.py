"""Plans as a robot was given them, one after the other: which one is judged, and when they first ask it to move.

Each begins at a time (s from the freeze) and goes on until the next one does. None in place of a plan leaves the robot
to the walking policy, or to whoever drives its joints; it ends what was carried out, and is never judged itself.

Public: `Given`, `Carried`, `carried`, `counting`, `Onsets`, `onsets`.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from jaxphys_benchmarks.reacthuman.plan import REST, KeyFrame, Plan
from jaxphys_benchmarks.reacthuman.recover import EPS

Given = Sequence[tuple[float, Plan | None]]
"""When each began (s), and what it was; in order."""


class Carried(NamedTuple):
    """A plan while it is carried out.

    Attributes:
        begin: when it began, and end: when something else took its place, or infinity (s). plan: its own times count
            from `begin`.
    """

    begin: float
    plan: Plan
    end: float

    @property
    def done(self) -> float:
        """When its last key frame and its walk are over, or it was replaced (s)."""
        return min(self.begin + max(self.plan.keyframes[-1].t, self.plan.walking_duration), self.end)


def carried(given: Given) -> list[Carried]:
    """What was given, without the times at which there was no plan."""
    rows = pairwise([*given, (math.inf, None)])
    return [Carried(begin, plan, end) for (begin, plan), (end, _) in rows if plan is not None]


def counting(begins: Sequence[float], impact: float | None) -> int:
    """Which plan an answerer is judged by: the last one that began by the time of the impact, or else the first.

    What is decided afterwards comes too late to be the answer to the hazard.

    Args:
        begins: when each plan began (s), at least one, in order. impact: its time (s); None: there is none, and the
            last plan counts.

    Returns:
        Its index.
    """
    if impact is None:
        return len(begins) - 1
    return max(sum(begin <= impact + EPS for begin in begins) - 1, 0)


class Onsets(NamedTuple):
    """When the plans ask for motion for the first time; infinity: never (s).

    Attributes:
        hands: a hand leaves its rest, or a turn takes it round. body: the robot walks or bends its knees.
        plan: the first of them begins.
    """

    hands: float
    body: float
    plan: float


def onsets(given: Given, near: float) -> Onsets:
    """When motion is asked for.

    Key frames at rest ask for none, however far from there the walking policy holds the arms. A hand leaves its rest,
    and the knees begin to bend, at the last key frame before the first one that has them so.

    Args:
        given: to the robot. near: hands this near to `REST` are at rest (m).
    """
    plans = carried(given)
    hands = [one.begin + first for one in plans if one.begin + (first := _hands(one.plan, near)) < one.end]
    body = [one.begin + first for one in plans if one.begin + (first := _body(one.plan)) < one.end]
    first = plans[0].begin if plans else math.inf
    return Onsets(min(hands, default=math.inf), min(body, default=math.inf), first)


def _hands(plan: Plan, near: float) -> float:
    """When a plan moves the hands (s from its begin)."""
    if plan.walking_duration > 0 and plan.walking_cmd[2]:
        return 0.0

    def away(frame: KeyFrame) -> bool:
        hands = (frame.left_hand, frame.right_hand)
        return any(math.dist(hand, rest) > near + EPS for hand, rest in zip(hands, REST, strict=True))

    return _leaves(plan, away)


def _body(plan: Plan) -> float:
    """When a plan moves the pelvis (s from its begin)."""
    if plan.walking_duration > 0 and any(plan.walking_cmd[:2]):
        return 0.0
    return _leaves(plan, lambda frame: frame.knee_bend > 0)


def _leaves(plan: Plan, moves: Callable[[KeyFrame], bool]) -> float:
    """Time of the key frame before the first one that moves (s)."""
    at = next((k for k, frame in enumerate(plan.keyframes) if moves(frame)), None)
    return math.inf if at is None else plan.keyframes[at - 1].t if at else 0.0
