"""Which questions make a data set: the published numbers over our own episodes (ENACT specification, sections 1 and 6).

An activity gives up to 20 paths of each length, the same in both directions; where its first episode has fewer, the
next seed gives the rest. The default set has the published number of questions of each length: what 29 activities give
beyond it is left out, one question of an activity at a time, activities in an order that only depends on the seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jaxphys_benchmarks.enact import paths
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.items import NATURAL, Item, generator, make
from jaxphys_benchmarks.enact.wordings import Wording
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

PUBLISHED: Mapping[int, int] = {3: 572, 4: 574, 5: 575, 6: 574, 7: 573, 8: 570, 9: 548, 10: 500}
"""Questions of each length in either direction."""
SEEDS = 4
"""Episodes of an activity at most, unless more are asked for."""


@dataclass(frozen=True, eq=False)
class Source:
    """An episode to ask about.

    Attributes:
        task: its name. activity: what is done in it. key_frames: ids. episode: graphs of the key frames.
    """

    task: str
    activity: str
    key_frames: tuple[str, ...]
    episode: Episode


def spec_for(activity: str, number: int, seed: int) -> EpisodeSpec:
    """An episode of an activity: every other one is mirrored, so that left and right are equally frequent.

    Args:
        activity: its name. number: of the activity among all. seed: of the episode.
    """
    return EpisodeSpec(activity=activity, seed=seed, mirrored=bool((number + seed) % 2))


def drawn(
    sources: Sequence[Source], length: int, most: int, config: EnactConfig
) -> list[tuple[Source, tuple[str, ...]]]:
    """Paths of one activity and length, at most so many, from its episodes one after the other.

    Args:
        sources: episodes of one activity, in the order of their seeds. length: L. most: paths.
        config: seed, and how often is drawn.
    """
    found: list[tuple[Source, tuple[str, ...]]] = []
    for source in sources:
        if len(found) == most:
            break
        edges = paths.edge_matrix(source.episode, source.key_frames)
        rng = generator("paths", config.qa.seed, source.task, length)
        some = paths.sample(
            source.key_frames, edges, length, most - len(found), rng, attempts_factor=config.kfts.attempts_factor
        )
        found += [(source, frames) for frames in some]
    return found


def lacking(sources: Sequence[Source], config: EnactConfig) -> list[int]:
    """Lengths of which the episodes of an activity have too few paths."""
    most = config.qa.samples_per_activity_L
    return [length for length in config.qa.lengths if len(drawn(sources, length, most, config)) < most]


def questions(
    activities: Mapping[str, Sequence[Source]],
    config: EnactConfig,
    wording: Wording = NATURAL,
    wanted: Mapping[int, int] | None = PUBLISHED,
) -> Iterator[Item]:
    """All questions: by length, forward then inverse, activities sorted by name.

    Args:
        activities: episodes of each, in the order of their seeds. config: how many, and the seed.
        wording: how actions are told.
        wanted: questions of each length in either direction, at most; None for all.
    """
    seed, most = config.qa.seed, config.qa.samples_per_activity_L
    for length in config.qa.lengths:
        chosen = {name: drawn(activities[name], length, most, config) for name in sorted(activities)}
        if wanted is not None and length in wanted:
            _trim(chosen, wanted[length], seed, length)
        for inverse in (False, True):
            for some in chosen.values():
                for source, frames in some:
                    yield make(source.task, frames, source.episode, inverse=inverse, seed=seed, wording=wording)


def _trim(chosen: dict[str, list[tuple[Source, tuple[str, ...]]]], wanted: int, seed: int, length: int) -> None:
    """Leave out the last paths of activities, one each by turns, until there are no more than wanted."""
    names = sorted(chosen)
    order = [names[int(k)] for k in generator("trim", seed, length).permutation(len(names))]
    surplus = sum(map(len, chosen.values())) - wanted
    while surplus > 0:
        for name in order:
            if surplus > 0 and chosen[name]:
                chosen[name].pop()
                surplus -= 1
