"""Runs pooltool in its own environment: one JSON request per line on stdin, one JSON reply per line on stdout.

Request: {"pos": (s, n, 2), "vel": (s, n, 2), "radius", "mu", "g", "size": [W, H], "horizon", "physics"}, SI units;
"physics" is "equal" (our model) or "stock" (pooltool's own frictionless elastic resolvers, whose balls keep their
spin and slide after every contact). Reply: {"version", "results": [{"pos", "vel", "events": [[t, kind, bodies]],
"seconds", "error"}]}, where `seconds` is the time inside `simulate`. Imports nothing of the project.

pooltool's table has x along the short side, so coordinates are swapped on the way in and out.
"""

import importlib.metadata
import json
import os
import sys
import time
from typing import Any

import attrs
import numpy as np
import pooltool as pt
from pooltool import constants, ptmath
from pooltool.events import EventType
from pooltool.objects.ball.datatypes import Ball, BallState
from pooltool.physics.engine import PhysicsEngine
from pooltool.physics.evolve import evolve_ball_motion
from pooltool.physics.resolve.ball_ball.core import CoreBallBallCollision
from pooltool.physics.resolve.ball_ball.frictionless_elastic import FrictionlessElastic
from pooltool.physics.resolve.ball_cushion.core import CoreBallLCushionCollision
from pooltool.physics.resolve.ball_cushion.unrealistic import UnrealisticCircular, UnrealisticLinear
from pooltool.physics.resolve.resolver import default_resolver

CUSHIONS = {"12": 0, "3": 1, "18": 2, "9": 3}
"""pooltool's cushion ids by our walls TOP, BOTTOM, LEFT, RIGHT."""

KINDS = {
    EventType.BALL_BALL: "ball",
    EventType.BALL_LINEAR_CUSHION: "wall",
    EventType.ROLLING_STATIONARY: "stop",
    EventType.ROLLING_SPINNING: "stop",
}
NO_FRICTION = 1e-9  # pooltool wants a positive number
REST = 1e-12


def roll(ball: Ball) -> None:
    """Give a ball the spin of pure rolling, as our balls have none; at rest below `REST`."""
    r, v, _ = ball.state.rvw
    if ptmath.norm3d(v) < REST:
        ball.state = BallState(np.array([r, np.zeros(3), np.zeros(3)]), constants.stationary, ball.state.t)
    else:
        spin = np.array([-v[1], v[0], 0.0]) / ball.params.R
        ball.state = BallState(np.array([r, v, spin]), constants.rolling, ball.state.t)


@attrs.define
class EqualMassImpulse(CoreBallBallCollision):
    def solve(self, ball1: Ball, ball2: Ball) -> tuple[Ball, Ball]:
        n = ptmath.unit_vector(ball2.state.rvw[0] - ball1.state.rvw[0])
        q = np.dot(ball1.state.rvw[1] - ball2.state.rvw[1], n)
        ball1.state.rvw[1] -= q * n
        ball2.state.rvw[1] += q * n
        roll(ball1)
        roll(ball2)
        return ball1, ball2

    def resolve_continually_touching(self, ball1: Ball, ball2: Ball) -> tuple[Ball, Ball]:
        return ball1, ball2  # A transfer of momentum that our model does not have.


@attrs.define
class Mirror(CoreBallLCushionCollision):
    def solve(self, ball: Ball, cushion: Any) -> tuple[Ball, Any]:
        n = cushion.get_normal_xy(ball.xyz)
        ball.state.rvw[1] -= 2 * np.dot(ball.state.rvw[1], n) * n
        roll(ball)
        return ball, cushion


def engine(physics: str) -> PhysicsEngine:
    models = {
        "equal": {"ball_ball": EqualMassImpulse(), "ball_linear_cushion": Mirror()},
        "stock": {"ball_ball": FrictionlessElastic(), "ball_linear_cushion": UnrealisticLinear(restitution=False)},
    }
    circular = UnrealisticCircular(restitution=False)  # the table has no such cushion
    return PhysicsEngine(resolver=attrs.evolve(default_resolver(), ball_circular_cushion=circular, **models[physics]))


def system(request: dict[str, Any], scene: int) -> pt.System:
    params = pt.BallParams(
        m=1.0,
        R=request["radius"],
        u_s=request["mu"],
        u_r=request["mu"],
        u_sp_proportionality=NO_FRICTION,
        e_b=1.0,
        e_c=1.0,
        f_c=NO_FRICTION,
        g=request["g"],
    )
    balls = []
    for i, ((x, y), (vx, vy)) in enumerate(zip(request["pos"][scene], request["vel"][scene], strict=True)):
        ball = pt.Ball(id=str(i), ballset=None)
        ball.params = params
        rvw = np.array([[y, x, params.R], [vy, vx, 0.0], [0.0, 0.0, 0.0]])
        ball.state = BallState(rvw, constants.stationary, 0.0)
        roll(ball)
        balls.append(ball)
    width, height = request["size"]
    table = pt.Table.from_table_specs(pt.objects.BilliardTableSpecs(l=width, w=height))
    return pt.System(cue=pt.Cue(cue_ball_id="0"), table=table, balls=balls)


def run(request: dict[str, Any], scene: int, physics: PhysicsEngine) -> dict[str, Any]:
    shot, horizon = system(request, scene), request["horizon"]
    start = time.perf_counter()
    try:
        pt.simulate(shot, engine=physics, inplace=True, t_final=horizon)
    except ValueError as error:  # Seen where touching balls cannot be separated.
        return {"error": str(error), "seconds": time.perf_counter() - start}
    seconds = time.perf_counter() - start
    pos, vel = [], []
    for ball in shot.balls.values():
        last = [state for state in ball.history.states if state.t <= horizon][-1]
        p = ball.params
        rvw, _ = evolve_ball_motion(last.s, last.rvw, p.R, p.m, p.u_s, p.u_sp, p.u_r, p.g, horizon - last.t)
        pos.append([rvw[0, 1], rvw[0, 0]])
        vel.append([rvw[1, 1], rvw[1, 0]])
    events = [
        [event.time, KINDS[event.event_type], bodies(event)]
        for event in shot.events
        if event.time <= horizon and event.event_type in KINDS
    ]
    return {"pos": pos, "vel": vel, "events": events, "seconds": seconds, "error": None}


def bodies(event: Any) -> list[int]:
    if event.event_type == EventType.BALL_LINEAR_CUSHION:
        return [int(event.ids[0]), CUSHIONS[event.ids[1]]]
    return sorted(int(i) for i in event.ids)


def main() -> None:
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # pooltool prints; only replies may reach stdout
    for line in sys.stdin:
        request = json.loads(line)
        physics = engine(request["physics"])
        results = [run(request, scene, physics) for scene in range(len(request["pos"]))]
        version = importlib.metadata.version("pooltool-billiards")
        print(json.dumps({"version": version, "results": results}), file=replies, flush=True)


if __name__ == "__main__":
    main()
