"""`Episode`: the frames of one activity, and what changes between any two of them.

C(i, j) is the change that both frames show (`partial`), F(i, j) the one that either shows (`full`); the benchmark
compares them as sets of strings (ENACT specification, sections 4 and 5). Frames are named by their ids, decimal
strings, in any order of time. Changes are found when they are first asked for, and kept.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

import numpy as np

from jaxphys_benchmarks.enact import names as naming
from jaxphys_benchmarks.enact import sentences as saying
from jaxphys_benchmarks.enact.atoms import Change, OrphanSystem, extract
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.graph import SYSTEM, Graph, is_frame_id
from jaxphys_benchmarks.enact.signatures import signature
from jaxphys_benchmarks.enact.visible import FILTERS, Filter, keep_visible, seen_names

Orphans = Literal["error", "parentless"]

CONTACT = "Contact"
"""In the names of states that make no action alone."""


class Episode:
    """Frames of one activity.

    Attributes:
        graphs: by frame id, in the order of time.
        config: what is seen, and how names become words.
    """

    def __init__(self, graphs: Mapping[str, Graph], config: EnactConfig = DEFAULT) -> None:
        """Take the frames of an episode.

        Args:
            graphs: by frame id.
            config: choices.

        Raises:
            ValueError: a frame id is no decimal number.
        """
        wrong = [frame for frame in graphs if not is_frame_id(frame)]
        if wrong:
            raise ValueError(f"frame ids must be decimal numbers, not {wrong[0]!r:.80}")
        self.graphs = {frame: graphs[frame] for frame in sorted(graphs, key=int)}
        self.config = config
        self._seen = {
            frame: seen_names(graph, config.sensor, config.visibility_percent_min)
            for frame, graph in self.graphs.items()
        }
        self._categories: dict[str, str] = {}
        for graph in self.graphs.values():
            for name, node in graph.nodes.items():
                self._categories.setdefault(name, node.category)
        self._words: dict[str, str] = {}
        self._changes: dict[tuple[str, str, Orphans], dict[Filter, Change] | OrphanSystem] = {}
        self._signatures: dict[tuple[str, str, Filter, Orphans], frozenset[str]] = {}

    @property
    def frames(self) -> tuple[str, ...]:
        """Ids of all frames, in the order of time."""
        return tuple(self.graphs)

    def partial(self, i: str, j: str) -> frozenset[str]:
        """C(i, j): the strings of the change that both frames show.

        Args:
            i: id of the first frame.
            j: id of the second frame.

        Raises:
            KeyError: the episode lacks a frame.
            OrphanSystem: a system came from nothing.
        """
        return self._signature(i, j, "partial", "error")

    def full(self, i: str, j: str) -> frozenset[str]:
        """F(i, j): the strings of the change that either frame shows; as `partial`."""
        return self._signature(i, j, "full", "error")

    def partial_free(self, i: str, j: str) -> frozenset[str]:
        """As `partial`, but a system that came from nothing is an added object without parents."""
        return self._signature(i, j, "partial", "parentless")

    def full_free(self, i: str, j: str) -> frozenset[str]:
        """As `full`, but a system that came from nothing is an added object without parents."""
        return self._signature(i, j, "full", "parentless")

    def change(self, i: str, j: str, which: Filter = "partial", orphans: Orphans = "error") -> Change:
        """The visible atoms from one frame to another.

        Args:
            i: id of the first frame.
            j: id of the second frame.
            which: what both frames show, or either.
            orphans: what to do about a system that came from nothing.

        Raises:
            KeyError: the episode lacks a frame.
            OrphanSystem: a system came from nothing, and `orphans` is `error`.
        """
        key = (i, j, orphans)
        found = self._changes.get(key)
        if found is None:
            before, after = self.graphs[i], self.graphs[j]
            seen = self._seen[i], self._seen[j]
            try:
                atoms = extract(before, after, orphans=orphans)
                found = {each: keep_visible(atoms, before, after, seen, each) for each in FILTERS}
            except OrphanSystem as error:
                found = OrphanSystem(f"frames {i} to {j}: {error}")
            self._changes[key] = found
        if isinstance(found, OrphanSystem):
            raise OrphanSystem(str(found))
        return found[which]

    def words(self, name: str) -> str:
        """The words of an object's name, which may be in no frame.

        Args:
            name: as in the graphs.
        """
        found = self._words.get(name)
        if found is None:
            keep = self.config.names.extra_keep_words
            found = self._words[name] = naming.words(name, self._categories.get(name), keep)
        return found

    def wordless(self, i: str, j: str, orphans: Orphans = "error") -> bool:
        """Whether both frames show a change that has no sentence; arguments and errors as `change`."""
        change = self.change(i, j, orphans=orphans)
        return bool(change) and saying.count(change, self.words) == 0

    def has_edge(self, i: str, j: str, orphans: Orphans = "error") -> bool:
        """Whether the change from i to j can be an action of a question (section 6.3); as `change`."""
        change = self.change(i, j, orphans=orphans)
        tells = bool(change.states or change.objects) or any(CONTACT not in edge.state for edge in change.edges)
        return tells and 1 <= saying.count(change, self.words) <= self.config.kfts.max_sentences

    def sentence_list(self, i: str, j: str, rng: np.random.Generator, orphans: Orphans = "error") -> tuple[str, ...]:
        """The sentences of C(i, j), without capital letters and full stops.

        Args:
            i: id of the first frame.
            j: id of the second frame.
            rng: draws the verbs.
            orphans: as `change`.
        """
        return saying.sentences(self.change(i, j, orphans=orphans), self.words, rng)

    def sentences(self, i: str, j: str, rng: np.random.Generator, orphans: Orphans = "error") -> str:
        """The text of C(i, j): an action.

        Args:
            i: id of the first frame.
            j: id of the second frame.
            rng: draws the verbs.
            orphans: as `change`.
        """
        return saying.text(self.change(i, j, orphans=orphans), self.words, rng)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know of the names: objects without a word, and objects that share their words."""
        keep = self.config.names.extra_keep_words
        told = []
        by_words: dict[str, list[str]] = defaultdict(list)
        for name, category in sorted(self._categories.items()):
            if not naming.parts(name, category, keep):
                told.append(f"object {name!r} has no word in its name and is called {self.words(name)!r}")
            if category != SYSTEM:
                by_words[self.words(name)].append(name)
        told += [
            f"objects {', '.join(alike)} are all called {said!r}, and their changes cannot be told apart"
            for said, alike in sorted(by_words.items())
            if len(alike) > 1
        ]
        return tuple(told)

    def _signature(self, i: str, j: str, which: Filter, orphans: Orphans) -> frozenset[str]:
        key = (i, j, which, orphans)
        found = self._signatures.get(key)
        if found is None:
            found = self._signatures[key] = signature(self.change(i, j, which, orphans), self.words)
        return found
