"""Scene graphs: what a frame of an episode holds, and the three kinds of records that files keep of it.

A `full` record lists nodes and edges, a `diff` says what changed since the frame before, an `empty` one says that
nothing did (ENACT specification, section 2.1). Records are untrusted: what does not fit raises `GraphError`, which
names the frame and the field. Nothing here reads files.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

AGENT, SYSTEM = "agent", "System"
"""Categories of the robot and of particle systems."""

KINDS = ("full", "diff", "empty")

Edge = tuple[str, str]
"""From and to: the identity of an edge."""

Unary = tuple[str, str]
"""A fact of a node: name, state."""

Binary = tuple[str, str, str]
"""A fact of an edge: from, to, state."""


HUGE = 1e15
"""Numbers of a picture are smaller than this; larger ones, and NaN, are refused."""

ID_DIGITS = 15
"""Digits that a frame id has at most."""


def is_frame_id(text: str) -> bool:
    """Whether a text is a decimal number that can be the id of a frame.

    Args:
        text: any.
    """
    return text.isascii() and text.isdigit() and len(text) <= ID_DIGITS


class GraphError(ValueError):
    """A record of a scene graph is malformed; the text names the frame and the field."""


@dataclass(frozen=True, slots=True)
class Node:
    """An object, robot or particle system.

    Attributes:
        name: its name in the episode, as `fridge_petcxr_0`.
        category: `agent`, `System`, or the kind of object.
        states: the unary predicates that are true.
        visibility: by sensor: pixels, xmin, ymin, xmax, ymax, height, width (all `_px`).
        parent: names of what it came from; None where the record has none.
    """

    name: str
    category: str
    states: frozenset[str] = frozenset()
    visibility: tuple[tuple[str, tuple[float, ...]], ...] = ()
    parent: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Graph:
    """What is true in one frame.

    Attributes:
        nodes: by name.
        edges: the binary predicates that are true, by (from, to).
    """

    nodes: Mapping[str, Node]
    edges: Mapping[Edge, frozenset[str]]

    @cached_property
    def unary(self) -> frozenset[Unary]:
        """All facts of nodes."""
        return frozenset([(node.name, state) for node in self.nodes.values() for state in node.states])

    @cached_property
    def binary(self) -> frozenset[Binary]:
        """All facts of edges."""
        return frozenset([(a, b, state) for (a, b), states in self.edges.items() for state in states])


EMPTY = Graph({}, {})


def read(record: Any, frame: str) -> Graph:
    """The graph of a `full` record.

    Of several nodes of one name the first gives visibility, category and parent, and the last the states.

    Args:
        record: decoded JSON.
        frame: id of the frame, for messages.

    Raises:
        GraphError: the record is not a `full` one, or malformed.
    """
    if kind(record, frame) != "full":
        raise GraphError(f"frame {frame}: a full record is needed, not {record['type']!r}")
    nodes: dict[str, Node] = {}
    for node in _nodes(record, "nodes", frame):
        first = nodes.get(node.name, node)
        nodes[node.name] = Node(node.name, first.category, node.states, first.visibility, first.parent)
    return Graph(nodes, dict(_edges(record, "edges", frame)))


def apply(graph: Graph, record: Any, frame: str) -> Graph:
    """The graph after a record of any kind: additions first, then removals, then updates.

    Adding what is there and removing or updating what is not changes nothing. An update carries all states of a node or
    an edge, and may carry the visibility of a node.

    Args:
        graph: the frame before.
        record: decoded JSON.
        frame: id of the frame, for messages.

    Raises:
        GraphError: the record is malformed.
    """
    name = kind(record, frame)
    if name == "empty":
        return graph
    if name == "full":
        return read(record, frame)
    add, remove, update = (_part(record, part, frame) for part in ("add", "remove", "update"))
    nodes, edges = dict(graph.nodes), dict(graph.edges)
    for node in _nodes(add, "nodes", frame):
        nodes.setdefault(node.name, node)
    for edge, states in _edges(add, "edges", frame):
        edges.setdefault(edge, states)
    for node in _nodes(remove, "nodes", frame):
        nodes.pop(node.name, None)
    for edge, _ in _edges(remove, "edges", frame):
        edges.pop(edge, None)
    for node in _nodes(update, "nodes", frame):
        old = nodes.get(node.name)
        if old is not None:
            seen = node.visibility or old.visibility
            nodes[node.name] = Node(node.name, old.category, node.states, seen, old.parent)
    for edge, states in _edges(update, "edges", frame):
        if edge in edges:
            edges[edge] = states
    return Graph(nodes, edges)


def record(graph: Graph) -> dict[str, Any]:
    """The `full` record of a graph, in the order of its names."""
    return {"type": "full"} | _listed(graph.nodes.values(), graph.edges)


def difference(before: Graph, after: Graph) -> dict[str, Any]:
    """The record that turns one graph into another: `empty` where they are equal, else `diff`.

    A node whose category or parent changed is written in full, for a `diff` cannot say that.
    """
    changed: dict[str, Node] = {}
    for name, node in after.nodes.items():
        old = before.nodes.get(name)
        if old is None or old == node:
            continue
        hidden = bool(old.visibility) and not node.visibility
        if hidden or (old.category, old.parent) != (node.category, node.parent):
            return record(after)
        changed[name] = node
    new = [node for name, node in after.nodes.items() if name not in before.nodes]
    gone = [node for name, node in before.nodes.items() if name not in after.nodes]
    parts = {
        "add": _listed(new, {e: s for e, s in after.edges.items() if e not in before.edges}),
        "remove": _listed(gone, {e: s for e, s in before.edges.items() if e not in after.edges}),
        "update": _listed(
            changed.values(), {e: s for e, s in after.edges.items() if e in before.edges and before.edges[e] != s}
        ),
    }
    if not any(rows for part in parts.values() for rows in part.values()):
        return {"type": "empty"}
    return {"type": "diff", **parts}


def kind(record: Any, frame: str) -> str:
    """The type of a record.

    Args:
        record: decoded JSON.
        frame: id of the frame, for messages.

    Raises:
        GraphError: it is none of `KINDS`.
    """
    name = record.get("type") if isinstance(record, dict) else None
    if name not in KINDS:
        raise GraphError(f"frame {frame}: type must be one of {', '.join(KINDS)}, not {name!r:.80}")
    return str(name)


def _part(record: dict[str, Any], name: str, frame: str) -> dict[str, Any]:
    part = record.get(name, {})
    if not isinstance(part, dict):
        raise GraphError(f"frame {frame}: {name} must be an object with nodes and edges")
    return part


def _rows(record: dict[str, Any], name: str, frame: str) -> Iterator[dict[str, Any]]:
    rows = record.get(name, [])
    if not isinstance(rows, list):
        raise GraphError(f"frame {frame}: {name} must be a list")
    for row in rows:
        if not isinstance(row, dict):
            raise GraphError(f"frame {frame}: each of {name} must be an object, not {row!r:.80}")
        yield row


def _nodes(record: dict[str, Any], name: str, frame: str) -> Iterator[Node]:
    for row in _rows(record, name, frame):
        parent = row.get("parent")
        yield Node(
            _text(row, "name", frame),
            _text(row, "category", frame) if "category" in row else "",
            frozenset(_texts(row.get("states", []), "states", frame)),
            _visibility(row.get("visibility") or {}, frame),
            None if parent is None else tuple(_texts(parent, "parent", frame)),
        )


def _edges(record: dict[str, Any], name: str, frame: str) -> Iterator[tuple[Edge, frozenset[str]]]:
    for row in _rows(record, name, frame):
        states = frozenset(_texts(row.get("states", []), "states", frame))
        yield (_text(row, "from", frame), _text(row, "to", frame)), states


def _text(row: dict[str, Any], name: str, frame: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise GraphError(f"frame {frame}: {name} must be a text, not {value!r:.80}")
    return value


def _texts(value: Any, name: str, frame: str) -> list[str]:
    if isinstance(value, list):
        try:
            "".join(value)  # far faster than a look at each
        except TypeError:
            pass
        else:
            return value
    raise GraphError(f"frame {frame}: {name} must be a list of texts, not {value!r:.80}")


def _visibility(value: Any, frame: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    fits = isinstance(value, dict) and all(
        isinstance(row, list) and len(row) == 7 and all(type(n) in (int, float) and abs(n) < HUGE for n in row)
        for row in value.values()
    )
    if not fits:
        raise GraphError(
            f"frame {frame}: visibility must give 7 numbers by sensor (pixels, xmin, ymin, xmax, ymax, height, width),"
            f" not {value!r:.80}"
        )
    return tuple((sensor, tuple(row)) for sensor, row in value.items())


def _listed(nodes: Any, edges: Mapping[Edge, frozenset[str]]) -> dict[str, Any]:
    rows = []
    for node in sorted(nodes, key=lambda node: str(node.name)):
        row = {
            "name": node.name,
            "category": node.category,
            "states": sorted(node.states),
            "visibility": {sensor: list(seen) for sensor, seen in node.visibility},
        }
        rows.append(row if node.parent is None else row | {"parent": list(node.parent)})
    links = [{"from": a, "to": b, "states": sorted(states)} for (a, b), states in sorted(edges.items())]
    return {"nodes": rows, "edges": links}
