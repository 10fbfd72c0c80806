"""Facts and changes as bits say what the sets of strings say."""

import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_benchmarks.enact import facts, graph
from jaxphys_benchmarks.enact.atoms import OrphanSystem
from jaxphys_benchmarks.enact.episode import Episode
from tests.enact_worlds import cases, episode, golden, random_world


def strings(table: facts.ChangeTable, bits: np.ndarray) -> set[str]:
    """The set that some words hold."""
    on = np.unpackbits(bits.view(np.uint8), bitorder="little")[: len(table.words)]
    return {table.words[k] for k in np.flatnonzero(on)}


@pytest.mark.parametrize("name", sorted(cases()["worlds"]))
def test_bit_sets_equal_the_sets_of_stored_worlds(name: str) -> None:
    check(golden(name))


@pytest.mark.parametrize("seed", range(4))
def test_bit_sets_equal_the_sets_of_random_worlds(seed: int) -> None:
    table = check(episode(random_world(seed)))
    assert table.partial.dtype == np.uint32


def check(world: Episode) -> facts.ChangeTable:
    table = facts.change_table(world)
    free = facts.change_table(world, orphans="parentless")
    assert table.frames == free.frames == world.frames
    for i, first in enumerate(world.frames):
        for j, second in enumerate(world.frames):
            assert strings(free, free.partial[i, j]) == world.partial_free(first, second)
            assert strings(free, free.full[i, j]) == world.full_free(first, second)
            assert free.wordless[i, j] == world.wordless(first, second, "parentless")
            if table.orphan[i, j]:
                with pytest.raises(OrphanSystem):
                    world.partial(first, second)
                assert not strings(table, table.partial[i, j])
            else:
                assert strings(table, table.partial[i, j]) == world.partial(first, second)
                assert strings(table, table.full[i, j]) == world.full(first, second)
                assert table.wordless[i, j] == world.wordless(first, second)
    return table


def test_random_worlds_hold_orphans_and_wordless_changes() -> None:
    tables = [facts.change_table(episode(random_world(seed))) for seed in range(4)]
    assert any(table.orphan.any() for table in tables)
    assert any(table.wordless.any() for table in tables)
    assert any((table.partial != table.full).any() for table in tables)


def test_subsets_of_many_pairs_are_one_call() -> None:
    world = episode(random_world(2, orphans=False))
    table = facts.change_table(world)
    pairs = np.random.default_rng(0).integers(0, len(table.frames), (2, 500, 3, 2))
    inside = facts.changes_within(jnp.asarray(table.partial), jnp.asarray(table.full), *map(jnp.asarray, pairs))
    assert inside.shape == (500, 3)
    for small, large, is_inside in zip(*pairs.reshape(2, -1, 2), np.ravel(inside), strict=True):
        sets = [[world.frames[k] for k in pair] for pair in (small, large)]
        assert is_inside == (world.partial(*sets[0]) <= world.full(*sets[1]))
    assert 0 < np.mean(inside) < 1


def test_chosen_frames_alone() -> None:
    world = golden("kitchen")
    table = facts.change_table(world, ["300", "0"])
    assert table.frames == ("300", "0")
    assert strings(table, table.partial[1, 0]) == world.partial("0", "300")
    with pytest.raises(KeyError):
        facts.change_table(world, ["1"])


def test_facts_of_frames() -> None:
    graphs = golden("kitchen").graphs
    table = facts.fact_table(graphs.items())
    assert table.ids == tuple(map(int, graphs))
    for row, frame in zip(table.facts, graphs.values(), strict=True):
        assert {table.vocabulary[k] for k in np.flatnonzero(row)} == frame.unary | frame.binary
    nothing = facts.fact_table([("0", graph.EMPTY)])
    assert nothing.facts.shape == (1, 0)


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 100])
def test_words_of_32_bits(size: int) -> None:
    bits = np.random.default_rng(size).random((3, size)) < 0.5
    words = facts.pack_bits(bits)
    assert words.shape == (3, max(1, -(-size // 32)))
    for row, packed in zip(bits, words, strict=True):
        assert sum(1 << k for k in np.flatnonzero(row).tolist()) == sum(
            int(word) << 32 * k for k, word in enumerate(packed)
        )
