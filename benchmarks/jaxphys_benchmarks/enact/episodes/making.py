"""From a recording to an episode: facts, key frames, what is seen in them, states to draw them from, figures.

ENACT specification, sections 2 to 6. Pure: the same recording and configuration give the same episode.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jaxphys_benchmarks.enact import names as naming
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.episodes.graphs import HANDS, Timeline, timeline
from jaxphys_benchmarks.enact.episodes.seen import with_visibility
from jaxphys_benchmarks.enact.episodes.states import States, states_of
from jaxphys_benchmarks.enact.graph import Graph
from jaxphys_benchmarks.enact.play.recording import Recording
from jaxphys_benchmarks.enact.segmentation import key_frames, kinds_of
from jaxphys_benchmarks.enact.world.layout import layout_of


@dataclass(frozen=True, eq=False)
class Made:
    """An episode ready to be asked about and stored.

    Attributes:
        task: its name. facts: of all frames. key_frames: ids.
        shown: graphs of the key frames, with visibility. states: of the key frames.
        figures: what the manifest tells of it.
    """

    task: str
    facts: Timeline
    key_frames: tuple[str, ...]
    shown: Mapping[str, Graph]
    states: States
    figures: Mapping[str, Any]

    def graphs(self) -> Iterator[tuple[str, Graph]]:
        """All frames; only key frames tell what is seen."""
        for frame, graph in self.facts.graphs():
            yield frame, self.shown.get(frame, graph)

    def episode(self, config: EnactConfig) -> Episode:
        """The key frames, to ask about."""
        return Episode(self.shown, config)


def make(recording: Recording, config: EnactConfig, *, contacts: bool = False) -> Made:
    """The episode of a recording.

    Args:
        recording: of an activity. config: thresholds, profile, camera.
        contacts: the graph also tells which hand touches what (an ablation).
    """
    house, layout, clock = recording.house, layout_of(recording.house), time.perf_counter()
    facts = timeline(house, layout, recording.sensed, config.world, contacts=contacts)
    clock, of_facts = time.perf_counter(), time.perf_counter() - clock
    categories = dict(facts.nodes)
    keep = config.names.extra_keep_words
    words = {name: naming.words(name, category, keep) for name, category in categories.items()}
    places = key_frames(
        range(len(facts)), facts.bits, config.segmentation, kinds_of(facts.vocabulary, words.__getitem__)
    )
    clock, of_cuts = time.perf_counter(), time.perf_counter() - clock
    states = states_of(recording.sensed, recording.robot, recording.hands, places)
    graphs = {str(frame): facts.graph(frame) for frame in places}
    shown = with_visibility(graphs, [name for name, _ in facts.nodes], house, layout, states, config)
    of_sight = time.perf_counter() - clock
    counts = facts.counts()
    grasps = {f"grasps_{hand[: -len('Grasping')].lower()}": counts.get(hand, 0) for hand in HANDS}
    figures = {
        "task": recording.spec.task_name,
        "activity": recording.spec.activity,
        "seed": recording.spec.seed,
        "hands": recording.spec.hands,
        "mirrored": recording.spec.mirrored,
        "frames": len(facts),
        "key_frames": len(places),
        **grasps,
        "added": facts.counts(places),
        "failures": [str(entry.failure) for entry in recording.log if entry.failure],
        "seconds": {"facts": of_facts, "key frames": of_cuts, "what is seen": of_sight},
    }
    return Made(recording.spec.task_name, facts, tuple(map(str, places)), shown, states, figures)
