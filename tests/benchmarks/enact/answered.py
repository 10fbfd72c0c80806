"""Random items over random worlds, and random answers to them, good and bad."""

import functools

import numpy as np

from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.verdict import Asked
from tests import enact_worlds

WORLDS = 12


@functools.cache
def worlds() -> tuple[Episode, ...]:
    """Random episodes."""
    return tuple(enact_worlds.episode(enact_worlds.random_world(seed, frames=9)) for seed in range(WORLDS))


def items(count: int, seed: int = 0) -> list[tuple[int, Asked]]:
    """(world, item) pairs over any frames in order, whether or not every step is an action; some lack a frame."""
    rng = np.random.default_rng([1, seed])
    made = []
    for _ in range(count):
        world = int(rng.integers(WORLDS))
        frames = worlds()[world].frames
        length = int(rng.integers(2, 8))
        chosen = [frames[k] for k in sorted(rng.choice(len(frames), length, replace=False))]
        if rng.random() < 0.03:
            chosen[-1] = "99999"
        truth = tuple(int(k) + 1 for k in rng.permutation(length - 1))
        made.append((world, Asked(bool(rng.integers(2)), tuple(chosen), truth)))
    return made


def answer(asked: Asked, rng: np.random.Generator) -> list[int]:
    """The truth, a permutation, repeats, entries that are no positions, or another length."""
    n, kind = len(asked.truth), rng.random()
    if kind < 0.15:
        return list(asked.truth)
    if kind < 0.5:
        return [int(k) + 1 for k in rng.permutation(n)]
    if kind < 0.65:
        return rng.integers(1, n + 1, n).tolist()
    if kind < 0.8:
        return rng.integers(-2, n + 3, n).tolist()
    length = int(rng.integers(0, n + 4)) if kind < 0.97 else 25
    return rng.integers(1 if kind < 0.92 else -2, n + 1 if kind < 0.92 else n + 3, length).tolist()
