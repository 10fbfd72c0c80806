"""Episodes for the tests of ENACT: the stored worlds, and random ones in the format of the files.

Random worlds have objects that come and go, are hidden now and then, share words and categories, turn into others,
and particle systems with and without the objects that they came from.
"""

import functools
import json
import pathlib
from typing import Any

import numpy as np

from jaxphys_benchmarks.enact import graph
from jaxphys_benchmarks.enact.episode import Episode

PATH = pathlib.Path(__file__).parent / "cases" / "enact_cases.json"
SENSOR = "external_sensor1"

THINGS = (
    ("robot_r1", "agent"),
    ("fridge_petcxr_0", "fridge"),
    ("breakfast_table_xftrki_0", "breakfast_table"),
    ("plate_1", "plate"),
    ("plate_2", "plate"),
    ("apple_7", "apple"),
    ("lamp_9", "lamp"),
    ("pan_lqwert_0", "pan"),
    ("wall_mug_3", "mug"),
    ("wall_mug_4", "glass"),
    ("cutting_board_4", "cutting_board"),
)
"""Objects that are always there; the two wall mugs share their words but not their category."""

ONION = ("vidalia_onion_5", "vidalia_onion")
HALVES = (("half_vidalia_onion_6", "half_vidalia_onion"), ("half_vidalia_onion_7", "half_vidalia_onion"))
SYSTEMS = (
    ("diced__vidalia_onion", ["vidalia_onion"]),
    ("cooked__diced__vidalia_onion", ["diced__vidalia_onion"]),
    ("ketchup", ["tomato"]),
    ("water", None),
)
"""Particle systems and their parents; ketchup comes from nothing."""

UNARY = ("Open", "ToggledOn", "Cooked", "Sparkling")
BINARY = ("OnTop", "Inside", "Under", "Covered", "LeftGrasping", "RightGrasping", "LeftContact", "Shiny")


@functools.cache
def cases() -> dict[str, Any]:
    """The stored cases."""
    found: dict[str, Any] = json.loads(PATH.read_text())
    return found


@functools.cache
def golden(name: str) -> Episode:
    """A stored world."""
    return episode(cases()["worlds"][name])


def episode(records: dict[str, Any], **config: Any) -> Episode:
    """The episode of records that are all `full`."""
    return Episode({frame: graph.read(record, frame) for frame, record in records.items()}, **config)


def seen(pixels: int) -> dict[str, list[int]]:
    """A visibility record."""
    return {SENSOR: [pixels, 0, 0, 10, 10, 512, 512]}


def random_world(seed: int, frames: int = 8, step: int = 10, *, orphans: bool = True) -> dict[str, Any]:
    """`full` records of an episode in which a few facts change between any two frames.

    Args:
        seed: of everything.
        frames: how many.
        step: between their ids.
        orphans: whether systems may come from nothing.
    """
    rng = np.random.default_rng([7, seed])
    names = [name for name, _ in (*THINGS, ONION, *HALVES)] + [name for name, _ in SYSTEMS]
    facts: set[tuple[str, ...]] = set()
    there = {"onion"}
    records = {}
    for number in range(frames):
        for _ in range(int(rng.integers(0, 4))):
            name, other = (names[int(k)] for k in rng.choice(len(names), 2, replace=False))
            unary = rng.random() < 0.4
            states = UNARY if unary else BINARY
            facts ^= (
                {(name, states[int(rng.integers(len(states)))])}
                if unary
                else {("robot_r1" if rng.random() < 0.3 else name, other, states[int(rng.integers(len(states)))])}
            )
        if rng.random() < 0.25:
            stages = ("onion", "halves", "diced__vidalia_onion", "cooked__diced__vidalia_onion")
            there = (there - set(stages)) | {stages[int(rng.integers(4))]}
        if rng.random() < 0.15:
            there ^= {"water"}
        if orphans and rng.random() < 0.15:
            there ^= {"ketchup"}
        nodes = [_node(name, category, None, facts, rng) for name, category in THINGS]
        if "onion" in there:
            nodes.append(_node(*ONION, None, facts, rng))
        if "halves" in there:
            nodes += [_node(*half, [ONION[0]], facts, rng) for half in HALVES]
        nodes += [_node(name, "System", parent, facts, rng) for name, parent in SYSTEMS if name in there]
        held = {node["name"] for node in nodes}
        edges: dict[tuple[str, str], list[str]] = {}
        for fact in sorted(facts):
            if len(fact) == 3 and {fact[0], fact[1]} <= held and fact[0] != fact[1]:
                edges.setdefault((fact[0], fact[1]), []).append(fact[2])
        rows = [{"from": a, "to": b, "states": states} for (a, b), states in edges.items()]
        records[str(number * step)] = {"type": "full", "nodes": nodes, "edges": rows}
    return records


def _node(
    name: str, category: str, parent: list[str] | None, facts: set[tuple[str, ...]], rng: np.random.Generator
) -> dict[str, Any]:
    chance = rng.random()
    visibility = {} if chance < 0.08 else seen(13 if chance < 0.12 else 14 if chance < 0.2 else 5000)
    states = sorted(fact[1] for fact in facts if len(fact) == 2 and fact[0] == name)
    row: dict[str, Any] = {"name": name, "category": category, "states": states, "visibility": visibility}
    return row if parent is None else row | {"parent": parent}
