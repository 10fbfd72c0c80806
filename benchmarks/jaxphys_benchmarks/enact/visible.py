"""Which atoms of a change can be seen, and which are too ambiguous to be told (ENACT specification, section 4.2).

`partial` keeps what is seen in both frames, `full` what is seen in either. Both drop objects of a category of which
two or more take part, for words cannot tell them apart.
"""

from collections import Counter
from typing import Literal

from jaxphys_benchmarks.enact.atoms import Change
from jaxphys_benchmarks.enact.graph import SYSTEM, Graph, Node

Filter = Literal["partial", "full"]
FILTERS: tuple[Filter, ...] = ("partial", "full")


def is_seen(node: Node, sensor: str, percent_min: float) -> bool:
    """Whether an object covers more than `percent_min` percent of a sensor's picture.

    Args:
        node: the object.
        sensor: name of the camera.
        percent_min: strictly exceeded, in percent of all pixels.
    """
    for name, (pixels, _, _, _, _, height, width) in node.visibility:
        if name == sensor and height * width > 0:
            return 100 * pixels / (height * width) > percent_min
    return False


def seen_names(graph: Graph, sensor: str, percent_min: float) -> frozenset[str]:
    """Names of all objects that are seen in a frame.

    Args:
        graph: the frame.
        sensor: as `is_seen`.
        percent_min: as `is_seen`.
    """
    return frozenset(name for name, node in graph.nodes.items() if is_seen(node, sensor, percent_min))


def keep_visible(
    change: Change, before: Graph, after: Graph, seen: tuple[frozenset[str], frozenset[str]], which: Filter
) -> Change:
    """The atoms of a change that pass a filter and the guard.

    Args:
        change: all atoms from `before` to `after`.
        before: the first frame.
        after: the second frame.
        seen: names seen in the first and in the second frame.
        which: the filter.
    """
    active = set(change.names())
    either = active & (seen[0] | seen[1])
    moved = {thing.name for thing in change.objects}
    allowed = either if which == "full" else either & ((seen[0] & seen[1]) | moved)
    ambiguous = _ambiguous(either, before, after)
    told = allowed - ambiguous

    def is_half(name: str) -> bool:
        return "half" in name and name in allowed

    return Change(
        tuple(
            atom for atom in change.states if atom.name in told or (is_half(atom.name) and atom.polarity == "remove")
        ),
        tuple(atom for atom in change.edges if atom.source in told and atom.target in told),
        tuple(
            atom
            for atom in change.objects
            if atom.name in told
            or (is_half(atom.name) and (atom.polarity == "remove" or not allowed.isdisjoint(atom.parents)))
        ),
    )


def _ambiguous(names: set[str], before: Graph, after: Graph) -> set[str]:
    """Those of these names that share their category with another one."""
    if len(names) < 2:
        return set()
    category = {name: _category(name, before, after) for name in names}
    count = Counter(category.values())
    return {name for name, kind in category.items() if kind not in (None, SYSTEM) and count[kind] > 1}


def _category(name: str, before: Graph, after: Graph) -> str | None:
    node = before.nodes.get(name) or after.nodes.get(name)
    return None if node is None else node.category
