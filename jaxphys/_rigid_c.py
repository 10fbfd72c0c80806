"""Rigid bodies by C MuJoCo in float64: the reference, and the fast back end on CPU.

Where nothing happens between its steps, scenes run whole in MuJoCo's threaded `rollout`; drag and the bounce law act
between single steps of it. A scene's bits depend on the scene alone: every scene has a model of its own, and what JAX
computes between the steps it computes for a fixed number of lanes.
"""

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import jax
import mujoco
import numpy as np
from mujoco import rollout as mujoco_rollout

from jaxphys._mujoco_quiet import silent
from jaxphys._rigid_models import SENSORS, scene_models
from jaxphys._rigid_programs import pad_lanes
from jaxphys._rigid_steps import Steps
from jaxphys._rigid_sums import over_steps
from jaxphys.precision import x64
from jaxphys_kernels.rigid.between import Between, between, forces
from jaxphys_kernels.rigid.flat import flatten, unflatten
from jaxphys_kernels.rigid.leaves import leaves
from jaxphys_kernels.rigid.model import Rules, Signature, State, World

LANES = 64
"""Scenes in a call of JAX, always."""

NUMBERS = 1 << 24
"""Most numbers that a chunk of scenes may write at once (128 MiB)."""

MODELS = 512
"""Most scenes in a chunk; a model takes about 0.1 MB."""


def run(
    signature: Signature, world: World, state: State, count: int, rules: Rules, threads: int | None
) -> Iterator[tuple[slice, Steps]]:
    """Simulate b scenes, exactly of this signature, for `count` recorded steps; float64 NumPy leaves, part by part."""
    b = len(world.mass)
    fields = _fields(signature, world)
    inner = count * rules.substeps
    size = 1 + signature.nq + signature.nv + SENSORS * len(signature.pairs)
    chunk = LANES if rules.drag or rules.bounce else min(MODELS, max(1, NUMBERS // (inner * size)))
    workers = max(1, threads or os.cpu_count() or 1)
    with silent(), mujoco_rollout.Rollout(nthread=workers) as pool:
        for start in range(0, b, chunk):
            part = slice(start, start + chunk)
            models = scene_models(
                signature, rules, {name: field[part] for name, field in fields.items()}, np.asarray(world.size)[part]
            )
            # All the models have the same sizes, so any of them serves to make room for a thread.
            room = [mujoco.MjData(models[0]) for _ in range(workers)]
            own_world = jax.tree.map(lambda leaf, part=part: leaf[part], world)
            own_state = jax.tree.map(lambda leaf, part=part: leaf[part], state)
            march = _march_between if rules.drag or rules.bounce else _march
            advance = functools.partial(pool.rollout, models, room)
            yield part, march(signature, own_world, own_state, inner, rules, advance)


@functools.cache
def _leaves_program(signature: Signature) -> Callable[[World], dict[str, jax.Array]]:
    return jax.jit(jax.vmap(functools.partial(leaves, signature=signature)))


def _in_lanes(program: Callable[..., Any], *arguments: Any) -> Any:
    """Call a batched program on `LANES` scenes at a time, the last ones repeated; NumPy leaves."""
    b = len(jax.tree.leaves(arguments)[0])
    pieces = []
    with x64():
        for start in range(0, b, LANES):
            out = program(*pad_lanes(arguments, start, LANES))
            pieces.append(jax.tree.map(lambda leaf, start=start: np.asarray(leaf)[: b - start], out))
    return jax.tree.map(lambda *parts: np.concatenate(parts), *pieces)


def _fields(signature: Signature, world: World) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = _in_lanes(_leaves_program(signature), world)
    return found


def _full_state(signature: Signature, state: State) -> np.ndarray:
    """(b, 1 + nq + nv) MuJoCo's state; time runs from 0."""
    qpos, qvel = flatten(signature, np.asarray(state.qpos), np.asarray(state.qvel))
    return np.concatenate([np.zeros((len(qpos), 1)), qpos, qvel], axis=1)


def _march(
    signature: Signature, world: World, state: State, inner: int, rules: Rules, advance: Callable[..., Any]
) -> Steps:
    """All steps in one call."""
    states, sensed = advance(_full_state(signature, state), nstep=inner)
    sensed = sensed.reshape(len(sensed), inner, len(signature.pairs), SENSORS)
    nothing = np.zeros((len(sensed), 0, len(signature.pairs)))
    return _summary(signature, states, sensed, nothing.astype(bool), nothing, rules)


@functools.cache
def _air_program(rules: Rules) -> Callable[[World, State], jax.Array]:
    return jax.jit(jax.vmap(functools.partial(forces, rules=rules)))


@functools.cache
def _between_program(signature: Signature, rules: Rules) -> Callable[..., tuple[jax.Array, Between]]:
    """(world, state before, state after), both states flat -> the flat state to go on with, and what happened."""
    nq = signature.nq

    def one(world: World, before: jax.Array, after: jax.Array) -> tuple[jax.Array, Between]:
        def read(row: jax.Array) -> State:
            qpos, qvel = unflatten(signature, row[1 : 1 + nq], row[1 + nq :])
            return State(time=row[0], qpos=qpos, qvel=qvel)

        found = between(world, read(before), read(after), signature, rules)
        qpos, qvel = flatten(signature, found.state.qpos, found.state.qvel)
        return jax.numpy.concatenate([after[:1], qpos, qvel]), found

    return jax.jit(jax.vmap(one))


def _march_between(
    signature: Signature, world: World, state: State, inner: int, rules: Rules, advance: Callable[..., Any]
) -> Steps:
    """Step by step, with rebounds and drag between."""
    b, c = len(world.mass), len(signature.pairs)
    index = np.minimum(np.arange(LANES), b - 1)
    wide = pad_lanes(world, 0, LANES)
    program = _between_program(signature, rules)
    now = _full_state(signature, state)
    states = np.empty((b, inner, now.shape[1]))
    sensed = np.empty((b, inner, c * SENSORS))
    touching, impulse = np.zeros((b, inner, c), bool), np.zeros((b, inner, c))
    warm = np.zeros((b, signature.nv))
    push = np.zeros((b, 1, 6 * (1 + len(signature.shapes))))
    spec = int(mujoco.mjtState.mjSTATE_XFRC_APPLIED)
    with x64():
        wide = jax.device_put(wide)
        air = _air_program(rules)(wide, pad_lanes(state, 0, LANES))
        push[:, 0, 6:] = np.asarray(air)[:b].reshape(b, -1)
        for k in range(inner):
            moved, felt = advance(now, push, control_spec=spec, nstep=1, initial_warmstart=warm)
            then = moved[:, 0]
            # The solver starts where it ended: at the acceleration that the step has had.
            warm = (then[:, 1 + signature.nq :] - now[:, 1 + signature.nq :]) / rules.step
            onward, found = program(wide, now[index], then[index])
            now = np.array(onward)[:b]
            states[:, k], sensed[:, k] = now, felt[:, 0]
            touching[:, k], impulse[:, k] = np.asarray(found.touching)[:b], np.asarray(found.impulse)[:b]
            push[:, 0, 6:] = np.asarray(found.force)[:b].reshape(b, -1)
    return _summary(signature, states, sensed.reshape(b, inner, c, SENSORS), touching, impulse, rules)


def _summary(
    signature: Signature, states: np.ndarray, sensed: np.ndarray, met: np.ndarray, rebound: np.ndarray, rules: Rules
) -> Steps:
    """Recorded steps from inner ones.

    Args:
        signature: of the scenes.
        states: (b, inner, 1 + nq + nv) after each inner step.
        sensed: (b, inner, c, SENSORS) at the beginning of each inner step.
        met: (b, inner, c) rebounds during it, or (b, 0, c) where there are none.
        rebound: like met, their impulses (N s).
        rules: of the simulation.
    """
    s, nq = rules.substeps, signature.nq
    qpos, qvel = unflatten(signature, states[:, s - 1 :: s, 1 : 1 + nq], states[:, s - 1 :: s, 1 + nq :])
    touching, impulse, depth, contacts, first, start_depth = over_steps(sensed, met, rebound, s, rules.step)
    return Steps(
        qpos=qpos,
        qvel=qvel,
        touching=touching,
        impulse=impulse,
        first=first,
        depth=depth,
        contacts=contacts,
        start_depth=start_depth,
    )
