"""How near the hands come to the point of impact (ReactHuman specification, sections 13.1 and 13.2).

Hands move straight from key frame to key frame. The published distances hold the robot's root at its start, and so
judge where the plan reaches; the `walked` ones move the root by the walking command. Distances are those of the nearer
hand. World frame; SI units.
"""

from dataclasses import asdict, dataclass

import numpy as np

from jaxphys_benchmarks.reacthuman.plan import REST, Plan
from jaxphys_benchmarks.reacthuman.scene import Vector

RATE = 240.0
"""Samples of the path per second."""
EPS = 1e-9


@dataclass(frozen=True)
class Distances:
    """What is measured between the hands of a plan and a point of impact (m, s).

    Attributes:
        d_end: at the last key frame. d_min: least along the key frames. d_close: by how much less than at the first.
        d_at_impact: at the time of impact; None where that lies before the freeze or is not known. Before the first
            key frame the hands come from their rest.
        falls_short: the nearer hand ends on the robot's side of the point, looking forward.
        d_end_walked, d_min_walked, d_at_impact_walked: the same with the root that walks; the end is that of the last
            key frame or of walking, whichever is later.
        root: horizontal distance of the root at the start.
        t_min: when the hands are nearest, for the first time (s).
    """

    d_end: float
    d_min: float
    d_close: float
    d_at_impact: float | None
    falls_short: bool
    d_end_walked: float
    d_min_walked: float
    d_at_impact_walked: float | None
    root: float
    t_min: float

    def as_numbers(self) -> dict[str, float]:
        """By name, without what is not known."""
        return {name: float(value) for name, value in asdict(self).items() if value is not None}


def measured(plan: Plan, root: Vector, point: Vector, tti: float | None) -> Distances:
    """The distances of a plan.

    Args:
        plan: in its normal form. root: pelvis of the robot at the freeze (m), facing +Y. point: of impact (m).
        tti: time from the freeze to the impact (s), or None.
    """
    goal = np.asarray(point, np.float64)
    knots = np.array([frame.t for frame in plan.keyframes])
    finish = max(float(knots[-1]), plan.walking_duration)
    times = sampled(knots)
    later = sampled(np.union1d(knots, finish))
    still = _gaps(hands(plan, times), np.zeros((1, 2)), np.zeros(1), root, goal)
    walking = _gaps(hands(plan, later), *walked(plan, later), root, goal)
    at, at_walked = None, None
    if tti is not None and tti >= 0:
        moment = np.array([tti])
        hand = hands(plan, moment, from_rest=True)
        at = float(_gaps(hand, np.zeros((1, 2)), np.zeros(1), root, goal)[0].min())
        at_walked = float(_gaps(hand, *walked(plan, moment), root, goal)[0].min())
    nearer = int(still[-1].argmin())
    end = to_world(hands(plan, knots[-1:])[0, nearer], root)
    return Distances(
        d_end=float(still[-1].min()),
        d_min=float(still.min()),
        d_close=float(still[0].min() - still.min()),
        d_at_impact=at,
        falls_short=bool(goal[1] - end[1] > EPS),
        d_end_walked=float(walking[-1].min()),
        d_min_walked=float(walking.min()),
        d_at_impact_walked=at_walked,
        root=float(np.hypot(goal[0] - root[0], goal[1] - root[1])),
        t_min=float(times[still.min(axis=1).argmin()]),
    )


def sampled(knots: np.ndarray) -> np.ndarray:
    """Times from the first to the last knot, at `RATE` and at the knots themselves (s)."""
    steps = np.arange(int((knots[-1] - knots[0]) * RATE + EPS) + 1)
    return np.unique(np.concatenate([knots[0] + steps / RATE, knots]).clip(knots[0], knots[-1]))


def hands(plan: Plan, times: np.ndarray, *, from_rest: bool = False) -> np.ndarray:
    """Both hands in the body frame.

    Args:
        plan: in its normal form. times: (t,) s. from_rest: before the first key frame they come from their rest, where
            they are at t = 0; else they wait at the first.

    Returns:
        (t, 2, 3) left and right hand, (forward, left, up) m.
    """
    knots = [frame.t for frame in plan.keyframes]
    places = [[*frame.left_hand, *frame.right_hand] for frame in plan.keyframes]
    if from_rest and knots[0] > 0:
        knots, places = [0.0, *knots], [[*REST[0], *REST[1]], *places]
    columns = np.array(places).T
    return np.stack([np.interp(times, knots, column) for column in columns], axis=-1).reshape(len(times), 2, 3)


def walked(plan: Plan, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the root has walked to: (t, 2) world x and y from its start (m), (t,) heading from +Y (rad).

    The command is that of the moving body; with a yaw rate the root goes along an arc.
    """
    vx, vy, rate = plan.walking_cmd
    spent = np.clip(times, 0.0, plan.walking_duration)
    turn = rate * spent
    # Integrals of cos and sin of the heading over time, without dividing by a rate of zero.
    forward = spent * np.sinc(turn / np.pi)
    sideways = spent * np.sinc(turn / (2 * np.pi)) * np.sin(turn / 2)
    along, across = vx * forward - vy * sideways, vx * sideways + vy * forward
    return np.stack([-across, along], axis=-1), turn


def to_world(hand: np.ndarray, root: Vector) -> np.ndarray:
    """A place (..., 3) (forward, left, up) from the pelvis, in the world frame (section 3.2)."""
    return np.stack([root[0] - hand[..., 1], root[1] + hand[..., 0], root[2] + hand[..., 2]], axis=-1)


def to_body(point: Vector, root: Vector) -> Vector:
    """A world point as (forward, left, up) from the pelvis of the robot at its start."""
    return (point[1] - root[1], root[0] - point[0], point[2] - root[2])


def _gaps(hand: np.ndarray, moved: np.ndarray, turn: np.ndarray, root: Vector, goal: np.ndarray) -> np.ndarray:
    """(t, 2) distances of the hands (t, 2, 3) from the goal, the root having moved and turned."""
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    ahead, left = hand[..., 0] * cos - hand[..., 1] * sin, hand[..., 0] * sin + hand[..., 1] * cos
    place = to_world(np.stack([ahead, left, hand[..., 2]], axis=-1), root)
    place[..., :2] += moved[:, None]
    return np.asarray(np.linalg.norm(place - goal, axis=-1))
