"""`Labels`: the ground truth of a scene, read off its trajectory (BilliardPhys-Bench specification, sections 4.6, 6).

Q1 of a ball is true if the cue ball and it exchanged a positive impulse at some time <= t, Q2 of a wall
likewise; Q3 is every ball's place at t. Numbers are full precision; `published_pos` has the four decimals
that are scored. A scene whose status word is not zero has labels for inspection only: they are never written.

Public functions: `label`, `chain_depth`, `four_decimals`.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Margin, Point
from jaxphys_kernels.billiards.model import WALLS, Events, Kind, Trajectory

KIND_NAMES = {Kind.STOP: "stop", Kind.POCKET: "pocket", Kind.WALL: "wall", Kind.BALL: "ball"}
"""Names of the kinds of event in files."""

CUE = 0
UNTOUCHED = -1


@dataclass(frozen=True)
class Event:
    """Something that happened.

    Attributes:
        t: time (s).
        kind: "ball", "wall", "stop" or "pocket".
        ids: the ball, or the two balls, smaller id first.
        pos: centre of each of `ids` (m).
        wall: name of the wall, for kind "wall".
        pocket: index of the pocket, for kind "pocket".
    """

    t: float
    kind: str
    ids: tuple[int, ...]
    pos: tuple[Point, ...]
    wall: str | None = None
    pocket: int | None = None


@dataclass(frozen=True)
class Labels:
    """Ground truth of a scene of n balls.

    Attributes:
        t: time of the labels (s).
        q1: (n - 1,) does the cue ball hit ball 1, 2, …
        q2: (4,) does the cue ball hit each of `WALLS`.
        pos: (n,) centres at t (m), None for a pocketed ball.
        vel: (n,) velocities at t (m/s), None for a pocketed ball.
        events: what happened up to t, in order.
        chain_depth: (n,) 0 for the cue ball, d + 1 for a ball first touched by one of depth d, -1 if untouched.
        margin: result of the stability screen, if it was run.
        status: status word; not zero means that there is no ground truth.
    """

    t: float
    q1: tuple[bool, ...]
    q2: tuple[bool, ...]
    pos: tuple[Point | None, ...]
    vel: tuple[Point | None, ...]
    events: tuple[Event, ...]
    chain_depth: tuple[int, ...]
    margin: Margin | None
    status: int

    @property
    def published_pos(self) -> tuple[Point | None, ...]:
        """(n,) centres with the four decimals of the files, which are the ones that are scored."""
        return tuple(None if pos is None else four_decimals(pos) for pos in self.pos)

    @property
    def hit_balls(self) -> frozenset[int]:
        """Ids of the balls that the cue ball hits."""
        return frozenset(ball for ball, hit in enumerate(self.q1, start=1) if hit)

    @property
    def hit_walls(self) -> frozenset[str]:
        """Names of the walls that the cue ball hits."""
        return frozenset(wall for wall, hit in zip(WALLS, self.q2, strict=True) if hit)


def label(specs: Sequence[BilliardSpec], trajectory: Trajectory) -> list[Labels]:
    """Ground truth of a batch of scenes, at the last asked time of each.

    Args:
        specs: the scenes. trajectory: their rollout with the event log, in the same order.

    Raises:
        ValueError: no event log, another number of scenes, or a rollout to another time than t.
    """
    if trajectory.events is None:
        raise ValueError("trajectory: has no event log; roll out with log=True")
    arrays = {name: np.asarray(getattr(trajectory, name)) for name in ("times", "first_hit", "first_wall", "status")}
    if len(arrays["status"]) != len(specs):
        raise ValueError(f"trajectory: {len(arrays['status'])} scenes for {len(specs)} specs; roll out these specs")
    times = np.broadcast_to(arrays["times"], (len(specs), arrays["times"].shape[-1]))[:, -1]
    # + 0.0 turns -0.0 into 0.0, which no file shall show.
    final = [np.asarray(leaf)[:, -1].tolist() for leaf in (trajectory.pos + 0.0, trajectory.vel + 0.0)]
    alive = np.asarray(trajectory.alive)[:, -1]
    logs = _event_lists(trajectory.events)
    result = []
    for k, spec in enumerate(specs):
        if times[k] != spec.t:
            raise ValueError(f"trajectory: scene {spec.id} runs to {times[k]} s, not to t = {spec.t} s")
        pos, vel = (
            tuple((xy[0], xy[1]) if lives else None for xy, lives in zip(leaf[k], alive[k], strict=True))
            for leaf in final
        )
        events, depth = logs[k][0], chain_depth(spec.n, logs[k][1])
        result.append(
            Labels(
                t=spec.t,
                q1=tuple((arrays["first_hit"][k, 1:] <= spec.t).tolist()),
                q2=tuple((arrays["first_wall"][k] <= spec.t).tolist()),
                pos=pos,
                vel=vel,
                events=events,
                chain_depth=depth,
                margin=spec.margin,
                status=int(arrays["status"][k]) | spec.status,
            )
        )
    return result


def chain_depth(n: int, contacts: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    """Depth of each ball in the chain of hits that starts at the cue ball (section 6).

    Args:
        n: balls. contacts: (step, ball, ball) in order; contacts of one step were solved jointly.
    """
    depth = [UNTOUCHED] * n
    depth[CUE] = 0
    for _, joint in itertools.groupby(contacts, key=lambda contact: contact[0]):
        # What is reached in a joint step passes nothing on in it, and the shortest chain counts.
        reached: dict[int, int] = {}
        for _, first, second in joint:
            for near, far in ((first, second), (second, first)):
                if depth[near] != UNTOUCHED and depth[far] == UNTOUCHED:
                    reached[far] = min(depth[near] + 1, reached.get(far, n))
        for ball, steps in reached.items():
            depth[ball] = steps
    return tuple(depth)


def four_decimals(pos: Point) -> Point:
    """A place rounded to four decimals, never -0.0."""
    return round(pos[0], 4) + 0.0, round(pos[1], 4) + 0.0


def _event_lists(events: Events) -> list[tuple[tuple[Event, ...], list[tuple[int, int, int]]]]:
    """Per scene: its events, and its ball contacts as (step, ball, ball) in the order of the impact rounds."""
    counts = np.minimum(np.asarray(events.count), np.asarray(events.time).shape[-1])
    most = int(counts.max(initial=0))
    time, kind, bodies, rounds, pos = (
        np.asarray(leaf)[:, :most].tolist()
        for leaf in (events.time, events.kind, events.bodies, events.rounds, np.asarray(events.pos) + 0.0)
    )
    lists = []
    for k, used in enumerate(counts.tolist()):
        rows = range(used)
        told = tuple(_event(time[k][m], Kind(kind[k][m]), bodies[k][m], pos[k][m]) for m in rows)
        hits = sorted((time[k][m], rounds[k][m], *bodies[k][m]) for m in rows if kind[k][m] == Kind.BALL)
        moments = {moment: step for step, moment in enumerate(sorted({hit[:2] for hit in hits}), start=1)}
        lists.append((told, [(moments[hit[:2]], hit[2], hit[3]) for hit in hits]))
    return lists


def _event(time: float, kind: Kind, bodies: list[int], pos: list[Any]) -> Event:
    balls = tuple(bodies) if kind is Kind.BALL else (bodies[0],)
    return Event(
        t=time,
        kind=KIND_NAMES[kind],
        ids=balls,
        pos=tuple((xy[0], xy[1]) for xy in pos[: len(balls)]),
        wall=WALLS[bodies[1]] if kind is Kind.WALL else None,
        pocket=bodies[1] if kind is Kind.POCKET else None,
    )
