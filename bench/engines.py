"""Every engine behind one face: (positions, velocities) of a batch are loaded, and a call gives a `Solution`.

Names: `compiled`, `xla`, `xla-float32`, `readable`, `stepped-240` are ours (`+log` keeps the event list); `numba`
is the compiled peer, `numpy` the plain event loop, `pooltool-equal` pooltool with our contact laws,
`pooltool-stock` with its own (other physics: balls slide after contacts), `pymunk-240` and `pybullet-240` step.
"""

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.harness import Contender
from jaxphys import billiards
from tests.oracle import numpy_loop, workload
from tests.oracle.scene import Floats, Scene
from tests.reference import pooltool_client

HORIZON = 5.0
TOO_MANY = 0.01
"""Share of flagged scenes from which a run counts as failed."""
NO_RULES = billiards.Rules()


@dataclass(frozen=True)
class Solution:
    """End of a batch of b scenes with n balls.

    Attributes:
        pos: (b, n, 2) m, float64.
        hits, walls: (b, n), (b, 4) bool, what the cue ball met; None where the engine does not say.
        seconds: the engine's own time, where starting it is not to count.
        flagged: share of the scenes with a status bit.
    """

    pos: Floats
    hits: npt.NDArray[np.bool_] | None = None
    walls: npt.NDArray[np.bool_] | None = None
    seconds: float | None = None
    flagged: float = 0.0


Load = Callable[[Floats, Floats], Callable[[], Solution]]


@dataclass(frozen=True)
class Engine:
    """A named engine.

    Attributes:
        load: puts a batch into the engine's own arrays and returns the simulation, which alone is timed.
        most: a number of scenes that is enough to time it.
        times_itself: read the time from the solution, not from the clock.
    """

    name: str
    load: Load
    most: int | None = None
    times_itself: bool = False

    def contender(self, pos: Floats, vel: Floats) -> Contender:
        """This engine on a batch, or on its first scenes."""
        count = len(pos) if self.most is None else min(self.most, len(pos))
        own = (lambda solution: solution.seconds) if self.times_itself else None
        return Contender(self.name, count, self.load(pos[:count], vel[:count]), own)

    def solve(self, pos: Floats, vel: Floats) -> Solution:
        """Load and simulate once."""
        return self.load(pos, vel)()


def _loaded_by_call(solve: Callable[[Floats, Floats], Solution]) -> Load:
    """An engine that takes the arrays as they are."""
    return lambda pos, vel: functools.partial(solve, pos, vel)


def ours(
    backend: str,
    *,
    log: bool = False,
    dtype: type = np.float64,
    dt: float = 1 / 240,
    rules: billiards.Rules = NO_RULES,
    threads: int | None = None,
    name: str | None = None,
) -> Engine:
    """A back end of the product, from world and state on the host to arrays on the host."""

    def load(pos: Floats, vel: Floats) -> Callable[[], Solution]:
        world, state = billiards.make_scene(
            pos=pos, vel=vel, size=np.array(workload.SIZE), radius=workload.RADIUS, mu=workload.MU,
            g=workload.GRAVITY, dtype=dtype,
        )  # fmt: skip
        return functools.partial(solve, world, state)

    def solve(world: billiards.World, state: billiards.State) -> Solution:
        run = billiards.rollout(
            world, state, np.array([HORIZON]), backend=backend, log=log, dt=dt, rules=rules, threads=threads
        )
        flagged = float(np.mean(np.asarray(run.status) != 0))
        if flagged > TOO_MANY:
            raise RuntimeError(f"{flagged:.1%} of the scenes have a status, e.g. {np.max(run.status)}")
        hits, walls = np.asarray(run.first_hit) <= HORIZON, np.asarray(run.first_wall) <= HORIZON
        return Solution(np.asarray(run.pos, np.float64)[:, 0], hits, walls, flagged=flagged)

    return Engine(name or backend + ("+log" if log else ""), load)


def numba_peer() -> Engine:
    """The compiled event loop that the product has to beat."""

    def solve(pos: Floats, vel: Floats) -> Solution:
        from bench import peer_numba

        radius, size = workload.RADIUS, workload.SIZE
        end, _, hits, walls, _ = peer_numba.simulate(pos, vel, radius, workload.A, size, HORIZON)
        ball, wall = np.arange(pos.shape[1]), np.arange(4)
        return Solution(end, (hits[:, None] >> ball) & 1 == 1, (walls[:, None] >> wall) & 1 == 1)

    return Engine("numba", _loaded_by_call(solve))


def numpy_peer() -> Engine:
    """The plain event loop with `numpy.roots`."""

    def solve(pos: Floats, vel: Floats) -> Solution:
        ends = [
            numpy_loop.simulate(Scene.equal(x, v, radius=workload.RADIUS, a=workload.A), HORIZON)
            for x, v in zip(pos, vel, strict=True)
        ]
        hits = np.array([end.first_hit(pos.shape[1]) <= HORIZON for end in ends])
        return Solution(
            np.array([end.pos for end in ends]), hits, np.array([end.first_wall() <= HORIZON for end in ends])
        )

    return Engine("numpy", _loaded_by_call(solve), most=50)


def pooltool(client: pooltool_client.Pooltool, physics: pooltool_client.Physics) -> Engine:
    """pooltool in its own process; it times its own `simulate` calls. A scene it gives up on has no position."""

    def solve(pos: Floats, vel: Floats) -> Solution:
        results = client.simulate(pos, vel, HORIZON, physics)
        lost = np.full(pos.shape[1:], np.nan)
        ends = np.array([lost if result["error"] else result["pos"] for result in results])
        return Solution(ends, seconds=sum(result["seconds"] for result in results))

    return Engine(f"pooltool-{physics}", _loaded_by_call(solve), most=20, times_itself=True)


def stepping_peer(name: str, steps_per_second: int) -> Engine:
    """pymunk or PyBullet."""

    def solve(pos: Floats, vel: Floats) -> Solution:
        simulate = _stepper(name)
        scenes = (Scene.equal(x, v, radius=workload.RADIUS, a=workload.A) for x, v in zip(pos, vel, strict=True))
        return Solution(np.array([simulate(scene, HORIZON, 1 / steps_per_second)[0] for scene in scenes]))

    return Engine(f"{name}-{steps_per_second}", _loaded_by_call(solve), most=4)


@functools.cache
def _stepper(name: str) -> Callable[[Scene, float, float], tuple[Floats, Floats]]:
    if name == "pymunk":
        from tests.reference import pymunk_engine

        return pymunk_engine.simulate
    from bench import pybullet_engine

    return pybullet_engine.simulate


def core() -> list[Engine]:
    """Ours without the event list, and the numba peer."""
    return [ours("compiled"), ours("xla"), ours("xla", dtype=np.float32, name="xla-float32"), numba_peer()]


def logged() -> list[Engine]:
    """Ours with the event list kept."""
    return [ours("compiled", log=True), ours("xla", log=True)]


def limited(engine: Engine, most: int) -> Engine:
    """The same engine on at most so many scenes."""
    return dataclasses.replace(engine, most=most)


def outside(client: Any) -> list[Engine]:
    """The slow peers. `client` is a running pooltool, or None to leave it out."""
    pool = [pooltool(client, "equal"), pooltool(client, "stock")] if client else []
    return [numpy_peer(), *pool, stepping_peer("pymunk", 240), stepping_peer("pybullet", 240)]
