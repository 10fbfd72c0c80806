"""Changes of two records, word by word as sections 4 and 5 tell them: for comparison, with no thought of speed."""

import re
from typing import Any

from jaxphys_benchmarks.enact.phrases import BINARY, UNARY

Record = dict[str, Any]
Atom = tuple[str, ...]


class Orphan(Exception):
    pass


def nodes(record: Record) -> dict[str, Record]:
    return {node["name"]: node for node in record["nodes"]}


def edges(record: Record) -> dict[tuple[str, str], set[str]]:
    return {(edge["from"], edge["to"]): set(edge["states"]) for edge in record["edges"]}


def parents(node: Record, removed: set[str]) -> list[str]:
    if "parent" not in node:
        return []
    if node["category"] != "System":
        return list(node["parent"])
    if "cooked" in node["name"]:
        return [node["name"].replace("cooked__", "")]
    for wanted in ("half_" + node["parent"][0], node["parent"][0]):
        found = [name for name in removed if wanted in name]
        if found:
            return found
    raise Orphan


def atoms(a: Record, b: Record) -> tuple[list[Atom], dict[str, list[str]]]:
    """("node", polarity, name, state), ("edge", polarity, from, to, state), ("object", polarity, name); parents."""
    before, after = nodes(a), nodes(b)
    found: list[Atom] = []
    for name in before.keys() & after.keys():
        old, new = set(before[name]["states"]), set(after[name]["states"])
        found += [("node", "add", name, state) for state in new - old]
        found += [("node", "remove", name, state) for state in old - new]
    links, later = edges(a), edges(b)
    for pair in links.keys() | later.keys():
        old, new = links.get(pair, set()), later.get(pair, set())
        found += [("edge", "add", *pair, state) for state in new - old]
        found += [("edge", "remove", *pair, state) for state in old - new]
    removed = before.keys() - after.keys()
    found += [("object", "remove", name) for name in removed]
    came = {name: parents(after[name], set(removed)) for name in after.keys() - before.keys()}
    found += [("object", "add", name) for name in came]
    return found, came


def ends(atom: Atom) -> list[str]:
    return [atom[2], atom[3]] if atom[0] == "edge" else [atom[2]]


def visible(a: Record, b: Record, is_full: bool) -> tuple[list[Atom], dict[str, list[str]]]:
    found, came = atoms(a, b)

    def seen(record: Record, name: str) -> bool:
        node = nodes(record).get(name)
        shown = node["visibility"].get("external_sensor1") if node else None
        return shown is not None and 100 * shown[0] / (shown[5] * shown[6]) > 0.005

    def category(name: str) -> str | None:
        node = nodes(a).get(name) or nodes(b).get(name)
        return node["category"] if node else None

    active = {name for atom in found for name in ends(atom)}
    vis = {name for name in active if seen(a, name) or seen(b, name)}
    moved = {atom[2] for atom in found if atom[0] == "object"}
    allowed = vis if is_full else {n for n in vis if (seen(a, n) and seen(b, n)) or n in moved}
    ambiguous = {
        name
        for name in vis
        if category(name) != "System" and sum(category(other) == category(name) for other in vis) >= 2
    }
    kept = []
    for atom in found:
        if not all(name in allowed for name in ends(atom)):
            continue
        if any(name in ambiguous for name in ends(atom)):
            if atom[0] == "edge" or "half" not in atom[2]:
                continue
            if atom[1] != "remove" and not any(name in allowed for name in came.get(atom[2], [])):
                continue
        kept.append(atom)
    return kept, came


def words(name: str, categories: dict[str, str]) -> str:
    """Section 5.1, for the names of random worlds: none of them is empty or lacks a word."""
    known = categories.get(name)
    kept = []
    pieces = name.lower().split("_")
    if len(pieces) == 1:
        return "the " + re.sub("[0-9]", "", pieces[0])
    for i, piece in enumerate(pieces):
        if piece == "" or piece.isdigit():
            continue
        is_robot = i > 0 and {"robot", "agent", "player"} & set(pieces[:i]) and re.fullmatch("r[0-9][0-9]?", piece)
        is_word = known == "System" or (piece in known.split("_") if known else "__" in name)
        if is_robot:
            kept.append(piece)
        elif i > 0 and len(piece) == 6 and not is_word:
            continue
        elif len(piece.rstrip("0123456789")) >= 2 and piece.rstrip("0123456789").isalpha():
            kept.append(piece.rstrip("0123456789"))
        elif len(piece) <= 3 and piece.isalpha():
            kept.append(piece)
    return "the " + " ".join(kept)


def signature(a: Record, b: Record, is_full: bool, categories: dict[str, str]) -> set[str]:
    kept, came = visible(a, b, is_full)
    strings = set()
    gone = {words(atom[2], categories) for atom in kept if atom[:2] == ("object", "remove")}
    for atom in kept:
        name = words(atom[2], categories)
        if atom[0] == "node" and atom[3] in UNARY:
            strings.add(f"node_{atom[1]}_{name}_{atom[3]}")
        if atom[0] == "edge" and atom[4] in BINARY:
            strings.add(f"edge_{atom[1]}_{name}_{words(atom[3], categories)}_{atom[4]}")
        if atom[:2] == ("object", "add") and came[atom[2]]:
            sources = sorted({words(parent, categories) for parent in came[atom[2]]} & gone)
            if sources:
                strings.add(f"node_transition_from_{'_'.join(sources)}_to_{name}")
            elif "cooked" in name:
                strings.add(f"node_transition_from_{name.replace('cooked ', '')}_to_cooked")
            elif len(came[atom[2]]) == 1:
                strings.add(f"node_transition_from_{words(came[atom[2]][0], categories)}_to_{name}")
    return strings
