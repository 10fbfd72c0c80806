"""What is true in an episode, frame by frame: facts as bits over a vocabulary, and the scene graph of any frame.

ENACT specification, sections 2.2 and 3. Nodes are the robot, all things of the house and the particle systems that
exist. Facts come from what was sensed, by the kernel; what a frame repeats of the one before is not computed again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.facts import BoolArray, Fact
from jaxphys_benchmarks.enact.graph import AGENT, SYSTEM, Graph, Node
from jaxphys_benchmarks.enact.world.house import ROBOT, House
from jaxphys_kernels.household.facts import cleaned, facts, grasping
from jaxphys_kernels.household.layout import Facts, Layout, Sensed, Thresholds

CHUNK = 48
"""Frames whose facts are computed together: few enough for the caches."""
UNARY = {"open": "Open", "toggled_on": "ToggledOn", "cooked": "Cooked"}
BINARY = {"on_top": "OnTop", "under": "Under", "inside": "Inside"}
OF_SYSTEMS = {"contains": "Contains", "covered": "Covered"}
HANDS = ("LeftGrasping", "RightGrasping")
CONTACTS = ("LeftContact", "RightContact")
"""Names of states; those of `HANDS` and `CONTACTS` in the order of the hands."""
DICED = "diced__"


@dataclass(frozen=True, eq=False)
class Timeline:
    """What is true when.

    Attributes:
        vocabulary: k facts, those that are ever true. bits: (T, k) bool.
        nodes: (name, category) of all nodes. present: (T, nodes) bool.
        parents: by name, what a node that appears came from.
    """

    vocabulary: tuple[Fact, ...]
    bits: BoolArray
    nodes: tuple[tuple[str, str], ...]
    present: BoolArray
    parents: dict[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.bits)

    def graph(self, frame: int) -> Graph:
        """The scene graph of a frame; nothing is said of what is seen."""
        states: dict[str, set[str]] = {}
        edges: dict[tuple[str, str], set[str]] = {}
        for k in np.flatnonzero(self.bits[frame]).tolist():
            *names, state = self.vocabulary[k]
            if len(names) == 1:
                states.setdefault(names[0], set()).add(state)
            else:
                edges.setdefault((names[0], names[1]), set()).add(state)
        nodes = {
            name: Node(name, category, frozenset(states.get(name, ())), parent=self.parents.get(name))
            for (name, category), there in zip(self.nodes, self.present[frame], strict=True)
            if there
        }
        return Graph(nodes, {pair: frozenset(found) for pair, found in edges.items()})

    def graphs(self) -> Iterator[tuple[str, Graph]]:
        """Id and graph of every frame; frames that repeat the one before share its graph."""
        same = np.zeros(len(self), bool)
        same[1:] = (self.bits[1:] == self.bits[:-1]).all(1) & (self.present[1:] == self.present[:-1]).all(1)
        now = self.graph(0) if len(self) else None
        for frame in range(len(self)):
            if not same[frame]:
                now = self.graph(frame)
            assert now is not None
            yield str(frame), now

    def counts(self, frames: Sequence[int] | None = None) -> dict[str, int]:
        """How often a state begins, by its name; `Transition` counts things and systems that come to exist.

        Args:
            frames: those that are compared one with the next; None for all.
        """
        rows = slice(None) if frames is None else np.asarray(frames, np.int64)
        bits, present = self.bits[rows], self.present[rows]
        found: dict[str, int] = {}
        for (*_, state), count in zip(self.vocabulary, (bits[1:] & ~bits[:-1]).sum(0), strict=True):
            found[state] = found.get(state, 0) + int(count)
        found["Transition"] = int((present[1:] & ~present[:-1]).sum())
        return {state: count for state, count in sorted(found.items()) if count}


def timeline(house: House, layout: Layout, sensed: Sensed, world: World, *, contacts: bool = False) -> Timeline:
    """The facts of an episode.

    Args:
        house: what it is about. layout: of the house. sensed: T frames.
        world: thresholds.
        contacts: also say which hand is at what without holding it (an ablation of the benchmark).
    """
    limits = Thresholds(
        world.grasp_gap, world.grasp_frames, world.adjacency, world.ray_max_hits, world.ray_max_len,
        world.open_fraction, world.contains_min, world.covered_min, world.covered_dist,
    )  # fmt: skip
    found = over_time(layout, sensed, limits)
    names = [placed.name for placed in house.placed]
    systems = [system.name for system in house.systems]
    columns: list[BoolArray] = []
    vocabulary: list[Fact] = []

    def add(values: BoolArray, said: Sequence[Fact]) -> None:
        flat = values.reshape(len(values), -1)
        ever = np.flatnonzero(flat.any(0))
        columns.append(flat[:, ever])
        vocabulary.extend(said[k] for k in ever.tolist())

    for field, state in UNARY.items():
        add(getattr(found, field), [(name, state) for name in names])
    for field, state in BINARY.items():
        add(getattr(found, field), [(a, b, state) for a in names for b in names])
    for field, state in OF_SYSTEMS.items():
        add(getattr(found, field), [(a, system, state) for a in names for system in systems])
    add(found.grasping, [(ROBOT, name, state) for state in HANDS for name in names])
    if contacts:
        near = (sensed.gap <= world.touch_dist) & ~found.grasping & sensed.exists[:, None]
        add(near, [(ROBOT, name, state) for state in CONTACTS for name in names])
    order = sorted(range(len(vocabulary)), key=lambda k: (len(vocabulary[k]), vocabulary[k]))
    bits = np.concatenate(columns, axis=1)[:, order]
    there, nodes = _nodes(house, layout, sensed)
    return Timeline(tuple(vocabulary[k] for k in order), bits, nodes, there, _parents(house, nodes, there))


def over_time(layout: Layout, sensed: Sensed, limits: Thresholds) -> Facts:
    """The cleaned facts of all frames, computed once for frames that repeat each other.

    Args:
        layout: of the world. sensed: T frames. limits: of the predicates.
    """
    held = grasping(np, sensed, limits) & sensed.exists[:, None]
    fresh = np.ones(len(held), bool)
    parts = [getattr(sensed, field.name) for field in fields(Sensed) if field.name not in ("held", "gap")]
    fresh[1:] = np.any([(a[1:] != a[:-1]).reshape(len(a) - 1, -1).any(1) for a in (*parts, held)], axis=0)
    kept = np.flatnonzero(fresh)
    pieces = []
    for first in range(0, len(kept), CHUNK):
        rows = kept[first : first + CHUNK]
        some = Sensed(**{field.name: getattr(sensed, field.name)[rows] for field in fields(Sensed)})
        raw = replace(facts(np, layout, some, limits), grasping=held[rows])
        pieces.append(cleaned(np, layout, raw))
    place = np.cumsum(fresh) - 1
    return Facts(
        **{field.name: np.concatenate([getattr(one, field.name) for one in pieces])[place] for field in fields(Facts)}
    )


def _nodes(house: House, layout: Layout, sensed: Sensed) -> tuple[BoolArray, tuple[tuple[str, str], ...]]:
    """When each node is there, and name and category of each: the robot, things, systems."""
    of = layout.particle_system[:, None] == np.arange(layout.systems)
    alive = (sensed.alive[:, :, None] & of).any(1)
    there = np.concatenate([np.ones((len(alive), 1), bool), sensed.exists, alive], axis=1)
    nodes = [(ROBOT, AGENT)]
    nodes += [(placed.name, placed.thing.category) for placed in house.placed]
    nodes += [(system.name, SYSTEM) for system in house.systems]
    return there, tuple(nodes)


def _parents(house: House, nodes: Sequence[tuple[str, str]], there: BoolArray) -> dict[str, tuple[str, ...]]:
    """What appears in the step in which exactly one thing goes comes from that, else from what the house says.

    A diced system comes from what it is named after, and a cooked one is resolved by its own name; of others nothing is
    said, for they are poured and came from nothing that is gone.
    """
    found: dict[str, tuple[str, ...]] = {}
    said = {placed.name: placed.parents for placed in house.placed if placed.parents}
    for t in np.flatnonzero((there[1:] != there[:-1]).any(1)):
        gone = [nodes[k][0] for k in np.flatnonzero(there[t] & ~there[t + 1]).tolist() if nodes[k][1] != SYSTEM]
        for k in np.flatnonzero(~there[t] & there[t + 1]).tolist():
            name, category = nodes[k]
            if category == SYSTEM:
                if DICED in name:
                    found[name] = (name.replace(DICED, ""),)
            elif len(gone) == 1:
                found[name] = (gone[0],)
            elif name in said:
                found[name] = said[name]
    return found
