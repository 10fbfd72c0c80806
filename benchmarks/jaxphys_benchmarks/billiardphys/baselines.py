"""Built-in answerers that need no model (BilliardPhys-Bench specification, section 10).

They answer in text, as a model would, and go through the same parser. `oracle` alone uses the labels. The two
that simulate remember what they computed; `prepare` runs many scenes in one batch beforehand, and without it
each scene is run when its first question comes. Answers depend on the scene and the seed, never on the order, and
are about the scene as the question shows it.
"""

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from jaxphys import billiards
from jaxphys_benchmarks.billiardphys.labels import Labels, four_decimals
from jaxphys_benchmarks.billiardphys.lower import Floats, arrange, rules_of, starts
from jaxphys_benchmarks.billiardphys.perturb import seen, seen_labels
from jaxphys_benchmarks.billiardphys.screen import noisy_start
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Point
from jaxphys_benchmarks.protocol import Question
from jaxphys_kernels.billiards.model import WALLS

SIGMA = 1e-3
"""Default localisation error of `NoisyOracle` (m): half a pixel of the published canvas."""

REMEMBERED = 50_000
"""Scenes that a simulating baseline remembers before it starts afresh."""


@dataclass(frozen=True)
class Belief:
    """What an answerer holds to be true of a scene of n balls.

    Attributes:
        q1: (n - 1,) which of the balls 1, 2, … the cue ball hits.
        q2: (4,) which of `WALLS` it hits.
        pos: (n,) centres at t (m), None for a pocketed ball.
    """

    q1: tuple[bool, ...]
    q2: tuple[bool, ...]
    pos: tuple[Point | None, ...]


BilliardAnswerer = Callable[[BilliardSpec, Labels, Question, int], str]


def baselines(sigma: float = SIGMA) -> dict[str, BilliardAnswerer]:
    """All baselines by name.

    Args:
        sigma: localisation error of `noisy_oracle` (m).

    Raises:
        ValueError: sigma is negative or not finite.
    """
    return {
        "oracle": oracle,
        "static": static,
        "no_contact": NoContact(),
        "noisy_oracle": NoisyOracle(sigma=sigma),
        "random": coin,
    }


def write(question: Question, belief: Belief) -> str:
    """Reply text that states a belief, in the form that the question asks for."""
    return json.dumps({question.reads["key"]: _WRITERS[question.task](belief)})


def oracle(spec: BilliardSpec, labels: Labels, question: Question, seed: int) -> str:
    """The labels."""
    truth = seen_labels(spec, labels, question.reads["style"])
    return write(question, Belief(truth.q1, truth.q2, truth.published_pos))


def static(spec: BilliardSpec, labels: Labels, question: Question, seed: int) -> str:
    """Nothing happens: all F, every ball at its start."""
    return write(question, _nothing_happens(seen(spec, question.reads["style"])))


def coin(spec: BilliardSpec, labels: Labels, question: Question, seed: int) -> str:
    """Fair coins for balls and walls, centres uniform on the table."""
    rng = _generator("random", spec, seed)
    flips = (rng.random(spec.n - 1 + len(WALLS)) < 0.5).tolist()
    places = rng.uniform(spec.R, [spec.table.W - spec.R, spec.table.H - spec.R], (spec.n, 2)).tolist()
    return write(question, Belief(tuple(flips[: spec.n - 1]), tuple(flips[spec.n - 1 :]), _points(places)))


@dataclass(frozen=True)
class NoContact:
    """The cue ball alone with the walls; every other ball stays at its start, and none is hit."""

    known: dict[BilliardSpec, Belief] = field(default_factory=dict, repr=False)

    def __call__(self, spec: BilliardSpec, labels: Labels, question: Question, seed: int) -> str:
        """Reply text."""
        spec = seen(spec, question.reads["style"])
        if spec not in self.known:
            self.prepare([spec], seed)
        return write(question, self.known[spec])

    def prepare(self, specs: Sequence[BilliardSpec], seed: int) -> None:
        """Run the scenes in one batch and remember them."""
        _make_room(self.known)
        for group in _alike([spec for spec in specs if spec not in self.known]):
            pos, vel = starts(group)
            for spec, alone in zip(group, _run(group, pos[:, :1], vel[:, :1]), strict=True):
                rest = _nothing_happens(spec)
                self.known[spec] = rest if alone is None else Belief(rest.q1, alone.q2, (*alone.pos, *rest.pos[1:]))


@dataclass(frozen=True)
class NoisyOracle:
    """The exact core, shown every start position with an error N(0, sigma) and the exact cue velocity.

    Attributes:
        sigma: standard deviation of the error per coordinate (m); errors are drawn again while balls overlap.
    """

    sigma: float = SIGMA
    known: dict[tuple[BilliardSpec, int], Belief] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Raises ValueError for a bad sigma."""
        if not (self.sigma >= 0 and math.isfinite(self.sigma)):
            raise ValueError(f"sigma: {self.sigma}; give a length >= 0 m")

    def __call__(self, spec: BilliardSpec, labels: Labels, question: Question, seed: int) -> str:
        """Reply text."""
        spec = seen(spec, question.reads["style"])
        if (spec, seed) not in self.known:
            self.prepare([spec], seed)
        return write(question, self.known[spec, seed])

    def prepare(self, specs: Sequence[BilliardSpec], seed: int) -> None:
        """Run the scenes in one batch and remember them."""
        _make_room(self.known)
        for group in _alike([spec for spec in specs if (spec, seed) not in self.known]):
            pos, vel = starts(group)
            for k, spec in enumerate(group):
                noisy = noisy_start(spec, self.sigma, _generator("noisy_oracle", spec, seed))
                pos[k] = pos[k] if noisy is None else noisy  # balls held on all sides cannot be moved
            for spec, belief in zip(group, _run(group, pos, vel), strict=True):
                self.known[spec, seed] = _nothing_happens(spec) if belief is None else belief


def _flags(names: Sequence[int] | Sequence[str], label: str, flags: Sequence[bool]) -> list[dict[str, object]]:
    return [{label: name, "answer": "T" if flag else "F"} for name, flag in zip(names, flags, strict=True)]


_WRITERS: Mapping[str, Callable[[Belief], list[dict[str, object]]]] = {
    "task1": lambda belief: _flags(range(1, len(belief.pos)), "id", belief.q1),
    "task2": lambda belief: _flags(WALLS, "wall", belief.q2),
    "task3": lambda belief: [
        {"id": ball, "pos": None if pos is None else list(four_decimals(pos))} for ball, pos in enumerate(belief.pos)
    ],
}


def _nothing_happens(spec: BilliardSpec) -> Belief:
    return Belief((False,) * (spec.n - 1), (False,) * len(WALLS), spec.positions)


def _points(places: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in places)


def _generator(name: str, spec: BilliardSpec, seed: int) -> np.random.Generator:
    """A stream of its own for each baseline, scene and seed."""
    key = f"{name}/{seed}/{spec.seed}/{spec.id}/{spec.attempt}"
    return np.random.default_rng(list(hashlib.sha256(key.encode()).digest()))


def _make_room(known: dict[BilliardSpec, Belief] | dict[tuple[BilliardSpec, int], Belief]) -> None:
    if len(known) > REMEMBERED:
        known.clear()


def _alike(specs: Sequence[BilliardSpec]) -> list[list[BilliardSpec]]:
    """The scenes in groups that one batch can hold."""
    groups: dict[object, list[BilliardSpec]] = {}
    for spec in dict.fromkeys(specs):
        key = (spec.n, spec.table, spec.R, spec.mass, spec.mu, spec.g, spec.pockets, spec.rules)
        groups.setdefault(key, []).append(spec)
    return list(groups.values())


def _run(specs: Sequence[BilliardSpec], pos: Floats, vel: Floats) -> list[Belief | None]:
    """What happens to balls (b, n, 2) on the tables of the specs up to their t; None where the run failed."""
    world, state = arrange(specs[0], pos, vel)
    times = np.array([[spec.t] for spec in specs])
    run = billiards.rollout(world, state, times, rules=rules_of(specs), log=False)
    hits, walls = np.isfinite(np.asarray(run.first_hit)).tolist(), np.isfinite(np.asarray(run.first_wall)).tolist()
    places, alive = np.asarray(run.pos)[:, -1].tolist(), np.asarray(run.alive)[:, -1].tolist()
    failed = np.asarray(run.status).tolist()
    return [
        None
        if failed[k]
        else Belief(
            tuple(hits[k][1:]),
            tuple(walls[k]),
            tuple((x, y) if lives else None for (x, y), lives in zip(places[k], alive[k], strict=True)),
        )
        for k in range(len(specs))
    ]
