"""Scenes with labels made by hand, and answers to them."""

from collections.abc import Sequence
from typing import Any

from jaxphys_benchmarks.billiardphys.labels import Labels
from jaxphys_benchmarks.billiardphys.prompts import ask
from jaxphys_benchmarks.billiardphys.spec import Ball, BilliardSpec, CanvasSize, Cue, Pocket, Table
from jaxphys_benchmarks.protocol import Answer, AskOptions, Question, View
from jaxphys_kernels.billiards.model import WALLS

START = ((0.5, 0.5), (1.0, 0.5), (1.5, 0.5), (0.2, 0.2))


def scene(start: Sequence[tuple[float, float]] = START, pockets: bool = False, **fields: Any) -> BilliardSpec:
    hole = (Pocket(centre=(0.0, 0.0), radius=0.06),) if pockets else ()
    values: dict[str, Any] = {
        "seed": 0,
        "index": 3,
        "table": Table(W=2.0, H=1.0),
        "R": 0.03,
        "mu": 0.002,
        "g": 9.8,
        "t": 2.0,
        "pockets": hole,
        "balls": tuple(Ball(id=ball, pos=pos) for ball, pos in enumerate(start)),
        "cue": Cue(v0=0.6, angle=0.0, vel=(0.6, 0.0)),
        "canvas": CanvasSize(width_px=1000, height_px=500, scale=1.0),
    }
    return BilliardSpec(**(values | fields))


def truth(**fields: Any) -> Labels:
    """Ball 0 hits 1 and the right wall; ball 1 moves; 2 and 3 rest."""
    values: dict[str, Any] = {
        "t": 2.0,
        "q1": (True, False, False),
        "q2": (False, False, False, True),
        "pos": ((0.94, 0.5), (1.2, 0.5), (1.5, 0.5), (0.2, 0.2)),
        "vel": ((0.0, 0.0),) * 4,
        "events": (),
        "chain_depth": (0, 1, -1, -1),
        "margin": None,
        "status": 0,
    }
    return Labels(**(values | fields))


def questions(spec: BilliardSpec | None = None, style: str = "plain") -> dict[str, Question]:
    options = AskOptions(view=View("initial", style=style))
    return {question.task: question for question in ask(spec or scene(), options)}


def balls(*flags: str) -> Answer:
    return Answer({"Q1": [{"id": ball, "answer": flag} for ball, flag in enumerate(flags, start=1)]}, "ok")


def walls(*hit: str) -> Answer:
    return Answer({"Q2": [{"wall": wall, "answer": "T" if wall in hit else "F"} for wall in WALLS]}, "ok")


def places(*pos: Sequence[float] | None) -> Answer:
    return Answer({"predictions": [{"id": ball, "pos": xy} for ball, xy in enumerate(pos)]}, "ok")


MISSING = Answer(None, "invalid", "for a test")
