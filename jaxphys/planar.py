"""Primitives on a plane: `rollout(world, state, times)` for a batch of scenes in which pairs obey laws of their own.

    world, state = make_scene(shape=["cube", "cube"], size=0.2, pos=pos, vel=vel, mu=0.2, law="keep_momentum")
    trajectory = rollout(world, state, times=[1.0, 2.0])

Every leaf leads with the scene axis b. Spheres, upright cylinders and boxes slide, roll and spin with Coulomb
friction; what happens at a contact is a law of `jaxphys.laws`, picked per pair. Back ends (`BACKENDS`):

- `xla`: event-driven and exact, on CPU, GPU and TPU, float64 or float32; the reference for published data;
- `stepped`: a fixed time step, for comparison only; never for labels.

Works under `jit`, `vmap`, `grad` and `jacfwd` (inside a trace every scene makes all passes of the event loop).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import jax
import numpy as np
from jax.typing import ArrayLike

from jaxphys import _asked, laws
from jaxphys import _planar_backends as backends
from jaxphys._asked import asked_times
from jaxphys._planar_checks import check
from jaxphys.precision import precision_of
from jaxphys_kernels.planar.model import Events, Kind, Rules, Shape, State, Trajectory, World
from jaxphys_kernels.plane import pairs
from jaxphys_kernels.status import Status

__all__ = [
    "BACKENDS",
    "Events",
    "Kind",
    "Rules",
    "Shape",
    "State",
    "Status",
    "Trajectory",
    "World",
    "kappa",
    "make_scene",
    "pairs",
    "resolve_backend",
    "rolling_coefficient",
    "rollout",
    "validate",
]

BACKENDS: tuple[str, ...] = ("auto", "xla", "stepped")

KAPPA: Mapping[str, Mapping[str, float]] = {
    "uniform": {"cylinder": 4 / 3, "cube": (math.sqrt(2) + math.log(1 + math.sqrt(2))) / 2, "sphere": 0.0},
    "rim": {"cylinder": 2.0, "cube": 3 / math.sqrt(2), "sphere": 0.0},
    "none": {"cylinder": 0.0, "cube": 0.0, "sphere": 0.0},
}
"""Spin friction of a shape by pressure model (InPhyRe specification, section 3.2)."""


def kappa(shape: str, model: str = "uniform") -> float:
    """Spin friction of a shape: dω/dt = -kappa mu g / (radius or half side).

    Args:
        shape: "sphere", "cylinder" or "cube".
        model: of the pressure: "uniform", "rim" (load on rim or corners) or "none".
    """
    if model not in KAPPA or shape not in KAPPA[model]:
        raise ValueError(
            f"kappa of {shape!r}, {model!r} is not known; shapes {', '.join(KAPPA['rim'])}, models {', '.join(KAPPA)}"
        )
    return KAPPA[model][shape]


def rolling_coefficient(c_rr: float) -> float:
    """`mu_roll` of a solid sphere whose rolling resistance is a torque of c_rr N r: the deceleration is 5/7 c_rr g."""
    return c_rr / 1.4


def make_scene(
    *,
    shape: Any,
    pos: ArrayLike | Sequence[Any],
    vel: ArrayLike | Sequence[Any],
    size: ArrayLike | Sequence[Any],
    yaw: ArrayLike = 0.0,
    spin: ArrayLike = 0.0,
    roll: ArrayLike | str = 0.0,
    mass: ArrayLike | Sequence[Any] = 1.0,
    inertia: ArrayLike | None = None,
    mu: ArrayLike = 0.24,
    mu_roll: ArrayLike = 0.0,
    kappa: ArrayLike = 0.0,
    g: ArrayLike = 9.8,
    law: Any = "regular",
    params: Mapping[str, ArrayLike] | None = None,
    attrs: Mapping[str, ArrayLike] | None = None,
    dtype: type = np.float64,
) -> tuple[World, State]:
    """World and state of b scenes with n bodies and c = n(n-1)/2 pairs; NumPy leaves, broadcast over the scenes.

    Args:
        shape: (n,) or (b, n) names "sphere", "cylinder", "cube", or `Shape` values. A wall is a "cube" of infinite
            mass with two half extents.
        pos: (b, n, 2) centres (m).
        vel: (b, n, 2) m/s.
        size: (), (n,) or (b, n) radii or half sides (m), or (b, n, 2) half extents.
        yaw: (), (n,) or (b, n) rad.
        spin: like yaw, rad/s.
        roll: (b, n, 2) rolling velocities of spheres (m/s); 0 starts them sliding, "rolling" rolling without slip.
        mass: (), (n,) or (b, n) kg; inf for what nothing moves.
        inertia: like mass, kg m² about the vertical axis; None takes that of the uniform solid.
        mu: like mass, friction with the floor.
        mu_roll: like mass, rolling deceleration over g.
        kappa: like mass, spin friction (`kappa`).
        g: () or (b,) m/s².
        law: name, or (c,) or (b, c) names of the laws of the pairs.
        params: name -> (), (c,) or (b, c) parameters of the laws; what is missing takes the law's own default.
        attrs: name -> (), (n,) or (b, n) attributes that laws may read.
        dtype: np.float64, or np.float32 for bulk sweeps.

    Raises:
        ValueError: an unknown shape, law or parameter, or an array that does not broadcast; the text names it.
    """
    centres: np.ndarray = np.asarray(pos, dtype)
    if centres.ndim != 3 or centres.shape[-1] != 2:
        raise ValueError(f"pos has shape {centres.shape}; it must be (scenes, bodies, 2)")
    if np.shape(vel) != centres.shape:
        raise ValueError(f"vel has shape {np.shape(vel)}; it must be that of pos, {centres.shape}")
    b, n, _ = centres.shape
    c = n * (n - 1) // 2

    def spread(name: str, value: Any, shape: tuple[int, ...], kind: Any = dtype) -> np.ndarray:
        return _asked.spread(name, value, shape, kind)

    shapes = spread("shape", _asked.numbers("shape", shape, Shape), (b, n), np.int32)
    sizes: np.ndarray = np.asarray(size, dtype)
    half = spread("size", sizes if sizes.ndim == 3 else spread("size", sizes, (b, n))[..., None], (b, n, 2))
    boxes = shapes == int(Shape.CUBE)
    uneven = ~boxes & (half[..., 0] != half[..., 1])
    if uneven.any():
        scene, body = (int(i) for i in np.argwhere(uneven)[0])
        raise ValueError(f"size of body {body} in scene {scene} has two half extents; only cubes may, a disc is round")
    radius: np.ndarray = np.where(boxes, 0, half[..., 0]).astype(dtype)
    core: np.ndarray = np.where(boxes[..., None], half, 0).astype(dtype)
    masses = spread("mass", mass, (b, n))
    names = spread("law", law, (b, c), object)
    used = {name: laws.get(name) for name in sorted(set(names.ravel().tolist()), key=str)}
    numbers = np.vectorize({name: laws.number(name) for name in used}.__getitem__, otypes=[np.int32])(names)
    unread = sorted({attr for row in used.values() for attr in row.reads} - set(attrs or {}))
    if unread:
        raise ValueError(f"attrs: a law reads {unread[0]!r}; give attrs={{{unread[0]!r}: ...}}")
    velocities = spread("vel", vel, (b, n, 2))
    spheres = (shapes == int(Shape.SPHERE))[..., None]
    rolling = np.where(spheres, velocities, 0) if isinstance(roll, str) else spread("roll", roll, (b, n, 2))
    if isinstance(roll, str) and roll != "rolling":
        raise ValueError(f"roll is {roll!r}; give velocities, or 'rolling'")
    world = World(
        shape=cast(jax.Array, shapes),
        half=cast(jax.Array, core),
        rounding=cast(jax.Array, radius),
        mass=cast(jax.Array, masses),
        inertia=cast(
            jax.Array,
            _solid_inertia(shapes, half, masses) if inertia is None else spread("inertia", inertia, (b, n)),
        ),
        mu=cast(jax.Array, spread("mu", mu, (b, n))),
        mu_roll=cast(jax.Array, spread("mu_roll", mu_roll, (b, n))),
        kappa=cast(jax.Array, spread("kappa", kappa, (b, n))),
        g=cast(jax.Array, spread("g", g, (b,))),
        law=cast(jax.Array, numbers),
        params={
            name: cast(jax.Array, spread(f"params[{name!r}]", value, (b, c)))
            for name, value in _parameters(used, names, params or {}).items()
        },
        attrs={k: cast(jax.Array, spread(f"attrs[{k!r}]", v, (b, n))) for k, v in (attrs or {}).items()},
    )
    state = State(
        time=cast(jax.Array, np.zeros(b, dtype)),
        pos=cast(jax.Array, centres.copy()),
        vel=cast(jax.Array, velocities),
        yaw=cast(jax.Array, spread("yaw", yaw, (b, n))),
        spin=cast(jax.Array, spread("spin", spin, (b, n))),
        roll=cast(jax.Array, rolling.astype(dtype)),
        look=cast(jax.Array, np.broadcast_to(np.arange(n, dtype=np.int32), (b, n)).copy()),
        through=cast(jax.Array, np.zeros((b, c), bool)),
    )
    return world, state


def _parameters(used: Mapping[str, laws.Law], names: np.ndarray, given: Mapping[str, ArrayLike]) -> dict[str, Any]:
    """Values of every parameter that a law in use has: as given, else the default of each pair's law."""
    known = sorted({name for row in used.values() for name in row.defaults})
    strange = sorted(set(given) - set(known))
    if strange:
        raise ValueError(f"params: no law in use has {strange[0]!r}; there are {', '.join(known) or 'none'}")

    def default(name: str) -> Any:
        return np.vectorize(lambda law: used[law].defaults.get(name, 0.0), otypes=[np.float64])(names)

    return {name: given.get(name, default(name)) for name in known}


def _solid_inertia(shapes: np.ndarray, half: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(b, n) kg m² about the vertical axis of uniform solids."""
    square = (half * half).sum(axis=-1)
    # Both half extents of a round body are its radius: r² is half their sum.
    factor = np.choose(shapes, [0.2, 0.25, 1 / 3])
    inertia: np.ndarray = factor * square * mass
    return inertia.astype(mass.dtype)


def resolve_backend(backend: str) -> str:
    """The back end that a name stands for: `auto` is `xla`; ValueError lists what there is."""
    if backend not in BACKENDS:
        raise ValueError(f"backend is {backend!r}; it must be one of {', '.join(BACKENDS)}")
    return "xla" if backend == "auto" else backend


def validate(world: World, state: State, times: ArrayLike | Sequence[float]) -> None:
    """Raise ValueError naming the field, the scene and the fix when a scene is not physical.

    Checks shapes, finiteness, signs, laws, asked times and overlaps.
    """
    check(world, state, np.asarray(times))


def rollout(
    world: World,
    state: State,
    times: ArrayLike | Sequence[float],
    *,
    rules: Rules = Rules(),
    backend: str = "auto",
    dt: float = 1 / 240,
    threads: int | None = None,
) -> Trajectory:
    """Simulate b scenes from `state` and return them at the asked times.

    Args:
        world: constants of the scenes; their dtype is the precision of the run.
        state: the scenes as they start.
        times: (t,) or (b, t) ascending times (s), not before `state.time`; at an event, the state after it.
        rules: static numbers of the event loop.
        backend: one of `BACKENDS`.
        dt: step of the `stepped` back end (s).
        threads: host threads; None takes all cores. Results do not depend on it.

    Returns:
        Trajectory with leaves leading with b. A scene whose `status` is not 0 has no valid result.

    Raises:
        ValueError: unknown back end, wrong shapes, or times that are not finite, ascending and after the start.
            Inside a trace the values of times are not checked.
    """
    backend = resolve_backend(backend)
    with precision_of(state.pos):
        asked = asked_times(times, state.time, state.pos.dtype, from_start=True)
        if backend == "stepped":
            return backends.step(world, state, asked, dt)
        return backends.roll(world, state, asked, rules, threads)
