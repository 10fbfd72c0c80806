"""The golden values of the InPhyRe specification, section 9.2, and what formulas say about free motion."""

import math
from dataclasses import dataclass, field

import numpy as np

from tests.oracle.planar_scene import Body, Scene

G = 9.8
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Golden:
    """A scene and what is known of it: centres and velocities along x at `end`, and events by (kind, bodies)."""

    scene: Scene
    end: float
    x: tuple[float, ...] | None = None
    vx: tuple[float, ...] | None = None
    events: dict[tuple[str, tuple[int, ...]], float] = field(default_factory=dict)
    speed_at_contact: float | None = None


def _two(shape: str, gap: float, law: str = "regular", mu: float = 0.0, mass: float = 1.0) -> Scene:
    """A body of size .2 at 1 m/s towards one at rest."""
    return Scene(
        [_one(shape, mu), Body(shape, (0.2, 0.2), np.array([0.4 + gap, 0.0]), np.zeros(2), mass=mass, mu=mu)],
        G,
        {(0, 1): (law, {})},
    )


def _one(shape: str, mu: float) -> Body:
    return Body(shape, (0.2, 0.2), np.zeros(2), np.array([1.0, 0.0]), mu=mu)


def _wall() -> Scene:
    mover = Body("cube", (0.2, 0.2), np.zeros(2), np.array([3.0, 1.0]))
    wall = Body("cube", (0.1, 9.0), np.array([1.3, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)
    return Scene([mover, wall], G, {(0, 1): ("tangent_gain", {"gain": 2.0})})


HIT = ("contact", (0, 1))
GOLDEN: dict[str, Golden] = {
    "cube-slide": Golden(Scene([_one("cube", 0.1)], G), 3.0, (0.510204082,), (0.0,), {("stop", (0,)): 1.020408163}),
    "sphere-slide-roll": Golden(
        Scene([_one("sphere", 0.1)], G), 3.0, (2.184506456,), (5 / 7,), {("roll", (0,)): 0.291545190}
    ),
    **{
        f"{shape}-{name}": Golden(_two(shape, 1.0, law), 2.0, x, vx, {HIT: 1.0})
        for shape in ("cylinder", "cube")
        for name, law, x, vx in (
            ("LMC-reg", "regular", (1.0, 2.4), (0.0, 1.0)),
            ("LMC", "keep_momentum", (2.0, 2.4), (1.0, 1.0)),
        )
    },
    **{
        f"cube-friction-{name}": Golden(
            _two("cube", 0.2, law, 0.2), 2.0, x, (0.0, 0.0), {HIT: 0.273082652}, speed_at_contact=0.464758002
        )
        for name, law, x in (
            ("LMC-reg", "regular", (0.2, 0.655102041)),
            ("LMC", "keep_momentum", (0.255102041, 0.655102041)),
        )
    },
    "sphere-friction-LMC-reg": Golden(
        _two("sphere", 0.2, mu=0.2),
        2.0,
        (0.2, 1.503050600),
        (0.0, 0.510204082),
        {("roll", (0,)): 0.145772595, HIT: 0.250845481},
        speed_at_contact=5 / 7,
    ),
    "SB": Golden(_two("cylinder", 1.0, mass=20.0), 1.5, None, (-0.904761905, 0.095238095), {HIT: 1.0}),
    "Wall": Golden(_wall(), 0.5, None, (-3.0, 0.0), {HIT: 1 / 3}),
}


def slide(speed: float, mu: float, t: float, g: float = G) -> float:
    """Way of a slider after t: until it stops, v²/(2 mu g)."""
    sliding = min(t, speed / (mu * g))
    return speed * sliding - 0.5 * mu * g * sliding * sliding


def rolling_speed(speed: float, rim: float) -> float:
    """Final speed of a sphere that starts with `speed` and the rim speed r w: (5 v + 2 r w)/7."""
    return (5 * speed + 2 * rim) / 7


def spin_down(spin: float, kappa: float, mu: float, reach: float, g: float = G) -> tuple[float, float]:
    """Time and angle of a spin about z until it ends: w/b and w²/(2 b) with b = kappa mu g / reach."""
    slowing = kappa * mu * g / reach
    return abs(spin) / slowing, spin * abs(spin) / (2 * slowing)
