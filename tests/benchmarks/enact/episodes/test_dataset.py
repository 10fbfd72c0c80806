"""Which questions make a set: caps, further seeds, published numbers, the same whatever the order."""

from collections import Counter

import pytest

from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episodes import dataset
from jaxphys_benchmarks.enact.episodes.dataset import Source
from jaxphys_benchmarks.enact.items import Item
from tests import enact_worlds


def config(samples: int = 4, lengths: tuple[int, ...] = (3, 4)) -> EnactConfig:
    return EnactConfig.model_validate({"qa": {"samples_per_activity_L": samples, "lengths": lengths}})


def source(activity: str, seed: int) -> Source:
    world = enact_worlds.episode(enact_worlds.random_world(seed, orphans=False))
    return Source(f"{activity}_{seed:016d}", activity, tuple(world.frames), world)


@pytest.fixture(scope="module")
def activities() -> dict[str, list[Source]]:
    return {name: [source(name, 10 * k), source(name, 10 * k + 1)] for k, name in enumerate(("ask", "bake", "cut"), 1)}


def made(activities: dict[str, list[Source]], wanted: dict[int, int] | None = None) -> list[Item]:
    return list(dataset.questions(activities, config(), wanted=wanted))


def test_an_activity_gives_its_paths_in_both_directions(activities: dict[str, list[Source]]) -> None:
    found = made(activities)
    paths: dict[tuple[bool, int], set[tuple[str, ...]]] = {}
    for item in found:
        paths.setdefault((item.inverse, len(item.key_frame_ids)), set()).add((item.task_name, *item.key_frame_ids))
    for length in (3, 4):
        assert paths[False, length] == paths[True, length]
        per_activity = Counter(task.rpartition("_")[0] for task, *_ in paths[False, length])
        assert max(per_activity.values()) <= 4
    assert len({item.id for item in found}) == len(found)


def test_a_second_seed_gives_what_the_first_lacks(activities: dict[str, list[Source]]) -> None:
    few = Source("bake_0000000000000099", "bake", activities["bake"][0].key_frames[:3], activities["bake"][0].episode)
    settings = config()
    first = dataset.drawn([few], 3, 4, settings)
    both = dataset.drawn([few, activities["bake"][1]], 3, 4, settings)
    assert len(first) < 4
    assert both[: len(first)] == first
    assert len(both) == 4
    assert dataset.lacking([few], settings) == [3, 4]


def test_what_is_beyond_the_wanted_number_is_left_out_evenly(activities: dict[str, list[Source]]) -> None:
    whole = Counter((item.inverse, len(item.key_frame_ids)) for item in made(activities))
    wanted = {3: whole[False, 3] - 2, 4: whole[False, 4]}
    found = made(activities, wanted)
    kept = Counter((item.inverse, len(item.key_frame_ids)) for item in found)
    assert {key: kept[key] for key in kept} == {(inverse, n): wanted[n] for inverse in (False, True) for n in wanted}
    per_activity = Counter(item.task_name.rpartition("_")[0] for item in found if len(item.key_frame_ids) == 3)
    assert max(per_activity.values()) - min(per_activity.values()) <= 2
    assert sum(dataset.PUBLISHED.values()) == 4486


def test_the_order_of_activities_does_not_matter(activities: dict[str, list[Source]]) -> None:
    turned = dict(reversed(activities.items()))
    assert made(turned) == made(activities)


def test_every_other_episode_is_mirrored() -> None:
    sides = [dataset.spec_for("some", number, seed).mirrored for number in (0, 1) for seed in range(4)]
    assert sides == [False, True, False, True, True, False, True, False]
