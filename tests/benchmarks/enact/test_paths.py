"""Paths over key frames: stored edges and counts, brute force, a uniform sampler, exact large numbers."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.enact import paths, sentences
from tests.enact_worlds import cases, episode, golden, random_world

TRANSITIONS = cases()["transition_cases"]
EDGES = [case for case in TRANSITIONS if case["edges"] is not None]


@pytest.mark.parametrize("case", EDGES, ids=lambda case: case["world"])
def test_stored_edges(case: dict[str, Any]) -> None:
    world = golden(case["world"])
    edges = paths.edge_matrix(world, world.frames, "error")
    found = {
        frame: [world.frames[j] for j in np.flatnonzero(row)] for frame, row in zip(world.frames, edges, strict=True)
    }
    assert found == case["edges"]


@pytest.mark.parametrize("case", TRANSITIONS, ids=lambda case: f"{case['world']}-{case['L']}")
def test_stored_path_counts(case: dict[str, Any]) -> None:
    world = golden(case["world"])
    rows = paths.counts(paths.edge_matrix(world, world.frames), case["L"])
    assert rows[-1] == case["paths_by_end"]
    assert sum(rows[-1]) == case["total"]


def brute(edges: np.ndarray, length: int) -> list[tuple[int, ...]]:
    """All paths, by trying all sets of frames."""
    chosen = itertools.combinations(range(len(edges)), length)
    return [path for path in chosen if all(edges[i, j] for i, j in itertools.pairwise(path))]


@pytest.mark.parametrize("seed", range(8))
def test_counts_and_ranks_equal_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 13))
    edges = np.triu(rng.random((size, size)) < rng.uniform(0.2, 1), 1)
    for length in range(1, size + 2):
        rows, wanted = paths.counts(edges, length), brute(edges, length)
        assert sum(rows[-1]) == len(wanted)
        assert {paths.path(edges, rows, rank) for rank in range(len(wanted))} == set(wanted)


def test_the_sampler_is_uniform() -> None:
    """Chi-square over all paths of one world: four standard deviations above its mean are never seen."""
    edges = np.triu(np.ones((9, 9), bool), 1)
    edges[0, 1:5] = edges[2, 6] = False
    rows = paths.counts(edges, 4)
    total, rng = sum(rows[-1]), np.random.default_rng(3)
    drawn = [paths.sample("012345678", edges, 4, 1, rng)[0] for _ in range(8_000)]
    counted = np.unique([int("".join(path)) for path in drawn], return_counts=True)[1]
    assert len(counted) == total
    expected = len(drawn) / total
    chi2 = float(np.sum((counted - expected) ** 2) / expected)
    assert chi2 / (total - 1) < 1 + 4 * (2 / (total - 1)) ** 0.5


def test_samples_are_distinct_and_valid_and_hang_on_the_seed() -> None:
    world = golden("kitchen")
    edges = paths.edge_matrix(world, world.frames)
    first, again, other = (paths.sample(world.frames, edges, 4, 20, np.random.default_rng(s)) for s in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == len(first) == 20
    for path in first:
        for i, j in itertools.pairwise(path):
            said = sentences.count(world.change(i, j), world.words)
            assert int(i) < int(j)
            assert 1 <= said <= 5


def test_no_more_paths_than_there_are() -> None:
    edges = np.triu(np.ones((4, 4), bool), 1)
    found = paths.sample("abcd", edges, 3, 50, np.random.default_rng(0))
    assert 1 <= len(found) <= 4
    assert paths.sample("abcd", edges, 5, 50, np.random.default_rng(0)) == []
    assert paths.sample("", np.zeros((0, 0), bool), 3, 5, np.random.default_rng(0)) == []


def test_counts_beyond_64_bits_are_exact() -> None:
    edges = np.triu(np.ones((200, 200), bool), 1)
    rows = paths.counts(edges, 40)
    total = sum(rows[-1])
    assert total == math.comb(200, 40)
    assert paths.path(edges, rows, total - 1)[-1] == 199
    ids = [str(k) for k in range(200)]
    (path,) = paths.sample(ids, edges, 40, 1, np.random.default_rng(0))
    assert len(path) == 40


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="earlier to later"):
        paths.counts(np.ones((3, 3), bool), 3)
    with pytest.raises(ValueError, match="at least 1 frame"):
        paths.counts(np.zeros((3, 3), bool), 0)
    with pytest.raises(ValueError, match="rank 1 is not"):
        paths.path(np.zeros((1, 1), bool), [[1]], 1)


def test_random_worlds_have_actions_of_1_to_5_sentences() -> None:
    found = 0
    for seed in range(6):
        world = episode(random_world(seed, frames=10))
        edges = paths.edge_matrix(world, world.frames)
        for i, j in zip(*np.nonzero(edges), strict=True):
            change = world.change(world.frames[i], world.frames[j], orphans="parentless")
            assert 1 <= len(sentences.sentences(change, world.words, np.random.default_rng(0))) <= 5
            found += 1
    assert found > 50
