"""Scenes of primitives that meet, drawn from a seed: like InPhyRe's, and harder ones.

A scene depends on (seed, index) alone. `head_on` scenes are two equal-kind bodies on one line, or a body and a wall,
under one of `LAWS`; `wild` scenes are any bodies at any angle, spinning and sliding.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.oracle.planar_scene import Body, Floats, Scene

G = 9.8
SMALL, LARGE = 0.35, 0.70
FLOOR = 0.3
MATERIALS = (0.8, 0.4)
KAPPA = {"sphere": 0.0, "cylinder": 4 / 3, "cube": 0.5 * (math.sqrt(2) + math.log(1 + math.sqrt(2)))}
"""Spin friction under uniform pressure."""
SHAPES = ("sphere", "cylinder", "cube")
LAWS = (
    "keep_momentum",
    "spin_up",
    "tangent_gain",
    "red_keeps_momentum",
    "red_passes",
    "heavy",
    "take_look",
    "regular",
)
"""Laws of the InPhyRe scenarios; "heavy" is the regular law with a small, heavy body at rest (SB)."""


def body(shape: str, size: float, pos: Any, vel: Any, **rest: Any) -> Body:
    """A body with the moment of inertia of a solid one and the spin friction of uniform pressure."""
    mass = rest.get("mass", 1.0)
    inertia = mass * size * size * {"sphere": 0.4, "cylinder": 0.5, "cube": 2 / 3}[shape]
    given: dict[str, Any] = {"inertia": inertia, "kappa": KAPPA[shape], **rest}
    return Body(shape, (size, size), np.asarray(pos, float), np.asarray(vel, float), **given)


def turned(vector: Sequence[float] | Floats, angle: float) -> Floats:
    """A plane vector turned by an angle (rad)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def head_on(
    count: int, *, law: str | None = None, seed: int = 0, turns: int | None = None, friction: bool = True
) -> list[Scene]:
    """Scenes that end after 5 s; the laws take turns unless one is named.

    Headings are any, or of `turns` equal parts of a full turn; without `friction` everything slides for ever.
    """
    rngs = [np.random.default_rng([seed, k]) for k in range(count)]
    return [_head_on(rng, law or LAWS[k % len(LAWS)], turns, friction) for k, rng in enumerate(rngs)]


def _head_on(rng: np.random.Generator, law: str, turns: int | None, friction: bool) -> Scene:
    # Squares that both begin to spin hit each other again and again: no law for points says what happens then.
    shape = SHAPES[rng.integers(2 if law == "spin_up" else 3)]
    heading, speed, way = rng.uniform(-math.pi, math.pi), rng.uniform(1, 3), rng.uniform(0.4, 1.5)
    if turns is not None:
        heading = round(heading * turns / (2 * math.pi)) * 2 * math.pi / turns
    mu = FLOOR * MATERIALS[rng.integers(2)] * friction
    launch = speed if shape == "sphere" else math.sqrt(speed * speed + 2 * mu * G * way)
    heavy, wall = law == "heavy", law == "tangent_gain"
    size, other = (LARGE if heavy else SMALL), SMALL
    slant = math.atan(rng.uniform(0.2, 1)) if wall else 0.0
    vel = turned((launch, 0.0), heading + slant)
    a = body(shape, size, (0, 0), vel, yaw=heading, mu=mu, red=bool(rng.integers(2)))
    a.roll = a.vel.copy() if shape == "sphere" else np.zeros(2)
    if wall:
        place = turned((way * math.cos(slant) + size + 0.1, 0.0), heading)
        still = {"yaw": heading, "mass": math.inf, "inertia": math.inf}
        b = Body("cube", (0.1, 5.0), place, np.zeros(2), **still)
    else:
        place = turned((way + size + other, 0.0), heading)
        b = body(shape, other, place, (0, 0), yaw=heading, mu=mu, mass=rng.uniform(5, 20) if heavy else 1.0)
    params = {"tangent_gain": {"gain": rng.uniform(1.5, 3)}, "spin_up": {"omega": rng.uniform(2, 6)}}.get(law, {})
    return Scene([a, b], G, {(0, 1): ("regular" if heavy else law, params)})


def wild(count: int, *, bodies: int = 2, law: str = "eccentric", seed: int = 0) -> list[Scene]:
    """Bodies of any kind, turned, spinning and sliding, shot at the first one from around."""
    return [_wild(np.random.default_rng([seed, bodies, k]), bodies, law) for k in range(count)]


def _wild(rng: np.random.Generator, bodies: int, law: str) -> Scene:
    made = [_any_body(rng, (0, 0), rng.uniform(-0.2, 0.2, 2))]
    start = rng.uniform(0, 2 * math.pi)
    for k in range(1, bodies):
        direction = start + 2 * math.pi * k / (bodies - 1)
        aim = direction + math.pi + rng.uniform(-0.25, 0.25)
        place, vel = turned((rng.uniform(1.0, 1.6), 0.0), direction), turned((rng.uniform(0.8, 2.5), 0.0), aim)
        made.append(_any_body(rng, place, vel))
    params = {"restitution": rng.uniform(0.3, 1.0)}
    pairs = [(i, j) for i in range(bodies) for j in range(i + 1, bodies)]
    return Scene(made, G, {pair: (law, params) for pair in pairs})


def _any_body(rng: np.random.Generator, pos: Any, vel: Any) -> Body:
    shape, size = SHAPES[rng.integers(3)], rng.uniform(0.1, 0.3)
    made = body(
        shape,
        size,
        pos,
        vel,
        yaw=rng.uniform(-math.pi, math.pi),
        spin=rng.uniform(-4, 4),
        mass=rng.uniform(0.3, 3),
        mu=rng.choice([0.0, 0.05, 0.2]),
        mu_roll=0.01,
    )
    if shape == "sphere":
        made.roll = rng.uniform(-2, 2, 2)
    if shape == "cube":
        made.half = (size, size * rng.uniform(0.4, 1.0))
    return made
