"""The questions about billiards: speed by engine and batch, accuracy, cost per ball, memory, latency, gradients.

Workload and rules of measurement: performance document, sections 1, 2 and 13. Each question yields `Row`s and
runs its peers in the same round; a contender that fails gives a failed row.
"""

import functools
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

import jaxphys
from bench import engines
from bench.accuracy import accuracy
from bench.engines import HORIZON, Engine
from bench.harness import Contender, Timing, interleave
from bench.rows import ROOT, Row
from bench.targets import FULL
from jaxphys import billiards
from tests.oracle import workload

MOVING: tuple[workload.Moving, ...] = ("cue", "all")


@dataclass(frozen=True)
class Plan:
    """How much is measured.

    Attributes:
        batches: batch sizes of the speed table.
        quick: about a minute: no fixed-step or vmapped forms at the full batch, few balls, small samples.
        pooltool: a running pooltool client, or None.
    """

    batches: tuple[int, ...]
    quick: bool
    pooltool: Any = None


def speed(plan: Plan) -> Iterator[Row]:
    """Scenes per second of a 5 s window by engine, workload and batch; ratios to every peer of the round."""
    for moving in MOVING:
        pos, vel = workload.draw(max(plan.batches), moving)
        for batch in plan.batches:
            contestants = engines.core()
            if batch >= 1024 and not plan.quick:
                contestants += engines.logged()
            if batch == max(plan.batches):
                contestants += engines.outside(plan.pooltool)
                if not plan.quick:
                    # Both cost the same per scene at any batch beyond a thousand, or more.
                    contestants += [engines.limited(engines.ours("stepped", name="stepped-240"), 1024)]
                    contestants += [engines.ours("readable")] if moving == "cue" else []
            timings = interleave([e.contender(pos[:batch], vel[:batch]) for e in contestants])
            yield from _speed_rows("billiards.speed", timings, f"{moving} {batch}")


PEERS = {
    "numba": ("numpy",),
    "compiled": ("numba", "numpy", "pooltool-equal", "pooltool-stock", "pymunk-240", "pybullet-240"),
    "compiled+log": ("numba",),
    "xla": ("numba", "numpy", "pooltool-equal", "pymunk-240", "pybullet-240", "stepped-240", "readable"),
    "xla+log": ("numba",),
    "xla-float32": ("xla", "numba"),
}
"""Whom an engine is compared with."""


def _speed_rows(bench: str, timings: dict[str, Timing], label: str) -> Iterator[Row]:
    for name, timing in timings.items():
        if timing.error is not None:
            yield Row(bench, f"{name} {label}", None, "scenes/s", error=timing.error)
            continue
        yield Row("billiards.first_call", f"{name} {label}", timing.first, "s")
        rivals = [peer for peer in PEERS.get(name, ()) if peer in timings and timings[peer].error is None]
        if not rivals:
            yield Row(bench, f"{name} {label}", timing.rate, "scenes/s")
        for peer in rivals:
            yield Row(bench, f"{name} {label}", timing.rate, "scenes/s", peer, timing.rate / timings[peer].rate)


def status(plan: Plan) -> Iterator[Row]:
    """Share of the timed scenes that a back end flags, and so gives no label for."""
    for moving in MOVING:
        pos, vel = workload.draw(max(plan.batches), moving)
        for engine in engines.core()[:3]:
            solution = engine.solve(pos, vel)
            yield Row("billiards.status", f"{engine.name} {moving} {len(pos)}", solution.flagged, "share flagged")


def balls(plan: Plan) -> Iterator[Row]:
    """Cost growth with the number of balls, all moving."""
    rules = billiards.Rules(max_events=1024)
    for n in (2, 7, 16) if plan.quick else (2, 3, 7, 16, 32):
        scenes = 1024 if n < 16 else 128
        pos, vel = workload.draw(scenes, "all", balls=n)
        contestants = [engines.ours("compiled", rules=rules), engines.numba_peer()]
        if not plan.quick:
            contestants.insert(1, engines.ours("xla", rules=rules))
        timings = interleave([e.contender(pos, vel) for e in contestants])
        yield from _speed_rows("billiards.balls", timings, f"{n} balls")


def threads(plan: Plan) -> Iterator[Row]:
    """The compiled back end on one thread against all."""
    for moving in MOVING[:1] if plan.quick else MOVING:
        pos, vel = workload.draw(FULL, moving)
        one, many = engines.ours("compiled", threads=1, name="one thread"), engines.ours("compiled", name="all threads")
        timings = interleave([e.contender(pos, vel) for e in (one, many)])
        yield from _pair("billiards.threads", timings, "all threads", "one thread", f"compiled {moving}")


def latency(plan: Plan) -> Iterator[Row]:
    """One scene after compilation, from arrays to arrays."""
    pos, vel = workload.draw(1, "cue")
    contestants = [engines.ours("auto"), engines.ours("auto", log=True), engines.ours("xla"), engines.numba_peer()]
    for name, timing in interleave([e.contender(pos, vel) for e in contestants]).items():
        value = None if timing.error else 1e3 * timing.best
        yield Row("billiards.latency", name, value, "ms", error=timing.error)


def memory(plan: Plan) -> Iterator[Row]:
    """Peak resident memory of a fresh process that simulates many scenes at once."""
    scenes = FULL if plan.quick else 131072
    for backend, log in (("compiled", False), ("xla", False)) + (() if plan.quick else (("compiled", True),)):
        name = f"{backend}{'+log' if log else ''} {scenes}"
        command = [sys.executable, "-m", "bench.memory_probe", backend, str(scenes), str(int(log))]
        probe = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
        if probe.returncode:
            yield Row("billiards.memory", name, None, "MiB", error=probe.stderr.strip().splitlines()[-1])
        else:
            yield Row("billiards.memory", name, float(probe.stdout.split()[-1]), "MiB")


def gradient(plan: Plan) -> Iterator[Row]:
    """Reverse-mode gradient of all final positions against the forward pass, 64 scenes, 1 s."""
    pos, vel = workload.draw(64, "all")
    world, state = billiards.make_scene(pos=pos, vel=vel)
    with jaxphys.x64():
        for backend in ("compiled",) if plan.quick else ("compiled", "xla"):

            def total(v: jax.Array, backend: str = backend) -> jax.Array:
                run = billiards.rollout(world, state.replace(vel=v), np.array([1.0]), backend=backend, log=True)
                return (run.pos * run.pos).sum()

            forward, backward = jax.jit(total), jax.jit(jax.grad(total))
            timings = interleave(
                [
                    Contender("forward", 64, functools.partial(forward, vel)),
                    Contender("gradient", 64, functools.partial(backward, vel)),
                ]
            )
            yield from _pair("billiards.gradient", timings, "forward", "gradient", backend)


def _pair(bench: str, timings: dict[str, Timing], fast: str, slow: str, label: str) -> Iterator[Row]:
    """Rows of two contenders; the ratio of the second is its time over the first's."""
    for name, timing in timings.items():
        if timing.error is not None:
            yield Row(bench, f"{label} {name}", None, "ms", error=timing.error)
        elif name == slow and timings[fast].error is None:
            yield Row(bench, f"{label} {name}", 1e3 * timing.best, "ms", fast, timing.best / timings[fast].best)
        else:
            yield Row(bench, f"{label} {name}", 1e3 * timing.best, "ms")


def errors(plan: Plan) -> Iterator[Row]:
    """Position error and labels of every engine against 60 digits, on the scenes that are timed."""
    judged: list[Engine] = [*engines.core(), *engines.outside(plan.pooltool)]
    judged.append(engines.ours("stepped", name="stepped-240"))
    yield from accuracy(judged, scenes={"cue": 10, "all": 4} if plan.quick else {"cue": 60, "all": 24}, horizon=HORIZON)


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {
    "speed": speed,
    "accuracy": errors,
    "status": status,
    "balls": balls,
    "threads": threads,
    "latency": latency,
    "memory": memory,
    "gradient": gradient,
}
