"""Timing side by side: every contender's first call apart, then A/B/A/B, the best of each.

A machine that other work shares drifts by a factor of two within minutes. Rounds in turn put that drift on all
contenders alike, and the best round is the one least disturbed; so only ratios of one call mean something.
"""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax

ROUNDS = 3
SHORTEST = 0.05
"""A measured stretch is at least this long (s): fast contenders run several times in it."""


@dataclass(frozen=True)
class Contender:
    """One thing to time.

    Attributes:
        name: how its rows are called.
        scenes: scenes that one call of `run` simulates.
        run: the work; device results are waited for.
        seconds: reads the time (s) from the result of `run`, for engines that time themselves.
    """

    name: str
    scenes: int
    run: Callable[[], object]
    seconds: Callable[[object], float] | None = None


@dataclass(frozen=True)
class Timing:
    """Seconds of one call: the first one, and the best later one; or what went wrong."""

    scenes: int
    first: float = math.nan
    best: float = math.nan
    error: str | None = None

    @property
    def rate(self) -> float:
        """Scenes per second."""
        return self.scenes / self.best


def clock(contender: Contender, repeats: int = 1) -> float:
    """Seconds per call over `repeats` calls; results are ready before the clock stops."""
    if contender.seconds is not None:
        return sum(contender.seconds(contender.run()) for _ in range(repeats)) / repeats
    start = time.perf_counter()
    for _ in range(repeats):
        jax.block_until_ready(contender.run())  # type: ignore[no-untyped-call]
    return (time.perf_counter() - start) / repeats


def interleave(contenders: Sequence[Contender], rounds: int = ROUNDS, shortest: float = SHORTEST) -> dict[str, Timing]:
    """Time contenders in turn, `rounds` times.

    One that raises is out, with its error in the result, and the others go on.
    """
    first: dict[str, float] = {}
    spans: dict[str, list[float]] = {}
    errors: dict[str, str] = {}
    for turn in range(rounds + 1):
        for contender in contenders:
            name = contender.name
            if name in errors:
                continue
            # The first call compiles; the second tells how long one takes, and counts.
            repeats = 1 if turn < 2 else max(1, math.ceil(shortest / max(min(spans[name]), 1e-7)))
            try:
                span = clock(contender, repeats)
            except Exception as error:
                errors[name] = f"{type(error).__name__}: {error}"
                continue
            if turn == 0:
                first[name] = span
            else:
                spans.setdefault(name, []).append(span)
    return {
        c.name: Timing(c.scenes, error=errors[c.name])
        if c.name in errors
        else Timing(c.scenes, first[c.name], min(spans[c.name]))
        for c in contenders
    }


@dataclass(frozen=True)
class Pairing:
    """Two contenders timed in turn: scenes per second of each, at their best, and the median ratio of their pairs."""

    rate: float
    peer_rate: float
    ratio: float


def pair(contender: Contender, peer: Contender, rounds: int = 7, shortest: float = 5.0) -> Pairing:
    """Time two contenders in turn, first one ahead and then the other, each stretch at least `shortest` s.

    The first call of each, which compiles, does not count.
    """
    both = (contender, peer)
    lengths = [max(clock(one), clock(one)) for one in both]
    repeats = [max(1, math.ceil(shortest / max(length, 1e-7))) for length in lengths]
    spans: list[tuple[float, float]] = []
    for turn in range(rounds):
        order = (0, 1) if turn % 2 == 0 else (1, 0)
        found = {k: clock(both[k], repeats[k]) / both[k].scenes for k in order}
        spans.append((found[0], found[1]))
    return Pairing(
        rate=1 / min(own for own, _ in spans),
        peer_rate=1 / min(other for _, other in spans),
        ratio=statistics.median(other / own for own, other in spans),
    )
