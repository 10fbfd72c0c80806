"""The question about looking again: the baseline `constant_velocity` re-planned at 5 Hz against itself, asked once.

Scenes of thrown and bouncing objects and pendulums in event timing, 0.9 s before the impact in all bands; the robot
carries the plans out. A row each of the mean in either way, of the difference and of its 95 % interval, drawn by
bootstrap over four-band groups; and the seconds that all scenes took, the first compilation apart.
"""

import math
import time
from collections.abc import Iterator, Sequence

from bench.billiards import Plan
from bench.rows import Row
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.execution import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop import LoopConfig, policies, run
from jaxphys_benchmarks.reacthuman.loop.comparison import Difference, compare
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

BENCH = "hazard.closed_loop"
FAMILIES = ("thrown_object", "bouncing_object", "pendulum_swing")
POLICY = "constant_velocity"
EACH = {True: 8, False: 80}
"""Scenes of each family, by quickness."""
SEED = 0
LEAD, EVERY, SECONDS = 0.9, 0.2, 2.0
"""Time from the freeze to the impact, between two looks, and of a whole run (s)."""


def benchmark() -> ReactHuman:
    """Scenes whose window ends before the event."""
    return ReactHuman(timing="event", lead="constant", lead_constant=LEAD, families=FAMILIES, visible_px=0)


def scenes(each: int, seed: int = SEED) -> tuple[Sequence[ReactHumanSpec], Sequence[Labels]]:
    """`each` scenes of each family, with labels."""
    made = benchmark()
    specs = made.sample(seed, each)
    return specs, made.label(specs, *made.simulate(specs))


def answered(specs: Sequence[ReactHumanSpec], labels: Sequence[Labels], until: float) -> list[Outcome]:
    """Outcomes of the policy; it looks again up to a time, 0 for never (s)."""
    how = LoopConfig(every=EVERY, until=until, execution=ExecutionConfig(seconds=SECONDS))
    outcomes, _, _ = run(specs, labels, policies(labels, benchmark().config)[POLICY](), how)
    return outcomes


def closed_loop(plan: Plan) -> Iterator[Row]:
    """What looking again brings, and what it costs."""
    specs, labels = scenes(EACH[plan.quick])
    answered(specs[:1], labels[:1], 0.0)
    began = time.perf_counter()
    once = answered(specs, labels, 0.0)
    middle = time.perf_counter()
    again = answered(specs, labels, SECONDS)
    ended = time.perf_counter()
    for family, measures in compare(specs, labels, once, again).items():
        for measure, found in measures.items():
            yield from _rows(f"{family}, {measure}", found)
    yield Row(BENCH, f"{len(specs)} scenes, asked once", middle - began, "s")
    yield Row(BENCH, f"{len(specs)} scenes, re-planned", ended - middle, "s", peer="asked once",
              ratio=(ended - middle) / (middle - began))  # fmt: skip


def _rows(what: str, found: Difference) -> Iterator[Row]:
    figures = {"n": float(found.n), "once": found.first, "again": found.second, "difference": found.mean}
    bounds = {"low": found.low, "high": found.high}
    for name, value in (figures | bounds).items():
        if math.isfinite(value):
            yield Row(BENCH, f"{what}: {name}", value, "")


QUESTIONS = {"closed_loop": closed_loop}
"""By name."""
