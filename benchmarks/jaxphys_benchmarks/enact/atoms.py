"""What differs between two frames, piece by piece: states gained and lost, objects come and gone.

The frames may be in any order (ENACT specification, section 4.1). All atoms are found here, visible or not;
`visible` keeps those that can be seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from jaxphys_benchmarks.enact.graph import SYSTEM, Graph, Node, Unary

Polarity = Literal["add", "remove"]


class OrphanSystem(ValueError):
    """A particle system appears, and none of the objects that it should have come from has gone."""


@dataclass(frozen=True, slots=True, order=True)
class NodeAtom:
    """A state of an object that both frames hold."""

    polarity: Polarity
    name: str
    state: str


@dataclass(frozen=True, slots=True, order=True)
class EdgeAtom:
    """A state between two objects."""

    polarity: Polarity
    source: str
    target: str
    state: str


@dataclass(frozen=True, slots=True, order=True)
class ObjectAtom:
    """An object that only the second frame holds (`add`, with what it came from) or only the first (`remove`)."""

    polarity: Polarity
    name: str
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """The atoms of a change, each kind sorted: additions first, then by names and state."""

    states: tuple[NodeAtom, ...] = ()
    edges: tuple[EdgeAtom, ...] = ()
    objects: tuple[ObjectAtom, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.states or self.edges or self.objects)

    def names(self) -> Iterator[str]:
        """Names of all objects that have an atom, with repeats."""
        for state in self.states:
            yield state.name
        for edge in self.edges:
            yield edge.source
            yield edge.target
        for thing in self.objects:
            yield thing.name


def extract(before: Graph, after: Graph, *, orphans: Literal["error", "parentless"] = "error") -> Change:
    """All atoms from one frame to another.

    Args:
        before: the first frame.
        after: the second frame.
        orphans: what to do about a system that came from nothing.

    Raises:
        OrphanSystem: there is one, and `orphans` is `error`.
    """
    both = before.nodes.keys() & after.nodes.keys()
    states = [
        *(NodeAtom("add", *fact) for fact in _of(after.unary - before.unary, both)),
        *(NodeAtom("remove", *fact) for fact in _of(before.unary - after.unary, both)),
    ]
    edges = [
        *(EdgeAtom("add", *fact) for fact in sorted(after.binary - before.binary)),
        *(EdgeAtom("remove", *fact) for fact in sorted(before.binary - after.binary)),
    ]
    if len(both) == len(before.nodes) == len(after.nodes):
        return Change(tuple(states), tuple(edges))
    gone = sorted(before.nodes.keys() - both)
    objects = [
        *(
            ObjectAtom("add", name, _parents(after.nodes[name], gone, orphans))
            for name in sorted(after.nodes.keys() - both)
        ),
        *(ObjectAtom("remove", name) for name in gone),
    ]
    return Change(tuple(states), tuple(edges), tuple(objects))


def _of(facts: frozenset[Unary], names: set[str]) -> list[Unary]:
    return sorted(fact for fact in facts if fact[0] in names)


def _parents(node: Node, gone: list[str], orphans: str) -> tuple[str, ...]:
    """What an added object came from; `gone` are the removed objects."""
    if not node.parent:
        return ()
    if node.category != SYSTEM:
        return node.parent
    if "cooked" in node.name:
        return (node.name.replace("cooked__", ""),)
    origin = node.parent[0]
    for part in (f"half_{origin}", origin):
        found = tuple(name for name in gone if part in name)
        if found:
            return found
    if orphans == "error":
        raise OrphanSystem(f"the system {node.name!r} appears, but nothing named like its parent {origin!r} has gone")
    return ()
