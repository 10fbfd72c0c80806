"""Billiards: `rollout(world, state, times)` for a batch of scenes, by any back end, differentiable.

    world, state = make_scene(pos=pos, vel=vel)          # (b, n, 2) m and m/s
    trajectory = rollout(world, state, times=[1.0, 5.0])

Every leaf leads with the scene axis b. Back ends behind one face (`BACKENDS`):

- `compiled`: scalar event loop for CPUs, float64; the reference for published data;
- `xla`: event-driven lanes on CPU, GPU and TPU, float64 or float32;
- `readable`: the plain XLA event loop, scene by scene; for checking the other two;
- `stepped`: a fixed time step, for comparison only; never for labels.

`auto` takes `compiled` for float64 on a CPU and `xla` otherwise. Works under `jit`, `vmap`, `grad` and `jacfwd`:
first derivatives replay the event list by the implicit function theorem whatever made it.
"""

from collections.abc import Sequence
from typing import Any, cast

import jax
import numpy as np
from jax.typing import ArrayLike

from jaxphys import _billiards_backends as backends
from jaxphys._asked import asked_times
from jaxphys._billiards_checks import check
from jaxphys.precision import precision_of
from jaxphys_kernels.billiards.model import WALLS, Events, Kind, Outcome, Rules, State, Trajectory, World
from jaxphys_kernels.status import Status

__all__ = [
    "BACKENDS",
    "WALLS",
    "Events",
    "Kind",
    "Outcome",
    "Rules",
    "State",
    "Status",
    "Trajectory",
    "World",
    "make_scene",
    "resolve_backend",
    "rollout",
    "validate",
]

BACKENDS: tuple[str, ...] = ("auto", *backends.HOST, "stepped")


def make_scene(
    *,
    pos: ArrayLike | Sequence[Any],
    vel: ArrayLike | Sequence[Any],
    size: ArrayLike | Sequence[float] | None = (2.0, 1.0),
    radius: ArrayLike | Sequence[Any] = 0.03,
    mass: ArrayLike | Sequence[Any] = 1.0,
    mu: ArrayLike = 0.002,
    g: ArrayLike = 9.8,
    pockets: Sequence[tuple[float, float, float]] | None = None,
    dtype: type = np.float64,
) -> tuple[World, State]:
    """World and state of b scenes with n balls; NumPy leaves, each broadcast over the scenes.

    Args:
        pos: (b, n, 2) centres (m); ball 0 is the cue ball.
        vel: (b, n, 2) velocities (m/s).
        size: (2,) or (b, 2) m; None or inf for no walls.
        radius: (), (n,) or (b, n) m.
        mass: (), (n,) or (b, n) kg.
        mu: () or (b,) friction with the cloth.
        g: () or (b,) m/s².
        pockets: (x, y, capture radius) of each pocket, m; the same for all scenes.
        dtype: np.float64, or np.float32 for bulk sweeps.
    """
    centres: np.ndarray = np.asarray(pos, dtype)
    if centres.ndim != 3 or centres.shape[-1] != 2:
        raise ValueError(f"pos has shape {centres.shape}; it must be (scenes, balls, 2)")
    if np.shape(vel) != centres.shape:
        raise ValueError(f"vel has shape {np.shape(vel)}; it must be that of pos, {centres.shape}")
    b, n, _ = centres.shape
    table = np.full(2, np.inf) if size is None else np.asarray(size, dtype)
    holes: np.ndarray = np.array(pockets if pockets else np.zeros((0, 3)), dtype).reshape(-1, 3)

    def spread(name: str, value: Any, shape: tuple[int, ...]) -> jax.Array:
        try:
            # A NumPy leaf goes wherever a JAX one does, and needs no 64-bit mode to stay float64.
            return cast(jax.Array, np.broadcast_to(np.asarray(value, dtype), shape).copy())
        except ValueError:
            raise ValueError(f"{name} has shape {np.shape(value)}; it must broadcast to {shape}") from None

    world = World(
        size=spread("size", table, (b, 2)),
        radius=spread("radius", radius, (b, n)),
        mass=spread("mass", mass, (b, n)),
        mu=spread("mu", mu, (b,)),
        g=spread("g", g, (b,)),
        pocket_pos=spread("pockets", holes[:, :2], (b, len(holes), 2)),
        pocket_radius=spread("pockets", holes[:, 2], (b, len(holes))),
    )
    state = State(
        time=spread("time", 0.0, (b,)),
        pos=spread("pos", centres, (b, n, 2)),
        vel=spread("vel", vel, (b, n, 2)),
        alive=cast(jax.Array, np.ones((b, n), bool)),
    )
    return world, state


def resolve_backend(backend: str, dtype: Any = np.float64) -> str:
    """The back end that a name stands for on this machine: `auto` becomes `compiled` or `xla`.

    Raises:
        ValueError: unknown back end.
    """
    if backend not in BACKENDS:
        raise ValueError(f"backend is {backend!r}; it must be one of {', '.join(BACKENDS)}")
    return backends.choose(backend, dtype)


def validate(world: World, state: State, times: ArrayLike | Sequence[float]) -> None:
    """Raise ValueError naming the field, the scene and the fix when a scene is not physical.

    Checks shapes, finiteness, signs, asked times, overlaps and balls outside the table.
    """
    check(world, state, np.asarray(times))


def rollout(
    world: World,
    state: State,
    times: ArrayLike | Sequence[float],
    *,
    rules: Rules = Rules(),
    backend: str = "auto",
    log: bool = True,
    dt: float = 1 / 240,
    threads: int | None = None,
) -> Trajectory:
    """Simulate b scenes from `state` and return them at the asked times.

    Args:
        world: constants of the scenes; their dtype is the precision of the run.
        state: the scenes as they start.
        times: (t,) or (b, t) ascending times (s), after `state.time`.
        rules: static numbers of the event loop.
        backend: one of `BACKENDS`.
        log: keep the event list. Without it only one asked time per scene is possible, and it is faster.
        dt: step of the `stepped` back end (s), which has no tie rule and keeps no event list.
        threads: host threads of the `compiled` back end and of the `xla` chunks; None takes all cores. Results do
            not depend on it.

    Returns:
        Trajectory with leaves leading with b. A scene whose `status` is not 0 has no valid result.

    Raises:
        ValueError: unknown back end, wrong shapes, times that are not finite, ascending and later than the start,
            or several times with `log=False`. Inside a trace the values of times are not checked.
    """
    backend = resolve_backend(backend, state.pos.dtype)
    with precision_of(state.pos):
        asked = asked_times(times, state.time, state.pos.dtype, from_start=False)
        if backend == "stepped":
            return backends.step(world, state, asked, dt)
        if not log and asked.shape[1] > 1:
            raise ValueError(f"{asked.shape[1]} times were asked for with log=False; the path needs log=True")
        return backends.roll(world, state, asked, rules, backend, log, threads)
