"""How far every engine ends from the 60-digit reference, and whether its labels agree.

The error of a scene is the largest position difference over its balls (m). Four decimals: error below 5e-5 m.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bench.engines import Engine, Solution
from bench.rows import Row
from tests.oracle import exact_loop, workload
from tests.oracle.scene import Scene

FOUR_DECIMALS = 5e-5
BENCH = "billiards.accuracy"


def accuracy(engines: Sequence[Engine], scenes: Mapping[workload.Moving, int], horizon: float) -> Iterator[Row]:
    """Rows of every engine on the first `scenes` of each workload."""
    for moving, count in scenes.items():
        pos, vel = workload.draw(count, moving)
        truth = [exact_loop.simulate(Scene.equal(x, v), horizon) for x, v in zip(pos, vel, strict=True)]
        exact = Solution(
            np.array([end.pos for end in truth]),
            np.array([end.first_hit(pos.shape[1]) <= horizon for end in truth]),
            np.array([end.first_wall() <= horizon for end in truth]),
        )
        for engine in engines:
            name = f"{engine.name} {moving}"
            try:
                solution = engine.solve(pos, vel)
            except Exception as error:
                yield Row(BENCH, name, None, "m", error=f"{type(error).__name__}: {error}")
                continue
            yield from judge(name, solution, exact)


def judge(name: str, solution: Solution, exact: Solution) -> Iterator[Row]:
    """Rows of one engine; scenes that it gave up on count as wrong and are left out of the quantiles."""
    error = np.abs(solution.pos - exact.pos).max(axis=(1, 2))
    solved = error[np.isfinite(error)]
    if len(solved) == 0:
        yield Row(BENCH, name, None, "m", error="no scene was solved")
        return
    yield Row(BENCH, f"{name}: median", float(np.median(solved)), "m")
    yield Row(BENCH, f"{name}: largest", float(solved.max()), "m")
    yield Row(BENCH, f"{name}: to 4 decimals", float(np.mean(error < FOUR_DECIMALS)), "share")
    yield Row(BENCH, f"{name}: within a radius", float(np.mean(error < workload.RADIUS)), "share")
    if solution.hits is not None and solution.walls is not None:
        equal = (solution.hits == exact.hits).all(axis=1) & (solution.walls == exact.walls).all(axis=1)
        yield Row(BENCH, f"{name}: labels equal", float(equal.mean()), "share")
