"""Every change of random worlds equals that of an implementation which follows the text of the specification."""

import pytest

from jaxphys_benchmarks.enact.atoms import OrphanSystem
from tests.benchmarks.enact import plain_changes as plain
from tests.enact_worlds import cases, episode, random_world

WORLDS = {**cases()["worlds"], **{f"random {seed}": random_world(seed) for seed in range(16)}}


@pytest.mark.parametrize("name", WORLDS)
def test_all_pairs_of_frames(name: str) -> None:
    records = WORLDS[name]
    world = episode(records)
    categories: dict[str, str] = {}
    for record in records.values():
        for node in record["nodes"]:
            categories.setdefault(node["name"], node["category"])
    for i in records:
        for j in records:
            try:
                wanted = [plain.signature(records[i], records[j], is_full, categories) for is_full in (False, True)]
            except plain.Orphan:
                with pytest.raises(OrphanSystem):
                    world.partial(i, j)
            else:
                assert [world.partial(i, j), world.full(i, j)] == wanted


def test_random_worlds_show_all_that_is_compared() -> None:
    strings = set()
    orphans = 0
    for seed in range(16):
        world = episode(random_world(seed))
        for i in world.frames:
            for j in world.frames:
                try:
                    strings |= world.partial(i, j) | world.full(i, j)
                except OrphanSystem:
                    orphans += 1
    assert orphans > 20
    for part in (
        "_Open",
        "_OnTop",
        "_to_the half vidalia onion",
        "_to_the diced",
        "_to_cooked",
        "from_the diced",
        "half vidalia onion_to",
    ):
        assert any(part in string for string in strings), part
