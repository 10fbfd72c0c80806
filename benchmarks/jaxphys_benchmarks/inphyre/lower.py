"""Specs to arrays and back: where pydantic ends and the simulator begins.

A batch may mix scenarios, laws and numbers of bodies: scenes with fewer bodies are padded with small objects that rest
far away, where nothing meets them. All samples of a configuration have equally many, and the same bits in any batch;
beside scenes with more bodies another program runs, and the last bits may differ. The pair of A and what it meets
obeys the law of its spec, every other pair the regular one. Bodies are the objects, then the walls.

Public functions: `lower` (specs to World and State), `simulate` (a rollout to the end of the films), `moments`,
`rules_of`.
"""

from collections.abc import Sequence

import numpy as np

from jaxphys import laws, planar
from jaxphys_benchmarks.inphyre.numbers import Floats
from jaxphys_benchmarks.inphyre.scenarios import REAL
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec, Thing, Wall
from jaxphys_kernels.planar.model import Rules, Shape, State, Trajectory, World

MOMENTS = 16
"""Times of a trajectory unless told otherwise: this many, evenly spread up to the end of the film."""

AWAY = 1e3
"""Distance of padding bodies from the scene and from each other (m)."""

PADDING = 0.1
"""Radius of padding bodies (m)."""

SHAPE_NUMBERS = {shape.name.lower(): int(shape) for shape in Shape}


def lower(specs: Sequence[InPhyReSpec]) -> tuple[World, State]:
    """World and State of a batch of scenes, NumPy float64 leaves that lead with the scene axis.

    Raises:
        ValueError: no scenes, an unknown law, or one that has no such parameter.
    """
    if not specs:
        raise ValueError("specs: empty; give at least one scene")
    b, n = len(specs), max(spec.n for spec in specs)
    rows: list[tuple[float, ...]] = []
    for spec in specs:
        rows += [*map(_thing_row, spec.things), *map(_wall_row, spec.walls)]
        rows += [_padding_row(i) for i in range(spec.n, n)]
    table = np.array(rows, dtype=np.float64).reshape(b, n, -1)
    shape, size, pos, vel, roll = table[..., 0], table[..., 1:3], table[..., 3:5], table[..., 5:7], table[..., 7:9]
    mass, mu, mu_roll, kappa, yaw, spin, red = np.moveaxis(table[..., 9:], -1, 0)
    law, params = _laws(specs, n)
    return planar.make_scene(
        shape=shape.astype(np.int64),
        size=size,
        pos=pos,
        vel=vel,
        roll=roll,
        yaw=yaw,
        spin=spin,
        mass=mass,
        mu=mu,
        mu_roll=mu_roll,
        kappa=kappa,
        g=np.array([spec.g for spec in specs]),
        law=law,
        params=params,
        attrs={"red": red},
    )


def simulate(
    specs: Sequence[InPhyReSpec], times: Floats | None = None, *, backend: str = "auto"
) -> tuple[World, Trajectory]:
    """The scenes run to the ends of their films.

    Args:
        specs: scenes. times: (t,) or (b, t) ascending (s); None takes `moments(specs)`.

    Returns:
        world and trajectory; leaves lead with the scene axis, n is that of the scene with most bodies.

    Raises:
        ValueError: as `lower` and `rules_of`, or bad times.
    """
    world, state = lower(specs)
    asked = moments(specs) if times is None else times
    return world, planar.rollout(world, state, asked, rules=rules_of(specs), backend=backend)


def moments(specs: Sequence[InPhyReSpec]) -> Floats:
    """(b, t) times at which labels look at the scenes (s), the last one the end of the film."""
    return np.array([spec.duration for spec in specs])[:, None] * (np.arange(1, MOMENTS + 1) / MOMENTS)


def rules_of(specs: Sequence[InPhyReSpec]) -> Rules:
    """Static numbers of the event loop, which the scenes of a batch share.

    Raises:
        ValueError: naming the first scene whose event capacity differs.
    """
    for spec in specs:
        if spec.max_events != specs[0].max_events:
            raise ValueError(f"max_events: scene {spec.id} differs from {specs[0].id}; simulate them separately")
    return Rules(max_events=specs[0].max_events)


def _thing_row(thing: Thing) -> tuple[float, ...]:
    """Shape, half extents, pos, vel, roll, mass, mu, mu_roll, kappa, yaw, spin, red."""
    return (
        SHAPE_NUMBERS[thing.shape], thing.size, thing.size, *thing.pos, *thing.vel, *thing.roll, thing.mass,
        thing.mu, thing.mu_roll, thing.kappa, thing.yaw, thing.spin, thing.colour == "red",
    )  # fmt: skip


def _wall_row(wall: Wall) -> tuple[float, ...]:
    return (SHAPE_NUMBERS["cube"], *wall.half, *wall.pos, *_AT_REST, np.inf, *_SMOOTH, wall.yaw, 0.0, 0.0)


def _padding_row(place: int) -> tuple[float, ...]:
    far = AWAY * (1 + place)
    return (SHAPE_NUMBERS["cylinder"], PADDING, PADDING, far, far, *_AT_REST, np.inf, *_SMOOTH, 0.0, 0.0, 0.0)


_AT_REST = (0.0,) * 4
_SMOOTH = (0.0,) * 3


def _laws(specs: Sequence[InPhyReSpec], n: int) -> tuple[np.ndarray, dict[str, Floats]]:
    """Names of the laws (b, c) and their parameters (b, c): of each spec for its pair, else the defaults."""
    law = np.full((len(specs), n * (n - 1) // 2), REAL, dtype=object)
    # Pairs of body 0 come first, in the order of the other body.
    pair = [spec.other - 1 for spec in specs]
    for k, spec in enumerate(specs):
        law[k, pair[k]] = spec.law
    used = {name: laws.get(name).defaults for name in set(law.ravel().tolist())}
    for spec in specs:
        strange = sorted(set(spec.params) - set(used[spec.law]))
        if strange:
            raise ValueError(f"params: law {spec.law!r} of {spec.id} has no {strange[0]!r}; it has {[*used[spec.law]]}")
    params = {name: np.zeros(law.shape) for name in {name for row in used.values() for name in row}}
    for k, spec in enumerate(specs):
        own = {**used[spec.law], "restitution": spec.restitution, **spec.params}
        for name, values in params.items():
            values[k] = spec.restitution if name == "restitution" else 0.0
            values[k, pair[k]] = own.get(name, 0.0)
    return law, params
