"""`Outcome`: what came of a plan that was carried out, and how it is told from what a lane has been through.

ReactHuman specification, sections 13.2, 13.5 and 14. Thresholds are those of `ExecutionConfig`; a number that is not
known is None. Hands are the palms of the robot. Of the five outcome levels the second, whether the action is the right
one, needs the rules of a question and is the score's: see `verdict`. Public: `Outcome`, `Base`, `judged`, `Lived`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from jaxphys_benchmarks.reacthuman.execution.config import STEP, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.given import Given, carried, counting, onsets
from jaxphys_benchmarks.reacthuman.execution.mapping import to_heading, to_world
from jaxphys_benchmarks.reacthuman.execution.model import PARTS
from jaxphys_benchmarks.reacthuman.execution.watch import HANDS, Rows, Touch
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.plan import REST
from jaxphys_benchmarks.reacthuman.recover import EPS
from jaxphys_benchmarks.reacthuman.scene import Part

Floats = NDArray[np.float64]

FAR = 1e4
"""Where no robot gets (m): its numbers are gone, and so are those of its lane from then on."""

FALL_HEIGHT, FALL_UP = 0.35, 0.5
"""A robot whose pelvis is lower (m), or leans so that its up-vector is flatter, has fallen (humanoid, section 7)."""


class Base(Part):
    """How far the pelvis has got from where it stood: forward, left (m), and turned to the left (rad)."""

    forward: float
    left: float
    turned: float


class Outcome(Part):
    """What happened while a plan was carried out.

    Attributes:
        seconds: time that was simulated from the freeze (s). policy, cone: what with.
        caught: a hand touched the object, and then it stayed within reach of a hand and slower against it than
            `caught_speed` for `caught_time`, the robot on its feet. held: it was so at the end. reached: it came
            within `near_hand` of a hand, or touched one. touched: it touched the robot anywhere. hit: it touched
            torso, head, pelvis or legs.
        first_contact_body: part of the robot, "" for none. first_contact_time: from the freeze (s).
            contact_speed: of object and part against each other then (m/s).
        contact_impulse: of all contacts of bodies with the robot (N s). contact_bodies: parts that were touched.
        min_clearance: least distance between object and robot (m). hand_clearance: between object and hands (m).
        hand_error_at_impact: distance of the nearer hand from the point of impact at its time (m).
        d_end_executed, d_min_executed: from the point of impact at the end of the plan, and least from the first key
            frame of the first plan until then (m). Of several plans that were given one after the other, it is the
            last one that began by the time of the impact, or else the first; it ends where another takes its place.
        fell: the robot, or its numbers went, which ends the run. fell_time: s.
        base: where the robot got to.
        t_first_motion: when the robot had reacted (s): what its plans ask for beyond rest could be seen. A hand has
            left the way from where it was at the freeze to its rest by `motion_hand`, after the plans had asked hands
            to leave it or the robot to turn; or the pelvis has moved by `motion_base` since they asked for a walk or
            bent knees. Who stays has not reacted. Without a plan, any such motion counts until the robot is touched.
        l1_reacted: it did react. l3_before: it reacted before the impact. l4_ended: a hand ends near the impact.
            l5_soft: the first contact was slow.
        findings: what the robot could not do of its plans; they were carried out as far as it can.
    """

    seconds: float
    policy: str
    cone: str
    caught: bool
    held: bool
    reached: bool
    touched: bool
    hit: bool
    first_contact_body: str = ""
    first_contact_time: float | None = None
    contact_speed: float | None = None
    contact_impulse: float = 0.0
    contact_bodies: tuple[str, ...] = ()
    min_clearance: float | None = None
    hand_clearance: float | None = None
    hand_error_at_impact: float | None = None
    d_end_executed: float | None = None
    d_min_executed: float | None = None
    fell: bool = False
    fell_time: float | None = None
    base: Base
    t_first_motion: float | None = None
    l1_reacted: bool = False
    l3_before: bool | None = None
    l4_ended: bool | None = None
    l5_soft: bool | None = None
    findings: tuple[str, ...] = Field(default=())


@dataclass(frozen=True, eq=False)
class Lived:
    """What one lane has been through, as arrays; s + 1 recorded steps, the freeze first.

    Attributes:
        times: (s + 1,) s. gaps: (s + 1, 9) of the parts to the object (m). slip: (s + 1, 2) of the object against the
            hands (m/s). palms: (s + 1, 2, 3) m. base: (s + 1, 7) of the pelvis.
    """

    times: Floats
    gaps: Floats
    slip: Floats
    palms: Floats
    base: Floats


def lived(rows: Rows) -> tuple[Lived, bool]:
    """The arrays of what was written down, as long as it is numbers, and whether it ceased to be."""
    leaves = [np.array(leaf) for leaf in (rows.gaps, rows.slip, rows.palms, rows.base)]
    sound = np.all([np.isfinite(leaf).reshape(len(leaf), -1).all(axis=1) for leaf in leaves], axis=0)
    sound &= (np.abs(leaves[-1]) < FAR).all(axis=1)
    count = len(sound) if sound.all() else max(int(sound.argmin()), 1)
    times = np.arange(count, dtype=np.float64) * STEP
    return Lived(times, *(leaf[:count] for leaf in leaves)), not bool(sound.all())


def judged(
    rows: Rows,
    touches: Mapping[tuple[int, int], Touch],
    labels: Labels,
    plans: Given,
    findings: tuple[str, ...],
    config: ExecutionConfig,
) -> Outcome:
    """The outcome of a lane.

    Args:
        rows: what was written down. touches: first contacts and impulses by (part of the robot, body of the scene).
        labels: ground truth of the scene. plans: when each began (s), the first one at the freeze.
        findings: limits of the robot that they met. config: thresholds.
    """
    seen, gone = lived(rows)
    touches = {key: touch for key, touch in touches.items() if np.isfinite(touch.speed + touch.impulse)}
    hands = seen.gaps[:, :HANDS]
    first = min(touches.items(), key=lambda item: item[1].time, default=None)
    parts = sorted({part for part, _ in touches})
    by_hand = min((touch.time for (part, _), touch in touches.items() if part < HANDS), default=None)
    lies = (seen.base[:, 2] < FALL_HEIGHT) | (_up(seen.base) < FALL_UP)
    lies[-1] |= gone
    fell = np.flatnonzero(lies)
    kept = _kept(seen, by_hand, config)
    kept[fell[0] if fell.size else len(kept) :] = False
    touched = math.inf if first is None else first[1].time
    moved = _first_motion(seen, plans, touched, config)
    gaps = _distances(seen, labels, plans)
    end = gaps.get("d_end_executed")
    speed = None if first is None else first[1].speed
    return Outcome(
        seconds=_rounded(float(seen.times[-1])),
        policy=config.policy,
        cone=config.cone,
        caught=bool(kept.any()),
        held=bool(kept.any() and kept[-1]),
        reached=by_hand is not None or bool(hands.min() <= config.near_hand),
        touched=first is not None,
        hit=any(part >= HANDS for part in parts),
        first_contact_body="" if first is None else PARTS[first[0][0]],
        first_contact_time=None if first is None else _rounded(first[1].time),
        contact_speed=None if speed is None else _rounded(speed),
        contact_impulse=_rounded(sum(touch.impulse for touch in touches.values())),
        contact_bodies=tuple(PARTS[part] for part in parts),
        min_clearance=_rounded(max(float(seen.gaps.min()), 0.0)),
        hand_clearance=_rounded(max(float(hands.min()), 0.0)),
        fell=bool(fell.size),
        fell_time=_rounded(float(seen.times[fell[0]])) if fell.size else None,
        base=_base(seen),
        t_first_motion=None if moved is None else _rounded(moved),
        l1_reacted=moved is not None,
        l3_before=None if labels.tti is None else moved is not None and moved < labels.tti,
        l4_ended=None if end is None else end <= config.end_distance,
        l5_soft=None if speed is None else speed <= config.soft_speed,
        findings=findings,
        **gaps,
    )


def _kept(seen: Lived, since: float | None, config: ExecutionConfig) -> NDArray[np.bool_]:
    """(s + 1,) whether the object has been near a hand and slow against it for long enough, after a hand touched it."""
    if since is None:
        return np.zeros(len(seen.times), bool)
    near = (seen.gaps[:, :HANDS] <= config.near_hand) & (seen.slip < config.caught_speed)
    near &= (seen.times >= since)[:, None]
    steps = max(1, round(config.caught_time / STEP))
    count = np.cumsum(near, axis=0)
    before = np.concatenate([np.zeros((steps, HANDS), int), count[:-steps]])[: len(count)]
    kept: NDArray[np.bool_] = (count - before >= steps).any(axis=1)
    return kept


def _first_motion(seen: Lived, plans: Given, touched: float, config: ExecutionConfig) -> float | None:
    """When a motion that the plans ask for could be seen (s); `touched`: when the robot first was (s)."""
    asked, away = onsets(plans, config.motion_hand), _away(seen, config)
    moved = away & (seen.times >= asked.hands - EPS)
    moved |= _gone(seen, asked.body, config)
    # Before the first plan somebody else may drive the joints; what a touch does to the robot is no reaction.
    unplanned = seen.times < min(asked.plan, touched) - EPS
    moved |= (away | _gone(seen, 0.0, config)) & unplanned
    return float(seen.times[int(moved.argmax())]) if moved.any() else None


def _away(seen: Lived, config: ExecutionConfig) -> NDArray[np.bool_]:
    """(s + 1,) whether a hand is off the straight way from where it was at the freeze to its rest.

    All plans begin with that way: the walking policy holds the arms elsewhere than the rest of plans.
    """
    ground = seen.base[:, None, :3] * (1.0, 1.0, 0.0)
    hands, root = seen.palms - ground, ground[0, 0]
    begin = hands[0]
    way = to_world(to_heading(np.array(REST), config.z_ref), root, _yaw(seen.base[:1])) - root - begin
    share = ((hands - begin) * way).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), EPS)
    off = hands - begin - np.clip(share, 0.0, 1.0)[..., None] * way
    return np.asarray(np.linalg.norm(off, axis=-1).max(axis=1) >= config.motion_hand)


def _gone(seen: Lived, since: float, config: ExecutionConfig) -> NDArray[np.bool_]:
    """(s + 1,) whether the pelvis has moved since a time (s)."""
    after = seen.times >= since - EPS
    place = seen.base[int(after.argmax()), :3]
    return np.asarray(after & (np.linalg.norm(seen.base[:, :3] - place, axis=1) >= config.motion_base))


def _up(base: Floats) -> Floats:
    """(s + 1,) height of the pelvis' up-vector, 1 upright."""
    _, x, y, _ = base[:, 3:].T
    return np.asarray(1 - 2 * (x * x + y * y))


def _yaw(base: Floats) -> Floats:
    """(s + 1,) heading of the pelvis from +X (rad)."""
    w, x, y, z = base[:, 3:].T
    return np.asarray(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def _base(seen: Lived) -> Base:
    """Where the pelvis got to, from where it stood."""
    yaw = _yaw(seen.base)
    ahead, aside = seen.base[-1, :2] - seen.base[0, :2]
    c, s = np.cos(yaw[0]), np.sin(yaw[0])
    turned = float((yaw[-1] - yaw[0] + np.pi) % (2 * np.pi) - np.pi)
    forward, left = float(c * ahead + s * aside), float(c * aside - s * ahead)
    return Base(forward=_rounded(forward), left=_rounded(left), turned=_rounded(turned))


def _distances(seen: Lived, labels: Labels, plans: Given) -> dict[str, Any]:
    """Distances of the nearer palm from the point of impact: at its time, at the end of the plan, and least."""
    if labels.impact_point is None:
        return {}
    apart = np.linalg.norm(seen.palms - np.array(labels.impact_point), axis=-1).min(axis=1)
    found: dict[str, Any] = {}
    if labels.tti is not None and 0 <= labels.tti <= seen.times[-1]:
        found["hand_error_at_impact"] = _rounded(float(apart[round(labels.tti / STEP)]))
    own = carried(plans)
    if not own:
        return found
    judged_by = own[counting([one.begin for one in own], labels.tti)]
    begin, done = own[0].begin + own[0].plan.keyframes[0].t, judged_by.done
    # A plan may be replaced before its first key frame.
    first, end = (min(round(time / STEP), len(apart) - 1) for time in (min(begin, done), done))
    found["d_end_executed"] = _rounded(float(apart[end]))
    found["d_min_executed"] = _rounded(float(apart[first : end + 1].min()))
    return found


def _rounded(value: float) -> float:
    """To 1e-6, without -0.0."""
    return round(float(value), 6) + 0.0
