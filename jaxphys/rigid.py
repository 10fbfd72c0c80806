"""Rigid bodies: `rollout(world, state, times)` for a batch of scenes of spheres, boxes, prisms, capsules and hinges.

    world, state = make_scene(shape=["box"], size=size, pos=pos, vel=vel, friction=0.35)
    trajectory = rollout(world, state, times=[0.5, 1.0], rules=PARITY)

MuJoCo models at 240 Hz, with 1 or 4 inner steps per recorded step. Every leaf leads with the scene axis b. Scenes of
one call may differ in what is in them: a scene uses some of the n bodies and s static boxes of the batch, and scenes
that use the same ones run together. Back ends (`BACKENDS`), one face:

- `c`: C MuJoCo in float64; the reference for published data, and the fast one on CPU;
- `mjx`: MuJoCo in JAX, float32 unless the world is float64; for accelerators, sweeps and derivatives. It works under
  `jit`, `vmap` and `jacfwd`; MuJoCo's solver has no reverse mode.

`auto` is `c` on CPU and `mjx` on accelerators. Saved states are those AFTER a step: read from qpos and qvel, which
MuJoCo's xpos lags by one step.
"""

import functools
import importlib
import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import jax
import numpy as np
from jax.typing import ArrayLike

from jaxphys._asked import asked_times, is_traced
from jaxphys._rigid_checks import check, counts
from jaxphys._rigid_groups import Group, empty, fill, groups, narrow
from jaxphys._rigid_scene import make_scene, solid_inertia
from jaxphys._rigid_steps import Steps, trajectory
from jaxphys.precision import precision_of
from jaxphys_kernels.rigid import energy as _energy
from jaxphys_kernels.rigid import frames as _frames
from jaxphys_kernels.rigid.energy import Energy
from jaxphys_kernels.rigid.frames import Motion
from jaxphys_kernels.rigid.model import (
    FLOOR,
    GENESIS,
    PARITY,
    Joint,
    Rules,
    Shape,
    Signature,
    State,
    Trajectory,
    World,
    pairs,
)
from jaxphys_kernels.status import Status

__all__ = [
    "BACKENDS",
    "FLOOR",
    "GENESIS",
    "PARITY",
    "Energy",
    "Joint",
    "Motion",
    "Rules",
    "Shape",
    "Signature",
    "State",
    "Status",
    "Trajectory",
    "World",
    "energy",
    "make_scene",
    "mjcf",
    "motion",
    "pairs",
    "programs",
    "resolve_backend",
    "rollout",
    "solid_inertia",
    "validate",
]

Tree = TypeVar("Tree", World, State)

BACKENDS: tuple[str, ...] = ("auto", "c", "mjx")


def resolve_backend(backend: str) -> str:
    """The back end that a name stands for: `auto` is `c` on CPU and `mjx` elsewhere; ValueError lists what there is."""
    if backend not in BACKENDS:
        raise ValueError(f"backend is {backend!r}; it must be one of {', '.join(BACKENDS)}")
    if backend == "auto":
        return "c" if jax.default_backend() == "cpu" else "mjx"
    return backend


def validate(world: World, state: State) -> None:
    """Raise ValueError naming the leaf, the scene and the fix when a scene is not physical."""
    check(world, state)


def rollout(
    world: World,
    state: State,
    times: ArrayLike | Sequence[float],
    *,
    rules: Rules = Rules(),
    backend: str = "auto",
    threads: int | None = None,
    lanes: int | None = None,
    signature: Signature | None = None,
) -> Trajectory:
    """Simulate b scenes from `state` and return them at the asked times.

    Args:
        world: constants of the scenes.
        state: the scenes as they start.
        times: (t,) or (b, t) ascending times (s), whole steps of `rules.dt` after the start. Inside a trace that does
            not know `state.time` they count from the start.
        rules: static numbers of the simulation.
        backend: one of `BACKENDS`.
        threads: of the `c` back end; None takes all cores. Results do not depend on it.
        lanes: scenes in one call of the `mjx` back end; None takes what suits the device. On it, bits depend on this.
        signature: of all scenes, needed inside a trace only, where shapes are not known; it lists all of the n bodies
            and s boxes.

    Returns:
        Trajectory with leaves leading with b. A scene whose `status` is not 0 has no valid result.

    Raises:
        ValueError: unknown back end, no threads or lanes, wrong shapes, a scene that is not physical, or times that
            are no steps.
    """
    for name, number in (("threads", threads), ("lanes", lanes)):
        if number is not None and number < 1:
            raise ValueError(f"{name} is {number}; it must be at least 1, or None")
    traced = is_traced((world, state, times))
    backend = "mjx" if traced and backend == "auto" else resolve_backend(backend)
    if traced:
        if backend != "mjx":
            raise ValueError(f"backend is {backend!r}; inside a trace it must be mjx")
        return _traced(world, state, times, rules, signature)
    check(world, state)
    asked = np.asarray(asked_times(times, np.asarray(state.time), np.float64, from_start=False))
    found = counts(np.asarray(state.time), asked, rules)
    whole = empty(world, state, np.asarray(state.time, np.float64)[:, None] + found * rules.dt)
    members = list(groups(world, rules, split=backend == "c"))
    run = _run_c if backend == "c" else _run_mjx
    # Part by part: all steps of all scenes would not fit into memory.
    for group, part, steps in run(members, world, state, found, threads if backend == "c" else lanes):
        own = group.index[part]
        fill(whole, trajectory(steps, np.asarray(state.time)[own], found[own], rules), group, part)
    return whole


Parts = Iterator[tuple[Group, slice, Steps]]
"""A group, which of its scenes, and what they did."""


def _run_c(members: Sequence[Group], world: World, state: State, counts: np.ndarray, threads: int | None) -> Parts:
    back_end = _backend("_rigid_c")
    for group in members:
        own_world, own_state = narrow(world, state, group)
        own = group.signature, _in_float64(own_world), _in_float64(own_state), int(counts[group.index].max())
        for part, steps in back_end.run(*own, group.rules, threads):
            yield group, part, steps


def _run_mjx(members: Sequence[Group], world: World, state: State, counts: np.ndarray, lanes: int | None) -> Parts:
    back_end = _backend("_rigid_mjx")
    scenes = [
        back_end.Member(group.signature, *narrow(world, state, group), int(counts[group.index].max()))
        for group in members
    ]
    # Without a split all the groups have the rules that were asked for.
    for k, part, steps in back_end.run(scenes, members[0].rules, lanes) if members else ():
        yield members[k], part, steps


def _backend(name: str) -> Any:
    """A module that needs MuJoCo, imported when it is used."""
    try:
        return importlib.import_module(f"jaxphys.{name}")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("mujoco"):
            raise
        raise ModuleNotFoundError(
            "rigid bodies need MuJoCo, which is not installed: pip install '.[rigid]' in the checkout", name=error.name
        ) from None


def _in_float64(tree: Tree) -> Tree:
    """The same with floating leaves in float64; NumPy leaves."""

    def cast(leaf: Any) -> np.ndarray:
        array = np.asarray(leaf)
        return array.astype(np.float64) if np.issubdtype(array.dtype, np.floating) else array

    found: Tree = jax.tree.map(cast, tree)
    return found


def _traced(world: World, state: State, times: Any, rules: Rules, signature: Signature | None) -> Trajectory:
    """A rollout inside a trace."""
    _rigid_traced = _backend("_rigid_traced")
    if signature is None:
        raise ValueError("signature is missing; inside a trace give signature=Signature(shapes, joints, statics)")
    if is_traced(times):
        raise ValueError("times must be known values; the number of steps is static")
    (b, n), s = np.shape(world.mass), np.shape(world.static_half)[1]
    if (len(signature.shapes), len(signature.joints), signature.statics) != (n, n, s):
        raise ValueError(f"signature is {signature}; the scenes have {n} bodies and {s} static boxes")
    start = np.zeros(b) if is_traced(state.time) else np.asarray(state.time)
    asked = np.asarray(asked_times(times, start, np.float64, from_start=False))
    found: Trajectory = _rigid_traced.trace(signature, world, state, counts(start, asked, rules), rules)
    return found


def motion(world: World, qpos: ArrayLike, qvel: ArrayLike) -> Motion:
    """Centres of the bodies in the world frame: pos, quat, vel (m/s) and omega (rad/s).

    Args:
        world: of b scenes.
        qpos: (b, ..., n, 7), for example of a trajectory.
        qvel: (b, ..., n, 6).
    """
    found: Motion = _over_times(_frames.motion, world, qpos, qvel)
    return found


def energy(world: World, qpos: ArrayLike, qvel: ArrayLike) -> Energy:
    """Kinetic and potential energy (b, ...) of all bodies of each scene (J); arguments as of `motion`."""
    found: Energy = _over_times(_energy.energy, world, qpos, qvel)
    return found


@functools.cache
def _batched(function: Any) -> Any:
    """A function of one scene and moment, of b scenes and t moments; one program per form of its arguments."""
    return jax.jit(jax.vmap(jax.vmap(function, in_axes=(None, 0, 0))))


def _over_times(function: Any, world: World, qpos: Any, qvel: Any) -> Any:
    """A function of one scene and moment, of b scenes and any number of times; NumPy in, NumPy out."""
    b, n = np.shape(world.mass)
    states = [leaf if isinstance(leaf, jax.Array) else np.asarray(leaf) for leaf in (qpos, qvel)]
    for name, leaf, width in (("qpos", states[0], 7), ("qvel", states[1], 6)):
        if leaf.ndim < 3 or leaf.shape != (b, *states[0].shape[1:-2], n, width):
            raise ValueError(f"{name} has shape {leaf.shape}; it must be ({b}, ..., {n}, {width}), as the world is")
    lead = states[0].shape[1:-2]
    rows = [leaf.reshape(b, math.prod(lead), *leaf.shape[-2:]) for leaf in states]
    with precision_of(states[0]):
        out = _batched(function)(world, *rows)
        out = jax.tree.map(lambda leaf: leaf.reshape(b, *lead, *leaf.shape[2:]), out)
    return out if is_traced(out) else jax.tree.map(np.asarray, out)


def mjcf(world: World, state: State, rules: Rules = Rules()) -> str:
    """One scene (b = 1) as an MJCF file for other tools; its keyframe `start` is the state.

    Drag and the bounce law have no words in MJCF and are left out.

    Raises:
        ValueError: more than one scene, or one that is not physical.
    """
    if np.shape(world.shape)[0] != 1:
        raise ValueError(f"world holds {np.shape(world.shape)[0]} scenes; give one")
    check(world, state)
    _rigid_models = _backend("_rigid_models")
    group = next(groups(world, rules))
    own_world, own_state = narrow(world, state, group)
    own_world, own_state = _in_float64(own_world), _in_float64(own_state)
    first = [jax.tree.map(lambda leaf: leaf[0], tree) for tree in (own_world, own_state)]
    text: str = _rigid_models.mjcf(group.signature, *first, rules)
    return text


def programs() -> tuple[Any, ...]:
    """The programs of the `mjx` back end that this process has compiled or loaded from the cache on disk.

    Each tells its signature, rules, dtype, lanes and how long it took (s). They are few: see `_rigid_programs`.
    """
    return tuple(_backend("_rigid_mjx").BUILT)
